// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/model/integrator.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace scree::tools {

namespace {

/// One row of a list, whatever it lists; JSON names its parts.
struct Row {
  std::string name, arguments, help, unit, byDefault;
};

std::vector<Row> rowsOf(const std::string& kind) {
  std::vector<Row> rows;
  const auto add = [&](std::string_view name, std::string_view arguments, std::string_view help) {
    rows.push_back({std::string(name), std::string(arguments), std::string(help), {}, {}});
  };
  if (kind == "laws") {
    for (const sim::LawInfo& law : sim::allLaws()) add(law.name, "", law.help);
  } else if (kind == "keywords") {
    for (const sim::ConfKeyword& k : sim::confKeywords()) {
      add(k.name, k.arguments, k.help);
      rows.back().unit = k.unit;
      rows.back().byDefault = k.byDefault;
      for (const auto alias : k.aliases) rows.back().help += fmt::format("; formerly `{}`", alias);
    }
    for (const sim::StateLine& l : sim::stateLines())
      add(fmt::format("#scree {}", l.name), l.arguments, l.help);
  } else if (kind == "servos") {
    for (const sim::ServoInfo& s : sim::allServos()) add(s.name, s.arguments, s.help);
  } else if (kind == "extractors") {
    for (const sim::Kind* e : sim::extractorKinds()) {
      std::string arguments;
      for (const auto& option : e->recordedOptions()) arguments += fmt::format("{} ", option.name);
      add(e->inRun, arguments + "file period", e->help);
    }
  } else if (kind == "integrators") {
    for (const sim::IntegratorInfo& i : sim::integrators) add(i.name, "", i.help);
  } else if (kind == "commands") {
    for (const sim::CommandInfo& c : sim::allCommands()) add(c.name, c.arguments, c.help);
  } else {
    throw UsageError(fmt::format(
        "--list: expected laws, keywords, servos, extractors, integrators or commands; found '{}'",
        kind));
  }
  return rows;
}

}  // namespace

std::string listOf(const std::string& kind) {
  const bool asTable = kind == "keywords";
  std::string out =
      asTable ? "| keyword | arguments | unit | default | meaning |\n|---|---|---|---|---|\n" : "";
  for (Row row : rowsOf(kind)) {
    for (std::size_t at = 0; asTable && (at = row.arguments.find('|', at)) != std::string::npos;
         at += 2)
      row.arguments.insert(at, "\\");
    if (asTable)
      out += fmt::format("| `{}` | {} | {} | {} | {} |\n", row.name, row.arguments, row.unit,
                         row.byDefault, row.help);
    else if (row.arguments.empty())
      out += fmt::format("{:<15} {}\n", row.name, row.help);
    else
      out += fmt::format("{:<28} {}\n{:<28} {}\n", row.name, row.arguments, "", row.help);
  }
  if (kind == "servos") {
    out += "\nModes of Control:";
    for (const sim::ControlMode& m : sim::controlModes()) out += fmt::format(" {}", m.name);
    out += "\n";
  }
  return out;
}

std::string listJson(const std::string& kind) {
  JsonWriter json(1);
  json.beginObject().member("schema", 1).key(kind).beginArray();
  for (const Row& row : rowsOf(kind)) {
    json.beginObject().member("name", row.name);
    if (!row.arguments.empty()) json.member("arguments", row.arguments);
    if (!row.unit.empty()) json.member("unit", row.unit);
    if (!row.byDefault.empty()) json.member("default", row.byDefault);
    json.member("help", row.help).end();
  }
  return json.end().end().take() + "\n";
}

}  // namespace scree::tools

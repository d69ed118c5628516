// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/model/integrator.hpp"

#include <fmt/format.h>

#include <vector>

namespace scree::tools {

namespace {

/// One row of a list, whatever it lists; JSON names its parts.
struct Row {
  std::string name, arguments, unit, byDefault, help;
};

std::vector<Row> rowsOf(const std::string& kind) {
  std::vector<Row> rows;
  if (kind == "laws") {
    for (const sim::LawInfo& law : sim::allLaws())
      rows.push_back({std::string(law.name), "", "", "", std::string(law.help)});
  } else if (kind == "keywords") {
    for (const sim::ConfKeyword& k : sim::confKeywords())
      rows.push_back({std::string(k.name), std::string(k.arguments), std::string(k.unit),
                      std::string(k.byDefault), std::string(k.help)});
  } else if (kind == "state") {
    for (const sim::StateLine& l : sim::stateLines())
      rows.push_back({std::string(l.name), std::string(l.arguments), "", "", std::string(l.help)});
  } else if (kind == "servos") {
    for (const sim::ServoInfo& s : sim::allServos())
      rows.push_back({std::string(s.name), std::string(s.arguments), "", "", std::string(s.help)});
  } else if (kind == "extractors") {
    for (const sim::ExtractorKind& e : sim::extractorKinds()) {
      std::string arguments;
      for (const auto& p : e.parameters) arguments += fmt::format("{} ", p.name);
      rows.push_back({std::string(e.name), arguments + "file period", "", "", std::string(e.help)});
    }
  } else if (kind == "integrators") {
    for (const sim::IntegratorInfo& i : sim::integrators)
      rows.push_back({std::string(i.name), "", "", "", std::string(i.help)});
  } else if (kind == "commands") {
    for (const sim::CommandInfo& c : sim::allCommands())
      rows.push_back({std::string(c.name), std::string(c.arguments), "", "", std::string(c.help)});
  } else {
    throw UsageError(
        fmt::format("--list: expected laws, keywords, state, servos, extractors, integrators or "
                    "commands; found "
                    "'{}'",
                    kind));
  }
  return rows;
}

std::string keywordTable() {
  std::string out = "| keyword | arguments | unit | default | meaning |\n|---|---|---|---|---|\n";
  for (const sim::ConfKeyword& k : sim::confKeywords()) {
    std::string name = fmt::format("`{}`", k.name);
    for (const auto alias : k.aliases) name += fmt::format(", formerly `{}`", alias);
    std::string arguments(k.arguments);
    for (std::size_t at = 0; (at = arguments.find('|', at)) != std::string::npos; at += 2)
      arguments.replace(at, 1, "\\|");
    out +=
        fmt::format("| {} | {} | {} | {} | {} |\n", name, arguments, k.unit, k.byDefault, k.help);
  }
  return out;
}

}  // namespace

std::string listOf(const std::string& kind) {
  if (kind == "keywords") return keywordTable();
  std::string out;
  if (kind == "state") {
    out = "| line | holds |\n|---|---|\n";
    for (const Row& row : rowsOf(kind))
      out += fmt::format("| `#scree {} {}` | {} |\n", row.name, row.arguments, row.help);
    return out;
  }
  for (const Row& row : rowsOf(kind)) {
    if (kind == "servos")
      out += fmt::format("{:<28} {}\n{:<28} {}\n", row.name, row.arguments, "", row.help);
    else if (kind == "commands")
      out += fmt::format("{} {}\n    {}\n", row.name, row.arguments, row.help);
    else if (kind == "extractors")
      out += fmt::format("{:<12} {}\n{:<12} {}\n", row.name, row.arguments, "", row.help);
    else
      out += fmt::format("{:<{}} {}\n", row.name, kind == "laws" ? 12 : 15, row.help);
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

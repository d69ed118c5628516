// SPDX-License-Identifier: GPL-3.0-or-later
#include "rockable.hpp"

#include "scree/sim/commands/commands.hpp"
#include "scree/sim/extract/extractors.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/io/driving_file.hpp"
#include "scree/sim/law/all_laws.hpp"

#include <fmt/format.h>

namespace scree::tools {

std::string listOf(const std::string& kind) {
  std::string out;
  if (kind == "laws") {
    for (const sim::LawInfo& law : sim::allLaws())
      out += fmt::format("{:<12} {}\n", law.name, law.help);
  } else if (kind == "keywords") {
    out = "| keyword | arguments | unit | default | meaning |\n|---|---|---|---|---|\n";
    for (const sim::ConfKeyword& k : sim::confKeywords()) {
      std::string name = fmt::format("`{}`", k.name);
      for (const auto alias : k.aliases) name += fmt::format(", formerly `{}`", alias);
      std::string arguments(k.arguments);
      for (std::size_t at = 0; (at = arguments.find('|', at)) != std::string::npos; at += 2)
        arguments.replace(at, 1, "\\|");
      out +=
          fmt::format("| {} | {} | {} | {} | {} |\n", name, arguments, k.unit, k.byDefault, k.help);
    }
  } else if (kind == "servos") {
    for (const sim::ServoInfo& s : sim::allServos())
      out += fmt::format("{:<28} {}\n{:<28} {}\n", s.name, s.arguments, "", s.help);
    out += "\nModes of Control:";
    for (const sim::ControlMode& m : sim::controlModes()) out += fmt::format(" {}", m.name);
    out += "\n";
  } else if (kind == "extractors") {
    for (const sim::ExtractorKind& e : sim::extractorKinds()) {
      out += fmt::format("{:<12}", e.name);
      for (const auto& p : e.parameters) out += fmt::format(" {}", p.name);
      out += fmt::format(" file period\n{:<12} {}\n", "", e.help);
    }
  } else if (kind == "integrators") {
    for (const sim::IntegratorInfo& i : sim::integrators)
      out += fmt::format("{:<15} {}\n", i.name, i.help);
  } else if (kind == "commands") {
    for (const sim::CommandInfo& c : sim::allCommands())
      out += fmt::format("{} {}\n    {}\n", c.name, c.arguments, c.help);
  } else {
    throw UsageError(fmt::format(
        "--list: expected laws, keywords, servos, extractors, integrators or commands; found '{}'",
        kind));
  }
  return out;
}

}  // namespace scree::tools

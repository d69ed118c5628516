// SPDX-License-Identifier: GPL-3.0-or-later
#include "packgen.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::tools {
namespace {

/// Reads `V` for all groups, `G=V` for one, or `G1,G2=V` for a pair of them.
void readSetting(const std::string& option, const std::string& word, sim::PairSetting& setting) {
  const auto equals = word.find('='), comma = word.substr(0, equals).find(',');
  const auto group = [&](const std::string& text) {
    const auto value = parseInteger(text);
    if (!value || *value < 0 || *value > 999)
      throw CLI::ValidationError(option,
                                 fmt::format("expected a group from 0 to 999, found '{}'", text));
    return static_cast<std::uint32_t>(*value);
  };
  const auto value = parseNumber(word.substr(equals == std::string::npos ? 0 : equals + 1));
  if (!value || !std::isfinite(*value))
    throw CLI::ValidationError(option, fmt::format("expected a number, found '{}'", word));
  if (equals == std::string::npos) {
    setting.general = *value;
    return;
  }
  const std::uint32_t first = group(word.substr(0, std::min(comma, equals)));
  setting.special.push_back(
      {first,
       comma == std::string::npos ? first : group(word.substr(comma + 1, equals - comma - 1)),
       *value});
}

}  // namespace

CLI::Option* addRepeated(CLI::App& verb, const std::string& name, const std::string& help,
                         const std::string& form,
                         const std::function<void(const std::string&)>& take) {
  const auto takeAll = [take](const std::vector<std::string>& words) {
    for (const std::string& word : words) take(word);
  };
  return verb.add_option_function<std::vector<std::string>>(name, takeAll, help)
      ->expected(1)
      ->take_all()
      ->option_text(form);
}

void addLawOption(CLI::App& verb, const sim::LawOption& option, const std::string& help,
                  std::map<std::string, sim::PairSetting>& parameters) {
  addRepeated(verb, option.option, help, option.ofGroup ? "V|G=V" : "V|G1,G2=V",
              [option, &parameters](const std::string& word) {
                readSetting(option.option, word, parameters[option.keyword]);
              })
      ->group("Physics");
}

void addOutputOptions(CLI::App& verb, PackOutput& out, std::optional<sim::DrivePlan>* drive) {
  verb.add_option("-o,--output", out.conf,
                  "Conf-file to write, default conf0; '-' is standard output");
  verb.add_option("--library", out.library,
                  "Shape-file to write beside it; default the name of the conf-file with .shp");
  if (!drive) return;
  verb.add_option_function<std::string>(
          "--drive", [drive](const std::string& text) { *drive = sim::DrivePlan::parse(text); },
          "Write drivingSystem.txt and dataExtractors.txt: isotropic[:P] "
          "triaxial[:P[,RATE[,STRAIN]]] oedometer[:P] shear[:P[,RATE[,STRAIN]]] "
          "drum[:SPIN] vibration[:A,F]")
      ->option_text("DRIVE");
}

CLI::Option* addVector(CLI::App& verb, const std::string& name, std::optional<Vec3>& value,
                       const std::string& form, const std::string& help) {
  const auto take = [&value](const std::vector<double>& v) { value = Vec3(v[0], v[1], v[2]); };
  return verb.add_option_function<std::vector<double>>(name, take, help)
      ->expected(3)
      ->option_text(form);
}

void addPackOptions(CLI::App& verb, PackOptions& options, bool placed, const std::string& shapes) {
  if (!shapes.empty())
    addOption(verb, "--shapes,--shape", options.libraries,
              placed ? "FILE[:NAME]..." : "FILE[:NAME][=SHARE]...", shapes)
        ->expected(1)
        ->required()
        ->take_all();
  addOutputOptions(verb, options.out, &options.settings.drive);
  if (placed) {
    verb.add_flag("--allow-overlap", options.allowOverlap,
                  "Write bodies that overlap, too, with a warning");
    verb.add_option_function<std::vector<double>>(
            "--walls",
            [&options](const std::vector<double>& margin) {
              options.wallMargin = margin.empty() ? 0.0 : margin.front();
            },
            "Put all into a closed box of six driven walls, MARGIN [m] away from the bodies (0)")
        ->expected(0, 1)
        ->option_text("[MARGIN]");
  }
  addPhysicsOptions(verb, options);
}

void addPhysicsOptions(CLI::App& verb, PackOptions& options) {
  sim::PackSettings& s = options.settings;
  std::string laws;
  for (const sim::LawInfo& law : sim::allLaws()) laws += " " + std::string(law.name);
  verb.add_option("--law", s.law, "Force law, default Default; there are" + laws)->group("Physics");
  addRepeated(verb, "--density",
              "Density [kg/m3] of all groups, or of one; default 2700; may be repeated", "V|G=V",
              [&s](const std::string& word) { readSetting("--density", word, s.density); })
      ->group("Physics");
  for (const sim::LawOption& option : sim::lawOptions())
    addLawOption(verb, option, option.help, s.parameters);
  addRepeated(verb, "--bond",
              "Parameter of the bonds of StickedLinks and BCM, by its keyword, for example "
              "knInnerBond=1e6; may be repeated",
              "NAME=V|NAME:G1,G2=V",
              [&options, &s](const std::string& word) {
                if (options.takeBond && options.takeBond(word)) return;
                const auto end = word.find_first_of("=:");
                if (end == 0 || end == std::string::npos)
                  throw CLI::ValidationError(
                      "--bond", fmt::format("expected NAME=V or NAME:G1,G2=V, found '{}'", word));
                readSetting("--bond", word.substr(end + 1), s.parameters[word.substr(0, end)]);
              })
      ->group("Physics");
  addVector(verb, "--gravity", s.gravity, "GX GY GZ",
            "Gravity [m/s2], default 0 -9.81 0, in a periodic cell 0 0 0")
      ->group("Physics");
  const auto number = [&](const char* name, auto& value, const char* help) {
    verb.add_option(name, value, help)->group("Physics");
  };
  number("--overlap", s.overlap,
         "Overlap that the chosen stiffness allows, as a share of the size of a body; default "
         "0.005");
  number("--duration", s.duration,
         "Time to simulate [s], default 1, or the time in which --drive reaches its strain");
  number("--dt", s.dt, "Time step [s]; default from masses and stiffness");
  number("--interconf", s.interConf, "Time between conf-files [s]; default duration / 50");
}

}  // namespace scree::tools

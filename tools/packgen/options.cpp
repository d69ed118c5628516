// SPDX-License-Identifier: GPL-3.0-or-later
#include "packgen.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::tools {
namespace {

double numberIn(const std::string& option, std::string_view word) {
  const auto value = parseNumber(word);
  if (!value || !std::isfinite(*value))
    throw CLI::ValidationError(option, fmt::format("expected a number, found '{}'", word));
  return *value;
}

std::uint32_t groupIn(const std::string& option, std::string_view word) {
  const auto value = parseInteger(word);
  if (!value || *value < 0 || *value > 999)
    throw CLI::ValidationError(option,
                               fmt::format("expected a group from 0 to 999, found '{}'", word));
  return static_cast<std::uint32_t>(*value);
}

/// An option of the group Physics that may be repeated. @param take  called with each word
void addRepeated(CLI::App& verb, const std::string& name, const std::string& help,
                 const std::string& form, const std::function<void(const std::string&)>& take) {
  verb.add_option_function<std::vector<std::string>>(
          name,
          [take](const std::vector<std::string>& words) {
            for (const std::string& word : words) take(word);
          },
          help)
      ->expected(1)
      ->take_all()
      ->option_text(form)
      ->group("Physics");
}

/// Reads `V` for all pairs of groups, or `G1,G2=V` for one.
void readPair(const std::string& option, const std::string& word, sim::PairSetting& setting) {
  const auto equals = word.find('='), comma = word.find(',');
  if (equals == std::string::npos)
    setting.general = numberIn(option, word);
  else if (comma < equals)
    setting.special.push_back({groupIn(option, word.substr(0, comma)),
                               groupIn(option, word.substr(comma + 1, equals - comma - 1)),
                               numberIn(option, word.substr(equals + 1))});
  else
    throw CLI::ValidationError(option, fmt::format("expected V or G1,G2=V, found '{}'", word));
}

/// Reads `V` for all groups, or `G=V` for one.
void readGroup(const std::string& option, const std::string& word, double& general,
               std::vector<sim::GroupValue>& special) {
  const auto equals = word.find('=');
  if (equals == std::string::npos)
    general = numberIn(option, word);
  else
    special.push_back(
        {groupIn(option, word.substr(0, equals)), numberIn(option, word.substr(equals + 1))});
}

/// A parameter of contacts as an option. @param what  for help; the law is named there where only
/// one has it
void addPair(CLI::App& verb, const std::string& name, const std::string& help,
             std::function<sim::PairSetting&()> setting) {
  addRepeated(verb, name, help, "V|G1,G2=V",
              [=](const std::string& word) { readPair(name, word, setting()); });
}
/// The same for a parameter that is chosen where it is not given.
void addPair(CLI::App& verb, const std::string& name, const std::string& help,
             std::optional<sim::PairSetting>& setting, double first) {
  addPair(verb, name, help, [&setting, first]() -> sim::PairSetting& {
    if (!setting) setting = sim::PairSetting{first, {}};
    return *setting;
  });
}
void addPair(CLI::App& verb, const std::string& name, const std::string& help,
             sim::PairSetting& setting) {
  addPair(verb, name, help, [&setting]() -> sim::PairSetting& { return setting; });
}

void addLawOptions(CLI::App& verb, sim::PackSettings& s) {
  addPair(verb, "--kn",
          "Normal stiffness [N/m]; default from weights, heights and sizes; may be repeated", s.kn,
          1e6);
  addPair(verb, "--kt", "Tangential stiffness [N/m], default 0.8 kn", s.kt, 0.8e6);
  addPair(verb, "--en2", "Restitution of energy, default 0.1", s.en2);
  addPair(verb, "--mu", "Friction, default 0.5", s.mu);
  addPair(verb, "--kr", "Rolling stiffness [N.m], default 0", s.kr);
  addPair(verb, "--mur",
          "Rolling arm [m], or ratio for Avalanche: bound of the rolling moment; default 0", s.mur);
  addPair(verb, "--visct", "Tangential viscosity [N.s/m], law GeoVisc; default critical for 0.8 kn",
          s.viscT, 1.0);
  addRepeated(verb, "--young",
              "Young's modulus [Pa], law HertzMindlin; default from weights, heights and sizes",
              "V|G=V", [&s](const std::string& word) {
                if (!s.young) s.young = sim::GroupSetting{1e9, {}};
                readGroup("--young", word, s.young->general, s.young->special);
              });
  addRepeated(verb, "--poisson", "Poisson's ratio, law HertzMindlin; default 0.3", "V|G=V",
              [&s](const std::string& word) {
                if (!s.poisson) s.poisson = sim::GroupSetting{0.3, {}};
                readGroup("--poisson", word, s.poisson->general, s.poisson->special);
              });
  addRepeated(verb, "--bond",
              "Parameter of the bonds of StickedLinks and BCM, by its keyword, for example "
              "knInnerBond=1e6; may be repeated",
              "NAME=V|NAME:G1,G2=V", [&s](const std::string& word) {
                const auto end = word.find_first_of("=:");
                if (end == 0 || end == std::string::npos)
                  throw CLI::ValidationError(
                      "--bond", fmt::format("expected NAME=V or NAME:G1,G2=V, found '{}'", word));
                readPair("--bond", word.substr(end + 1), s.bonds[word.substr(0, end)]);
              });
}

}  // namespace

void addOutputOptions(CLI::App& verb, PackOutput& out, std::optional<sim::DrivePlan>& drive) {
  verb.add_option("-o,--output", out.conf,
                  "Conf-file to write, default conf0; '-' is standard output");
  verb.add_option("--library", out.library,
                  "Shape-file to write beside it; default the name of the conf-file with .shp");
  verb.add_option_function<std::string>(
          "--drive", [&drive](const std::string& text) { drive = sim::DrivePlan::parse(text); },
          "Write drivingSystem.txt and dataExtractors.txt: isotropic[:P] "
          "triaxial[:P[,RATE[,STRAIN]]] oedometer[:P] shear[:P[,RATE[,STRAIN]]] "
          "drum[:SPIN] vibration[:A,F]")
      ->option_text("DRIVE");
}

void addContactOptions(CLI::App& verb, std::map<std::string, sim::PairSetting>& contacts) {
  for (const auto& [name, what] : {std::pair("mu", "Friction"),
                                   {"en2", "Restitution of energy"},
                                   {"kr", "Rolling stiffness [N.m]"},
                                   {"mur", "Rolling arm [m]"}})
    addPair(verb, std::string("--") + name,
            std::string(what) + " in a run of the result; default that of CONF",
            [&contacts, keyword = std::string(name) + "Contact"]() -> sim::PairSetting& {
              constexpr double unchanged = std::numeric_limits<double>::quiet_NaN();
              return contacts.try_emplace(keyword, sim::PairSetting{unchanged, {}}).first->second;
            });
}

CLI::Option* addGravityOption(CLI::App& verb, std::optional<Vec3>& gravity,
                              const std::string& byDefault) {
  return verb
      .add_option_function<std::vector<double>>(
          "--gravity",
          [&gravity](const std::vector<double>& g) { gravity = Vec3(g[0], g[1], g[2]); },
          "Gravity [m/s2], default " + byDefault)
      ->expected(3)
      ->option_text("GX GY GZ");
}

void addShapeOption(CLI::App& verb, const std::string& names, std::vector<std::string>& files,
                    const std::string& help, const std::string& form) {
  verb.add_option(names, files, help)->expected(1)->required()->take_all()->option_text(form);
}

void addPackOptions(CLI::App& verb, PackOptions& options, bool placed) {
  sim::PackSettings& s = options.settings;
  addOutputOptions(verb, options.out, s.drive);
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
  std::string laws;
  for (const sim::LawInfo& law : sim::allLaws())
    laws += (laws.empty() ? "" : " ") + std::string(law.name);
  verb.add_option("--law", s.law, "Force law, default Default; there are " + laws)
      ->group("Physics");
  addRepeated(
      verb, "--density", "Density [kg/m3] of all groups, or of one; default 2700; may be repeated",
      "V|G=V",
      [&s](const std::string& word) { readGroup("--density", word, s.density, s.densities); });
  addLawOptions(verb, s);
  addGravityOption(verb, s.gravity, "0 -9.81 0, in a periodic cell 0 0 0")->group("Physics");
  verb.add_option("--overlap", s.overlap,
                  "Overlap that the chosen stiffness allows, as a share of the size of a body; "
                  "default 0.005")
      ->group("Physics");
  verb.add_option(
          "--duration", s.duration,
          "Time to simulate [s], default 1, or the time in which --drive reaches its strain")
      ->group("Physics");
  verb.add_option("--dt", s.dt, "Time step [s]; default from masses and stiffness")
      ->group("Physics");
  verb.add_option("--interconf", s.interConf, "Time between conf-files [s]; default duration / 50")
      ->group("Physics");
}

}  // namespace scree::tools

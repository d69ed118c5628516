// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack_options.hpp"

#include "scree/base/text_reader.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

/// `V` for all pairs of groups, `G1,G2=V` for one; the option may be repeated.
void addPairOption(CLI::App& verb, const std::string& name, const std::string& help,
                   const std::function<sim::PairSetting&()>& setting) {
  verb.add_option_function<std::vector<std::string>>(
          name,
          [name, setting](const std::vector<std::string>& words) {
            for (const std::string& word : words) {
              const auto equals = word.find('='), comma = word.find(',');
              if (equals == std::string::npos) {
                setting().general = numberIn(name, word);
              } else if (comma < equals) {
                const std::uint32_t g1 = groupIn(name, word.substr(0, comma)),
                                    g2 = groupIn(name, word.substr(comma + 1, equals - comma - 1));
                setting().special.push_back({g1, g2, numberIn(name, word.substr(equals + 1))});
              } else {
                throw CLI::ValidationError(name,
                                           fmt::format("expected V or G1,G2=V, found '{}'", word));
              }
            }
          },
          help)
      ->expected(1)
      ->take_all()
      ->option_text("V|G1,G2=V")
      ->group("Physics");
}

/// `V` for all groups, `G=V` for one; the option may be repeated.
void addGroupOption(CLI::App& verb, const std::string& name, const std::string& help,
                    const std::function<void(double)>& setGeneral,
                    const std::function<void(sim::GroupValue)>& addSpecial) {
  verb.add_option_function<std::vector<std::string>>(
          name,
          [=](const std::vector<std::string>& words) {
            for (const std::string& word : words) {
              const auto equals = word.find('=');
              if (equals == std::string::npos)
                setGeneral(numberIn(name, word));
              else
                addSpecial({groupIn(name, word.substr(0, equals)),
                            numberIn(name, word.substr(equals + 1))});
            }
          },
          help)
      ->expected(1)
      ->take_all()
      ->option_text("V|G=V")
      ->group("Physics");
}

/// `NAME=V` for all pairs of groups, `NAME:G1,G2=V` for one.
void addBondOption(CLI::App& verb, sim::PackSettings& settings) {
  verb.add_option_function<std::vector<std::string>>(
          "--bond",
          [&settings](const std::vector<std::string>& words) {
            for (const std::string& word : words) {
              const auto equals = word.find('='), colon = word.find(':'), comma = word.find(',');
              const std::string name = word.substr(0, std::min(equals, colon));
              if (equals == std::string::npos || name.empty() ||
                  (colon < equals && !(colon < comma && comma < equals)))
                throw CLI::ValidationError(
                    "--bond", fmt::format("expected NAME=V or NAME:G1,G2=V, found '{}'", word));
              const double value = numberIn("--bond", word.substr(equals + 1));
              sim::PairSetting& setting = settings.bonds[name];
              if (colon < equals)
                setting.special.push_back(
                    {groupIn("--bond", word.substr(colon + 1, comma - colon - 1)),
                     groupIn("--bond", word.substr(comma + 1, equals - comma - 1)), value});
              else
                setting.general = value;
            }
          },
          "Parameter of the bonds of StickedLinks and BCM, by its keyword, for example "
          "knInnerBond=1e6; may be repeated")
      ->expected(1)
      ->take_all()
      ->option_text("NAME=V|NAME:G1,G2=V")
      ->group("Physics");
}

}  // namespace

void addPackOptions(CLI::App& verb, PackOptions& options, bool placed) {
  sim::PackSettings& s = options.settings;
  verb.add_option("-o,--output", options.output,
                  "Conf-file to write, default conf0; '-' is standard output");
  verb.add_option("--library", options.library,
                  "Shape-file to write beside it; default the name of the conf-file with .shp");
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
  addGroupOption(
      verb, "--density", "Density [kg/m3] of all groups, or of one; default 2700; may be repeated",
      [&s](double value) { s.density = value; },
      [&s](sim::GroupValue value) { s.densities.push_back(value); });
  addPairOption(verb, "--kn",
                "Normal stiffness [N/m]; default from weights, heights and sizes; may be repeated",
                [&s]() -> sim::PairSetting& {
                  if (!s.kn) s.kn = sim::PairSetting{1e6, {}};
                  return *s.kn;
                });
  addPairOption(verb, "--kt", "Tangential stiffness [N/m], default 0.8 kn",
                [&s]() -> sim::PairSetting& {
                  if (!s.kt) s.kt = sim::PairSetting{0.8e6, {}};
                  return *s.kt;
                });
  addPairOption(verb, "--en2", "Restitution of energy, default 0.1",
                [&s]() -> sim::PairSetting& { return s.en2; });
  addPairOption(verb, "--mu", "Friction, default 0.5",
                [&s]() -> sim::PairSetting& { return s.mu; });
  addPairOption(verb, "--kr", "Rolling stiffness [N.m], default 0",
                [&s]() -> sim::PairSetting& { return s.kr; });
  addPairOption(verb, "--mur",
                "Rolling arm [m], or ratio for Avalanche: bound of the rolling moment; default 0",
                [&s]() -> sim::PairSetting& { return s.mur; });
  const auto young = [&s]() -> sim::GroupSetting& {
    if (!s.young) s.young = sim::GroupSetting{1e9, {}};
    return *s.young;
  };
  addGroupOption(
      verb, "--young",
      "Young's modulus [Pa], law HertzMindlin; default from weights, heights and sizes",
      [young](double value) { young().general = value; },
      [young](sim::GroupValue value) { young().special.push_back(value); });
  addGroupOption(
      verb, "--poisson", "Poisson's ratio, law HertzMindlin; default 0.3",
      [&s](double value) { s.poisson.general = value; },
      [&s](sim::GroupValue value) { s.poisson.special.push_back(value); });
  addPairOption(verb, "--visct",
                "Tangential viscosity [N.s/m], law GeoVisc; default critical for 0.8 kn",
                [&s]() -> sim::PairSetting& {
                  if (!s.viscT) s.viscT = sim::PairSetting{1.0, {}};
                  return *s.viscT;
                });
  addBondOption(verb, s);
  verb.add_option(
          "--drive", options.drive,
          "Write drivingSystem.txt and dataExtractors.txt: isotropic[:P] "
          "triaxial[:P[,RATE[,STRAIN]]] oedometer[:P] shear[:P[,RATE[,STRAIN]]] drum[:SPIN] "
          "vibration[:A,F]")
      ->option_text("DRIVE");
  verb.add_option_function<std::vector<double>>(
          "--gravity",
          [&s, &options](const std::vector<double>& g) {
            for (const double value : g)
              if (!std::isfinite(value))
                throw CLI::ValidationError("--gravity", "expected three finite numbers");
            s.gravity = {g[0], g[1], g[2]};
            options.gravityGiven = true;
          },
          "Gravity [m/s2], default 0 -9.81 0")
      ->expected(3)
      ->option_text("GX GY GZ")
      ->group("Physics");
  verb.add_option("--overlap", s.overlap,
                  "Overlap that the chosen stiffness allows, as a share of the size of a body; "
                  "default 0.005")
      ->group("Physics");
  verb.add_option_function<double>(
          "--duration",
          [&s, &options](double duration) {
            s.duration = duration;
            options.durationGiven = true;
          },
          "Time to simulate [s], default 1, or the time in which --drive reaches its strain")
      ->group("Physics");
  verb.add_option("--dt", s.dt, "Time step [s]; default from masses and stiffness")
      ->group("Physics");
  verb.add_option("--interconf", s.interConf, "Time between conf-files [s]; default duration / 50")
      ->group("Physics");
}

void checkSettings(const sim::PackSettings& settings) {
  const auto checkMost = [](const char* option, double value, double most) {
    if (!(value <= most))
      throw UsageError(
          fmt::format("{}: expected a number up to {:g}, found {:.6g}", option, most, value));
  };
  const auto check = [](const char* option, double value, bool positive) {
    if (!std::isfinite(value) || (positive ? !(value > 0.0) : !(value >= 0.0)))
      throw UsageError(fmt::format("{}: expected a number {} 0, found {:.6g}", option,
                                   positive ? "above" : "not below", value));
  };
  const auto checkPair = [&](const char* option, const sim::PairSetting& setting, bool positive) {
    check(option, setting.general, positive);
    for (const sim::PairValue& pair : setting.special) check(option, pair.value, positive);
  };
  check("--overlap", settings.overlap, true);
  checkMost("--overlap", settings.overlap, 0.1);
  check("--duration", settings.duration, true);
  if (settings.dt) check("--dt", *settings.dt, true);
  if (settings.interConf) check("--interconf", *settings.interConf, true);
  check("--density", settings.density, true);
  for (const sim::GroupValue& density : settings.densities) check("--density", density.value, true);
  if (settings.kn) checkPair("--kn", *settings.kn, true);
  if (settings.kt) checkPair("--kt", *settings.kt, false);
  checkPair("--en2", settings.en2, false);
  const auto checkRestitution = [&](const char* option, const sim::PairSetting& setting) {
    checkMost(option, setting.general, 1.0);
    for (const sim::PairValue& pair : setting.special) checkMost(option, pair.value, 1.0);
  };
  checkRestitution("--en2", settings.en2);
  for (const auto& [name, setting] : settings.bonds)
    if (name.starts_with("en2")) checkRestitution(("--bond " + name).c_str(), setting);
  checkPair("--mu", settings.mu, false);
  checkPair("--kr", settings.kr, false);
  checkPair("--mur", settings.mur, false);
}

}  // namespace scree::tools

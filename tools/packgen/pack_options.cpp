// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack_options.hpp"

#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

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

void addDensityOption(CLI::App& verb, sim::PackSettings& settings) {
  verb.add_option_function<std::vector<std::string>>(
          "--density",
          [&settings](const std::vector<std::string>& words) {
            for (const std::string& word : words) {
              const auto equals = word.find('=');
              if (equals == std::string::npos)
                settings.density = numberIn("--density", word);
              else
                settings.densities.push_back({groupIn("--density", word.substr(0, equals)),
                                              numberIn("--density", word.substr(equals + 1))});
            }
          },
          "Density [kg/m3] of all groups, or of one; default 2700; may be repeated")
      ->expected(1)
      ->take_all()
      ->option_text("V|G=V")
      ->group("Physics");
}

}  // namespace

void addPackOptions(CLI::App& verb, PackOptions& options, bool walls) {
  sim::PackSettings& s = options.settings;
  verb.add_option("-o,--output", options.output,
                  "Conf-file to write, default conf0; '-' is standard output");
  verb.add_option("--library", options.library,
                  "Shape-file to write beside it; default the name of the conf-file with .shp");
  if (walls)
    verb.add_option_function<std::vector<double>>(
            "--walls",
            [&options](const std::vector<double>& margin) {
              options.wallMargin = margin.empty() ? 0.0 : margin.front();
            },
            "Put all into a closed box of six driven walls, MARGIN [m] away from the bodies (0)")
        ->expected(0, 1)
        ->option_text("[MARGIN]");
  verb.add_option("--law", s.law, "Force law: Default or Avalanche")->group("Physics");
  addDensityOption(verb, s);
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
  addPairOption(verb, "--mur", "Bound of the rolling moment, default 0",
                [&s]() -> sim::PairSetting& { return s.mur; });
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
                  "Overlap that the stiffness chosen allows, as a share of the size of a body; "
                  "default 0.005")
      ->group("Physics");
  verb.add_option("--duration", s.duration, "Time to simulate [s], default 1")->group("Physics");
  verb.add_option("--dt", s.dt, "Time step [s]; default from masses and stiffness")
      ->group("Physics");
  verb.add_option("--interconf", s.interConf, "Time between conf-files [s]; default duration / 50")
      ->group("Physics");
}

void checkSettings(const sim::PackSettings& settings) {
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
  check("--duration", settings.duration, true);
  if (settings.dt) check("--dt", *settings.dt, true);
  if (settings.interConf) check("--interconf", *settings.interConf, true);
  check("--density", settings.density, true);
  for (const sim::GroupValue& density : settings.densities) check("--density", density.value, true);
  if (settings.kn) checkPair("--kn", *settings.kn, true);
  if (settings.kt) checkPair("--kt", *settings.kt, false);
  checkPair("--en2", settings.en2, false);
  checkPair("--mu", settings.mu, false);
  checkPair("--kr", settings.kr, false);
  checkPair("--mur", settings.mur, false);
}

}  // namespace scree::tools

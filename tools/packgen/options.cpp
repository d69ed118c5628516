// SPDX-License-Identifier: GPL-3.0-or-later
#include "packgen.hpp"

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

/// Options of every verb that writes a conf-file.
void addPackOptions(CLI::App& verb, PackgenOptions& options) {
  sim::PackSettings& s = options.settings;
  verb.add_option("-o,--output", options.output,
                  "Conf-file to write, default conf0; '-' is standard output");
  verb.add_option("--library", options.library,
                  "Shape-file to write beside it; default the name of the conf-file with .shp");
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
                "Normal stiffness [N/m]; default from weight, falls and sizes; may be repeated",
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
          [&s](const std::vector<double>& g) {
            for (const double value : g)
              if (!std::isfinite(value))
                throw CLI::ValidationError("--gravity", "expected three finite numbers");
            s.gravity = {g[0], g[1], g[2]};
          },
          "Gravity [m/s2], default 0 -9.81 0")
      ->expected(3)
      ->option_text("GX GY GZ")
      ->group("Physics");
  verb.add_option("--duration", s.duration, "Time to simulate [s], default 1")->group("Physics");
  verb.add_option("--dt", s.dt, "Time step [s]; default from masses and stiffness")
      ->group("Physics");
  verb.add_option("--interconf", s.interConf, "Time between conf-files [s]; default duration / 50")
      ->group("Physics");
}

void addLattice(CLI::App& app, PackgenOptions& options) {
  CLI::App* verb =
      app.add_subcommand("lattice",
                         "Bodies on a crystal lattice\n\nExamples:\n"
                         "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
                         "  packgen lattice --shape box.shp --cells 4 4 4 --walls -o cubes/conf0\n"
                         "  packgen lattice --shape box.shp --type fcc --cells 2 2 2 "
                         "--random-orientation -o fcc/conf0\n"
                         "  packgen lattice --shape box.shp --spacing 1.5 --cells 3 1 3 --kn 1e7 "
                         "--mu 0.3 -o wide/conf0");
  verb->add_option("--shape,--shapes", options.libraries,
                   "Shape-file, or one shape of it; several shapes are taken in turn")
      ->expected(1)
      ->required()
      ->take_all()
      ->option_text("FILE[:NAME]...");
  verb->add_option("--type", options.type, "sc, bcc, fcc or hcp; default sc");
  verb->add_option("--cells", options.cells, "Cells along x, y, z; default 1 1 1")
      ->each([](const std::string& word) {
        const auto n = parseInteger(word);
        if (!n || *n < 1 || *n > 100'000'000)
          throw CLI::ValidationError(
              fmt::format("expected three whole numbers from 1 to 1e8, found '{}'", word));
      })
      ->option_text("NX NY NZ");
  verb->add_option("--spacing", options.spacing,
                   "Distance between centres of nearest neighbours [m]; default touching");
  verb->add_flag("--allow-overlap", options.allowOverlap,
                 "Write bodies that overlap at this spacing, too, with a warning");
  verb->add_flag("--random-orientation", options.randomOrientation, "Turn each body at random");
  verb->add_option("--seed", options.seed, "Seed of the orientations, default 1");
  verb->add_option("--group", options.group, "Group of the bodies, default 1")
      ->check(CLI::Range(0U, 999U));
  addPackOptions(*verb, options);
}

void addFrom(CLI::App& app, PackgenOptions& options) {
  CLI::App* verb = app.add_subcommand(
      "from",
      "Bodies as a table lists them\n\nExamples:\n"
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  printf 'x,y,z\\n0,2,0\\n3,2,0\\n' > poses.csv\n"
      "  packgen from poses.csv --shapes box.shp -o two/conf0\n"
      "  packgen from poses.csv --shapes box.shp --walls 0.5 --duration 2 -o walled/conf0");
  verb->add_option(
          "table", options.table,
          "Table with a header line: x,y,z and shape, group, cluster, homothety, qw,qx,qy,qz, "
          "vx,vy,vz, wx,wy,wz, driven; '-' is standard input")
      ->required()
      ->option_text("TABLE.csv");
  verb->add_option("--shapes,--shape", options.libraries, "Shape-files, or single shapes of them")
      ->expected(1)
      ->required()
      ->take_all()
      ->option_text("FILE[:NAME]...");
  addPackOptions(*verb, options);
}

}  // namespace

void addOptions(CLI::App& app, PackgenOptions& options) {
  app.require_subcommand(0, 1);
  addLattice(app, options);
  addFrom(app, options);
  for (const std::string_view name :
       plannedVerbs) {  // with any options, so that they can be refused
    CLI::App* verb = app.add_subcommand(std::string(name));
    verb->group("")->prefix_command()->fallthrough(false);
    verb->set_help_flag("");
    verb->set_help_all_flag("");
  }
  // Takes a verb that does not exist, so that it can be named.
  app.add_option("VERB", options.strayWord, "One of the verbs below");
  app.get_formatter()->label("SUBCOMMAND", "OPTIONS OF THE VERB");
  app.get_formatter()->label("Subcommands", "Verbs");
  app.footer("packgen VERB --help shows the options of a verb.");
}

}  // namespace scree::tools

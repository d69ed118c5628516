// SPDX-License-Identifier: GPL-3.0-or-later
#include "packgen.hpp"

#include "scree/base/compression.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/lattice.hpp"
#include "scree/sim/pack/library.hpp"
#include "scree/sim/pack/pose_table.hpp"
#include "scree/sim/pack/walls.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> verbs{"lattice", "from"};

[[noreturn]] void refuseVerb(const CLI::App& app, const std::string& word) {
  const std::string have = fmt::format("verbs are {}", fmt::join(verbs, " "));
  for (const CLI::App* verb : app.get_subcommands())
    throw UsageError(fmt::format("{} is not available yet; {}", verb->get_name(), have));
  if (word.empty()) throw UsageError("no verb given; " + have);
  std::vector<std::string_view> known(verbs.begin(), verbs.end());
  known.insert(known.end(), plannedVerbs.begin(), plannedVerbs.end());
  throw UsageError(fmt::format("unknown verb '{}'{}; {}", word, suggestion(word, known), have));
}

std::string bodies(std::size_t n) { return n == 1 ? "1 body" : fmt::format("{} bodies", n); }

/// Where conf-file and shape-file go.
struct Outputs {
  std::string conf, library;
  bool writeLibrary = true;  ///< false: the library given holds all that is needed
  std::string shapeFile;     ///< as the conf-file names it
};

/// @param unchanged  all shapes come, as they are, from one file
Outputs outputsOf(const PackgenOptions& options, bool unchanged, const CommonOptions& common) {
  Outputs out;
  out.conf = options.output;
  const bool toStream = options.output == "-";
  const std::string folder = toStream ? "" : fs::path(options.output).parent_path().string();
  const std::string given = sim::librarySource(options.libraries.front()).file;
  const bool sameFolder = relativeTo(given, folder) == fs::path(given).filename().string();
  if (unchanged && options.library.empty() && given != "-" && (toStream || sameFolder)) {
    out.writeLibrary = false;
    out.shapeFile = toStream ? given : relativeTo(given, folder);
  } else if (toStream && options.library.empty()) {
    throw UsageError(fmt::format(
        "-o - writes the conf-file alone, but {}; --library FILE says where the shapes go",
        options.wallMargin ? "walls add shapes" : "the shapes must be surveyed or gathered"));
  } else {
    out.library = options.library.empty() ? std::string(withoutZst(options.output)) + ".shp"
                                          : options.library;
    out.shapeFile = toStream ? out.library : relativeTo(out.library, folder);
  }
  // Not even --force replaces what is read.
  for (const std::string& text : options.libraries)
    for (const std::string& written : {out.conf, out.library})
      if (std::error_code ignored; fs::equivalent(sim::librarySource(text).file, written, ignored))
        throw UsageError(
            fmt::format("{}: this file is an input; choose another name for the output", written));
  checkMayWrite(out.conf, common.existing());
  if (out.writeLibrary) checkMayWrite(out.library, common.existing());
  return out;
}

/// conf7 and conf7.zst are number 7; the numbers of a run go on from it.
int numberOf(const std::string& output) {
  const auto number = sim::confNumber(output);
  return number && *number < 1000000000 ? static_cast<int>(*number) : 0;
}

/// Values that no arrangement could make sense of are wrong usage.
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

/// The bodies as they stand at the start of a run, with their contacts.
sim::Simulation startOf(const sim::Arrangement& arrangement, const sim::Conf& conf,
                        const CommonOptions& common) {
  std::vector<shape::Shape> shapes;
  for (const std::string& name : conf.shapeNames)
    shapes.push_back(*shape::findShape(arrangement.shapes, name));
  Diagnostics ignored;
  return sim::Simulation(conf, std::move(shapes), {}, threadCount(common.jobs), ignored);
}

/// Refuses a lattice whose bodies overlap: by their volumes, or by the contacts as they stand.
/// A hair of 1e-9 of the size is rounding.
void refuseOverlaps(const sim::LatticeResult& lattice, double spacing, const sim::Conf& conf,
                    const CommonOptions& common) {
  const auto refuse = [&](const std::string& found) {
    throw ModelError(
        fmt::format("--spacing {:.6g}: {}; bodies touch where it is left out, and "
                    "--allow-overlap writes them as they are",
                    spacing, found));
  };
  if (lattice.solidFraction > 1.0 + 1e-9)
    refuse(fmt::format("the bodies overlap, solid fraction {:.2f}", lattice.solidFraction));
  const sim::Simulation simulation = startOf(lattice.arrangement, conf, common);
  if (const sim::Overlaps o = sim::overlapsOf(simulation); o.worst > 1e-9)
    refuse(fmt::format("bodies {} and {} overlap by {:.2g} % of their size", o.i, o.j,
                       100.0 * o.worst));
  if (const auto c = sim::ConvexCores(simulation.shapes()).crossings(simulation); c.pairs > 0)
    refuse(fmt::format("bodies {} and {} stand inside each other", c.i, c.j));
}

/// Tells where bodies overlap as they stand: what a table says cannot be seen by eye.
void tellOverlaps(const sim::Arrangement& arrangement, const sim::Conf& conf,
                  const CommonOptions& common, Diagnostics& diagnostics) {
  const sim::Simulation simulation = startOf(arrangement, conf, common);
  const sim::Overlaps overlaps = sim::overlapsOf(simulation);
  if (overlaps.deep > 0)
    diagnostics.warn(fmt::format(
        "{} contact{} overlap by more than 1 % of the size of a body, bodies {} and {} by {:.2g} "
        "%: they will push each other apart",
        overlaps.deep, overlaps.deep > 1 ? "s" : "", overlaps.i, overlaps.j,
        100.0 * overlaps.worst));
  const auto crossings = sim::ConvexCores(simulation.shapes()).crossings(simulation);
  if (crossings.pairs > 0)
    diagnostics.warn(fmt::format("{} pair{} of bodies stand inside each other, the first {} and {}",
                                 crossings.pairs, crossings.pairs > 1 ? "s" : "", crossings.i,
                                 crossings.j));
}

/// Walls, completion, and the two files. What is odd has been said by then.
/// @param unchanged  the shapes are as the library has them
/// @param remark     stands as a comment in the conf-file, unless empty
void write(sim::Arrangement arrangement, bool unchanged, const std::string& remark,
           const PackgenOptions& options, const CommonOptions& common) {
  if (common.json && options.output == "-")
    throw UsageError("--json and -o - both want standard output");
  unchanged = unchanged && !options.wallMargin && options.libraries.size() == 1;
  if (options.wallMargin) sim::addWalls(arrangement, *options.wallMargin);
  checkSettings(options.settings);
  sim::PackSettings settings = options.settings;
  settings.iconf = numberOf(options.output);
  sim::CompletedConf completed = sim::completed(arrangement, settings);
  Diagnostics odd(common.strict);
  for (const std::string& warning : completed.warnings) odd.warn(warning);
  std::vector<double> densities{settings.density};
  for (const sim::GroupValue& density : settings.densities) densities.push_back(density.value);
  for (const double density : densities)
    if (!(density >= 100.0 && density <= 25000.0))
      odd.warn(fmt::format(
          "--density {:g} kg/m3 is outside 100 to 25000: water has 1000, rock 2700", density));
  if (!options.table.empty()) tellOverlaps(arrangement, completed.conf, common, odd);
  printWarnings(odd, common);
  const Outputs out = outputsOf(options, unchanged, common);
  completed.conf.shapeFile = out.shapeFile;
  if (std::any_of(out.shapeFile.begin(), out.shapeFile.end(),
                  [](char c) { return c == ' ' || c == '\t'; }))
    throw UsageError(fmt::format("{}: a conf-file cannot name a shape-file with blanks in its path",
                                 out.shapeFile));

  if (out.writeLibrary)
    writeFile(out.library, shape::shapesText(arrangement.shapes), common.existing());
  std::string text = sim::confText(completed.conf);
  if (!remark.empty()) text.insert(text.find('\n') + 1, "# " + remark + '\n');  // below the header
  writeFile(out.conf, text, common.existing());
  for (const std::string& reason : completed.reasons) say(common, reason);
  say(common,
      fmt::format("{}: {}, {} driven; shapes in {}", out.conf == "-" ? "standard output" : out.conf,
                  bodies(completed.conf.particles.size()), completed.conf.nDriven,
                  out.writeLibrary ? out.library : out.shapeFile));
  if (common.json)
    printResult(nlohmann::ordered_json{{"schema", 1},
                                       {"conf", out.conf},
                                       {"shapeFile", out.shapeFile},
                                       {"bodies", completed.conf.particles.size()},
                                       {"driven", completed.conf.nDriven},
                                       {"dt", completed.conf.dt},
                                       {"duration", completed.conf.tmax}}
                    .dump() +
                "\n");
}

void saySurveyed(const std::vector<std::string>& names, const CommonOptions& common) {
  if (!names.empty())
    say(common,
        fmt::format("surveyed, since the library says preCompDone n: {}", fmt::join(names, " ")));
}

std::vector<shape::Shape> libraryOf(const PackgenOptions& options, Diagnostics& diagnostics) {
  std::vector<sim::LibrarySource> sources;
  for (const std::string& text : options.libraries) sources.push_back(sim::librarySource(text));
  return sim::gatheredShapes(sources, diagnostics);
}

int lattice(const PackgenOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  sim::LatticeOptions o;
  o.type = sim::latticeType(options.type);
  o.cells = options.cells;
  o.spacing = options.spacing;
  o.randomOrientation = options.randomOrientation;
  o.seed = options.seed;
  o.group = options.group;
  auto shapes = libraryOf(options, diagnostics);
  const auto surveyed = sim::surveyShapes(shapes);
  sim::LatticeResult result = sim::lattice(std::move(shapes), o);
  if (result.mayOverlap && !options.allowOverlap) {
    checkSettings(options.settings);
    refuseOverlaps(result, *o.spacing, sim::completed(result.arrangement, options.settings).conf,
                   common);
  }
  if (result.mayOverlap)
    diagnostics.warn(
        fmt::format("--spacing {:.6g}: bodies may overlap, they touch by default", *o.spacing));
  printWarnings(diagnostics, common);
  saySurveyed(surveyed, common);
  std::string remark;
  if (o.randomOrientation) {
    remark = fmt::format("packgen lattice: orientations from seed {}", o.seed);
    say(common, remark);
  }
  say(common,
      fmt::format("{} on {} {} x {} x {}, cell {:.6g} x {:.6g} x {:.6g} m, solid fraction {:.6f}",
                  bodies(result.arrangement.bodies.size()), options.type, o.cells[0], o.cells[1],
                  o.cells[2], result.cell.size.x(), result.cell.size.y(), result.cell.size.z(),
                  result.solidFraction));
  write(std::move(result.arrangement), surveyed.empty(), remark, options, common);
  return 0;
}

int fromTable(const PackgenOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  TextReader in = TextReader::fromFile(options.table);
  auto table = sim::readPoseTable(std::move(in), libraryOf(options, diagnostics), diagnostics);
  printWarnings(diagnostics, common);
  saySurveyed(table.surveyed, common);
  write(std::move(table.arrangement), table.surveyed.empty(), {}, options, common);
  return 0;
}

}  // namespace

int packgen(const CLI::App& app, const PackgenOptions& options, const CommonOptions& common) {
  const bool isLattice = app.got_subcommand("lattice"), isFrom = app.got_subcommand("from");
  if ((isLattice || isFrom) && !options.strayWord.empty())
    throw UsageError(fmt::format("unexpected argument '{}'", options.strayWord));
  if (isLattice) return lattice(options, common);
  if (isFrom) return fromTable(options, common);
  refuseVerb(app, options.strayWord);
}

}  // namespace scree::tools

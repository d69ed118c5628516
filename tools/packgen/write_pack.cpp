// SPDX-License-Identifier: GPL-3.0-or-later
#include "write_pack.hpp"

#include "drive_output.hpp"
#include "run_tool.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/body_plan.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Where conf-file and shape-file go.
struct Outputs {
  std::string conf, library;
  bool writeLibrary = true;  ///< false: the library given holds all that is needed
  std::string shapeFile;     ///< as the conf-file names it
};

/// @param unchanged  all shapes come, as they are, from one file
Outputs outputsOf(const PackOptions& options, bool unchanged, const CommonOptions& common) {
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
        "-o - writes only the conf-file, but {}; --library FILE names the shape-file",
        options.wallMargin ? "walls add shapes" : "the shapes must be surveyed or gathered"));
  } else {
    out.library = options.library.empty() ? std::string(withoutZst(options.output)) + ".shp"
                                          : options.library;
    out.shapeFile = toStream ? out.library : relativeTo(out.library, folder);
  }
  // Not even --force replaces what is read.
  std::vector<std::string> read = options.otherInputs;
  for (const std::string& text : options.libraries) read.push_back(sim::librarySource(text).file);
  checkNotInputs({out.conf, out.library}, read);
  checkCanWrite(out.conf, common.existing());
  if (out.writeLibrary) checkCanWrite(out.library, common.existing());
  return out;
}

/// The bodies as they stand at the start of a run, with their contacts.
sim::Simulation startOf(const sim::Packing& packing, const sim::Conf& conf,
                        const CommonOptions& common) {
  Diagnostics ignored;
  return sim::Simulation(conf, shapesUsed(packing, conf), {}, threadCount(common.jobs), ignored);
}

/// Completes the packing, and plans its drive where one is requested.
sim::CompletedConf completedWithDrive(const sim::Packing& packing, const PackOptions& options,
                                      sim::PackSettings settings, DriveOutput& drives,
                                      Diagnostics& diagnostics) {
  sim::CompletedConf completed = sim::completed(packing, settings);
  if (options.drive.empty()) return completed;
  const sim::DrivePlan plan = sim::DrivePlan::parse(options.drive);
  const std::vector<shape::Shape> shapes = shapesUsed(packing, completed.conf);
  settings.drive = sim::driveLoad(plan, completed.conf, shapes);
  const std::vector<std::string> smoothed = smoothWalls(plan, completed.conf, shapes, settings);
  completed = sim::completed(packing, settings);
  completed.reasons.insert(completed.reasons.end(), smoothed.begin(), smoothed.end());
  sim::DriveFiles files = sim::driveFiles(plan, completed.conf, shapes, options.durationGiven);
  if (settings.interConf) completed.conf.interConf = *settings.interConf;
  completed.reasons.insert(completed.reasons.end(), files.reasons.begin(), files.reasons.end());
  drives = {std::move(files.driving), std::move(files.extractors)};
  warnOfRoughWalls(plan, completed.conf, shapes, diagnostics);
  return completed;
}

/// Refuses bodies that overlap deeply as they stand, or warns of them where that is allowed. Warns
/// of bodies that nothing can catch.
void checkPlaces(const sim::Packing& packing, const sim::Conf& conf, const PackText& text,
                 const PackOptions& options, const CommonOptions& common,
                 Diagnostics& diagnostics) {
  const auto found = [&](const std::string& what) {
    if (!options.allowOverlap)
      throw ModelError(
          fmt::format("{}: {}; --allow-overlap writes them as they are", text.source, what));
    diagnostics.warn(fmt::format("{}: {}: they will push each other apart", text.source, what));
  };
  sim::Conf named = conf;
  named.source = text.source;
  const sim::Simulation simulation = startOf(packing, named, common);
  sim::checkFalls(simulation, diagnostics);
  const sim::Overlaps overlaps = sim::overlapsOf(simulation);
  if (overlaps.deep > 0)
    found(fmt::format(
        "{} contact{} overlap by more than 1 % of the size of a body, bodies {} and {} by {:.2g} %",
        overlaps.deep, overlaps.deep > 1 ? "s" : "", overlaps.i, overlaps.j,
        100.0 * overlaps.worst));
  const auto crossings = sim::ConvexCores(simulation.shapes()).crossings(simulation);
  if (crossings.pairs > 0)
    found(fmt::format("{} pair{} of bodies are inside each other, the first {} and {}",
                      crossings.pairs, crossings.pairs > 1 ? "s" : "", crossings.i, crossings.j));
}

/// All that a packing needs before its first file is written.
struct PreparedPack {
  sim::CompletedConf completed;
  DriveOutput drives;
  Outputs out;
};
PreparedPack preparedPack(sim::Packing& packing, const PackText& text, const PackOptions& options,
                          const CommonOptions& common, Diagnostics& diagnostics) {
  checkReportGoesElsewhere(common.json, options.output);
  requireLibraryName(options.library);
  const bool unchanged =
      text.librariesUnchanged && !options.wallMargin && options.libraries.size() == 1;
  if (options.wallMargin) sim::addWalls(packing, *options.wallMargin);
  checkSettings(options.settings);
  sim::PackSettings settings = options.settings;
  settings.iconf = outputNumber(options.output);
  PreparedPack pack;
  pack.completed = completedWithDrive(packing, options, settings, pack.drives, diagnostics);
  pack.drives.check(options.output, common);
  pack.out = outputsOf(options, unchanged, common);
  std::vector<std::string> outputs = pack.drives.paths(pack.out.conf);
  outputs.insert(outputs.end(), {pack.out.conf, pack.out.library});
  refuseSameFiles(outputs);
  requireNoBlanks(pack.out.shapeFile);
  pack.completed.conf.shapeFile = pack.out.shapeFile;
  return pack;
}

}  // namespace

std::vector<shape::Shape> shapesUsed(const sim::Packing& packing, const sim::Conf& conf) {
  std::vector<shape::Shape> shapes;
  for (const std::string& name : conf.shapeNames)
    shapes.push_back(*shape::findShape(packing.shapes, name));
  return shapes;
}

std::vector<std::string> smoothWalls(const sim::DrivePlan& plan, const sim::Conf& conf,
                                     std::span<const shape::Shape> shapes,
                                     sim::PackSettings& settings) {
  std::vector<std::string> reasons;
  const std::vector<sim::PairValue> given = settings.mu.special;
  for (const sim::PairValue& rough : sim::roughWalls(plan, conf, shapes)) {
    const auto same = [&](const sim::PairValue& pair) {
      return std::minmax(pair.group1, pair.group2) == std::minmax(rough.group1, rough.group2);
    };
    if (rough.group1 == rough.group2 || std::ranges::any_of(given, same)) continue;
    settings.mu.special.push_back({rough.group1, rough.group2, 0.0});
    reasons.push_back(fmt::format(
        "muContact {0} {1} 0: with friction, bodies may jam between moving walls, and one wall may "
        "carry many times the pressure; --mu {0},{1}=MU sets another value",
        rough.group1, rough.group2));
  }
  return reasons;
}

void warnOfRoughWalls(const sim::DrivePlan& plan, const sim::Conf& conf,
                      std::span<const shape::Shape> shapes, Diagnostics& diagnostics) {
  for (const auto& [wall, group, mu] : sim::roughWalls(plan, conf, shapes))
    diagnostics.warn(fmt::format(
        "muContact {} {} {:g}: with friction, bodies may jam between moving walls, and one wall "
        "may carry many times the pressure; {}",
        wall, group, mu, smoothAdvice(wall, group)));
}

std::string smoothAdvice(std::uint32_t wall, std::uint32_t bodies) {
  const bool same = wall == bodies;
  return fmt::format("{}--mu {},{}=0, when the packing is made, avoids it",
                     same ? "bodies of another group than the walls, with " : "", wall,
                     same ? bodies + 1 : bodies);
}

int outputNumber(const std::string& output) {
  const auto number = sim::confNumber(output);
  return number && *number < 1000000000 ? static_cast<int>(*number) : 0;
}

void requireLibraryName(const std::string& library) {
  if (library == "-" || library == "/dev/stdout")
    throw UsageError(fmt::format(
        "--library {}: a run reads the shape-file by its name, so that it needs a file", library));
}

void warnOfSettings(const sim::CompletedConf& completed, const sim::PackSettings& settings,
                    Diagnostics& diagnostics) {
  for (const std::string& warning : completed.warnings) diagnostics.warn(warning);
  std::vector<double> densities{settings.density};
  for (const sim::GroupValue& density : settings.densities) densities.push_back(density.value);
  for (const double density : densities) warnOfDensity(density, diagnostics);
}

void warnOfDensity(double density, Diagnostics& diagnostics) {
  if (!(density >= 100.0 && density <= 25000.0))
    diagnostics.warn(fmt::format(
        "--density {:g} kg/m3 is outside 100 to 25000: water has 1000, rock 2700", density));
}

void requireNoBlanks(const std::string& shapeFile) {
  if (const std::string refusal = sim::whyNoShapeFileName(shapeFile); !refusal.empty())
    throw UsageError(
        fmt::format("{}; choose other names for -o, --library and their folders", refusal));
}

std::string withRemark(std::string conf, const std::string& remark) {
  if (!remark.empty()) conf.insert(conf.find('\n') + 1, "# " + remark + '\n');
  return conf;
}

void checkPack(sim::Packing sample, const PackText& text, const PackOptions& options,
               const CommonOptions& common) {
  Diagnostics ignored;
  preparedPack(sample, text, options, common, ignored);
}

void writePack(sim::Packing packing, const PackText& text, const PackOptions& options,
               const CommonOptions& common) {
  Diagnostics odd(common.strict);
  sayDetail(common, fmt::format("{} placed", bodyCount(packing.bodies.size())));
  auto [completed, drives, out] = preparedPack(packing, text, options, common, odd);
  warnOfSettings(completed, options.settings, odd);
  if (!text.source.empty()) checkPlaces(packing, completed.conf, text, options, common, odd);
  printWarnings(odd, common);
  sayDetail(common, "parameters chosen, places checked");

  PackFiles files(common.existing());
  if (out.writeLibrary) files.write(out.library, shape::shapesText(packing.shapes));
  files.write(out.conf, withRemark(sim::confText(completed.conf), text.remark));
  const std::vector<std::string> driveFiles = drives.write(out.conf, files, common);
  files.keep();
  for (const std::string& reason : completed.reasons) say(common, reason);
  say(common,
      fmt::format("{}: {}, {} driven; shapes in {}", out.conf == "-" ? "standard output" : out.conf,
                  bodyCount(completed.conf.particles.size()), completed.conf.nDriven,
                  out.writeLibrary ? out.library : out.shapeFile) +
          (driveFiles.empty() ? "" : fmt::format("; {}", fmt::join(driveFiles, " "))));
  if (!common.json) return;
  JsonWriter json;
  json.beginObject().key("schema").value(1).key("conf").value(out.conf);
  json.key("shapeFile").value(out.shapeFile);
  json.key("bodies").value(completed.conf.particles.size());
  json.key("driven").value(completed.conf.nDriven);
  json.key("dt").value(completed.conf.dt).key("duration").value(completed.conf.tmax);
  if (text.extra) text.extra(json);
  json.key("reasons").beginArray();
  for (const std::string& reason : completed.reasons) json.value(reason);
  json.end().key("files").beginArray().value(out.conf);
  if (out.writeLibrary) json.value(out.library);
  for (const std::string& path : driveFiles) json.value(path);
  json.end().end();
  printResult(json.take() + "\n");
}

void refuseOverlaps(const sim::Packing& packing, const PackOptions& options,
                    const std::string& what, const CommonOptions& common) {
  checkSettings(options.settings);
  const auto refuse = [&](const std::string& found) {
    throw ModelError(
        what + ": " + found +
        "; without this option bodies touch, and --allow-overlap writes them as they are");
  };
  // With no parameters of the user: those of walls, which are not there yet, would be refused.
  const sim::Simulation simulation = startOf(packing, sim::completed(packing, {}).conf, common);
  if (const sim::Overlaps o = sim::overlapsOf(simulation); o.worst > 1e-9)
    refuse(fmt::format("bodies {} and {} overlap by {:.2g} % of their size", o.i, o.j,
                       100.0 * o.worst));
  if (const auto c = sim::ConvexCores(simulation.shapes()).crossings(simulation); c.pairs > 0)
    refuse(fmt::format("bodies {} and {} are inside each other", c.i, c.j));
}

void saySurveyed(const std::vector<std::string>& names, const CommonOptions& common) {
  if (!names.empty())
    say(common,
        fmt::format("surveyed, since the library says preCompDone n: {}", fmt::join(names, " ")));
}

std::vector<shape::Shape> libraryOf(const PackOptions& options, Diagnostics& diagnostics) {
  std::vector<sim::LibrarySource> sources;
  for (const std::string& text : options.libraries) sources.push_back(sim::librarySource(text));
  return sim::gatheredShapes(sources, diagnostics);
}

std::string bodyCount(std::size_t n) { return n == 1 ? "1 body" : fmt::format("{} bodies", n); }

}  // namespace scree::tools

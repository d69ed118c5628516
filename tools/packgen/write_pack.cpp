// SPDX-License-Identifier: GPL-3.0-or-later
#include "packgen.hpp"

#include "scree/base/files.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/body_plan.hpp"
#include "scree/sim/pack/container.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// The files beside a conf-file that a run of it reads, with the texts that they should have.
std::vector<std::pair<std::string, const std::string*>> filesBeside(const PackOutput& out) {
  const fs::path folder = fs::path(out.conf).parent_path();
  return {{(folder / "drivingSystem.txt").string(), &out.drive.driving},
          {(folder / "dataExtractors.txt").string(), &out.drive.extractors}};
}

bool isThere(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// Refuses bodies that overlap deeply as they stand, or warns of them where that is allowed.
void checkPlaces(const sim::CompletedConf& completed, const MadePack& made,
                 const PackOptions& options, const CommonOptions& common,
                 Diagnostics& diagnostics) {
  const auto found = [&](const std::string& what) {
    if (!options.allowOverlap)
      throw ModelError(
          fmt::format("{}: {}; --allow-overlap writes them as they are", made.source, what));
    diagnostics.warn(fmt::format("{}: {}: they will push each other apart", made.source, what));
  };
  sim::Conf conf = completed.conf;
  conf.source = made.source;
  Diagnostics ignored;
  const sim::Simulation simulation(conf, completed.shapes, {}, threadCount(common.jobs), ignored);
  const sim::Overlaps o = sim::overlapsOf(simulation);
  if (o.worst > made.mostOverlap)
    found(fmt::format("bodies {} and {} overlap by {:.2g} % of their size", o.i, o.j,
                      100.0 * o.worst));
  if (const auto c = sim::ConvexCores(simulation.shapes()).crossings(simulation); c.pairs > 0)
    found(fmt::format("{} pair{} of bodies are inside each other, the first {} and {}", c.pairs,
                      c.pairs > 1 ? "s" : "", c.i, c.j));
}

/// The number of the conf-file `output`, from which the numbers of a run go on: conf7 and conf7.zst
/// are number 7, other names 0.
int outputNumber(const std::string& output) {
  const auto number = sim::confNumber(output);
  return number && *number < 1000000000 ? static_cast<int>(*number) : 0;
}

/// Completes a packing and its drive, and checks its outputs.
sim::CompletedConf prepared(MadePack& made, const PackOptions& options, PackOutput& out,
                            const CommonOptions& common) {
  if (options.wallMargin) sim::addWalls(made.packing, *options.wallMargin);
  const sim::PackSettings& settings = options.settings;
  sim::CompletedConf done = sim::completed(made.packing, settings);
  const bool whole = made.unchanged && !options.wallMargin && options.libraries.size() == 1;
  nameShapeFile(out, whole ? sim::librarySource(options.libraries.front()).file : "");
  if (settings.drive) {
    out.drive =
        sim::driveFiles(*settings.drive, done.conf, done.shapes, settings.duration.has_value());
    if (settings.interConf) done.conf.interConf = *settings.interConf;
  }
  for (const std::string& text : options.libraries)
    out.inputs.push_back(sim::librarySource(text).file);
  checkOutput(out, common);
  return done;
}

}  // namespace

void nameShapeFile(PackOutput& out, const std::string& source) {
  const bool toStream = out.conf == "-";
  const std::string folder = toStream ? "" : fs::path(out.conf).parent_path().string();
  const auto nameOf = [&](const std::string& file) {
    return toStream ? file : relativeTo(file, folder);
  };
  const bool usesSource =
      out.library.empty() && !source.empty() && source != "-" &&
      (toStream || relativeTo(source, folder) == fs::path(source).filename().string());
  if (!usesSource && out.library.empty() && toStream)
    throw UsageError("-o - writes only the conf-file; --library FILE names the shape-file");
  if (out.library == "-" || out.library == "/dev/stdout")
    throw UsageError(
        fmt::format("--library {}: a run reads the shape-file by its name, so that it needs a file",
                    out.library));
  if (!usesSource && out.library.empty()) out.library = std::string(withoutZst(out.conf)) + ".shp";
  out.shapeFile = nameOf(usesSource ? source : out.library);
  if (const std::string refusal = sim::whyNoShapeFileName(out.shapeFile); !refusal.empty())
    throw UsageError(
        fmt::format("{}; choose other names for -o, --library and their folders", refusal));
}

void checkOutput(const PackOutput& out, const CommonOptions& common) {
  checkReportGoesElsewhere(common.json, out.conf);
  checkNotInputs({out.conf, out.library}, out.inputs);  // not even --force replaces what is read
  std::vector<std::string> outputs{out.conf};
  if (!out.library.empty()) outputs.push_back(out.library);
  for (const auto& [path, text] : filesBeside(out)) {
    if (out.conf == "-" && !text->empty())
      throw UsageError(
          "-o - writes the conf-file alone, but its drives need drivingSystem.txt beside it: use "
          "-o FILE");
    if (!text->empty())
      outputs.push_back(path);
    else if (out.conf != "-" && !common.force && isThere(path))
      throw IoError(
          fmt::format("{}: a run of the new conf-file would read this file, which is of another "
                      "packing; choose another folder with -o, or remove it with --force",
                      path));
  }
  std::map<std::string, std::string> seen;  // of a file, the name given for it
  for (const std::string& path : outputs) {
    if (path != "-" && !seen.emplace(relativeTo(path, "."), path).second)
      throw UsageError(fmt::format(
          "{}: two outputs would have this name; choose others with -o and --library", path));
    checkCanWrite(path, common.existing());
  }
}

std::vector<std::string> writeOutput(const PackOutput& out, sim::Conf& conf,
                                     const std::vector<shape::Shape>& shapes,
                                     const std::string& remark, const CommonOptions& common) {
  std::vector<std::string> written{out.conf};
  if (!out.library.empty()) {
    writeFile(out.library, shape::shapesText(shapes), common.existing());
    written.push_back(out.library);
  }
  conf.iconf = outputNumber(out.conf);
  conf.shapeFile = out.shapeFile;
  std::string text = sim::confText(conf);
  if (!remark.empty()) text.insert(text.find('\n') + 1, "# " + remark + '\n');
  for (const auto& [path, content] : filesBeside(out)) {
    if (out.conf == "-") continue;
    if (!content->empty()) {
      writeFile(path, *content, common.existing());
      written.push_back(path);
    } else if (isThere(path)) {
      if (std::error_code failure; !fs::remove(path, failure))
        throw IoError(fmt::format("{}: cannot remove it: {}", path, failure.message()));
      say(common, fmt::format("{}: removed, it was of another packing", path));
    }
  }
  writeFile(out.conf, text, common.existing());  // last: a conf-file lacks nothing
  return written;
}

void warnOfDensity(double density, Diagnostics& diagnostics) {
  if (!(density >= 100.0 && density <= 25000.0))
    diagnostics.warn(fmt::format(
        "--density {:g} kg/m3 is outside 100 to 25000: water has 1000, rock 2700", density));
}

void warnOfSettings(const sim::CompletedConf& completed, const sim::PackSettings& settings,
                    Diagnostics& diagnostics) {
  for (const std::string& warning : completed.warnings) diagnostics.warn(warning);
  warnOfDensity(settings.density, diagnostics);
  for (const sim::GroupValue& density : settings.densities)
    warnOfDensity(density.value, diagnostics);
}

JsonWriter reportOf(const PackOutput& out, const sim::Conf& conf) {
  JsonWriter json;
  json.beginObject().member("schema", 1).member("conf", out.conf);
  json.member("shapeFile", out.shapeFile).member("bodies", conf.particles.size());
  json.member("driven", conf.nDriven).member("dt", conf.dt).member("duration", conf.tmax);
  return json;
}

void checkPack(MadePack sample, const PackOptions& options, const CommonOptions& common) {
  PackOutput out = options.out;
  prepared(sample, options, out, common);
}

void writePack(MadePack made, const PackOptions& options, const CommonOptions& common) {
  sayDetail(common, fmt::format("{} placed", bodyCount(made.packing.bodies.size())));
  PackOutput out = options.out;
  sim::CompletedConf completed = prepared(made, options, out, common);
  Diagnostics odd(common.strict);
  warnOfSettings(completed, options.settings, odd);
  if (!made.source.empty()) checkPlaces(completed, made, options, common, odd);
  printWarnings(odd, common);
  sayDetail(common, "parameters chosen, places checked");

  sim::Conf& conf = completed.conf;
  const auto files = writeOutput(out, conf, made.packing.shapes, made.remark, common);
  std::vector<std::string> reasons = completed.reasons;
  reasons.insert(reasons.end(), out.drive.reasons.begin(), out.drive.reasons.end());
  for (const std::string& reason : reasons) say(common, reason);
  say(common, fmt::format("{} driven of {}; {}", conf.nDriven, bodyCount(conf.particles.size()),
                          fmt::join(files, " ")));
  if (!common.json) return;
  JsonWriter json = reportOf(out, conf);
  if (made.extra) made.extra(json);
  json.key("reasons").list(reasons).key("files").list(files).end();
  printResult(json.take() + "\n");
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

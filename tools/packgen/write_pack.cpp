// SPDX-License-Identifier: GPL-3.0-or-later
#include "write_pack.hpp"

#include "run_tool.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/body_plan.hpp"
#include "scree/sim/pack/container.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Writes the files of a packing. Those that were not there before go again unless keep() is
/// called: half a packing would be in the way of the same command.
class PackFiles {
 public:
  explicit PackFiles(Existing existing) : existing_(existing) {}
  ~PackFiles() {
    for (const std::string& path : made_) (void)std::remove(path.c_str());
  }
  PackFiles(const PackFiles&) = delete;
  PackFiles& operator=(const PackFiles&) = delete;

  void write(const std::string& path, std::string_view text) {
    std::error_code ignored;
    const bool isNew =
        path != "-" && fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
    if (isNew) made_.reserve(made_.size() + 1);
    writeFile(path, text, existing_);
    if (isNew) made_.push_back(path);
  }
  void keep() { made_.clear(); }

 private:
  Existing existing_;
  std::vector<std::string> made_;
};

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

/// Refuses bodies that overlap deeply as they stand, or warns of them where that is allowed. Warns
/// of bodies that nothing can catch.
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
  sim::checkFalls(simulation, diagnostics);
  const sim::Overlaps o = sim::overlapsOf(simulation);
  if (o.worst > made.mostOverlap)
    found(fmt::format("bodies {} and {} overlap by {:.2g} % of their size", o.i, o.j,
                      100.0 * o.worst));
  if (const auto c = sim::ConvexCores(simulation.shapes()).crossings(simulation); c.pairs > 0)
    found(fmt::format("{} pair{} of bodies are inside each other, the first {} and {}", c.pairs,
                      c.pairs > 1 ? "s" : "", c.i, c.j));
}

/// All that a packing needs before its first file is written.
struct PreparedPack {
  sim::CompletedConf completed;
  PackOutput out;
};
PreparedPack preparedPack(MadePack& made, const PackOptions& options, const CommonOptions& common,
                          Diagnostics& diagnostics) {
  if (options.wallMargin) sim::addWalls(made.packing, *options.wallMargin);
  std::optional<sim::DrivePlan> plan;
  if (!options.drive.empty()) plan = sim::DrivePlan::parse(options.drive);
  sim::PackSettings settings = options.settings;
  settings.iconf = outputNumber(options.output);
  PreparedPack pack;
  pack.completed = sim::completed(made.packing, settings, plan ? &*plan : nullptr);
  sim::Conf& conf = pack.completed.conf;
  const bool whole = made.unchanged && !options.wallMargin && options.libraries.size() == 1;
  pack.out = packOutput(options.output, options.library,
                        whole ? sim::librarySource(options.libraries.front()).file : "");
  if (plan) {
    pack.out.drive = sim::driveFiles(*plan, conf, pack.completed.shapes, options.durationGiven);
    if (settings.interConf) conf.interConf = *settings.interConf;
    for (const std::string& warning : sim::roughWallWarnings(*plan, conf, pack.completed.shapes))
      diagnostics.warn(warning);
  }
  std::vector<std::string> inputs = options.otherInputs;
  for (const std::string& text : options.libraries) inputs.push_back(sim::librarySource(text).file);
  checkOutput(pack.out, inputs, common);
  conf.shapeFile = pack.out.shapeFile;
  return pack;
}

}  // namespace

PackOutput packOutput(const std::string& output, const std::string& library,
                      const std::string& source) {
  PackOutput out;
  out.conf = output;
  const bool toStream = output == "-";
  const std::string folder = toStream ? "" : fs::path(output).parent_path().string();
  const auto nameOf = [&](const std::string& file) {
    return toStream ? file : relativeTo(file, folder);
  };
  const bool usesSource =
      library.empty() && !source.empty() && source != "-" &&
      (toStream || relativeTo(source, folder) == fs::path(source).filename().string());
  if (!usesSource && library.empty() && toStream)
    throw UsageError("-o - writes only the conf-file; --library FILE names the shape-file");
  if (library == "-" || library == "/dev/stdout")
    throw UsageError(fmt::format(
        "--library {}: a run reads the shape-file by its name, so that it needs a file", library));
  if (!usesSource)
    out.library = library.empty() ? std::string(withoutZst(output)) + ".shp" : library;
  out.shapeFile = nameOf(usesSource ? source : out.library);
  if (const std::string refusal = sim::whyNoShapeFileName(out.shapeFile); !refusal.empty())
    throw UsageError(
        fmt::format("{}; choose other names for -o, --library and their folders", refusal));
  return out;
}

void checkOutput(const PackOutput& out, const std::vector<std::string>& inputs,
                 const CommonOptions& common) {
  checkReportGoesElsewhere(common.json, out.conf);
  checkNotInputs({out.conf, out.library}, inputs);  // not even --force replaces what is read
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

std::vector<std::string> writeOutput(const PackOutput& out, const sim::Conf& conf,
                                     const std::vector<shape::Shape>& shapes,
                                     const std::string& remark, const CommonOptions& common) {
  PackFiles files(common.existing());
  std::vector<std::string> written{out.conf};
  if (!out.library.empty()) {
    files.write(out.library, shape::shapesText(shapes));
    written.push_back(out.library);
  }
  std::string text = sim::confText(conf);
  if (!remark.empty()) text.insert(text.find('\n') + 1, "# " + remark + '\n');
  files.write(out.conf, text);
  for (const auto& [path, content] : filesBeside(out)) {
    if (out.conf == "-") continue;
    if (!content->empty()) {
      files.write(path, *content);
      written.push_back(path);
    } else if (isThere(path)) {
      if (std::error_code failure; !fs::remove(path, failure))
        throw IoError(fmt::format("{}: cannot remove it: {}", path, failure.message()));
      say(common, fmt::format("{}: removed, it was of another packing", path));
    }
  }
  files.keep();
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

void checkPack(MadePack sample, const PackOptions& options, const CommonOptions& common) {
  Diagnostics ignored;
  preparedPack(sample, options, common, ignored);
}

void writePack(MadePack made, const PackOptions& options, const CommonOptions& common) {
  Diagnostics odd(common.strict);
  sayDetail(common, fmt::format("{} placed", bodyCount(made.packing.bodies.size())));
  const auto [completed, out] = preparedPack(made, options, common, odd);
  warnOfSettings(completed, options.settings, odd);
  if (!made.source.empty()) checkPlaces(completed, made, options, common, odd);
  printWarnings(odd, common);
  sayDetail(common, "parameters chosen, places checked");

  const sim::Conf& conf = completed.conf;
  const std::vector<std::string> files =
      writeOutput(out, conf, made.packing.shapes, made.remark, common);
  std::vector<std::string> reasons = completed.reasons;
  reasons.insert(reasons.end(), out.drive.reasons.begin(), out.drive.reasons.end());
  for (const std::string& reason : reasons) say(common, reason);
  say(common, fmt::format("{} driven of {}; {}", conf.nDriven, bodyCount(conf.particles.size()),
                          fmt::join(files, " ")));
  if (!common.json) return;
  JsonWriter json;
  json.beginObject().member("schema", 1).member("conf", out.conf);
  json.member("shapeFile", out.shapeFile).member("bodies", conf.particles.size());
  json.member("driven", conf.nDriven).member("dt", conf.dt).member("duration", conf.tmax);
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "packgen.hpp"

#include "scree/base/files.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
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

/// @returns the names of the files
std::vector<std::string> writeFiles(const PackOutput& out, sim::Conf& conf,
                                    const std::vector<shape::Shape>& shapes,
                                    const std::string& remark, const CommonOptions& common) {
  std::vector<std::string> written{out.conf};
  if (!out.library.empty()) {
    writeFile(out.library, shape::shapesText(shapes), common.existing());
    written.push_back(out.library);
  }
  // A run goes on from the number of the file: 7 of conf7 and conf7.zst, else 0.
  const auto number = sim::confNumber(out.conf);
  conf.iconf = number && *number < 1000000000 ? static_cast<int>(*number) : 0;
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

}  // namespace

void nameShapeFile(PackOutput& out, const std::string& source) {
  if (isStandardOutput(out.conf)) out.conf = "-";
  const bool toStream = out.conf == "-";
  const std::string folder = toStream ? "" : fs::path(out.conf).parent_path().string();
  const bool usesSource =
      out.library.empty() && !source.empty() && source != "-" &&
      (toStream || relativeTo(source, folder) == fs::path(source).filename().string());
  if (!usesSource && out.library.empty()) {
    if (toStream)
      throw UsageError("-o - writes only the conf-file; --library FILE names the shape-file");
    out.library = std::string(withoutZst(out.conf)) + ".shp";
  }
  if (isStandardOutput(out.library))
    throw UsageError(
        fmt::format("--library {}: a run reads the shape-file by its name", out.library));
  const std::string& file = usesSource ? source : out.library;
  out.shapeFile = toStream ? file : relativeTo(file, folder);
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
      throw UsageError("-o - writes the conf-file alone, but --drive needs files beside it");
    if (!text->empty())
      outputs.push_back(path);
    else if (out.conf != "-" && common.force)
      checkNotInputs({path}, out.inputs);  // it would be removed
    else if (out.conf != "-" && isThere(path))
      throw IoError(fmt::format(
          "{}: is of another packing; choose another folder with -o, or remove it with --force",
          path));
  }
  std::set<std::string> seen;
  for (const std::string& path : outputs) {
    if (path != "-" && !seen.insert(relativeTo(path, ".")).second)
      throw UsageError(fmt::format(
          "{}: two outputs would have this name; choose others with -o and --library", path));
    checkCanWrite(path, common.existing());
  }
}

void writeProduct(const PackOutput& out, sim::Conf conf, const std::vector<shape::Shape>& shapes,
                  const Report& report, const CommonOptions& common) {
  const std::vector<std::string> files = writeFiles(out, conf, shapes, report.remark, common);
  for (const std::string& reason : report.reasons) say(common, reason);
  say(common, fmt::format("{} driven of {}; {}", conf.nDriven, bodyCount(conf.particles.size()),
                          fmt::join(files, " ")));
  if (!common.json) return;
  JsonWriter json;
  json.beginObject().member("schema", 1).member("conf", out.conf);
  json.member("shapeFile", out.shapeFile).member("bodies", conf.particles.size());
  json.member("driven", conf.nDriven).member("dt", conf.dt).member("duration", conf.tmax);
  if (report.extra) report.extra(json);
  json.key("reasons").list(report.reasons).key("files").list(files).end();
  printResult(json.take() + "\n");
}

sim::CompletedConf prepared(MadePack& made, const PackOptions& options, PackOutput& out,
                            Diagnostics& diagnostics, const CommonOptions& common) {
  if (options.wallMargin) sim::addWalls(made.packing, *options.wallMargin);
  sim::PackSettings settings = options.settings;
  if (settings.source.empty()) settings.source = out.conf;
  settings.threads = threadCount(common.jobs);
  sim::CompletedConf done = sim::completed(made.packing, settings, diagnostics);
  const bool whole = std::ranges::all_of(made.packing.shapes, [&](const shape::Shape& shape) {
    return options.asInFile.contains(shape.name);
  });
  nameShapeFile(out, whole ? out.inputs.front() : "");
  if (settings.drive) {
    out.drive =
        sim::driveFiles(*settings.drive, done.conf, done.shapes, settings.duration.has_value());
    if (settings.interConf) done.conf.interConf = *settings.interConf;
  }
  checkOutput(out, common);
  return done;
}

void writePack(MadePack made, const PackOptions& options, const CommonOptions& common) {
  sayDetail(common, fmt::format("{} placed", bodyCount(made.packing.bodies.size())));
  PackOutput out = options.out;
  Diagnostics diagnostics(common.strict);
  sim::CompletedConf done = prepared(made, options, out, diagnostics, common);
  const sim::PackSettings& settings = options.settings;
  warnOfDensity(settings.density.general.value_or(2700.0), diagnostics);
  for (const sim::PairValue& v : settings.density.special) warnOfDensity(v.value, diagnostics);
  Diagnostics ignored;  // completed() has warned
  const sim::Simulation simulation(done.conf, done.shapes, {}, threadCount(common.jobs), ignored);
  checkPlaces(simulation, done.conf.source, options.allowOverlap, diagnostics);
  printWarnings(diagnostics, common);
  sayDetail(common, "parameters chosen, places checked");
  std::vector<std::string>& reasons = made.report.reasons;
  reasons.insert(reasons.end(), done.reasons.begin(), done.reasons.end());
  reasons.insert(reasons.end(), out.drive.reasons.begin(), out.drive.reasons.end());
  writeProduct(out, std::move(done.conf), made.packing.shapes, made.report, common);
}

void checkPlaces(const sim::Simulation& simulation, const std::string& name, bool allowOverlap,
                 Diagnostics& diagnostics) {
  const sim::Overlaps o = sim::overlapsOf(simulation);
  const auto inside = sim::ConvexCores(simulation.shapes()).crossings(simulation);
  if (!allowOverlap && (o.deep > 0 || inside.pairs > 0))
    throw ModelError(
        fmt::format("{}: {} overlap{}; --allow-overlap writes them as they are", name,
                    o.deep > 0 ? sim::pairName(o.i, o.j) : sim::pairName(inside.i, inside.j),
                    o.deep > 0 ? fmt::format(" by {:.2g} % of their size", 100.0 * o.worst) : ""));
  sim::checkStart(simulation, true, diagnostics);
}

sim::RunInput inputFrom(const std::string& path, Diagnostics& diagnostics) {
  sim::Conf conf = sim::readConfFromFile(path, diagnostics);
  const auto files = sim::confFilesOf(conf, path);
  return sim::readRunInput(std::move(conf), files, diagnostics);
}

std::string textOf(const sim::RunInput& input, const std::string& role) {
  for (const sim::InputFile& file : input.files)
    if (file.role == role) return readFile(file.path);
  return {};
}

void saySurveyed(const std::vector<std::string>& names, const CommonOptions& common) {
  if (!names.empty())
    say(common,
        fmt::format("surveyed, since the library says preCompDone n: {}", fmt::join(names, " ")));
}

sim::ShapeLibrary libraryOf(PackOptions& options, bool survey, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  sim::ShapeLibrary library = sim::readLibrary(options.libraries, diagnostics);
  printWarnings(diagnostics, common);
  std::vector<std::string>& inputs = options.out.inputs;
  inputs.insert(inputs.begin(), library.files.begin(), library.files.end());
  if (library.files.size() == 1)
    for (const shape::Shape& shape : library.shapes)
      if (shape.preCompDone) options.asInFile.insert(shape.name);
  if (survey) saySurveyed(sim::surveyShapes(library.shapes), common);
  return library;
}

void requireFolder(const std::string& folder) {
  if (folder.empty() || folder == "-")
    throw UsageError("-o DIR: expected a folder, since there are several files");
}

std::string bodyCount(std::size_t n) { return n == 1 ? "1 body" : fmt::format("{} bodies", n); }

}  // namespace scree::tools

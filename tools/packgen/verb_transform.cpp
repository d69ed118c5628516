// SPDX-License-Identifier: GPL-3.0-or-later
// transform: conf-files in, their bodies moved, chosen, joined or changed out.
#include "operations.hpp"
#include "option_checks.hpp"
#include "packgen.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/transform.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace scree::tools {
namespace {

/// A scene on its way through the operations.
struct Work {
  sim::Scene scene;
  std::vector<std::string> shapeFiles;  ///< from which shapes come, that of the first input first
  bool drivesFit = true;                ///< bodies have their numbers, and directions
  bool closer = false;                  ///< bodies may have come nearer to each other
};

struct Options {
  using Step = std::function<void(Work&, Diagnostics&)>;

  std::vector<std::string> inputs;
  std::vector<Step> steps;                       ///< in the order of the command line
  std::shared_ptr<std::pair<int, double>> turn;  ///< the rotation that is the last of them so far
  std::size_t turnIs = 0;                        ///< how many steps there were with it
  std::optional<Vec3> distance;                  ///< [L] --step
  PackOutput out;
  bool merge = false, allowOverlap = false;
};

using Step = Options::Step;

Step filter(const char* option, const std::string& formula, bool keep) {
  return [=, selection = sim::Selection(formula)](Work& work, Diagnostics& diagnostics) {
    std::vector<char> stays = selection.of(work.scene.conf, work.scene.shapes);
    const auto chosen = std::ranges::count(stays, 1), all = std::ssize(stays);
    if (!keep)
      for (char& flag : stays) flag = !flag;
    const auto kept = keep ? chosen : all - chosen;
    if (chosen == 0 || kept == 0)
      throw ModelError(fmt::format("{} {}: {}", option, shown(formula),
                                   chosen == 0 ? "true for no body" : "leaves no body"));
    work.drivesFit &= kept == all;
    sim::keepBodies(work.scene, stays);
    diagnostics.note(fmt::format("{}: {} of {} bodies stay", option, kept, all));
  };
}
Step selection(const Words& w, Options&) { return filter("--select", w[0], true); }
Step dropping(const Words& w, Options&) { return filter("--drop", w[0], false); }

Step translation(const Words& w, Options&) {
  const Vec3 by(*parseNumber(w[0]), *parseNumber(w[1]), *parseNumber(w[2]));
  return [by](Work& work, Diagnostics&) { sim::translate(work.scene, by); };
}

/// Rotations in a row about one axis are one, so that four quarter turns also restore orientations.
Step rotation(const Words& w, Options& options) {
  const auto turn = std::make_shared<std::pair<int, double>>(axisAndDegrees(w));
  if (options.turn && options.turnIs == options.steps.size() &&
      options.turn->first == turn->first) {
    options.turn->second += turn->second;
    return {};
  }
  options.turn = turn;
  options.turnIs = options.steps.size() + 1;
  return [turn](Work& work, Diagnostics&) {
    sim::rotate(work.scene, turn->first, turn->second);
    work.drivesFit = false;
  };
}

Step scaling(const Words& w, Options&) {
  return [by = *parseNumber(w[0])](Work& work, Diagnostics& diagnostics) {
    const double before = work.scene.conf.dt;
    sim::scale(work.scene, by);
    work.drivesFit = false;
    if (const double dt = work.scene.conf.dt; dt != before)
      diagnostics.note(
          fmt::format("--scale: dt becomes {}, was {}: bodies are lighter", dt, before));
  };
}

Step cloning(const Words& w, Options& options) {
  return [&options, counts = countsFrom(w)](Work& work, Diagnostics&) {
    const sim::Conf& conf = work.scene.conf;
    if (!options.distance && !conf.cell.used)
      throw UsageError("--clone: --step DX DY DZ sets the distances between copies");
    const Mat3 steps = options.distance ? Mat3(options.distance->asDiagonal()) : conf.cell.h;
    const std::size_t before = conf.particles.size();
    sim::repeat(work.scene, counts, steps);
    work.drivesFit &= conf.particles.size() == before;
    work.closer = true;
  };
}

Step setting(const Words& w, Options&) {
  return [word = w[0], set = sim::BodySetting(w[0])](Work& work, Diagnostics& diagnostics) {
    const std::size_t changed = set.apply(work.scene);
    work.closer |= changed > 0;
    diagnostics.note(fmt::format("--set {}: {} changed", shown(word), bodyCount(changed)));
  };
}

/// The shape that `name` stands for, in the shape-file of the first input or as FILE:NAME.
shape::Shape replacement(const std::string& name, Work& work, Diagnostics& diagnostics) {
  std::error_code ignored;
  const bool inFile =
      name.find(':') == std::string::npos && !std::filesystem::exists(name, ignored);
  const std::string source = inFile ? work.shapeFiles.front() + ':' + name : name;
  sim::ShapeLibrary library = sim::readLibrary({source}, diagnostics);
  if (library.shapes.size() != 1)
    throw ModelError(fmt::format("--replace-shape: {} has {} shapes; FILE:NAME names one",
                                 shown(name), library.shapes.size()));
  work.shapeFiles.push_back(library.files.front());
  sim::surveyShapes(library.shapes);
  return library.shapes.front();
}

Step shapeReplacement(const Words& w, Options&) {
  const std::size_t equals = w[0].find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == w[0].size())
    throw UsageError(fmt::format("expected OLD=NEW, found '{}'", shown(w[0])));
  return [old = w[0].substr(0, equals), now = w[0].substr(equals + 1)](Work& work,
                                                                       Diagnostics& diagnostics) {
    const std::size_t changed =
        sim::replaceShape(work.scene, old, replacement(now, work, diagnostics));
    work.closer = true;
    diagnostics.note(fmt::format("--replace-shape {}: {} changed", shown(old), bodyCount(changed)));
  };
}

template <void (*change)(sim::Scene&)>
Step changing(const Words&, Options&) {
  return [](Work& work, Diagnostics&) { change(work.scene); };
}

std::vector<Operation<Options>> operations() {
  return {
      {"--select", 1, "EXPR", selection,
       "Keep the bodies for which EXPR is true, e.g. \"group == 1 && z < 0.5\". Names: id group "
       "cluster shape x y z vx vy vz wx wy wz speed mass volume homothety driven"},
      {"--drop", 1, "EXPR", dropping, "Remove the bodies for which EXPR is true"},
      {"--translate", 3, "X Y Z", translation, "Move all bodies and round walls [m]",
       numberFrom(-1e50, 1e50)},
      {"--rotate", 2, "AXIS DEG", rotation,
       "Rotate all about the axis x, y or z through the origin, but gravity. Rotations by 90 "
       "degrees are exact but for orientations, four in a row for these, too"},
      {"--scale", 1, "S", scaling,
       "Multiply lengths: homothety, positions, walls, the cell, gaps of bonds. Velocities and "
       "stiffnesses stay, contacts begin unloaded; S < 1 shortens dt by S^1.5",
       positiveNumber()},
      {"--clone", 3, "NX NY NZ", cloning,
       "Repeat all along --step, or along the periodic cell, which grows"},
      {"--set", 1, "NAME=EXPR", setting,
       "Set group, cluster, homothety, x y z, vx vy vz or wx wy wz of each body to a formula of "
       "its "
       "numbers. Bodies that move or change size lose contacts and bonds"},
      {"--replace-shape", 1, "OLD=NEW", shapeReplacement,
       "Give the bodies of a shape another one, a name in the shape-file of CONF or FILE:NAME. "
       "Centre of mass and orientation stay, contacts and bonds go"},
      {"--renumber", 0, "", changing<sim::renumberClusters>,
       "Number clusters 0, 1, ... in the order of the bodies"},
      {"--drop-history", 0, "", changing<sim::dropHistory>,
       "Begin at t = 0: contacts go and bonds carry no load; velocities stay"},
  };
}

/// The comments below the first line of a conf-file, without the mark of the first.
std::string remarkOf(std::string_view text) {
  std::string remark;
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;) {
    const std::string_view line = text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    if (!line.starts_with("# ")) break;
    remark += (remark.empty() ? "" : "\n# ") + std::string(line.substr(2));
    at = text.find('\n', at + 1);
  }
  return remark;
}

int run(Options& options, const CommonOptions& common) {
  const bool one = options.inputs.size() == 1;
  if (!one && !options.merge)
    throw UsageError(
        fmt::format("{} conf-files are given: --merge makes one of them", options.inputs.size()));
  checkFiles(options.inputs, {}, common);
  Diagnostics diagnostics(common.strict);
  Work work;
  PackOutput& out = options.out;
  Report report;
  std::vector<sim::Scene> scenes;
  sim::Drives drives;
  std::vector<std::string> left;  // what does not follow bodies
  for (const std::string& path : options.inputs) {
    TextReader in = TextReader::fromFile(path);
    if (scenes.empty()) report.remark = remarkOf(in.rest());
    sim::Conf conf = sim::readConf(in, diagnostics);
    const auto files = sim::confFilesOf(conf, path);
    sim::RunInput input = sim::readRunInput(std::move(conf), files, diagnostics);
    if (input.conf.particles.empty()) throw ModelError(fmt::format("{}: no bodies", path));
    work.shapeFiles.push_back(sim::shapeFileOf(input.conf));
    for (const sim::InputFile& file : input.files) {
      if (!one || file.role != "conf") out.inputs.push_back(file.path);  // one may be replaced
      if (file.role == "driving" || file.role == "extractors") left.push_back(file.path);
    }
    out.drive = {textOf(input, "driving"), textOf(input, "extractors"), {}};
    drives = std::move(input.drives);
    scenes.push_back({std::move(input.conf), std::move(input.shapes)});
  }
  const std::size_t lines = scenes.front().conf.others.size();
  const bool ran = scenes.front().conf.state().energy.has_value();
  work.drivesFit = one;
  work.closer = !one;
  work.scene = one ? std::move(scenes.front()) : sim::merged(std::move(scenes), diagnostics);
  for (const Step& step : options.steps) step(work, diagnostics);

  sim::Conf& conf = work.scene.conf;
  if (!work.drivesFit || out.conf == "-") {
    out.drive = {};
    drives = {};
    if (conf.others.size() < lines) left.emplace_back("lines DataExtractor");
    if (!left.empty())
      diagnostics.note(fmt::format("left behind, since they name bodies or directions: {}",
                                   fmt::join(left, ", ")));
  }
  if (ran && !conf.state().energy)
    diagnostics.note("a run of the result begins anew, without the lines #scree of the last one");
  if (!one) conf.source = out.conf;
  const std::string& shapeFile = work.shapeFiles.front();
  const bool whole = std::ranges::all_of(
      work.shapeFiles, [&](const std::string& file) { return sameFile(file, shapeFile); });
  out.inputs.insert(out.inputs.end(), work.shapeFiles.begin(), work.shapeFiles.end());
  nameShapeFile(out, whole ? shapeFile : "");
  checkOutput(out, common);
  const sim::Simulation simulation(conf, work.scene.shapes, drives, threadCount(common.jobs),
                                   diagnostics);
  checkPlaces(simulation, conf.source, options.allowOverlap || !work.closer, diagnostics);
  printWarnings(diagnostics, common);
  writeProduct(out, std::move(conf), work.scene.shapes, report, common);
  return 0;
}

}  // namespace

Verb addTransformVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App& verb = addVerb(
      app, "transform",
      "Merge, repeat, select, move, rotate, scale or change the bodies of conf-files. Operations "
      "run in the order of the command line",
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen lattice --shape box.shp --spacing 1.5 --cells 3 3 3 -o a/conf0\n"
      "  packgen transform a/conf0 --select \"z < 2\" --translate 20 0 0 --rotate z 90 -o b/conf0\n"
      "  packgen transform a/conf0 b/conf0 --merge --set \"vy=-(y > 10)\" -o both/conf0");
  verb.add_option("CONF", options->inputs, "Conf-files; '-' is standard input")->required();
  for (const Operation<Options>& operation : operations()) addOperation(verb, operation, *options);
  verb.add_flag("--merge", options->merge,
                "Combine several conf-files into one, before all operations. Groups with other "
                "parameters, clusters and shapes of one name get new numbers and names");
  verb.add_option_function<std::vector<double>>(
          "--step",
          [options](const std::vector<double>& d) { options->distance = Vec3(d[0], d[1], d[2]); },
          "Distances between the copies of --clone along x, y and z [m]; default the periodic cell")
      ->expected(3)
      ->option_text("DX DY DZ");
  verb.add_flag("--allow-overlap", options->allowOverlap,
                "Write bodies that overlap, too, with a warning");
  verb.add_option("-o,--output", options->out.conf,
                  "Conf-file to write, default conf0; '-' is standard output. With --force it may "
                  "be the only CONF");
  verb.add_option("--library", options->out.library,
                  "Shape-file to write beside it; default the name of the conf-file with .shp");
  return {&verb, [options, &common] { return run(*options, common); }};
}

}  // namespace scree::tools

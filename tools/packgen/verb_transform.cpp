// SPDX-License-Identifier: GPL-3.0-or-later
// transform: conf-files in, their bodies moved, chosen, joined or changed out.
#include "operations.hpp"
#include "packgen.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/selection.hpp"
#include "scree/sim/pack/transform.hpp"

#include <memory>

namespace scree::tools {
namespace {

struct Options {
  using Step = std::function<void(sim::Scene&, Diagnostics&)>;

  std::vector<std::string> inputs;
  std::vector<Step> steps;                       ///< in the order of the command line
  std::shared_ptr<std::pair<int, double>> turn;  ///< the rotation that is the last of them so far
  std::size_t turnIs = 0;                        ///< how many steps there were with it
  std::optional<Vec3> distance;                  ///< [L] --step
  PackOutput out;
  std::set<std::string> shapeFiles;  ///< from which shapes come
  bool merge = false, allowOverlap = false;
};

using Step = Options::Step;

template <bool chosenStay>
Step selection(const Words& w, Options&) {
  return [text = w[0], chosen = sim::Selection(w[0])](sim::Scene& scene, Diagnostics& diagnostics) {
    std::vector<char> stays = chosen.of(scene.conf, scene.shapes);
    for (char& flag : stays) flag = flag == chosenStay;
    const auto kept = std::ranges::count(stays, 1);
    if (kept == 0) throw ModelError(fmt::format("{}: no body would stay", shown(text)));
    diagnostics.note(fmt::format("{}: {} of {} bodies stay", shown(text), kept, stays.size()));
    sim::keepBodies(scene, stays);
  };
}

/// Rotations in a row about one axis are one, so that four quarter turns also restore orientations.
Step rotation(const Words& w, Options& options) {
  const auto [axis, degrees] = axisAndDegrees(w);
  if (options.turn && options.turnIs == options.steps.size() && options.turn->first == axis) {
    options.turn->second += degrees;
    return {};
  }
  options.turnIs = options.steps.size() + 1;
  options.turn = std::make_shared<std::pair<int, double>>(axis, degrees);
  return [turn = options.turn](sim::Scene& scene, Diagnostics&) {
    sim::rotate(scene, turn->first, turn->second);
  };
}

Step cloning(const Words& w, Options& options) {
  return [&options, counts = countsFrom(w)](sim::Scene& scene, Diagnostics&) {
    sim::repeat(scene, counts, options.distance);
  };
}

Step setting(const Words& w, Options&) {
  return [text = w[0]](sim::Scene& scene, Diagnostics& diagnostics) {
    const std::size_t changed = sim::setValues(scene, text);
    diagnostics.note(fmt::format("--set {}: {} changed", shown(text), bodyCount(changed)));
  };
}

Step shapeReplacement(const Words& w, Options& options) {
  const std::size_t equals = w[0].find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == w[0].size())
    throw UsageError(fmt::format("expected OLD=NEW, found '{}'", shown(w[0])));
  const std::string old = w[0].substr(0, equals), now = w[0].substr(equals + 1);
  return [=, &options](sim::Scene& scene, Diagnostics& diagnostics) {
    const bool inFile = now.find(':') == std::string::npos;
    sim::ShapeLibrary library =
        sim::readLibrary({inFile ? sim::shapeFileOf(scene.conf) + ':' + now : now}, diagnostics);
    if (library.shapes.size() != 1)
      throw ModelError(fmt::format("--replace-shape: {} has {} shapes; FILE:NAME names one",
                                   shown(now), library.shapes.size()));
    sim::surveyShapes(library.shapes);
    options.shapeFiles.insert(library.files.front());
    const std::size_t changed = sim::replaceShape(scene, old, library.shapes.front());
    diagnostics.note(fmt::format("--replace-shape {}: {} changed", shown(old), bodyCount(changed)));
  };
}

template <void (*change)(sim::Scene&)>
Step changing(const Words&, Options&) {
  return [](sim::Scene& scene, Diagnostics&) { change(scene); };
}

std::vector<Operation<Options>> operations() {
  return {
      {"--select", 1, "EXPR", selection<true>,
       "Keep the bodies for which EXPR is true, e.g. \"group == 1 && z < 0.5\". Names: id group "
       "cluster shape x y z vx vy vz wx wy wz speed mass volume homothety driven"},
      {"--drop", 1, "EXPR", selection<false>, "Remove the bodies for which EXPR is true"},
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
       "its numbers. Bodies that move or change size lose contacts and bonds"},
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
  const std::size_t begin = std::min(text.find('\n'), text.size());
  std::size_t end = begin;
  while (end < text.size() && text.substr(end + 1).starts_with("# "))
    end = std::min(text.find('\n', end + 1), text.size());
  return end > begin ? std::string(text.substr(begin + 3, end - begin - 3)) : "";
}

/// @param drivesFit  bodies keep their numbers, and directions
int run(Options& options, bool drivesFit, const CommonOptions& common) {
  const bool one = options.inputs.size() == 1;
  if (!one && !options.merge)
    throw UsageError(
        fmt::format("{} conf-files are given: --merge makes one of them", options.inputs.size()));
  checkFiles(options.inputs, {}, common);
  Diagnostics diagnostics(common.strict);
  PackOutput& out = options.out;
  Report report;
  std::vector<sim::Scene> scenes;
  std::vector<std::string> left;  // what does not follow bodies
  for (const std::string& path : options.inputs) {
    TextReader in = TextReader::fromFile(path);
    if (scenes.empty()) report.remark = remarkOf(in.rest());
    sim::Conf conf = sim::readConf(in, diagnostics);
    const auto files = sim::confFilesOf(conf, path);
    sim::RunInput input = sim::readRunInput(std::move(conf), files, diagnostics);
    if (input.conf.particles.empty()) throw ModelError(fmt::format("{}: no bodies", path));
    for (const sim::InputFile& file : input.files) {
      out.inputs.push_back(file.path);
      if (file.role == "shapes") options.shapeFiles.insert(file.path);
      if (file.role == "driving" || file.role == "extractors") left.push_back(file.path);
    }
    out.drive = {textOf(input, "driving"), textOf(input, "extractors"), {}};
    scenes.push_back({std::move(input.conf), std::move(input.shapes)});
  }
  sim::Scene scene = one ? std::move(scenes.front()) : sim::merged(std::move(scenes), diagnostics);
  for (const Step& step : options.steps) step(scene, diagnostics);

  sim::Conf& conf = scene.conf;
  if (!drivesFit || out.conf == "-") {
    out.drive = {};
    if (!drivesFit &&
        std::erase_if(conf.others, [](const auto& o) { return o.keyword == "DataExtractor"; }) > 0)
      left.emplace_back("lines DataExtractor");
    if (!left.empty())
      diagnostics.note(fmt::format("left behind, since they name bodies or directions: {}",
                                   fmt::join(left, ", ")));
  }
  if (!one) conf.source = out.conf;
  out.inputs.insert(out.inputs.end(), options.shapeFiles.begin(), options.shapeFiles.end());
  nameShapeFile(out, options.shapeFiles.size() == 1 ? *options.shapeFiles.begin() : "");
  checkOutput(out, common);
  const sim::Simulation simulation(conf, scene.shapes, {}, threadCount(common.jobs), diagnostics);
  checkPlaces(simulation, conf.source, options.allowOverlap, diagnostics);
  printWarnings(diagnostics, common);
  writeProduct(out, std::move(conf), scene.shapes, report, common);
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
  addVector(verb, "--step", options->distance, "DX DY DZ",
            "Distances between the copies of --clone along x, y and z [m]; none for a periodic "
            "cell");
  verb.add_flag("--allow-overlap", options->allowOverlap,
                "Write bodies that overlap, too, with a warning");
  addOutputOptions(verb, options->out, nullptr);
  return {&verb, [options, &common, &verb] {
            bool drivesFit = options->inputs.size() == 1;
            for (const char* name : {"--select", "--drop", "--rotate", "--scale", "--clone"})
              drivesFit &= verb.count(name) == 0;
            return run(*options, drivesFit, common);
          }};
}

}  // namespace scree::tools

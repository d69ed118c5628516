// SPDX-License-Identifier: GPL-3.0-or-later
// ensemble and release: many runs of one case, in folders with scripts that run them; run: a
// recipe, whose lines are verbs, or a command file of Rockable.
#include "packgen.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/study/recipe.hpp"
#include "scree/sim/study/study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

namespace scree::tools {
namespace {

struct StudyVerbOptions {
  std::string input;  ///< case, or SHAPES:NAME
  std::vector<std::string> vary;
  sim::StudyPlan plan;
  sim::StudyOptions study;
  std::string status;

  PackOptions pack;
  std::string terrain, points, orientations = "1,0,0,0", velocities = "0,0,0";
  std::optional<double> above;  ///< [L]
  bool tracks = false;
};

/// Writes the folders of a study and tells what is in them.
int writeAndReport(StudyVerbOptions& options, sim::StudyCase study, const Table& runs,
                   Diagnostics& diagnostics, const CommonOptions& common) {
  sim::StudyOptions& o = options.study;
  o.program = fmt::format("packgen {} (Scree)", version());
  o.command = common.command;
  o.threads = threadCount(common.jobs);
  const std::size_t before = sim::writeStudy(study, runs, o, diagnostics);
  printWarnings(diagnostics, common);
  for (const std::string& reason : study.reasons) say(common, reason);
  say(common, fmt::format("{} in {}, {} of them there before; seed {}; sh {} runs them",
                          counted(runs.rows.size(), "run"), o.folder, before, options.plan.seed,
                          shellFile(o.folder + "/run.sh")));
  if (!common.json) return 0;
  JsonWriter json;
  json.beginObject().member("schema", 1).member("folder", o.folder);
  json.member("runs", runs.rows.size()).member("before", before).member("seed", options.plan.seed);
  json.key("reasons").list(study.reasons).end();
  printResult(json.take() + "\n");
  return 0;
}

int status(const std::string& folder, const CommonOptions& common) {
  const sim::StudyStatus s = sim::studyStatus(folder);
  const double left = s.secondsLeft / static_cast<double>(std::max<std::size_t>(s.running, 1));
  JsonWriter json;
  json.beginObject().member("schema", 1).member("runs", s.runs);
  std::string line = counted(s.runs, "run") + ':';
  const auto tell = [&](const char* what, std::size_t count) {
    json.member(what, count);
    line += fmt::format("{} {} {}", line.ends_with(':') ? "" : ",", count, what);
  };
  tell("done", s.done), tell("running", s.running), tell("stopped", s.stopped);
  tell("failed", s.failed), tell("waiting", s.waiting);
  json.member("processorSecondsLeft", s.secondsLeft).member("secondsLeft", left);
  json.key("failures").list(s.failures).end();
  if (std::isfinite(left) && left > 0.0)
    line += fmt::format("; about {:.3g} hours {}left", left / 3600.0,
                        s.running > 0 ? "" : "of processor time ");
  for (const std::string& failure : s.failures) line += '\n' + failure;
  printResult((common.json ? json.take() : line) + "\n");
  return 0;
}

/// The runs of a plan, in which the values of --vary come behind those that are there.
Table runsOf(StudyVerbOptions& options) {
  requireFolder(options.study.folder);
  for (const std::string& text : options.vary)
    options.plan.variations.push_back(sim::variationFrom(text));
  return sim::runsOf(options.plan);
}

int ensemble(StudyVerbOptions& options, const CommonOptions& common) {
  if (!options.status.empty()) return status(options.status, common);
  if (options.input.empty()) throw UsageError("expected a conf-file, or a folder with conf0");
  Diagnostics diagnostics(common.strict);
  const Table runs = runsOf(options);
  return writeAndReport(options, sim::readStudyCase(options.input), runs, diagnostics, common);
}

int release(StudyVerbOptions& options, const CommonOptions& common) {
  Diagnostics diagnostics(common.strict);
  const std::uint64_t seed = options.plan.seed;
  options.plan.variations = {
      sim::valuesFrom("--points", options.points, {"x", "y", "z"}, seed),
      sim::valuesFrom("--orientations", options.orientations, {"qw", "qx", "qy", "qz"}, seed),
      sim::valuesFrom("--velocities", options.velocities, {"vx", "vy", "vz"}, seed)};
  Table runs = runsOf(options);
  options.pack.libraries = {options.input};
  sim::ShapeLibrary library = libraryOf(options.pack, true, common);
  if (library.shapes.size() != 1)
    throw ModelError(fmt::format("{} has {} shapes; SHAPES:NAME names one", options.input,
                                 library.shapes.size()));
  sim::RunInput input = inputFrom(options.terrain, diagnostics);
  options.pack.settings.source = options.terrain;
  options.pack.settings.threads = threadCount(common.jobs);
  const auto driven = input.conf.nDriven;
  sim::StudyCase study = sim::releaseCase(library.shapes.front(), options.above,
                                          {std::move(input.conf), std::move(input.shapes)}, runs,
                                          options.pack.settings, diagnostics);
  if (options.tracks)
    study.files["dataExtractors.txt"] =
        fmt::format("TrackRockfall {} 0.05 0.1 track.txt 1000\n", driven);
  return writeAndReport(options, std::move(study), runs, diagnostics, common);
}

void addStudyOptions(CLI::App& verb, StudyVerbOptions& options, const char* runs) {
  addOption(verb, "--vary", options.vary, "NAME=...|FILE.csv",
            "Value that varies: NAME=FROM:TO:N (N even steps), NAME=A,B,..., NAME=uniform:A,B, "
            "NAME=normal:MEAN,SD, or a table FILE.csv with a column for each NAME; may be "
            "repeated. NAME is a mark @NAME@ in the files of the case, a line of its conf-file "
            "(dt, gravity, density:1, muContact:0-1), or seed")
      ->expected(1)
      ->take_all();
  addChoice(
      verb, "--plan", options.plan.plan,
      {{"grid", sim::Plan::grid}, {"random", sim::Plan::random}, {"sobol", sim::Plan::sobol}},
      "grid (all combinations), random or sobol; default grid where no distribution is given, "
      "else random");
  addOption(verb, "--runs", options.plan.runs, "N", runs);
  verb.add_option("--seed", options.plan.seed, "Seed of the plan and of the runs; default 1");
  addOption(verb, "--collect", options.study.collect, "'KIND OPTIONS'",
            "Kind of extract that measures a run, with its options, such as 'energy --columns "
            "t,kinetic'; default runout");
  verb.add_flag("--append", options.study.append,
                "Add runs to the study in DIR; those that are there stay as they are");
  addOption(verb, "-o,--output", options.study.folder, "DIR", "Folder of the study");
}

}  // namespace

Verb addEnsembleVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<StudyVerbOptions>();
  CLI::App& verb = addVerb(
      app, "ensemble",
      "Write many runs of a case in which values vary, with scripts that run, resume and collect "
      "them",
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  packgen lattice --shape box.shp --cells 2 2 2 --walls --duration 0.01 -o pack/conf0\n"
      "  packgen ensemble pack --vary muContact=0.2:0.6:5 --vary en2Contact=0.05,0.1 -o study\n"
      "  packgen ensemble pack --vary muContact=normal:0.5,0.02 --plan sobol --runs 8 -o drawn\n"
      "  packgen ensemble --status study");
  verb.add_option("CASE", options->input, "Conf-file, or a folder with conf0");
  addStudyOptions(verb, *options, "Number of runs; in a grid all its points");
  addOption(verb, "--status", options->status, "DIR",
            "Print how many runs of the study in DIR are done, running, stopped, failed and "
            "waiting, and the time that is left");
  return {&verb, [options, &common] { return ensemble(*options, common); }};
}

Verb addReleaseVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<StudyVerbOptions>();
  CLI::App& verb = addVerb(
      app, "release",
      "Release a body above a terrain, in each run from another point, in another orientation or "
      "at another velocity",
      "  shapeSurvey make slope --radius 0.05 --name slope -o slope.shp\n"
      "  printf 'x,y,z,driven\\n0,0,0,1\\n' | packgen from - --shapes slope.shp -o terrain/conf0\n"
      "  shapeSurvey make boulder --size 0.5 --radius 0.02 --name boulder -o rocks.shp\n"
      "  packgen release rocks.shp:boulder --on terrain/conf0 --points 1,0,0 --above 0.5 "
      "--orientations 16 --velocities 2,0,0 --law Avalanche --duration 5 -o fall\n"
      "  packgen ensemble --status fall");
  verb.add_option("SHAPE", options->input, "SHAPES:NAME, the body")->required();
  addOption(verb, "--on", options->terrain, "TERRAIN_CONF",
            "Conf-file whose driven bodies are the terrain; y is up")
      ->required();
  addOption(verb, "--points", options->points, "FILE|box:X1,Y1,Z1,X2,Y2,Z2",
            "Centres of mass [m]: X,Y,Z, a file with three numbers a line, or a box in which they "
            "are uniform")
      ->required();
  addOption(verb, "--above", options->above, "H",
            "Drop the body from this height above the terrain [m], in place of y",
            numberFrom(1e-9, 1e9));
  addOption(verb, "--orientations", options->orientations, "N|random|FILE",
            "Number of rotations, drawn once; random: another one in each run; or a file of "
            "quaternions, scalar first. Default: that of the shape's body frame");
  addOption(verb, "--velocities", options->velocities, "X,Y,Z|FILE|box:...",
            "Velocities [m/s], as --points; default 0,0,0");
  verb.add_flag("--track", options->tracks,
                "Record the motion in track.txt and end a run where the body rests or leaves; "
                "without it a run fails whose body leaves the terrain");
  addStudyOptions(verb, *options, "Number of runs; in a grid points x orientations x velocities");
  addPhysicsOptions(verb, options->pack);
  return {&verb, [options, &common] { return release(*options, common); }};
}

namespace {

namespace fs = std::filesystem;

struct RecipeVerbOptions {
  std::string recipe, folder = ".";
  std::uint64_t seed = 1;
};

/// Runs one verb as if it were typed in the folder of the outputs.
/// @param files  gets the names of its outputs
void runVerbLine(const std::vector<std::string>& words, const CommonOptions& recipe,
                 std::vector<std::string>& files) {
  CLI::App app{"", "packgen"};
  CommonOptions common = recipe;
  common.json = false;
  addCommonOptions(app, common, "");
  const std::vector<Verb> verbs = addVerbs(app, common);
  const Verb& verb = parsedVerb(app, words, verbs);
  for (const char* const name : {"--output", "--library", "--grid"})
    if (const CLI::Option* const option = verb.app->get_option_no_throw(name))
      for (const std::string& file : option->results()) files.push_back(sim::pathBelow(file));
  if (const int code = verb.run(); code != 0)
    throw ModelError(fmt::format("ended with exit code {}", code));
}

int runRecipeFile(const RecipeVerbOptions& o, const CommonOptions& common) {
  requireFolder(o.folder);
  TextReader recipe = TextReader::fromFile(o.recipe);
  sim::RecipeOptions options{fs::path(o.recipe).parent_path().string(), o.seed, {}, {}};
  CLI::App app;
  for (const Verb& verb : addVerbs(app, common)) options.verbs.push_back(verb.app->get_name());
  std::vector<std::string> files;
  bool isThere = false;
  options.runVerb = [&](const std::vector<std::string>& words) {
    if (!std::exchange(isThere, true)) {
      fs::create_directories(o.folder);
      fs::current_path(o.folder);
    }
    runVerbLine(words, common, files);
  };
  sim::RecipeResult result = sim::runRecipe(std::move(recipe), options);
  result.inputs.push_back(o.recipe);
  std::vector<std::string> texts;
  for (const auto& [name, text] : result.files)
    texts.push_back((fs::path(o.folder) / name).string());
  checkNotInputs(texts, result.inputs);
  for (const std::string& file : texts) checkCanWrite(file, common.existing());
  if (common.json && !result.console.empty())
    throw UsageError("--json: the recipe writes to standard output; 'open' avoids it");
  std::size_t k = 0;
  for (const auto& [name, text] : result.files) writeFile(texts[k++], text, common.existing());
  printResult(result.console);
  files.insert(files.end(), texts.begin(), texts.end());
  say(common, fmt::format("{}: {}, seed {}", o.recipe, counted(files.size(), "file"), o.seed));
  if (common.json) {
    JsonWriter json;
    json.beginObject().member("schema", 1).member("seed", o.seed).key("files").list(files).end();
    printResult(json.take() + '\n');
  }
  return 0;
}

}  // namespace

Verb addRunVerb(CLI::App& app, const CommonOptions& common) {
  const auto options = std::make_shared<RecipeVerbOptions>();
  CLI::App& verb = addVerb(
      app, "run", "Run a recipe: verbs with loops and arithmetic, or a command file of Rockable",
      "  shapeSurvey make box --size 1 --radius 0.1 -o box.shp\n"
      "  printf 'let n = 2\\nfor mu in 0.2:0.6:0.2\\n  lattice --shape ../box.shp --cells $n$ "
      "$2*n$ 1 "
      "--mu $mu$ -o mu_$mu$/conf0\\nend\\n' > study.txt\n"
      "  packgen run study.txt -o study\n"
      "  printf 'open shapes.txt\\ngenerateShape:cube Cube 0.1 1\\nclose\\n' > cube.txt\n"
      "  packgen run cube.txt -o cube",
      "Lines are verbs with their options, let NAME = FORMULA, or for NAME in VALUE... up to end;\n"
      "A:B:STEP is a range, $FORMULA$ a value. Paths count from DIR.\n"
      "Command files of Rockable's generator and sweepable are recognised by their commands.");
  verb.add_option("RECIPE", options->recipe, "Recipe; '-' is standard input")->required();
  addOption(verb, "-o,--output", options->folder, "DIR",
            "Folder of all outputs, default the current directory; nothing is written outside");
  verb.add_option("--seed", options->seed,
                  "Seed of random orientations and places in files of the generator, default 1");
  return {&verb, [options, &common] { return runRecipeFile(*options, common); }};
}

}  // namespace scree::tools

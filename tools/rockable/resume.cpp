// SPDX-License-Identifier: GPL-3.0-or-later
#include "resume.hpp"

#include "ending.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/io/commands.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/base/table.hpp"
#include "scree/sim/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

namespace scree::tools {
namespace {

namespace fs = std::filesystem;

/// Whether the conf-file is still the one that the run in the folder of outputs began from.
bool isAsItWas(const RockableOptions& options) {
  const sim::RunRecord record = sim::earlierRun(options.folder);
  return options.conf != "-" &&
         std::any_of(record.inputs.begin(), record.inputs.end(), [&](const sim::InputFile& f) {
           return f.role == "conf" && !f.hash.empty() && f.hash == sim::fileHash(options.conf);
         });
}

/// How the conf-file, which isAsItWas() has not found, is related to that of the run. Another file
/// need not have changed.
std::string otherThanBegun(const RockableOptions& options) {
  const sim::RunRecord record = sim::earlierRun(options.folder);
  const auto begun = std::ranges::find(record.inputs, "conf", &sim::InputFile::role);
  const auto place = [](const std::string& file) {
    std::error_code ignored;
    return fs::weakly_canonical(fs::absolute(file, ignored), ignored);
  };
  if (begun == record.inputs.end() || place(begun->path) == place(options.conf))
    return fmt::format("{} has changed since this run began", options.conf);
  return fmt::format(
      "{} {} {}, from which this run began", inputName(options.conf),
      begun->hash.empty() || options.conf == "-" ? "may differ from" : "differs from", begun->path);
}

/// What the digits of a file leave of a number, relative to it.
double roundingOf(const sim::Conf& file) {
  return file.precision < 0 ? 1e-9 : std::max(1e-9, 2.0 * std::pow(10.0, -file.precision));
}

/// How bodies differ in what a run never changes; "" where they do not.
std::string otherBodies(const sim::Conf& input, const sim::Conf& state) {
  const double rounding = roundingOf(state);
  const auto &a = input.particles, &b = state.particles;
  if (a.size() != b.size()) return fmt::format("{} bodies, not {}", a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k)
    if (input.shapeNameOf(a[k]) != state.shapeNameOf(b[k]) || a[k].group != b[k].group ||
        a[k].cluster != b[k].cluster)
      return fmt::format("another body {}", k);
  for (std::size_t k = 0; k < a.size(); ++k)
    if (std::abs(a[k].homothety - b[k].homothety) > rounding * b[k].homothety)
      return fmt::format("homothety {} of body {}, not {}", a[k].homothety, k, b[k].homothety);
  return {};
}

/// The first body that `input` puts elsewhere, turns or moves otherwise than `start`. Servos decide
/// how driven bodies move.
std::optional<std::size_t> movedBody(const sim::Conf& input, const sim::Conf& start) {
  const double rounding = roundingOf(start);
  const auto differ = [&](const Vec3& a, const Vec3& b) {
    return (a - b).norm() > rounding * std::max(a.norm(), b.norm());
  };
  for (std::size_t k = 0; k < std::min(input.particles.size(), start.particles.size()); ++k) {
    const sim::ParticleRecord &a = input.particles[k], &b = start.particles[k];
    const Eigen::Vector4d p = a.q.normalized().coeffs(), q = b.q.normalized().coeffs();
    if (differ(a.pos, b.pos) || std::min((p - q).norm(), (p + q).norm()) > rounding) return k;
    if (k >= input.nDriven && (differ(a.vel, b.vel) || differ(a.vrot, b.vrot))) return k;
  }
  return std::nullopt;
}

/// The number of the state that the run in the folder of outputs began with. The run does not write
/// this state if the conf-file stands in its place.
int firstNumber(const sim::Conf& conf, const RockableOptions& options) {
  const sim::RunRecord record = sim::earlierRun(options.folder);
  if (record.confHashes.empty()) return conf.iconf;
  const int written = record.confHashes.begin()->first;
  return conf.iconf == written - 1 ? conf.iconf : written;
}

/// The state that the run in the folder of outputs began with, as it wrote it; "" where that is not
/// there.
std::string startOf(const sim::Conf& conf, int number, const RockableOptions& options) {
  std::error_code ignored;
  for (const bool compressed : {false, true}) {
    const std::string file =
        (fs::path(options.folder) / sim::confName(number, compressed)).string();
    if (fs::is_regular_file(file, ignored) && !fs::equivalent(file, options.conf, ignored) &&
        !fs::equivalent(file, conf.source, ignored) && sim::isOutput(file, options.folder))
      return file;
  }
  return {};
}

/// The case of the conf-file as a run begins it: commands may add bodies or change clusters.
sim::Conf begun(sim::Conf conf, const RockableOptions& options) {
  if (conf.commands.empty()) return conf;
  Diagnostics ignored;
  const std::vector<shape::Shape> shapes = sim::shapesOf(conf, ignored);
  sim::runCommands(conf, shapes, ignored, sim::earlierRun(options.folder).compat == "rockable");
  return conf;
}

/// Where the conf-file is not the one that the run began from, says what of it the run does not
/// take. @returns [T] when that began
double warnOfChanges(const sim::Conf& conf, const sim::Conf& start, const sim::Conf& saved,
                     const std::string& state, bool done, const RockableOptions& options,
                     Diagnostics& diagnostics) {
  if (isAsItWas(options)) return conf.t;
  const std::string other = otherThanBegun(options);
  const auto changed = sim::changedParameters(conf, saved);
  if (!changed.empty())
    diagnostics.warn(fmt::format("{}, in {}: {} the values of {}", other, fmt::join(changed, ", "),
                                 done ? "its results are of" : "the run continues with",
                                 done ? state
                                      : state + "; only tmax, interConf and precision are read "
                                                "from the file"));
  const int number = firstNumber(conf, options);
  if (conf.iconf != number)
    diagnostics.warn(
        fmt::format("{}: iconf = {}, but its conf-files begin "
                    "with number {}; {}",
                    other, conf.iconf, number,
                    done ? "they keep their numbers" : "the run continues with its own numbers"));
  // A cell moves bodies to their places in it before the first step.
  const std::string first = conf.cell.used ? "" : startOf(conf, number, options);
  const char* goesOn = done ? "its results are of bodies as it began with"
                            : "the run continues with bodies as it began with";
  if (!first.empty()) {
    Diagnostics ignored;
    const sim::Conf before =
        sim::readConfFromFile(first, ignored, threadCount(options.common.jobs));
    if (before.t != conf.t)
      diagnostics.warn(
          fmt::format("{}: t = {}, but {} has {}; {} that time", other, tableTime(conf.t),
                      first, tableTime(before.t),
                      done ? "its results are from" : "the run continues as begun at"));
    if (const auto k = movedBody(start, before))
      diagnostics.warn(
          fmt::format("{}: body {} starts otherwise than in {}; {}", other, *k, first, goesOn));
    return before.t;
  }
  const sim::RunRecord record = sim::earlierRun(options.folder);
  const bool explained = !changed.empty() || conf.tmax != record.tmax ||
                         conf.interConf != record.interConf || conf.precision != saved.precision;
  if (!explained && !record.inputs.empty())
    diagnostics.warn(
        fmt::format("{}, and no file shows whether its bodies "
                    "start in the same way; {}",
                    other, goesOn));
  return conf.t;
}

/// The run that left its files in the folder of outputs had these shapes.
void warnOfShapes(const RockableOptions& options, bool done, Diagnostics& diagnostics) {
  for (const sim::InputFile& file : sim::earlierRun(options.folder).inputs) {
    std::error_code ignored;
    if (file.role == "shapes" && fs::exists(file.path, ignored) &&
        sim::fileHash(file.path) != file.hash)
      diagnostics.warn(fmt::format(
          "{} has changed since this run began: {}", file.path,
          done ? "its results are of the earlier shapes" : "it continues with other shapes"));
  }
}

/// The state in the folder of outputs that the run goes on from, or "". Of a run that is done, any
/// of its states tells which case it was.
std::string stateOf(const RockableOptions& options, bool done, Diagnostics& diagnostics) {
  const std::string state =
      sim::newestState(options.folder, diagnostics, threadCount(options.common.jobs));
  if (!state.empty() || !done) return state;
  const std::vector<std::string> series = sim::confSeries({options.folder});
  return series.empty() ? "" : series.back();
}

/// @throws ModelError where the run in the folder of outputs cannot be one of `conf` up to its
/// tmax. What the run does not take from the file warns. @returns [T] when the run began
double checkSameCase(const sim::Conf& conf, const sim::Conf& saved, const std::string& state,
                     bool done, const RockableOptions& options, Diagnostics& diagnostics) {
  const sim::Conf start = begun(conf, options);
  if (const std::string other = otherBodies(start, saved); !other.empty())
    throw ModelError(fmt::format(
        "{}: differs from the case of {}: {}; name the conf-file that the run began from, or "
        "another folder with -o",
        options.conf, state, other));
  if (saved.t - conf.tmax > 1.5 * saved.dt)  // the last step may pass tmax
    throw ModelError(fmt::format("{}: tmax = {} is before t = {} of {}: nothing to run; raise tmax",
                                 options.conf, conf.tmax, tableTime(saved.t), state));
  warnOfShapes(options, done, diagnostics);
  return warnOfChanges(conf, start, saved, state, done, options, diagnostics);
}

/// Where the shape-file of `conf` is; "" where it is not there.
std::string shapesFoundBy(const sim::Conf& conf) {
  if (conf.shapeFile.empty()) return {};
  try {
    return sim::shapeFileOf(conf);
  } catch (const IoError&) {
    return {};
  }
}

/// The states in a folder that was moved or copied name a shape-file that they do not reach. The
/// one of the conf-file takes its place if it has the content that the run began with.
/// @throws ModelError where it has not
void findShapes(const sim::Conf& conf, sim::Conf& saved, const std::string& state,
                const RockableOptions& options, Diagnostics& diagnostics) {
  if (saved.particles.empty() || !shapesFoundBy(saved).empty()) return;
  const std::string found = shapesFoundBy(conf);
  if (found.empty()) return;  // what reads the shapes of the state reports them
  std::string before;
  for (const sim::InputFile& file : sim::earlierRun(options.folder).inputs)
    if (file.role == "shapes") before = file.hash;
  const std::string now = sim::fileHash(found);
  if (before.empty() || now.empty())
    diagnostics.warn(
        fmt::format("{}: {} is not there, and nothing shows whether {} holds the same "
                    "shapes; the run continues with the latter",
                    state, saved.shapeFile, found));
  else if (before != now)
    throw ModelError(fmt::format(
        "{}: {} is not there, and {} differs from the shape-file that the run began with; name a "
        "conf-file that leads to that file, or copy it to where the state names it",
        state, saved.shapeFile, found));
  else
    say(options.common, fmt::format("{}: {} is not there; {} has the same content and is used",
                                    state, saved.shapeFile, found));
  saved.shapeFile = relativeTo(found, fs::path(state).parent_path().string());
}

/// @throws ModelError where --compat is given and the run in the folder of outputs began without
void checkSameMechanics(const RockableOptions& options, bool asRockable) {
  if (options.compat.empty() || asRockable) return;
  throw ModelError(
      fmt::format("{}: this run began without --compat rockable; resume it without this option, or "
                  "run the case with it into another folder with -o",
                  options.folder));
}

}  // namespace

std::uint64_t seedOf(const RockableOptions& options) {
  const std::optional<std::uint64_t> begun =
      options.resume ? sim::earlierRun(options.folder).seed : std::nullopt;
  if (!begun) return static_cast<std::uint64_t>(options.seed.value_or(0));
  if (options.seed && static_cast<std::uint64_t>(*options.seed) != *begun)
    throw ModelError(
        fmt::format("{}: this run began with --seed {}, not {}; resume it without this option, or "
                    "run the case with it into another folder with -o",
                    options.folder, *begun, *options.seed));
  return *begun;
}

void warnOfExtractors(const std::vector<sim::InputFile>& inputs, double time,
                      const RockableOptions& options, Diagnostics& diagnostics) {
  const std::vector<sim::InputFile> earlier = sim::earlierRun(options.folder).inputs;
  if (earlier.empty()) return;
  const auto fileOf = [](const std::vector<sim::InputFile>& files) -> const sim::InputFile* {
    const auto found = std::ranges::find(files, "extractors", &sim::InputFile::role);
    return found == files.end() ? nullptr : &*found;
  };
  const sim::InputFile *before = fileOf(earlier), *now = fileOf(inputs);
  const double t = tableTime(time);
  if (before && !now)
    diagnostics.warn(
        fmt::format("{}: is gone since this run began; its tables end at t = {}", before->path, t));
  else if (now && !before)
    diagnostics.warn(fmt::format(
        "{}: was not there when this run began; its tables begin at t = {}", now->path, t));
  else if (now && now->hash != before->hash)
    diagnostics.warn(fmt::format(
        "{} has changed since this run began: tables continue as it requests now; their rows up to "
        "t = {} are what it requested before",
        now->path, t));
}

std::vector<sim::InputFile> inputsOf(std::vector<sim::InputFile> begun,
                                     const std::vector<sim::InputFile>& now) {
  std::error_code ignored;
  for (sim::InputFile& file : begun) {
    if (file.hash.empty() || fs::exists(file.path, ignored)) continue;
    const auto same = std::ranges::find_if(now, [&](const sim::InputFile& other) {
      return other.role == file.role && other.hash == file.hash;
    });
    if (same != now.end()) file.path = same->path;
  }
  return begun;
}

bool takeUp(sim::Conf& conf, double& firstTime, const RockableOptions& options,
            Diagnostics& diagnostics) {
  const std::string state = stateOf(options, false, diagnostics);
  const sim::RunRecord record = sim::earlierRun(options.folder);
  if (state.empty()) {
    if (!record.path.empty() && record.end != "starting")
      checkSameMechanics(options, record.compat == "rockable");
    say(options.common, fmt::format("{}: no state at full precision to resume from; the "
                                    "run starts again from {}",
                                    options.folder, inputName(options.conf)));
    return false;
  }
  sim::Conf saved = sim::readConfFromFile(state, diagnostics, threadCount(options.common.jobs));
  checkSameMechanics(options, saved.summedClock.has_value());
  firstTime = checkSameCase(conf, saved, state, false, options, diagnostics);
  findShapes(conf, saved, state, options, diagnostics);
  if (record.path.empty() && saved.runState && saved.runState->step > 0)
    diagnostics.warn(
        fmt::format("{}: no run.json that can be read: what the run found before t = {} is lost; "
                    "its largest overlap, energy figures and findings are those from here on",
                    options.folder, tableTime(saved.t)));
  saved.tmax = conf.tmax;  // the input may ask for more by now
  saved.interConf = conf.interConf;
  conf = std::move(saved);
  say(options.common, fmt::format("resuming from {} at t = {}, in the unit of the file", state,
                                  tableTime(conf.t)));
  return true;
}

void reportDone(const sim::Conf& conf, const RockableOptions& options, Diagnostics& diagnostics) {
  const sim::RunRecord record = sim::earlierRun(options.folder);
  checkSameMechanics(options, record.compat == "rockable");
  const std::string state = stateOf(options, true, diagnostics);
  if (!state.empty())
    checkSameCase(conf, sim::readConfFromFile(state, diagnostics, threadCount(options.common.jobs)),
                  state, true, options, diagnostics);
  else if (!isAsItWas(options))
    throw ModelError(fmt::format(
        "{}: no conf-file of the run is left that shows whether it is a run of {}; choose another "
        "folder with -o",
        options.folder, options.conf));
  sim::RunOptions run;
  run.folder = options.folder;
  run.input = options.conf;
  run.inputs = record.inputs;
  run.doneFile = options.doneFile;
  run.existing = options.common.existing();
  sim::checkDoneFile(run, record);
  printWarnings(diagnostics, options.common);
  say(options.common, fmt::format("{}: the run is done; nothing to resume", options.folder));
  printRecord(options);
  if (!options.check && !options.dryRun) {
    sim::removeLeftovers(options.folder);
    std::error_code ignored;
    if (!fs::is_regular_file(options.doneFile, ignored) ||
        readFile(options.doneFile) != sim::doneText(record))
      writeDone(options);
  }
  refuseUnderStrict(options, record.quality, record.findings, false);
}

}  // namespace scree::tools

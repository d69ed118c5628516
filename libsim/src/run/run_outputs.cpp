// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_outputs.hpp"

#include "base/safe_write.hpp"
#include "engine/engine.hpp"

#include "scree/base/files.hpp"
#include "scree/base/version.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

namespace scree::sim {

namespace fs = std::filesystem;

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

void FolderLock::lock(const std::string& folder) {
  if (descriptor_ >= 0) return;
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return;
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  throw IoError(fmt::format(
      "{}: another run is writing into this folder; wait for it, or choose another one with -o",
      folder));
}

RunOutputs::RunOutputs(Simulation& simulation, const RunOptions& options)
    : simulation_(simulation), options_(options), monitor_(simulation) {
  lock_.lock(options.folder);
  const RunRecord& earlier = *options.earlier;
  checkOutputs(options, simulation);
  shapeFile_ = shapeFileFrom(options.folder, simulation.input());
  if (options.rest) rest_.emplace(*options.rest, options.resumed ? earlier.calmSince : HUGE_VAL);
  if (!options.resumed) checkFolder(options, simulation, earlier);
  std::error_code code;
  fs::create_directories(options.folder, code);
  if (!fs::is_directory(options.folder))
    throw IoError(fmt::format("{}: cannot make the folder: {}", options.folder, code.message()));
  lock_.lock(options.folder);
  // The record was read before the lock.
  if (const RunRecord now = earlierRun(options.folder);
      now.status != earlier.status || now.steps != earlier.steps || now.input != earlier.input)
    throw IoError(fmt::format("{}: another run has written here meanwhile", options.folder));
  std::set<std::string> folders{options.folder};
  for (const std::string& table : tablePaths()) folders.insert(fs::path(table).parent_path());
  for (const std::string& folder : folders) removeDeadTemporaries(folder);

  record_.path = path("run.json");
  record_.input = options.input;
  record_.version = version();
  record_.revision = revision();
  record_.compiler = compiler();
  record_.architecture = architecture();
  record_.inputs = options.inputs;
  if (!options.resumedWith.empty()) record_.resumedWith = options.resumedWith.front();
  record_.doneFile = options.doneFile;
  record_.tmax = simulation.input().tmax;
  record_.interConf = simulation.input().interConf;
  record_.bodies = simulation.bodies().size();
  record_.compat = simulation.compat() ? "rockable" : "";
  record_.threads = simulation.threads();
  record_.seed = options.seed;
  record_.warnings = options.warnings;
  options.resumed ? goOn(earlier) : begin(earlier);
}

std::string RunOutputs::path(const std::string& name) const {
  return (fs::path(options_.folder) / name).string();
}

/// Only files that run.json lists are known to be those of a killed run. So that comes first: with
/// what is about to go, too, since removing may be cut short.
void RunOutputs::begin(const RunRecord& earlier) {
  const std::vector<std::string> leaving = leavingFiles(options_, earlier);
  Conf conf = simulation_.conf();
  hash(conf);
  record_.outputs = earlier.outputs;
  listOwn();
  report("starting");
  for (const std::string& name : leaving) remove(name);
  record_.outputs.clear();
  listOwn();
  if (!leaving.empty() && options_.tell)
    options_.tell(fmt::format("{}: {} file{} of the earlier run of {} removed", options_.folder,
                              leaving.size(), leaving.size() > 1 ? "s" : "", earlier.input));
  beginTables();
  if (inputNumbered(simulation_.iconf()).empty())
    write(simulation_.iconf(), std::move(conf), true);
  else
    report("running");
}

void RunOutputs::goOn(const RunRecord& earlier) {
  monitor_.goOn(earlier.quality, earlier.watch, simulation_);
  record_.outputs = earlier.outputs;
  std::erase_if(record_.outputs, [&](const std::string& name) {
    return !isThere(path(name));  // removed after the last report
  });
  listOwn();
  if (simulation_.stepIndex() == earlier.ending.step) record_.ending = earlier.ending;
  for (const auto& [number, hash] : earlier.confHashes)
    if (number <= simulation_.iconf()) record_.confHashes[number] = hash;
  if (options_.keepLast > 0)
    for (const std::string& file : confSeries({options_.folder})) {
      const std::int64_t number = confNumber(file).value();
      if (number > options_.firstConf && !isInput(file, options_) &&
          record_.confHashes.contains(static_cast<int>(number)))
        recent_.push_back(fs::path(file).filename().string());
    }
  for (; recent_.size() > static_cast<std::size_t>(options_.keepLast); recent_.pop_front())
    remove(recent_.front());
  beginTables();
  report("running");
}

void RunOutputs::beginTables() {
  // The run may end where it begins, or a step later.
  if (!sameFile(simulation_.input().source, path("restart.conf")))
    heldAt_ = simulation_.stepIndex();
  tables_.emplace(options_.folder, options_.extractors, simulation_, options_.resumed,
                  options_.impacts);
}

std::uint64_t RunOutputs::nextStep(std::uint64_t step) {
  return std::min({monitor_.nextStep(step), tables_->nextStep(step),
                   rest_ ? RestWatch::nextStep(step) : UINT64_MAX});
}

Ending RunOutputs::step() {
  monitor_.step(simulation_);
  tables_->write(simulation_);
  Ending ending = tables_->endsRun(simulation_);
  if (ending.by.empty() && rest_ && rest_->step(simulation_))
    ending = {describe(rest_->ratios()), "rest", true, simulation_.stepIndex()};
  return ending;
}

bool RunOutputs::isRounded() const {
  return !hasAllDigits(options_.precision.value_or(simulation_.input().precision));
}

std::string RunOutputs::inputNumbered(int number) const {
  for (const bool compressed : {false, true})
    if (const std::string file = path(confName(number, compressed)); isInput(file, options_))
      return file;
  return {};
}

void RunOutputs::conf() {
  simulation_.requireFinite();
  simulation_.setIconf(simulation_.iconf() + 1);
  const int number = simulation_.iconf();
  if (const std::string input = inputNumbered(number); !input.empty())
    throw IoError(fmt::format(
        "{}: is the input of this run and would be overwritten; choose another folder with -o",
        input));
  monitor_.look(simulation_);
  Conf conf = simulation_.conf();
  tables_->writeOfConf(simulation_, conf, secondsSince(lastConf_));
  heldAt_ = isRounded() ? UINT64_MAX : simulation_.stepIndex();
  write(number, std::move(conf), false);
  lastConf_ = WallClock::now();
}

void RunOutputs::checkpoint() {
  if (!isCheckpointDue()) return;
  simulation_.requireFinite();
  restart();
  saved_ = WallClock::now();
}

std::string RunOutputs::restart() {
  Conf conf = simulation_.conf();
  hash(conf);
  write("restart.conf", std::move(conf), -1, true);
  return path("restart.conf");
}

std::string RunOutputs::stopped() {
  monitor_.lookAtBodies(simulation_);
  return restart();
}

std::string RunOutputs::done() {
  tables_->write(simulation_, true);
  // A resumed run may have other periods than before: files of later numbers are not of this run.
  for (const std::string& name : std::vector<std::string>(record_.outputs))
    if (confNumber(name).value_or(0) > simulation_.iconf() && options_.resumed) remove(name);
  if (heldAt_ == UINT64_MAX || simulation_.stepIndex() - heldAt_ > 1) {
    monitor_.look(simulation_);
    return restart();
  }
  remove("restart.conf");
  return {};
}

void RunOutputs::report(const std::string& status) {
  if (status == "failed") record_.stateHash.clear();  // the step may have stopped half-way
  const Engine& engine = engineOf(simulation_);
  record_.status = status;
  record_.quality = monitor_.quality();
  record_.quality.failed = status == "failed";  // its state none of the checks has seen
  record_.watch = monitor_.sightings();
  record_.findings = monitor_.findings();
  record_.fault = faultOf(simulation_, record_.quality, status == "tmax");
  record_.steps = simulation_.stepIndex();
  record_.time = simulation_.time();
  record_.contacts = simulation_.contactCount();
  record_.wallSeconds = secondsSince(begin_);
  for (std::size_t s = 0; s < StageTimes::count; ++s)
    record_.stages[std::string(StageTimes::names[s])] =
        engine.stageTimes().seconds(static_cast<StageTimes::Stage>(s));
  if (!isHashed()) hash(simulation_.conf());
  if (rest_) record_.rest = rest_->ratios();
  if (rest_) record_.calmSince = rest_->calmSince();
  record_.bodyListUpdates = engine.lists().bodyUpdates;
  record_.pairSearches = simulation_.pairSearches();
  record_.peakMemoryBytes = peakMemoryBytes();
  writeFile(record_.path, runJson(record_), Existing::replace);
}

void RunOutputs::fail() {
  try {
    report("failed");
  } catch (const Error&) {
  }
}

void RunOutputs::list(const std::string& name) {
  if (std::ranges::count(record_.outputs, name) == 0) record_.outputs.push_back(name);
}

/// The files that each run leaves.
void RunOutputs::listOwn() {
  for (const ScriptedExtractor& e : options_.extractors) list(e.file);
  for (const std::string& name : RunTables::ofConfs) list(name);
}

void RunOutputs::remove(const std::string& name) {
  std::error_code ignored;
  if (isInput(path(name), options_) || fs::is_directory(path(name), ignored)) return;
  fs::remove(path(name), ignored);
  std::erase(record_.outputs, name);
}

std::vector<std::string> RunOutputs::tablePaths() const {
  std::vector<std::string> paths;
  for (const ScriptedExtractor& e : options_.extractors) paths.push_back(path(e.file));
  for (const std::string& name : RunTables::ofConfs) paths.push_back(path(name));
  return paths;
}

bool RunOutputs::isHashed() const {
  return !record_.stateHash.empty() && hashedStep_ == simulation_.stepIndex();
}

void RunOutputs::hash(const Conf& present) {
  if (isHashed()) return;
  record_.stateHash = fmt::format("{:016x}", stateHash(present));
  hashedStep_ = simulation_.stepIndex();
}

void RunOutputs::write(int number, Conf conf, bool ofStart) {
  const std::string name = confName(number, options_.compress);
  // Removed once this file exists: its number in the other form, and files beyond those to keep.
  std::vector<std::string> leaving{confName(number, !options_.compress)};
  if (options_.keepLast > 0 && !ofStart) {
    if (recent_.size() >= static_cast<std::size_t>(options_.keepLast)) {
      leaving.push_back(recent_.front());
      recent_.pop_front();
    }
    recent_.push_back(name);
  }
  hash(conf);
  record_.confHashes[number] = record_.stateHash;
  const bool saves = !isRounded() && isCheckpointDue();
  if (saves) saved_ = WallClock::now();
  write(name, std::move(conf), options_.precision.value_or(simulation_.input().precision), saves);
  for (const std::string& old : leaving) remove(old);
}

void RunOutputs::write(const std::string& name, Conf conf, int precision, bool flushed) {
  list(name);
  report("running");
  const std::string file = path(name);
  const bool mayReplace = options_.resumed || name == "restart.conf";
  checkMayWrite(file, mayReplace ? Existing::replace : options_.existing);
  conf.shapeFile = shapeFile_;
  conf.precision = precision;
  if (std::vector<ImpactPeak> impacts = tables_ ? tables_->begun() : options_.impacts;
      !impacts.empty())
    conf.makeState().impacts = std::move(impacts);
  if (flushed)  // rows of the tables up to this state must not reach the disk after the state
    for (const std::string& table : tablePaths()) flushToDisk(table);
  PiecewiseFile out(file);
  TextWriter text(simulation_.threads(), [&](std::string_view part) { out.append(part); });
  writeConf(text, conf);
  text.passOn();
  out.finish(flushed ? Flush::yes : Flush::no);
  lastState_ = file;
}

std::uint64_t peakMemoryBytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024u;
}

}  // namespace scree::sim

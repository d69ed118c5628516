// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_outputs.hpp"

#include "base/safe_write.hpp"

#include "scree/base/files.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <set>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace scree::sim {
namespace {

namespace fs = std::filesystem;

/// States that wait to be written, the one under way included: what bounds the memory they take.
constexpr std::size_t mostPending = 2;

/// Before the folder is looked at: another run may be about to change it.
RunRecord lockedRecord(FolderLock& lock, const std::string& folder) {
  lock.lock(folder);
  return earlierRun(folder);
}

}  // namespace

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
    : simulation_(simulation),
      options_(options),
      monitor_(simulation),
      begin_(WallClock::now()),
      lastConf_(begin_),
      folder_(options, simulation, lockedRecord(lock_, options.folder)),
      writing_(mostPending) {
  checkTables(options, simulation);
  checkInputs(options, simulation);
  checkDoneFile(options, folder_.earlier());
  checkShapeFile(options, simulation);
  shapeFile_ = shapeFileFrom(options.folder, simulation.input());
  if (options.rest)
    rest_.emplace(*options.rest, options.start.resumed ? folder_.earlier().calmSince : HUGE_VAL);
  if (!options.start.resumed) folder_.check();
  std::error_code code;
  fs::create_directories(options.folder, code);
  if (!fs::is_directory(options.folder))
    throw IoError(fmt::format("{}: cannot make the folder: {}", options.folder, code.message()));
  lock_.lock(options.folder);
  std::set<std::string> folders{options.folder};
  for (const std::string& table : tablePaths()) folders.insert(fs::path(table).parent_path());
  for (const std::string& folder : folders) removeDeadTemporaries(folder);
  if (options.start.resumed || options.start.continues)
    for (const auto& [number, hash] : folder_.earlier().confHashes)
      if (number <= simulation.iconf()) confHashes_[number] = hash;
  if (options.start.resumed)
    goOn();
  else
    begin();
}

/// Only files that run.json lists are known to be those of a killed run. So that comes first: with
/// what is about to go, too, since removing may be cut short.
void RunOutputs::begin() {
  const std::vector<std::string> leaving = folder_.leaving();
  listed_ = folder_.earlier().outputs;
  listOwn();
  report("starting");
  listed_ = folder_.remove();
  listOwn();
  if (!leaving.empty() && options_.tell)
    options_.tell(fmt::format("{}: {} file{} of {} removed", options_.folder, leaving.size(),
                              leaving.size() > 1 ? "s" : "",
                              options_.start.continues
                                  ? "later states"
                                  : fmt::format("the earlier run of {}", folder_.earlier().input)));
  side_.emplace(options_.folder, simulation_, options_.start.continues);
  tables_.emplace(options_.folder, options_.extractors, simulation_, options_.start.continues);
  if (!options_.extractors.empty())
    writeFile(folder_.path("extractedDataDoc.txt"), tablesText(options_.extractors),
              Existing::replace);
  holdInput();
  if (!options_.start.continues && folder_.inputNumbered(simulation_.iconf()).empty())
    handOver(simulation_.iconf(), true);
  else
    report("running");
}

void RunOutputs::goOn() {
  monitor_.goOn(folder_.earlier().quality, folder_.earlier().watch, simulation_);
  listed_ = folder_.earlier().outputs;
  listOwn();
  if (simulation_.stepIndex() == folder_.earlier().ending.step) ending_ = folder_.earlier().ending;
  // Without a run.json, conf-files up to this state are taken for those of this run.
  const bool known = !folder_.earlier().path.empty();
  for (const std::string& file : confSeries({options_.folder})) {
    const std::int64_t number = confNumber(file).value();
    if (number <= options_.start.firstConf || number > simulation_.iconf() ||
        folder_.isInput(file) || (known && !confHashes_.contains(static_cast<int>(number))))
      continue;
    list(fs::path(file).filename().string());
    recent_.push_back(fs::path(file).filename().string());
  }
  if (options_.keepLast == 0) recent_.clear();
  while (recent_.size() > static_cast<std::size_t>(options_.keepLast)) {
    folder_.remove(recent_.front());
    std::erase(listed_, recent_.front());
    recent_.pop_front();
  }
  side_.emplace(options_.folder, simulation_, true);
  tables_.emplace(options_.folder, options_.extractors, simulation_, true);
  if (!options_.extractors.empty())
    writeFile(folder_.path("extractedDataDoc.txt"), tablesText(options_.extractors),
              Existing::replace);
  holdInput();
  report("running");
}

/// The run may end where it begins, or a step later.
void RunOutputs::holdInput() {
  if (!sameFile(simulation_.input().source, folder_.path("restart.conf")))
    heldAt_ = simulation_.stepIndex();
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
    ending = {describe(rest_->ratios()), RunEnd::rest, true, simulation_.stepIndex()};
  return ending;
}

bool RunOutputs::isRounded() const {
  return !hasAllDigits(options_.precision.value_or(simulation_.input().precision));
}

void RunOutputs::conf() {
  simulation_.requireFinite();
  simulation_.setIconf(simulation_.iconf() + 1);
  const int number = simulation_.iconf();
  if (const std::string input = folder_.inputNumbered(number); !input.empty())
    throw IoError(fmt::format(
        "{}: is the input of this run and would be overwritten; choose another folder with -o",
        input));
  monitor_.look(simulation_);
  side_->write(simulation_, secondsSince(lastConf_));
  heldAt_ = isRounded() ? UINT64_MAX : simulation_.stepIndex();
  handOver(number, false);
  lastConf_ = WallClock::now();
}

void RunOutputs::checkpoint() {
  if (!isCheckpointDue() || writing_.pending() > 0) return;
  simulation_.requireFinite();
  list("restart.conf");
  Conf conf = simulation_.conf();
  conf.precision = -1;
  handOver("restart.conf", std::move(conf), {}, true);
  saved_ = WallClock::now();
}

std::string RunOutputs::restart() {
  const std::string name = folder_.path("restart.conf");
  Conf conf = simulation_.conf();
  conf.shapeFile = shapeFile_;
  conf.precision = -1;
  for (const std::string& table : tablePaths()) flushToDisk(table);
  list("restart.conf");
  report("running");  // so that --resume knows the state as one of this run
  writeFileSafely(name, confText(conf));
  return name;
}

std::string RunOutputs::stopped() {
  monitor_.lookAtBodies(simulation_);
  return restart();
}

std::string RunOutputs::done() {
  tables_->write(simulation_, true);
  // A resumed run may have other periods than the one that was killed: what that has left of later
  // numbers is not of this run.
  const auto isStale = [&](const std::string& name) {
    const std::optional<std::int64_t> number = confNumber(name);
    return options_.start.resumed && number && *number > simulation_.iconf() &&
           !folder_.isInput(folder_.path(name));
  };
  for (const std::string& name : listed_)
    if (isStale(name)) folder_.remove(name);
  std::erase_if(listed_, isStale);
  if (heldAt_ == UINT64_MAX || simulation_.stepIndex() - heldAt_ > 1) {
    monitor_.look(simulation_);
    return restart();
  }
  if (folder_.isInput(folder_.path("restart.conf"))) return {};
  folder_.remove("restart.conf");
  std::erase(listed_, "restart.conf");
  return {};
}

void RunOutputs::report(const std::string& status) {
  writeFile(folder_.path("run.json"), reportText(status), Existing::replace);
}

void RunOutputs::fail() {
  for (const bool settled : {false, true}) {
    try {
      if (settled)
        report("failed");
      else
        settle();
    } catch (const Error&) {
    }
  }
}

void RunOutputs::list(const std::string& name) {
  if (std::find(listed_.begin(), listed_.end(), name) == listed_.end()) listed_.push_back(name);
}

/// The files that each run leaves.
void RunOutputs::listOwn() {
  for (const ScriptedExtractor& e : options_.extractors) list(e.file);
  for (const std::string& name : SideFiles::names()) list(name);
  list("checkplots.txt");
  if (!options_.extractors.empty()) list("extractedDataDoc.txt");
}

std::vector<std::string> RunOutputs::tablePaths() const {
  std::vector<std::string> paths;
  for (const ScriptedExtractor& e : options_.extractors) paths.push_back(folder_.path(e.file));
  for (const std::string& name : SideFiles::names()) paths.push_back(folder_.path(name));
  return paths;
}

std::string RunOutputs::reportText(const std::string& status) {
  if (status == "failed") hash_.clear();  // the step may have stopped half-way
  return runJson(simulation_, options_, status, secondsSince(begin_), listed_, stateHash(),
                 confHashes_, monitor_, rest_, ending_);
}

void RunOutputs::handOver(int number, bool ofStart) {
  writing_.awaitRoom();
  Conf conf = simulation_.conf();
  conf.precision = options_.precision.value_or(conf.precision);
  const std::string name = confName(number, options_.compress);
  // Removed once this file exists: an earlier run's of the same number in the other form, and files
  // beyond the number to keep.
  std::vector<std::string> leaving{confName(number, !options_.compress)};
  if (options_.keepLast > 0 && !ofStart) {
    if (recent_.size() >= static_cast<std::size_t>(options_.keepLast)) {
      leaving.push_back(recent_.front());
      recent_.pop_front();
    }
    recent_.push_back(name);
  }
  list(name);
  confHashes_[number] = stateHash();
  const bool saves = !isRounded() && isCheckpointDue();
  if (saves) saved_ = WallClock::now();
  handOver(name, std::move(conf), std::move(leaving), saves);
}

const std::string& RunOutputs::stateHash() {
  if (hash_.empty() || hashedStep_ != simulation_.stepIndex()) {
    hash_ = fmt::format("{:016x}", simulation_.stateHash());
    hashedStep_ = simulation_.stepIndex();
  }
  return hash_;
}

void RunOutputs::handOver(const std::string& name, Conf conf, std::vector<std::string> leaving,
                          bool flushed) {
  writing_.awaitRoom();
  conf.shapeFile = shapeFile_;
  lastState_ = folder_.path(name);
  const bool mayReplace = options_.start.resumed || name == "restart.conf";
  std::vector<std::string> tables = tablePaths();
  if (!flushed) tables.clear();
  // Still names what is leaving: a kill may come before that has gone.
  std::string report = reportText("running");
  for (const std::string& file : leaving) std::erase(listed_, file);
  writing_.submit([conf = std::make_shared<Conf>(std::move(conf)), leaving = std::move(leaving),
                   file = lastState_, flushed, tables = std::move(tables),
                   existing = mayReplace ? Existing::replace : options_.existing,
                   reportFile = folder_.path("run.json"), report = std::move(report),
                   &runFolder = folder_] {
    writeFile(reportFile, report, Existing::replace);
    checkMayWrite(file, existing);
    // Rows of the tables up to this state must not reach the disk after the state.
    for (const std::string& table : tables) flushToDisk(table);
    if (flushed)
      writeFileSafely(file, confText(*conf));
    else
      writeFile(file, confText(*conf), existing);
    for (const std::string& old : leaving) runFolder.remove(old);
  });
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/background.hpp"
#include "check/run_monitor.hpp"
#include "run_folder.hpp"
#include "run_tables.hpp"

#include "scree/sim/check/rest.hpp"
#include "scree/sim/run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// Time as the user sees it pass. It decides when a run writes and what it reports, never a state.
using WallClock = std::chrono::steady_clock;

/// [s]
inline double secondsSince(WallClock::time_point t) {
  return std::chrono::duration<double>(WallClock::now() - t).count();
}

/// Keeps other runs out of a folder while this one writes into it. Leaves no file, and ends with
/// the process, however that ends. Where the file system knows no such locks, it does nothing.
class FolderLock {
 public:
  FolderLock() = default;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();
  /// Does nothing where the folder is not there, or is locked by this object.
  /// @throws IoError where another run has it
  void lock(const std::string& folder);

 private:
  int descriptor_ = -1;
};

/// "tmax", "extractor", "rest" or "stopped".
std::string statusOf(RunEnd end);

/// The text of run.json (docs/tools/rockable.md has the schema).
/// @param status  "starting", "running", "failed" or statusOf() an end
/// @param ending  what ends the run at this step, before tmax
std::string runJson(const Simulation& simulation, const RunOptions& options,
                    const std::string& status, double wallSeconds,
                    const std::vector<std::string>& outputs, const std::string& stateHash,
                    const std::map<int, std::string>& confHashes, const RunMonitor& monitor,
                    const std::optional<RestWatch>& rest, const Ending& ending);

/// Everything a run leaves in its folder. Conf-files, and a run.json before each, are written in
/// the background, one after the other in the order of the run. Once this object has gone, no
/// writing is under way.
///
/// Due to the order of writing a killed run can be resumed. The file run.json stands before the
/// first other file, so no file is without an owner. Lines of tables stand before the state that
/// they lead up to. And run.json names a state before that state exists.
class RunOutputs {
 public:
  /// Nothing is written, nor a folder made, before all is known to be in order.
  RunOutputs(Simulation& simulation, const RunOptions& options);

  /// The next step after `step` that is to be handed to step().
  std::uint64_t nextStep(std::uint64_t step);
  std::span<const double> slow() const { return monitor_.slow(); }
  /// After each step that nextStep() returns and where somebody is not slow(). @returns what ends
  /// the run: an extractor, or rest
  Ending step();
  const std::optional<RestWatch>& rest() const { return rest_; }
  /// Where the run was killed between its end before tmax and its last report: what had ended it.
  const Ending& ending() const { return ending_; }

  void conf();
  /// Writes the state that the run ends with, before tmax, as a conf-file.
  void lastConf(const Ending& ending) {
    ending_ = ending;
    conf();
  }
  /// A state at full precision, where one is due. Skipped while others wait to be written.
  void checkpoint();
  /// The run has been stopped before its end. @returns restart.conf
  std::string stopped();
  /// The run has come to its end. @returns restart.conf where no conf-file holds its state, with
  /// all digits (tmax may lie a step behind the last one); else that goes, and ""
  std::string done();

  /// Returns when all that was handed over for writing is in the folder.
  /// @throws IoError where it could not be written
  void settle() { writing_.finish(); }
  /// The file that holds the last state found good; it is there once all is settled.
  const std::string& lastState() const { return lastState_.empty() ? options_.input : lastState_; }
  void report(const std::string& status);
  /// Writes run.json of a run that could not write, if possible. First it waits for background
  /// writers, which would overwrite it. Errors here are dropped: the user sees the first failure.
  void fail();

  std::vector<std::string> findings() const { return monitor_.findings(); }
  const RunQuality& quality() const { return monitor_.quality(); }

 private:
  std::string restart();
  /// Whether the state is to be saved, by wall-clock time. The clock decides when a state is
  /// written, never what it holds.
  bool isCheckpointDue() const {
    return options_.checkpoint > 0.0 && secondsSince(saved_) >= options_.checkpoint;
  }
  void begin();
  void goOn();
  void holdInput();
  void list(const std::string& name);
  void listOwn();
  bool isRounded() const;
  std::vector<std::string> tablePaths() const;
  std::string reportText(const std::string& status);
  /// Hash of the present state. Computed once a step: it costs as much as some steps.
  const std::string& stateHash();
  /// @param ofStart  the state that the run begins with, which --keep does not count
  void handOver(int number, bool ofStart);
  /// Hands the state over for writing, behind the run.json that goes with it.
  void handOver(const std::string& name, Conf conf, std::vector<std::string> leaving, bool flushed);

  Simulation& simulation_;
  const RunOptions& options_;
  FolderLock lock_;
  RunMonitor monitor_;
  std::chrono::steady_clock::time_point begin_, lastConf_;
  std::string shapeFile_, lastState_;
  Ending ending_;
  std::uint64_t heldAt_ = UINT64_MAX;  ///< the step whose state a conf-file holds, or the input
  RunFolder folder_;
  WallClock::time_point saved_ = WallClock::now();  ///< the last checkpoint
  std::optional<SideFiles> side_;
  std::optional<RunTables> tables_;
  std::optional<RestWatch> rest_;
  std::vector<std::string> listed_;
  std::string hash_;  ///< of the state at `hashedStep_`; empty before the first
  std::uint64_t hashedStep_ = 0;
  std::map<int, std::string> confHashes_;  ///< of the states handed over, by number
  std::deque<std::string> recent_;
  BackgroundJobs writing_;  // last: its thread ends before anything else goes
};

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "check/run_monitor.hpp"
#include "run_tables.hpp"

#include "scree/sim/check/rest.hpp"
#include "scree/sim/run.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
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

/// Everything a run leaves in its folder.
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
  /// After each step of nextStep(), or where a body is not slow(). @returns what ends the run
  Ending step();
  /// Where the run was killed between its end before tmax and its last report: what had ended it.
  const Ending& ending() const { return record_.ending; }

  void conf();
  /// Writes the state that the run ends with, before tmax, as a conf-file.
  void lastConf(const Ending& ending) {
    record_.ending = ending;
    conf();
  }
  /// A state at full precision, where one is due.
  void checkpoint();
  /// The run has been stopped before its end. @returns restart.conf
  std::string stopped();
  /// The run has come to its end. @returns restart.conf where no conf-file holds its state, with
  /// all digits (tmax may lie a step behind the last one); else that goes, and ""
  std::string done();

  /// The file that holds the last state found good.
  const std::string& lastState() const { return lastState_.empty() ? options_.input : lastState_; }
  void report(const std::string& status);
  /// Writes run.json of a run that could not write, if possible: the user sees the first failure.
  void fail();
  /// As report() has written it last.
  const RunRecord& record() const { return record_; }

 private:
  std::string path(const std::string& name) const;
  /// Removes a file of the run from the folder; nothing where that is an input.
  void remove(const std::string& name);
  /// The input in the folder that has the name of conf-file `number`, compressed or not; or "".
  std::string inputNumbered(int number) const;
  std::string restart();
  /// Whether the state is to be saved, by wall-clock time, which never decides what it holds.
  bool isCheckpointDue() const {
    return options_.checkpoint > 0.0 && secondsSince(saved_) >= options_.checkpoint;
  }
  void begin(const RunRecord& earlier);
  void goOn(const RunRecord& earlier);
  void beginTables();
  void list(const std::string& name);
  void listOwn();
  bool isRounded() const;
  std::vector<std::string> tablePaths() const;
  bool isHashed() const;           ///< whether the record has the hash of the present state
  void hash(const Conf& present);  ///< gives the record the hash of that state
  /// @param conf     the present state
  /// @param ofStart  the state that the run begins with, which --keep does not count
  void write(int number, Conf conf, bool ofStart);
  /// Writes a state, behind the run.json that goes with it. @param flushed  on the disk
  void write(const std::string& name, Conf conf, int precision, bool flushed);

  Simulation& simulation_;
  const RunOptions& options_;
  FolderLock lock_;
  RunMonitor monitor_;
  RunRecord record_;  ///< of this run
  WallClock::time_point begin_ = WallClock::now(), lastConf_ = begin_, saved_ = begin_;
  std::string shapeFile_, lastState_;
  std::uint64_t heldAt_ = UINT64_MAX;  ///< the step whose state a conf-file holds, or the input
  std::optional<RunTables> tables_;
  std::optional<RestWatch> rest_;
  std::uint64_t hashedStep_ = 0;  ///< of the hash in the record; that is empty before the first
  std::deque<std::string> recent_;
};

// The folder of outputs before a run writes into it, in run_folder.cpp.

/// Whether `file`, by whatever path or link, is an input of the run.
bool isInput(const std::string& file, const RunOptions& options);

/// The files of an earlier run in the folder that go as this one begins: all but its inputs.
std::vector<std::string> leavingFiles(const RunOptions& options, const RunRecord& earlier);

/// @throws IoError where the folder holds an unfinished run or a run of another input. Also where
/// it holds a file that no earlier run has written and this one would replace.
void checkFolder(const RunOptions& options, const Simulation& simulation, const RunRecord& earlier);

}  // namespace scree::sim

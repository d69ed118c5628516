// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/check/rest.hpp"
#include "scree/sim/check/run_quality.hpp"
#include "scree/sim/measure/extractors.hpp"
#include "scree/sim/run_input.hpp"
#include "scree/sim/simulation.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace scree::sim {

/// Steps from t to the first one that reaches tmax: ceil((tmax - t)/dt - 1e-6), at least 0.
std::uint64_t stepsUntil(double t, double tmax, double dt);

struct RunRecord;

struct RunOptions {
  std::string folder = ".";       ///< where outputs go
  std::string input;              ///< the conf-file that was named
  std::vector<InputFile> inputs;  ///< all that the run depends on; never overwritten
  std::string doneFile;           ///< The caller writes it last, see doneText(); "": none.
  Existing existing = Existing::refuse;
  /// Record of the run that left its files in the folder. Null: run() reads it.
  std::shared_ptr<const RunRecord> earlier;

  // How continueRun() sets them. Otherwise the folder must hold no unfinished run.
  bool resumed = false;      ///< Continues from the folder's files, appends to tables.
  bool beginsAgain = false;  ///< The unfinished run of the same input in this folder is removed.
  int firstConf = 0;         ///< Where resumed: number of the conf-file that was named.
  /// Where resumed: the files that this call has read, the conf-file first; never overwritten.
  std::vector<InputFile> resumedWith;

  std::optional<std::uint64_t> steps;       ///< at most so many steps in this call
  std::optional<double> until;              ///< [T] at most up to this time
  std::optional<RestRule> rest;             ///< end the run, too, once it is at rest
  const std::atomic<bool>* stop = nullptr;  ///< set from outside to save and stop

  /// [s] of wall-clock time between saved states at full precision. They go to restart.conf where
  /// no conf-file has full precision. 0: none are written during the run.
  double checkpoint = 300.0;
  int keepLast = 0;       ///< > 0: only the last so many conf-files stay
  bool compress = false;  ///< Conf-files become conf<N>.zst; restart.conf stays plain.
  /// Decimals of conf-files, as `Conf::precision`. Needed where the state from which the run
  /// continues does not hold them, since restart.conf has all digits.
  std::optional<int> precision;
  std::vector<ScriptedExtractor> extractors;  ///< tables written during the run
  std::vector<ImpactPeak> impacts;  ///< as SavedState of the conf-file from which the run goes on

  Progress progress;
  /// drivingSystem.txt; "": none. Read again at each conf-file, so that editing it steers a run.
  std::string drivingFile;
  std::function<void(const std::string&)> tell;  ///< one line about what happened during the run
  std::vector<std::string> warnings;             ///< of the readers, for run.json
  std::optional<std::uint64_t> seed;             ///< of the commands that drew lots, for run.json
};

/// The event that ends a run before tmax.
struct Ending {
  std::string by;          ///< "": nothing has
  std::string status;      ///< extractor or rest
  bool atRest = false;     ///< all bodies, or the one that an extractor follows
  std::uint64_t step = 0;  ///< since the start of the run
};

/// The contents of a run.json (docs/tools/rockable.md has the schema).
struct RunRecord {
  std::string path;                              ///< of the run.json; empty: there is none
  std::string input;                             ///< the conf-file that was named last
  std::string version;                           ///< of the program that ran
  std::string revision, compiler, architecture;  ///< of its build
  std::vector<InputFile> inputs;  ///< paths as they are named from the current folder
  /// The conf-file that the run was last resumed with. An empty one: never.
  InputFile resumedWith;
  std::string doneFile;  ///< likewise, as RunOptions::doneFile
  /// starting (outputs of an earlier run may still be there), running, tmax, extractor, rest,
  /// stopped, failed
  std::string status;
  Ending ending;
  std::string fault;        ///< as faultOf()
  std::uint64_t steps = 0;  ///< since the start of the run
  double time = 0.0, tmax = 0.0, interConf = 0.0;
  std::size_t bodies = 0, contacts = 0;
  double wallSeconds = 0.0;
  std::map<std::string, double> stages;  ///< [s] of wall-clock time, estimated
  std::string stateHash;
  /// State hash of each conf-file that the run wrote, by its number.
  std::map<int, std::string> confHashes;
  std::string compat;
  int threads = 1;
  std::optional<std::uint64_t> seed;  ///< of the commands that drew lots
  std::vector<std::string> warnings;
  std::vector<std::string> findings;  ///< lines about what went wrong
  RunQuality quality;                 ///< Since the start of the run, resumed or not.
  RunSightings watch;
  RestRatios rest;              ///< With RunOptions::rest, when they were last computed.
  double calmSince = HUGE_VAL;  ///< [T] as RestWatch::calmSince(); infinite: not calm
  std::uint64_t bodyListUpdates = 0, pairSearches = 0, peakMemoryBytes = 0;
  std::vector<std::string> outputs;  ///< Names within the folder; any others are left out.

  /// Whether the run came to its end: tmax, extractor or rest.
  bool isFinished() const;
};
/// Largest memory that this process has had so far.
std::uint64_t peakMemoryBytes();
/// @throws IoError where the file is not there, ModelError where no run has written it
RunRecord readRunRecord(const std::string& path);
/// Record in the text of a run.json.
RunRecord runRecord(const std::string& content, const std::string& path);
/// Record of the run that left its files in `folder`; an empty one where there is none.
RunRecord earlierRun(const std::string& folder);
std::string runJson(const RunRecord& record);
/// The text that `--done` writes of a run.
std::string doneText(const RunRecord& record);
/// Whether `file`, by whatever path or link, is an output of the run.
bool isOutput(const std::string& file, const RunRecord& record);

/// Adds what the run beside a track says of it: the body, and whether it left the ground at last.
void completeTrack(Track& track, const std::string& file);

struct RunSummary {
  RunRecord record;         ///< as the folder holds it
  std::uint64_t steps = 0;  ///< made in this call
  double wallSeconds = 0.0;
  /// Where to resume the run; where it is done, its last state if between two conf-files; else "".
  std::string restartFile;
};

/// Why the results of a run cannot be used; empty: nothing is known against them. The energy
/// residual was above `RunQuality::largestResidual`, not where a Tempo or the rules of the run keep
/// the budget open. Or all free bodies fall for ever at the end of the run.
std::string faultOf(const Simulation& simulation, const RunQuality& quality, bool ended);

/// Runs the simulation to its end, or until it is stopped, and writes all outputs of a run:
/// - The files conf<N> or conf<N>.zst, each `interConf`. A file of the same number in the other
///   form is then removed.
/// - The tables kineticEnergy.txt, staticBalance.txt, perf.txt and energy.txt, and run.json.
/// - The state restart.conf, as a checkpoint during the run. It stays where the run was stopped
///   before its end or ends between two conf-files.
///
/// The page docs/tools/rockable.md lists the columns.
///
/// Whatever ends the process, the folder then holds whole files. A run that is resumed leaves the
/// files of one that never stopped.
/// @throws IoError where an output exists that no earlier run of this folder has written. Also
/// where the folder holds an unfinished run or one of another input, or another run writes there.
RunSummary run(Simulation& simulation, const RunOptions& options);

/// @throws IoError where an output of the run has the name of an input, or the run cannot write it.
/// A conf-file or restart.conf from which the run begins may go. ParseError for a table that the
/// run cannot make, ModelError where a table of a resumed run has other columns now, or where
/// conf-files cannot name the shape-file from their folder.
void checkOutputs(const RunOptions& options, const Simulation& simulation);

/// A call that goes on with the run in a folder.
struct ResumeRequest {
  std::string conf;                   ///< the conf-file that is named now; - is standard input
  bool compat = false;                ///< requested; a run goes on with the mechanics it began with
  std::optional<std::uint64_t> seed;  ///< the one given
};

/// Replaces `conf` by the newest state in the folder, with tmax and interConf of `conf`, and sets
/// how `run` begins: resumed, or again from `conf` where there is no such state. The rules follow
/// from `run.earlier`, the record of the run in the folder.
/// @returns false where the run came to its end, and that is no earlier than tmax
/// @throws ModelError where the run cannot be one of `conf`, nor of the request
bool continueRun(Conf& conf, RunOptions& run, const ResumeRequest& request,
                 Diagnostics& diagnostics);

/// The inputs of a resumed run are those that it began with; `run` has those of this call. Warns
/// where shapes, or the tables that are requested, are others now.
void keepInputs(RunOptions& run, double time, Diagnostics& diagnostics);

}  // namespace scree::sim

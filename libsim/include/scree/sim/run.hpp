// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
#include <optional>
#include <string>
#include <vector>

namespace scree::sim {

/// Number of steps from t to the first one that reaches tmax: ceil((tmax - t)/dt - 1e-6), at least
/// 0.
std::uint64_t stepsUntil(double t, double tmax, double dt);

/// The relation of a run to the files that an earlier one has left in its folder. With none of the
/// three flags the folder must hold no unfinished run.
struct RunStart {
  bool resumed = false;  ///< Continues from the folder's files, appends to tables.
  /// Starts from a conf-file that an earlier run has left in the folder. Outputs up to that state
  /// stay, and tables are appended to. Outputs of later states are removed.
  bool continues = false;
  bool beginsAgain = false;  ///< The unfinished run of the same input in this folder is removed.
  /// Where resumed: number and step of the conf-file from which the run started.
  int firstConf = 0;
  std::uint64_t firstStep = 0;
  /// Where resumed: the files that this call has read, the conf-file first; never overwritten.
  std::vector<InputFile> resumedWith;
};

struct RunOptions {
  std::string folder = ".";       ///< where outputs go
  std::string input;              ///< the conf-file that was named
  std::vector<InputFile> inputs;  ///< all that the run depends on; never overwritten
  RunStart start;
  std::string doneFile;  ///< The caller writes it last, see doneText(); "": none.
  Existing existing = Existing::refuse;

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

  Progress progress;
  /// Places of drivingSystem.txt; the first that exists counts. Read again at each conf-file, so
  /// that a user can steer a run by editing it.
  std::vector<std::string> drivingFiles;
  std::function<void(const std::string&)> tell;  ///< one line about what happened during the run
  std::vector<std::string> warnings;             ///< of the readers, for run.json
  std::optional<std::uint64_t> seed;             ///< of the commands that drew lots, for run.json
};

enum class RunEnd { tmax, stopped, extractor, rest };

struct RunSummary {
  RunEnd end = RunEnd::tmax;
  std::uint64_t steps = 0;  ///< made in this call
  double wallSeconds = 0.0;
  /// Where the run is to be resumed from, or, where it is done, the last state if that lies between
  /// two conf-files; else empty.
  std::string restartFile;
  /// RunEnd::extractor: what an extractor ended the run for; RunEnd::rest: the ratios of rest
  std::string endedBy;
  std::optional<RestRatios> rest;  ///< with RunOptions::rest, when they were last computed
  RunQuality quality;              ///< Since the start of the run, resumed or not.
  /// Problems found during the run, a sentence each: deep overlaps, bodies that pass into each
  /// other.
  std::vector<std::string> findings;
  std::string fault;  ///< as faultOf()
};

/// Why the results of a run cannot be used; empty: nothing is known against them. The energy
/// residual was above `RunQuality::largestResidual` (not where a Tempo or the rules of the run keep
/// the budget open), or the run came to tmax and all its free bodies fall for ever.
std::string faultOf(const Simulation& simulation, const RunQuality& quality, bool ended);

/// Runs the simulation to its end, or until it is stopped, and writes all outputs of a run:
/// - The files conf<N> or conf<N>.zst, each `interConf`. A file of the same number in the other
///   form is then removed.
/// - The tables kineticEnergy.txt, staticBalance.txt, perf.txt and checkplots.txt, and run.json.
/// - The state restart.conf, as a checkpoint during the run. It stays where the run was stopped
///   before its end or ends between two conf-files.
///
/// The page docs/tools/rockable.md lists the columns.
///
/// Whatever ends the process, the folder then holds whole files. A run that is resumed leaves the
/// files of one that never stopped.
/// @throws IoError where an output exists that no earlier run of this folder has written. Also
/// where the folder holds an unfinished run or a run of another input, or another run is writing
/// there.
RunSummary run(Simulation& simulation, const RunOptions& options);

/// Whether this `RunRecord::status` is that of a run that came to its end: tmax, extractor, rest.
bool isFinished(const std::string& status);

/// The event that ends a run before tmax.
struct Ending {
  std::string by;             ///< "": nothing has
  RunEnd how = RunEnd::tmax;  ///< extractor or rest
  bool atRest = false;        ///< all bodies, or the one that an extractor follows
  std::uint64_t step = 0;     ///< since the start of the run
};

/// The contents of a run.json.
struct RunRecord {
  std::string path;                              ///< of the run.json; empty: there is none
  std::string input;                             ///< the conf-file that was named last
  std::string version;                           ///< of the program that ran
  std::string revision, compiler, architecture;  ///< of its build
  /// starting (outputs of an earlier run may still be there), running, tmax, extractor, rest,
  /// stopped, failed
  std::string status;
  Ending ending;
  std::string fault;  ///< as faultOf()
  RunQuality quality;
  RunSightings watch;
  std::vector<std::string> findings;  ///< lines about what went wrong
  std::string compat, stateHash;
  std::uint64_t steps = 0;            ///< since the start of the run
  std::optional<std::uint64_t> seed;  ///< of the commands that drew lots
  double time = 0.0, tmax = 0.0, interConf = 0.0;
  double calmSince = HUGE_VAL;  ///< [T] as RestWatch::calmSince(); infinite: not calm
  /// State hash of each conf-file that the run wrote, by its number.
  std::map<int, std::string> confHashes;
  std::vector<std::string> outputs;  ///< Names within the folder; any others are left out.
  std::vector<InputFile> inputs;     ///< paths as they are named from the current folder
  /// The conf-file that the run was last resumed with. An empty one: never.
  InputFile resumedWith;
  std::string doneFile;  ///< likewise, as RunOptions::doneFile
};
/// @throws IoError where the file is not there, ModelError where no run has written it
RunRecord readRunRecord(const std::string& path);
/// Record in the text of a run.json.
RunRecord runRecord(const std::string& content, const std::string& path);
/// Record of the run that left its files in `folder`; an empty one where there is none.
RunRecord earlierRun(const std::string& folder);
/// Whether `file`, by whatever path or link, is an output of the run.
bool isOutput(const std::string& file, const RunRecord& record);

/// The text that `--done` writes of a run.
std::string doneText(const RunRecord& record);

/// The conf-file in `folder` that a stopped run goes on from: the one with the latest time that
/// holds all digits. Empty where there is none, or where the run was killed before it began. A file
/// that looks like a state but cannot be read warns.
/// @param record   of the run that left its files there
/// @param threads  that read large files
std::string newestState(const std::string& folder, const RunRecord& record,
                        Diagnostics& diagnostics, int threads = 1);

/// @throws ParseError for a table that the run cannot write: of a body that does not exist, or
/// outside its folder. Also one under the name of an input or of a file of the run itself. IoError
/// where a link stands in place of a folder of a table.
void checkTables(const RunOptions& options, const Simulation& simulation);

/// @throws ModelError where a table of a resumed run has other columns than those requested now
void checkResumedTables(const RunOptions& options, const Simulation& simulation);

/// @throws IoError where an input stands under the name of a file that the run is going to write.
/// That may be a table, or a conf-file of any number up to the end. An input restart.conf may go.
/// Also where a folder, a pipe or a device stands under such a name.
void checkInputs(const RunOptions& options, const Simulation& simulation);

/// @throws ModelError if the conf-files of the run cannot name the shape-file from their folder
void checkShapeFile(const RunOptions& options, const Simulation& simulation);

/// @throws IoError where RunOptions::doneFile is an input, a file of the run itself, a folder, or
/// cannot be written. Also where it exists and neither this case has left it nor may it be replaced
void checkDoneFile(const RunOptions& options, const RunRecord& earlier);

}  // namespace scree::sim

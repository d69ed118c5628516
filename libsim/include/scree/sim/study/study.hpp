// SPDX-License-Identifier: GPL-3.0-or-later
// Studies: many runs of one case in which some values vary, as folders with scripts that run them.
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/table.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/transform.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace scree::sim {

/// A value that varies, or several that vary together.
struct Variation {
  std::vector<std::string> names;
  std::size_t points = 0;       ///< values that there are; 0: a distribution
  std::size_t coordinates = 1;  ///< numbers of a point of the unit cube that `at` takes
  std::function<std::vector<std::string>(std::span<const double>)> at;  ///< its values, as texts
};
/// Reads NAME=FROM:TO:N (N even steps, ends included), NAME=normal:M,S, NAME=uniform:A,B,
/// NAME=A,B,..., or FILE.csv (all columns but `run`).
/// @throws UsageError for another text
Variation variationFrom(const std::string& text);

enum class Plan { grid, random, sobol };

struct StudyPlan {
  std::vector<Variation> variations;
  std::optional<Plan> plan;          ///< empty: grid where no distribution varies, else random
  std::optional<std::int64_t> runs;  ///< empty: all points of the grid
  std::uint64_t seed = 1;
};
/// The runs of a plan, a row of texts each: `run` (0001, ...), `seed`, and the values by name.
///
/// Grid: all combinations, the last variation fastest. Random: each run has a stream of its own.
/// Sobol: the points of that sequence (S. Joe and F. Y. Kuo, SIAM J. Sci. Comput. 30, 2635-2654,
/// 2008), their digits shifted at random. In both of these a value of a list is drawn, and more
/// runs leave the first ones as they are. Seeds, unless they vary, are whole numbers up to 2^53.
/// @throws UsageError for a name that stands twice, for a grid with distributions or another number
/// of runs than points, for no runs or more than a million
Table runsOf(const StudyPlan& plan);

/// The texts of a case, in which `@name@` stands for a value of a run.
struct StudyCase {
  std::string folder;                          ///< names in the conf-file are looked up there
  std::string conf;                            ///< name of the conf-file
  std::map<std::string, std::string> files{};  ///< it, drivingSystem.txt, dataExtractors.txt
  /// Text of the shape-file that it names; empty: it is copied from where that leads to.
  std::string shapes{};
  std::vector<std::string> reasons{};  ///< for values that were chosen, a line each
};
/// Reads the case of a conf-file, or of conf0 in a folder. @throws IoError
StudyCase readStudyCase(const std::string& path);

struct StudyOptions {
  std::string folder;
  bool append = false;             ///< runs of a study that is there stay as they are
  std::string collect = "runout";  ///< kind of `extract` with its options, as a shell takes them
  std::string program, command;    ///< for the comment lines of runs.csv
  int threads = 1;
};
/// Writes the folders of all runs: the conf-file and what stands beside it. Shape-files are shared,
/// in `shapes`. Adds scripts, and runs.csv as the last file.
///
/// A value stands where the case has its mark `@name@`. Without a mark, the name is that of lines
/// of the conf-file, with the groups that follow: `dt`, `gravity`, `density:1`, `muContact:0-1`, or
/// `muContact` for all its lines. Seeds go to `rockable`. All files are read before one is written.
/// @returns how many runs were there before
/// @throws UsageError for a name that is none of these; ModelError naming the run that cannot be
/// read; IoError where the folder is there, or holds other runs
std::size_t writeStudy(StudyCase study, const Table& runs, const StudyOptions& options,
                       Diagnostics& diagnostics);
/// Names and texts of the scripts that run a study.
/// @param conf  name of the conf-file in the folder of each run
std::vector<std::pair<std::string, std::string>> studyScripts(const std::string& conf,
                                                              const std::string& collect);

/// How far the runs of a study have come.
struct StudyStatus {
  std::size_t runs = 0, done = 0, running = 0, stopped = 0, failed = 0, waiting = 0;
  /// [s] of processor time that is left, by the mean of the runs that are done; nan without one.
  double secondsLeft = 0.0;
  std::vector<std::string> failures;  ///< a line for each run that failed
};
/// Reads runs.csv and the records of the runs. A run counts as running where its newest file is
/// younger than 400 s (checkpoints are 300 s apart), else as stopped. @throws IoError
StudyStatus studyStatus(const std::string& folder);

/// Vectors or orientations of an option: numbers between commas, or a table with columns `names`.
/// Vectors also `box:X1,Y1,Z1,X2,Y2,Z2`, where they are uniform. Orientations (scalar first) also
/// their number, that many uniform on the rotations, or `random`, another one in each run.
/// @param names  x y z, vx vy vz, or qw qx qy qz
Variation valuesFrom(const std::string& option, const std::string& text,
                     const std::vector<std::string>& names, std::uint64_t seed);

/// The case of releases of a surveyed body on the driven bodies of `terrain`, completed for the one
/// that lands fastest, with marks for what varies. The body is in group 1.
/// @param above  [L] height of the drop, from which y of the runs follows; empty: it stays
/// @throws ModelError for a run whose body is not above the terrain, or touches it
StudyCase releaseCase(const shape::Shape& body, std::optional<double> above, const Scene& terrain,
                      Table& runs, const PackSettings& settings, Diagnostics& diagnostics);

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/sim/measure/table.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

struct DiffOptions {
  std::string a, b;        ///< two conf-files, or two folders of runs
  double tolerance = 0.0;  ///< relative; 0: to the bit.
  /// Only what differs first. Between two runs, also the step at which that is, found by running
  /// both again from the last conf-file in which they agree.
  bool first = false;
  int threads = 1;
};

struct DiffOutcome {
  std::vector<sim::Row> rows;      ///< of differenceColumns()
  std::uint64_t stepsRerun = 0;    ///< of each run, with `first`
  std::size_t compared = 0;        ///< pairs of files
  std::vector<std::string> alone;  ///< files that one run alone has
};

/// Compares two conf-files, or those of two runs by their numbers.
/// @throws IoError, ParseError as the readers
/// @throws UsageError where a is a folder and b is none
/// @throws ModelError where two runs have no number in common, or differ from the first file on and
/// `first` is requested
DiffOutcome diff(const DiffOptions& options, Diagnostics& diagnostics);

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kind.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

/// How a series of conf-files was measured.
struct SeriesOutcome {
  std::size_t measured = 0;
  std::vector<std::string> damaged;  ///< one line for each file that could not be measured
  bool ofMachine = false;  ///< one of them failed to be read, or memory ran out: exit code 4

  void add(const SeriesOutcome& more);  ///< of files that follow
};

struct SeriesOptions {
  int threads = 1;
  std::function<bool(double)> skip;  ///< whether a file of this time is passed over; empty: none is
  std::vector<std::string> written;  ///< files that must be no inputs
  bool throwAlone = true;  ///< a single file that cannot be measured ends it with its error
  Progress progress;
};

/// Measures `files` and hands the rows of each kind to `take`, in the order of the files, whatever
/// the number of threads. One file a thread is in memory.
///
/// A file that cannot be read or measured is passed over and named in the outcome. If it is the
/// only one and `throwAlone` is set, its error is thrown.
/// @throws UsageError where a conf-file or its shape-file is among those `written`
SeriesOutcome measureSeries(
    const std::vector<const Kind*>& kinds, const std::vector<std::string>& files,
    const SeriesOptions& options, Diagnostics& diagnostics,
    const std::function<void(std::size_t kind, std::vector<sim::Row>)>& take);

}  // namespace scree::tools

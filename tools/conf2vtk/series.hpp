// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "vtk/collection.hpp"

#include "scree/base/error.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// One conf-file of a series.
struct SeriesItem {
  std::string path;  ///< "-" for standard input
  std::string tag;   ///< what its pieces are called after: the number, on four digits at least
  std::string name;  ///< of the file, without folders
};

/// The files and folders of a command line, sorted by number, each `every`-th.
/// @throws UsageError for two files whose pieces would have one name, and for "-" beside others
std::vector<SeriesItem> seriesOf(const std::vector<std::string>& paths, int every);

/// What is odd about the times of a series, in the order of its files.
void reportTimes(const std::vector<SeriesItem>& items, const std::vector<double>& times,
                 Diagnostics& diagnostics);

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inputs.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/model/conf.hpp"

#include <cmath>
#include <string>
#include <vector>

namespace scree::tools {

/// One conf-file of a series.
struct SeriesItem {
  std::string path;  ///< "-" for standard input
  std::string tag;   ///< what its pieces are called after: the number, on four digits at least
  std::string name;  ///< of the file, without folders
};

/// The files of a series that are wanted.
struct Span {
  double from = -HUGE_VAL, to = HUGE_VAL;  ///< [T] both included
  int every = 1;                           ///< each N-th of those in the span
  bool whole() const { return from == -HUGE_VAL && to == HUGE_VAL; }
};

/// The files and folders of a command line, sorted by number, as far as `span` wants them. A
/// damaged file without a time stays.
/// @param failures  gets a message for each file whose time could not be read
/// @throws UsageError for "-" beside others, IoError for a path that does not exist, ModelError
/// where two files have one number
std::vector<SeriesItem> seriesOf(const std::vector<std::string>& paths, const Span& span,
                                 FileFailures& failures);

/// A conf-file of a series, as far as that can be known whole. Other programs write in place, so a
/// file may end early.
/// @param like  a file of the series that was read before; null: none
/// @throws as sim::readConf; ParseError for a file that ends early; ModelError for one with fewer
/// bodies than `like`
struct ReadConf {
  sim::Conf conf;
  bool endsLine = false;
};
ReadConf readOfSeries(const SeriesItem& item, const ReadConf* like, Diagnostics& diagnostics);

}  // namespace scree::tools

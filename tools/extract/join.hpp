// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/sim/measure/table.hpp"

#include <string>
#include <vector>

namespace scree::tools {

struct JoinOptions {
  std::vector<std::string> tables;  ///< paths, in the order of the rows wanted
  std::string runs;                 ///< table with a row for each run; empty: looked up
};

struct JoinedTable {
  std::vector<sim::Column> columns;
  std::vector<sim::Row> rows;
  std::string runs;         ///< the table of runs in use; empty: none
  std::size_t missing = 0;  ///< runs that have no table
};

/// The tables of an ensemble as one: a first column `run`, their own columns, then those of
/// runs.csv for that run.
///
/// The run of a table is its column `run`. Else it is the folder it stands in where runs.csv has a
/// run of that name, else its own name without the ending. Names of digits compare as numbers, so
/// 0001 is run 1. The column has the text of runs.csv, or without it that of the table. A runs.csv
/// is looked up beside the first table, then up to two folders above. Its key is its column `run`,
/// else its first column. A column of it that stands in the tables, too, is named `run_NAME`.
/// @throws ModelError where tables have different columns, or where runs.csv has no row for a run,
/// or two
JoinedTable joinTables(const JoinOptions& options, Diagnostics& diagnostics);

}  // namespace scree::tools

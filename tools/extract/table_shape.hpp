// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/table.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// What the options `--add`, `--columns` and `--digits` make of the rows of a kind.
class TableShape {
 public:
  /// @param columns  of the kind
  /// @param add      NAME=VALUE each: a column with this value, last
  /// @param wanted   names with commas between them, in the order wanted; empty: all. Added columns
  ///                 that it does not name come last
  /// @param digits   significant digits of numbers except times; 0: as many as it takes
  /// @throws UsageError for a name that is there twice, or that is not there
  TableShape(std::vector<sim::Column> columns, const std::vector<std::string>& add,
             const std::string& wanted, int digits);

  const std::vector<sim::Column>& columns() const { return columns_; }
  /// Those of columns() that `wanted` names; they come first.
  std::vector<sim::Column> named() const {
    return {columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(named_)};
  }
  /// A row of the table from one of the kind.
  sim::Row operator()(sim::Row row) const;

 private:
  std::vector<sim::Column> columns_;
  std::vector<sim::Cell> added_;
  std::vector<std::size_t> order_;  ///< which cells, of the kind and then added; empty: all
  std::size_t named_ = 0;
  int digits_;
};

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "read_table.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::tools {

struct ExceedanceOptions {
  std::string of;              ///< column of the quantity
  std::string by;              ///< column with a curve for each of its values; empty: one curve
  std::string together;        ///< rows of one value of it are one draw; empty: each row is one
  std::vector<double> levels;  ///< empty: each value that occurs, `bins` even steps with `bins` > 0
  std::int64_t bins = 0;
};

/// Share of an ensemble in which a quantity exceeds a level, with its standard error.
///
/// P(x) = K/N for K of N rows above x. Rows are independent draws, or come in C draws of n_c rows
/// with k_c above x (`together`). The variance is then C/(C-1) Σ (k_c - P n_c)²/N², which is
/// P(1-P)/(N-1) for draws of one row. Rows whose quantity is nan do not count.
/// Source: W. G. Cochran, Sampling Techniques, 3rd ed., Wiley 1977, sections 2.5 and 3.12.
class Exceedance {
 public:
  explicit Exceedance(const ExceedanceOptions& options) : options_(options) {}
  /// @param table  for the unit of the quantity
  std::vector<sim::Column> columns(const ReadTable& table) const;
  /// Rows of a curve by rising level, curve by curve in the order of their first rows.
  /// @throws ModelError where a column is missing or holds words
  std::vector<sim::Row> rows(const ReadTable& table) const;

 private:
  ExceedanceOptions options_;
};

}  // namespace scree::tools

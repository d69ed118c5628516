// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of extract's kinds in memory, for tests.
#pragma once

#include "scree/sim/measure/kinds.hpp"

#include <map>
#include <string>
#include <vector>

namespace scree::testing {

/// The table of a kind, as numbers by the names of columns.
struct KindTable : Table {
  KindTable(const std::string& kind, const std::vector<const sim::Instant*>& series,
            const std::map<std::string, std::string>& options = {})
      : Table(sim::measured(kind, options, series)) {}
  double operator()(std::size_t row, const std::string& column) const {
    return number(row, column);
  }
};

}  // namespace scree::testing

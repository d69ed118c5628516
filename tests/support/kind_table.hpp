// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of extract's kinds in memory, for tests.
#pragma once

#include "catch.hpp"
#include "kind.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace scree::testing {

/// The table of a kind, as numbers by the names of columns.
struct Table {
  std::vector<std::string> names;
  std::vector<sim::Row> rows;

  Table(const std::string& name, const std::vector<const sim::Instant*>& series,
        const std::map<std::string, std::string>& options = {}) {
    const auto& all = tools::allKinds();
    const auto entry = std::ranges::find(all, name, &tools::KindEntry::name);
    REQUIRE(entry != all.end());
    const auto kind = entry->make(tools::KindOptions(options));
    for (const sim::Column& c : kind->columns()) names.push_back(c.name);
    const auto joiner = kind->joiner();
    for (const sim::Instant* instant : series) {
      const std::vector<sim::Row> own = kind->rows(*instant);
      if (joiner)
        joiner->take(own);
      else
        rows.insert(rows.end(), own.begin(), own.end());
    }
    if (joiner) rows = joiner->table();
    for (const sim::Row& row : rows) REQUIRE(row.size() == names.size());
  }
  double operator()(std::size_t row, const std::string& column) const {
    const auto at = std::ranges::find(names, column);
    REQUIRE(at != names.end());
    const sim::Cell& cell = rows.at(row)[static_cast<std::size_t>(at - names.begin())];
    if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
    return std::get<double>(cell);
  }
};

}  // namespace scree::testing

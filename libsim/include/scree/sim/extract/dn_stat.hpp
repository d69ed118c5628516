// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/extract/table.hpp"
#include "scree/sim/measure/snapshot.hpp"

#include <string_view>
#include <vector>

namespace scree::sim {

/// The gaps of all contacts, those with boundaries too, and bonds that act: extremes, means,
/// counts, and where the deepest overlap is. What there is nothing to tell of is nan.
struct DnStat {
  static constexpr std::string_view name = "dnStat";
  static constexpr bool needsShapes = false;

  static std::vector<Column> columns();
  Row row(const Snapshot& s) const;
};

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/extract/table.hpp"
#include "scree/sim/measure/snapshot.hpp"

#include <string_view>
#include <vector>

namespace scree::sim {

/// The contacts between two bodies: how many of each pairing, and each with its share of the force.
/// A row a contact, the counts repeated; one row without a contact where the two do not touch.
struct DuoBalance {
  static constexpr std::string_view name = "DuoBalance";
  static constexpr bool needsShapes = false;

  BodyId i = 0, j = 0;

  static std::vector<Column> columns();
  std::vector<Row> rows(const Snapshot& s) const;
};

}  // namespace scree::sim

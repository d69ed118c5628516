// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/extract/table.hpp"
#include "scree/sim/measure/snapshot.hpp"

#include <string_view>
#include <vector>

namespace scree::sim {

/// Mean speed of all bodies, driven ones included.
struct MeanVelocity {
  static constexpr std::string_view name = "MeanVelocity";
  static constexpr bool needsShapes = false;

  static std::vector<Column> columns();
  Row row(const Snapshot& s) const;
};

}  // namespace scree::sim

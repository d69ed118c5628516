// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/extract/table.hpp"
#include "scree/sim/measure/snapshot.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace scree::sim {

/// The axis-aligned box around all bodies of one cluster, driven ones included, rounding included;
/// nan where the cluster has no body.
struct ClusterAABB {
  static constexpr std::string_view name = "ClusterAABB";
  static constexpr bool needsShapes = true;

  std::int32_t cluster = 0;

  static std::vector<Column> columns();
  Row row(const Snapshot& s) const;
};

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/extract/table.hpp"
#include "scree/sim/measure/snapshot.hpp"

#include <string_view>
#include <vector>

namespace scree::sim {

/// Area of the interfaces that have broken over that of all at the start, 0 to 1; nan where nothing
/// is bonded, or where a file does not tell areas.
struct TrackDamage {
  static constexpr std::string_view name = "TrackDamage";
  static constexpr bool needsShapes = false;

  static std::vector<Column> columns();
  Row row(const Snapshot& s) const;
};

}  // namespace scree::sim

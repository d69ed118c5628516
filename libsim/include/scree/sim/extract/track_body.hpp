// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/extract/table.hpp"
#include "scree/sim/measure/snapshot.hpp"

#include <string_view>
#include <vector>

namespace scree::sim {

/// The motion of one body and the forces of its contacts: 20 columns.
///
/// Force and moment (about the centre of mass, global axes) are those of `sumOfActions`: contacts,
/// bonds, round walls, joints and BodyForce, without gravity and without loads that a drive
/// imposes.
struct TrackBody {
  static constexpr std::string_view name = "TrackBody";
  static constexpr bool needsShapes = false;

  BodyId body = 0;

  static std::vector<Column> columns();
  /// @throws ModelError naming file and count if there is no such body
  Row row(const Snapshot& s) const;
};

}  // namespace scree::sim

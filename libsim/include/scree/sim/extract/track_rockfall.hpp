// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/extract/track_body.hpp"

namespace scree::sim {

/// TrackBody for a block that falls down a slope. In a run it also ends the run: once the block has
/// come to rest, or has left the slope.
struct TrackRockfall {
  static constexpr std::string_view name = "TrackRockfall";
  static constexpr bool needsShapes = false;

  BodyId body = 0;
  double restSpeed = 0.0;  ///< [L/T] slower than this, and
  double restSpin = 0.0;   ///< [1/T] turning slower than this, the block rests

  static std::vector<Column> columns() { return TrackBody::columns(); }
  Row row(const Snapshot& s) const { return TrackBody{body}.row(s); }

  /// Whether a block of this motion rests. A block let go at rest is given the time that gravity
  /// takes to bring it to `restSpeed`.
  /// @param elapsed  [T] since the start of the run
  /// @param gravity  [L/T²] > 0, or 0
  bool rests(const Vec3& vel, const Vec3& spin, double elapsed, double gravity) const;
};

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cstdint>

namespace scree::sim {

/// A round wall around all bodies: a ball or an endless cylinder, at rest.
struct Boundary {
  enum class Kind : std::uint8_t { ball, cylinder };
  Kind kind = Kind::ball;
  Vec3 centre = Vec3::Zero();  ///< [L]; of a cylinder, a point of its axis
  Vec3 axis = Vec3::UnitZ();   ///< unit, of a cylinder
  double radius = 0.0;         ///< [L]
  std::uint32_t group = 0;     ///< row and column of the parameter tables

  /// From the centre, or from the axis, to a point.
  Vec3 outwards(const Vec3& x) const {
    const Vec3 d = x - centre;
    return kind == Kind::ball ? d : Vec3(d - d.dot(axis) * axis);
  }
};

/// A vertex that touches a boundary, with what its contact carries from step to step.
struct BoundaryTouch {
  std::uint32_t boundary = 0, body = 0, vertex = 0;
  double dn = 0.0;          ///< [L] gap, < 0
  double fn = 0.0;          ///< [F] on the body along the inward normal
  Vec3 ft = Vec3::Zero();   ///< [F] on the body, across it
  Vec3 mom = Vec3::Zero();  ///< [F L] on the body
  Vec3 vel = Vec3::Zero();  ///< [L/T] of the boundary relative to the body
};

}  // namespace scree::sim

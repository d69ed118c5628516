// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace scree::sim {

// Forces on all bodies that are not driven: keyword BodyForce. Of several lines the last one
// counts.

/// Pulls towards a point with an acceleration of constant size: force m a along unit(point - x).
struct AttractingPoint {
  Vec3 point = Vec3::Zero();  ///< [L]
  double acceleration = 0.0;  ///< [L/T²] > 0: towards the point
};
/// Turns the axis `bodyAxis` of each body into the line of `axis`, whichever way round is nearer: a
/// moment in proportion to the angle between them, `maxMoment` at a right angle.
struct PreferredDirection {
  Vec3 bodyAxis = Vec3::UnitX(), axis = Vec3::UnitX();  ///< of any length; body frame, global
  double maxMoment = 0.0;                               ///< [F L]
};
/// Drag of a fluid at rest: -1/2 ρ C A |v| v with C = 0.47 and A = V^(2/3), V the body's volume.
struct ViscousFluid {
  double density = 0.0;  ///< [M/L³]
};
using BodyForce = std::variant<AttractingPoint, PreferredDirection, ViscousFluid>;

/// A spring between a point of one body and a point of another: keyword initSpringJoint. It pulls
/// and pushes along the line between the two points.
struct SpringJoint {
  std::uint32_t i = 0, j = 0;
  Vec3 onI = Vec3::Zero(), onJ = Vec3::Zero();  ///< [L] in the body frames, without homothety
  double stiffness = 0.0;                       ///< [F/L] >= 0
  double restLength = -1.0;                     ///< [L]; < 0: the length at the start
};

}  // namespace scree::sim

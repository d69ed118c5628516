// SPDX-License-Identifier: GPL-3.0-or-later
// Two balls as parts of a simulation see them, without a simulation.
#pragma once

#include "lone_bodies.hpp"

namespace scree::sim {

/// Balls of radius 1/2 and mass 2 that rest at the origin, without gravity.
struct BallPair : LoneBodies {
  BallPair() : LoneBodies(2) {}
  void stand(const Vec3& a, const Vec3& b) {
    setPos(0, a);
    setPos(1, b);
  }
};

}  // namespace scree::sim

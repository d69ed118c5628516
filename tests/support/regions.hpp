// SPDX-License-Identifier: GPL-3.0-or-later
// Round regions with ends, whose parts of bodies have closed forms.
#pragma once

#include "scree/sim/measure/domain.hpp"

namespace scree::scenes {

inline sim::Region sphereRegion(const Vec3& centre, double radius) {
  sim::Region r;
  r.round = sim::Round{true, centre, Vec3::UnitZ(), radius};
  return r;
}

/// @param from  [L] the centres of the two ends
inline sim::Region cylinderRegion(const Vec3& from, const Vec3& to, double radius) {
  sim::Region r;
  const Vec3 axis = (to - from).normalized();
  r.round = sim::Round{false, from, axis, radius};
  r.planes = {{axis, axis.dot(to)}, {-axis, -axis.dot(from)}};
  return r;
}

}  // namespace scree::scenes

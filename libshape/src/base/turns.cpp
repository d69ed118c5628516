// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/math.hpp"

namespace scree {

// Eigen's function for this finds the axis of a half turn by a singular value decomposition. Each
// unit that names it takes 15 s longer to compile.
Quat shortestTurn(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.stableNormalized(), b = to.stableNormalized();
  const Vec3 sum = a + b;
  const double length = sum.norm();
  const bool opposite = length < 1e-15;
  // A turn by twice the angle between `a` and the direction halfway.
  const Vec3 halfway = opposite ? Vec3(a.unitOrthogonal()) : Vec3(sum / length);
  const Vec3 axis = a.cross(halfway);
  return Quat(opposite ? 0.0 : a.dot(halfway), axis.x(), axis.y(), axis.z()).normalized();
}

}  // namespace scree

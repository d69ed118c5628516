// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/surroundings.hpp"

#include <cmath>

namespace scree::sim {

void Boundary::setAngle(double degrees) {
  angle = degrees;
  sine = sinOfTurns(degrees / 360.0);
  cosine = cosOfTurns(degrees / 360.0);
}

/// In the half plane of the axis and the point, the solid is what lies outside of the cone and,
/// with an outlet, above the plane of its rim.
double Boundary::coneDistance(const Vec3& x, Vec3& inwards) const {
  const Vec3 d = x - centre;
  const double along = d.dot(axis);
  const Vec3 out = d - along * axis;
  const double across = out.norm();
  const Vec3 outUnit = across > 0.0 ? Vec3(out / across) : Vec3(Vec3::Zero());
  if (radius > 0.0) {
    const double rim = radius * cosine / sine;  // height of the outlet above the apex
    if (along < rim && across >= radius) {      // below the wall
      inwards = -axis;
      return rim - along;
    }
    if (along * cosine + across * sine < rim / cosine) {  // nearest to the rim
      const double up = along - rim, side = across - radius;
      const double far = std::sqrt(up * up + side * side);
      if (far > 0.0) inwards = (up / far) * axis + (side / far) * outUnit;
      return far;
    }
  }
  inwards = across > 0.0 ? Vec3(sine * axis - cosine * outUnit) : axis;
  return along * sine - across * cosine;
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/surroundings.hpp"

#include <cmath>

namespace scree::sim {
namespace {

/// Take the half plane of the axis and one side of the cone. The solid there is what lies outside
/// of the cone and, with an outlet, above the plane of its rim. A point is at the distance `across`
/// from the axis towards that side, below 0 where it is beyond the axis.
double sideDistance(const Boundary& cone, double along, double across, const Vec3& outUnit,
                    Vec3& inwards) {
  if (cone.radius > 0.0) {
    const double rim = cone.radius * cone.cosine / cone.sine;  // height of the outlet over the apex
    if (along < rim && across >= cone.radius) {                // below the wall
      inwards = -cone.axis;
      return rim - along;
    }
    if (along * cone.cosine + across * cone.sine < rim / cone.cosine) {  // nearest to the rim
      const double up = along - rim, side = across - cone.radius;
      const double far = std::sqrt(up * up + side * side);
      if (far > 0.0) inwards = (up / far) * cone.axis + (side / far) * outUnit;
      return far;
    }
  }
  inwards = cone.sine * cone.axis - cone.cosine * outUnit;
  return along * cone.sine - across * cone.cosine;
}

}  // namespace

void Boundary::setAngle(double degrees) {
  angle = degrees;
  sine = sinOfTurns(degrees / 360.0);
  cosine = cosOfTurns(degrees / 360.0);
}

double Boundary::coneDistance(const Vec3& x, Vec3& inwards) const {
  const double along = (x - centre).dot(axis);
  const Vec3 out = outwards(x);
  const double across = out.norm();
  const double distance =
      sideDistance(*this, along, across, across > 0.0 ? Vec3(out / across) : Vec3(out), inwards);
  if (!(across > 0.0)) inwards = axis;
  return distance;
}

double farSideOfCone(const Boundary& cone, const Vec3& x, Vec3& inwards) {
  const Vec3 out = cone.outwards(x);
  const double across = out.norm();
  if (!(across > 0.0)) return HUGE_VAL;
  return sideDistance(cone, (x - cone.centre).dot(cone.axis), -across, out / -across, inwards);
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/body_forces.hpp"

#include "scree/base/math.hpp"

namespace scree::sim {
namespace {

/// Drag coefficient of a sphere, at the Reynolds numbers of rocks in water.
constexpr double dragCoefficient = 0.47;

struct On {
  const Bodies& bodies;
  std::size_t k;
  double area;
  Drag drag;

  ForceAndMoment operator()(const AttractingPoint& a) const {
    const Vec3 way = a.point - bodies.pos[k];
    const double distance = way.norm();
    if (distance == 0.0) return {};
    return {way * (bodies.mass[k] * a.acceleration / distance), Vec3::Zero()};
  }
  ForceAndMoment operator()(const PreferredDirection& p) const {
    const Vec3 has = rotated(bodies.q[k], p.bodyAxis), normal = p.axis.cross(has);
    const double sine = normal.norm(), cosine = p.axis.dot(has);
    if (sine == 0.0) return {};
    // Lengths of the two axes drop out of the angle and of the direction.
    // The angle is that to the nearer end of the line.
    const double angle = portableAtan2(sine, std::abs(cosine));
    const double size = 2.0 * p.maxMoment / pi * angle / sine;
    return {Vec3::Zero(), cosine >= 0.0 ? Vec3(-size * normal) : Vec3(size * normal)};
  }
  ForceAndMoment operator()(const ViscousFluid& f) const {
    const Vec3& v = bodies.vel[k];
    const double half = 0.5 * dragCoefficient * f.density * area;
    if (drag == Drag::components) return {half * v.cwiseProduct(v), Vec3::Zero()};
    return {-half * v.norm() * v, Vec3::Zero()};
  }
};

struct Ends {
  Vec3 armI, armJ, way;  ///< from the end on i to the end on j
};
Ends endsOf(const SpringJoint& s, const Bodies& b) {
  const Vec3 armI = rotated(b.q[s.i], s.onI), armJ = rotated(b.q[s.j], s.onJ);
  return {armI, armJ, (b.pos[s.j] - b.pos[s.i]) + (armJ - armI)};
}

}  // namespace

ForceAndMoment bodyForceOn(const BodyForce& bodyForce, const Bodies& bodies, std::size_t k,
                           double area, Drag drag) {
  return std::visit(On{bodies, k, area, drag}, bodyForce);
}

void setRestLengths(std::span<SpringJoint> joints, const Bodies& bodies) {
  for (SpringJoint& s : joints)
    if (s.restLength < 0.0) s.restLength = endsOf(s, bodies).way.norm();
}

void addJointForces(std::span<const SpringJoint> joints, Bodies& bodies) {
  for (const SpringJoint& s : joints) {
    const Ends e = endsOf(s, bodies);
    const double length = e.way.norm();
    if (length == 0.0) continue;  // no direction to act along
    const Vec3 onI = e.way * (s.stiffness * (length - s.restLength) / length);
    bodies.force[s.i] += onI;
    bodies.force[s.j] -= onI;
    bodies.moment[s.i] += e.armI.cross(onI);
    bodies.moment[s.j] -= e.armJ.cross(onI);
  }
}

double jointEnergy(std::span<const SpringJoint> joints, const Bodies& bodies) {
  double sum = 0.0;
  for (const SpringJoint& s : joints) {
    const double stretch = endsOf(s, bodies).way.norm() - s.restLength;
    sum += 0.5 * s.stiffness * stretch * stretch;
  }
  return sum;
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/member_geometry.hpp"

#include "scree/base/error.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::clump {
namespace {

using MemberGroup = std::vector<std::uint32_t>;

shape::ConvexHull hullOfGroup(const PackParticle& particle, const MemberGroup& group) {
  std::vector<Vec3> corners;
  for (const std::uint32_t m : group)
    for (const Vec3& node : particle.members[m].nodes()) corners.push_back(node);
  return shape::convexHull(corners);
}

/// Whether tetrahedra fill their hull, and none overlaps another.
bool fillsHull(const PackParticle& particle, const MemberGroup& group) {
  const shape::ConvexHull hull = hullOfGroup(particle, group);
  if (hull.rank < 3) return false;
  const double whole = hull.volume();
  const Vec3 origin = hull.points.front();
  shape::Aabb box;
  for (const Vec3& p : hull.points) box.add(p);
  const double tolerance = std::max(1e-12 * whole, coordinateError(box) * hull.area());
  double sum = 0.0;
  std::vector<std::vector<Vec3>> solids;
  for (const std::uint32_t m : group) {
    const auto& n = particle.members[m].nodes();
    sum += std::fabs((n[1] - n[0]).dot((n[2] - n[0]).cross(n[3] - n[0]))) / 6.0;
    solids.push_back(n);
  }
  if (std::fabs(sum - whole) > tolerance) return false;
  try {
    return mass::polyhedronUnionMoments(solids, origin).m0 >= whole - tolerance;
  } catch (const GeometryError&) {
    return false;
  }
}

/// Consecutive tetrahedra of one rounding with the same first corner.
std::vector<MemberGroup> fans(const PackParticle& particle) {
  std::vector<MemberGroup> out;
  for (std::uint32_t k = 0; k < particle.members.size(); ++k) {
    const PackMember& m = particle.members[k];
    const bool tetra = m.kind() == MemberType::Kind::tetra;
    const PackMember* const last = out.empty() ? nullptr : &particle.members[out.back().back()];
    const bool same = tetra && last && last->kind() == m.kind() &&
                      last->rounding() == m.rounding() &&
                      last->nodes().front() == m.nodes().front();
    if (!same) out.emplace_back();
    out.back().push_back(k);
  }
  return out;
}

}  // namespace

double coordinateError(const shape::Aabb& box) {
  const double farOff = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).maxCoeff();
  return 8.0 * std::numeric_limits<double>::epsilon() * farOff;
}

std::vector<MemberGroup> pebblesOf(const PackParticle& particle) {
  std::vector<MemberGroup> out;
  for (const MemberGroup& group : fans(particle)) {
    if (group.size() == 1 || fillsHull(particle, group)) {
      out.push_back(group);
      continue;
    }
    for (const std::uint32_t m : group) out.push_back({m});
  }
  return out;
}

mass::Moments pebbleMoments(const PackParticle& particle, const MemberGroup& pebble,
                            const Vec3& origin, double& unsure) {
  const PackMember& first = particle.members[pebble.front()];
  if (pebble.size() == 1) return memberMoments(first, origin);
  std::vector<Vec3> corners;
  shape::Aabb box;
  for (const std::uint32_t k : pebble)
    for (const Vec3& node : particle.members[k].nodes()) {
      corners.push_back(node - origin);
      box.add(node);
    }
  const shape::ConvexHull hull = shape::convexHull(corners);
  // A layer below the surface. That of a convex body is smaller than that of its box.
  const Vec3 s = 2.0 * box.grown(first.rounding()).halfSize();
  const double surface = 2.0 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
  const double off = coordinateError(box);
  unsure += surface * (off + std::max(off, 1e-12 * hull.volume() / hull.area()));
  return mass::sweptHullMoments(hull, first.rounding());
}

mass::CertifiedBody pebbleBody(const PackParticle& particle) {
  mass::CertifiedBody body;
  for (const MemberGroup& group : pebblesOf(particle)) {
    const PackMember& first = particle.members[group.front()];
    if (first.kind() == MemberType::Kind::ellipsoid) {
      body.ellipsoids.push_back({first.centre, ellipsoidStretch(first)});
      continue;
    }
    std::vector<Vec3> points;
    mass::RoundedPart part;
    for (const std::uint32_t m : group)
      for (const Ball& ball : hullBalls(particle.members[m], Vec3::Zero())) {
        points.push_back(ball.centre);
        part.radius = ball.radius;
      }
    // A single one may be as thin as double precision allows.
    const shape::ConvexHull hull = shape::convexHull(points, group.size() > 1 ? 1e-12 : 0.0);
    if (hull.rank < 3 && part.radius == 0.0) continue;
    part.vertices = hull.points;
    part.solid = hull.rank == 3;
    if (hull.rank == 0) part.points = {0};
    if (hull.rank == 1) part.segments = {{0, 1}};
    part.triangles = shape::trianglesOf({hull.points, hull.faces});
    body.parts.push_back(std::move(part));
  }
  return body;
}

}  // namespace scree::clump

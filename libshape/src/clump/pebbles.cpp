// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/member_geometry.hpp"

#include "scree/base/error.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace scree::clump {
namespace {

using MemberGroup = std::vector<std::uint32_t>;
using Coordinates = std::array<double, 3>;

Coordinates coordinatesOf(const Vec3& v) { return {v.x() + 0.0, v.y() + 0.0, v.z() + 0.0}; }

std::array<Coordinates, 4> sortedCorners(const PackMember& tetra) {
  std::array<Coordinates, 4> corners;
  std::transform(tetra.nodes().begin(), tetra.nodes().end(), corners.begin(), coordinatesOf);
  std::sort(corners.begin(), corners.end());
  return corners;
}

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

/// Tetrahedra that share faces, directly or through others, and have the same rounding.
std::vector<MemberGroup> sharingFaces(const PackParticle& particle) {
  const auto& members = particle.members;
  std::vector<std::uint32_t> root(members.size());
  std::iota(root.begin(), root.end(), 0u);
  const auto rootOf = [&](std::uint32_t k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
  };
  std::map<std::array<Coordinates, 3>, std::uint32_t> faces;
  for (std::uint32_t k = 0; k < members.size(); ++k) {
    if (members[k].kind() != MemberType::Kind::tetra) continue;
    const std::array<Coordinates, 4> c = sortedCorners(members[k]);
    for (const auto& face : {std::array{c[0], c[1], c[2]}, std::array{c[0], c[1], c[3]},
                             std::array{c[0], c[2], c[3]}, std::array{c[1], c[2], c[3]}}) {
      const auto [at, added] = faces.try_emplace(face, k);
      if (added || members[at->second].rounding() != members[k].rounding()) continue;
      const std::uint32_t a = rootOf(at->second), b = rootOf(k);
      root[std::max(a, b)] = std::min(a, b);
    }
  }
  std::vector<MemberGroup> groups(members.size());
  for (std::uint32_t k = 0; k < members.size(); ++k) groups[rootOf(k)].push_back(k);
  std::erase_if(groups, [](const MemberGroup& g) { return g.empty(); });
  return groups;
}

/// Consecutive tetrahedra with the same first corner, none twice.
std::vector<MemberGroup> fans(const PackParticle& particle, const MemberGroup& group) {
  std::vector<MemberGroup> out;
  std::set<std::array<Coordinates, 4>> seen;
  for (const std::uint32_t m : group) {
    const auto& nodes = particle.members[m].nodes();
    const bool same = !out.empty() && out.back().back() + 1 == m &&
                      particle.members[m - 1].nodes().front() == nodes.front() &&
                      !seen.contains(sortedCorners(particle.members[m]));
    if (!same) {
      out.emplace_back();
      seen.clear();
    }
    out.back().push_back(m);
    seen.insert(sortedCorners(particle.members[m]));
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
  for (const MemberGroup& group : sharingFaces(particle)) {
    if (group.size() == 1) {
      out.push_back(group);
      continue;
    }
    const std::vector<MemberGroup> parts = fans(particle, group);
    std::vector<bool> convex(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k)
      convex[k] = parts[k].size() > 1 && fillsHull(particle, parts[k]);
    const bool all = std::all_of(convex.begin(), convex.end(), [](bool c) { return c; });
    if (!all && parts.size() > 1 && fillsHull(particle, group)) {
      out.push_back(group);
      continue;
    }
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (convex[k]) {
        out.push_back(parts[k]);
        continue;
      }
      for (const std::uint32_t m : parts[k]) out.push_back({m});
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

mass::CertifiedBody pebbleBody(const PackParticle& particle) {
  mass::CertifiedBody body;
  for (const MemberGroup& group : pebblesOf(particle)) {
    if (group.size() == 1) {
      PackParticle single;
      single.members = {particle.members[group.front()]};
      mass::CertifiedBody one = bodyOf(single);
      std::move(one.parts.begin(), one.parts.end(), std::back_inserter(body.parts));
      body.ellipsoids.insert(body.ellipsoids.end(), one.ellipsoids.begin(), one.ellipsoids.end());
      continue;
    }
    const shape::ConvexHull hull = hullOfGroup(particle, group);
    mass::RoundedPart part;
    part.vertices = hull.points;
    part.radius = particle.members[group.front()].rounding();
    part.solid = true;
    for (std::size_t f = 0; f < hull.faces.size(); ++f) {
      const auto corners = hull.faces[f];
      for (std::size_t k = 2; k < corners.size(); ++k)
        part.triangles.push_back({corners[0], corners[k - 1], corners[k]});
    }
    body.parts.push_back(std::move(part));
  }
  return body;
}

}  // namespace scree::clump

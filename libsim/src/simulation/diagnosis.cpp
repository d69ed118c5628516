// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/diagnosis.hpp"

#include "scree/shape/core.hpp"
#include "scree/sim/step/rigid_motion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace scree::sim {
namespace {

/// Beyond this a shape is a terrain or a scan, where the test of each corner costs too much.
constexpr std::size_t mostCorners = 300;

}  // namespace

double bodySize(const Bodies& bodies, const std::vector<shape::Shape>& shapes, std::size_t k) {
  return 2.0 * (bodies.reach[k] + bodies.homothety[k] * shapes[bodies.shape[k]].radius);
}

Overlaps overlapsOf(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  const auto& shapes = simulation.shapes();
  Overlaps result;
  for (const InteractionRecord& c : simulation.interactions()) {
    if (!(c.dn < 0.0)) continue;
    ++result.contacts;
    double size = std::numeric_limits<double>::infinity(), radii = 0.0;
    for (const BodyId k : {c.key.i, c.key.j}) {
      if (k >= b.driven) size = std::min(size, bodySize(b, shapes, k));
      radii += b.homothety[k] * shapes[b.shape[k]].radius;
    }
    if (!std::isfinite(size)) continue;  // two driven bodies
    const double share = -c.dn / size;
    result.deep += share > deepOverlap;
    // The skeletons of sharp bodies touch whenever the bodies do.
    result.nearlyThrough += radii > 0.0 && -c.dn > 0.9 * radii;
    if (share > result.worst) {
      result.worst = share;
      result.worstDepth = -c.dn;
      result.i = std::min(c.key.i, c.key.j);
      result.j = std::max(c.key.i, c.key.j);
    }
  }
  return result;
}

ConvexCores::ConvexCores(const std::vector<shape::Shape>& shapes) {
  for (const shape::Shape& s : shapes) {
    Solid solid;
    if (s.vertices.size() <= mostCorners) {
      const shape::Core core = shape::coreOf(s);
      solid.corners = core.hull.points;
      for (const Vec3& p : solid.corners) solid.size = std::max(solid.size, p.norm());
      if (core.convex && !s.isSurface && core.hull.rank == 3)
        for (std::size_t f = 0; f < core.hull.normals.size(); ++f) {
          const Vec3& corner = solid.corners[core.hull.faces[f][0]];
          solid.planes.push_back({core.hull.normals[f], core.hull.normals[f].dot(corner)});
        }
    }
    solids_.push_back(std::move(solid));
  }
}

bool ConvexCores::cornerInside(const Bodies& b, BodyId of, BodyId in) const {
  const Solid &tips = solids_[b.shape[of]], &solid = solids_[b.shape[in]];
  if (solid.planes.empty()) return false;
  const double h = b.homothety[in], slack = 1e-9 * solid.size;
  return std::any_of(tips.corners.begin(), tips.corners.end(), [&](const Vec3& tip) {
    const Vec3 p =
        turnedBack(b.q[in], b.pos[of] + rotated(b.q[of], b.homothety[of] * tip) - b.pos[in]) / h;
    return std::all_of(solid.planes.begin(), solid.planes.end(), [&](const Plane& plane) {
      return plane.normal.dot(p) < plane.offset - slack;
    });
  });
}

ConvexCores::Crossings ConvexCores::crossings(const Simulation& simulation) const {
  const Bodies& b = simulation.bodies();
  Crossings result;
  for (const PairRow& row : simulation.lists().contacts.rows) {
    if (!cornerInside(b, row.a, row.b) && !cornerInside(b, row.b, row.a)) continue;
    if (result.pairs++ == 0) {
      result.i = row.a;
      result.j = row.b;
    }
  }
  return result;
}

double shortestContactTime(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  struct Least {
    double first = infinity, second = infinity;  // masses of the two lightest
    std::size_t bodies = 0;
  };
  std::map<std::uint32_t, Least> groups;
  for (std::size_t k = 0; k < b.size(); ++k) {
    Least& least = groups[b.group[k]];
    const double mass = k < b.driven ? infinity : b.mass[k];
    ++least.bodies;
    least.second = std::min(least.second, std::max(mass, least.first));
    least.first = std::min(least.first, mass);
  }
  double shortest = infinity;
  for (const auto& [g1, a] : groups)
    for (const auto& [g2, c] : groups) {
      if (g1 == g2 && a.bodies < 2) continue;
      const double kn = simulation.input().lawParameter("knContact", g1, g2);
      const double inverse = 1.0 / a.first + 1.0 / (g1 == g2 ? a.second : c.first);
      if (kn > 0.0 && inverse > 0.0)
        shortest = std::min(shortest, pi * std::sqrt(1.0 / inverse / kn));
    }
  return shortest;
}

}  // namespace scree::sim

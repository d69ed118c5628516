// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/packing_info.hpp"

#include "scree/base/portable_math.hpp"
#include "scree/shape/hull.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree::sim {
namespace {

/// Points x with normal·x <= offset.
struct HalfSpace {
  Vec3 normal;    ///< unit
  double offset;  ///< [L]
};

Vec3 centreOfFree(const Bodies& bodies) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = bodies.driven; k < bodies.size(); ++k) sum += bodies.pos[k];
  return sum / static_cast<double>(std::max<std::size_t>(bodies.size() - bodies.driven, 1));
}

/// What driven bodies with a single flat face leave to the others.
std::vector<HalfSpace> plates(const Simulation& simulation, const Vec3& inside) {
  std::vector<HalfSpace> result;
  const Bodies& b = simulation.bodies();
  for (std::size_t k = 0; k < b.driven; ++k) {
    const shape::Shape& s = simulation.shapes()[b.shape[k]];
    if (s.faces.size() != 1) continue;
    std::vector<Vec3> corners;
    for (const std::uint32_t v : s.faces[0])
      corners.push_back(b.pos[k] + rotated(b.q[k], b.homothety[k] * s.vertices[v]));
    Vec3 normal = Vec3::Zero();
    for (std::size_t c = 1; c + 1 < corners.size(); ++c)
      normal += (corners[c] - corners[0]).cross(corners[c + 1] - corners[0]);
    if (!(normal.norm() > 0.0)) continue;
    normal.normalize();
    if (normal.dot(inside - corners[0]) > 0.0) normal = -normal;
    result.push_back({normal, normal.dot(corners[0]) - b.homothety[k] * s.radius});
  }
  return result;
}

/// Volume of the intersection; 0 where it is not bounded or does not hold `inside`.
///
/// The dual points n / (d - n·inside) have a hull whose faces are the corners of the intersection.
double volumeOf(const std::vector<HalfSpace>& spaces, const Vec3& inside) {
  std::vector<Vec3> dual;
  for (const HalfSpace& h : spaces) {
    const double distance = h.offset - h.normal.dot(inside);
    if (!(distance > 0.0)) return 0.0;
    dual.push_back(h.normal / distance);
  }
  if (dual.size() < 4) return 0.0;
  const shape::ConvexHull hull = shape::convexHull(dual);
  if (hull.rank < 3) return 0.0;
  std::vector<Vec3> corners;
  for (std::size_t f = 0; f < hull.normals.size(); ++f) {
    const double offset = hull.normals[f].dot(hull.points[hull.faces[f][0]]);
    if (!(offset > 1e-9 * hull.points[hull.faces[f][0]].norm())) return 0.0;  // not bounded
    corners.push_back(hull.normals[f] / offset);
  }
  const shape::ConvexHull body = shape::convexHull(corners);
  return body.rank == 3 ? body.volume() : 0.0;
}

/// 0 where the boundary and the planes enclose no volume that has a formula.
double volumeOf(const Boundary& boundary, const std::vector<HalfSpace>& spaces) {
  if (boundary.kind == Boundary::Kind::ball)
    return spaces.empty() ? 4.0 / 3.0 * pi * boundary.radius * boundary.radius * boundary.radius
                          : 0.0;
  double above = 1e300, below = 1e300;  // distances of the ends from the centre
  for (const HalfSpace& h : spaces) {
    const double along = h.normal.dot(boundary.axis);
    if (std::abs(std::abs(along) - 1.0) > 1e-9) return 0.0;
    double& end = along > 0.0 ? above : below;
    end = std::min(end, h.offset - h.normal.dot(boundary.centre));
  }
  const double length = above + below;
  return length > 0.0 && length < 1e299 ? pi * boundary.radius * boundary.radius * length : 0.0;
}

double hullVolume(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  std::vector<Vec3> points;
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    const shape::Shape& s = simulation.shapes()[b.shape[k]];
    // A ball of rounding by its six outermost points along the axes.
    for (const Vec3& v : s.vertices) {
      const Vec3 centre = b.pos[k] + rotated(b.q[k], b.homothety[k] * v);
      const double r = b.homothety[k] * s.radius;
      for (int axis = 0; axis < 3; ++axis)
        for (const double sign : {-1.0, 1.0})
          points.push_back(centre + sign * r * Vec3::Unit(axis));
    }
  }
  if (points.size() < 4) return 0.0;
  const shape::ConvexHull hull = shape::convexHull(points);
  return hull.rank == 3 ? hull.volume() : 0.0;
}

/// The pairs that touch, by numbers of the run; a boundary has a number beyond all bodies.
std::vector<std::pair<BodyId, BodyId>> touchingPairs(const Simulation& simulation) {
  std::vector<std::pair<BodyId, BodyId>> pairs;
  const Contacts& contacts = simulation.lists().contacts;
  for (const PairRow& row : contacts.rows) {
    bool any = false;
    contacts.forEachTouching(
        row, [&](std::uint32_t, const Candidate&, const ContactState&) { any = true; });
    if (any) pairs.emplace_back(row.a, row.b);
  }
  const auto n = static_cast<BodyId>(simulation.bodies().size());
  for (const BoundaryTouch& t : simulation.boundaryTouches())
    pairs.emplace_back(simulation.bodyOrder().body(t.body), n + t.boundary);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace

std::string_view nameOf(PackingSpace space) {
  switch (space) {
    case PackingSpace::cell:
      return "cell";
    case PackingSpace::walls:
      return "walls";
    default:
      return "hull";
  }
}

PackingVolume packingVolume(const Simulation& simulation) {
  const Conf& conf = simulation.input();
  if (conf.cell.used) return {PackingSpace::cell, std::abs(conf.cell.h.determinant())};
  const Vec3 inside = centreOfFree(simulation.bodies());
  const auto spaces = plates(simulation, inside);
  double volume = 0.0;
  if (conf.boundaries.empty())
    volume = volumeOf(spaces, inside);
  else if (conf.boundaries.size() == 1)
    volume = volumeOf(conf.boundaries[0], spaces);
  if (volume > 0.0) return {PackingSpace::walls, volume};
  return {PackingSpace::hull, hullVolume(simulation)};
}

Coordination coordinationOf(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  return coordinationOf(b.size(), b.driven, touchingPairs(simulation));
}

Coordination coordinationOf(std::size_t n, std::size_t driven,
                            std::span<const std::pair<BodyId, BodyId>> pairs) {
  const std::size_t free = n - driven;
  Coordination result;
  result.contacts = pairs.size();
  if (free == 0) return result;
  std::vector<std::uint32_t> count(n, 0);
  std::vector<std::vector<BodyId>> neighbours(n);
  for (const auto& [i, j] : pairs) {
    ++count[i];
    if (j < n) {
      ++count[j];
      neighbours[i].push_back(j);
      neighbours[j].push_back(i);
    }
  }
  const auto meanOf = [&](const std::vector<char>& out) {
    std::size_t sum = 0, bodies = 0;
    for (std::size_t k = driven; k < n; ++k)
      if (!out[k]) sum += count[k], ++bodies;
    return bodies > 0 ? static_cast<double>(sum) / static_cast<double>(bodies) : 0.0;
  };
  std::vector<char> rattles(n, 0);
  result.mean = meanOf(rattles);
  std::vector<BodyId> next;
  for (std::size_t k = driven; k < n; ++k)
    if (count[k] < 4) next.push_back(static_cast<BodyId>(k));
  while (!next.empty()) {
    const BodyId k = next.back();
    next.pop_back();
    if (rattles[k]) continue;
    rattles[k] = 1;
    ++result.rattlers;
    for (const BodyId j : neighbours[k])
      if (--count[j] < 4 && j >= driven && !rattles[j]) next.push_back(j);
  }
  result.withoutRattlers = meanOf(rattles);
  return result;
}

Grading gradingOf(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  std::vector<std::pair<double, double>> sizes;  // diameter, mass
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    const double h = b.homothety[k], volume = simulation.shapes()[b.shape[k]].volume;
    sizes.emplace_back(h * portablePow(6.0 / pi * volume, 1.0 / 3.0), b.mass[k]);
  }
  std::sort(sizes.begin(), sizes.end());
  Grading g;
  double total = 0.0;
  for (const auto& [d, m] : sizes) {
    g.diameters.push_back(d);
    g.masses.push_back(m);
    total += m;
  }
  if (sizes.empty()) return g;
  const auto quantile = [&](double share) {
    double sum = 0.0;
    for (const auto& [d, m] : sizes)
      if ((sum += m) >= share * total) return d;
    return sizes.back().first;
  };
  g.byMass = {sizes.front().first, quantile(0.1), quantile(0.3),     quantile(0.5),
              quantile(0.6),       quantile(0.9), sizes.back().first};
  return g;
}

PackingInfo packingInfo(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  PackingInfo info;
  info.bodies = b.size();
  info.driven = b.driven;
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    const double h = b.homothety[k];
    info.solidVolume += h * h * h * simulation.shapes()[b.shape[k]].volume;
  }
  info.grading = gradingOf(simulation);
  info.mass = std::accumulate(info.grading.masses.begin(), info.grading.masses.end(), 0.0);
  info.space = packingVolume(simulation);
  if (info.space.volume > 0.0) info.solidFraction = info.solidVolume / info.space.volume;
  info.coordination = coordinationOf(simulation);
  info.overlaps = overlapsOf(simulation);
  info.bodiesInsideOthers = ConvexCores(simulation.shapes()).crossings(simulation).pairs;
  return info;
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "plate_space.hpp"

#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::sim {
namespace {

/// Points x with normal·x <= offset.
struct HalfSpace {
  Vec3 normal;    ///< unit
  double offset;  ///< [L]
};

Vec3 centreOfFree(const Instant& instant) {
  Vec3 sum = Vec3::Zero();
  const std::size_t driven = instant.conf().nDriven, n = instant.bodyCount();
  for (std::size_t k = driven; k < n; ++k) sum += instant.body(k).pos;
  return sum / static_cast<double>(std::max<std::size_t>(n - driven, 1));
}

/// What driven bodies with a single flat face leave to the others.
std::vector<HalfSpace> plates(const Instant& instant, const Vec3& inside) {
  std::vector<HalfSpace> result;
  for (std::size_t k = 0; k < instant.conf().nDriven; ++k) {
    const ParticleRecord& p = instant.body(k);
    const shape::Shape& s = instant.shapeOf(k);
    if (s.faces.size() != 1) continue;
    std::vector<Vec3> corners;
    for (const std::uint32_t v : s.faces[0])
      corners.push_back(p.pos + rotated(p.q, p.homothety * s.vertices[v]));
    Vec3 normal = Vec3::Zero();
    for (std::size_t c = 1; c + 1 < corners.size(); ++c)
      normal += (corners[c] - corners[0]).cross(corners[c + 1] - corners[0]);
    if (!(normal.norm() > 0.0)) continue;
    normal.normalize();
    if (normal.dot(inside - corners[0]) > 0.0) normal = -normal;
    result.push_back({normal, normal.dot(corners[0]) - p.homothety * s.radius});
  }
  return result;
}

/// The intersection; nothing where it is not bounded or does not hold `inside`.
///
/// The dual points n / (d - n·inside) have a hull whose faces are the corners of the intersection.
std::optional<Domain> between(const std::vector<HalfSpace>& spaces, const Vec3& inside) {
  std::vector<Vec3> dual;
  for (const HalfSpace& h : spaces) {
    const double distance = h.offset - h.normal.dot(inside);
    if (!(distance > 0.0)) return {};
    dual.push_back(h.normal / distance);
  }
  if (dual.size() < 4) return {};
  const shape::ConvexHull hull = shape::convexHull(dual);
  if (hull.rank < 3) return {};
  std::vector<Vec3> corners;
  shape::Aabb box;
  for (std::size_t f = 0; f < hull.normals.size(); ++f) {
    const Vec3& point = hull.points[hull.faces[f][0]];
    const double offset = hull.normals[f].dot(point);
    if (!(offset > 1e-9 * point.norm())) return {};  // not bounded
    corners.push_back(hull.normals[f] / offset);
    box.add(inside + corners.back());
  }
  const shape::ConvexHull body = shape::convexHull(corners);
  if (body.rank < 3) return {};
  return Domain{Domain::Kind::walls, body.volume(), box.low, box.high};
}

/// The inside of a cylinder between the nearest planes across its axis.
std::optional<Domain> within(const Boundary& cylinder, const std::vector<HalfSpace>& spaces) {
  double above = 1e300, below = 1e300;  // distances of the ends from the centre
  for (const HalfSpace& h : spaces) {
    const double along = h.normal.dot(cylinder.axis);
    if (std::abs(std::abs(along) - 1.0) > 1e-9) return {};
    double& end = along > 0.0 ? above : below;
    end = std::min(end, h.offset - h.normal.dot(cylinder.centre));
  }
  const double length = above + below, r = cylinder.radius;
  if (!(length > 0.0 && length < 1e299)) return {};
  const Vec3 middle = cylinder.centre + 0.5 * (above - below) * cylinder.axis;
  const Vec3 half = 0.5 * length * cylinder.axis.cwiseAbs() +
                    r * (1.0 - cylinder.axis.array().square()).max(0.0).sqrt().matrix();
  return Domain{Domain::Kind::walls, pi * r * r * length, middle - half, middle + half};
}

}  // namespace

std::optional<Domain> plateSpace(const Instant& instant) {
  const Vec3 inside = centreOfFree(instant);
  const std::vector<HalfSpace> spaces = plates(instant, inside);
  const std::vector<Boundary>& boundaries = instant.conf().boundaries;
  if (boundaries.empty()) return between(spaces, inside);
  if (boundaries.size() > 1 || boundaries[0].kind != Boundary::Kind::cylinder) return {};
  return within(boundaries[0], spaces);
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/mass/moments.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/sim/measure/instant.hpp"

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

/// The half-spaces that driven bodies with a single flat face leave to the others.
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

/// The convex space that driven plates (shapes with one face) of any direction leave to the free
/// bodies, alone or with one round boundary.
///
/// A plate counts as the half-space that begins at its rounded surface, on the side of the mean
/// position of the free bodies. Plates alone, a ball alone, and a cylinder between plates across
/// its axis have exact volumes. Nothing for other combinations, and where a side is open. Needs
/// shapes.
std::optional<Domain> plateSpace(const Instant& instant) {
  const Vec3 inside = centreOfFree(instant);
  const std::vector<HalfSpace> spaces = plates(instant, inside);
  const std::vector<Boundary>& boundaries = instant.conf().boundaries;
  if (boundaries.empty()) return between(spaces, inside);
  if (boundaries.size() > 1 || boundaries[0].kind != Boundary::Kind::cylinder) return {};
  return within(boundaries[0], spaces);
}

}  // namespace

namespace {

struct Ball {
  Vec3 centre = Vec3::Zero();
  double radius = 0.0;
};

/// The rounding balls at the vertices of all free bodies.
std::vector<Ball> freeBalls(const Instant& instant) {
  std::vector<Ball> balls;
  for (std::size_t k = instant.conf().nDriven; k < instant.bodyCount(); ++k) {
    const ParticleRecord& p = instant.body(k);
    const shape::Shape& shape = instant.shapeOf(k);
    for (std::size_t v = 0; v < shape.vertices.size(); ++v)
      balls.push_back(
          {p.pos + rotated(p.q, p.homothety * shape.vertices[v]), p.homothety * shape.radiusAt(v)});
  }
  return balls;
}

shape::Aabb boxOf(const std::vector<Ball>& balls) {
  shape::Aabb box;
  for (const Ball& b : balls) {
    box.add(b.centre - Vec3::Constant(b.radius));
    box.add(b.centre + Vec3::Constant(b.radius));
  }
  return box;
}

/// The ball that reaches furthest along the unit vector d; the first of several.
class Furthest {
 public:
  explicit Furthest(const Instant& instant) : balls_(freeBalls(instant)) {
    std::size_t begin = 0;
    for (std::size_t k = instant.conf().nDriven; k < instant.bodyCount(); ++k) {
      const Vec3& centre = instant.body(k).pos;
      const std::size_t end = begin + instant.shapeOf(k).vertices.size();
      double radius = 0.0;
      for (std::size_t b = begin; b < end; ++b)
        radius = std::max(radius, (balls_[b].centre - centre).norm() + balls_[b].radius);
      if (end > begin)
        bodies_.push_back({centre, radius + 1e-12 * (radius + centre.norm()), begin, end});
      begin = end;
    }
  }
  const std::vector<Ball>& balls() const { return balls_; }

  const Ball& along(const Vec3& d) const {
    const auto bound = [&](const Body& body) { return body.centre.dot(d) + body.radius; };
    const auto reach = [&](const Ball& b) { return b.centre.dot(d) + b.radius; };
    const auto most = [&](const Body& body) {
      return std::ranges::max_element(balls_.begin() + static_cast<std::ptrdiff_t>(body.begin),
                                      balls_.begin() + static_cast<std::ptrdiff_t>(body.end), {},
                                      reach);
    };
    // Most bodies cannot reach as far as the one that might reach furthest.
    auto found = most(*std::ranges::max_element(bodies_, {}, bound));
    const double far = reach(*found);
    for (const Body& body : bodies_) {
      if (bound(body) < far) continue;
      const auto ball = most(body);
      if (reach(*ball) > reach(*found) || (reach(*ball) == reach(*found) && ball < found))
        found = ball;
    }
    return *found;
  }

 private:
  struct Body {
    Vec3 centre;
    double radius;           ///< [L] of a ball around the body, with a margin for rounding
    std::size_t begin, end;  ///< of its balls
  };
  std::vector<Ball> balls_;
  std::vector<Body> bodies_;
};

double sampledVolume(const Furthest& furthest) {
  constexpr int directions = 2000;
  std::vector<Vec3> points;
  // Points on a spiral, each turned on from the last by the golden angle, π (3 - √5).
  const double c = -0.7373688780783197, s = 0.6754902942615238;
  Vec2 around(1.0, 0.0);
  for (int k = 0; k < directions; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / directions, across = std::sqrt(1.0 - z * z);
    const Vec3 d(across * around.x(), across * around.y(), z);
    around = Vec2(c * around.x() - s * around.y(), s * around.x() + c * around.y()).normalized();
    const Ball& most = furthest.along(d);
    points.push_back(most.centre + most.radius * d);
  }
  return shape::convexHull(points).volume();
}

/// The inner side of driven body k towards -axis (side 1: it lies beyond the middle) or +axis.
std::optional<double> flatSide(const Instant& instant, std::size_t k, int axis, int side,
                               const Vec3& middle) {
  const ParticleRecord& p = instant.body(k);
  const shape::Shape& shape = instant.shapeOf(k);
  std::vector<Vec3> at;
  shape::Aabb all;
  for (const Vec3& v : shape.vertices) {
    at.push_back(p.pos + rotated(p.q, p.homothety * v));
    all.add(at.back());
  }
  if (at.size() < 3) return {};
  const double inner = side > 0 ? all.low[axis] : all.high[axis];
  const double radius = p.homothety * shape.radius;
  const double face = side > 0 ? inner - radius : inner + radius;
  if (side > 0 ? face < middle[axis] : face > middle[axis]) return {};
  const double flat = 1e-9 * (all.high - all.low).norm();
  shape::Aabb corners;
  int count = 0;
  for (const Vec3& v : at)
    if (std::abs(v[axis] - inner) <= flat) {
      corners.add(v);
      ++count;
    }
  if (count < 3) return {};
  for (int other = 0; other < 3; ++other)
    if (other != axis &&
        (corners.low[other] > middle[other] || corners.high[other] < middle[other]))
      return {};
  return face;
}

}  // namespace

std::optional<Domain> cellDomain(const Instant& instant) {
  const PeriodicCell& cell = instant.conf().cell;
  if (!cell.used) return {};
  Domain d{Domain::Kind::cell, std::abs(cell.h.determinant()), Vec3::Zero(), Vec3::Zero()};
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 x = cell.h * Vec3(corner & 1, (corner >> 1) & 1, corner >> 2);
    d.low = d.low.cwiseMin(x);
    d.high = d.high.cwiseMax(x);
  }
  return d;
}

std::vector<WallFace> wallFaces(const Instant& instant) {
  std::vector<WallFace> faces;
  if (!instant.hasShapes() || instant.conf().nDriven >= instant.bodyCount()) return faces;
  const shape::Aabb box = boxOf(freeBalls(instant));
  const Vec3 middle = 0.5 * (box.low + box.high);
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : {-1, 1}) {
      std::optional<WallFace> inner;
      for (BodyId k = 0; k < instant.conf().nDriven; ++k)
        if (const auto face = flatSide(instant, k, axis, side, middle))
          if (!inner || side * *face < side * inner->position)
            inner = WallFace{k, axis, side, *face};
      if (inner) faces.push_back(*inner);
    }
  return faces;
}

std::optional<Domain> wallDomain(const Instant& instant) {
  if (!instant.hasShapes() || instant.conf().nDriven >= instant.bodyCount()) return {};
  Domain d{Domain::Kind::walls, 0.0, Vec3::Constant(std::nan("")), Vec3::Constant(std::nan(""))};
  for (const WallFace& face : wallFaces(instant))
    (face.side > 0 ? d.high : d.low)[face.axis] = face.position;
  const bool anyFace = !d.low.array().isNaN().all() || !d.high.array().isNaN().all();
  if (instant.conf().boundaries.size() > 1) return {};
  for (const Boundary& b : instant.conf().boundaries) {
    if (b.kind == Boundary::Kind::cone || b.kind == Boundary::Kind::plane) return {};
    if (b.kind == Boundary::Kind::ball) {
      if (anyFace) return {};  // a wall may cut the ball
      d.low = b.centre - Vec3::Constant(b.radius);
      d.high = b.centre + Vec3::Constant(b.radius);
      d.volume = 4.0 / 3.0 * pi * b.radius * b.radius * b.radius;
      return d;
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (std::abs(std::abs(b.axis[axis]) - 1.0) > 1e-12) continue;
      const double length = d.high[axis] - d.low[axis];
      if (!std::isfinite(length)) return plateSpace(instant);
      for (int other = 0; other < 3; ++other)
        if (other != axis) {
          d.low[other] = b.centre[other] - b.radius;
          d.high[other] = b.centre[other] + b.radius;
        }
      d.volume = pi * b.radius * b.radius * length;
      return d;
    }
  }
  if (!d.low.allFinite() || !d.high.allFinite()) return plateSpace(instant);
  d.volume = (d.high - d.low).prod();
  return d;
}

Domain hullDomain(const Instant& instant) {
  Domain d{Domain::Kind::hull, std::nan(""), Vec3::Constant(std::nan("")),
           Vec3::Constant(std::nan(""))};
  if (!instant.hasShapes()) return d;
  const Furthest furthest(instant);
  const std::vector<Ball>& balls = furthest.balls();
  if (balls.empty()) return d;
  const shape::Aabb box = boxOf(balls);
  d.low = box.low;
  d.high = box.high;
  const auto [least, most] = std::ranges::minmax_element(balls, {}, &Ball::radius);
  if (most->radius - least->radius <= 1e-12 * most->radius) {
    std::vector<Vec3> centres;
    for (const Ball& b : balls) centres.push_back(b.centre);
    d.volume = mass::sweptHullMoments(shape::convexHull(centres), most->radius).m0;
    return d;
  }
  d.volume = sampledVolume(furthest);
  return d;
}

std::string_view nameOf(Domain::Kind kind) {
  switch (kind) {
    case Domain::Kind::cell:
      return "cell";
    case Domain::Kind::walls:
      return "walls";
    default:
      return "hull";
  }
}

}  // namespace scree::sim

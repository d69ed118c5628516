// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/angles.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/mass/certified.hpp"
#include "scree/sim/measure/domain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace scree::sim {

namespace {

/// Integral of f over [a, b] by the double exponential rule, which remains accurate for roots at
/// the ends. To about 1e-14 of the largest value times b - a where f is analytic inside.
template <class F>
double sliceIntegral(double a, double b, F&& f) {
  constexpr double step = 1.0 / 16.0;
  constexpr int most = 52;  // beyond, weights are below 1e-17
  const double half = 0.5 * (b - a), middle = 0.5 * (a + b);
  double sum = 0.0;
  for (int k = -most; k <= most; ++k) {
    const double t = step * k, grow = portableExp(std::abs(t)), shrink = 1.0 / grow;
    const double sinh = (t < 0 ? -0.5 : 0.5) * (grow - shrink), cosh = 0.5 * (grow + shrink);
    // tanh(π/2 sinh t), and what it lacks to ±1, which keeps its digits.
    const double e = portableExp(-pi * std::abs(sinh)), lacks = 2.0 * e / (1.0 + e);
    const double weight = 0.5 * pi * cosh * 4.0 * e / ((1.0 + e) * (1.0 + e));
    const double x = k < 0 ? a + half * lacks : k > 0 ? b - half * lacks : middle;
    sum += weight * f(x);
  }
  return sum * step * half;
}

/// Integral of f from `low` to `high`, piece by piece between the breaks that lie inside.
template <class F>
double sliceIntegral(double low, double high, std::vector<double> breaks, F&& f) {
  if (!(low < high)) return 0.0;
  std::erase_if(breaks, [&](double z) { return !(z > low && z < high); });
  breaks.push_back(low);
  breaks.push_back(high);
  std::ranges::sort(breaks);
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k)
    if (breaks[k] < breaks[k + 1]) sum += sliceIntegral(breaks[k], breaks[k + 1], f);
  return sum;
}

}  // namespace

namespace {

double arcSine(double x) {
  return portableAtan2(x, std::sqrt(std::max(0.0, (1.0 - x) * (1.0 + x))));
}

/// The integral of the areas of slices of a ball of this radius about 0, from `low` to `high`.
/// `breaks` are radii of slices at which the area changes its form.
template <class Area>
double slices(double radius, double low, double high, const std::vector<double>& breaks,
              Area&& area) {
  low = std::max(low, -radius);
  high = std::min(high, radius);
  if (!(low < high)) return 0.0;
  // The middle, too: a break just beyond the radius bends the areas there.
  std::vector<double> cuts{0.0};
  for (const double r : breaks)
    if (r > 0.0 && r < radius)
      for (const double sign : {-1.0, 1.0})
        cuts.push_back(sign * std::sqrt((radius - r) * (radius + r)));
  return sliceIntegral(low, high, std::move(cuts), [&](double z) {
    return area(std::sqrt(std::max(0.0, (radius - z) * (radius + z))));
  });
}

/// Volume of the part of a ball around the origin with x <= c.
double capBelow(double radius, double c) {
  c = std::clamp(c, -radius, radius);
  return pi / 3.0 * (radius + c) * (radius + c) * (2.0 * radius - c);
}

}  // namespace

double Region::volume() const {
  switch (kind) {
    case Kind::box:
      return (high - low).prod();
    case Kind::cylinder:
      return pi * radius * radius * length;
    default:
      return 4.0 / 3.0 * pi * radius * radius * radius;
  }
}

bool Region::contains(const Vec3& point) const {
  if (kind == Kind::box)
    return (point.array() >= low.array()).all() && (point.array() <= high.array()).all();
  const Vec3 d = point - centre;
  if (kind == Kind::sphere) return d.squaredNorm() <= radius * radius;
  const double along = d.dot(axis);
  return along >= 0.0 && along <= length && (d - along * axis).squaredNorm() <= radius * radius;
}

int Region::side(const Vec3& c, double r) const {
  const auto between = [&](double inner) { return inner >= r ? 1 : inner <= -r ? -1 : 0; };
  if (kind == Kind::box) {
    int least = 1;
    for (int k = 0; k < 3; ++k)
      least = std::min({least, between(c[k] - low[k]), between(high[k] - c[k])});
    return least;
  }
  const Vec3 d = c - centre;
  if (kind == Kind::sphere) return between(radius - d.norm());
  const double along = d.dot(axis);
  return std::min(
      {between(radius - (d - along * axis).norm()), between(along), between(length - along)});
}

Region parseRegion(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::vector<double> v;
  std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  bool good = !rest.empty();
  while (good && !rest.empty()) {
    const auto comma = rest.find(',');
    const auto value = parseNumber(rest.substr(0, comma));
    good = value && std::isfinite(*value);
    if (good) v.push_back(*value);
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  const UsageError wrong(fmt::format(
      "expected box:x,y,z,X,Y,Z or sphere:x,y,z,R or cylinder:x,y,z,X,Y,Z,R with numbers, found "
      "'{}'",
      shown(text)));
  if (!good) throw wrong;
  const auto at = [&](std::size_t k) { return Vec3(v[k], v[k + 1], v[k + 2]); };
  Region r;
  if (name == "box" && v.size() == 6) {
    r.kind = Region::Kind::box;
    r.low = at(0);
    r.high = at(3);
  } else if (name == "sphere" && v.size() == 4) {
    r.kind = Region::Kind::sphere;
    r.centre = at(0);
    r.radius = v[3];
  } else if (name == "cylinder" && v.size() == 7) {
    r.kind = Region::Kind::cylinder;
    r.centre = at(0);
    r.length = (at(3) - at(0)).norm();
    if (r.length > 0.0) r.axis = (at(3) - at(0)) / r.length;
    r.radius = v[6];
  } else {
    throw wrong;
  }
  if (!(r.volume() > 0.0) || r.radius < 0.0 ||
      (r.kind == Region::Kind::box && !((r.high - r.low).array() > 0.0).all()))
    throw UsageError(
        fmt::format("expected a region with a volume above 0, found '{}'", shown(text)));
  return r;
}

double sharedByBalls(double r, double s, double d) {
  if (d >= r + s) return 0.0;
  const double least = std::min(r, s);
  if (d <= std::abs(r - s)) return 4.0 / 3.0 * pi * least * least * least;
  const double depth = r + s - d;
  return pi * depth * depth * (d * d + 2.0 * d * (r + s) - 3.0 * (r - s) * (r - s)) / (12.0 * d);
}

double sharedByDiscs(double r, double s, double d) {
  if (d >= r + s) return 0.0;
  const double least = std::min(r, s);
  if (d <= std::abs(r - s)) return pi * least * least;
  const double a = (d * d + (r - s) * (r + s)) / (2.0 * d), b = d - a;
  const double h = std::sqrt(std::max(0.0, (r - a) * (r + a)));
  return r * r * portableAtan2(h, a) + s * s * portableAtan2(h, b) - d * h;
}

double discBelow(double radius, double a, double b) {
  if (!(radius > 0.0) || a <= -radius || b <= -radius) return 0.0;
  a = std::min(a, radius);
  b = std::min(b, radius);
  const double area = pi * radius * radius;
  const auto below = [&](double c) {  // x <= c
    return radius * radius * (arcSine(c / radius) + 0.5 * pi) +
           c * std::sqrt(std::max(0.0, (radius - c) * (radius + c)));
  };
  if (a * a + b * b >= radius * radius) {  // the corner lies outside of the disc
    if (a >= 0.0 && b >= 0.0) return below(a) + below(b) - area;
    if (a < 0.0 && b < 0.0) return 0.0;
    return a < 0.0 ? below(a) : below(b);
  }
  return a * b +
         0.5 * (a * std::sqrt((radius - a) * (radius + a)) +
                b * std::sqrt((radius - b) * (radius + b))) +
         0.5 * radius * radius * (arcSine(a / radius) + arcSine(b / radius)) + 0.25 * area;
}

double ballInside(const Region& region, const Vec3& centre, double radius) {
  const double whole = 4.0 / 3.0 * pi * radius * radius * radius;
  const int side = region.side(centre, radius);
  if (side != 0) return side > 0 ? whole : 0.0;
  if (region.kind == Region::Kind::sphere)
    return sharedByBalls(region.radius, radius, (centre - region.centre).norm());
  if (region.kind == Region::Kind::cylinder) {
    const Vec3 d = centre - region.centre;
    const double along = d.dot(region.axis), out = (d - along * region.axis).norm();
    return slices(radius, -along, region.length - along,
                  {std::abs(out - region.radius), out + region.radius},
                  [&](double r) { return sharedByDiscs(region.radius, r, out); });
  }
  const Vec3 low = region.low - centre, high = region.high - centre;
  int axes = 0, cut = 0;  // those along which a plane cuts the ball, and the last of them
  for (int k = 0; k < 3; ++k)
    if (low[k] > -radius || high[k] < radius) ++axes, cut = k;
  if (axes == 1) return capBelow(radius, high[cut]) - capBelow(radius, low[cut]);
  std::vector<double> breaks;
  for (const double x : {low.x(), high.x()}) {
    breaks.push_back(std::abs(x));
    for (const double y : {low.y(), high.y()}) breaks.push_back(std::sqrt(x * x + y * y));
  }
  for (const double y : {low.y(), high.y()}) breaks.push_back(std::abs(y));
  return slices(radius, low.z(), high.z(), breaks, [&](double r) {
    return discBelow(r, high.x(), high.y()) - discBelow(r, low.x(), high.y()) -
           discBelow(r, high.x(), low.y()) + discBelow(r, low.x(), low.y());
  });
}

namespace {

/// A polyhedron with the axis of its slices along z and the centre of the discs at x = y = 0.
struct Turned {
  std::vector<Vec3> points, normals;
  const shape::Polygons* faces = nullptr;
};

Turned turned(const shape::ConvexHull& hull, const Region& region) {
  const Vec3 axis = region.kind == Region::Kind::cylinder ? region.axis : Vec3(Vec3::UnitZ());
  Eigen::Index least = 0;
  axis.cwiseAbs().minCoeff(&least);
  const Vec3 x = axis.cross(Vec3::Unit(least)).normalized(), y = axis.cross(x);
  const auto turn = [&](const Vec3& v) { return Vec3(v.dot(x), v.dot(y), v.dot(axis)); };
  Turned t;
  t.faces = &hull.faces;
  for (const Vec3& p : hull.points) t.points.push_back(turn(p - region.centre));
  for (const Vec3& n : hull.normals) t.normals.push_back(turn(n));
  return t;
}

/// Calls f(a, b) for the sides of the slice at height z, counter-clockwise.
template <class F>
void eachSide(const Turned& t, double z, F&& f) {
  for (std::size_t k = 0; k < t.faces->size(); ++k) {
    const auto face = (*t.faces)[k];
    Vec2 ends[2];
    int found = 0;
    for (std::size_t c = 0; c < face.size() && found < 2; ++c) {
      const Vec3 &a = t.points[face[c]], &b = t.points[face[(c + 1) % face.size()]];
      if ((a.z() > z) == (b.z() > z)) continue;
      const double s = (z - a.z()) / (b.z() - a.z());
      ends[found++] = (a + s * (b - a)).head<2>();
    }
    if (found < 2) continue;
    // Counter-clockwise, the inside lies to the left: the outward normal to the right.
    const Vec3& n = t.normals[k];
    const Vec2 way = ends[1] - ends[0];
    if (way.x() * n.y() - way.y() * n.x() > 0.0) std::swap(ends[0], ends[1]);
    f(ends[0], ends[1]);
  }
}

/// Roots of a s² + 2 b s + c.
void addRoots(double a, double b, double c, std::vector<double>& roots) {
  const double root = b * b - a * c;
  if (root < 0.0 || a == 0.0) return;
  for (const double sign : {-1.0, 1.0}) roots.push_back((-b + sign * std::sqrt(root)) / a);
}

/// Heights at which the area of a slice changes its form. These are corners, points where an edge
/// passes the surface of the region, and heights where a face begins or ceases to cut the disc.
std::vector<double> breaksOf(const Turned& t, const Region& region) {
  const bool sphere = region.kind == Region::Kind::sphere;
  const double R = region.radius;
  std::vector<double> breaks;
  for (const Vec3& p : t.points) breaks.push_back(p.z());
  for (std::size_t k = 0; k < t.faces->size(); ++k) {
    const auto face = (*t.faces)[k];
    for (std::size_t c = 0; c < face.size(); ++c) {
      if (face[c] > face[(c + 1) % face.size()]) continue;  // each edge once
      const Vec3 &a = t.points[face[c]], d = t.points[face[(c + 1) % face.size()]] - a;
      std::vector<double> along;
      if (sphere)
        addRoots(d.squaredNorm(), a.dot(d), a.squaredNorm() - R * R, along);
      else
        addRoots(d.head<2>().squaredNorm(), a.head<2>().dot(d.head<2>()),
                 a.head<2>().squaredNorm() - R * R, along);
      for (const double s : along)
        if (s > 0.0 && s < 1.0) breaks.push_back(a.z() + s * d.z());
    }
    const Vec3& n = t.normals[k];
    const double offset = n.dot(t.points[face[0]]), flat = n.head<2>().norm();
    if (sphere) {
      const double circle = (R - offset) * (R + offset);
      if (circle <= 0.0) continue;
      for (const double sign : {-1.0, 1.0})
        breaks.push_back(offset * n.z() + sign * std::sqrt(circle) * flat);
    } else if (n.z() != 0.0) {
      for (const double sign : {-1.0, 1.0}) breaks.push_back((offset + sign * R * flat) / n.z());
    }
  }
  return breaks;
}

/// [L²] within the disc of this radius about the origin, to the left of the way from a to b as seen
/// from the origin. Summed over the sides of a polygon, counter-clockwise, this is the area that
/// polygon and disc share.
double discAreaAlong(double radius, const Vec2& a, const Vec2& b) {
  const auto cross = [](const Vec2& p, const Vec2& q) { return p.x() * q.y() - p.y() * q.x(); };
  const auto sector = [&](const Vec2& p, const Vec2& q) {
    return 0.5 * radius * radius * portableAtan2(cross(p, q), p.dot(q));
  };
  const Vec2 d = b - a;
  const double length2 = d.squaredNorm();
  if (length2 == 0.0) return 0.0;
  const double middle = -a.dot(d) / length2,
               rest = (radius * radius - (a + middle * d).squaredNorm()) / length2;
  if (rest <= 0.0) return sector(a, b);
  const double half = std::sqrt(rest);
  const double from = std::clamp(middle - half, 0.0, 1.0), to = std::clamp(middle + half, 0.0, 1.0);
  const Vec2 in = a + from * d, out = a + to * d;
  double area = 0.5 * cross(in, out);
  if (from > 0.0) area += sector(a, in);
  if (to < 1.0) area += sector(out, b);
  return area;
}

/// [L³] of a convex polyhedron of rank 3 inside a sphere or a cylinder. It is the integral over
/// slices of the area that a polygon and a disc share, which has a closed form. To about 1e-13 of
/// the smaller of both volumes. O(faces) for each of about a hundred slices between two breaks.
double polyhedronInside(const Region& region, const shape::ConvexHull& hull) {
  const bool sphere = region.kind == Region::Kind::sphere;
  const Turned t = turned(hull, region);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Vec3& p : t.points) {
    low = std::min(low, p.z());
    high = std::max(high, p.z());
  }
  low = std::max(low, sphere ? -region.radius : 0.0);
  high = std::min(high, sphere ? region.radius : region.length);
  return sliceIntegral(low, high, breaksOf(t, region), [&](double z) {
    const double r = sphere ? std::sqrt(std::max(0.0, (region.radius - z) * (region.radius + z)))
                            : region.radius;
    double area = 0.0;
    if (r > 0.0)
      eachSide(t, z, [&](const Vec2& a, const Vec2& b) { area += discAreaAlong(r, a, b); });
    return area;
  });
}

double squaredDistanceToSegment(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const double length2 = d.squaredNorm();
  const double s = length2 > 0.0 ? std::clamp((p - a).dot(d) / length2, 0.0, 1.0) : 0.0;
  return (p - a - s * d).squaredNorm();
}

double squaredDistanceToTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double area2 = n.squaredNorm();
  if (area2 > 0.0 && (b - a).cross(p - a).dot(n) >= 0.0 && (c - b).cross(p - b).dot(n) >= 0.0 &&
      (a - c).cross(p - c).dot(n) >= 0.0) {
    const double height = (p - a).dot(n);
    return height * height / area2;
  }
  return std::min({squaredDistanceToSegment(p, a, b), squaredDistanceToSegment(p, b, c),
                   squaredDistanceToSegment(p, c, a)});
}

/// The part of a convex set of corners, with its faces, where n·x <= d.
shape::ConvexHull cut(const shape::ConvexHull& hull, const Vec3& n, double d) {
  std::vector<Vec3> points;
  std::vector<double> height;
  for (const Vec3& p : hull.points) {
    height.push_back(n.dot(p) - d);
    if (height.back() <= 0.0) points.push_back(p);
  }
  if (points.size() == hull.points.size()) return hull;
  if (points.empty()) return {};
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const auto face = hull.faces[f];
    for (std::size_t k = 0; k < face.size(); ++k) {
      const std::uint32_t a = face[k], b = face[(k + 1) % face.size()];
      // Each edge belongs to two faces and is met once from either side.
      if (height[a] < 0.0 && height[b] > 0.0)
        points.push_back(hull.points[a] +
                         (height[a] / (height[a] - height[b])) * (hull.points[b] - hull.points[a]));
    }
  }
  return shape::convexHull(points);
}

}  // namespace

SolidShape::SolidShape(const shape::Shape& shape) : shape_(shape) {
  const shape::Core core = shape::coreOf(shape);
  hull_ = core.hull;
  convex_ = core.convex;
  closed_ = core.closed && !shape.isSurface;
  faces_ = core.arranged ? shape.faces : core.faces;
  for (std::size_t f = 0; f < faces_.size(); ++f)
    for (std::size_t k = 1; k + 1 < faces_[f].size(); ++k)
      triangles_.push_back({faces_[f][0], faces_[f][k], faces_[f][k + 1]});
  low_ = Vec3::Constant(1e300);
  high_ = -low_;
  for (std::size_t k = 0; k < shape.vertices.size(); ++k) {
    const Vec3 &v = shape.vertices[k], r = Vec3::Constant(shape.radiusAt(k));
    low_ = low_.cwiseMin(v - r);
    high_ = high_.cwiseMax(v + r);
    boundingRadius_ = std::max(boundingRadius_, v.norm() + shape.radiusAt(k));
  }
}

bool SolidShape::contains(const Vec3& p) const {
  if (!((p.array() >= low_.array()).all() && (p.array() <= high_.array()).all())) return false;
  const double r2 = shape_.radius * shape_.radius;
  if (convex_ && hull_.rank == 3) {
    double out = -HUGE_VAL;
    for (std::size_t f = 0; f < hull_.faces.size(); ++f)
      out = std::max(out, hull_.normals[f].dot(p - hull_.points[hull_.faces[f][0]]));
    if (out <= 0.0) return true;
    if (out > shape_.radius) return false;
  } else if (closed_) {
    // Winding number: the solid angles of the triangles sum up to 4π inside.
    double angle = 0.0;
    for (const auto& t : triangles_)
      angle += solidAngle(shape_.vertices[t[0]] - p, shape_.vertices[t[1]] - p,
                          shape_.vertices[t[2]] - p);
    if (std::abs(angle) > 2.0 * pi) return true;
  }
  for (const auto& t : triangles_)
    if (squaredDistanceToTriangle(p, shape_.vertices[t[0]], shape_.vertices[t[1]],
                                  shape_.vertices[t[2]]) <= r2)
      return true;
  for (const shape::Edge& e : shape_.edges)
    if (squaredDistanceToSegment(p, shape_.vertices[e[0]], shape_.vertices[e[1]]) <= r2)
      return true;
  for (std::size_t k = 0; k < shape_.vertices.size(); ++k) {
    const double r = shape_.radiusAt(k);
    if ((p - shape_.vertices[k]).squaredNorm() <= r * r) return true;
  }
  return false;
}

std::vector<Vec3> SolidShape::samples(std::size_t tries) const {
  mass::SobolPoints sequence;
  std::vector<Vec3> points;
  for (std::size_t k = 0; k < tries; ++k) {
    const Vec3 p = low_ + sequence.next().cwiseProduct(high_ - low_);
    if (contains(p)) points.push_back(p);
  }
  return points;
}

shape::ConvexHull SolidShape::placed(const Vec3& pos, const Quat& q, double homothety) const {
  std::vector<Vec3> corners;
  for (const Vec3& p : hull_.points) corners.push_back(pos + rotated(q, homothety * p));
  return shape::convexHull(corners);
}

shape::ConvexHull sharedBy(const shape::ConvexHull& a, const shape::ConvexHull& b) {
  shape::ConvexHull hull = a;
  for (std::size_t f = 0; f < b.faces.size() && hull.rank == 3; ++f)
    hull = cut(hull, b.normals[f], b.normals[f].dot(b.points[b.faces[f][0]]));
  return hull;
}

double polyhedronIn(const Region& region, const shape::ConvexHull& whole) {
  if (region.kind != Region::Kind::box)
    return whole.rank == 3 ? polyhedronInside(region, whole) : 0.0;
  shape::ConvexHull hull = whole;
  for (int axis = 0; axis < 3 && hull.rank == 3; ++axis) {
    hull = cut(hull, Vec3::Unit(axis), region.high[axis]);
    if (hull.rank == 3) hull = cut(hull, -Vec3::Unit(axis), -region.low[axis]);
  }
  return hull.rank == 3 ? hull.volume() : 0.0;
}

}  // namespace scree::sim

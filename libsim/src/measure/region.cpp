// SPDX-License-Identifier: GPL-3.0-or-later
#include "mass/skeleton.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/sim/measure/domain.hpp"
#include "scree/sim/measure/kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

/// Volume of the part of a ball around the origin with x <= c.
double capBelow(double radius, double c) {
  c = std::clamp(c, -radius, radius);
  return pi / 3.0 * (radius + c) * (radius + c) * (2.0 * radius - c);
}

}  // namespace

Mat3 frameAlong(const Vec3& axis) {
  Mat3 frame;
  frame.row(2) = axis;
  frame.row(0) = axis.unitOrthogonal();
  frame.row(1) = axis.cross(Vec3(frame.row(0)));
  return frame;
}

bool Region::contains(const Vec3& point) const {
  return (!round || round->over(point) <= 0.0) &&
         std::ranges::all_of(planes, [&](const HalfSpace& h) { return h.over(point) <= 0.0; });
}

int Region::side(const Vec3& c, double r) const {
  double over = round ? round->over(c) : -HUGE_VAL;
  for (const HalfSpace& h : planes) over = std::max(over, h.over(c));
  return over <= -r ? 1 : over >= r ? -1 : 0;
}

std::optional<std::pair<double, double>> Region::squareEnds() const {
  if (!round || round->isSphere) return {};
  std::pair ends(-HUGE_VAL, HUGE_VAL);
  for (const HalfSpace& h : planes) {
    const double along = h.normal.dot(round->axis), over = h.over(round->centre);
    if (std::abs(along) < 1e-9 && over <= -round->radius) continue;
    if (std::abs(along) < 1.0 - 1e-12) return {};
    if (along > 0.0)
      ends.second = std::min(ends.second, -over);
    else
      ends.first = std::max(ends.first, over);
  }
  return ends;
}

Region boxRegion(const Vec3& low, const Vec3& high) {
  return cellRegion((high - low).asDiagonal(), low);
}

Region cellRegion(const Mat3& vectors, const Vec3& corner) {
  Region r;
  std::vector<Vec3> corners;
  r.low = r.high = corner;
  for (int k = 0; k < 8; ++k) {
    corners.push_back(corner + vectors * Vec3(k & 1, k >> 1 & 1, k >> 2));
    r.low = r.low.cwiseMin(corners.back());
    r.high = r.high.cwiseMax(corners.back());
  }
  r.volume = std::abs(vectors.determinant());
  if (!(r.volume > 0.0)) return r;
  r.hull = shape::convexHull(corners);
  const Mat3 inverse = vectors.inverse();
  for (int k = 0; k < 3; ++k) {
    const Vec3 row = inverse.row(k), normal = row.normalized();
    r.planes.push_back({normal, normal.dot(corner) + 1.0 / row.norm()});
    r.planes.push_back({-normal, -normal.dot(corner)});
  }
  return r;
}

Region parseRegion(std::string_view text) {
  std::vector<double> v;
  if (text.starts_with("box:"))
    for (const std::string& part : partsOf(text.substr(4), ','))
      v.push_back(parseNumber(part).value_or(std::nan("")));
  if (v.size() == 6 && std::ranges::all_of(v, [](double x) { return std::abs(x) < 1e150; }) &&
      v[0] < v[3] && v[1] < v[4] && v[2] < v[5])
    return boxRegion(Vec3(v[0], v[1], v[2]), Vec3(v[3], v[4], v[5]));
  throw UsageError(fmt::format(
      "--region: expected box:x,y,z,X,Y,Z with a volume above 0, found '{}'", shown(text)));
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

namespace {

/// A polyhedron with the axis of its slices along z and the centre of the discs at x = y = 0.
struct Turned {
  std::vector<Vec3> points, normals;
  const shape::Polygons* faces = nullptr;
};

Turned turned(const shape::ConvexHull& hull, const Round& round) {
  const Mat3 turn = frameAlong(round.axis);
  Turned t;
  t.faces = &hull.faces;
  for (const Vec3& p : hull.points) t.points.push_back(turn * (p - round.centre));
  for (const Vec3& n : hull.normals) t.normals.push_back(turn * n);
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
std::vector<double> breaksOf(const Turned& t, const Round& round) {
  const bool sphere = round.isSphere;
  const double R = round.radius;
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

/// [L³] of a convex polyhedron of rank 3 inside a sphere or an endless cylinder. It is the integral
/// over slices of the area that a polygon and a disc share, which has a closed form. To about 1e-13
/// of the smaller of both volumes. O(faces) for each of about a hundred slices between two breaks.
double polyhedronInside(const Round& round, const shape::ConvexHull& hull) {
  const Turned t = turned(hull, round);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const Vec3& p : t.points) {
    low = std::min(low, p.z());
    high = std::max(high, p.z());
  }
  if (round.isSphere) {
    low = std::max(low, -round.radius);
    high = std::min(high, round.radius);
  }
  return sliceIntegral(low, high, breaksOf(t, round), [&](double z) {
    const double r = round.isSphere
                         ? std::sqrt(std::max(0.0, (round.radius - z) * (round.radius + z)))
                         : round.radius;
    double area = 0.0;
    if (r > 0.0)
      eachSide(t, z, [&](const Vec2& a, const Vec2& b) { area += discAreaAlong(r, a, b); });
    return area;
  });
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

double ballInside(const Region& region, const Vec3& centre, double radius) {
  const double whole = 4.0 / 3.0 * pi * radius * radius * radius;
  const int side = region.side(centre, radius);
  if (side != 0) return side > 0 ? whole : 0.0;
  std::vector<HalfSpace> cutting;
  for (const HalfSpace& h : region.planes)
    if (h.over(centre) > -radius) cutting.push_back(h);
  if (region.round && region.round->over(centre) > -radius) {
    const Round& round = *region.round;
    if (round.isSphere)
      return cutting.empty() ? sharedByBalls(round.radius, radius, (centre - round.centre).norm())
                             : std::nan("");
    double low = -radius, high = radius;  // along the axis, from the centre of the ball
    for (const HalfSpace& h : cutting) {
      const double along = h.normal.dot(round.axis);
      if (std::abs(along) < 1.0 - 1e-12) return std::nan("");
      (along > 0.0 ? high : low) = -std::copysign(h.over(centre), along);
    }
    const double out = round.over(centre) + round.radius;
    const auto radiusAt = [&](double z) {
      return std::sqrt(std::max(0.0, (radius - z) * (radius + z)));
    };
    // The middle, too: a break just beyond the radius bends the areas there.
    std::vector<double> breaks{0.0};
    for (const double r : {std::abs(out - round.radius), out + round.radius})
      if (r > 0.0 && r < radius)
        for (const double sign : {-1.0, 1.0}) breaks.push_back(sign * radiusAt(r));
    return sliceIntegral(std::max(low, -radius), std::min(high, radius), std::move(breaks),
                         [&](double z) { return sharedByDiscs(round.radius, radiusAt(z), out); });
  }
  // Planes across one direction leave a layer, in all directions a polyhedron.
  double low = -radius, high = radius;
  for (const HalfSpace& h : cutting) {
    const double along = h.normal.dot(cutting.front().normal);
    if (std::abs(along) < 1.0 - 1e-12) {
      const Vec3 reach = Vec3::Constant(2.0 * radius);
      shape::ConvexHull hull = boxRegion(centre - reach, centre + reach).hull;
      for (const HalfSpace& cutter : cutting)
        if (hull.rank == 3) hull = cut(hull, cutter.normal, cutter.offset);
      return hull.rank == 3 ? polyhedronInside({true, centre, Vec3::UnitZ(), radius}, hull) : 0.0;
    }
    if (along > 0.0)
      high = std::min(high, -h.over(centre));
    else
      low = std::max(low, h.over(centre));
  }
  return std::max(0.0, capBelow(radius, high) - capBelow(radius, low));
}

double Region::between(const Vec3& n, double from, double to) const {
  if (hull.rank < 3) return std::nan("");
  shape::ConvexHull part = cut(hull, n, to);
  if (part.rank == 3) part = cut(part, -n, -from);
  if (part.rank < 3) return 0.0;
  return round ? polyhedronInside(*round, part) : part.volume();
}

double Region::inCylinder(const Round& cylinder) const {
  if (hull.rank < 3) return std::nan("");
  if (!round) return polyhedronInside(cylinder, hull);
  Region endless;
  endless.round = cylinder;
  if (round->isSphere) return ballInside(endless, round->centre, round->radius);
  const double apart = endless.round->over(round->centre) + cylinder.radius;
  if (cylinder.axis.cross(round->axis).norm() > 1e-9 || apart > 1e-9 * round->radius)
    return std::nan("");
  endless.round->radius = std::min(cylinder.radius, round->radius);
  return polyhedronInside(*endless.round, hull);
}

std::optional<Region> enclosed(std::vector<HalfSpace> planes, const std::optional<Round>& round,
                               const Vec3& inside) {
  Region r;
  r.planes = std::move(planes);
  r.round = round;
  if (round && !(round->over(inside) < 0.0)) return {};
  std::vector<HalfSpace> all = r.planes;
  if (round) {  // beyond the round surface, so that the polyhedron is closed
    const Mat3 frame = frameAlong(round->axis);
    for (int k = 0; k < (round->isSphere ? 3 : 2); ++k)
      for (const double sign : {-1.0, 1.0}) {
        const Vec3 normal = sign * frame.row(k);
        all.push_back({normal, normal.dot(round->centre) + 1.5 * round->radius});
      }
  }
  // The points n / (d - n·inside) have a hull whose faces are dual to the corners of the space.
  std::vector<Vec3> dual;
  for (const HalfSpace& h : all) {
    if (!(h.over(inside) < 0.0)) return {};
    dual.push_back(h.normal / -h.over(inside));
  }
  if (dual.size() < 4) return {};
  const shape::ConvexHull ofDual = shape::convexHull(dual);
  if (ofDual.rank < 3) return {};
  std::vector<Vec3> corners;
  for (std::size_t f = 0; f < ofDual.normals.size(); ++f) {
    const Vec3& point = ofDual.points[ofDual.faces[f][0]];
    const double offset = ofDual.normals[f].dot(point);
    if (!(offset > 1e-9 * point.norm())) return {};  // open there
    corners.push_back(inside + ofDual.normals[f] / offset);
  }
  r.hull = shape::convexHull(corners);
  if (r.hull.rank < 3) return {};
  r.low = r.high = corners.front();
  for (const Vec3& c : corners) {
    r.low = r.low.cwiseMin(c);
    r.high = r.high.cwiseMax(c);
  }
  bool isBox = !round;
  for (const HalfSpace& h : r.planes)  // without the rounding of corners
    for (int axis = 0; axis < 3; ++axis) {
      if (h.normal == Vec3::Unit(axis)) r.high[axis] = std::min(r.high[axis], h.offset);
      if (h.normal == -Vec3::Unit(axis)) r.low[axis] = std::max(r.low[axis], -h.offset);
      isBox = isBox && (h.normal[axis] == 0.0 || std::abs(h.normal[axis]) == 1.0);
    }
  if (!round) {
    r.volume = isBox ? (r.high - r.low).prod() : r.hull.volume();
    return r;
  }
  r.volume = polyhedronInside(*round, r.hull);
  double first = HUGE_VAL, last = -HUGE_VAL;  // of the corners, along the axis
  for (const Vec3& c : corners) {
    first = std::min(first, round->axis.dot(c - round->centre));
    last = std::max(last, round->axis.dot(c - round->centre));
  }
  if (round->isSphere) first = last = 0.0;
  const Vec3 from = round->centre + first * round->axis, to = round->centre + last * round->axis,
             axis = (to - from).normalized(),  // 0 in a ball
      reach = round->radius * (1.0 - axis.array().square()).max(0.0).sqrt();
  r.low = r.low.cwiseMax(from.cwiseMin(to) - reach);
  r.high = r.high.cwiseMin(from.cwiseMax(to) + reach);
  return r;
}

SolidShape::SolidShape(const shape::Shape& shape) : shape_(shape) {
  const shape::Core core = shape::coreOf(shape);
  hull_ = core.hull;
  sharp_ = core.convex && shape.radius == 0.0 && hull_.rank == 3;
  body_ = mass::bodyOf(shape, core);
  boundingRadius_ = sim::boundingRadius(shape);
}

std::vector<Vec3> SolidShape::samples(std::size_t tries) const {
  const mass::detail::Skeleton skeleton = mass::detail::skeletonOf(body_);
  const auto contains = [&](const Vec3& x) {
    Vec3 slope;
    return std::ranges::any_of(skeleton.elements,
                               [&](const auto& e) {
                                 return mass::detail::distanceTo(skeleton, e, x, slope) <= 0.0;
                               }) ||
           std::ranges::any_of(skeleton.solids,
                               [&](const auto& solid) { return solid.contains(x); });
  };
  mass::SobolPoints sequence;
  std::vector<Vec3> points;
  for (std::size_t k = 0; k < tries; ++k) {
    const Vec3 x =
        skeleton.box.low + sequence.next().cwiseProduct(skeleton.box.high - skeleton.box.low);
    if (contains(x)) points.push_back(skeleton.origin + skeleton.scale * x);
  }
  return points;
}

shape::ConvexHull PlacedShape::hull() const {
  std::vector<Vec3> corners;
  for (const Vec3& p : solid->hull_.points) corners.push_back(place(p));
  return shape::convexHull(corners);
}

double PlacedShape::inside(const Region& region) const {
  if (isBall()) return ballInside(region, centre(), reach());
  return solid->isSharp() ? polyhedronIn(region, hull()) : std::nan("");
}

shape::ConvexHull sharedBy(const shape::ConvexHull& a, const shape::ConvexHull& b) {
  shape::ConvexHull hull = a;
  for (std::size_t f = 0; f < b.faces.size() && hull.rank == 3; ++f)
    hull = cut(hull, b.normals[f], b.normals[f].dot(b.points[b.faces[f][0]]));
  return hull;
}

double polyhedronIn(const Region& region, const shape::ConvexHull& whole) {
  shape::ConvexHull hull = whole;
  for (const HalfSpace& h : region.planes)
    if (hull.rank == 3) hull = cut(hull, h.normal, h.offset);
  if (hull.rank < 3) return 0.0;
  return region.round ? polyhedronInside(*region.round, hull) : hull.volume();
}

}  // namespace scree::sim

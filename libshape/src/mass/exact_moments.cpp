// SPDX-License-Identifier: GPL-3.0-or-later
// Derivations and error measurements: docs/mass-properties.md.
#include "base/angles.hpp"
#include "base/elementary.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/moments.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace scree::mass {
namespace {

using shape::detail::forEachTriangle;
using shape::detail::Sides;
using Corners = std::span<const std::uint32_t>;

Mat3 outer(const Vec3& a, const Vec3& b) { return a * b.transpose(); }
Mat3 square(const Vec3& a) { return a * a.transpose(); }

/// Area, ∫y and ∫yyᵀ over a plane polygon with a given normal; signed, so any plane outline is
/// right.
struct PlaneMoments {
  double area = 0.0;
  Vec3 m = Vec3::Zero();
  Mat3 p = Mat3::Zero();
};
PlaneMoments planeMoments(std::span<const Vec3> points, Corners face, const Vec3& normal) {
  PlaneMoments sum;
  forEachTriangle(points, face, [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    const double area = 0.5 * normal.dot((b - a).cross(c - a));
    const Vec3 s = a + b + c;
    sum.area += area;
    sum.m += area / 3.0 * s;
    sum.p += area / 12.0 * (square(s) + square(a) + square(b) + square(c));
  });
  return sum;
}

/// Prism of height r on the outer side of a face.
Moments prism(const PlaneMoments& f, const Vec3& n, double r) {
  return {f.area * r, r * f.m + 0.5 * r * r * f.area * n,
          r * f.p + 0.5 * r * r * (outer(f.m, n) + outer(n, f.m)) +
              r * r * r / 3.0 * f.area * square(n)};
}

/// Cylinder sector about the edge p -> q: `u1` = ∫e dφ, `u2` = ∫eeᵀ dφ over its directions e.
Moments cylinderSector(const Vec3& p, const Vec3& q, double angle, const Vec3& u1, const Mat3& u2,
                       double r) {
  const double length = (q - p).norm();
  Moments out;
  if (!(length > 0.0)) return out;
  const Vec3 t = (q - p) / length, c = 0.5 * (p + q);
  out.m0 = 0.5 * length * angle * r * r;
  out.m1 = c * out.m0 + length * r * r * r / 3.0 * u1;
  out.m2 =
      0.5 * r * r * angle * (length * square(c) + length * length * length / 12.0 * square(t)) +
      length * r * r * r / 3.0 * (outer(c, u1) + outer(u1, c)) + length * r * r * r * r / 4.0 * u2;
  return out;
}

/// Cylinder sector between the normals of two faces. The angle is signed: a sliver's poor normal
/// then takes away at one of its edges what it adds at the other.
Moments edgeSector(const Vec3& p, const Vec3& q, const Vec3& n1, const Vec3& n2, double r) {
  const Vec3 t = (q - p).normalized();
  const double sine = n1.cross(n2).dot(t), cosine = n1.dot(n2);
  const double angle = elementary::atan2(sine, cosine);
  const Vec3 b = (n1 + n2).normalized(), w = t.cross(b);
  const Vec3 u1 = 2.0 * elementary::sin(0.5 * angle) * b;
  const Mat3 u2 = 0.5 * (angle + elementary::sin(angle)) * square(b) +
                  0.5 * (angle - elementary::sin(angle)) * square(w);
  return cylinderSector(p, q, angle, u1, u2, r);
}

/// Ball sector at p over the spherical polygon with the given corners, counter-clockwise seen from
/// outside, and solid angle.
Moments ballSector(const Vec3& p, std::span<const Vec3> n, double solidAngle, double r) {
  Vec3 s1 = Vec3::Zero();
  Mat3 s2 = solidAngle * Mat3::Identity();
  for (std::size_t i = 0; i < n.size(); ++i) {
    const Vec3 &a = n[i], &b = n[(i + 1) % n.size()];
    const Vec3 x = a.cross(b);
    const double sine = x.norm(), cosine = a.dot(b);
    s1 += 0.5 * (sine > 1e-150 ? elementary::atan2(sine, cosine) / sine : 1.0) * x;
    s2 += outer(a + b, x) / (1.0 + cosine);  // no angle, nothing small in the denominator
  }
  s2 = (s2 + s2.transpose()).eval() / 6.0;
  const double r3 = r * r * r, m0 = r3 * solidAngle / 3.0;
  return {m0, p * m0 + r3 * r / 4.0 * s1,
          square(p) * m0 + r3 * r / 4.0 * (outer(p, s1) + outer(s1, p)) + r3 * r * r / 5.0 * s2};
}

double solidAngleOf(std::span<const Vec3> n) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& a : n) sum += a;
  const Vec3 q = sum.normalized();
  double angle = 0.0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    angle += solidAngleOfUnits(q, n[i], n[(i + 1) % n.size()]);
  }
  return angle;
}

void addSolidSweep(Moments& sum, const shape::ConvexHull& hull, std::span<const Vec3> points,
                   double r) {
  sum += meshMoments(points, hull.faces);
  if (r == 0.0) return;
  const auto& faces = hull.faces;
  for (std::uint32_t f = 0; f < faces.size(); ++f)
    sum += prism(planeMoments(points, faces[f], hull.normals[f]), hull.normals[f], r);
  const Sides sides(faces);
  for (const auto& [from, to, face] : sides.all())
    if (from < to)
      sum += edgeSector(points[from], points[to], hull.normals[face],
                        hull.normals[sides.leftOf(to, from)], r);
  double whole = 0.0;
  std::vector<Vec3> normals;
  for (std::uint32_t v = 0; v < points.size(); ++v) {
    std::vector<std::uint32_t> around = sides.around(v);
    if (around.empty()) continue;
    std::ranges::rotate(around, std::ranges::min_element(around));
    normals.clear();
    for (const std::uint32_t f : around) normals.push_back(hull.normals[f]);
    const double angle = solidAngleOf(normals);
    whole += angle;
    sum += ballSector(points[v], normals, angle, r);
  }
  // The sectors of all vertices make one ball: a slip in orientation or adjacency shows here.
  if (std::abs(whole - 4.0 * pi) > 1e-6)
    throw GeometryError("the convex hull of the vertices is degenerate: its corners do not close");
}

void addPlateSweep(Moments& sum, const shape::ConvexHull& hull, std::span<const Vec3> points,
                   double r) {
  const Corners outline = hull.faces[0];
  const Vec3 n = hull.normals[0];
  const PlaneMoments plane = planeMoments(points, outline, n);
  sum += prism(plane, n, r);
  sum += prism(plane, -n, r);
  const std::size_t count = outline.size();
  std::vector<Vec3> rim(count);  // outward, in the plane, of the edge from corner k
  for (std::size_t k = 0; k < count; ++k)
    rim[k] = (points[outline[(k + 1) % count]] - points[outline[k]]).cross(n).normalized();
  for (std::size_t k = 0; k < count; ++k)  // half a cylinder: from n through the rim to -n
    sum += cylinderSector(points[outline[k]], points[outline[(k + 1) % count]], pi, 2.0 * rim[k],
                          0.5 * pi * (square(rim[k]) + square(n)), r);
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 &b1 = rim[(k + count - 1) % count], &b2 = rim[k];
    const double turn = elementary::atan2(b1.cross(b2).dot(n), b1.dot(b2));
    sum += ballSector(points[outline[k]], std::array{n, b1, Vec3(-n), b2}, 2.0 * turn, r);
  }
}

}  // namespace

Moments meshMoments(std::span<const Vec3> vertices, const shape::Polygons& faces) {
  Moments sum;
  for (std::size_t f = 0; f < faces.size(); ++f)
    forEachTriangle(vertices, faces[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
      const double w = a.dot(b.cross(c)) / 6.0;
      const Vec3 s = a + b + c;
      sum.m0 += w;
      sum.m1 += 0.25 * w * s;
      sum.m2 += 0.05 * w * (square(s) + square(a) + square(b) + square(c));
    });
  return sum;
}

Moments sweptHullMoments(const shape::ConvexHull& hull, double r) {
  Moments sum;
  if (hull.points.empty()) return sum;
  const Vec3 origin = shape::detail::boxAround(hull.points).centre();
  std::vector<Vec3> points = hull.points;
  for (Vec3& p : points) p -= origin;
  const double r3 = r * r * r, r5 = r3 * r * r;
  if (hull.rank == 3) addSolidSweep(sum, hull, points, r);
  if (hull.rank == 2) addPlateSweep(sum, hull, points, r);
  if (hull.rank == 1) {
    const Vec3 axis = points[1] - points[0];
    const double length = axis.norm();
    const Mat3 along = square(axis / length);
    const double across2 = pi * r3 * r * length / 4.0 + 4.0 * pi * r5 / 15.0;
    const double along2 = pi * r * r * length * length * length / 12.0 +
                          pi * r3 * length * length / 3.0 + pi * r3 * r * length / 2.0 +
                          4.0 * pi * r5 / 15.0;
    sum.m0 = pi * r * r * length + 4.0 / 3.0 * pi * r3;
    sum.m2 = along2 * along + across2 * (Mat3::Identity() - along);
  }
  if (hull.rank == 0) {
    sum.m0 = 4.0 / 3.0 * pi * r3;
    sum.m2 = 4.0 * pi * r5 / 15.0 * Mat3::Identity();
  }
  return sum.movedBy(origin);
}

double sweptHullArea(const shape::ConvexHull& hull, double r) {
  double area = 4.0 * pi * r * r;
  if (hull.rank == 1) area += 2.0 * pi * r * (hull.points[1] - hull.points[0]).norm();
  if (hull.rank == 2) {
    area += 2.0 * hull.area();
    const Corners outline = hull.faces[0];
    for (std::size_t k = 0; k < outline.size(); ++k)
      area += pi * r *
              (hull.points[outline[(k + 1) % outline.size()]] - hull.points[outline[k]]).norm();
  }
  if (hull.rank == 3) {
    area += hull.area();
    const Sides sides(hull.faces);
    for (const auto& [from, to, face] : sides.all()) {
      if (from > to) continue;
      const Vec3 along = hull.points[to] - hull.points[from];
      const Vec3 &n1 = hull.normals[face], &n2 = hull.normals[sides.leftOf(to, from)];
      area +=
          r * elementary::atan2(n1.cross(n2).dot(along), n1.dot(n2) * along.norm()) * along.norm();
    }
  }
  return area;
}

Moments slabMoments(std::span<const Vec3> vertices, const shape::Polygons& faces, double radius) {
  Moments sum;
  for (std::size_t f = 0; f < faces.size(); ++f)
    forEachTriangle(vertices, faces[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
      const Vec3 vector = 0.5 * (b - a).cross(c - a);
      double area = vector.norm();
      if (!(area > 0.0)) return;
      // The fan about the mean point of a concave polygon overlaps itself.
      if (vector.dot(shape::detail::areaVector(vertices, faces[f])) < 0.0) area = -area;
      const Vec3 n = vector.normalized(), s = a + b + c;
      sum.m0 += 2.0 * radius * area;
      sum.m1 += 2.0 * radius * area / 3.0 * s;
      sum.m2 += 2.0 * radius * area / 12.0 * (square(s) + square(a) + square(b) + square(c)) +
                2.0 / 3.0 * radius * radius * radius * area * square(n);
    });
  return sum;
}

}  // namespace scree::mass

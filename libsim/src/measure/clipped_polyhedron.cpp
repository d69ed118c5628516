// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/clipped_polyhedron.hpp"

#include "measure/slice_integral.hpp"

#include "scree/base/math.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::sim {
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

}  // namespace

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

}  // namespace scree::sim

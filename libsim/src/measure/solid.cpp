// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/angles.hpp"
#include "measure/clipped_polyhedron.hpp"

#include "scree/mass/certified.hpp"
#include "scree/sim/measure/region.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

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
  faces_ = core.faces;
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

double SolidShape::insideBox(const Region& box, const Vec3& pos, const Quat& q,
                             double homothety) const {
  return polyhedronIn(box, placed(pos, q, homothety));
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/shape.hpp"

#include <cmath>
#include <initializer_list>
#include <string>
#include <vector>

/// Bodies whose volume and inertia are known, for tests.
namespace scree::samples {

inline shape::Shape convex(const std::vector<Vec3>& points, double radius) {
  const shape::ConvexHull hull = shape::convexHull(points);
  shape::SurfaceMesh mesh;
  mesh.vertices = hull.points;
  mesh.faces = hull.faces;
  shape::Shape s = shape::shapeFromMesh(mesh, radius);
  s.name = "sample";
  return s;
}

/// Core edges a, b, c along x, y, z, centred.
inline shape::Shape box(double a, double b, double c, double radius) {
  return shape::makeBox(Vec3(a, b, c) + Vec3::Constant(2.0 * radius), radius);
}

inline shape::Shape regularTetrahedron(double edge, double radius) {
  const double s = edge / std::sqrt(8.0);
  return convex({Vec3(s, s, s), Vec3(s, -s, -s), Vec3(-s, s, -s), Vec3(-s, -s, s)}, radius);
}

inline shape::Shape octahedron(double edge, double radius) {
  const double s = edge / std::sqrt(2.0);
  return convex(
      {Vec3(s, 0, 0), Vec3(-s, 0, 0), Vec3(0, s, 0), Vec3(0, -s, 0), Vec3(0, 0, s), Vec3(0, 0, -s)},
      radius);
}

/// The twelve faces of the regular dodecahedron of circumradius 1, scaled.
inline shape::Shape dodecahedron(double circumradius, double radius) {
  const double phi = 0.5 * (1.0 + std::sqrt(5.0)), s = circumradius / std::sqrt(3.0);
  std::vector<Vec3> points;
  for (const double x : {-s, s})
    for (const double y : {-s, s}) {
      for (const double z : {-s, s}) points.emplace_back(x, y, z);
      points.emplace_back(0.0, x / phi, y * phi);
      points.emplace_back(x / phi, y * phi, 0.0);
      points.emplace_back(x * phi, 0.0, y / phi);
    }
  return convex(points, radius);
}

inline shape::Shape rightTetrahedron(double a, double b, double c, double radius) {
  return convex({Vec3(0, 0, 0), Vec3(a, 0, 0), Vec3(0, b, 0), Vec3(0, 0, c)}, radius);
}

inline shape::Shape stick(double length, double radius) {
  shape::Shape s;
  s.name = "stick";
  s.radius = radius;
  s.vertices = {Vec3(-0.5 * length, 0, 0), Vec3(0.5 * length, 0, 0)};
  s.edges = {{0, 1}};
  return s;
}

/// An L of three unit cubes in the plane, height 1: polygon (0,0)(2,0)(2,1)(1,1)(1,2)(0,2).
inline shape::Shape letterL(double radius) {
  shape::SurfaceMesh mesh;
  const std::vector<Vec2> outline{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  for (const double z : {0.0, 1.0})
    for (const Vec2& p : outline) mesh.vertices.emplace_back(p.x(), p.y(), z);
  mesh.faces.add({5, 4, 3, 2, 1, 0});
  mesh.faces.add({6, 7, 8, 9, 10, 11});
  for (std::uint32_t k = 0; k < 6; ++k) mesh.faces.add({k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k});
  shape::Shape s = shape::shapeFromMesh(mesh, radius);
  s.name = "L";
  return s;
}

/// The mesh of a shape as an OFF file.
inline std::string offOf(const shape::Shape& s) {
  return shape::meshBytes({s.vertices, s.faces}, shape::MeshFormat::off);
}

inline shape::Shape movedBy(shape::Shape s, const Vec3& shift) {
  for (Vec3& v : s.vertices) v += shift;
  return s;
}
inline shape::Shape turnedBy(shape::Shape s, const Quat& q) {
  for (Vec3& v : s.vertices) v = rotated(q, v);
  return s;
}

}  // namespace scree::samples

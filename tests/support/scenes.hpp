// SPDX-License-Identifier: GPL-3.0-or-later
// Small models built in code, for tests and benchmarks.
#pragma once

#include "scree/mass/shape_mass.hpp"
#include "scree/sim/model_builder.hpp"

#include <memory>
#include <string>
#include <vector>

namespace scree::scenes {

/// Core of sides a, b, c about the origin, swept by r; surveyed.
inline shape::Shape box(const std::string& name, double a, double b, double c, double r) {
  shape::Shape s;
  s.name = name;
  s.radius = r;
  for (int k = 0; k < 8; ++k)
    s.vertices.emplace_back((k & 1 ? 0.5 : -0.5) * a, (k & 2 ? 0.5 : -0.5) * b,
                            (k & 4 ? 0.5 : -0.5) * c);
  for (std::uint32_t k = 0; k < 8; ++k)
    for (const std::uint32_t bit : {1u, 2u, 4u})
      if (!(k & bit)) s.edges.push_back({k, k | bit});
  s.faces.add({0, 4, 6, 2});
  s.faces.add({1, 3, 7, 5});
  s.faces.add({0, 1, 5, 4});
  s.faces.add({2, 6, 7, 3});
  s.faces.add({0, 2, 3, 1});
  s.faces.add({4, 5, 7, 6});
  mass::survey(s);
  return s;
}

inline double ballVolume(double r) { return 4.0 / 3.0 * pi * r * r * r; }

inline shape::Shape ball(const std::string& name, double r) {
  shape::Shape s;
  s.name = name;
  s.radius = r;
  s.vertices = {Vec3::Zero()};
  s.preCompDone = true;
  s.volume = ballVolume(r);
  s.inertiaPerMass = Vec3::Constant(0.4 * r * r);
  return s;
}

inline shape::Shape rod(const std::string& name, double length, double r) {
  shape::Shape s;
  s.name = name;
  s.radius = r;
  s.vertices = {{-0.5 * length, 0, 0}, {0.5 * length, 0, 0}};
  s.edges = {{0, 1}};
  mass::survey(s);
  return s;
}

/// The cube of the format's example, with its numbering, by which published contacts are named:
/// side 1, r 0.1, inertia of the rounded body.
inline shape::Shape formatCube() {
  shape::Shape cube;
  cube.name = "cube";
  cube.radius = 0.1;
  for (const double z : {-0.4, 0.4})
    for (const auto& [x, y] : {std::pair{0.4, 0.4}, {-0.4, 0.4}, {-0.4, -0.4}, {0.4, -0.4}})
      cube.vertices.emplace_back(x, y, z);
  cube.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  cube.faces.add({0, 1, 2, 3});
  cube.faces.add({4, 5, 6, 7});
  cube.faces.add({0, 1, 5, 4});
  cube.faces.add({2, 3, 7, 6});
  cube.faces.add({1, 2, 6, 5});
  cube.faces.add({0, 4, 7, 3});
  cube.preCompDone = true;
  cube.volume = 0.975587;
  cube.inertiaPerMass = Vec3::Constant(0.161966);
  cube.obbGiven = true;
  cube.obb.extent = Vec3::Constant(0.5);
  return cube;
}

/// A square plate of half side h in the plane y = 0; a driven body.
inline shape::Shape plate(const std::string& name, double h, double r) {
  shape::Shape s;
  s.name = name;
  s.radius = r;
  s.preCompDone = true;
  s.vertices = {{h, 0, h}, {h, 0, -h}, {-h, 0, -h}, {-h, 0, h}};
  s.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  s.faces.add({0, 1, 2, 3});
  s.volume = 1.0;
  s.inertiaPerMass = Vec3::Ones();
  return s;
}

/// Joins (n + 1)² vertices, row by row, to a grid of 2 n² triangles.
inline void triangulateGrid(shape::Shape& s, std::uint32_t n) {
  const auto at = [n](std::uint32_t i, std::uint32_t k) { return i * (n + 1) + k; };
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t k = 0; k <= n; ++k) {
      if (k < n) s.edges.push_back({at(i, k), at(i, k + 1)});
      if (i < n) s.edges.push_back({at(i, k), at(i + 1, k)});
      if (i == n || k == n) continue;
      s.edges.push_back({at(i, k), at(i + 1, k + 1)});
      s.faces.add({at(i, k), at(i, k + 1), at(i + 1, k + 1)});
      s.faces.add({at(i, k), at(i + 1, k + 1), at(i + 1, k)});
    }
}

/// A model without gravity, as most tests want it.
struct Scene : sim::ModelBuilder {
  Scene() {
    conf.source = "scene";
    conf.shapeFile = "scene.shp";
    conf.gravity.setZero();
    conf.dt = 1e-5;
    conf.interConf = 1e9;
  }
};

}  // namespace scree::scenes

// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes of any size for benchmarks, made in code and always the same.
#pragma once

#include "../support/scenes.hpp"

#include "scree/base/rng.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>

namespace scree::scenes {

/// Regular dodecahedron: 20 vertices at `circumradius`, swept by r.
inline shape::Shape dodecahedron(const std::string& name, double circumradius, double r) {
  const double phi = 0.5 * (1.0 + std::sqrt(5.0)), s = circumradius / std::sqrt(3.0);
  shape::Shape d;
  d.name = name;
  d.radius = r;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0}) {
      for (const double z : {-1.0, 1.0}) d.vertices.push_back(s * Vec3(x, y, z));
      d.vertices.push_back(s * Vec3(0.0, x / phi, y * phi));
      d.vertices.push_back(s * Vec3(x / phi, y * phi, 0.0));
      d.vertices.push_back(s * Vec3(x * phi, 0.0, y / phi));
    }
  const double side = 2.0 * s / phi;
  for (std::uint32_t a = 0; a < 20; ++a)
    for (std::uint32_t b = a + 1; b < 20; ++b)
      if ((d.vertices[a] - d.vertices[b]).norm() < 1.01 * side) d.edges.push_back({a, b});
  for (int axis = 0; axis < 3; ++axis)
    for (const double u : {-1.0, 1.0})
      for (const double v : {-1.0, 1.0}) {
        Vec3 n = Vec3::Zero();
        n[axis] = u;
        n[(axis + 2) % 3] = v * phi;
        n.normalize();
        double top = -HUGE_VAL;
        for (const Vec3& p : d.vertices) top = std::max(top, p.dot(n));
        std::vector<std::uint32_t> face;
        for (std::uint32_t k = 0; k < 20; ++k)
          if (d.vertices[k].dot(n) > top - 1e-9 * circumradius) face.push_back(k);
        const Vec3 ex = (d.vertices[face[0]] - top * n).normalized(), ey = n.cross(ex);
        std::sort(face.begin(), face.end(), [&](std::uint32_t p, std::uint32_t q) {
          const auto turn = [&](std::uint32_t k) {
            return std::atan2(d.vertices[k].dot(ey), d.vertices[k].dot(ex));
          };
          return turn(p) < turn(q);
        });
        d.faces.add(face);
      }
  mass::survey(d);
  return d;
}

inline shape::Shape tetrahedron(const std::string& name, double circumradius, double r) {
  const double s = circumradius / std::sqrt(3.0);
  shape::Shape t;
  t.name = name;
  t.radius = r;
  t.vertices = {s * Vec3(1, 1, 1), s * Vec3(1, -1, -1), s * Vec3(-1, 1, -1), s * Vec3(-1, -1, 1)};
  t.edges = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  t.faces.add({0, 1, 2});
  t.faces.add({0, 2, 3});
  t.faces.add({0, 3, 1});
  t.faces.add({1, 3, 2});
  mass::survey(t);
  return t;
}

/// A rough ball of 20·4^level triangles: an icosahedron split and pushed out by some percent.
inline shape::Shape roughBall(const std::string& name, double size, int level, double r) {
  const double phi = 0.5 * (1.0 + std::sqrt(5.0));
  std::vector<Vec3> v{{-1, phi, 0}, {1, phi, 0}, {-1, -phi, 0}, {1, -phi, 0},
                      {0, -1, phi}, {0, 1, phi}, {0, -1, -phi}, {0, 1, -phi},
                      {phi, 0, -1}, {phi, 0, 1}, {-phi, 0, -1}, {-phi, 0, 1}};
  using Triangle = std::array<std::uint32_t, 3>;
  std::vector<Triangle> t{{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                          {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                          {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                          {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
  for (int l = 0; l < level; ++l) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middle;
    const auto between = [&](std::uint32_t a, std::uint32_t b) {
      const auto [at, added] =
          middle.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(v.size()));
      if (added) v.push_back(0.5 * (v[a] + v[b]));
      return at->second;
    };
    std::vector<Triangle> finer;
    for (const auto& [a, b, c] : t) {
      const std::uint32_t ab = between(a, b), bc = between(b, c), ca = between(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
    }
    t = std::move(finer);
  }
  Rng rng(7);
  shape::Shape s;
  s.name = name;
  s.radius = r;
  for (const Vec3& p : v)
    s.vertices.push_back(0.5 * size * (1.0 + rng.uniform(-0.03, 0.03)) * p.normalized());
  for (const auto& [a, b, c] : t) {
    s.faces.add({a, b, c});
    for (const auto& [p, q] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)})
      if (p < q) s.edges.push_back({p, q});
  }
  // A rough sphere: its exact mass is no matter here.
  s.preCompDone = true;
  s.volume = pi / 6.0 * size * size * size;
  s.inertiaPerMass = Vec3::Constant(0.1 * size * size);
  return s;
}

/// An uneven slope of 2 n² triangles, `length` by `length`, that descends along x by `slope`.
inline shape::Shape terrain(const std::string& name, std::uint32_t n, double length, double slope,
                            double r) {
  shape::Shape s;
  s.name = name;
  s.radius = r;
  Rng rng(11);
  const double step = length / n;
  for (std::uint32_t i = 0; i <= n; ++i)
    for (std::uint32_t k = 0; k <= n; ++k) {
      const double x = i * step, z = (k - 0.5 * n) * step;
      // Waves of tens of metres, and grain that is coarse against the boulder at any fineness.
      const double y = -slope * x + 0.8 * std::sin(x / 9.0) * std::cos(z / 7.0) +
                       0.25 * std::sin(x / 1.7 + 0.4 * z);
      s.vertices.emplace_back(x, y + rng.uniform(-0.05, 0.05) * std::min(step, 1.0), z);
    }
  triangulateGrid(s, n);
  s.preCompDone = true;
  s.volume = 1.0;
  s.inertiaPerMass = Vec3::Ones();
  return s;
}

/// A box of six plates about [0, size], open to nothing.
inline void addBoxOfPlates(Scene& scene, const Vec3& size, double r) {
  const double h = 0.5 * size.maxCoeff() + 1.0;
  const Vec3 middle = 0.5 * size;
  for (int axis = 0; axis < 3; ++axis) {
    // The plate lies across y; turned so that its normal points along the axis.
    const Quat turn = axis == 1   ? Quat(1.0, 0, 0, 0)
                      : axis == 0 ? Quat(std::sqrt(0.5), 0, 0, std::sqrt(0.5))
                                  : Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0);
    for (const bool high : {false, true}) {
      Vec3 pos = middle;
      pos[axis] = high ? size[axis] + r : -r;
      scene.add(plate("Plate", h, r), pos, 0, turn);
    }
  }
  scene.conf.nDriven = 6;
}

/// Heaps like `one`, which settled in a box of plates: nx by nz of them side by side without walls
/// between. They have next to nothing left to fall.
inline Scene tiled(const Scene& one, std::size_t nx, std::size_t nz) {
  const sim::Conf& from = one.conf;
  const double r = one.shapes[from.particles[0].shapeName].radius;
  Vec3 size;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto at = static_cast<Eigen::Index>(axis);
    size[at] = from.particles[2 * axis + 1].pos[at] - r;
  }
  Scene scene;
  scene.conf = from;
  scene.conf.t = 0.0;
  scene.conf.makeState().runState.reset();
  scene.conf.shapeNames.clear();
  scene.conf.particles.clear();
  scene.conf.particleLines.clear();
  scene.conf.interactions.clear();
  scene.conf.interactionLines.clear();
  addBoxOfPlates(
      scene, {static_cast<double>(nx) * size.x(), size.y(), static_cast<double>(nz) * size.z()}, r);
  for (std::size_t tile = 0; tile < nx * nz; ++tile) {
    const Vec3 shift(static_cast<double>(tile % nx) * size.x(), 0.0,
                     static_cast<double>(tile / nx) * size.z());
    for (std::size_t k = from.nDriven; k < from.particles.size(); ++k) {
      sim::ParticleRecord p = from.particles[k];
      p.pos += shift;
      p.shapeName = scene.conf.particles[scene.add(one.shapes[p.shapeName], p.pos)].shapeName;
      scene.conf.particles.back() = p;
    }
  }
  return scene;
}

/// n bodies in turn of the given shapes, turned at random, on a loose grid `pitch` wide. The box is
/// as high as `layers` of them; they fall when the run begins.
inline Scene looseHeap(std::size_t n, const std::vector<shape::Shape>& shapes, double pitch,
                       std::size_t layers, double plateRadius) {
  Scene scene;
  const auto wide = static_cast<std::size_t>(
      std::ceil(std::sqrt(static_cast<double>(n) / static_cast<double>(layers))));
  const double width = pitch * (static_cast<double>(wide) + 0.25);
  const auto high = (n + wide * wide - 1) / (wide * wide);
  addBoxOfPlates(scene, {width, pitch * (static_cast<double>(high) + 1.0), width}, plateRadius);
  Rng rng(5);
  for (std::size_t m = 0; m < n; ++m) {
    const std::size_t ix = m % wide, iz = m / wide % wide, iy = m / (wide * wide);
    const Vec3 pos = pitch * Vec3(static_cast<double>(ix) + 0.625, static_cast<double>(iy) + 0.6,
                                  static_cast<double>(iz) + 0.625);
    // Draws in statements: compilers give the arguments of a call different orders.
    const double z = rng.uniform(-0.02, 0.02), y = rng.uniform(-0.02, 0.02),
                 x = rng.uniform(-0.02, 0.02);
    scene.add(shapes[m % shapes.size()], pos + pitch * Vec3(x, y, z), 1, rng.orientation());
  }
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.conf.setDensity(1, 2500.0);
  for (const std::uint32_t group : {0u, 1u}) scene.law(group, 1, 1e7, 0.05, 8e6, 0.4);
  return scene;
}

/// Dodecahedra of circumradius 0.45 with r 0.05 in a box, kn 1e7, mu 0.4, dt 2e-4: n = 600 is the
/// dense case of docs/performance.md.
inline Scene dodecahedra(std::size_t n) {
  Scene s = looseHeap(n, {dodecahedron("Dodecahedron", 0.45, 0.05)}, 1.06, 10, 0.05);
  s.conf.dt = 2e-4;
  return s;
}
/// Boxes of three proportions and tetrahedra, of the same size.
inline Scene mixed(std::size_t n) {
  Scene s = looseHeap(n,
                      {box("Cube", 0.5, 0.5, 0.5, 0.05), box("Brick", 0.7, 0.45, 0.3, 0.05),
                       tetrahedron("Tetrahedron", 0.5, 0.05), box("Tile", 0.65, 0.65, 0.2, 0.05)},
                      1.1, 10, 0.05);
  s.conf.dt = 1.5e-4;
  return s;
}
/// Balls of four near radii, so that they do not crystallize.
inline Scene balls(std::size_t n) {
  Scene s = looseHeap(n, {ball("A", 0.5), ball("B", 0.46), ball("C", 0.42), ball("D", 0.48)}, 1.06,
                      20, 0.05);
  s.conf.dt = 2e-4;
  return s;
}
/// A block of n glued cubes a little above a plate, that hits it at `speed`.
inline Scene gluedBlock(std::size_t n, double speed) {
  Scene s;
  s.add(plate("Plate", 100.0, 0.05), Vec3(0, -0.05, 0), 0);
  s.conf.nDriven = 1;
  const auto wide = static_cast<std::size_t>(std::round(std::cbrt(static_cast<double>(n))));
  const shape::Shape cube = box("Cube", 0.8, 0.8, 0.8, 0.1);
  const Quat tilt(Eigen::AngleAxisd(0.3, Vec3(1, 0.2, 0.5).normalized()));
  const double half = 0.5 * static_cast<double>(wide);
  double lowest = 0.0;  // corner of the block, below its middle
  for (int k = 0; k < 8; ++k)
    lowest = std::min(lowest,
                      (tilt * (half * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1))).y());
  const double up = 0.01 - lowest;
  for (std::size_t m = 0; m < n; ++m) {
    const Vec3 at(static_cast<double>(m % wide), static_cast<double>(m / wide % wide),
                  static_cast<double>(m / (wide * wide)));
    const Vec3 middle = Vec3::Constant(0.5 * static_cast<double>(wide - 1));
    s.add(cube, Vec3(0, up, 0) + tilt * (at - middle), 1, tilt);
    s.conf.particles.back().vel = Vec3(0, -speed, 0);
    s.conf.particles.back().cluster = 1;
  }
  s.conf.forceLaw = "StickedLinks";
  s.conf.gravity = Vec3(0, -9.81, 0);
  s.conf.setDensity(1, 2500.0);
  s.law(0, 1, 1e8, 0.05, 8e7, 0.4);
  s.law(1, 1, 1e8, 0.05, 8e7, 0.4);
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
           {"kn", 1e8}, {"kt", 8e7}, {"en2", 0.05}, {"fn0", 3e5}, {"ft0", 3e5}, {"pow", 2.0}})
    s.conf.setLawParameter(std::string(name) + "InnerBond", 1, 1, value);
  s.conf.commands.push_back({"stickVerticesInClusters", {"conf", "0.01"}});
  s.conf.dt = 5e-5;
  return s;
}
/// A boulder of 1,280 triangles and 1 m that falls on a slope of 2 n² triangles, 150 m long.
inline Scene boulderOnTerrain(std::uint32_t n) {
  Scene s;
  s.add(terrain("Terrain", n, 150.0, 0.8, 0.02), Vec3::Zero(), 0);
  s.conf.nDriven = 1;
  s.add(roughBall("Boulder", 1.0, 3, 0.005), Vec3(8.0, -2.0, 0.0), 1);
  s.conf.gravity = Vec3(0, -9.81, 0);
  s.conf.setDensity(1, 2700.0);
  s.conf.forceLaw = "Avalanche";
  s.law(0, 1, 1e7, 0.1, 4.2e6, 0.45);
  s.conf.setLawParameter("krContact", 0, 1, 1e7);
  s.conf.setLawParameter("murContact", 0, 1, 0.15);
  s.conf.dt = 1e-4;
  return s;
}

}  // namespace scree::scenes

// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies in a periodic cell.
#pragma once

#include "bond_scenes.hpp"

#include "scree/base/rng.hpp"

#include <string>
#include <vector>

namespace scree::scenes {

inline Mat3 cube(double side) { return side * Mat3::Identity(); }
inline Mat3 aslant(double side) {
  Mat3 h;
  h << 1.0, 0.3, -0.2, 0.0, 1.1, 0.25, 0.1, 0.0, 0.9;
  return side * h;
}

/// Boxes, rods and balls that fly about in a cell of n by n by n parts; a part should be 0.33 wide.
inline Scene soup(const Mat3& h, double en2 = 0.5, double mu = 0.4, int n = 3) {
  Scene scene;
  scene.conf.cell.used = true;
  scene.conf.cell.h = h;
  const std::vector<shape::Shape> kinds{box("box", 0.2, 0.15, 0.1, 0.02), rod("rod", 0.2, 0.06),
                                        ball("ball", 0.14)};
  Rng rng(7);
  for (int k = 0; k < n * n * n; ++k) {
    const Vec3 s = Vec3(k % n + 0.5, k / n % n + 0.5, k / n / n + 0.5) / n;
    const auto body =
        scene.add(kinds[static_cast<std::size_t>(k) % 3], h * s, 1, rng.orientation());
    scene.conf.particles[body].vel = 2 * rng.direction();
    scene.conf.particles[body].vrot = 5 * rng.direction();
  }
  scene.conf.setDensity(1, 2500);
  scene.law(1, 1, 1e6, en2, 8e5, mu);
  scene.conf.dt = 5e-5;
  return scene;
}

/// Balls that fly about without losses in a cell of n by n by n parts; time step 1e-5.
inline Scene ballsInCell(const Mat3& h, int n, double r, double speed) {
  Scene scene;
  scene.conf.cell.used = true;
  scene.conf.cell.h = h;
  Rng rng(3);
  for (int k = 0; k < n * n * n; ++k) {
    const Vec3 s = Vec3(k % n + 0.5, k / n % n + 0.5, k / n / n + 0.5) / n;
    const auto body = scene.add(ball("ball", r), h * s, 0);
    scene.conf.particles[body].vel = speed * rng.direction();
  }
  scene.conf.setDensity(0, 1000);
  scene.law(0, 0, 1e5, 1, 0, 0);
  scene.conf.dt = 1e-5;
  return scene;
}

/// Length of what is left of x once whole cells are taken off.
inline double offLattice(const Mat3& h, const Vec3& x) {
  const Vec3 s = h.inverse() * x;
  return (h * Vec3(s - Vec3(s.array().round()))).norm();
}

/// Three bonded cubes that lie across a side of their cell and are torn apart.
inline Scene rowAcrossCell(const std::string& law) {
  Scene scene = row(3, law, 1e6, 1e6);
  scene.conf.nDriven = 0;
  scene.conf.setLawParameter("fn0InnerBond", 0, 0, 3000);
  scene.conf.setLawParameter("ft0InnerBond", 0, 0, 3000);
  scene.conf.setLawParameter("gcInnerBond", 0, 0, 0.5);
  scene.conf.setLawParameter("krInnerBond", 0, 0, 1e4);
  scene.conf.cell.used = true;
  scene.conf.cell.h = 6.0 * Mat3::Identity();
  scene.conf.cell.h(0, 1) = 0.4;
  scene.conf.cell.mh = 20;
  scene.conf.dt = 1e-4;
  for (std::size_t k = 0; k < 3; ++k) {
    auto& p = scene.conf.particles[k];
    p.pos = Vec3(p.pos.x() + 4.2, 2, 5.8);  // a side of the cell runs through the row
    p.vel = Vec3(k == 2 ? 1.5 : 0.2, 0.1 * double(k % 2), 0.3);
    p.vrot = Vec3(0, 0.3, 0.1 * double(k));
  }
  return scene;
}

}  // namespace scree::scenes

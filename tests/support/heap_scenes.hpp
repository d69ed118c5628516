// SPDX-License-Identifier: GPL-3.0-or-later
// Many bodies: contacts of all kinds come and go.
#pragma once

#include "contact_scenes.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace scree::scenes {

struct HeapOptions {
  int bodies = 48;
  Vec2 spacing{0.25, 0.24};  ///< [L] across and up
  int only = -1;             ///< 0: boxes, 1: rods, 2: balls; else all three
};
/// Boxes, rods and balls, group 1, that fall and spin on a plate, body 0.
inline Scene heap(const std::string& law, const HeapOptions& o = {}) {
  Scene scene;
  scene.conf.forceLaw = law;
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.add(plate("plate", 1.5, 0.05), {0, -0.05, 0});
  scene.conf.nDriven = 1;
  const std::vector<shape::Shape> kinds{box("box", 0.2, 0.15, 0.1, 0.02), rod("rod", 0.3, 0.04),
                                        ball("ball", 0.1)};
  Rng rng(4);
  for (int k = 0; k < o.bodies; ++k) {
    const auto& kind = kinds[static_cast<std::size_t>(o.only >= 0 ? o.only : k % 3)];
    const Vec3 at(o.spacing.x() * (k % 4 - 1.5), 0.15 + o.spacing.y() * (k / 16),
                  o.spacing.x() * (k / 4 % 4 - 1.5));
    const Quat q = rng.orientation();  // here: arguments are drawn in any order
    const auto body = scene.add(kind, at + 0.02 * rng.direction(), 1, q);
    scene.conf.particles[body].vel = rng.direction();
    scene.conf.particles[body].vrot = 5 * rng.direction();
  }
  scene.conf.setDensity(1, 2500);
  for (const std::uint32_t g : {0u, 1u}) {
    scene.law(g, 1, 1e5, 0.2, 8e4, 0.4);
    scene.elastic(g, 2e7, 0.3);
    scene.conf.setLawParameter("krContact", g, 1, 100);
    scene.conf.setLawParameter("murContact", g, 1, 0.01);
    scene.conf.setLawParameter("viscTContact", g, 1, 200);
  }
  scene.conf.dt = 1e-4;
  return scene;
}

/// A box of six walls, bodies 0 to 5 in the order of servos, with boxes and balls inside.
inline Scene boxOfWalls(int bodies) {
  Scene scene;
  const double half = 0.45, r = 0.05;
  // Quarter turns of a plate across y, with the bits that the kept states began with.
  constexpr double c = 0.70710678118654757, q = 0.70710678118654746;
  const Quat turns[] = {Quat(c, 0, 0, -q), Quat::Identity(), Quat(c, q, 0, 0)};
  for (int k = 0; k < 3; ++k)
    for (const double side : {-1.0, 1.0})
      scene.add(plate("plate", 1.5, r), side * (half + r) * Vec3::Unit(k), 0, turns[k]);
  scene.conf.nDriven = 6;
  const std::vector<shape::Shape> kinds{box("box", 0.2, 0.15, 0.1, 0.02), ball("ball", 0.1)};
  Rng rng(8);
  for (int k = 0; k < bodies; ++k) {
    const Vec3 at = 0.28 * Eigen::Vector3i(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1).cast<double>();
    const auto body = scene.add(kinds[static_cast<std::size_t>(k) % 2], at, 1, rng.orientation());
    scene.conf.particles[body].vel = 2 * rng.direction();
  }
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.conf.setDensity(0, 20);
  scene.conf.setDensity(1, 2500);
  for (const std::uint32_t g : {0u, 1u}) scene.law(g, 1, 1e5, 0.2, 8e4, 0.4);
  scene.conf.dt = 1e-4;
  return scene;
}

/// Drives body 0 up and down.
inline sim::Drives shaken() {
  sim::Drives drives;
  for (int axis = 0; axis < 3; ++axis)
    drives.controls.push_back({sim::Imposed::velocity, axis, 0, Vec3::Zero()});
  drives.servos.push_back({sim::Shaker{Vec3::UnitY(), 0.005, 12.0}, {0, 1, 2}});
  return drives;
}

/// A heap whose energy is followed.
/// @param perContact  steps in the shortest contact time of the lightest body, were it a ball. That
///                    time is the one of its tangential spring against another one, π √(m / (7
///                    kt)).
inline Scene countedHeap(const std::string& law, double perContact, int bodies = 24,
                         int only = -1) {
  Scene scene = heap(law, {bodies, Vec2(0.3, 0.3), only});
  double lightest = HUGE_VAL;
  for (std::size_t k = 1; k < scene.conf.particles.size(); ++k)
    lightest = std::min(lightest, 2500 * scene.shapes[scene.conf.particles[k].shapeName].volume);
  scene.conf.dt = pi * std::sqrt(lightest / (7 * 8e4)) / perContact;
  return scene;
}

/// Energy that does not close at the end, over what has been exchanged by then.
inline double residualOf(const Scene& scene, double time, const sim::Drives& drives = {}) {
  auto s = scene.start(1, drives);
  const auto n = static_cast<int>(time / scene.conf.dt);
  for (int k = 0; k < n; ++k) s->step();
  const sim::EnergyBudget e = s->energyBudget();
  return std::abs(e.residual) / e.exchanged;
}

/// The run goes on from what a file would hold. @throws where that does not read back the same
inline std::unique_ptr<sim::Simulation> savedAndBegun(const sim::Simulation& s,
                                                      const sim::Drives& drives, int threads = 1,
                                                      bool strictly = true) {
  const std::string text = sim::confText(s.conf());
  TextReader in("saved", text);
  Diagnostics diagnostics(strictly);
  auto begun =
      std::make_unique<sim::Simulation>(sim::readConf(in, diagnostics), s.shapes(), drives,
                                        sim::SimulationOptions(threads, s.compat()), diagnostics);
  if (sim::confText(begun->conf()) != text) throw ModelError("a saved state reads back another");
  return begun;
}

/// The scene described in another frame: places, motions, gravity.
inline Scene seenFrom(const Scene& scene, const Quat& frame, const Vec3& shift) {
  Scene there = scene;
  there.conf.gravity = rotated(frame, scene.conf.gravity);
  for (auto& p : there.conf.particles) {
    p.pos = shift + rotated(frame, p.pos);
    p.vel = rotated(frame, p.vel);
    p.vrot = rotated(frame, p.vrot);
    p.q = frame * p.q;
  }
  for (auto& r : there.conf.interactions) {
    r.n = rotated(frame, r.n);
    r.pos = shift + rotated(frame, r.pos);
    r.vel = rotated(frame, r.vel);
    r.ft = rotated(frame, r.ft);
    r.mom = rotated(frame, r.mom);
  }
  return there;
}

}  // namespace scree::scenes

// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that nothing touches, and what must stay of them.
#pragma once

#include "contact_scenes.hpp"

#include "scree/base/rng.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace scree::scenes {

/// The box of verification benchmarks 2.2, alone.
inline Scene slab() {
  Scene scene;
  scene.add(box("box", 0.8, 0.4, 0.2, 0.05), {0, 0, 0});
  scene.conf.setDensity(0, 2600);
  return scene;
}

/// Core: a triangle of side 1 drawn out to height 1, swept by 0.1.
inline shape::Shape prism() {
  shape::Shape s;
  s.name = "prism";
  s.radius = 0.1;
  for (const double z : {-0.5, 0.5})
    for (int k = 0; k < 3; ++k)
      s.vertices.emplace_back(std::cos(2 * pi * k / 3) / std::sqrt(3.0),
                              std::sin(2 * pi * k / 3) / std::sqrt(3.0), z);
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t next = (k + 1) % 3;
    s.edges.push_back({k, next});
    s.edges.push_back({k + 3, next + 3});
    s.edges.push_back({k, k + 3});
    s.faces.add({k, next, next + 3, k + 3});
  }
  s.faces.add({2, 1, 0});
  s.faces.add({3, 4, 5});
  mass::survey(s);
  return s;
}

/// The prism, alone, spinning about its axis and slowly across.
struct SpinningTop {
  Scene scene;
  int axis = 0, x = 1, y = 2;  ///< of the body frame: that of symmetry, and those across it
  double i1 = 0.0, i3 = 0.0;   ///< [L²] inertia over mass, across and about the axis
  double rate = 0.0;           ///< [rad/T] of precession in the body frame
};
inline SpinningTop spinningTop() {
  SpinningTop top;
  const shape::Shape shape = prism();
  const Vec3& inertia = shape.inertiaPerMass;
  for (int k = 1; k < 3; ++k)
    if (inertia[k] < inertia[top.axis]) top.axis = k;
  top.x = (top.axis + 1) % 3;
  top.y = (top.axis + 2) % 3;
  top.i1 = inertia[top.x];
  top.i3 = inertia[top.axis];
  top.rate = (top.i3 - top.i1) * 4 / top.i1;
  top.scene.add(shape, {0, 0, 0});
  top.scene.conf.setDensity(0, 1000);
  Vec3& spin = top.scene.conf.particles[0].vrot;
  spin[top.x] = 1;
  spin[top.axis] = 4;
  top.scene.conf.dt = 1e-3;
  return top;
}

inline std::unique_ptr<sim::Simulation> after(const Scene& scene, double t,
                                              sim::Drives drives = {}) {
  auto s = scene.start(1, std::move(drives));
  const auto n = std::lround(t / scene.conf.dt);
  for (long k = 0; k < n; ++k) s->step();
  return s;
}

// Motion of body 0.
inline Vec3 bodySpin(const sim::Simulation& s) {
  return turnedBack(s.bodies().q[0], s.bodies().spin[0]);
}
inline double rotationEnergy(const sim::Simulation& s) {
  return 0.5 * bodySpin(s).dot(s.bodies().inertia[0].cwiseProduct(bodySpin(s)));
}
inline Vec3 momentumOfSpin(const sim::Simulation& s) {
  return rotated(s.bodies().q[0], s.bodies().inertia[0].cwiseProduct(bodySpin(s)));
}

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double linearSize = 0.0, angularSize = 0.0;  ///< sums of the bodies' sizes
};
inline Momenta momentaOf(const sim::Simulation& s) {
  Momenta m;
  const auto& b = s.bodies();
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    const Vec3 p = b.mass[k] * b.vel[k];
    const Vec3 l = b.pos[k].cross(p) +
                   rotated(b.q[k], b.inertia[k].cwiseProduct(turnedBack(b.q[k], b.spin[k])));
    m.linear += p;
    m.angular += l;
    m.linearSize += p.norm();
    m.angularSize += l.norm();
  }
  return m;
}

/// Kinetic energy of all free bodies.
inline double kineticEnergy(const sim::Simulation& s) {
  const auto& b = s.bodies();
  double e = 0.0;
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    const Vec3 w = turnedBack(b.q[k], b.spin[k]);
    e += 0.5 * b.mass[k] * b.vel[k].squaredNorm() + 0.5 * w.dot(b.inertia[k].cwiseProduct(w));
  }
  return e;
}

/// Eight boxes that fly towards each other, spinning.
inline Scene flyingTogether(const std::string& law) {
  Scene scene;
  scene.conf.forceLaw = law;
  Rng rng(11);
  const auto kind = box("box", 0.2, 0.15, 0.1, 0.02);
  for (int k = 0; k < 8; ++k) {
    const Vec3 at(0.4 * (k & 1), 0.4 * (k >> 1 & 1), 0.4 * (k >> 2));
    const auto body = scene.add(kind, at, 0, rng.orientation());
    scene.conf.particles[body].vel = 2 * (Vec3(0.2, 0.2, 0.2) - at) + 0.3 * rng.direction();
    scene.conf.particles[body].vrot = 5 * rng.direction();
  }
  scene.conf.setDensity(0, 2000);
  scene.law(0, 0, 1e5, 0.4, 8e4, 0.4);
  scene.conf.setLawParameter("krContact", 0, 0, 50);
  scene.conf.setLawParameter("murContact", 0, 0, 0.01);
  scene.conf.setLawParameter("viscTContact", 0, 0, 20);
  scene.conf.dt = 5e-5;
  return scene;
}

/// A small ball pinned between two large ones that are held (arXiv 2410.14798).
struct PinnedBall {
  double small = 0.01, large, overlap = 1e-5, kn = 1e5;
  explicit PinnedBall(double ratio) : large(ratio * small) {}

  double period() const {  ///< of a contact with both
    return pi * std::sqrt(2500 * 4.0 / 3.0 * pi * small * small * small / (2 * kn));
  }
  Scene scene(double en2, double perContact) const {
    Scene scene;
    scene.add(ball("large", large), {0, -(large + small - overlap), 0}, 0);
    scene.add(ball("large", large), {0, large + small - overlap, 0}, 0);
    scene.add(ball("small", small), {0, 0, 0}, 1);
    scene.conf.nDriven = 2;
    scene.conf.setDensity(0, 2500);
    scene.conf.setDensity(1, 2500);
    scene.law(0, 1, kn, en2, kn, 0.6);
    scene.conf.dt = period() / perContact;
    return scene;
  }
  /// Where it is after 0.2 s while both large balls turn the same way, so that it turns in place.
  Vec3 rolled(double perContact) const {
    sim::Drives drives;
    for (const sim::BodyId k : {0u, 1u})
      drives.controls.push_back({sim::Imposed::spin, 2, k, Vec3(0, 0, 2.0 * small / large)});
    const auto s = after(scene(0.1, perContact), 0.2, drives);
    return s->contactCount() == 2 ? s->bodies().pos[2] : Vec3::Constant(HUGE_VAL);
  }
  /// Energy of its largest swings between periods 90 and 100 over those of the first ten, less 1.
  /// It is set free with a speed that keeps the tangential springs below the bound of friction.
  double growthOfSwing(double perContact) const {
    Scene sc = scene(1.0, perContact);
    sc.conf.particles[2].vel = Vec3(0.1 * overlap * std::sqrt(kn / (sphereMass())), 0, 0);
    auto s = sc.start();
    const auto swings = [&](double until) {
      double most = 0.0;
      while (s->time() < until * 2 * period()) {
        s->step();
        most = std::max(most, kineticEnergy(*s));
      }
      return most;
    };
    const double begin = swings(10);
    swings(90);
    return swings(100) / begin - 1;
  }
  double sphereMass() const { return 2500 * 4.0 / 3.0 * pi * small * small * small; }
};

/// A ball that swings on an elastic plane and never leaves it: y = sag + sin(wt) v0/w.
struct Swing {
  double g = 0.4, w = 40.0;
  double kn() const { return ballMass() * w * w; }
  double sag() const { return ballMass() * g / kn(); }
  double v0() const { return 0.5 * w * sag(); }
  Scene scene(const std::string& integrator) const {
    Scene scene = ballOnPlane(radius - sag());
    scene.conf.integrator = integrator;
    scene.conf.gravity = Vec3(0, -g, 0);
    scene.law(0, 1, kn(), 1.0, 0.8 * kn(), 100.0);
    scene.conf.particles[1].vel = Vec3(0, v0(), 0);
    return scene;
  }
  /// Order of the error of its height after 0.5 s, from dt = 2e-3 to 5e-4.
  double orderSeen(const std::string& integrator) const {
    const double t = 0.5, y = radius - sag() + v0() / w * std::sin(w * t);
    const auto error = [&](double dt) {
      Scene s = scene(integrator);
      s.conf.dt = dt;
      return std::abs(after(s, t)->bodies().pos[1].y() - y);
    };
    return 0.5 * std::log2(error(2e-3) / error(5e-4));
  }
};

}  // namespace scree::scenes

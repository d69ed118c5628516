// SPDX-License-Identifier: GPL-3.0-or-later
// Bonded cubes, and what is known about them in closed form.
#pragma once

#include "contact_scenes.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/io/commands.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace scree::scenes {

/// `n` unit cubes in a row along x, each glued to the next by its four corners; the first is held.
inline Scene row(int n, const std::string& law, double kn, double kt) {
  Scene scene;
  scene.conf.forceLaw = law;
  for (int k = 0; k < n; ++k) scene.add(box("cube", 0.8, 0.8, 0.8, 0.1), {double(k), 0, 0}, 0);
  scene.conf.setDensity(0, 1000);
  scene.law(0, 0, kn, 0.1, kt, 0.5);
  const auto set = [&](const char* name, double value) {
    scene.conf.setLawParameter(name, 0, 0, value);
  };
  set("knInnerBond", kn);
  set("ktInnerBond", kt);
  set("en2InnerBond", 0.1);
  set("powInnerBond", 2);
  scene.conf.commands = {{law == "BCM" ? "stickBCM" : "stickVerticesInClusters", {"conf", "0.01"}}};
  Diagnostics quiet;
  sim::runCommands(scene.conf, scene.shapes, quiet);
  scene.conf.nDriven = 1;  // after the command, which leaves driven bodies free
  return scene;
}

/// Moves one body by an imposed velocity, and no other way.
inline sim::Drives pull(sim::BodyId body, const Vec3& velocity) {
  sim::Drives drives;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3 value = Vec3::Zero();
    value[axis] = velocity[axis];
    drives.controls.push_back({sim::Imposed::velocity, axis, body, value});
  }
  return drives;
}

struct Rupture {
  double peak = 0.0, at = 0.0;  ///< greatest force on the held body, and displacement there
  double stiffness = 0.0;       ///< of the interface, on the way
  std::uint64_t bonds = 0;      ///< broken in the step of the rupture
  double lost = 0.0;            ///< energy
  std::size_t left = 0;         ///< interfaces
};

/// Two cubes, one held, the other pulled slowly until the interface breaks.
inline Rupture pulledApart(Scene scene, const Vec3& direction, bool compat = false) {
  scene.conf.nDriven = 2;
  scene.conf.dt = 1e-5;
  const double speed = 0.1;
  const auto s = scene.start({1, compat}, pull(1, speed * direction));
  const auto moved = [&] { return (s->bodies().pos[1] - Vec3(1, 0, 0)).dot(direction); };
  Rupture r;
  while (s->bonds().brokenInterfaces == 0 && s->stepIndex() < 400000) {
    s->step();
    const double force = std::abs(s->bodies().force[0].dot(direction));
    r.peak = std::max(r.peak, force);
    if (s->stepIndex() == 500) r.stiffness = force / moved();
  }
  r.at = moved();
  r.bonds = s->bonds().brokenBonds;
  r.lost = s->bonds().energies.broken;
  r.left = s->bonds().interfaces.size();
  return r;
}

/// n free cubes bonded in a row to a held one, under their weight. Interface j at x_j = j - 1/2
/// carries the shear (n-j+1) mg and the moment mg Σ(i-x_j), with kθ = 4 kn c².
struct Cantilever {
  int n = 4;
  double kn = 1e7, kt = 4e6, c = 0.4, g = 1.0, m = 1000 * cubeVolume;

  double x(int j) const { return j - 0.5; }
  double shear(int j) const { return (n - j + 1) * m * g; }
  double moment(int j) const {
    double sum = 0.0;
    for (int i = j; i <= n; ++i) sum += m * g * (i - x(j));
    return sum;
  }
  double tip() const {
    double sum = 0.0;
    for (int j = 1; j <= n; ++j)
      sum += shear(j) / (4 * kt) + moment(j) * (n - x(j)) / (4 * kn * c * c);
    return sum;
  }
  double slope() const {
    double sum = 0.0;
    for (int j = 1; j <= n; ++j) sum += moment(j) / (4 * kn * c * c);
    return sum;
  }
  Scene scene(double dt, double en2, double damping = 0.0) const {
    Scene s = row(n + 1, "StickedLinks", kn, kt);
    s.conf.gravity = Vec3(0, -g, 0);
    s.conf.setLawParameter("en2InnerBond", 0, 0, en2);
    s.conf.numericalDampingCoeff = damping;
    s.conf.dt = dt;
    return s;
  }
};

struct SpinningPair {
  double worstShear = 0.0, worstMoment = 0.0;  ///< of a bond, over the pull that one bond owes
  double pull = 0.0;                           ///< of all bonds at the end
  double owed = 0.0;                           ///< m ω² L/2
};
/// Two bonded cubes that turn rigidly about their centre of mass for about one turn, by an axis
/// across the row or along it.
inline SpinningPair spinningPair(bool across, double dt) {
  const double omega = 2.0, m = 1000 * cubeVolume, kn = 1e8;
  Scene scene = row(2, "StickedLinks", kn, kn);
  scene.conf.nDriven = 0;
  scene.conf.setLawParameter("krInnerBond", 0, 0, 1e6);
  const Vec3 spin = omega * (across ? Vec3::UnitZ() : Vec3::UnitX());
  const double stretch = across ? m * omega * omega * 0.5 / (4 * kn) : 0.0;
  scene.conf.particles[1].pos.x() = 1.0 + stretch;
  const Vec3 centre(0.5 * (1 + stretch), 0, 0);
  for (auto& p : scene.conf.particles) {
    p.vrot = spin;
    p.vel = spin.cross(p.pos - centre);
  }
  scene.conf.dt = dt;
  auto s = scene.start();
  SpinningPair r;
  r.owed = m * omega * omega * 0.5;
  while (s->time() < 3.0) {
    s->step();
    for (const sim::Bond& b : s->bonds().all()) {
      r.worstShear = std::max(r.worstShear, b.ft.norm() / (r.owed / 4));
      r.worstMoment = std::max(r.worstMoment, b.mom.norm() / (r.owed / 4));
    }
  }
  for (const sim::Bond& b : s->bonds().all()) r.pull -= b.fn;
  return r;
}

/// A loaded pair turned as a whole by 1 rad about a distant axis, by drives that follow the turn.
/// @returns the largest error of a bond's tangential force and of its moment. The force (0, 30, 40)
/// and the moment (1, 2, 3) should turn with the pair.
inline std::pair<double, double> turnedLoadedPair(int steps) {
  const Vec3 axis = Vec3(0.3, 0.5, -0.8).normalized(), pivot(2, 7, 3);
  const double omega = 2.0;
  Scene scene = row(2, "StickedLinks", 1e6, 1e6);
  scene.conf.nDriven = 2;
  for (auto& r : scene.conf.interactions) {
    r.ft = Vec3(0, 30, 40);
    r.mom = Vec3(1, 2, 3);
  }
  scene.conf.dt = 0.5 / steps;
  sim::Drives drives;
  for (sim::BodyId k = 0; k < 2; ++k) {
    for (int a = 0; a < 3; ++a)
      drives.controls.push_back({sim::Imposed::velocity, a, k, Vec3::Zero()});
    drives.controls.push_back({sim::Imposed::spin, 3, k, omega * axis});
  }
  Diagnostics quiet;
  auto s = scene.start(1, drives);
  const Quat step(Eigen::AngleAxisd(omega * scene.conf.dt, axis));
  for (int k = 0; k < steps; ++k) {
    const sim::Conf conf = s->conf();
    for (std::size_t b = 0; b < 2; ++b) {
      const Vec3 r = conf.particles[b].pos - pivot, v = (step * r - r) / conf.dt;
      for (std::size_t a = 0; a < 3; ++a)
        drives.controls[4 * b + a].value = v[static_cast<int>(a)] * Vec3::Unit(static_cast<int>(a));
    }
    s = std::make_unique<sim::Simulation>(conf, scene.shapes, drives, 1, quiet);
    s->step();
  }
  const Quat turn(Eigen::AngleAxisd(0.5 * omega, axis));
  std::pair<double, double> worst(0.0, 0.0);
  for (const sim::Bond& b : s->bonds().all()) {
    worst.first = std::max(worst.first, (b.ft - turn * Vec3(0, 30, 40)).norm());
    worst.second = std::max(worst.second, (b.mom - turn * Vec3(1, 2, 3)).norm());
  }
  return worst;
}

/// Two cubes of which one is held, under strengths; stiff in shear, so that the bonds do not
/// lengthen as they slip.
inline Scene gluedPair(double kn, double kt, double fn0, double ft0, double power) {
  Scene scene = row(2, "StickedLinks", kn, kt);
  scene.conf.setLawParameter("en2InnerBond", 0, 0, 1.0);
  scene.conf.setLawParameter("fn0InnerBond", 0, 0, fn0);
  scene.conf.setLawParameter("ft0InnerBond", 0, 0, ft0);
  scene.conf.setLawParameter("powInnerBond", 0, 0, power);
  return scene;
}
/// Two cubes of which one is held, glued over an area of 1 with kn = kt = 1e3.
inline Scene cellPair(double gc) {
  Scene scene = row(2, "BCM", 1e3, 1e3);
  scene.conf.setLawParameter("en2InnerBond", 0, 0, 1.0);
  scene.conf.setLawParameter("gcInnerBond", 0, 0, gc);
  scene.conf.interfaces.at(0).area = 1.0;
  return scene;
}

/// Beams of two clusters that are thrown on a plate, not glued yet.
inline Scene thrownApart(const std::string& law, int beams) {
  Scene scene;
  scene.conf.forceLaw = law;
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.add(plate("plate", 20.0, 0.05), {0, -0.05, 0}, 0);
  scene.conf.nDriven = 1;
  const shape::Shape cube = box("cube", 0.08, 0.08, 0.08, 0.01);
  Rng rng(9);
  for (int beam = 0; beam < beams; ++beam) {
    const Quat q = rng.orientation();
    const Vec3 vel = Vec3(1, -4, 0) + rng.direction();
    for (int k = 0; k < 6; ++k) {
      const auto body =
          scene.add(cube,
                    Vec3(0.8 * (beam % 12), 0.42 + 0.1 * (beam % 3), 0.8 * (beam / 12)) +
                        q * Vec3(0.101 * (k - 2.5), 0, 0),
                    1, q);
      scene.conf.particles[body].cluster = 2 * beam + k / 3;
      scene.conf.particles[body].vel = vel;
    }
  }
  scene.conf.setDensity(1, 2500);
  for (const std::uint32_t g : {0u, 1u}) scene.law(g, 1, 1e6, 0.2, 8e5, 0.4);
  const auto set = [&](const char* name, double inner, double outer) {
    scene.conf.setLawParameter(name + std::string("InnerBond"), 1, 1, inner);
    scene.conf.setLawParameter(name + std::string("OuterBond"), 1, 1, outer);
  };
  set("kn", 1e6, 8e5);
  set("kt", 8e5, 8e5);
  set("kr", 10, 20);
  set("en2", 0.1, 0.3);
  set("fn0", 700, 300);
  set("ft0", 600, 500);
  set("mom0", 0, 1);
  set("pow", 2, 1.5);
  set("gc", 10, 5);
  scene.conf.commands = {{law == "BCM" ? "stickBCM" : "stickVerticesInClusters", {"conf", "0.002"}},
                         {"stickClusters", {"conf", "0.002"}}};
  scene.conf.dt = 2e-5;
  return scene;
}
/// Beams that are thrown on a plate and break, since their bonds are stretched from the start.
inline Scene thrown(const std::string& law, int beams) {
  Scene scene = thrownApart(law, beams);
  Diagnostics quiet;
  sim::runCommands(scene.conf, scene.shapes, quiet, true);
  return scene;
}
/// The same, each beam one cluster, with faces that just touch so that no bond is pressed.
inline Scene thrownWhole(const std::string& law, int beams) {
  Scene scene = thrownApart(law, beams);
  for (std::size_t k = 1; k < scene.conf.particles.size(); ++k) {
    sim::ParticleRecord& p = scene.conf.particles[k];
    p.pos -= p.q * Vec3(0.001 * (static_cast<double>((k - 1) % 6) - 2.5), 0, 0);
    p.cluster = static_cast<std::int32_t>((k - 1) / 6);
  }
  return scene;
}

}  // namespace scree::scenes

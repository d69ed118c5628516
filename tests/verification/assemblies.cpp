// SPDX-License-Identifier: GPL-3.0-or-later
// Section 5: many bodies, and the books that are kept of them.
#include "bond_scenes.hpp"
#include "free_bodies.hpp"
#include "heap_scenes.hpp"
#include "scenes.hpp"
#include "table.hpp"

#include "scree/sim/pack/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace scree;
using namespace scree::scenes;

namespace scree::verification {
namespace {

void energyLedger(Report& report) {
  const std::vector<const char*> laws{"Default", "Avalanche", "StickedLinks", "GeoVisc"};
  for (const char* law : laws)
    report.atMost(fmt::format("balls, {}, Tc/50: residual over exchanged", law),
                  residualOf(countedHeap(law, 50, 24, 2), 0.6), 1e-4);
  for (const char* law : laws)
    for (const char* partnership : {"None", "NumberWeight", "OverlapWeight"}) {
      const auto residual = [&](double n) {
        Scene scene = countedHeap(law, 2 * n);  // by a box on four corners
        if (partnership != std::string("None")) scene.conf.contactPartnership = partnership;
        return residualOf(scene, 0.6);
      };
      const double coarse = residual(50), fine = residual(200);
      const std::string name = fmt::format("boxes, rods, balls, {}, {}", law, partnership);
      report.atMost(name + ", Tc/50: residual over exchanged", coarse, 1e-4);
      report.atMost(name + ", Tc/200", fine, 2.5e-5);
    }
  {
    Scene scene = countedHeap("Default", 50, 24, 2);
    scene.conf.integrator = "Beeman";
    report.atMost("balls, Default, Beeman, Tc/50: residual over exchanged", residualOf(scene, 0.6),
                  1e-4);
  }
  {
    Scene scene = countedHeap("Default", 100);
    scene.conf.numericalDampingCoeff = 0.1;
    report.atMost("boxes, rods, balls, damped, Tc/50: residual over exchanged",
                  residualOf(scene, 0.6), 1e-4);
  }
  for (const char* law : {"StickedLinks", "BCM"}) {
    // Rows that break on the plate; Tc of a cube on four corners: π √(m/(4 kn)), kn = 1e6.
    Scene scene = thrownWhole(law, 4);
    for (const double n : {50.0, 200.0}) {
      scene.conf.dt = pi * std::sqrt(2500 * scene.shapes[1].volume / 4e6) / n;
      report.atMost(
          fmt::format("bonded rows that break, {}, Tc/{:.0f}: residual over exchanged", law, n),
          residualOf(scene, 0.1), 1e-4);
    }
  }
  report.atMost("balls on a shaken plate, Tc/50: residual over exchanged",
                residualOf(countedHeap("Default", 50, 24, 2), 0.6, shaken()), 1e-4);
}

void tellMomenta(Report& report, const std::string& name, const Scene& scene) {
  auto s = scene.start();
  const Momenta begin = momentaOf(*s);
  for (int k = 0; k < 10000; ++k) s->step();
  const Momenta end = momentaOf(*s);
  report.atMost(name + ": linear, off by", (end.linear - begin.linear).norm() / begin.linearSize,
                1e-12);
  report.atMost(name + ": angular, off by",
                (end.angular - begin.angular).norm() / begin.angularSize, 1e-10);
}

void momentum(Report& report) {
  for (const char* law : {"Default", "Avalanche", "StickedLinks", "BCM", "GeoVisc"})
    tellMomenta(report, law, flyingTogether(law));
}

void momentumOfBonds(Report& report) {
  for (const char* law : {"StickedLinks", "BCM"}) {
    Scene scene = row(5, law, 1e7, 4e6);
    scene.conf.nDriven = 0;
    scene.conf.setLawParameter("krInnerBond", 0, 0, 1e5);
    scene.conf.setLawParameter("fn0InnerBond", 0, 0, 6e4);
    scene.conf.setLawParameter("gcInnerBond", 0, 0, 100);
    for (std::size_t k = 0; k < 5; ++k) {
      scene.conf.particles[k].vel =
          Vec3(0.4 * static_cast<double>(k % 2), 0.2 * static_cast<double>(k), -0.3);
      scene.conf.particles[k].vrot = Vec3(0.2, 0, 0.1 * static_cast<double>(k % 3));
    }
    scene.conf.dt = 5e-5;
    tellMomenta(report, fmt::format("{}, row of five", law), scene);
  }
}

void weight(Report& report) {
  // 27 boxes in a box of floor and four walls, damped until they rest. (Balls would not: see the
  // note on swings in circles.)
  Scene scene = heap("Default", {27, Vec2(0.3, 0.3), 0});
  const auto wall = [&](const Vec3& pos, const Vec3& inwards) {
    ++scene.conf.nDriven;
    scene.add(scene.shapes[scene.conf.particles[0].shapeName], pos, 0,
              shortestTurn(Vec3::UnitY(), inwards));
    // Driven bodies come first.
    std::rotate(scene.conf.particles.begin() + 1, scene.conf.particles.end() - 1,
                scene.conf.particles.end());
  };
  for (const double side : {-1.0, 1.0}) {
    wall(Vec3(side * 0.7, 1.0, 0), Vec3(-side, 0, 0));
    wall(Vec3(0, 1.0, side * 0.7), Vec3(0, 0, -side));
  }
  scene.conf.numericalDampingCoeff = 0.5;
  auto s = scene.start();
  while (s->time() < 4.0) s->step();
  double weightOfAll = 0.0;
  for (std::size_t k = s->bodies().driven; k < s->bodies().size(); ++k)
    weightOfAll += 9.81 * s->bodies().mass[k];
  Vec3 sum = Vec3::Zero(), walls = Vec3::Zero();
  for (std::size_t k = 0; k < s->bodies().driven; ++k) {
    sum += s->bodies().force[k];
    if (k > 0) walls += s->bodies().force[k];
  }
  report.relative("all walls: force downwards over Σmg", -sum.y() / weightOfAll, 1.0, 1e-6);
  report.atMost("all walls: force sideways over Σmg", std::hypot(sum.x(), sum.z()) / weightOfAll,
                1e-6);
  report.relative("floor and what friction hangs on the walls over Σmg",
                  -(s->bodies().force[0].y() + walls.y()) / weightOfAll, 1.0, 1e-6);
}

void cradle(Report& report) {
  Scene scene;
  for (int k = 0; k < 3; ++k) scene.add(ball("ball", radius), {k * (2 * radius + 0.01), 0, 0});
  scene.conf.setDensity(0, density);
  scene.law(0, 0, 1e8, 1.0, 0, 0);  // depth 2.3e-4
  scene.conf.particles[0].vel = Vec3(1, 0, 0);
  scene.conf.dt = pi * std::sqrt(0.5 * ballMass() / 1e8) / 2000;
  auto s = scene.start();
  while (s->time() < 0.05) s->step();
  for (std::size_t k = 0; k < 3; ++k)
    report.absolute(fmt::format("ball {}: speed [m/s]", k + 1), s->bodies().vel[k].x(),
                    k == 2 ? 1.0 : 0.0, 1e-3);
}

void sizeRatio(Report& report) {
  // Mixing velocities of the half step with places of the full one makes a small body drift beside
  // large ones. Its swing grows too, beyond a ratio of about 3.
  for (const double ratio : {1.0, 3.0, 10.0}) {
    PinnedBall p(ratio);
    report.atMost(fmt::format("ratio {}, rolled: drift over the radius", ratio),
                  p.rolled(20).norm() / p.small, 1e-9);
    report.atMost(fmt::format("ratio {}, swinging: growth of its energy in 100 periods", ratio),
                  std::max(0.0, p.growthOfSwing(20)), 1e-3);
  }
}

void order(Report& report) {
  const Swing swing;
  const std::pair<const char*, double> schemes[] = {
      {"velocityVerlet", 2}, {"Euler", 1}, {"Beeman", 3}, {"RungeKutta4", 4}};
  for (const auto& [name, declared] : schemes)
    report.absolute(fmt::format("{}: order seen", name), swing.orderSeen(name), declared, 0.25);
}

}  // namespace

std::vector<Problem> assemblyProblems() {
  return {
      {"5", "energy ledger",
       "what is held, lost and put in adds up; Tc of the stiffest contact: a box on four corners",
       true, energyLedger},
      {"5", "momentum of isolated bodies", "1e-12, 1e-10", false, momentum},
      {"5", "momentum of bonded bodies", "1e-12, 1e-10", false, momentumOfBonds},
      {"5", "weight of a packing", "Σmg on the walls, nothing sideways", true, weight},
      {"5", "Newton's cradle", "1, 0, 0 becomes 0, 0, 1", false, cradle},
      {"5", "size ratio", "arXiv 2410.14798", false, sizeRatio},
      {"5", "order of accuracy", "y = sag + sin(ωt) v0/ω, dt 2e-3 to 5e-4", false, order},
  };
}

namespace {

constexpr double ballRadius = 0.1;

sim::LatticeResult latticeOf(sim::LatticeType type, double spacing) {
  sim::LatticeOptions options;
  options.type = type;
  options.cells = {3, 3, 3};
  options.spacing = spacing;
  return sim::lattice({ball("ball", ballRadius)}, options);
}

void solidFractions(Report& report) {
  const std::pair<const char*, double> kinds[] = {{"sc", pi / 6},
                                                  {"bcc", pi * std::sqrt(3.0) / 8},
                                                  {"fcc", pi / (3 * std::sqrt(2.0))},
                                                  {"hcp", pi / (3 * std::sqrt(2.0))}};
  for (const auto& [name, expected] : kinds) {
    const auto lattice = latticeOf(sim::latticeType(name), 2 * ballRadius);
    report.relative(fmt::format("{}: solid fraction", name), lattice.solidFraction, expected,
                    1e-12);
  }
}

/// Balls of a lattice in a periodic cell, each pressed by `overlap` against its neighbours.
void coordination(Report& report) {
  const double overlap = 1e-4, kn = 1e6, force = kn * overlap;
  const std::pair<const char*, double> kinds[] = {{"sc", 6}, {"bcc", 8}, {"fcc", 12}, {"hcp", 12}};
  for (const auto& [name, neighbours] : kinds) {
    const auto lattice = latticeOf(sim::latticeType(name), 2 * ballRadius - overlap);
    Scene scene;
    scene.conf.cell.used = true;
    scene.conf.cell.h = (3.0 * lattice.cell.size).asDiagonal();
    scene.conf.cell.kineticStress = false;
    for (const sim::PlacedBody& b : lattice.packing.bodies)
      scene.add(ball("ball", ballRadius), b.pos);
    scene.conf.setDensity(0, 2500);
    scene.law(0, 0, kn, 1.0, 0, 0);
    scene.conf.dt = 1e-9;
    auto s = scene.start();
    s->step();
    const auto contacts = s->interactions();
    const auto n = static_cast<double>(s->bodies().size());
    report.absolute(fmt::format("{}: contacts of a body", name),
                    2 * static_cast<double>(contacts.size()) / n, neighbours, 0.0);
    Mat3 fabric = Mat3::Zero();
    for (const auto& c : contacts) fabric += c.n * c.n.transpose();
    fabric /= static_cast<double>(contacts.size());
    report.atMost(fmt::format("{}: fabric, off I/3", name),
                  (fabric - Mat3::Identity() / 3).cwiseAbs().maxCoeff(), 1e-12);
    // Love-Weber: half the neighbours times force times distance over the volume of a body, a
    // third of it on each axis. Overlaps carry the rounding of places: 1e-16 × 0.6/1e-4.
    const double a = 2 * ballRadius - overlap, volume = scene.conf.cell.h.determinant() / n;
    const Mat3 expected = -neighbours / 6 * force * a / volume * Mat3::Identity();
    report.relative(fmt::format("{}: stress in the cell [Pa]", name), s->cellStress()(0, 0),
                    expected(0, 0), 1e-11);
    if (neighbours == 6)
      report.relative("sc: F/a² [Pa]", -s->cellStress()(1, 1), force / (a * a), 1e-11);
    report.atMost(fmt::format("{}: stress off that on each axis, of itself", name),
                  (s->cellStress() - expected).cwiseAbs().maxCoeff() / std::abs(expected(0, 0)),
                  1e-11);
  }
}

}  // namespace

std::vector<Problem> packingProblems() {
  return {
      {"5", "lattices (packgen)", "π/6, π√3/8, π/(3√2)", false, solidFractions},
      {"5", "lattices in a periodic cell",
       "6, 8, 12 neighbours; fabric I/3; Love-Weber, compression negative", false, coordination},
  };
}

}  // namespace scree::verification

// SPDX-License-Identifier: GPL-3.0-or-later
// A periodic cell as in Rockable: what is published of it, and what its equations say.
// No state of one of its runs is at hand, so these are formulas and invariants.
#include "catch.hpp"
#include "cell_scenes.hpp"
#include "command.hpp"
#include "format_cube.hpp"
#include "heap_scenes.hpp"

#include "scree/shape/shape_file.hpp"
#include "scree/sim/io/conf_file.hpp"

#include <algorithm>
#include <cmath>

using namespace scree;
using namespace scree::scenes;
using Catch::Contains;

namespace {

std::unique_ptr<sim::Simulation> started(const Scene& scene, const std::string& load = "",
                                         int threads = 1) {
  Diagnostics quiet;
  return std::make_unique<sim::Simulation>(
      scene.conf, scene.shapes, drivesOf(load.empty() ? load : "PeriodicLoading " + load + "\n", 0),
      sim::SimulationOptions(threads, true), quiet);
}

/// Lists as in a file: new ones each ten steps.
Scene listed(Scene scene) {
  scene.conf.interVerlet = 10 * scene.conf.dt;
  scene.conf.DVerlet = 0.05;
  scene.conf.dVerlet = 0.02;
  return scene;
}

/// Two cubes of the format 0.01 deep in each other, the second 0.99 before the first along x, with
/// offsets of 0.1. They are moved by `at`, into the cell `h`.
Scene cubesFaceToFace(const Mat3& h, const Vec3& at) {
  Scene scene;
  scene.conf.cell.used = !h.isZero();
  scene.conf.cell.h = h;
  scene.conf.dt = scene.conf.interVerlet = 1e-9;
  scene.conf.DVerlet = scene.conf.dVerlet = 0.02;
  scene.conf.setDensity(1, 1000);
  scene.law(1, 1, 1e6, 1.0, 1e6, 0.5);
  for (const Vec3& pos : {Vec3(at), Vec3(at + Vec3(-0.99, 0.1, 0.1))}) {
    const Vec3 s = h.isZero() ? Vec3(Vec3::Zero()) : Vec3((h.inverse() * pos).array().floor());
    scene.add(formatCube(), pos - h * s, 1);
  }
  return scene;
}

/// Contacts after the first step that knows them.
std::unique_ptr<sim::Simulation> afterTwoSteps(const Scene& scene) {
  auto s = started(scene);
  s->step();
  s->step();
  return s;
}

}  // namespace

TEST_CASE("compat: two cubes face to face have four contacts, and the two published across a side",
          "[compat][cell]") {
  using sim::Pairing;
  const Mat3 none = Mat3::Zero();
  // Inside of a cell, too: the second stands at (1.01, 2.1, 2.1).
  for (const Mat3& h : {none, cube(4)}) {
    const auto inside = afterTwoSteps(cubesFaceToFace(h, Vec3(2, 2, 2)));
    REQUIRE(inside->interactions().size() == 4);
    CHECK(inside->interactions()[1].key == sim::ContactKey{0, 1, Pairing::edgeEdge, 5, 11});
  }
  const auto across = afterTwoSteps(cubesFaceToFace(cube(4), Vec3(0.3, 2, 2)));
  const auto contacts = across->interactions();
  REQUIRE(contacts.size() == 2);
  CHECK(contacts[0].key == sim::ContactKey{0, 1, Pairing::vertexFace, 5, 5});
  CHECK(contacts[1].key == sim::ContactKey{1, 0, Pairing::vertexFace, 3, 4});
  for (const auto& c : contacts) {
    CHECK(c.dn == Approx(-0.01).epsilon(1e-9));
    CHECK(c.fn == Approx(1e4).epsilon(1e-9));
  }
  // Half of the force of the four; and none across the side without --compat is missing.
  CHECK((across->bodies().force[0] - Vec3(2e4, 0, 0)).norm() < 1e-4);
  Scene scene = cubesFaceToFace(cube(4), Vec3(0.3, 2, 2));
  CHECK(scene.start()->interactions().size() == 4);
}

TEST_CASE("compat: arms across a side are off by the shift of the image, but for two vertices",
          "[compat][cell]") {
  // In a skew cell the shift is not along the normal. The second cube is half as large, so that all
  // of its four vertices lie on the face of the first one. An error does not cancel then.
  Mat3 h = cube(4);
  h(1, 0) = 0.7;
  h(2, 0) = -0.3;
  Scene cubes = cubesFaceToFace(h, h * Vec3(0.05, 0.5, 0.5));
  cubes.conf.particles[1].homothety = 0.5;
  cubes.conf.particles[1].pos += Vec3(0.25, 0, 0);
  const auto s = afterTwoSteps(cubes);
  const auto contacts = s->interactions();
  REQUIRE(contacts.size() == 4);
  const sim::Bodies& b = s->bodies();
  Vec3 moments[2] = {Vec3::Zero(), Vec3::Zero()}, right[2] = {Vec3::Zero(), Vec3::Zero()};
  for (const auto& c : contacts) {
    const Vec3 between = b.pos[c.key.i] - b.pos[c.key.j];
    const Vec3 shift = h * Vec3((h.inverse() * between).array().round());
    CHECK(shift.norm() > 4);
    const Vec3 force = c.fn * c.n + c.ft;
    const Vec3 armI = c.pos - b.pos[c.key.i], armJ = armI + between - shift;
    moments[c.key.i] += (armI - shift).cross(force);
    moments[c.key.j] -= (armJ - shift).cross(force);
    right[c.key.i] += armI.cross(force);
    right[c.key.j] -= armJ.cross(force);
  }
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK((b.moment[k] - moments[k]).norm() < 1e-9 * moments[k].norm());
    CHECK((b.moment[k] - right[k]).norm() > 1e4);
  }
  // Two balls: right arms, so that friction turns both alike.
  Scene balls = ballsInCell(cube(1), 3, 0.1, 0.0);
  balls.conf.particles.resize(2);
  balls.conf.particles[0].pos = Vec3(0.05, 0.5, 0.5);
  balls.conf.particles[1].pos = Vec3(0.86, 0.5, 0.5);
  balls.conf.particles[1].vel = Vec3(0, 1, 0);
  balls.law(0, 0, 1e5, 1, 1e5, 10);
  balls = listed(balls);
  const auto pair = afterTwoSteps(balls);
  REQUIRE(pair->interactions().size() == 1);
  CHECK(pair->bodies().moment[0].norm() > 1e-3);
  CHECK((pair->bodies().moment[0] - pair->bodies().moment[1]).norm() <
        1e-12 * pair->bodies().moment[0].norm());
}

TEST_CASE("compat: bodies fly straight on while the cell moves and accelerates", "[compat][cell]") {
  // A rate of the present length, as TriaxialCompression has it, is another velocity at each step.
  // Those velocities take bodies along. Not so here, where lengths across a shear stay as they are.
  const std::string load = GENERATE("", "SimpleShearDeformable XY 0 0.7", "IsotropicCompression 1");
  CAPTURE(load);
  Scene scene = listed(ballsInCell(aslant(1.0), 3, 0.01, 0.3));
  scene.conf.cell.mh = 3;
  scene.conf.cell.kineticStress = false;
  scene.conf.gravity = Vec3(0.1, -0.3, 0.2);
  // What stands in the file is real: bodies keep their velocity in a cell that moves already.
  // They stay clear of its sides: an image of one that flies straight on does not, where the cell
  // accelerates.
  const Mat3& h0 = scene.conf.cell.h;
  for (auto& p : scene.conf.particles) p.pos = 0.4 * p.pos + 0.6 * (h0 * Vec3::Constant(0.5));
  if (load[0] == 'S') scene.conf.cell.vh(0, 1) = 0.7 * h0(1, 1);
  const auto worst = [&](double dt) {
    scene.conf.dt = dt;
    auto s = started(scene, load);
    double most = 0.0;
    const double end = 0.2;
    while (s->time() < end - 0.5 * dt) s->step();
    for (std::size_t k = 0; k < s->bodies().size(); ++k) {
      const sim::ParticleRecord& p = scene.conf.particles[k];
      const Vec3 x = p.pos + end * p.vel + 0.5 * end * end * scene.conf.gravity;
      most = std::max(most, offLattice(s->cell().h, s->bodies().pos[k] - x));
    }
    CHECK(s->contactCount() == 0);
    return most;
  };
  const double coarse = worst(1e-3), fine = worst(2.5e-4);
  INFO(coarse << " " << fine);
  CHECK(coarse < 2e-3);
  // The first order of the step: 2 h' s' is that of the half step before.
  CHECK((fine < 1e-12 || fine < 0.3 * coarse));
}

TEST_CASE("compat: a cell follows V h⁻¹ (wanted - stress), fluctuations as tension",
          "[compat][cell]") {
  const bool kinetic = GENERATE(true, false);
  const double p = 700, d = 30, m = 2.5;
  Scene scene = listed(soup(aslant(1.05)));
  scene.conf.cell.kineticStress = kinetic;
  scene.conf.cell.mh = m;
  scene.conf.cell.dh = d;
  auto s = started(scene, "IsotropicCompression 700");
  std::size_t met = 0;
  for (int k = 0; k < 2000; ++k) {
    const Mat3 before = s->cell().vh, ahBefore = s->cell().ah;
    s->step();
    if (s->contactCount() == 0 || k % 10) continue;
    met += s->contactCount();
    const sim::Bodies& b = s->bodies();
    const sim::PeriodicCell& cell = s->cell();
    const Mat3 inverse = cell.h.inverse();
    // All of the moment of the forces: bodies and cell have had their last half kick since.
    const Mat3 half = before + (0.5 * scene.conf.dt) * ahBefore;
    double mass = 0.0;
    Mat3 sum = Mat3::Zero();
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Vec3 at = inverse * b.pos[j];
      const Vec3 w = b.vel[j] - cell.vh * at - cell.h * ((0.5 * scene.conf.dt) * b.acc[j]);
      if (kinetic) sum += b.mass[j] * w * w.transpose();
      mass += b.mass[j];
    }
    for (const auto& c : s->interactions()) {
      Vec3 t = inverse * (b.pos[c.key.j] - b.pos[c.key.i]);
      t -= Vec3(t.array().round());
      sum += (c.fn * c.n + c.ft) * (cell.h * t).transpose();
    }
    const double volume = std::abs(cell.h.determinant());
    const Mat3 push = volume * inverse * (-p * Mat3::Identity() - sum / volume) - d * half;
    for (int k2 = 0; k2 < 3; ++k2)
      CHECK(cell.ah(k2, k2) == Approx(push(k2, k2) / (m * mass)).epsilon(1e-9).margin(1e-12));
    CHECK(cell.ah(0, 1) == 0.0);
  }
  CHECK(met > 20);
}

TEST_CASE("compat: the acceleration of a body in a file is that of its reduced coordinates",
          "[compat][cell]") {
  Scene scene = listed(ballsInCell(aslant(1.0), 3, 0.01, 0.3));
  scene.conf.gravity = Vec3(0.1, -0.3, 0.2);
  scene.conf.cell.vh(0, 1) = 0.4;
  scene.conf.cell.ah(1, 1) = -0.2;
  const auto s = started(scene);
  const Mat3 inverse = scene.conf.cell.h.inverse();
  const sim::ParticleRecord p = s->conf().particles[5];
  const Vec3 at = inverse * p.pos, rate = inverse * (p.vel - scene.conf.cell.vh * at);
  const Vec3 expected =
      inverse * (scene.conf.gravity - 2 * scene.conf.cell.vh * rate - scene.conf.cell.ah * at);
  CHECK((p.acc - expected).norm() < 1e-14);
}

TEST_CASE(
    "compat: a gas in a fixed cell keeps momentum and energy, a cell under pressure counts "
    "what it puts in",
    "[compat][cell][energy]") {
  const std::string load =
      GENERATE("", "IsotropicCompression 3000", "SimpleShearDeformable XY 3000 1.5");
  CAPTURE(load);
  const auto residual = [&](double dt) {
    Scene scene = ballsInCell(aslant(1.0), 3, 0.14, 2.0);
    scene.conf.cell.mh = 2;
    scene.conf.cell.dh = 50;
    scene.conf.dt = dt;
    scene = listed(scene);
    auto s = started(scene, load);
    const auto momentum = [&] {
      Vec3 sum = Vec3::Zero();
      for (std::size_t k = 0; k < s->bodies().size(); ++k)
        sum += s->bodies().mass[k] * s->bodies().vel[k];
      return sum;
    };
    const Vec3 before = momentum();
    std::size_t met = 0;
    while (s->time() < 0.1 - 0.5 * dt) {
      s->step();
      met += s->contactCount();
    }
    CHECK(met > 100);
    if (load.empty()) CHECK((momentum() - before).norm() < 1e-11 * before.norm());
    const sim::EnergyBudget e = s->energyBudget();
    if (!load.empty()) CHECK(std::abs(e.cellWork) > 0.01 * e.exchanged);
    return std::abs(e.residual) / e.exchanged;
  };
  const double coarse = residual(4e-5), fine = residual(1e-5);
  INFO(coarse << " " << fine);
  CHECK(coarse < 1e-3);
  CHECK(fine < std::max(0.5 * coarse, 1e-5));
}

TEST_CASE("compat: a fixed cell has no special place for balls, and a driven body stays in it",
          "[compat][cell]") {
  const Mat3 h = aslant(1.0);
  Scene here = listed(ballsInCell(h, 3, 0.14, 2.0));
  Scene there = here;
  const Vec3 shift(0.3, -1.234, 5.1);
  for (auto& p : there.conf.particles) p.pos += shift;
  auto a = started(here), b = started(there);
  for (int k = 0; k < 3000; ++k) {
    a->step();
    b->step();
  }
  for (std::size_t k = 0; k < a->bodies().size(); ++k)
    CHECK(offLattice(h, b->bodies().pos[k] - a->bodies().pos[k] - shift) < 1e-9);

  Scene walled = here;
  walled.conf.nDriven = 2;
  const auto still = started(walled);
  for (int k = 0; k < 100; ++k) still->step();
  CHECK(still->bodies().pos[1] == here.conf.particles[1].pos);
  walled.conf.cell.mh = 50;
  const auto sheared = started(walled, "SimpleShearDeformable XY 0 2");
  for (int k = 0; k < 1000; ++k) sheared->step();
  const Mat3& now = sheared->cell().h;
  CHECK((now - h).norm() > 0.01);
  CHECK((sheared->bodies().pos[1] - now * h.inverse() * here.conf.particles[1].pos).norm() < 1e-12);
}

TEST_CASE(
    "compat: each law gives the same bits in a cell on 1, 2, 3 and 8 threads and after saving",
    "[compat][cell][repeat]") {
  const std::string law = GENERATE("Default", "Avalanche", "StickedLinks", "BCM", "GeoVisc"),
                    load =
                        GENERATE("", "IsotropicCompression 20000", "TriaxialCompression X 2e4 -0.5",
                                 "SimpleShearDeformable XZ 20000 1");
  CAPTURE(law, load);
  Scene scene = listed(soup(aslant(1.05)));
  scene.conf.forceLaw = law;
  scene.conf.cell.mh = 5;
  scene.conf.cell.momentumCorrection = 0.0123;
  scene.conf.setLawParameter("viscTContact", 1, 1, 300);
  const sim::Drives drives = drivesOf(load.empty() ? load : "PeriodicLoading " + load + "\n", 0);
  auto unbroken = started(scene, load);
  std::size_t met = 0;
  for (int k = 0; k < 1500; ++k) {
    unbroken->step();
    met += unbroken->contactCount();
  }
  CHECK(met > 300);
  for (const int threads : {2, 3, 8}) {
    auto s = started(scene, load, threads);
    for (int k = 0; k < 1500; ++k) s->step();
    CHECK(s->stateHash() == unbroken->stateHash());
  }
  auto part = started(scene, load);
  for (const int steps : {1, 776, 723}) {
    for (int k = 0; k < steps; ++k) part->step();
    part = savedAndBegun(*part, drives, 3, false);
  }
  CHECK(part->stateHash() == unbroken->stateHash());
  const sim::EnergyBudget e = unbroken->energyBudget(), f = part->energyBudget();
  CHECK(e.cellWork == f.cellWork);
  CHECK(e.residual == f.residual);
}

TEST_CASE("compat: bonds across a side break and go on from a file to the bit",
          "[compat][cell][bond][repeat]") {
  const std::string law = GENERATE("StickedLinks", "BCM"),
                    load = GENERATE("", "SimpleShearDeformable XZ 20000 2");
  CAPTURE(law, load);
  Scene scene = rowAcrossCell(law);
  scene.conf.setLawParameter("mom0InnerBond", 0, 0, 1e9);
  scene.conf.setLawParameter("powInnerBond", 0, 0, 2);
  scene = listed(scene);
  auto unbroken = started(scene, load), part = started(scene, load);
  for (int k = 1; k <= 1500; ++k) {
    const std::uint64_t before = unbroken->bonds().brokenInterfaces;
    unbroken->step();
    part->step();
    if (k % 377 == 0 || unbroken->bonds().brokenInterfaces > before)
      part = savedAndBegun(
          *part, drivesOf(load.empty() ? load : "PeriodicLoading " + load + "\n", 0), 2, false);
  }
  CHECK(unbroken->bonds().brokenInterfaces > 0);
  CHECK(part->stateHash() == unbroken->stateHash());
}

TEST_CASE("compat: what is not known of a cell there is refused with the reason",
          "[compat][cell]") {
  Scene scene = listed(ballsInCell(cube(1.0), 3, 0.1, 0.1));
  scene.conf.addOrRemoveInteractions = "OBBtree";
  CHECK_THROWS_WITH(started(scene), Contains("finds no contacts across"));
  CHECK_NOTHROW(scene.start());
  scene.conf.addOrRemoveInteractions = "bruteForce";
  scene.conf.nDriven = 1;
  Diagnostics diagnostics;
  const auto with = [&](const std::string& drives) {
    return sim::Simulation(scene.conf, scene.shapes, drivesOf(drives, 1),
                           sim::SimulationOptions(1, true), diagnostics)
        .time();
  };
  CHECK_THROWS_WITH(with("Control _x_Vel_ 0 0.1\n"),
                    Contains("control or a servo in a periodic cell"));
  CHECK_THROWS_WITH(with("Servo shaker 0 0 1 0 0.01 10\n"),
                    Contains("control or a servo in a periodic cell"));
  CHECK_NOTHROW(with("PeriodicLoading IsotropicCompression 100\n"));
  CHECK(diagnostics.warnings().empty());
  REQUIRE_FALSE(diagnostics.notes().empty());
  CHECK(diagnostics.notes()[0].find("published description") != std::string::npos);
  scene.conf.integrator = "Euler";
  CHECK_THROWS_WITH(started(scene), Contains("velocityVerlet"));
}

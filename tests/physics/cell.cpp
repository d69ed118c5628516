// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies in a periodic cell: no place in it is special, and it moves by the stress inside.
#include "catch.hpp"
#include "cell_scenes.hpp"
#include "free_bodies.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/model/images.hpp"

#include <algorithm>
#include <cmath>

using namespace scree;
using namespace scree::scenes;
using Catch::Contains;

namespace {

sim::Drives loading(const std::string& text) {
  return drivesOf(text.empty() ? text : "PeriodicLoading " + text + "\n", 0);
}

}  // namespace

TEST_CASE("a scene moved as a whole through its periodic cell goes on as before",
          "[physics][cell]") {
  const Mat3 h = GENERATE(cube(1.0), aslant(1.05));
  const std::string load = GENERATE("", "IsotropicCompression 20000");
  const Vec3 shift = GENERATE(Vec3(0.71, 0, 0), Vec3(0.3, -1.234, 5.1), Vec3(-0.02, 0.9, 0.4));
  Scene here = soup(h);
  here.conf.cell.mh = 0.5;
  Scene there = here;
  for (auto& p : there.conf.particles) p.pos += shift;
  auto a = here.start(1, loading(load)), b = there.start(1, loading(load));
  std::size_t met = 0;
  for (int k = 0; k < 800; ++k) {  // chaos amplifies rounding, so the horizon is short
    a->step();
    b->step();
    REQUIRE(a->contactCount() == b->contactCount());
    met += a->contactCount();
  }
  CHECK(met > 300);  // one or two at a time, of all sorts
  double worst = (a->cell().h - b->cell().h).norm();
  for (std::size_t k = 0; k < a->bodies().size(); ++k) {
    // A shift in space is one of the cell: where it deforms, by as much.
    const Vec3 now = a->cell().h * h.inverse() * shift;
    worst = std::max(worst, offLattice(b->cell().h, b->bodies().pos[k] - a->bodies().pos[k] - now));
    worst = std::max(worst, (b->bodies().spin[k] - a->bodies().spin[k]).norm());
  }
  CHECK(worst < 1e-9);
}

TEST_CASE("a gas in a fixed cell keeps its momentum and, without losses, its energy",
          "[physics][cell]") {
  // Without losses for balls: sub-elements of polyhedra hand contacts over with a step in energy.
  const bool lossless = GENERATE(true, false);
  Scene scene = lossless ? ballsInCell(aslant(1.0), 3, 0.14, 2.0) : soup(aslant(1.05), 0.3);
  scene.conf.dt = 1e-5;
  auto s = scene.start();
  const auto energy = [&] {
    double sum = kineticEnergy(*s);
    for (const auto& c : s->interactions()) sum += 0.5 * 1e5 * c.dn * c.dn;
    return sum;
  };
  const Vec3 p0 = momentaOf(*s).linear;
  const double e0 = energy();
  std::size_t met = 0;
  for (int k = 0; k < 20000; ++k) {
    s->step();
    met += s->contactCount();
  }
  CHECK(met > 2000);
  CHECK((momentaOf(*s).linear - p0).norm() < 1e-11 * p0.norm());
  if (lossless)
    CHECK(energy() == Approx(e0).epsilon(1e-4));
  else
    CHECK(energy() < 0.9 * e0);
}

TEST_CASE("no contact is missed while the cell shears and images change", "[physics][cell]") {
  // Against all pairs and all their images.
  Scene scene = ballsInCell(cube(1.0), 4, 0.115, 1.0);
  scene.conf.dt = 1e-4;
  scene.conf.cell.mh = 0.1;
  const std::string load =
      GENERATE("SimpleShearDeformable XY 3000 2.5", "TriaxialCompression Z 2000 -1.5",
               "SimpleShearDeformable z x 3000 -1.5");
  auto s = scene.start(1, loading(load));
  std::size_t seen = 0;
  for (int k = 0; k < 1500; ++k) {
    s->step();
    if (k % 5) continue;
    const sim::Bodies& b = s->bodies();
    const Mat3& h = s->cell().h;
    std::size_t touching = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
      for (std::size_t j = i + 1; j < b.size(); ++j)
        for (int m = 0; m < 27; ++m)
          touching += (b.pos[i] - b.pos[j] + h * Vec3(m % 3 - 1, m / 3 % 3 - 1, m / 9 - 1)).norm() <
                      2 * 0.115;
    REQUIRE(s->contactCount() == touching);
    seen += touching;
  }
  CHECK(seen > 3000);
}

TEST_CASE("bodies that do not move against each other follow a sheared cell", "[physics][cell]") {
  Scene scene = ballsInCell(aslant(1.0), 3, 0.05, 0.0);
  scene.conf.dt = 1e-3;
  const Mat3 h0 = scene.conf.cell.h;
  auto s = scene.start(1, loading("SimpleShearDeformable YX 0 0.7"));
  for (int k = 0; k < 500; ++k) s->step();
  Mat3 expected = h0;
  expected(1, 0) += 0.5 * 0.7 * h0(0, 0);
  CHECK((s->cell().h - expected).norm() < 1e-12);
  for (std::size_t k = 0; k < s->bodies().size(); ++k)
    CHECK(offLattice(expected, s->bodies().pos[k] -
                                   expected * h0.inverse() * scene.conf.particles[k].pos) < 1e-12);
}

TEST_CASE("a strain rate along one axis is one of the present length", "[physics][cell]") {
  Scene scene = ballsInCell(cube(1.0), 2, 0.05, 0.0);
  scene.conf.dt = 1e-5;
  auto s = scene.start(1, loading("TriaxialCompression Y 0 -0.5"));
  for (int k = 0; k < 20000; ++k) s->step();
  CHECK(s->cell().h(1, 1) == Approx(std::exp(-0.5 * 0.2)).epsilon(1e-5));
  CHECK(s->cell().h(0, 0) == 1.0);
}

TEST_CASE("a cell under a pressure closes its energy, with bodies that fly and meet",
          "[physics][cell]") {
  // Kinetic energy of fluctuations and of the cell, springs, and pressure times volume.
  const double p = 5000;
  Scene scene = ballsInCell(cube(1.0), 4, 0.12, 2.0);
  scene.conf.cell.mh = 0.5;
  const auto drift = [&](double dt) {
    scene.conf.dt = dt;
    auto s = scene.start(1, loading("IsotropicCompression 5000"));
    double mass = 0.0;
    for (const double m : s->bodies().mass) mass += 0.5 * m;
    const auto energy = [&] {
      const sim::Bodies& b = s->bodies();
      const sim::PeriodicCell& cell = s->cell();
      double sum = 0.5 * mass * cell.vh.squaredNorm() + p * cell.h.determinant();
      for (std::size_t k = 0; k < b.size(); ++k) {
        const Vec3 w = b.vel[k] - cell.vh * cell.h.inverse() * b.pos[k];
        sum += 0.5 * b.mass[k] * w.squaredNorm();
      }
      for (const auto& c : s->interactions()) sum += 0.5 * 1e5 * c.dn * c.dn;
      return sum;
    };
    const double begin = energy();
    double worst = 0.0;
    while (s->time() < 0.1) {
      s->step();
      worst = std::max(worst, std::abs(energy() - begin));
    }
    CHECK(s->cell().h(0, 0) < 0.98);  // it did move
    return worst / begin;
  };
  const double coarse = drift(4e-5), fine = drift(1e-5);
  CHECK(coarse < 2e-3);
  CHECK(fine < 0.2 * coarse);  // order 2 less the onsets of contacts
}

TEST_CASE("isotropic compression brings the stress inside to the requested pressure",
          "[physics][cell]") {
  const double p = 500;
  Scene scene = ballsInCell(cube(1.0), 5, 0.085, 0.3);
  scene.conf.cell.mh = 0.05;
  scene.conf.cell.dh = 30;
  scene.conf.cell.kineticStress = false;
  scene.law(0, 0, 1e5, 0.01, 5e4, 0.2);
  scene.conf.dt = 2e-4;
  auto s = scene.start(1, loading("IsotropicCompression 500"));
  for (int k = 0; k < 15000; ++k) s->step();
  const Mat3& stress = s->cellStress();
  INFO(stress);
  for (int k = 0; k < 3; ++k) CHECK(stress(k, k) == Approx(-p).epsilon(1e-3));
  CHECK((stress - stress.transpose()).norm() < 1e-3 * p);
  // By hand, from the contacts of a saved state: V stress = sum of force times branch.
  Mat3 sum = Mat3::Zero();
  const sim::Bodies& b = s->bodies();
  const Mat3& h = s->cell().h;
  for (const auto& c : s->interactions()) {
    Vec3 t = h.inverse() * (b.pos[c.key.j] - b.pos[c.key.i]);
    t -= Vec3(t.array().round());
    sum += (c.fn * c.n + c.ft) * (h * t).transpose();
  }
  CHECK((sum / h.determinant() - stress).norm() < 1e-4 * p);
}

TEST_CASE("pressure of a gas: fluctuations of velocity press on the cell", "[physics][cell]") {
  Scene scene = ballsInCell(cube(1.0), 3, 0.01, 2.0);
  const double mass = 1000 * 4.0 / 3.0 * pi * 1e-6;
  auto s = scene.start();
  s->step();
  CHECK(s->cellStress().trace() / 3 == Approx(-27 * mass * 4 / 3).epsilon(1e-9));
  scene.conf.cell.kineticStress = false;
  auto still = scene.start();
  still->step();
  CHECK(still->cellStress().norm() == 0.0);
}

TEST_CASE("mean motion is removed at its period, by mass or by number", "[physics][cell]") {
  const bool byMass = GENERATE(true, false);
  Scene scene = soup(cube(1.5));
  for (auto& p : scene.conf.particles) p.vel += Vec3(3, 1, 0);
  (byMass ? scene.conf.cell.momentumCorrection : scene.conf.cell.velocityCorrection) =
      10 * scene.conf.dt;
  auto s = scene.start();
  const auto mean = [&] {
    Vec3 sum = Vec3::Zero();
    double weights = 0.0;
    for (std::size_t k = 0; k < s->bodies().size(); ++k) {
      const double weight = byMass ? s->bodies().mass[k] : 1.0;
      sum += weight * s->bodies().vel[k];
      weights += weight;
    }
    return Vec3(sum / weights);
  };
  for (int k = 0; k < 9; ++k) s->step();
  CHECK(mean().norm() > 2);
  s->step();
  CHECK(mean().norm() < 1e-12);
}

TEST_CASE("a periodic cell that cannot be is refused with the reason", "[physics][cell]") {
  Scene scene = soup(cube(1.5));
  scene.conf.cell.h = cube(0.6);
  CHECK_THROWS_WITH(scene.start(), Contains("half the width") && Contains("body"));
  scene.conf.cell.h.row(2).setZero();
  CHECK_THROWS_WITH(scene.start(), Contains("no volume"));
  scene.conf.cell.h = cube(1.5);
  scene.conf.integrator = "Beeman";
  CHECK_THROWS(scene.start());
  scene.conf.integrator = "velocityVerlet";
  // It may also become too small on the way.
  auto s = scene.start(1, loading("TriaxialCompression X 0 -200"));
  CHECK_THROWS_WITH(
      [&] {
        for (int k = 0; k < 1000; ++k) s->step();
      }(),
      Contains("half the width"));
  scene.conf.cell.used = false;
  CHECK_THROWS_WITH(scene.start(1, loading("IsotropicCompression 1")), Contains("usePeriodicCell"));
  CHECK_THROWS_WITH(loading("IsotropicCompresion 1"), Contains("IsotropicCompression"));
  CHECK_THROWS_WITH(loading("SimpleShearDeformable XX 1 1"), Contains("different"));
  CHECK_THROWS_WITH(loading("TriaxialCompression W 1 1"), Contains("axis"));
}

TEST_CASE("the energy of bodies in a periodic cell closes under each of its loadings",
          "[physics][cell][energy]") {
  const std::string load =
      GENERATE("", "IsotropicCompression 20000", "TriaxialCompression Y 20000 -0.8",
               "SimpleShearDeformable XY 20000 3");
  const bool fluctuations = GENERATE(true, false);
  CAPTURE(load, fluctuations);
  const auto residual = [&](double dt, const Vec3& gravity) {
    Scene scene = soup(aslant(1.1));
    scene.conf.cell.mh = 0.5;
    scene.conf.cell.dh = 500;
    scene.conf.cell.kineticStress = fluctuations;
    scene.conf.cell.momentumCorrection = 0.02;
    scene.conf.gravity = gravity;
    scene.conf.dt = dt;
    auto s = scene.start(1, loading(load));
    while (s->time() < 0.068 - 0.5 * dt) s->step();
    const sim::EnergyBudget e = s->energyBudget();
    CHECK(e.friction > 0.01 * e.exchanged);
    if (!load.empty()) CHECK(std::abs(e.cellWork) > 0.01 * e.exchanged);
    if (!load.empty()) CHECK(e.damping > 0.0);
    return std::abs(e.residual) / e.exchanged;
  };
  // Contact time of two boxes on four corners, 3.4e-3, over 50 and 200.
  for (const Vec3& gravity : {Vec3(0, 0, 0), Vec3(2, -9.81, 1)}) {
    const double coarse = residual(6.8e-5, gravity), fine = residual(1.7e-5, gravity);
    INFO(coarse << " " << fine);
    CHECK(coarse < 1e-4);
    CHECK(fine < 5e-5);
  }
}

TEST_CASE("the energy of a cell closes beside a driven plate, and while drives change",
          "[physics][cell][energy]") {
  Scene scene = soup(cube(1.5));
  scene.add(plate("plate", 0.15, 0.03), {0.75, 0.75, 0.75}, 0);
  auto& all = scene.conf.particles;
  std::rotate(all.begin(), all.end() - 1, all.end());
  scene.conf.nDriven = 1;
  scene.law(0, 1, 1e6, 0.5, 8e5, 0.4);
  scene.conf.cell.mh = 0.5;
  scene.conf.dt = 3e-5;
  const auto with = [](const std::string& load) {
    sim::Drives drives = loading(load);
    drives.controls.push_back({sim::Imposed::velocity, 1, 0, Vec3(0, 0.4, 0)});
    return drives;
  };
  auto s = scene.start(1, with("IsotropicCompression 20000"));
  for (int k = 0; k < 1500; ++k) s->step();
  s->setDrives(with("TriaxialCompression X 10000 -1"));
  for (int k = 0; k < 1500; ++k) s->step();
  const sim::EnergyBudget e = s->energyBudget();
  CHECK(std::abs(e.drives) > 0.01 * e.exchanged);
  CHECK(std::abs(e.residual) < 1e-4 * e.exchanged);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The periodic cell by itself: no simulation, no contacts.
#include "catch.hpp"
#include "cell_scenes.hpp"
#include "engine/cell_motion.hpp"
#include "engine/contact_sums.hpp"

#include <cmath>

using namespace scree;
using namespace scree::sim;
using scree::scenes::drivesOf;
using scree::scenes::offLattice;
using scree::scenes::Scene;

namespace {

struct LoneCell {
  Conf conf;
  Model model;
  BodyOrder order;
  Bodies bodies;
  std::vector<BodyPose> poses;
  Contacts contacts;
  ContactSums sums;
  EnergyLedger ledger;
  CellMotion cell;
  Restraint restraint;
  std::uint64_t step = 0;

  LoneCell(double dt, const Vec3& edges) {
    model.dt = dt;
    conf.cell.used = true;
    conf.cell.h = edges.asDiagonal();
    cell = CellMotion(conf.cell);
  }
  void add(const Vec3& pos, const Vec3& vel) {
    bodies.resize(bodies.size() + 1);
    const std::size_t k = bodies.size() - 1;
    bodies.pos[k] = pos;
    bodies.vel[k] = vel;
    bodies.acc[k].setZero();
    bodies.mass[k] = 2.0;
    bodies.boundingRadius[k] = 0.01;
    bodies.radius[k] = 0.0;
    poses.resize(bodies.size());
  }
  World world() const {
    const double time = static_cast<double>(step) * model.dt;
    return {model, conf, restraint, order, bodies, poses, cell.imagesOrNull(), time, step};
  }
  void advance() {  // bodies fly freely in the cell
    ++step;
    cell.begin(world(), bodies, contacts, ledger);
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      bodies.vel[k] += 0.5 * model.dt * bodies.acc[k];
      bodies.pos[k] += model.dt * bodies.vel[k];
      bodies.acc[k].setZero();
    }
    indexPairs(contacts, bodies.size());
    cell.wrap(world(), bodies, contacts, ledger);
    cell.finish(world(), contacts, sums, std::nullopt, model.dt, bodies, ledger);
  }
};

}  // namespace

TEST_CASE("a sheared cell is flipped, and no image moves by a bit", "[parts][cell]") {
  LoneCell c(1e-3, Vec3(1.0, 2.0, 1.5));
  c.cell.cell.kineticStress = false;
  c.cell.loading = CellLoading{CellLoading::Kind::simpleShear, 0.0, 2.0, 0, 1};
  c.cell.start(c.conf, c.world());
  const auto alike = [&](const Mat3& before) {
    return offLattice(before, c.cell.cell.h.col(1)) < 1e-12;
  };
  int flips = 0;
  for (int k = 0; k < 3000; ++k) {
    const Mat3 h = c.cell.cell.h;
    CHECK(std::abs(h(0, 1)) < 0.505 * h(0, 0));
    c.contacts.shifts.clear();
    for (int image = 0; image < 27; ++image)
      c.contacts.shifts.emplace_back(image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1);
    std::vector<Vec3> offsets;
    for (const CellShift& n : c.contacts.shifts) offsets.push_back(c.cell.images.offset(n));
    const Mat3 flow = c.cell.flow();
    c.cell.flip(c.contacts, c.ledger);
    for (std::size_t image = 0; image < offsets.size(); ++image)
      REQUIRE(c.cell.images.offset(c.contacts.shifts[image]) == offsets[image]);
    CHECK(alike(h));
    CHECK((c.cell.flow() - flow).norm() < 1e-12);
    flips += c.cell.cell.h != h;
    c.contacts.shifts.clear();
    c.advance();
  }
  CHECK(flips == 12);  // 2 · 2 · 3 s over a width of 1
}

TEST_CASE("a plane bears a ball by its weight, in a periodic cell also above an image of it",
          "[parts][cell][boundary]") {
  const bool inCell = GENERATE(false, true);
  Scene scene;
  scene.conf.boundaries = {{Boundary::Kind::plane, Vec3(0, 2, 0), Vec3::UnitY(), 0.0, 0}};
  const double kn = 1e6, weight = 2500 * scenes::ballVolume(0.1) * 9.81;
  scene.add(scenes::ball("ball", 0.1), Vec3(0.3, 2.1, 0.4), 1);
  scene.conf.particles[0].vel = Vec3(2, 0, 0);
  scene.conf.setDensity(1, 2500);
  scene.law(0, 1, kn, 0.01, 0, 0);
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.conf.dt = 1e-4;
  scene.conf.cell.used = inCell;
  scene.conf.cell.h = Vec3(1.0, 1.5, 1.0).asDiagonal();
  auto s = scene.start();
  for (int k = 0; k < 5000; ++k) s->step();
  REQUIRE(s->boundaryTouches().size() == 1);
  CHECK(s->boundaryTouches()[0].fn == Approx(weight).epsilon(1e-9));
  const Vec3& at = s->bodies().pos[0];  // the second image of the plane stands at 0.5
  CHECK(at.y() == Approx((inCell ? 0.6 : 2.1) - weight / kn).epsilon(1e-12));
  CHECK(at.x() == Approx(inCell ? 0.3 : 1.3).epsilon(1e-9));
}

TEST_CASE("a plane is refused where the sides of a cell would cut it", "[parts][cell][boundary]") {
  Scene scene = scenes::ballsInCell(scenes::cube(1.0), 2, 0.1, 0.0);
  scene.conf.boundaries = {{Boundary::Kind::plane, Vec3::Zero(), Vec3::UnitY(), 0.0, 0}};
  const auto start = [&](const std::string& loading) { scene.start(1, drivesOf(loading, 0)); };
  CHECK_NOTHROW(start("PeriodicLoading UniaxialCompression Y 100\n"));
  CHECK_THROWS_AS(start("PeriodicLoading IsotropicCompression 100\n"), ParseError);
  scene.conf.boundaries[0].axis = Vec3(0.6, 0.8, 0);
  CHECK_THROWS_AS(start(""), ParseError);
}

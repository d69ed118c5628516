// SPDX-License-Identifier: GPL-3.0-or-later
// The periodic cell by itself: no simulation, no contacts.
#include "catch.hpp"
#include "engine/cell_motion.hpp"
#include "engine/contact_sums.hpp"

#include <cmath>

using namespace scree;
using namespace scree::sim;

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
    cell.begin(world(), bodies, ledger);
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

TEST_CASE("an empty cell under pressure gains the work of the pressure", "[parts][cell]") {
  // M h'' = -p h² for a cube, so p h³ / 3 + M h'² / 2 = p h0³ / 3.
  LoneCell c(1e-4, Vec3(1.0, 1.0, 1.0));
  c.cell.loading = CellLoading{CellLoading::Kind::isotropic, 0.3, 0.0, 0, 0};
  c.cell.start(c.conf, c.world());
  c.cell.finish(c.world(), c.contacts, c.sums, std::nullopt, 0.0, c.bodies, c.ledger);
  for (int k = 0; k < 10000; ++k) c.advance();
  const double h = c.cell.cell.h(0, 0), rate = c.cell.cell.vh(0, 0);
  CHECK(h < 0.9);
  CHECK(0.3 * h * h * h / 3.0 + 0.5 * rate * rate == Approx(0.1).epsilon(1e-7));
  CHECK(c.cell.cell.h(1, 1) == h);
  CHECK(c.cell.cell.h(0, 1) == 0.0);
  CHECK(c.cell.energy() == Approx(c.ledger.cell).epsilon(1e-7));
  CHECK(c.cell.energy() == Approx(0.3 * (1.0 - h * h * h)).epsilon(1e-6));
}

TEST_CASE("shear at an imposed rate, and bodies that come back at the other side",
          "[parts][cell]") {
  LoneCell c(1e-3, Vec3(1.0, 2.0, 1.0));
  c.cell.cell.kineticStress = false;  // else the body would press the sides apart
  c.add({0.5, 1.999, 0.5}, {0.0, 0.5, 0.0});
  c.cell.loading = CellLoading{CellLoading::Kind::simpleShear, 0.0, 0.25, 0, 1};
  c.cell.start(c.conf, c.world());
  CHECK(c.cell.first == 0);
  CHECK(c.cell.second == CellMotion::noBody);
  for (int k = 0; k < 1000; ++k) c.advance();
  CHECK(c.cell.cell.h(0, 1) == Approx(0.25 * 2.0).epsilon(1e-12));
  CHECK(c.cell.flow()(0, 1) == Approx(0.25).epsilon(1e-12));
  // It has crossed the upper side at y = 2 and lost the velocity of the cell there.
  CHECK(c.bodies.pos[0].y() == Approx(1.999 + 0.5 - 2.0).epsilon(1e-9));
  CHECK(c.bodies.vel[0].y() == Approx(0.5));
  CHECK(c.bodies.vel[0].x() == Approx(0.25 * 1.999 - 0.25 * 2.0).margin(1e-3));
  CHECK(c.cell.energy() == 0.0);  // what follows a stress of 0 rests
}

TEST_CASE("a cell too narrow for its bodies is refused", "[parts][cell]") {
  LoneCell c(1e-3, Vec3(1.0, 1.0, 1.0));
  c.add(Vec3::Zero(), Vec3::Zero());
  c.add(Vec3::Zero(), Vec3::Zero());
  c.bodies.boundingRadius = {0.2, 0.31};
  CHECK_THROWS_AS(c.cell.start(c.conf, c.world()), ModelError);
  c.bodies.boundingRadius = {0.2, 0.29};
  CHECK_NOTHROW(CellMotion(c.conf.cell).start(c.conf, c.world()));
}

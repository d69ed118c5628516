// SPDX-License-Identifier: GPL-3.0-or-later
// The force field by itself: two balls, a round wall, no simulation and no step.
#include "ball_pair.hpp"
#include "catch.hpp"
#include "engine/force_field.hpp"

using namespace scree;
using namespace scree::sim;

namespace {

struct TwoBalls : BallPair {
  DriveSystem drives{Drives()};
  BondSystem bonds;
  ForceField field;
  NeighbourList lists;
  BoundaryContacts walls;
  StageTimes times;

  TwoBalls() {
    conf.forceLaw = "Default";
    model.dt = 1e-4;
    conf.setLawParameter("knContact", 0, 0, 1000.0);
    conf.setLawParameter("ktContact", 0, 0, 1000.0);
    conf.setLawParameter("en2Contact", 0, 0, 1.0);
    stand({0.0, 0.0, 0.0}, {0.99, 0.0, 0.0});
  }
  ContactPower evaluate() {
    lists.update(bodies, poses, 1, nullptr, field.pairSetup(bodies));
    const auto impose = [this](Bodies& of) { drives.addForces(of); };
    return field.evaluate(world(), HistoryUpdate{model.dt, nullptr, true}, {impose}, lists.contacts,
                          bonds, walls, bodies, times);
  }
};

}  // namespace

TEST_CASE("two balls push each other apart by their stiffness", "[parts][forces]") {
  TwoBalls b;
  Diagnostics quiet;
  CHECK(b.field.makeLaw(b.conf, b.world(), quiet) == "Default");
  CHECK(b.field.knows(0, 0));
  CHECK_FALSE(b.field.knows(0, 7));
  b.evaluate();
  CHECK(b.bodies.force[0].x() == Approx(-1000.0 * 0.01));
  CHECK(b.bodies.force[1].x() == -b.bodies.force[0].x());
  CHECK(b.field.energy(b.world(), b.lists.contacts, b.walls).normal == Approx(0.5 * 1000.0 * 1e-4));
  const Vec3 force = b.bodies.force[0];
  b.bodies.force.assign(2, Vec3::Zero());
  b.field.restore(b.world(), b.drives, b.bonds, b.lists.contacts, b.bodies);
  CHECK(b.bodies.force[0] == force);
}

TEST_CASE("a round wall pushes inwards, and what touches it goes to a file and back",
          "[parts][forces]") {
  TwoBalls b;
  b.conf.boundaries.resize(1);
  b.conf.boundaries[0].kind = Boundary::Kind::ball;
  b.conf.boundaries[0].radius = 5.0;
  b.stand({0.0, 4.52, 0.0}, {0.0, -3.0, 0.0});
  Diagnostics quiet;
  b.field.makeLaw(b.conf, b.world(), quiet);
  b.walls = b.field.makeBoundaries(b.conf, b.world(), {});
  REQUIRE_FALSE(b.walls.empty());
  b.evaluate();
  CHECK(b.bodies.force[0].y() == Approx(-1000.0 * 0.02));
  CHECK(b.bodies.force[1].norm() == 0.0);
  const std::vector<BoundaryTouch> touches = touchesOf(b.world(), b.walls);
  REQUIRE(touches.size() == 1);
  CHECK(touches[0].body == 0);
  CHECK(touches[0].dn == Approx(-0.02));
  ForceField again;
  again.makeLaw(b.conf, b.world(), quiet);
  const BoundaryContacts walls = again.makeBoundaries(b.conf, b.world(), touches);
  CHECK(touchesOf(b.world(), walls)[0].fn == touches[0].fn);

  b.stand({0.0, 5.2, 0.0}, {0.0, -3.0, 0.0});
  ForceField outside;
  outside.makeLaw(b.conf, b.world(), quiet);
  CHECK_THROWS_AS(outside.makeBoundaries(b.conf, b.world(), {}), ParseError);
}

TEST_CASE("a law that nobody knows is refused, and a stiffness that is missing is reported",
          "[parts][forces]") {
  TwoBalls b;
  Diagnostics quiet;
  b.conf.forceLaw = "NoSuchLaw";
  CHECK_THROWS_AS(b.field.makeLaw(b.conf, b.world(), quiet), ParseError);
  b.conf.forceLaw = "Default";
  b.conf.lawParameters.clear();
  Diagnostics warned;
  b.field.makeLaw(b.conf, b.world(), warned);
  CHECK_FALSE(warned.warnings().empty());
}

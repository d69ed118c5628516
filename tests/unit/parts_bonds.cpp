// SPDX-License-Identifier: GPL-3.0-or-later
// Bonds by themselves: two balls glued at their centres, no simulation.
#include "ball_pair.hpp"
#include "catch.hpp"
#include "engine/bond_system.hpp"

using namespace scree;
using namespace scree::sim;

namespace {

struct GluedBalls : BallPair {
  BondSystem bonds;

  explicit GluedBalls(const std::string& law) {
    conf.forceLaw = law;
    model.dt = 1e-3;
    conf.setLawParameter("knInnerBond", 0, 0, 100.0);
    conf.setLawParameter("ktInnerBond", 0, 0, 100.0);
    conf.setLawParameter("fn0InnerBond", 0, 0, 5.0);
    conf.setLawParameter("ft0InnerBond", 0, 0, 5.0);
    conf.setLawParameter("mom0InnerBond", 0, 0, 5.0);
    conf.setLawParameter("powInnerBond", 0, 0, 2.0);
    conf.setLawParameter("knContact", 0, 0, 100.0);
    setGap(0.0);
    InterfaceRecord face;
    face.i = 0;
    face.j = 1;
    face.bonds = {{Pairing::vertexVertex, 0, 0, Vec3::Zero()}};
    Diagnostics quiet;
    bonds.make(conf, {face}, world(), quiet);
  }
  void setGap(double gap) { stand(Vec3::Zero(), Vec3(1.0 + gap, 0.0, 0.0)); }
  void evaluate() {
    bodies.force.assign(2, Vec3::Zero());
    bonds.addForces(world(), HistoryUpdate{model.dt, nullptr, true}, bodies);
  }
};

}  // namespace

TEST_CASE("a bond pulls by its stiffness and holds the energy of its spring", "[parts][bonds]") {
  GluedBalls g("StickedLinks");
  CHECK(g.bonds.pairs() == std::vector<std::pair<BodyId, BodyId>>{{0, 1}});
  g.setGap(0.01);
  g.evaluate();
  CHECK(g.bodies.force[0].x() == Approx(100.0 * 0.01));
  CHECK(g.bodies.force[1].x() == -g.bodies.force[0].x());
  CHECK(g.bonds.bonds().energies.elastic == Approx(0.5 * 100.0 * 0.01 * 0.01));
  CHECK_FALSE(g.bonds.breaking());
  const Vec3 force = g.bodies.force[0];
  g.bodies.force.assign(2, Vec3::Zero());
  g.bonds.addRememberedForces(g.world(), g.bodies);
  CHECK(g.bodies.force[0] == force);
}

TEST_CASE("a bond breaks at its strength, and its energy goes to the ledger", "[parts][bonds]") {
  GluedBalls g("StickedLinks");
  g.setGap(0.049);
  g.evaluate();
  CHECK_FALSE(g.bonds.breaking());
  g.setGap(0.051);
  g.evaluate();
  REQUIRE(g.bonds.breaking());
  EnergyLedger ledger;
  const BrokenInterfaces broken = g.bonds.releaseBroken(g.world(), ledger);
  CHECK(broken.released == std::vector<std::pair<BodyId, BodyId>>{{0, 1}});
  CHECK(broken.contacts.empty());  // it was pulled, so nothing is pressed together
  CHECK(ledger.breakage == Approx(0.5 * 100.0 * 0.051 * 0.051));
  CHECK(g.bonds.empty());
  CHECK_FALSE(g.bonds.virial());
  g.evaluate();
  CHECK(g.bodies.force[0] == Vec3::Zero());
  CHECK(g.bonds.records().empty());
}

TEST_CASE("what compression holds in broken bonds is switched to contacts, and is no breakage",
          "[parts][bonds]") {
  const auto broken = [](double knContact) {
    GluedBalls g("StickedLinks");
    g.conf.setLawParameter("knContact", 0, 0, knContact);
    g.setGap(-0.01);
    g.poses[1].vel = g.bodies.vel[1] =
        Vec3(0.0, 60.0, 0.0);  // 6 N across within a step, of which 5.5 N hold
    g.evaluate();
    REQUIRE(g.bonds.breaking());
    CHECK(g.bonds.bonds().energies.absorbed == Approx(0.5 * 36.0 / 100.0 + 0.5 * 100.0 * 1e-4));
    EnergyLedger ledger;
    REQUIRE(g.bonds.releaseBroken(g.world(), ledger).contacts.size() == 1);
    CHECK(ledger.breakage == Approx(0.5 * 36.0 / 100.0));
    return ledger.switched;
  };
  // A contact that is stiffer than the bond holds more at the same overlap.
  CHECK(broken(100.0) - broken(400.0) == Approx(0.5 * 300.0 * 1e-4));
}

TEST_CASE("interfaces are refused where a law has no bonds", "[parts][bonds]") {
  CHECK_THROWS_AS(GluedBalls("Default"), ParseError);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The energy account and the drives by themselves: no simulation, no contacts.
#include "ball_pair.hpp"
#include "catch.hpp"
#include "engine/drive_system.hpp"
#include "engine/energy_account.hpp"

using namespace scree;
using namespace scree::sim;

namespace {

/// One driven body and one free body without contacts.
struct Pair : BallPair {
  Pair() {
    model.dt = 0.1;
    model.gravity = Vec3(0.0, -10.0, 0.0);
    bodies.driven = 1;
  }
};

Drives driveOf(Imposed what, const Vec3& value) {
  Control c;
  c.what = what;
  c.axis = value.x() != 0.0 ? 0 : 1;
  c.value = value;
  Drives drives;
  drives.controls.push_back(c);
  return drives;
}

}  // namespace

TEST_CASE("drives that contradict each other are refused", "[parts][drives]") {
  Pair p;
  Drives both = driveOf(Imposed::velocity, {3.0, 0.0, 0.0});
  CHECK_NOTHROW(DriveSystem::check(p.world(), both));
  both.controls.push_back(driveOf(Imposed::force, {1.0, 0.0, 0.0}).controls.front());
  CHECK_THROWS_AS(DriveSystem::check(p.world(), both), ModelError);
  const Drives push = driveOf(Imposed::force, {1.0, 0.0, 0.0});
  CHECK_NOTHROW(DriveSystem::check(p.world(), push));
  p.bodies.mass[0] = 0.0;
  CHECK_THROWS_AS(DriveSystem::check(p.world(), push), ModelError);
}

TEST_CASE("the work of a drive is that of the mean force over the way", "[parts][energy]") {
  Pair p;
  DriveSystem drives(driveOf(Imposed::velocity, {3.0, 0.0, 0.0}));
  drives.start(p.world());
  EnergyAccount account;
  p.bodies.force[0] = Vec3(-4.0, 1.0, 0.0);  // of contacts
  account.keepDrivenForces(p.bodies, drives.drives().controls);
  drives.remember(p.bodies);
  drives.move(p.bodies, 0.1);
  p.bodies.force[0] = Vec3(-6.0, 1.0, 0.0);
  ContactPower power;
  power.tangential = 7.0;
  account.add(p.world(0.1), Mat3::Zero(), power, {.absorbed = -2.0, .dissipated = 0.25}, 0.1,
              drives.motion(), true);
  CHECK(account.ledger.drives == Approx(0.5 * (4.0 + 6.0) * 0.3));
  CHECK(account.ledger.tangential == Approx(0.5 * 0.1 * 7.0));
  CHECK(account.ledger.normalLoss == 0.25);
  CHECK(account.ledger.exchanged == Approx(0.05 * 7.0 + 2.0 + 0.25 + 1.5));
  CHECK(account.ledger.damping == 0.0);
}

TEST_CASE("damping loses its share of the power of weight, and the budget shows it",
          "[parts][energy]") {
  Pair p;
  p.restraint.damping = 0.3;
  DriveSystem drives{Drives()};
  drives.start(p.world());
  drives.remember(p.bodies);
  EnergyAccount account;
  p.bodies.vel[1] = Vec3(0.0, -5.0, 0.0);
  p.bodies.pos[1] = Vec3(0.0, 4.0, 0.0);
  account.keepDrivenForces(p.bodies, drives.drives().controls);
  account.start(p.world(), Mat3::Zero(), HeldEnergy());
  CHECK(account.ledger.start == Approx(0.5 * 2.0 * 25.0 + 2.0 * 10.0 * 4.0));
  // An integrator without half kicks: forces act on the velocity that they see.
  for (int k = 0; k < 2; ++k)
    account.add(p.world(), Mat3::Zero(), ContactPower(), {}, 0.1, drives.motion(), false);
  const double half = 0.5 * 0.1 * 0.3 * (2.0 * 10.0) * 5.0;
  CHECK(account.ledger.damping == Approx(3.0 * half));
  CHECK(account.ledger.nextDamping == Approx(half));
  const EnergyBudget e = account.budget(p.world(), Mat3::Zero(), HeldEnergy());
  CHECK(e.translation == Approx(25.0));
  CHECK(e.damping == Approx(3.0 * half));
  CHECK(e.residual == Approx(3.0 * half));  // the body has not been moved: all of it is missing
}

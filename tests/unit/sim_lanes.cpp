// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "engine/rigid_motion.hpp"
#include "engine/rigid_motion_lanes.hpp"

#include "scree/base/rng.hpp"

#include <array>

using namespace scree;
using namespace scree::sim;

TEST_CASE("four bodies that move side by side have the bits of bodies that move alone", "[sim]") {
  Rng rng(1);
  const auto any = [&] {
    const double x = rng.uniform(-1.0, 1.0), y = rng.uniform(-1.0, 1.0);
    return Vec3(x, y, rng.uniform(-1.0, 1.0));
  };
  const double dt = 1e-2;
  for (int round = 0; round < 1000; ++round) {
    std::array<RigidState, laneCount> alone;
    std::array<Vec3, laneCount> inertia, acceleration, moment, pos, vel, acc, spin, spinAcc;
    std::array<Quat, laneCount> q;
    for (std::size_t k = 0; k < laneCount; ++k) {
      Quat turn(rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), 0.1);
      turn.normalize();
      alone[k] = {any(), any(), 10.0 * any(), turn, 30.0 * any(), 100.0 * any()};
      inertia[k] = any().cwiseAbs() + Vec3::Constant(0.1);
      acceleration[k] = any();
      moment[k] = any();
      pos[k] = alone[k].pos;
      vel[k] = alone[k].vel;
      acc[k] = alone[k].acc;
      q[k] = alone[k].q;
      spin[k] = alone[k].spin;
      spinAcc[k] = alone[k].spinAcc;
    }
    RigidLanes s{gather(pos.data()), gather(vel.data()),  gather(acc.data()),
                 gather(q.data()),   gather(spin.data()), gather(spinAcc.data())};
    kickAndDrift(s, gather(inertia.data()), dt);
    kick(s, gather(inertia.data()), gather(acceleration.data()), gather(moment.data()), dt);
    scatter(s.pos, pos.data());
    scatter(s.vel, vel.data());
    scatter(s.acc, acc.data());
    scatter(s.q, q.data());
    scatter(s.spin, spin.data());
    scatter(s.spinAcc, spinAcc.data());
    for (std::size_t k = 0; k < laneCount; ++k) {
      kickAndDrift(alone[k], inertia[k], dt);
      kick(alone[k], inertia[k], acceleration[k], moment[k], dt);
      REQUIRE(pos[k] == alone[k].pos);
      REQUIRE(vel[k] == alone[k].vel);
      REQUIRE(acc[k] == alone[k].acc);
      REQUIRE(q[k].coeffs() == alone[k].q.coeffs());
      REQUIRE(spin[k] == alone[k].spin);
      REQUIRE(spinAcc[k] == alone[k].spinAcc);
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/math.hpp"
#include "scree/base/rng.hpp"

using namespace scree;

TEST_CASE("the shortest turn brings one direction into the other about the axis across both",
          "[base][turns]") {
  Rng rng(5);
  for (int k = 0; k < 1000; ++k) {
    const Vec3 a = rng.direction(), b = rng.direction();
    const Quat turn = shortestTurn(1e200 * a, 1e-200 * b);
    CHECK(std::abs(turn.norm() - 1.0) < 1e-15);
    CHECK((rotated(turn, a) - b).norm() < 2e-15 / (a + b).norm());
    CHECK(std::abs(turn.vec().dot(a)) < 1e-15);
    CHECK(std::abs(turn.vec().dot(b)) < 1e-15);
    CHECK(turn.w() >= 0.0);
  }
}

TEST_CASE("the shortest turn between opposite directions is half a turn", "[base][turns]") {
  Rng rng(6);
  for (int k = 0; k < 100; ++k) {
    const Vec3 a = rng.direction();
    CHECK((rotated(shortestTurn(a, -a), a) + a).norm() < 1e-15);
    // Nearly opposite: the sum of the two is known to about 1e-16, and decides.
    const Vec3 across = 1e-6 * a.cross(rng.direction()).normalized();
    CHECK((rotated(shortestTurn(a, across - a), a) - (across - a).normalized()).norm() < 1e-9);
  }
  CHECK(shortestTurn(Vec3::UnitZ(), Vec3::UnitZ()).coeffs() == Quat::Identity().coeffs());
}

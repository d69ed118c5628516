// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/pack/material.hpp"

#include <cmath>

using namespace scree;
using namespace scree::sim;

TEST_CASE("contact parameters of a material follow Hertz and Mindlin", "[pack][material]") {
  Material m;
  m.young = 50e9;
  m.poisson = 0.25;
  m.size = 0.01;
  m.restitution = 0.5;
  const MaterialParameters p = materialParameters(m);
  // Hertz: F = 4/3 E* sqrt(R*) δ^1.5 for two balls of radius 5 mm, overlapping by 50 micrometres.
  const double modulus = 50e9 / (2.0 * (1.0 - 0.0625)), overlap = 5e-5;
  const double force = 4.0 / 3.0 * modulus * std::sqrt(0.0025) * std::pow(overlap, 1.5);
  CHECK(p.kn * overlap == Approx(force).epsilon(1e-12));
  CHECK(p.force == Approx(force).epsilon(1e-12));
  CHECK(p.kt / p.kn == Approx(1.5 / 1.75).epsilon(1e-12));
  CHECK(springDashpotRestitution(p.en2) == Approx(0.5).epsilon(1e-9));
  const double mass = 2700.0 * pi / 6.0 * 1e-6;
  CHECK(p.dt == Approx(pi * std::sqrt(0.5 * mass / p.kn) / 25.0).epsilon(1e-12));
  m.restitution = 0.05;  // less than a damper that cannot pull reaches
  CHECK(materialParameters(m).en2 == 0.0);
  m.restitution = 1.0;
  CHECK(materialParameters(m).en2 == Approx(1.0));
  m.poisson = 0.6;
  CHECK_THROWS_WITH(materialParameters(m), Catch::Contains("--poisson"));
  m.poisson = std::nan("");
  CHECK_THROWS_AS(materialParameters(m), UsageError);
}

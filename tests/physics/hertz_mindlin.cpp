// SPDX-License-Identifier: GPL-3.0-or-later
// Elastic balls against the closed forms of Hertz and Mindlin.
#include "catch.hpp"
#include "elastic_scenes.hpp"
#include "heap_scenes.hpp"

#include "scree/sim/check/diagnosis.hpp"

#include <cmath>

using namespace scree;
using namespace scree::scenes;

TEST_CASE("HertzMindlin: the restitution is the requested one at any speed, and nothing pulls",
          "[physics][hertz]") {
  ElasticImpact impact;
  impact.onPlane = GENERATE(true, false);
  impact.e = GENERATE(0.4, 0.8);  // more of them: verification/impact.cpp
  impact.speed = GENERATE(0.01, 1.0);
  CAPTURE(impact.onPlane, impact.e, impact.speed);
  const ElasticImpact::Outcome o = impact.run();
  CHECK(o.restitution == Approx(impact.e).margin(2e-4));
  CHECK(o.leastForce >= 0.0);
  // What is lost is what the speeds say.
  const double before = 0.5 * impact.mass() * impact.speed * impact.speed;
  CHECK(o.energy.viscosity ==
        Approx(before * (1 - impact.e * impact.e)).epsilon(1e-3).margin(1e-4 * before));
  CHECK(std::abs(o.energy.residual) / o.energy.exchanged < 1e-10);  // rounding of 4000 steps
  CHECK(std::abs(o.energy.switching) < 1e-4 * before);
}

TEST_CASE("HertzMindlin: every integrator gives the requested restitution", "[physics][hertz]") {
  const std::string integrator = GENERATE("Euler", "Beeman", "RungeKutta4");
  const double wanted = 0.5;
  ElasticImpact impact;
  impact.e = wanted;
  Scene scene = impact.scene();
  scene.conf.integrator = integrator;
  const auto s = scene.start();
  while (s->contactCount() == 0) s->step();
  while (s->contactCount() > 0) s->step();
  CAPTURE(integrator);
  CHECK(s->bodies().vel[1].y() - s->bodies().vel[0].y() == Approx(wanted).margin(1e-3));
}

TEST_CASE("HertzMindlin: no restitution is below that of the strongest damping",
          "[physics][hertz]") {
  ElasticImpact impact;
  impact.e = GENERATE(0.05, 0.0);  // 0 asks for critical damping, as with other laws
  const double out = impact.e > 0.0 ? impact.e : std::exp(-2.0);
  CHECK(impact.run().restitution == Approx(out).margin(1e-3));
}

TEST_CASE("HertzMindlin: energy closes in an impact aslant, with friction", "[physics][hertz]") {
  ElasticImpact impact;
  impact.onPlane = GENERATE(true, false);
  impact.e = GENERATE(1.0, 0.6);
  impact.mu = GENERATE(0.1, 10.0);  // slides all the time; sticks
  impact.perContact = 1000;
  CAPTURE(impact.onPlane, impact.e, impact.mu);
  Scene scene = impact.scene();
  scene.conf.particles[1].vel.x() = 0.5;
  scene.conf.particles[1].vrot = Vec3(1, 2, 3);
  const auto s = scene.start();
  while (s->contactCount() == 0) s->step();
  double worst = 0.0, friction = 0.0;
  while (s->contactCount() > 0) {
    s->step();
    const sim::EnergyBudget e = s->energyBudget();
    worst = std::max(worst, std::abs(e.residual) / e.exchanged);
    friction = std::max(friction, -e.friction / e.exchanged);
  }
  const sim::EnergyBudget e = s->energyBudget();
  // At the end velocity Verlet owes dt² m a²/8 no more; a body that spins owes by dt².
  CHECK(std::abs(e.residual) < 1e-5 * e.exchanged);
  CHECK(worst < 1e-3);
  CHECK(e.friction > 0.0);
  CHECK(friction < 1e-4);  // a spring that becomes softer or harder gives nothing away
}

TEST_CASE("HertzMindlin: the energy of a heap of boxes, rods and balls closes",
          "[physics][energy][hertz]") {
  const std::string partnership = GENERATE("None", "NumberWeight", "OverlapWeight");
  CAPTURE(partnership);
  Scene scene = countedHeap("HertzMindlin", 100);
  scene.conf.contactPartnership = partnership;
  const double coarse = residualOf(scene, 0.4);
  scene.conf.dt /= 4;
  const double fine = residualOf(scene, 0.4);
  INFO(coarse << " " << fine);
  CHECK(coarse < 1e-4);
  CHECK(fine < 3e-5);
}

TEST_CASE("HertzMindlin: bodies without rounding or with --compat are refused",
          "[physics][hertz]") {
  ElasticImpact impact;
  impact.onPlane = true;
  Scene scene = impact.scene();
  SECTION("radius 0") {
    scene.shapes[0].radius = 0.0;
    CHECK_THROWS_WITH(scene.start(), Catch::Contains("body 0") && Catch::Contains("radius 0") &&
                                         Catch::Contains("HertzMindlin"));
  }
  SECTION("compat") {
    CHECK_THROWS_WITH(scene.start(sim::SimulationOptions(1, true)),
                      Catch::Contains("Rockable has no such law"));
  }
}

TEST_CASE("HertzMindlin: the critical step is that of an overlap of a hundredth of R*",
          "[physics][hertz]") {
  ElasticImpact impact;
  impact.onPlane = true;
  const auto s = impact.scene().start();
  const double radius = 0.1, kn = 2 * impact.modulus() * std::sqrt(radius * 0.01 * radius);
  CHECK(sim::shortestContactTime(*s) == Approx(pi * std::sqrt(impact.mass() / kn)));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Clumps of balls of different radii: contacts against formulas, and the search against all pairs.
#include "catch.hpp"
#include "elastic_scenes.hpp"
#include "heap_scenes.hpp"
#include "law/contact_law.hpp"

#include "scree/mass/unions.hpp"

#include <cmath>
#include <string>

using namespace scree;
using namespace scree::scenes;
using Catch::Contains;

namespace {

/// Balls along x whose centres and radii are given; the frame is kept.
shape::Shape clumpAlongX(const std::string& name, const std::vector<double>& x,
                         const std::vector<double>& radii) {
  shape::Shape s;
  s.name = name;
  for (const double at : x) s.vertices.emplace_back(at, 0, 0);
  s.radii = radii;
  for (const double r : radii) s.radius = std::max(s.radius, r);
  s.preCompDone = true;
  s.volume = 1.0;
  s.inertiaPerMass = Vec3::Ones();
  return s;
}

/// Five balls of radii 0.03 to 0.09 that overlap; surveyed.
shape::Shape pebble(const std::string& name) {
  shape::Shape s;
  s.name = name;
  s.vertices = {
      {0, 0, 0}, {0.1, 0.02, 0}, {-0.08, 0.03, 0.01}, {0.01, -0.07, 0.05}, {0.02, 0.05, -0.08}};
  s.radii = {0.09, 0.05, 0.07, 0.04, 0.03};
  s.radius = 0.09;
  mass::survey(s);
  return s;
}

sim::InteractionRecord contactOf(const sim::Simulation& s, std::uint32_t iSub, std::uint32_t jSub) {
  for (const sim::InteractionRecord& r : s.interactions())
    if (r.key.iSub == iSub && r.key.jSub == jSub) return r;
  FAIL("no contact of " << iSub << " and " << jSub);
  return {};
}

}  // namespace

TEST_CASE("clumps: each ball of a clump presses on a plane by its own overlap",
          "[physics][clump]") {
  // dn = height - r; kn |dn| by Hooke, and by Hertz 4/3 E* √r |dn|^1.5.
  const std::string law = GENERATE("Default", "HertzMindlin");
  const double homothety = GENERATE(1.0, 2.5);
  Scene scene;
  scene.conf.forceLaw = law;
  scene.add(plate("plate", 20.0, 0.05), {0, -0.05, 0}, 0);
  scene.add(clumpAlongX("two", {-0.3, 0.4, 0.0}, {0.2, 0.19, 0.05}), {0, 0.189 * homothety, 0}, 1);
  scene.conf.particles[1].homothety = homothety;
  scene.conf.nDriven = 1;
  scene.conf.setDensity(1, density);
  scene.law(0, 1, 1e6, 0.5, 1e6, 0.5);
  for (const std::uint32_t g : {0u, 1u}) scene.elastic(g, 1e8, 0.25);
  const auto s = scene.start();
  REQUIRE(s->contactCount() == 2);  // the third ball ends 0.139 above the plane
  for (const std::uint32_t vertex : {0u, 1u}) {
    const sim::InteractionRecord r = contactOf(*s, vertex, 0);
    const double radius = vertex == 0 ? 0.2 : 0.19, overlap = (radius - 0.189) * homothety;
    CHECK(-r.dn == Approx(overlap).epsilon(1e-12));
    const double young = 1e8 / (2 * (1 - 0.25 * 0.25));
    const double fn = law == "Default" ? 1e6 * overlap
                                       : 4.0 / 3.0 * young * std::sqrt(radius * homothety) *
                                             std::pow(overlap, 1.5);
    CHECK(std::abs(r.fn) == Approx(fn).epsilon(1e-11));
    CHECK(r.pos.y() == Approx(-0.5 * overlap).margin(1e-12));
    CHECK(r.pos.x() == Approx((vertex == 0 ? -0.3 : 0.4) * homothety).epsilon(1e-12));
  }
}

TEST_CASE("clumps: equal radii are one radius, to the bit", "[physics][clump]") {
  Scene one = heap("Default", {.bodies = 48, .spacing = {0.25, 0.24}, .only = 0});
  Scene each = one;
  shape::Shape two;
  two.name = "box";
  two.radius = 0.08;
  two.vertices = {{-0.05, 0, 0}, {0.05, 0, 0}};
  mass::survey(two);
  one.shapes[1] = each.shapes[1] = two;
  each.shapes[1].radii = {0.08, 0.08};
  auto a = one.start(), b = each.start();
  a->steps(3000);
  b->steps(3000);
  CHECK(a->contactCount() > 20);
  CHECK(a->stateHash() == b->stateHash());
}

TEST_CASE("clumps: a heap of clumps, rods and balls loses no contact and closes its budget",
          "[physics][clump][energy]") {
  const std::string law =
      GENERATE("Default", "Avalanche", "StickedLinks", "BCM", "GeoVisc", "HertzMindlin");
  CAPTURE(law);
  Scene scene = heap(law, {.bodies = 48, .spacing = {0.25, 0.24}, .only = 0});
  scene.shapes[1] = pebble("box");
  scene.add(rod("rod", 0.3, 0.04), {0.1, 1.2, 0.1}, 1);
  scene.add(ball("ball", 0.1), {-0.1, 1.2, 0.1}, 1);
  scene.conf.dt = 5e-5;
  const auto& clump = scene.shapes[1];
  auto s = scene.start(), onThree = scene.start(3);
  CHECK(s->bodies().mass[1] == 2500 * clump.volume);
  std::size_t most = 0;
  for (int k = 0; k < 60; ++k) {
    s->steps(100);
    onThree->steps(100);
    // Two clumps touch where two of their balls do.
    std::size_t expected = 0, found = 0;
    const sim::Conf now = s->conf();
    const auto isClump = [&](std::size_t body) { return now.particles[body].shapeName == 1; };
    for (std::size_t i = 1; i < now.particles.size(); ++i)
      for (std::size_t j = i + 1; j < now.particles.size(); ++j)
        for (std::size_t v = 0; isClump(i) && isClump(j) && v < 5; ++v)
          for (std::size_t w = 0; w < 5; ++w) {
            const auto &p = now.particles[i], &q = now.particles[j];
            expected +=
                (p.pos + rotated(p.q, clump.vertices[v]) - q.pos - rotated(q.q, clump.vertices[w]))
                    .norm() < clump.radii[v] + clump.radii[w];
          }
    for (const sim::InteractionRecord& r : s->interactions())
      found += r.dn < 0.0 && isClump(r.key.i) && isClump(r.key.j);
    CHECK(found == expected);
    most = std::max(most, found);
  }
  CHECK(most > 5);
  CHECK(s->stateHash() == onThree->stateHash());
  const sim::EnergyBudget e = s->energyBudget();
  CHECK(std::abs(e.residual) < 1e-3 * e.exchanged);
}

TEST_CASE("clumps: --compat rockable refuses radii", "[physics][clump]") {
  Scene scene;
  scene.add(pebble("pebble"), {0, 0, 0}, 1);
  scene.conf.setDensity(1, density);
  CHECK_THROWS_WITH(scene.start(sim::SimulationOptions(1, true)),
                    Contains("pebble") && Contains("radii") && Contains("--compat rockable"));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of `rockable --check` and the run monitor in a state.
#include "catch.hpp"
#include "cell_scenes.hpp"
#include "heap_scenes.hpp"

#include "scree/sim/check/diagnosis.hpp"

#include <algorithm>
#include <cmath>

using namespace scree;
using namespace scree::sim;
using namespace scree::scenes;

namespace {

/// Two bodies of groups 0 and 1 with density 1000 and contacts of 1e6.
Scene pair(const shape::Shape& a, const shape::Shape& b, const Vec3& at) {
  Scene scene;
  scene.add(a, Vec3::Zero());
  scene.add(b, at, 1);
  for (std::uint32_t g = 0; g < 2; ++g) scene.conf.setDensity(g, 1000.0);
  for (const auto& [g1, g2] : {std::pair(0u, 0u), std::pair(0u, 1u), std::pair(1u, 1u)})
    scene.law(g1, g2, 1e6, 0.5, 1e6, 0.3);
  return scene;
}

std::size_t crossings(const Scene& scene) {
  const auto simulation = scene.start();
  return ConvexCores(simulation->shapes()).crossings(*simulation).pairs;
}

}  // namespace

TEST_CASE("overlaps are reported over the size of the smaller body that moves", "[sim][check]") {
  Scene scene = pair(ball("Big", 1.0), ball("Small", 0.1), Vec3(1.1 - 0.004, 0, 0));
  const Overlaps deep = overlapsOf(*scene.start());
  CHECK(deep.contacts == 1);
  CHECK(deep.deep == 1);
  CHECK(deep.worst == Approx(0.004 / 0.2).epsilon(1e-12));
  CHECK((deep.i == 0 && deep.j == 1));
  scene.conf.particles[1].pos.x() = 1.1 - 0.001;
  CHECK(overlapsOf(*scene.start()).deep == 0);
}

TEST_CASE("overlaps with a round boundary are among them", "[sim][check][boundary]") {
  Scene scene;
  scene.add(ball("Ball", 0.1), Vec3(0, -0.9 - 0.004, 0), 1);
  scene.conf.boundaries = {{Boundary::Kind::ball, Vec3::Zero(), Vec3::UnitZ(), 1.0, 0}};
  scene.conf.setDensity(1, 1000.0);
  scene.law(0, 1, 1e6, 0.5, 0, 0);
  const Overlaps overlaps = overlapsOf(*scene.start());
  CHECK(overlaps.contacts == 1);
  CHECK(overlaps.deep == 1);
  CHECK(overlaps.worst == Approx(0.004 / 0.2).epsilon(1e-12));
  CHECK(pairName(overlaps.i, overlaps.j) == "body 0 and a boundary");
  CHECK(pairName(1, 2) == "bodies 1 and 2");
}

TEST_CASE("a corner inside a convex solid is seen, and so is a body wholly inside",
          "[sim][check]") {
  const shape::Shape cube = box("Cube", 1, 1, 1, 0.05), grain = box("Grain", 0.1, 0.1, 0.1, 0.01);
  CHECK(crossings(pair(cube, cube, Vec3(1.12, 0, 0))) == 0);  // apart
  CHECK(crossings(pair(cube, cube, Vec3(1.05, 0, 0))) == 0);  // overlap of the rounding alone
  CHECK(crossings(pair(cube, cube, Vec3(0.95, 0.1, 0.1))) == 1);
  CHECK(crossings(pair(cube, grain, Vec3(0.1, 0.2, 0))) == 1);
  CHECK(crossings(pair(cube, ball("Ball", 0.05), Vec3(0.1, 0.2, 0))) == 1);
  CHECK(crossings(pair(cube, ball("Ball", 0.05), Vec3(0.59, 0, 0))) == 0);
  // Turned by 45 degrees about z the grain's corners reach further.
  Scene scene = pair(cube, grain, Vec3(0.56, 0, 0));
  CHECK(crossings(scene) == 0);
  scene.conf.particles[1].q = Quat(Eigen::AngleAxisd(0.25 * pi, Vec3::UnitZ()));
  CHECK(crossings(scene) == 1);
}

TEST_CASE("a corner inside the image of a body across a side of the cell is seen",
          "[sim][check][cell]") {
  const shape::Shape cube = box("Cube", 1, 1, 1, 0.05);
  Scene scene = pair(cube, cube, Vec3(9.05, 0.1, 0.1));
  scene.conf.cell.used = true;
  scene.conf.cell.h = scenes::cube(10.0);
  CHECK(crossings(scene) == 1);
  scene.conf.particles[1].pos.x() = 8.95;
  CHECK(crossings(scene) == 0);
}

TEST_CASE("the shortest contact is that of the lightest bodies that can meet", "[sim][check]") {
  const double m = 1000.0 * 4.0 / 3.0 * pi * 1e-3, big = 1000.0 * 4.0 / 3.0 * pi;
  Scene scene = pair(ball("Big", 1.0), ball("Small", 0.1), Vec3(5, 0, 0));
  CHECK(shortestContactTime(*scene.start()) ==
        Approx(pi * std::sqrt(m * big / (m + big) / 1e6)).epsilon(1e-12));
  scene.add(ball("Small", 0.1), Vec3(7, 0, 0), 1);
  CHECK(shortestContactTime(*scene.start()) ==
        Approx(pi * std::sqrt(0.5 * m / 1e6)).epsilon(1e-12));
  scene.conf.nDriven = 3;  // nothing moves
  CHECK(std::isinf(shortestContactTime(*scene.start())));
}

TEST_CASE("the critical step is that of a body on all its contacts, where that is less",
          "[sim][check]") {
  // A cube with corners at 0.4 and rounding 0.1 stands on a plate: four contacts at its lower
  // corners, 0.5 below the centre.
  Scene scene = pair(plate("Plate", 1.0, 0.01), box("Cube", 0.8, 0.8, 0.8, 0.1), Vec3(0, 0.51, 0));
  scene.conf.nDriven = 1;
  scene.law(0, 1, 1e6, 1.0, 1e6, 0.3);
  const auto simulation = scene.start();
  const double m = simulation->bodies().mass[1], inertia = simulation->bodies().inertia[1].x(),
               k = 1e6;  // kn and kt
  // Sliding and rocking along one axis go together.
  const double slide = 4 * k / m, rock = 4 * k * (0.16 + 0.25) / inertia,
               both = 4 * k * 0.5 / std::sqrt(m * inertia);
  const double square =
      0.5 * (slide + rock) + std::sqrt(0.25 * (slide - rock) * (slide - rock) + both * both);
  const auto critical = [&] { return criticalStep(*scene.start()); };
  const CriticalStep all = critical();
  REQUIRE(all.body);
  CHECK(*all.body == 1);
  CHECK(all.contacts == 4);
  CHECK(all.dt == Approx(2 / std::sqrt(square)).epsilon(1e-7));
  CHECK(all.dt < 0.7 * 2 / pi * shortestContactTime(*simulation));

  scene.conf.particles[1].q = Quat(Eigen::AngleAxisd(0.5 * pi, Vec3::UnitZ()));
  CHECK(critical().dt == Approx(all.dt).epsilon(1e-7));
  scene.conf.contactPartnership = "NumberWeight";
  CHECK(critical().dt == Approx(2 * all.dt).epsilon(1e-7));
  scene.conf.contactPartnership.clear();

  scene.law(0, 1, k, 1.0, k, 0.0);  // without friction there is no tangential spring
  CHECK(critical().dt ==
        Approx(2 / std::sqrt(std::max(slide, 4 * k * 0.16 / inertia))).epsilon(1e-7));
  // A spring and a dashpot that sees the velocity of the half step before: 2/ω (√(1 + ζ²) - ζ).
  // Contacts that act together have their shares of critical damping together, too.
  scene.law(0, 1, k, 0.25, k, 0.0);
  const double omega = std::sqrt(std::max(slide, 4 * k * 0.16 / inertia));
  const double zeta = dampingRatio(0.5) * omega * std::sqrt(m / k);
  CHECK(critical().dt == Approx(2 / omega * (std::sqrt(1 + zeta * zeta) - zeta)).epsilon(1e-7));

  scene.law(0, 1, k, 0.5, k, 0.3);
  scene.conf.particles[1].pos.y() += 1e-3;
  CHECK_FALSE(critical().body);
  CHECK(critical().dt == Approx(2 * std::sqrt(m / k)).epsilon(1e-12));
}

TEST_CASE("the critical step counts that neighbours move, too", "[sim][check]") {
  // Balls in a row. Where neighbours move against each other, each of their two springs is
  // stretched twice as far: ω² = 4 k/m, and half of that where both neighbours are driven.
  Scene scene;
  for (int k = 0; k < 5; ++k) scene.add(ball("Ball", 0.5), Vec3(0.999 * k, 0, 0));
  scene.conf.setDensity(0, 1000.0);
  scene.law(0, 0, 1e6, 1.0, 0.0, 0.0);
  const double m = scene.start()->bodies().mass[1];
  CHECK(criticalStep(*scene.start()).dt == Approx(2 / std::sqrt(4e6 / m)).epsilon(1e-9));
  scene.conf.nDriven = 1;
  CHECK(criticalStep(*scene.start()).dt == Approx(2 / std::sqrt(4e6 / m)).epsilon(1e-9));
  // A light ball between heavy ones is nearly as if these rested: ω² = 2 k/m (1 + m/M).
  scene.conf.nDriven = 0;
  for (const std::size_t k : {0u, 1u, 3u, 4u}) scene.conf.particles[k].group = 1;
  scene.conf.setDensity(1, 1e5);
  for (const std::uint32_t g : {0u, 1u}) scene.law(g, 1, 1e6, 1.0, 0.0, 0.0);
  CHECK(criticalStep(*scene.start()).dt == Approx(2 / std::sqrt(2e6 * 1.01 / m)).epsilon(1e-9));
}

TEST_CASE("the critical step of a heap depends on no number of threads", "[sim][check]") {
  const auto settled = heap("Default", {.spacing = {0.12, 0.12}}).start();
  const CriticalStep one = criticalStep(*settled);
  REQUIRE(one.body);
  Scene scene = heap("Default", {.spacing = {0.12, 0.12}});
  const CriticalStep three = criticalStep(*scene.start(3));
  CHECK(three.dt == one.dt);
  CHECK(three.body == one.body);
  CHECK(three.contacts == one.contacts);
}

namespace {

std::string warningsOf(const Scene& scene) {
  Diagnostics diagnostics;
  checkStart(*scene.start(), true, diagnostics);
  std::string all;
  for (const std::string& warning : diagnostics.warnings()) all += warning + "\n";
  return all;
}

}  // namespace

TEST_CASE("an edge goes through a face wherever it meets it, but not at its rim", "[sim][check]") {
  const auto passes = [&](const Vec3& at) {
    Scene scene = pair(plate("Plate", 1.0, 0.01), rod("Rod", 2.0, 0.01), at);
    scene.conf.nDriven = 1;
    scene.conf.particles[1].q = Quat(Eigen::AngleAxisd(0.5 * pi, Vec3::UnitZ()));
    return warningsOf(scene).find("pass through each other") != std::string::npos;
  };
  // Inside a triangle, in the middle, on the diagonals.
  for (const Vec3& at : {Vec3(0.3, 0, 0.1), Vec3(0, 0, 0), Vec3(0.5, 0, 0.5), Vec3(-0.25, 0, -0.25),
                         Vec3(0.5, 0, -0.5), Vec3(0, 0, 0.5)})
    CHECK(passes(at));
  for (const Vec3& at : {Vec3(1, 0, 0), Vec3(1, 0, 1), Vec3(1.1, 0, 0), Vec3(0, 1.5, 0)})
    CHECK_FALSE(passes(at));
}

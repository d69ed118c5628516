// SPDX-License-Identifier: GPL-3.0-or-later
// The same bits for any number of threads, and for any number of steps made at once.
#include "catch.hpp"
#include "heap_scenes.hpp"

using namespace scree;
using namespace scree::scenes;

TEST_CASE("a run gives the same bits on 1, 2, 3 and 8 threads", "[physics][repeat]") {
  const auto [law, weights, integrator] = GENERATE(
      std::tuple("Default", "None", "velocityVerlet"), std::tuple("Avalanche", "None", "Euler"),
      std::tuple("StickedLinks", "OverlapWeight", "Beeman"),
      std::tuple("GeoVisc", "NumberWeight", "RungeKutta4"));
  Scene scene = heap(law, {480});  // enough for threads to share the work
  scene.conf.contactPartnership = weights;
  scene.conf.integrator = integrator;
  auto alone = scene.start(1, shaken());
  alone->steps(400);
  CHECK(alone->contactCount() > 20);
  for (const int threads : {2, 3, 8}) {
    auto s = scene.start(threads, shaken());
    s->steps(400);
    CHECK(s->stateHash() == alone->stateHash());
    CHECK(s->energyBudget().residual == alone->energyBudget().residual);
  }
}

TEST_CASE("a floor under thousands of balls feels the same force on any number of threads",
          "[physics][repeat]") {
  // Its rows are summed in parts of eight second bodies each, and cut among threads at any of them.
  Scene scene;
  scene.add(plate("Floor", 60.0, 0.05), Vec3(0, -0.05, 0), 0);
  scene.conf.nDriven = 1;
  const shape::Shape grain = ball("Grain", 0.5);
  constexpr int wide = 95;
  for (int k = 0; k < wide * wide; ++k)
    scene.add(grain, Vec3(k % wide - 47, 0.499 + 1e-6 * (k % 7), k / wide - 47), 1);
  scene.conf.setDensity(1, 2500.0);
  scene.conf.gravity = Vec3(0.1, -9.81, 0.05);
  for (const auto& [g1, g2] : {std::pair(0u, 1u), std::pair(1u, 1u)})
    scene.law(g1, g2, 1e7, 0.1, 8e6, 0.3);
  scene.conf.dt = 1e-4;
  std::vector<std::uint64_t> hashes;
  std::vector<Vec3> forces;
  for (const int threads : {1, 2, 3, 8}) {
    const auto s = scene.start(threads);
    s->steps(10);
    CHECK(s->contactCount() >= wide * wide);
    hashes.push_back(s->stateHash());
    forces.push_back(s->bodies().force[0]);
  }
  for (std::size_t k = 1; k < hashes.size(); ++k) {
    CHECK(hashes[k] == hashes[0]);
    CHECK(forces[k] == forces[0]);
  }
}

TEST_CASE("steps made at once are those made one by one", "[physics][repeat]") {
  const int threads = GENERATE(1, 2, 3);
  const std::string integrator = GENERATE("velocityVerlet", "Beeman");
  Scene scene = heap("Default", {480});
  scene.conf.integrator = integrator;
  auto slowly = scene.start(threads, shaken()), fast = scene.start(threads, shaken());
  for (const std::uint64_t n : {1u, 2u, 13u, 100u, 17u}) {  // one in 64 is measured, and alone
    for (std::uint64_t k = 0; k < n; ++k) slowly->step();
    CHECK(fast->steps(n) == n);
    REQUIRE(sim::confText(fast->conf()) == sim::confText(slowly->conf()));
  }
  CHECK(fast->bodies().displacement == slowly->bodies().displacement);
  CHECK(fast->energyBudget().residual == slowly->energyBudget().residual);
  CHECK(fast->pairSearches() == slowly->pairSearches());
}

TEST_CASE("steps end with the first in which a body moves further than the limit",
          "[physics][repeat]") {
  // At rest until then, a body falls by g dt² (n - 1/2) in step n.
  const int threads = GENERATE(1, 2);
  const std::string integrator = GENERATE("velocityVerlet", "Euler");
  constexpr std::size_t count = 200;
  Scene scene;
  const shape::Shape grain = ball("Grain", 0.1);
  for (std::size_t k = 0; k < count; ++k) scene.add(grain, Vec3(static_cast<double>(k), 0, 0), 1);
  scene.conf.setDensity(1, 2500.0);
  scene.law(1, 1, 1e6, 0.1, 1e6, 0.3);
  scene.conf.gravity = Vec3(0, -10, 0);
  scene.conf.dt = 1e-3;
  scene.conf.integrator = integrator;
  std::vector<double> moves(count, 1.0);
  const double share = integrator == "Euler" ? 1.0 : 0.5;  // it goes by the velocity before
  moves[150] = 1e-5 * (36.5 - share);
  const auto s = scene.start(threads);
  CHECK(s->steps(1000, {moves}) == 37);
  CHECK(s->stepIndex() == 37);
  CHECK(s->bodies().lastMove[150] > moves[150]);
  CHECK(s->steps(1000, {moves}) == 1);  // so is each step from there on
  moves[150] = 1.0;
  moves[0] = 1e-5 * (99.5 - share);
  CHECK(s->steps(1000, {moves}) == 62);
  CHECK(s->steps(10) == 10);
}

TEST_CASE("a state that is NaN is reported at the same step however many are made at once",
          "[physics][repeat]") {
  Scene scene = heap("Default", {160});
  scene.conf.particles[100].vel = Vec3(0, 0, 1e304);
  scene.conf.dt = 1e3;
  scene.conf.gravity = Vec3(0, 0, 1e303);
  const auto messageOf = [&](std::uint64_t atOnce) {
    auto s = scene.start(2);
    try {
      while (s->stepIndex() < 1000) s->steps(atOnce);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("it went on");
  };
  const std::string message = messageOf(1);
  CHECK(message.find("NaN or infinite") != std::string::npos);
  CHECK(messageOf(1000) == message);
}

TEST_CASE("a request to stop is obeyed within a step", "[physics][repeat]") {
  auto s = heap("Default", {480}).start(2);
  const std::atomic<bool> stop = true;
  CHECK(s->steps(100, {{}, &stop}) == 1);
  CHECK(s->steps(100) == 100);
}

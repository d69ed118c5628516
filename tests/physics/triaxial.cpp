// SPDX-License-Identifier: GPL-3.0-or-later
// Six walls with servos around balls: the walls bear what is requested.
#include "catch.hpp"
#include "heap_scenes.hpp"

#include <array>
#include <cmath>

using namespace scree;
using namespace scree::scenes;

namespace {

constexpr double wallRadius = 0.05;

/// Loose balls of two sizes between six walls, bodies 0 to 5: x-, x+, y-, y+, z-, z+.
Scene sample() {
  Scene scene;
  const double half = 0.45;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0})
      scene.add(plate("plate", 1.0, wallRadius), side * (half + wallRadius) * Vec3::Unit(axis), 0,
                shortestTurn(Vec3::UnitY(), Vec3::Unit(axis)));
  scene.conf.nDriven = 6;
  Rng rng(12);
  for (int k = 0; k < 125; ++k)
    scene.add(ball(k % 2 ? "large" : "small", k % 2 ? 0.08 : 0.065),
              0.175 * Vec3(k % 5 - 2, k / 5 % 5 - 2, k / 25 - 2) + 0.005 * rng.direction(), 1);
  scene.conf.setDensity(0, 20);  // a wall of 20 kg
  scene.conf.setDensity(1, 2500);
  scene.law(0, 1, 1e6, 0.01, 8e5, 0.0);
  scene.law(1, 1, 1e6, 0.01, 8e5, 0.3);
  scene.conf.numericalDampingCoeff = 0.3;
  scene.conf.dt = 1e-4;
  return scene;
}

/// Pressure of the balls on each wall, by the area between the other four where they stand.
std::array<double, 6> pressures(const sim::Simulation& s) {
  const auto& b = s.bodies();
  Vec3 inner;
  for (int a = 0; a < 3; ++a) {
    const auto low = static_cast<std::size_t>(2 * a);
    inner[a] = b.pos[low + 1][a] - b.pos[low][a] - 2 * wallRadius;
  }
  std::array<double, 6> force{};
  for (const auto& c : s.interactions())
    for (const bool first : {true, false}) {
      const sim::BodyId wall = first ? c.key.i : c.key.j;
      if (wall >= 6) continue;
      const Vec3 f = (first ? 1.0 : -1.0) * (c.fn * c.n + c.ft);
      force[wall] += f[static_cast<int>(wall / 2)] * (wall % 2 ? 1.0 : -1.0);
    }
  for (std::size_t w = 0; w < 6; ++w) {
    const int a = static_cast<int>(w / 2);
    force[w] /= inner[(a + 1) % 3] * inner[(a + 2) % 3];
  }
  return force;
}

}  // namespace

TEST_CASE("six walls hold the requested pressure, and keep it under deviatoric loading",
          "[physics][drive]") {
  const double p = 20000;
  const Scene scene = sample();
  const std::string all = " 0 1 2 3 4 5 ";
  // A pressure on three walls, the others rest: their balls push back as much.
  auto s = scene.start(1, drivesOf("Servo tritriIsostaticCompression" + all + "20000", 6));
  while (s->time() < 1.5) s->step();
  for (const double now : pressures(*s)) CHECK(now == Approx(p).epsilon(1e-3));
  const Vec3 size(s->bodies().pos[1].x() - s->bodies().pos[0].x(),
                  s->bodies().pos[3].y() - s->bodies().pos[2].y(),
                  s->bodies().pos[5].z() - s->bodies().pos[4].z());
  CHECK(size.maxCoeff() < 1.0);  // compressed from 1.0
  CHECK(s->contactCount() > 200);

  SECTION("pressures on all six walls, different on each axis") {
    s->setDrives(drivesOf(
        "Servo tritriCustom" + all + "1 20000 1 20000 1 24000 1 24000 1 17000 1 17000", 6));
    while (s->time() < 3.0) s->step();
    const auto now = pressures(*s);
    const double asked[] = {p, p, 24000, 24000, 17000, 17000};
    for (std::size_t w = 0; w < 6; ++w) CHECK(now[w] == Approx(asked[w]).epsilon(2e-3));
  }
  SECTION("strain along y, pressure on the others") {
    const double speed = 0.02;  // of each wall that moves: inertial number of 1e-3 or so
    s->setDrives(drivesOf("Servo tritriBiaxialCompression" + all + "20000 0.02", 6));
    const double y0 = s->bodies().pos[3].y() - s->bodies().pos[2].y(), t0 = s->time();
    double mean[3] = {0, 0, 0};
    int n = 0;
    while (s->time() < t0 + 3.0) {
      s->step();
      if (s->time() < t0 + 2.0) continue;
      const auto now = pressures(*s);
      for (std::size_t a = 0; a < 3; ++a) mean[a] += 0.5 * (now[2 * a] + now[2 * a + 1]);
      ++n;
    }
    const double shortened = y0 - (s->bodies().pos[3].y() - s->bodies().pos[2].y());
    // One wall or both move, each by its speed times the time.
    CHECK(std::remainder(shortened, speed * (s->time() - t0)) == Approx(0.0).margin(1e-9));
    CHECK(shortened > 0.05);
    CHECK(mean[0] / n == Approx(p).epsilon(0.05));  // it flows: walls shake about their pressure
    CHECK(mean[2] / n == Approx(p).epsilon(0.05));
    CHECK(mean[1] / n > 1.3 * p);  // shears, held by friction and interlocking
  }
}

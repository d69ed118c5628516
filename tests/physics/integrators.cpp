// SPDX-License-Identifier: GPL-3.0-or-later
// Each integrator shows its order, and accounts for the ways of bodies.
#include "catch.hpp"
#include "free_bodies.hpp"

#include <array>
#include <cmath>
#include <functional>

using namespace scree;
using namespace scree::scenes;

namespace {

struct Declared {
  std::string name;
  double order;
};
const std::array<Declared, 4> all{
    {{"velocityVerlet", 2}, {"Euler", 1}, {"Beeman", 3}, {"RungeKutta4", 4}}};

/// The order that results at dt = 2e-3, 1e-3, 5e-4 show: the differences of successive halvings
/// shrink by 2^order.
double orderSeen(const std::function<Eigen::VectorXd(double)>& result) {
  const Eigen::VectorXd coarse = result(2e-3), middle = result(1e-3), fine = result(5e-4);
  return std::log2((coarse - middle).norm() / (middle - fine).norm());
}

}  // namespace

TEST_CASE("a ball that swings sideways on an elastic plane shows the order of its integrator",
          "[physics][integrator]") {
  const Declared scheme = GENERATE(from_range(all));
  INFO(scheme.name);
  Scene scene = Swing().scene(scheme.name);
  scene.conf.particles[1].vel.x() = 0.02;
  const auto result = [&](double dt) {
    scene.conf.dt = dt;
    const auto s = after(scene, 0.4);
    return Eigen::VectorXd(
        Eigen::Vector2d(s->bodies().pos[1].x(), s->bodies().spin[1].z() * radius));
  };
  // The spring grows by the mean motion of a step at the arm of its end. The arm breathes with the
  // overlap, by a thousandth of itself, which leaves an error of first order of that size.
  // RungeKutta4 shows that error once its own is gone.
  if (scheme.order < 4)
    CHECK(orderSeen(result) > std::min(scheme.order, 2.0) - 0.2);
  else
    CHECK((result(1e-3) - result(2.5e-4)).norm() < 1e-4 * result(2.5e-4).norm());
}

TEST_CASE("the accumulated displacement bounds the way of each point of a body",
          "[physics][integrator]") {
  Scene scene = slab();
  scene.conf.integrator = GENERATE("velocityVerlet", "Euler", "Beeman", "RungeKutta4");
  INFO(scene.conf.integrator);
  scene.conf.dt = 0.01;
  scene.conf.particles[0].vrot = Vec3(0, 0, 3);
  scene.conf.particles[0].vel = GENERATE(Vec3(0, 0, 0), Vec3(0.5, -0.2, 0.1));
  const auto s = scene.start();
  const sim::Bodies& b = s->bodies();
  const double reach = b.boundingRadius[0], begin = b.displacement[0];
  const auto point = [&] { return Vec3(b.pos[0] + reach * rotated(b.q[0], Vec3(0.6, 0.8, 0))); };
  double way = 0.0;
  for (int k = 0; k < 100; ++k) {
    const Vec3 before = point();
    s->step();
    way += (point() - before).norm();
    REQUIRE(way <= b.displacement[0] - begin);
  }
  // No more than the way of a point at this distance whose two velocities agree. Stages and the
  // chords of turns of 0.03 differ from it by less than a thousandth.
  CHECK(b.displacement[0] - begin < 1.001 * (scene.conf.particles[0].vel.norm() + 3.0 * reach));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The four integrators by themselves: bodies under forces that a test gives, no simulation.
#include "catch.hpp"
#include "detect/neighbour_list.hpp"
#include "engine/drive_system.hpp"
#include "engine/staged_integrators.hpp"
#include "engine/velocity_verlet.hpp"
#include "engine/world.hpp"
#include "lone_bodies.hpp"
#include "model/thread_shares.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/model/integrator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

using namespace scree;
using namespace scree::sim;

namespace {

/// Bodies, the force on each where it stands, and one of the integrators.
struct MovingBodies : LoneBodies {
  Integrator integrator;
  std::function<Vec3(const Vec3& pos)> forceAt = [](const Vec3&) { return Vec3(Vec3::Zero()); };
  DriveSystem drives;
  NeighbourList lists;  ///< never made: velocity Verlet asks whether it has expired
  ThreadShares shares;
  std::vector<double> mostMoves;
  std::uint64_t steps = 0;
  VelocityVerlet velocityVerlet;
  EulerIntegrator euler;
  BeemanIntegrator beeman;
  RungeKutta4Integrator rungeKutta4;
  std::vector<EarlierMotion> earlier;

  MovingBodies(std::size_t n, Integrator scheme, double dt) : LoneBodies(n), integrator(scheme) {
    model.dt = dt;
  }
  double time() const { return static_cast<double>(steps) * model.dt; }

  void sumForces(std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) bodies.force[k] = forceAt(bodies.pos[k]);
  }
  void setAccelerations() {
    sumForces(bodies.driven, bodies.size());
    const World now = world(time());
    for (std::size_t k = bodies.driven; k < bodies.size(); ++k) {
      const BodyLoad load = loadOn(now, k);
      bodies.acc[k] = load.acc;
      bodies.spinAcc[k] =
          angularAcceleration(bodies.q[k], bodies.spin[k], load.moment, bodies.inertia[k]);
    }
  }
  void start() {
    drives.start(world(time()));
    setAccelerations();
  }
  void step() {
    const double before = time();
    ++steps;
    const World now = world(time());
    drives.set(now, before);
    const auto forces = [this](const HistoryUpdate&) { setAccelerations(); };
    switch (integrator) {
      case Integrator::velocityVerlet: {
        const VelocityVerlet::Scene scene = sceneOf(now);
        velocityVerlet.begin(scene, drives);
        sumForces(bodies.driven, bodies.size());
        velocityVerlet.finish(scene);
        drives.setVelocities(false, bodies);
        break;
      }
      case Integrator::Euler:
        euler.step(now, drives, bodies, forces);
        break;
      case Integrator::Beeman:
        beeman.step(now, drives, bodies, earlier, forces);
        break;
      case Integrator::RungeKutta4:
        rungeKutta4.step(now, drives, bodies, forces);
        break;
    }
    if (integrator != Integrator::velocityVerlet) velocityVerlet.watch(bodies, mostMoves);
  }
  /// Steps of velocity Verlet in which free bodies go ahead into the next one.
  void stepsAhead(int count) {
    const World now = world();
    const VelocityVerlet::Scene scene = sceneOf(now);
    for (int k = 1; k <= count; ++k) {
      const bool ahead = k < count;
      velocityVerlet.begin(scene, drives);
      const VelocityVerlet::AfterForces afterForces(velocityVerlet, scene, ahead);
      if (ahead) velocityVerlet.beginAhead();
      parallelRanges(shares.cuts(), [&](std::size_t begin, std::size_t end) {
        sumForces(begin, end);
        afterForces(begin, end);
      });
      velocityVerlet.endForces(ahead);
      CHECK(velocityVerlet.ahead() == ahead);
    }
  }
  VelocityVerlet::Scene sceneOf(const World& now) {
    return {now, bodies, poses, nullptr, lists, shares, mostMoves};
  }
};

struct Scheme {
  Integrator integrator;
  const char* name;
};
constexpr std::array<Scheme, 4> schemes{{{Integrator::velocityVerlet, "velocityVerlet"},
                                         {Integrator::Euler, "Euler"},
                                         {Integrator::Beeman, "Beeman"},
                                         {Integrator::RungeKutta4, "RungeKutta4"}}};

}  // namespace

TEST_CASE("the accumulated displacement bounds the way of each point of a body",
          "[parts][motion]") {
  const Scheme scheme = GENERATE(from_range(schemes));
  INFO(scheme.name);
  MovingBodies b(1, scheme.integrator, 0.01);
  const Vec3 arm(0.3, 0.4, 0.0);
  b.bodies.boundingRadius[0] = arm.norm();
  b.bodies.inertia[0] = Vec3::Constant(1.0);
  b.bodies.spin[0] = Vec3(0.0, 0.0, 3.0);
  b.bodies.vel[0] = GENERATE(Vec3(0.0, 0.0, 0.0), Vec3(0.5, -0.2, 0.1));
  const double speed = b.bodies.vel[0].norm();
  const auto point = [&] { return Vec3(b.bodies.pos[0] + rotated(b.bodies.q[0], arm)); };
  b.start();
  double way = 0.0;
  for (int k = 0; k < 100; ++k) {
    const Vec3 before = point();
    b.step();
    way += (point() - before).norm();
    REQUIRE(way <= b.bodies.displacement[0]);
  }
  // No more than the way of a point at this distance whose two velocities agree. Stages and the
  // chords of turns of 0.03 differ from it by less than a thousandth.
  CHECK(b.bodies.displacement[0] < 1.001 * (speed + 3.0 * arm.norm()));
  if (speed == 0.0) CHECK(way > 0.999 * b.bodies.displacement[0]);
}

TEST_CASE("an integrator reports a body that moves farther than the limit", "[parts][motion]") {
  const Scheme scheme = GENERATE(from_range(schemes));
  INFO(scheme.name);
  MovingBodies b(2, scheme.integrator, 0.1);
  b.bodies.vel[1] = Vec3(0.0, 3.0, 0.0);  // 0.3 a step
  b.start();
  b.mostMoves = {0.0, 0.31};
  b.step();
  CHECK_FALSE(b.velocityVerlet.tooFar());
  CHECK(b.bodies.lastMove[1] == Approx(0.3));
  b.mostMoves = {0.0, 0.29};
  b.step();
  CHECK(b.velocityVerlet.tooFar());
  b.mostMoves = {0.0, 0.31};
  b.step();
  CHECK_FALSE(b.velocityVerlet.tooFar());
}

TEST_CASE("bodies that go ahead into the next step end in the same bits, in lanes and alone",
          "[parts][motion]") {
  // Four bodies go side by side in lanes, and the last three of 203 one by one. Each body begins
  // as body k % 7 does.
  const auto tumbling = [](int threads) {
    auto b = std::make_unique<MovingBodies>(203, Integrator::velocityVerlet, 0.01);
    b->model.threads = threads;
    b->model.gravity = Vec3(0.0, -1.0, 0.0);
    b->forceAt = [](const Vec3& pos) { return Vec3(-7.0 * pos.norm() * pos); };
    for (std::size_t k = 0; k < b->bodies.size(); ++k) {
      const double m = static_cast<double>(k % 7);
      b->bodies.pos[k] = Vec3(1.0, 0.1 * m, -0.3);
      b->bodies.vel[k] = Vec3(0.2, m, 0.0);
      b->bodies.spin[k] = Vec3(m, 1.0, -2.0);
    }
    b->start();
    return b;
  };
  const int threads = GENERATE(1, 3);
  const auto single = tumbling(1), fused = tumbling(threads);
  for (int k = 0; k < 20; ++k) single->step();
  fused->stepsAhead(20);
  CHECK(fused->shares.ranges() == static_cast<std::size_t>(threads));
  const Bodies &one = single->bodies, &two = fused->bodies;
  REQUIRE((one.pos[0] - Vec3(1.0, 0.0, -0.3)).norm() > 0.01);  // it has moved
  for (std::size_t k = 0; k < one.size(); ++k) {
    INFO("body " << k);
    REQUIRE(one.pos[k] == two.pos[k]);
    REQUIRE(one.vel[k] == two.vel[k]);
    REQUIRE(one.acc[k] == two.acc[k]);
    REQUIRE(one.q[k].coeffs() == two.q[k].coeffs());
    REQUIRE(one.spin[k] == two.spin[k]);
    REQUIRE(one.spinAcc[k] == two.spinAcc[k]);
    REQUIRE(one.displacement[k] == two.displacement[k]);
    REQUIRE(one.pos[k] == one.pos[k % 7]);
    REQUIRE(one.q[k].coeffs() == one.q[k % 7].coeffs());
    REQUIRE(one.spin[k] == one.spin[k % 7]);
  }
}

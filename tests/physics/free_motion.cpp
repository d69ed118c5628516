// SPDX-License-Identifier: GPL-3.0-or-later
// Motion without contact: answers known in closed form.
#include "catch.hpp"
#include "free_bodies.hpp"

#include <cmath>

using namespace scree;
using namespace scree::scenes;

namespace {

/// Spin in the body frame after 2 s of free rotation from (2, 1, 3).
struct Top {
  Vec3 spin;
  double energyError, momentumError;
};
Top freeTop(double dt) {
  Scene scene = slab();
  scene.conf.particles[0].vrot = Vec3(2, 1, 3);
  scene.conf.dt = dt;
  auto s = scene.start();
  const Vec3 l0 = momentumOfSpin(*s);
  const double e0 = rotationEnergy(*s);
  const int n = static_cast<int>(std::lround(2.0 / dt));
  Top top{{}, 0, 0};
  for (int k = 0; k < n; ++k) {
    s->step();
    top.energyError = std::max(top.energyError, std::abs(rotationEnergy(*s) / e0 - 1));
  }
  top.spin = bodySpin(*s);
  top.momentumError = (momentumOfSpin(*s) - l0).norm() / l0.norm();
  return top;
}

}  // namespace

TEST_CASE("flight without contact is the parabola, to rounding, whatever the shape and spin",
          "[physics][motion]") {
  Scene scene = slab();
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.conf.particles[0].vel = Vec3(3, 4, -1);
  scene.conf.particles[0].vrot = Vec3(5, -3, 2);
  scene.conf.dt = 1e-3;
  auto s = scene.start();
  for (int k = 0; k < 2000; ++k) s->step();
  CHECK((s->bodies().pos[0] - Vec3(6, 8 - 0.5 * 9.81 * 4, -2)).norm() < 2e-12 * 20);
  CHECK((s->bodies().vel[0] - Vec3(3, 4 - 9.81 * 2, -1)).norm() < 1e-12 * 20);
}

TEST_CASE("a free top keeps its angular momentum to rounding and its energy to second order",
          "[physics][motion]") {
  // Body-frame spin after 2 s from Euler's equations (Jacobi functions): docs/verification.md.
  const Vec3 exact(-1.958902, -1.129981, 2.969243);
  const Top coarse = freeTop(2e-3), middle = freeTop(1e-3), fine = freeTop(5e-4);
  CHECK(middle.energyError < 1e-6);
  CHECK(middle.momentumError < 1e-12);
  CHECK((fine.spin - exact).norm() < 2e-6);
  // Differences of successive halvings shrink by 4: order two, free of the digits of the reference.
  const double order =
      std::log2((coarse.spin - middle.spin).norm() / (middle.spin - fine.spin).norm());
  CHECK(order > 1.9);
  CHECK(order < 2.1);
}

TEST_CASE("a rotation does not depend on the frame it is described in", "[physics][motion]") {
  const auto turned = [](const Quat& frame) {
    Scene scene = slab();
    scene.conf.particles[0].q = frame;
    scene.conf.particles[0].vrot = rotated(frame, Vec3(2, 1, 3));
    scene.conf.dt = 1e-3;
    auto s = scene.start();
    for (int k = 0; k < 500; ++k) s->step();
    return frame.conjugate() * s->bodies().q[0];
  };
  const Quat here = turned(Quat::Identity()),
             there = turned(Quat(0.1, -0.7, 0.3, 0.5).normalized());
  CHECK(std::abs(std::abs(here.dot(there)) - 1) < 1e-12);
}

TEST_CASE("driven bodies follow their drives", "[physics][drive]") {
  using namespace scree::sim;
  Scene scene;
  scene.add(plate("plate", 1.0, 0.05), {0, 0, 0});
  scene.conf.nDriven = 1;
  scene.conf.setDensity(0, 100);
  scene.conf.dt = 1e-4;
  SECTION("a constant velocity") {
    auto s = scene.start(1, {{{Imposed::velocity, 1, 0, Vec3(0, 0.5, 0)}}, {}});
    for (int k = 0; k < 1000; ++k) s->step();
    CHECK((s->bodies().pos[0] - Vec3(0, 0.05, 0)).norm() < 1e-14);
    CHECK(s->bodies().vel[0].y() == 0.5);
  }
  SECTION("velocities of one component add up, for the body and for its contacts") {
    auto s = scene.start(1, {{{Imposed::velocity, 1, 0, Vec3(0, 0.5, 0)},
                              {Imposed::velocity, 1, 0, Vec3(0, 0.2, 0)}},
                             {}});
    for (int k = 0; k < 1000; ++k) s->step();
    CHECK(s->bodies().pos[0].y() == Approx(0.07).epsilon(1e-12));
    CHECK(s->bodies().vel[0].y() == Approx(0.7).epsilon(1e-14));
  }
  SECTION("a constant force: a = F/m, without gravity") {
    scene.conf.gravity = Vec3(0, -9.81, 0);
    auto s = scene.start(1, {{{Imposed::force, 0, 0, Vec3(20, 0, 0)}}, {}});
    for (int k = 0; k < 1000; ++k) s->step();
    CHECK(s->bodies().pos[0].x() == Approx(0.5 * 20.0 / 100.0 * 0.01).epsilon(1e-12));
    CHECK(s->bodies().pos[0].y() == 0.0);
  }
  SECTION("a spin turns the body and is seen by contacts") {
    auto s = scene.start(1, {{{Imposed::spin, 2, 0, Vec3(0, 0, 2 * pi)}}, {}});
    for (int k = 0; k < 2500; ++k) s->step();
    CHECK((rotated(s->bodies().q[0], Vec3::UnitX()) - Vec3::UnitY()).norm() < 1e-10);
    CHECK(s->bodies().spin[0].z() == 2 * pi);
  }
  SECTION("a shaker: A sin(2 pi f t)") {
    const Vec3 d = Vec3(1, 2, 2) / 3.0;
    Drives drives;
    for (int axis = 0; axis < 3; ++axis)
      drives.controls.push_back({Imposed::velocity, axis, 0, Vec3::Zero()});
    drives.servos.push_back({Shaker{d, 0.01, 5.0}, {0, 1, 2}});
    auto s = scene.start(1, drives);
    for (int k = 0; k < 500; ++k) s->step();  // a quarter of a period
    CHECK((s->bodies().pos[0] - 0.01 * d).norm() < 0.01 * 2 * pi * 5.0 * 1e-4);
  }
}

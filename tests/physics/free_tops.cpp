// SPDX-License-Identifier: GPL-3.0-or-later
// Tops and isolated bodies over long times: what must stay, stays (verification
// benchmarks 2.3, 2.4, 5).
#include "catch.hpp"
#include "scenes.hpp"

#include "scree/base/rng.hpp"

#include <cmath>

using namespace scree;
using namespace scree::scenes;

namespace {

/// Core: a triangle of side 1 drawn out to height 1, swept by 0.1.
shape::Shape prism() {
  shape::Shape s;
  s.name = "prism";
  s.radius = 0.1;
  for (const double z : {-0.5, 0.5})
    for (int k = 0; k < 3; ++k)
      s.vertices.emplace_back(std::cos(2 * pi * k / 3) / std::sqrt(3.0),
                              std::sin(2 * pi * k / 3) / std::sqrt(3.0), z);
  for (std::uint32_t k = 0; k < 3; ++k) {
    const std::uint32_t next = (k + 1) % 3;
    s.edges.push_back({k, next});
    s.edges.push_back({k + 3, next + 3});
    s.edges.push_back({k, k + 3});
    s.faces.add({k, next, next + 3, k + 3});
  }
  s.faces.add({2, 1, 0});
  s.faces.add({3, 4, 5});
  mass::survey(s);
  return s;
}

struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double linearSize = 0.0, angularSize = 0.0;  ///< sums of the bodies' sizes
};
Momenta momentaOf(const sim::Simulation& s) {
  Momenta m;
  const auto& b = s.bodies();
  for (std::size_t k = 0; k < b.size(); ++k) {
    const Vec3 p = b.mass[k] * b.vel[k];
    const Vec3 l = b.pos[k].cross(p) +
                   rotated(b.q[k], b.inertia[k].cwiseProduct(turnedBack(b.q[k], b.spin[k])));
    m.linear += p;
    m.angular += l;
    m.linearSize += p.norm();
    m.angularSize += l.norm();
  }
  return m;
}

double rotationEnergy(const sim::Simulation& s) {
  const auto& b = s.bodies();
  const Vec3 w = turnedBack(b.q[0], b.spin[0]);
  return 0.5 * w.dot(b.inertia[0].cwiseProduct(w));
}

}  // namespace

TEST_CASE("a body that tumbles about its middle axis keeps energy and angular momentum for 10 s",
          "[physics][motion]") {
  const std::string integrator = GENERATE("velocityVerlet", "Beeman", "RungeKutta4");
  INFO(integrator);
  Scene scene;
  scene.conf.integrator = integrator;
  scene.add(box("box", 0.8, 0.4, 0.2, 0.05), {0, 0, 0});
  scene.conf.setDensity(0, 2600);
  scene.conf.particles[0].vrot = Vec3(0.01, 5, 0.01);
  scene.conf.dt = 1e-3;
  auto s = scene.start();
  const double energy = rotationEnergy(*s);
  const Momenta start = momentaOf(*s);
  bool turnedOver = false;
  for (int k = 0; k < 10000; ++k) {
    s->step();
    turnedOver = turnedOver || turnedBack(s->bodies().q[0], s->bodies().spin[0]).y() < -4;
  }
  CHECK(turnedOver);  // a half turn each 6.726 s
  // Second order: (ω dt)² = 2.5e-5 of what turns over; the others are of higher order.
  CHECK(std::abs(rotationEnergy(*s) / energy - 1) < 1e-6);
  CHECK((momentaOf(*s).angular - start.angular).norm() < 1e-9 * start.angular.norm());
}

TEST_CASE("a symmetric top precesses in its own frame at (I3 - I1) w3 / I1", "[physics][motion]") {
  const shape::Shape shape = prism();
  int axis = 0;
  for (int k = 1; k < 3; ++k)
    if (shape.inertiaPerMass[k] < shape.inertiaPerMass[axis]) axis = k;
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  const double i1 = shape.inertiaPerMass[x], i3 = shape.inertiaPerMass[axis];
  CHECK(i1 == Approx(0.186476712565).epsilon(1e-9));
  CHECK(i3 == Approx(0.140041636507).epsilon(1e-9));
  const double rate = (i3 - i1) * 4 / i1;
  CHECK(rate == Approx(-0.996051).epsilon(1e-5));
  Scene scene;
  scene.add(shape, {0, 0, 0});
  scene.conf.setDensity(0, 1000);
  Vec3 spin = Vec3::Zero();
  spin[x] = 1;
  spin[axis] = 4;
  scene.conf.particles[0].vrot = spin;
  scene.conf.dt = 1e-3;
  auto s = scene.start();
  const int n = 5000;
  for (int k = 0; k < n; ++k) s->step();
  const Vec3 w = turnedBack(s->bodies().q[0], s->bodies().spin[0]);
  const double t = n * scene.conf.dt;
  CHECK(w[x] == Approx(std::cos(rate * t)).margin(2e-5));
  CHECK(w[y] == Approx(std::sin(rate * t)).margin(2e-5));
  CHECK(w[axis] == Approx(4.0).epsilon(1e-6));
}

TEST_CASE("isolated bodies that collide keep their momenta with each law", "[physics][momentum]") {
  const std::string law = GENERATE("Default", "Avalanche", "StickedLinks", "GeoVisc");
  INFO(law);
  Scene scene;
  scene.conf.forceLaw = law;
  Rng rng(11);
  const auto kind = box("box", 0.2, 0.15, 0.1, 0.02);
  for (int k = 0; k < 8; ++k) {
    const Vec3 at(0.4 * (k & 1), 0.4 * (k >> 1 & 1), 0.4 * (k >> 2));
    const auto body = scene.add(kind, at, 0, rng.orientation());
    scene.conf.particles[body].vel = 2 * (Vec3(0.2, 0.2, 0.2) - at) + 0.3 * rng.direction();
    scene.conf.particles[body].vrot = 5 * rng.direction();
  }
  scene.conf.setDensity(0, 2000);
  scene.law(0, 0, 1e5, 0.4, 8e4, 0.4);
  scene.conf.setLawParameter("krContact", 0, 0, 50);
  scene.conf.setLawParameter("murContact", 0, 0, 0.01);
  scene.conf.setLawParameter("viscTContact", 0, 0, 20);
  scene.conf.dt = 5e-5;
  auto s = scene.start();
  const Momenta start = momentaOf(*s);
  std::size_t touched = 0;
  for (int k = 0; k < 10000; ++k) {
    s->step();
    touched += s->contactCount() > 0;
  }
  const Momenta end = momentaOf(*s);
  CHECK(touched > 300);
  CHECK((end.linear - start.linear).norm() < 1e-12 * start.linearSize);
  // All kicks act at the places of one instant and drifts leave x × m v alone.
  CHECK((end.angular - start.angular).norm() < 1e-10 * start.angularSize);
}

TEST_CASE("a small ball that two large ones roll between them does not drift with the step",
          "[physics][contact]") {
  // Mixing velocities of the half step with places of the full one lets small bodies drift beside
  // large ones (arXiv 2410.14798, beyond a ratio of about 3).
  const double ratio = GENERATE(1.0, 3.0, 10.0);
  INFO(ratio);
  const double small = 0.01, large = ratio * small, overlap = 1e-3 * small;
  Scene scene;
  scene.add(ball("large", large), {0, -(large + small - overlap), 0}, 0);
  scene.add(ball("large", large), {0, large + small - overlap, 0}, 0);
  scene.add(ball("small", small), {0, 0, 0}, 1);
  scene.conf.nDriven = 2;
  scene.conf.setDensity(0, 2500);
  scene.conf.setDensity(1, 2500);
  scene.law(0, 1, 1e5, 0.1, 1e5, 0.6);
  sim::Drives drives;
  // Both turn the same way, so the ball turns in its place.
  for (const sim::BodyId k : {0u, 1u})
    drives.controls.push_back({sim::Imposed::spin, 2, k, Vec3(0, 0, 2.0 / ratio)});
  const auto placeAfter = [&](double dt) {
    scene.conf.dt = dt;
    auto s = scene.start(1, drives);
    while (s->time() < 0.2 - 0.5 * dt) s->step();
    CHECK(s->contactCount() == 2);
    return s->bodies().pos[2];
  };
  const double period = pi * std::sqrt(2500 * 4.0 / 3.0 * pi * small * small * small / 2e5);
  CHECK(placeAfter(period / 20).norm() < 1e-9 * small);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// The same bits: for any number of threads, and after saving and beginning again.
#include "catch.hpp"
#include "scenes.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/io/conf_file.hpp"

using namespace scree;
using namespace scree::scenes;

namespace {

/// Boxes, rods and balls that fall on a shaken plate: contacts of all kinds come and go.
Scene heap(const std::string& law, int bodies = 48) {
  Scene scene;
  scene.conf.forceLaw = law;
  scene.conf.gravity = Vec3(0, -9.81, 0);
  scene.add(plate("plate", 1.5, 0.05), {0, -0.05, 0});
  scene.conf.nDriven = 1;
  const std::vector<shape::Shape> kinds{box("box", 0.2, 0.15, 0.1, 0.02), rod("rod", 0.3, 0.04),
                                        ball("ball", 0.1)};
  Rng rng(4);
  for (int k = 0; k < bodies; ++k) {
    const Vec3 at(0.25 * (k % 4 - 1.5), 0.15 + 0.24 * (k / 16), 0.25 * (k / 4 % 4 - 1.5));
    const auto body = scene.add(kinds[static_cast<std::size_t>(k) % 3], at + 0.02 * rng.direction(),
                                1, rng.orientation());
    scene.conf.particles[body].vel = rng.direction();
    scene.conf.particles[body].vrot = 5 * rng.direction();
  }
  scene.conf.setDensity(1, 2500);
  for (const std::uint32_t g : {0u, 1u}) {
    scene.law(g, 1, 1e5, 0.2, 8e4, 0.4);
    scene.conf.setLawParameter("krContact", g, 1, 100);
    scene.conf.setLawParameter("murContact", g, 1, 0.01);
    scene.conf.setLawParameter("viscTContact", g, 1, 200);
  }
  scene.conf.dt = 1e-4;
  return scene;
}

sim::Drives shaken() {
  sim::Drives drives;
  for (int axis = 0; axis < 3; ++axis)
    drives.controls.push_back({sim::Imposed::velocity, axis, 0, Vec3::Zero()});
  drives.servos.push_back({sim::Shaker{Vec3::UnitY(), 0.005, 12.0}, {0, 1, 2}});
  return drives;
}

}  // namespace

TEST_CASE("a run gives the same bits on 1, 2, 3 and 8 threads", "[physics][repeat]") {
  const auto [law, weights] =
      GENERATE(std::pair("Default", "None"), std::pair("Avalanche", "None"),
               std::pair("StickedLinks", "OverlapWeight"), std::pair("GeoVisc", "NumberWeight"));
  Scene scene = heap(law, 480);  // enough for threads to share the work
  scene.conf.contactPartnership = weights;
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 3, 8}) {
    auto s = scene.start(threads, shaken());
    for (int k = 0; k < 400; ++k) s->step();
    hashes.push_back(s->stateHash());
    if (threads == 1) CHECK(s->contactCount() > 20);
  }
  for (const std::uint64_t h : hashes) CHECK(h == hashes[0]);
}

TEST_CASE("a run that was saved and begun again ends in the same bits as one that was not",
          "[physics][repeat]") {
  const auto [law, weights] =
      GENERATE(std::pair("Default", "None"), std::pair("Avalanche", "None"),
               std::pair("StickedLinks", "OverlapWeight"), std::pair("GeoVisc", "NumberWeight"));
  Scene scene = heap(law);
  scene.conf.contactPartnership = weights;
  auto unbroken = scene.start(1, shaken());
  for (int k = 0; k < 3000; ++k) unbroken->step();

  auto part = scene.start(1, shaken());
  for (const int steps : {1, 776, 1234, 989}) {  // odd moments, in mid contact
    for (int k = 0; k < steps; ++k) part->step();
    const std::string text = sim::confText(part->conf());
    TextReader in("saved", text);
    Diagnostics strict(true);
    const sim::Conf saved = sim::readConf(in, strict);
    part = std::make_unique<sim::Simulation>(saved, scene.shapes, shaken(), 1, strict);
    REQUIRE(sim::confText(part->conf()) == text);
  }
  CHECK(part->time() == unbroken->time());
  CHECK(part->stateHash() == unbroken->stateHash());
}

TEST_CASE("a scene that is moved and turned as a whole gives the same motion",
          "[physics][repeat]") {
  // Chaos amplifies rounding, so the horizon is short: a few bounces.
  const Quat frame = Quat(0.3, 0.5, -0.7, 0.4).normalized();
  const Vec3 shift(3, -2, 5);
  Scene here = heap("Default"), there = here;
  there.conf.gravity = rotated(frame, here.conf.gravity);
  for (auto& p : there.conf.particles) {
    p.pos = shift + rotated(frame, p.pos);
    p.vel = rotated(frame, p.vel);
    p.vrot = rotated(frame, p.vrot);
    p.q = frame * p.q;
  }
  auto a = here.start(), b = there.start();
  for (int k = 0; k < 800; ++k) {
    a->step();
    b->step();
  }
  double worst = 0.0;
  for (std::size_t k = 0; k < a->bodies().size(); ++k)
    worst =
        std::max(worst, (shift + rotated(frame, a->bodies().pos[k]) - b->bodies().pos[k]).norm());
  CHECK(a->contactCount() > 10);
  CHECK(worst < 1e-10);
}

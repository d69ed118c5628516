// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "conf_text.hpp"
#include "scenes.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/container.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace scree;
using namespace scree::sim;

namespace {

shape::Shape sphere(double radius) { return scenes::ball("Sphere", radius); }

Packing fcc() {
  LatticeOptions options;
  options.type = LatticeType::fcc;
  options.cells = {2, 3, 2};
  return lattice({sphere(0.1)}, options).packing;
}

}  // namespace

TEST_CASE("walls close a box around all bodies and overlap none", "[pack][walls]") {
  const double margin = GENERATE(0.0, 0.25);
  Packing a = fcc();
  const std::size_t n = a.bodies.size();
  const shape::Aabb inside = boundingBox(a);
  addWalls(a, margin);
  REQUIRE(a.bodies.size() == n + 6);
  for (std::size_t w = 0; w < 6; ++w) {
    const PlacedBody& wall = a.bodies[w];
    const shape::Shape& plate = a.shapes[wall.shape];
    const auto axis = static_cast<Eigen::Index>(w / 2);
    CHECK(wall.driven);
    CHECK(wall.group == 0);
    CHECK(plate.preCompDone);
    // Between the plate and the bodies: the margin, and a hair that rounding cannot eat.
    const double gap = w % 2 == 0 ? inside.low[axis] - (wall.pos[axis] + plate.radius)
                                  : wall.pos[axis] - plate.radius - inside.high[axis];
    CHECK(gap > margin);
    CHECK(gap < margin + 1e-8);
    // The corners of a plate are corners of the box that the other plates span.
    for (const Vec3& v : plate.vertices) {
      const Vec3 corner = wall.pos + v;
      for (Eigen::Index k = 0; k < 3; ++k) {
        const double low = a.bodies[static_cast<std::size_t>(2 * k)].pos[k],
                     high = a.bodies[static_cast<std::size_t>(2 * k + 1)].pos[k];
        CHECK(std::min(std::abs(corner[k] - low), std::abs(corner[k] - high)) < 1e-12);
      }
    }
    // A rectangle a x b swept by r.
    const Vec3 size = plate.vertices[2] - plate.vertices[0];
    const double area = size.cwiseAbs()[(axis + 1) % 3] * size.cwiseAbs()[(axis + 2) % 3];
    const double r = plate.radius, halfPerimeter = size.cwiseAbs().sum();
    CHECK(plate.volume ==
          Approx(2.0 * r * area + pi * r * r * halfPerimeter + 4.0 / 3.0 * pi * r * r * r));
  }
}

TEST_CASE("a completed conf-file says all that a run needs and reads back without a warning",
          "[pack][conf]") {
  Packing a = fcc();
  addWalls(a, 0.0);
  PackSettings settings;
  settings.kn.emplace().general = 1e6;
  settings.mu.special = {{0, 1, 0.3}};
  settings.densities = {{0, 1000.0}};
  const CompletedConf completedConf = completed(a, settings);
  Conf conf = completedConf.conf;
  conf.shapeFile = "shapes.shp";
  CHECK(conf.nDriven == 6);
  CHECK(conf.forceLaw == "Default");
  CHECK(conf.densityOf(0) == 1000.0);
  CHECK(conf.densityOf(1) == 2700.0);
  CHECK(conf.lawParameter("muContact", 1, 0) == 0.3);
  CHECK(conf.lawParameter("muContact", 1, 1) == 0.5);
  CHECK(conf.lawParameter("ktContact", 0, 1) == Approx(0.8e6));
  // m = 4/3 pi 0.1^3 2700 / 2, T = pi sqrt(m / 1e6), T/25 rounded down to two digits.
  const double contact = pi * std::sqrt(0.5 * 4.0 / 3.0 * pi * 1e-3 * 2700.0 / 1e6);
  CHECK(conf.dt <= contact / 25.0);
  CHECK(conf.dt > 0.9 * contact / 25.0);
  CHECK(conf.dVerlet == 0.01);
  CHECK(conf.DVerlet == 0.02);
  CHECK(conf.interConf == 0.02);
  CHECK(conf.interVerlet >= conf.dt);
  CHECK(completedConf.reasons.size() == 2);

  const Conf again = samples::read(confText(conf));
  CHECK(again.particles.size() == a.bodies.size());
  CHECK(again.dt == conf.dt);
  CHECK(again.particles.back().pos == a.bodies.back().pos);
}

TEST_CASE("the stiffness that is chosen follows from loads and heights, not from the duration",
          "[pack][conf]") {
  // 48 touching balls of 0.2 m: they can fall hardly, and the weight decides where it is allowed
  // less.
  PackSettings settings;
  const double mass = 4.0 / 3.0 * pi * 1e-3 * 2700.0;
  const auto kn = [&](const Packing& a) {
    return completed(a, settings).conf.lawParameter("knContact", 1, 1);
  };
  const double allowed = 0.005 * 0.2, g = 9.81;
  const shape::Aabb box = boundingBox(fcc());
  const Vec3 size = 2.0 * box.halfSize();
  const double force = 2.0 * 48.0 * mass * g / (size.x() * size.z()) * 0.04;
  const double drop =
      std::max(size.y() - 0.2 - 48.0 * mass / 2700.0 / (0.6 * size.x() * size.z()), 0.1 * 0.2);
  const double least = std::max(force / allowed, mass * 2.0 * g * drop / (allowed * allowed));
  const double chosen = kn(fcc());
  CHECK(chosen >= least * (1.0 - 1e-9));
  CHECK(chosen < 2.0 * least);  // rounded up to one digit
  settings.duration = 10.0;
  CHECK(kn(fcc()) == chosen);
  settings.duration = 1e-3;
  CHECK(kn(fcc()) == chosen);
  // Ten times the density, ten times the stiffness; twice the overlap, a quarter of that by impact.
  settings.density = 27000.0;
  CHECK(kn(fcc()) == Approx(10.0 * chosen).epsilon(0.01));
  settings.density = 2700.0;
  settings.overlap = 0.05;
  CHECK(kn(fcc()) < 0.11 * chosen);
  // A ball 2 m above a plate: m v² = kn (0.005 d)².
  settings.overlap = 0.005;
  Packing drops = fcc();
  drops.bodies.resize(1);
  addWalls(drops, 1.0);
  const shape::Aabb scene = boundingBox(drops);
  const double fall =
      drops.bodies.back().pos.y() - 0.1 - scene.low.y() - mass / 2700.0 / (0.6 * 0.04);
  CHECK(kn(drops) >= mass * 2.0 * g * fall / (allowed * allowed) * (1.0 - 1e-9));
  CHECK_THAT(completed(drops, settings).reasons.at(0), Catch::Contains("after a fall"));
  settings.gravity = Vec3::Zero();
  CHECK(kn(fcc()) == 1e6);
  settings.overlap = 0.0;
  CHECK_THROWS_AS(kn(fcc()), UsageError);
}

TEST_CASE("a stiffness too low for the weight, and a step longer than the run, are reported",
          "[pack][conf]") {
  PackSettings settings;
  settings.kn.emplace().general = 1e4;
  settings.dt = 2.0;
  CHECK(completed(fcc(), settings).warnings.size() == 3);
}

TEST_CASE("a stiffness too low for the impact, and sizes in millimetres, are reported",
          "[pack][conf]") {
  // A ball of m = 11.3 kg falls 2 m: at the overlap of 1 % of 0.2 m, kn = m v² / (2 mm)².
  Packing drops = fcc();
  drops.bodies.resize(1);
  addWalls(drops, 1.0);
  PackSettings settings;
  const double mass = 4.0 / 3.0 * pi * 1e-3 * 2700.0;
  const double least = mass * 2.0 * 9.81 * 2.0 / (0.002 * 0.002);
  settings.kn.emplace().general = 0.4 * least;  // the fall is somewhat shorter than 2 m
  CHECK(completed(drops, settings).warnings.size() == 1);
  settings.kn->general = 2.0 * least;
  CHECK(completed(drops, settings).warnings.empty());
  for (PlacedBody& body : drops.bodies) {
    body.homothety *= 1000.0;
    body.pos *= 1000.0;
  }
  CHECK(completed(drops, {}).warnings.size() == 1);
}

TEST_CASE("a step and an output period that are given are kept", "[pack][conf]") {
  PackSettings settings;
  settings.law = "Avalanches";  // the older spelling
  settings.dt = 1e-4;
  settings.interConf = 0.1;
  settings.duration = 7.0;
  const Conf conf = completed(fcc(), settings).conf;
  CHECK(conf.forceLaw == "Avalanche");
  CHECK(conf.dt == 1e-4);
  CHECK(conf.interConf == 0.1);
  CHECK(conf.tmax == 7.0);
  settings = {};
  const double chosen = completed(fcc(), settings).conf.dt;  // a 25th of a contact
  settings.kr.general = 1e6;                                 // stiffer than the contact
  CHECK(completed(fcc(), settings).conf.dt < chosen);
  settings.kr.general = 0.0;
  settings.dt = 15.0 * chosen;  // critical: 25 * 2 / pi = 15.9
  CHECK(completed(fcc(), settings).warnings.empty());
  settings.dt = 18.0 * chosen;
  CHECK(completed(fcc(), settings).warnings.size() == 1);
}

TEST_CASE("settings that make no simulation are refused", "[pack][conf]") {
  PackSettings settings;
  Packing a = fcc();
  SECTION("an unknown law") { settings.law = "Defualt"; }
  SECTION("a stiffness of zero") { settings.kn.emplace().general = 0.0; }
  SECTION("a restitution above 1") { settings.en2.general = 5.0; }
  SECTION("a group that no body has") { settings.mu.special = {{1, 4, 0.5}}; }
  SECTION("a free body without volume") { a.shapes[0].volume = 0.0; }
  SECTION("nothing at all") { a = {}; }
  CHECK_THROWS_AS(completed(a, settings), Error);
}

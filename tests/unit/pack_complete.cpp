// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "conf_text.hpp"
#include "scenes.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/container.hpp"
#include "scree/sim/pack/lattice.hpp"
#include "scree/sim/pack/material.hpp"

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
  const shape::Aabb inside = boundingBox(a);
  addWalls(a, margin);
  for (std::size_t w = 0; w < 6; ++w) {
    const PlacedBody& wall = a.bodies[w];
    const shape::Shape& plate = a.shapes[wall.shape];
    const auto axis = static_cast<Eigen::Index>(w / 2);
    CHECK((wall.driven && wall.group == 0 && plate.preCompDone));
    // Between the plate and the bodies: the margin, and a hair that rounding cannot eat.
    const double gap = w % 2 == 0 ? inside.low[axis] - (wall.pos[axis] + plate.radius)
                                  : wall.pos[axis] - plate.radius - inside.high[axis];
    CHECK(gap > margin);
    CHECK(gap < margin + 1e-8);
    // The corners of a plate are corners of the box that the other plates span.
    for (const Vec3& v : plate.vertices)
      for (Eigen::Index k = 0; k < 3; ++k) {
        const double low = a.bodies[static_cast<std::size_t>(2 * k)].pos[k],
                     high = a.bodies[static_cast<std::size_t>(2 * k + 1)].pos[k];
        const double corner = wall.pos[k] + v[k];
        CHECK(std::min(std::abs(corner - low), std::abs(corner - high)) < 1e-12);
      }
  }
}

TEST_CASE("a completed conf-file says all that a run needs and reads back without a warning",
          "[pack][conf]") {
  Packing a = fcc();
  addWalls(a, 0.0);
  PackSettings settings;
  settings.parameters = {{"knContact", {1e6, {}}}, {"muContact", {{}, {{0, 1, 0.3}}}}};
  settings.density.special = {{0, 0, 1000.0}};
  Diagnostics quiet;
  const CompletedConf done = completed(a, settings, quiet);
  Conf conf = done.conf;
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
  Diagnostics quiet;
  const auto kn = [&](const Packing& a) {
    return completed(a, settings, quiet).conf.lawParameter("knContact", 1, 1);
  };
  const double allowed = 0.005 * 0.2, g = 9.81;
  const Vec3 size = 2.0 * boundingBox(fcc()).halfSize();
  const double force = 2.0 * 48.0 * mass * g / (size.x() * size.z()) * 0.04;
  const double drop =
      std::max(size.y() - 0.2 - 48.0 * mass / 2700.0 / (0.6 * size.x() * size.z()), 0.1 * 0.2);
  const double least = std::max(force / allowed, mass * 2.0 * g * drop / (allowed * allowed));
  const double chosen = kn(fcc());
  CHECK(chosen >= least * (1.0 - 1e-9));
  CHECK(chosen < 2.0 * least);  // rounded up to one digit
  settings.duration = GENERATE(10.0, 1e-3);
  CHECK(kn(fcc()) == chosen);
  // Ten times the density, ten times the stiffness; twice the overlap, a quarter of that by impact.
  settings.density.general = 27000.0;
  CHECK(kn(fcc()) == Approx(10.0 * chosen).epsilon(0.01));
  settings.density.general = 2700.0;
  settings.overlap = 0.05;
  CHECK(kn(fcc()) < 0.11 * chosen);
  // A ball 2 m above a plate: m v² = kn (0.005 d)².
  settings.overlap = 0.005;
  Packing drops = fcc();
  drops.bodies.resize(1);
  addWalls(drops, 1.0);
  const double fall =
      drops.bodies.back().pos.y() - 0.1 - boundingBox(drops).low.y() - mass / 2700.0 / (0.6 * 0.04);
  CHECK(kn(drops) >= mass * 2.0 * g * fall / (allowed * allowed) * (1.0 - 1e-9));
  settings.gravity = Vec3::Zero();
  CHECK(kn(fcc()) == 1e6);
}

TEST_CASE("a stiffness too low for weight or impact, and sizes in millimetres, are reported",
          "[pack][conf]") {
  PackSettings settings;
  const auto warnings = [&](const Packing& a) {
    Diagnostics diagnostics;
    completed(a, settings, diagnostics);
    return diagnostics.warnings().size();
  };
  settings.parameters["knContact"].general = 1e4;
  CHECK(warnings(fcc()) == 1);
  // A ball of m = 11.3 kg falls 2 m: at the overlap of 1 % of 0.2 m, kn = m v² / (2 mm)².
  Packing drops = fcc();
  drops.bodies.resize(1);
  addWalls(drops, 1.0);
  const double mass = 4.0 / 3.0 * pi * 1e-3 * 2700.0;
  const double least = mass * 2.0 * 9.81 * 2.0 / (0.002 * 0.002);
  settings.parameters["knContact"].general = 0.4 * least;  // the fall is somewhat shorter than 2 m
  CHECK(warnings(drops) == 1);
  settings.parameters["knContact"].general = 2.0 * least;
  CHECK(warnings(drops) == 0);
  for (PlacedBody& body : drops.bodies) {
    body.homothety *= 1000.0;
    body.pos *= 1000.0;
  }
  settings = {};
  CHECK(warnings(drops) == 1);
}

TEST_CASE("the step resolves contacts, rolling and bodies on all their contacts", "[pack][conf]") {
  Diagnostics quiet;
  PackSettings settings;
  const double chosen = completed(fcc(), settings, quiet).conf.dt;  // a 25th of a contact
  settings.parameters = {{"krContact", {1e6, {}}}, {"murContact", {0.1, {}}}};
  CHECK(completed(fcc(), settings, quiet).conf.dt < chosen);  // stiffer than the contact
  // Touching cubes have dozens of contacts each, all with the whole stiffness.
  LatticeOptions options;
  options.cells = {3, 3, 3};
  settings.parameters = {{"knContact", {1e6, {}}}};
  const CompletedConf cubes = completed(
      lattice({scenes::box("Cube", 0.1, 0.1, 0.1, 0.01)}, options).packing, settings, quiet);
  const Simulation start(cubes.conf, cubes.shapes, {}, 1, quiet);
  const double critical = criticalStep(start).dt;
  CHECK(critical < 0.5 * 2.0 / pi * shortestContactTime(start));
  CHECK(cubes.conf.dt <= 0.3 * critical * (1.0 + 1e-12));
  CHECK(cubes.conf.dt > 0.9 * pi / 20.0 * critical);
  settings.law = "Avalanches";  // the older spelling
  settings.dt = 1e-4;
  settings.interConf = 0.1;
  const Conf given = completed(fcc(), settings, quiet).conf;
  CHECK(given.forceLaw == "Avalanche");
  CHECK(given.dt == 1e-4);
  CHECK(given.interConf == 0.1);
}

TEST_CASE("settings that make no simulation are refused", "[pack][conf]") {
  PackSettings settings;
  Packing a = fcc();
  SECTION("an unknown law") { settings.law = "Defualt"; }
  SECTION("a restitution above 1") { settings.parameters["en2Contact"].general = 5.0; }
  SECTION("a parameter of another law") { settings.parameters["youngModulus"].general = 1e9; }
  SECTION("a group that no body has") { settings.parameters["muContact"].special = {{1, 4, 0.5}}; }
  SECTION("a free body without volume") { a.shapes[0].volume = 0.0; }
  Diagnostics quiet;
  CHECK_THROWS_AS(completed(a, settings, quiet), Error);
}

TEST_CASE("contact parameters of a material follow Hertz and Mindlin", "[pack][material]") {
  Material m;
  m.young = 50e9;
  m.poisson = 0.25;
  m.size = 0.01;
  m.restitution = 0.5;
  const MaterialParameters p = materialParameters(m);
  // Hertz: F = 4/3 E* sqrt(R*) δ^1.5 for two balls of radius 5 mm, overlapping by 50 micrometres.
  const double modulus = 50e9 / (2.0 * (1.0 - 0.0625)), overlap = 5e-5;
  const double force = 4.0 / 3.0 * modulus * std::sqrt(0.0025) * std::pow(overlap, 1.5);
  CHECK(p.kn * overlap == Approx(force).epsilon(1e-12));
  CHECK(p.kt / p.kn == Approx(1.5 / 1.75).epsilon(1e-12));
  CHECK(springDashpotRestitution(p.en2) == Approx(0.5).epsilon(1e-9));
  const double mass = 2700.0 * pi / 6.0 * 1e-6;
  CHECK(p.dt == Approx(pi * std::sqrt(0.5 * mass / p.kn) / 25.0).epsilon(1e-12));
  m.restitution = 0.05;  // less than a damper that cannot pull reaches
  CHECK(materialParameters(m).en2 == 0.0);
  m.poisson = 0.6;
  CHECK_THROWS_AS(materialParameters(m), UsageError);
}

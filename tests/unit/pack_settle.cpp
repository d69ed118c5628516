// SPDX-License-Identifier: GPL-3.0-or-later
// Packings that settle or are pressed: at rest, under the pressure requested, and without a jolt
// where a run goes on from them.
#include "catch.hpp"
#include "conf_text.hpp"
#include "scenes.hpp"

#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/measure/loads.hpp"
#include "scree/sim/measure/stress.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/container.hpp"
#include "scree/sim/pack/fill.hpp"
#include "scree/sim/pack/settle.hpp"

#include <cmath>
#include <limits>
#include <memory>

using namespace scree;
using namespace scree::sim;

namespace {

struct Case {
  Conf conf;
  std::vector<shape::Shape> shapes;
  Drives drives;

  std::unique_ptr<Simulation> start(int threads = 1) const {
    Diagnostics quiet;
    return std::make_unique<Simulation>(conf, shapes, drives, threads, quiet);
  }
  void drive(const std::string& lines) {
    TextReader in("lines", lines);
    Diagnostics quiet;
    drives = readDriving(in, conf.nDriven, conf.particles.size(), quiet);
  }
};

/// Some balls and boxes of about 0.2 m in a container. @param balls  false: boxes alone
Case caseIn(const std::string& container, int bodies, PackSettings settings = {},
            bool balls = true) {
  std::vector<shape::Shape> shapes{scenes::ball("Ball", 0.1),
                                   scenes::box("Box", 0.12, 0.1, 0.08, 0.03)};
  const Container c = Container::parse(container);
  PlanOptions plan;
  plan.shares = {balls ? 1.0 : 0.0, 1.0};
  ScatterOptions o;
  Packing a;
  a.shapes = shapes;
  a.bodies =
      scatter(shapes, plannedNumber(shapes, plan, static_cast<std::size_t>(bodies)), c, o).bodies;
  c.addWalls(a);
  CompletedConf done = completed(a, settings);
  return {std::move(done.conf), std::move(done.shapes), {}};
}

PackSettings pressed(double pressure) {
  PackSettings settings;
  settings.gravity = Vec3::Zero();
  settings.load.pressure = pressure;
  return settings;
}

double largestAcceleration(const Conf& conf) {
  double most = 0.0;
  for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k)
    most = std::max(most, conf.particles[k].acc.norm());
  return most;
}

SettleOptions untilRest(double longest, const RestRule& rule = {}) {
  SettleOptions o;
  o.longest = longest;
  o.rest = rule;
  return o;
}

/// Load of the high wall along an axis over the area between the others.
double pressureOn(const Simulation& s, int axis) {
  const Conf conf = s.conf();
  const Instant instant(conf, s.shapes());
  const auto domain = wallDomain(instant);
  REQUIRE(domain);
  const Vec3 sides = domain->high - domain->low;
  const WallLoads loads = wallLoads(instant);
  for (const WallFace& face : wallFaces(instant))
    if (face.axis == axis && face.side > 0)
      return loads.driven[face.body].force[axis] / (sides[(axis + 1) % 3] * sides[(axis + 2) % 3]);
  return 0.0;
}

}  // namespace

TEST_CASE("bodies settle until they rest, and a run goes on from there to the bit",
          "[pack][settle]") {
  const std::string container = GENERATE("box:0.8,1.2,0.8", "hopper:0.6,0.2,30,1.6");
  INFO(container);
  // Balls would roll on: nothing resists rolling.
  const Case c = caseIn(container, 24, {}, false);
  auto s = c.start(2);
  const Settled settled = settle(*s, c.drives, untilRest(20.0));
  REQUIRE(settled.atRest);
  CHECK(settled.ratios.unbalanced < 1e-3);
  CHECK(settled.ratios.energy < 1e-3);
  const Overlaps overlaps = overlapsOf(*s);
  CHECK(overlaps.contacts > 20);
  CHECK(overlaps.deep == 0);  // by the stiffness that packgen chose

  // Through the text of a file.
  Conf written = asBeginning(*s);
  written.shapeFile = "case.shp";
  Conf begun = samples::read(confText(written));
  CHECK(begun.t == 0.0);
  CHECK(begun.interactions.size() + begun.boundaryTouches.size() == overlaps.contacts);
  const double before = largestAcceleration(begun);
  Case on = c;
  on.conf = begun;
  const auto run = on.start(3);
  run->step();
  s->step();
  CHECK(run->stateHash() == s->stateHash());
  CHECK(largestAcceleration(run->conf()) == largestAcceleration(s->conf()));
  CHECK(largestAcceleration(run->conf()) < 1.1 * before + 1e-3 * 9.81);
}

TEST_CASE("walls press until the packing carries the pressure", "[pack][settle][compact]") {
  const double pressure = 2e4;
  const std::string axes = GENERATE("xyz", "y");
  INFO(axes);
  Case c = caseIn("box:0.8,0.8,0.8", 36, pressed(pressure));
  c.drive(pressureLines(c.conf, c.shapes, pressure, pressedAxes(axes)));
  const Instant loose(c.conf, c.shapes);
  const Vec3 before = wallDomain(loose)->high - wallDomain(loose)->low;
  auto s = c.start();
  const Settled settled = settle(*s, c.drives, untilRest(60.0, restUnderPressure()));
  REQUIRE(settled.atRest);
  CHECK(settled.imbalance < 0.01);
  const Conf dense = s->conf();
  const Instant instant(dense, s->shapes());
  const Vec3 sides = wallDomain(instant)->high - wallDomain(instant)->low;
  for (int axis = 0; axis < 3; ++axis) {
    if (axes.find("xyz"[axis]) != std::string::npos) {
      CHECK(pressureOn(*s, axis) == Approx(pressure).epsilon(0.01));
      CHECK(sides[axis] < 0.95 * before[axis]);
    } else {
      CHECK(sides[axis] == Approx(before[axis]).epsilon(1e-12));
    }
  }
  CHECK(overlapsOf(*s).deep == 0);
}

TEST_CASE("a periodic cell presses until its stress is the pressure", "[pack][settle][compact]") {
  const double pressure = 2e4;
  const std::string axes = GENERATE("xyz", "y");
  INFO(axes);
  // Pressed along one axis, a cube would become thinner than two bodies.
  const std::string cell = axes == "y" ? "periodic:0.6,1.45,0.6" : "periodic:0.8,0.8,0.8";
  Case c = caseIn(cell, 30, pressed(pressure));
  c.drive(pressureLines(c.conf, c.shapes, pressure, pressedAxes(axes)));
  CHECK(c.conf.cell.mh == 1.0);
  CHECK(c.conf.cell.dh > 0.0);
  const Mat3 before = c.conf.cell.h;
  auto s = c.start();
  const Settled settled = settle(*s, c.drives, untilRest(60.0, restUnderPressure()));
  REQUIRE(settled.atRest);
  for (int axis = 0; axis < 3; ++axis) {
    if (axes.find("xyz"[axis]) != std::string::npos)
      CHECK(s->cellStress()(axis, axis) == Approx(-pressure).epsilon(0.01));
    else
      CHECK(s->cell().h(axis, axis) == before(axis, axis));
  }
  CHECK(overlapsOf(*s).deep == 0);
}

TEST_CASE("the end of a cylinder presses with a constant force", "[pack][settle][compact]") {
  const double pressure = 2e4;
  Case c = caseIn("cylinder:0.45,1", 40, pressed(pressure));
  CHECK_THROWS_AS(pressureLines(c.conf, c.shapes, pressure, pressedAxes("xyz")), ModelError);
  c.drive(pressureLines(c.conf, c.shapes, pressure, pressedAxes("y")));
  REQUIRE(c.drives.controls.size() == 1);
  CHECK(c.drives.controls[0].value.y() == Approx(-pressure * pi * 0.2025));
  auto s = c.start();
  REQUIRE(settle(*s, c.drives, untilRest(60.0, restUnderPressure())).atRest);
  CHECK(overlapsOf(*s).deep == 0);
}

TEST_CASE("soft contacts are stiffened for a pressure, and the step with them",
          "[pack][settle][compact]") {
  PackSettings soft = pressed(0.0);  // made for nothing: kn 1e6
  Case c = caseIn("box:1,1,1", 20, soft);
  const double dt = c.conf.dt, kn = c.conf.lawParameter("knContact", 1, 1);
  CHECK(stiffen(c.conf, c.shapes, 100.0, 0.005).empty());
  CHECK(stiffen(c.conf, c.shapes, 1e6, 0.005).size() == 1);
  const double factor = c.conf.lawParameter("knContact", 1, 1) / kn;
  CHECK(factor > 10.0);
  CHECK(c.conf.lawParameter("ktContact", 1, 1) == Approx(0.8 * kn * factor));
  CHECK(c.conf.dt <= dt / std::sqrt(factor));
  CHECK(c.conf.dt > 0.9 * dt / std::sqrt(factor));
  CHECK(stiffnessFactor(c.conf, 0.04, 0.01) == 4.0);
  soft.law = "HertzMindlin";  // δ ~ (F / E)^(2/3)
  CHECK(stiffnessFactor(caseIn("box:1,1,1", 20, soft).conf, 0.04, 0.01) == 8.0);
}

TEST_CASE("a pressed packing takes contact parameters for the test that follows",
          "[pack][settle][compact]") {
  Case c = caseIn("box:1,1,1", 4);
  const double unchanged = std::numeric_limits<double>::quiet_NaN();
  changeContacts(c.conf, {{"muContact", {unchanged, {{1, 1, 0.25}}}}, {"en2Contact", {0.3, {}}}});
  CHECK(c.conf.lawParameter("muContact", 1, 1) == 0.25);
  CHECK(c.conf.lawParameter("muContact", 0, 1) == 0.5);
  CHECK(c.conf.lawParameter("en2Contact", 0, 1) == 0.3);
  CHECK_THROWS_AS(changeContacts(c.conf, {{"muContact", {unchanged, {{1, 7, 0.2}}}}}), UsageError);
  CHECK_THROWS_AS(changeContacts(c.conf, {{"en2Contact", {2.0, {}}}}), UsageError);
}

TEST_CASE("drives follow the command line", "[pack][drive]") {
  const DrivePlan triaxial = DrivePlan::parse("triaxial:2e4,0.5,0.2");
  CHECK(triaxial.pressure == 2e4);
  CHECK(*triaxial.rate == 0.5);
  CHECK(triaxial.strain == 0.2);
  CHECK(DrivePlan::parse("isotropic").pressure == 1e4);
  CHECK(*DrivePlan::parse("drum:-2").spin == -2.0);
  for (const char* text : {"triaxal", "isotropic:-1", "isotropic:1,2", "drum:", "vibration:nan,2",
                           "triaxial:1e4,0.1,1"})
    CHECK_THROWS_AS(DrivePlan::parse(text), UsageError);
  CHECK(DrivePlan::parse("shear:1e4,0.1,2").strain == 2.0);
  CHECK(pressedAxes("zx") == PressedAxes{true, false, true});
  CHECK_THROWS_AS(pressedAxes("xx"), UsageError);
  CHECK_THROWS_AS(pressedAxes(""), UsageError);
  // The largest stress of a triaxial test, at a friction angle of 37 degrees.
  Case box = caseIn("box:1,1,1", 10);
  CHECK(driveLoad(DrivePlan::parse("triaxial:1e3"), box.conf, box.shapes).pressure == 4e3);
  CHECK(driveLoad(DrivePlan::parse("isotropic:1e3"), box.conf, box.shapes).pressure == 1e3);
  CHECK_THROWS_AS(driveFiles(DrivePlan::parse("drum:1"), box.conf, box.shapes, false), ModelError);
  Case open = caseIn("sphere:0.6", 10);
  for (const char* name : {"isotropic", "triaxial", "oedometer", "shear", "vibration"})
    CHECK_THROWS_AS(driveFiles(DrivePlan::parse(name), open.conf, open.shapes, false), ModelError);
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Packings that settle or are pressed: at rest, under the pressure requested, and without a jolt
// where a run goes on from them.
#include "catch.hpp"
#include "conf_text.hpp"
#include "scenes.hpp"

#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/io/conf_file.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/container.hpp"
#include "scree/sim/pack/fill.hpp"
#include "scree/sim/pack/settle.hpp"

#include <cmath>
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
};

/// Some balls and boxes of about 0.2 m in a container. @param balls  false: boxes alone
Case caseIn(const std::string& container, int bodies, PackSettings settings = {},
            bool balls = true) {
  std::vector<shape::Shape> shapes{scenes::ball("Ball", 0.1),
                                   scenes::box("Box", 0.12, 0.1, 0.08, 0.03)};
  const Container c = Container::parse(container);
  PlanOptions plan;
  plan.shares = {balls ? 1.0 : 0.0, 1.0};
  PlaceOptions o;
  Packing a;
  a.shapes = shapes;
  a.bodies =
      scatter(shapes, plannedNumber(shapes, plan, static_cast<std::size_t>(bodies)), c, o).bodies;
  c.addWalls(a);
  Diagnostics quiet;
  CompletedConf done = completed(a, settings, quiet);
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

}  // namespace

TEST_CASE("bodies settle until they rest, and a run goes on from there to the bit",
          "[pack][settle]") {
  const std::string container = GENERATE("box:0.8,1.2,0.8", "hopper:0.6,0.2,30,1.6");
  INFO(container);
  // Balls would roll on: nothing resists rolling.
  const Case c = caseIn(container, 24, {}, false);
  auto s = c.start(2);
  const Settled settled =
      settle(*s, c.drives, {.longest = 20.0, .rest = RestRule(), .progress = {}});
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

TEST_CASE("soft contacts are stiffened for a pressure, and the step with them",
          "[pack][settle][compact]") {
  PackSettings soft = pressed(0.0);  // made for nothing: kn 1e6
  Case c = caseIn("box:1,1,1", 20, soft);
  const double dt = c.conf.dt, kn = c.conf.lawParameter("knContact", 1, 1);
  CHECK(stiffen(c.conf, c.shapes, 100.0, 0.005).empty());
  CHECK_FALSE(stiffen(c.conf, c.shapes, 1e6, 0.005).empty());
  const double factor = c.conf.lawParameter("knContact", 1, 1) / kn;
  CHECK(factor > 10.0);
  CHECK(c.conf.lawParameter("ktContact", 1, 1) == Approx(0.8 * kn * factor));
  CHECK(c.conf.dt <= dt / std::sqrt(factor));
  CHECK(c.conf.dt > 0.9 * dt / std::sqrt(factor));
  CHECK(stiffenFor(c.conf, 0.04, 0.01) == 4.0);
  soft.law = "HertzMindlin";  // δ ~ (F / E)^(2/3)
  Case hertz = caseIn("box:1,1,1", 20, soft);
  CHECK(stiffenFor(hertz.conf, 0.04, 0.01) == 8.0);
}

TEST_CASE("a pressed packing takes contact parameters for the test that follows",
          "[pack][settle][compact]") {
  Case c = caseIn("box:1,1,1", 4);
  changeContacts(c.conf, {{"muContact", {{}, {{1, 1, 0.25}}}}, {"en2Contact", {0.3, {}}}});
  CHECK(c.conf.lawParameter("muContact", 1, 1) == 0.25);
  CHECK(c.conf.lawParameter("muContact", 0, 1) == 0.5);
  CHECK(c.conf.lawParameter("en2Contact", 0, 1) == 0.3);
  CHECK_THROWS_AS(changeContacts(c.conf, {{"muContact", {{}, {{1, 7, 0.2}}}}}), UsageError);
  CHECK_THROWS_AS(changeContacts(c.conf, {{"en2Contact", {2.0, {}}}}), UsageError);
}

TEST_CASE("drives follow the command line", "[pack][drive]") {
  const DrivePlan triaxial = DrivePlan::parse("triaxial:2e4,0.5,0.2");
  CHECK(triaxial.pressure == 2e4);
  CHECK(*triaxial.rate == 0.5);
  CHECK(triaxial.strain == 0.2);
  CHECK(*DrivePlan::parse("drum:-2").spin == -2.0);
  CHECK(DrivePlan::parse("shear:1e4,0.1,2").strain == 2.0);
  for (const char* text : {"triaxal", "isotropic:-1", "isotropic:1,2"})
    CHECK_THROWS_AS(DrivePlan::parse(text), UsageError);
  CHECK(pressedAxes("zx") == PressedAxes{true, false, true});
  // The largest stress of a triaxial test, at a friction angle of 37 degrees.
  Case box = caseIn("box:1,1,1", 10), open = caseIn("sphere:0.6", 10);
  CHECK(driveLoad(DrivePlan::parse("triaxial:1e3"), box.conf, box.shapes).pressure == 4e3);
  CHECK_THROWS_AS(driveFiles(DrivePlan::parse("drum:1"), box.conf, box.shapes, false), ModelError);
  CHECK_THROWS_AS(pressureLines(open.conf, open.shapes, 1.0, pressedAxes("y")), ModelError);
}

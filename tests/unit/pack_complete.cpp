// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "conf_text.hpp"
#include "folder.hpp"
#include "scenes.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/obb.hpp"
#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/pack/body_plan.hpp"
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

/// A tetrahedron with corners at the origin and 2 along each axis, as OFF: volume 8/6.
const std::string tetrahedron =
    "OFF\n4 4 0\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n"
    "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

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
  // 0.8 kn, also of a pair with its own kn where another pair has its own kt.
  settings.parameters["knContact"].special = {{0, 1, 1e7}};
  settings.parameters["ktContact"].special = {{1, 1, 5e5}};
  const Conf own = completed(a, settings, quiet).conf;
  CHECK(own.lawParameter("ktContact", 0, 1) == Approx(8e6));
  CHECK(own.lawParameter("ktContact", 1, 1) == 5e5);
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

TEST_CASE("containers have the volumes of their formulas, and random points find them",
          "[pack][container]") {
  struct Case {
    std::string text;
    double volume;
  };
  const testing::Folder folder;
  const double cone = 1.5 / std::tan(pi / 6.0);
  const std::vector<Case> cases{
      {"box:1,2,3", 6.0},
      {"periodic:2,2,2", 8.0},
      {"cylinder:2,3", 12.0 * pi},
      {"drum:1,4", 4.0 * pi},
      {"sphere:1.5", 4.5 * pi},
      {"hopper:2,0.5,30,5", pi * (cone / 3.0 * (4.0 + 1.0 + 0.25) + (5.0 - cone) * 4.0)},
      {"mesh:" + folder.write("tetrahedron.off", tetrahedron), 8.0 / 6.0},
      // Two of them, which have one of side 1 in common.
      {"mesh:" + folder.write("crossed.off",
                              "OFF\n8 8 0\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n0.5 0.25 0.25\n"
                              "2.5 0.25 0.25\n0.5 2.25 0.25\n0.5 0.25 2.25\n"
                              "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
                              "3 4 6 5\n3 4 5 7\n3 4 7 6\n3 5 6 7\n"),
       15.0 / 6.0},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    const Container container = Container::parse(c.text);
    CHECK(container.volume() == Approx(c.volume).epsilon(1e-12));
    // The share of the box that is inside, within four standard errors.
    Rng rng(7);
    const Vec3 size = container.box().high - container.box().low;
    const int n = 40000;
    int inside = 0;
    for (int k = 0; k < n; ++k) {
      const Vec3 x = container.box().low +
                     Vec3(rng.uniform(), rng.uniform(), rng.uniform()).cwiseProduct(size);
      inside += container.depth(x) > 0.0;
    }
    const double share = c.volume / size.prod();
    CHECK(std::abs(inside / double(n) - share) <=
          4.0 * std::sqrt(share * (1.0 - share) / n) + 1e-12);
    for (int k = 0; k < 1000; ++k) CHECK(container.depth(container.randomPoint(rng)) > 0.0);
  }
}

TEST_CASE("the depth of a point is the distance to the wall", "[pack][container]") {
  CHECK(Container::parse("box:2,2,2").depth({0.3, 1.0, 1.0}) == Approx(0.3));
  CHECK(Container::parse("cylinder:1,4").depth({0.6, 2.0, 0.0}) == Approx(0.4));
  CHECK(Container::parse("drum:1,4").depth({0.0, 0.0, 0.25}) == Approx(0.25));
  CHECK(Container::parse("sphere:2").depth({0.0, 1.5, 0.0}) == Approx(0.5));
  CHECK(Container::parse("sphere:2").depth({0.0, 2.5, 0.0}) == Approx(-0.5));
  // In the cone of a hopper: radius 1 + y at 45 degrees.
  CHECK(Container::parse("hopper:3,1,45,8").depth({1.5, 1.0, 0.0}) == Approx(0.5 / std::sqrt(2.0)));
  const testing::Folder folder;
  const Container mesh = Container::parse("mesh:" + folder.write("tetrahedron.off", tetrahedron));
  CHECK(mesh.depth({0.1, 0.4, 0.4}) == Approx(0.1));
  CHECK(mesh.depth({2.0, 2.0, 2.0}) == Approx(-4.0 / std::sqrt(3.0)));
  CHECK(mesh.depth({-0.2, 0.3, 0.3}) == Approx(-0.2));
}

TEST_CASE("a realised grading is off the target by the share of the largest body at most",
          "[pack][grading]") {
  static const testing::Folder folder;  // Catch enters this test for each value generated
  static const std::string table =
      folder.write("grading.csv", "d,passing\n0.5,0\n1,20\n2,35\n4,80\n8,100\n");
  static const std::string begun = folder.write("begun.csv", "d,passing\n0.5,20\n1,60\n2,100\n");
  const std::string text =
      GENERATE_COPY(std::string("uniform:1,4"), std::string("lognormal:1,0.6"),
                    std::string("fuller:0.5,16,0.5"), std::string("beta:1,10,2,3"), table, begun);
  const Measure measure = GENERATE(Measure::number, Measure::mass);
  const std::size_t n = GENERATE(std::size_t{300}, std::size_t{5000});
  CAPTURE(text, n, measure == Measure::mass);
  const SizeGrading grading = SizeGrading::parse(text);
  const std::vector<double> sizes = grading.sizes(measure, n);
  REQUIRE(sizes.size() == n);
  CHECK(std::is_sorted(sizes.rbegin(), sizes.rend()));
  const shape::Shape ball = scenes::ball("Ball", 0.5);
  PlanOptions plan;
  plan.grading = grading;
  plan.gradingBy = measure;
  std::vector<PlannedBody> bodies;
  for (const double d : sizes) bodies.push_back({0, d});
  const RealisedGrading made = realisedGrading({ball}, plan, bodies);
  CHECK(made.distance <= 2.0 * made.halfLargest);
  for (const double f : {0.001, 0.1, 0.5, 0.9, 0.999})
    CHECK(grading.cumulated(grading.quantile(f)) == Approx(f).margin(1e-6));
}

TEST_CASE("quantiles of gradings have their closed forms, bad ones and containers are refused",
          "[pack][grading]") {
  CHECK(SizeGrading::parse("uniform:1,3").quantile(0.25) == Approx(1.5));
  CHECK(SizeGrading::parse("fuller:1,9,0.5").quantile(0.5) == Approx(4.0));
  // The normal distribution reaches 0.841344746 one standard deviation above its median.
  CHECK(SizeGrading::parse("lognormal:2,0.5").quantile(0.8413447460685429) ==
        Approx(2.0 * std::exp(0.5)).epsilon(1e-6));
  CHECK(SizeGrading::parse("lognormal:2,0.5").quantile(1.3498980316301e-3) ==
        Approx(2.0 * std::exp(-1.5)).epsilon(1e-6));
  // Beta with P = Q = 2: F = 3 x² - 2 x³.
  CHECK(SizeGrading::parse("beta:1,2,2,2").cumulated(1.25) == Approx(0.15625).margin(1e-6));
  CHECK_THROWS_AS(SizeGrading::parse("uniform:3,1"), UsageError);
  for (const char* text : {"box:1,1", "box:1,-1,1", "hopper:1,2,30,5"})
    CHECK_THROWS_AS(Container::parse(text), UsageError);
}

TEST_CASE("sieve curves are read from the largest or the smallest sieve on, above 0 or not",
          "[pack][grading]") {
  const testing::Folder folder;
  const auto grading = [&](const std::string& rows) {
    return SizeGrading::parse(folder.write("curve.csv", "d,passing\n" + rows));
  };
  const SizeGrading rising = grading("0.1,5\n0.2,30\n0.3,90\n0.35,100\n"),
                    falling = grading("0.35,1\n0.3,0.9\n0.2,0.3\n0.1,0.05\n");
  for (const double f : {0.0, 0.03, 0.05, 0.1, 0.3, 0.77, 1.0})
    CHECK(rising.quantile(f) == Approx(falling.quantile(f)).epsilon(1e-12));
  // 5 % pass the smallest sieve: they have its size.
  CHECK(rising.quantile(0.02) == Approx(0.1));
  CHECK(rising.quantile(0.6) == Approx(0.25));
  CHECK(rising.cumulated(0.1) == Approx(0.05));
  CHECK(rising.cumulated(0.0999) == 0.0);
  CHECK_THROWS_WITH(grading("0.1,5\n0.2,30\n0.15,90\n"), Catch::Contains("curve.csv:4:1"));
  CHECK_THROWS_WITH(grading("0.1,5\n0.2,3\n0.3,100\n"), Catch::Contains("curve.csv:3:1"));
  CHECK_THROWS_AS(grading("0.1,5\n0.2,30\n"), ParseError);
}

TEST_CASE("bodies sized by sieve pass square openings of that size", "[pack][grading]") {
  // A box passes lengthwise: 2 x 1 x 0.8 by its middle side, a plate 2 x 1 x 0.1 by its diagonal.
  CHECK(shape::sieveOpening({2.0, 0.8, 1.0}) == 1.0);
  CHECK(shape::sieveOpening({0.1, 1.0, 2.0}) == Approx(1.1 / std::sqrt(2.0)));
  shape::Shape box = shape::makeBox({2.0, 1.0, 0.8}, 0.05);
  mass::survey(box);
  PlanOptions plan;
  plan.grading = SizeGrading::parse("uniform:0.5,1.5");
  plan.bySieve = true;
  const auto bodies = plannedVolume({box}, plan, 400.0 * box.volume);
  const RealisedGrading made = realisedGrading({box}, plan, bodies);
  CHECK(made.distance <= 2.0 * made.halfLargest);
  CHECK(bodies.front().homothety == Approx(1.5).epsilon(0.01));
  CHECK(solidVolume({box}, bodies) == Approx(400.0 * box.volume).epsilon(0.01));
  // Flat bodies hold less volume for the same opening.
  shape::Shape plate = shape::makeBox({2.0, 1.0, 0.2}, 0.05);
  mass::survey(plate);
  for (const Measure shareBy : {Measure::mass, Measure::number}) {
    plan.shareBy = shareBy;
    std::array<double, 2> volume{}, count{};
    for (const PlannedBody& b : plannedVolume({box, plate}, plan, 800.0 * box.volume)) {
      const double h = b.homothety;
      volume[b.shape] += h * h * h * (b.shape == 0 ? box : plate).volume;
      ++count[b.shape];
    }
    CHECK(volume[0] + volume[1] == Approx(800.0 * box.volume).epsilon(0.01));
    const std::array<double, 2>& shared = shareBy == Measure::mass ? volume : count;
    CHECK(shared[0] == Approx(shared[1]).epsilon(0.01));
  }
}

TEST_CASE("a grading for a volume has the number of bodies that comes nearest", "[pack][grading]") {
  const SizeGrading grading = SizeGrading::parse("fuller:0.1,1,0.5");
  for (const Measure measure : {Measure::mass, Measure::number}) {
    double volume = 0.0;
    for (const double d : grading.sizesOfVolume(measure, 25.0)) volume += pi / 6.0 * d * d * d;
    CHECK(volume == Approx(25.0).epsilon(2e-3));
  }
}

TEST_CASE("mixtures have their shares by number, and by volume", "[pack][plan]") {
  const std::vector<shape::Shape> shapes{scenes::ball("Small", 0.5), scenes::ball("Large", 1.0)};
  PlanOptions options;
  options.shares = {3.0, 1.0};
  std::array<double, 2> count{};
  for (const PlannedBody& b : plannedNumber(shapes, options, 1000)) ++count[b.shape];
  CHECK(count[0] == 750.0);
  options.shareBy = Measure::mass;  // 3 : 1 in volume is 24 : 1 in number
  count = {};
  for (const PlannedBody& b : plannedNumber(shapes, options, 1000)) ++count[b.shape];
  CHECK(count[0] == 960.0);
  const auto plan = plannedVolume(shapes, options, 1000.0);
  CHECK(std::abs(solidVolume(shapes, plan) - 1000.0) <= 0.5 * shapes[1].volume);
  CHECK(plan.front().shape == 1);  // the largest first
  options.shares = {0.0, 0.0};
  CHECK_THROWS_AS(plannedNumber(shapes, options, 10), ModelError);
  options.shares = {-1.0, 2.0};
  CHECK_THROWS_AS(plannedNumber(shapes, options, 10), ModelError);
}

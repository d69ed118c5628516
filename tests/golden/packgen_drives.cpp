// SPDX-License-Identifier: GPL-3.0-or-later
// Each drive that packgen writes runs under --strict and reaches what it was requested for; each
// law runs with the parameters that packgen gives it.
#include "tool_test.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/shape_file.hpp"

namespace {

struct Bench : Folder {
  Bench() {
    std::vector<shape::Shape> shapes{shape::makeSphere(0.2),
                                     shape::makeBox({0.2, 0.16, 0.14}, 0.03)};
    shapes[0].name = "Ball";
    shapes[1].name = "Brick";
    for (shape::Shape& s : shapes) mass::survey(s);
    write("shapes.shp", shape::shapesText(shapes));
  }
  Outcome must(const std::string& command) const { return mustRun(*this, command); }
  void scatter(const std::string& options, const std::string& name = "loose") const {
    must("packgen scatter --shapes shapes.shp" + options + " -q --force -o " + name + "/conf0");
  }
  /// Compacts, and runs the drive of the result.
  void drive(const std::string& options) const {
    must("packgen compact loose/conf0 -q -o t/conf0 --pressure " + options);
    must("rockable t/conf0 --check --strict");
    must("rockable t/conf0 --strict -q -o run");
  }
};

}  // namespace

TEST_CASE("a triaxial test holds its pressure and strains at its rate",
          "[golden][packgen][drive]") {
  const Bench bench;
  SECTION("in a periodic cell, under the pressure of the packing") {
    bench.scatter(" --container periodic:0.95,0.95,0.95 --number 40 --mu 0.4");
    bench.drive("2e4 --drive triaxial:,0.03,0.03");
    CHECK(bench.has("t/dataExtractors.txt"));
    CHECK(columnOf(bench, "macro run", "eyy").back() == Approx(0.03).epsilon(1e-2));
    const double sides =
        columnOf(bench, "macro run", "sxx").back() + columnOf(bench, "macro run", "szz").back();
    CHECK(0.5 * sides == Approx(2e4).epsilon(0.1));
    CHECK(columnOf(bench, "macro run", "syy").back() > 1.5 * 2e4);  // friction holds it
  }
  SECTION("between walls") {
    // Rolling resistance ends the spin of a ball about its contact with a smooth wall.
    bench.scatter(
        ":Ball --container box:0.95,0.95,0.95 --number 52 --gravity 0 0 0 --mu 0.4 --mu 0,1=0 "
        "--kr 100 --mur 0.02");
    bench.drive("2e4 --drive triaxial:2e4,0.03,0.02");
    // A wall keeps its velocity.
    CHECK(columnOf(bench, "macro run", "eyy").back() == Approx(-std::log(1 - 0.02)).epsilon(1e-2));
  }
  SECTION("between smooth walls, few bodies across") {
    bench.must(
        "packgen fill --shapes shapes.shp:Brick --container box:0.75,0.75,0.75 --solid-fraction "
        "0.4 --gravity 0 0 0 --mu 0,1=0 --seed 4 -q -o loose/conf0");
    bench.drive("1e4 --drive triaxial:1e4");
    CHECK(parseJson(bench.read("run/run.json")).at("quality").at("largestOverlap") < 0.01);
  }
}

TEST_CASE("isotropic, oedometric and sheared samples reach what was requested",
          "[golden][packgen][drive]") {
  const Bench bench;
  SECTION("isotropic, after a change of the pressure") {
    bench.scatter(" --container box:0.95,0.95,0.95 --number 50 --gravity 0 0 0 --mu 0,1=0");
    bench.drive("1e4 --drive isotropic:2e4 --duration 0.5");
    for (const double pressure : columnOf(bench, "walls t/conf0", "pressure"))
      CHECK(pressure == Approx(1e4).epsilon(0.02));
    CHECK(columnOf(bench, "macro run", "p").back() == Approx(2e4).epsilon(0.05));
  }
  SECTION("oedometer in a cylinder") {
    bench.scatter(" --container cylinder:0.45,1 --number 40 --gravity 0 0 0");
    bench.drive("2e4 --axes y --drive oedometer:2e4 --duration 0.1");
    CHECK(std::abs(columnOf(bench, "walls run/conf50", "fy").at(1)) ==
          Approx(2e4 * pi * 0.2025).epsilon(0.02));
  }
  SECTION("shear") {
    bench.scatter(" --container periodic:0.85,0.85,0.85 --number 36");
    bench.drive("2e4 --drive shear:2e4,0.1,0.1");
    // Half the angle 0.1.
    CHECK(std::abs(columnOf(bench, "macro run", "exy").back()) == Approx(0.05).epsilon(0.1));
    CHECK(columnOf(bench, "macro run", "syy").back() == Approx(2e4).epsilon(0.1));
  }
}

TEST_CASE("walls that press on all sides have no friction unless it is given",
          "[golden][packgen][drive]") {
  const Bench bench;
  const auto muOfWalls = [&](const std::string& drive) {
    bench.scatter(" --container box:1,1,1 --number 20 --mu 0.3 --gravity 0 0 0 --drive " + drive);
    const std::string text = bench.read("loose/conf0");
    return std::stod(text.substr(text.find("muContact 0 1 ") + 14));
  };
  CHECK(muOfWalls("isotropic") == 0.0);
  CHECK(muOfWalls("isotropic --mu 1,0=0.2") == 0.2);
  CHECK(muOfWalls("oedometer") == 0.3);
}

TEST_CASE("a drum turns and a box vibrates as requested", "[golden][packgen][drive]") {
  const Bench bench;
  SECTION("a drum: wall and ends turn") {
    bench.scatter(" --container drum:0.6,0.6 --number 25 --drive drum:1.5 --duration 0.2", "t");
    CHECK_THAT(bench.read("t/conf0"), Contains("#scree boundaryMotion 0 0 0 0 0 0 1.5"));
    CHECK_THAT(bench.read("t/drivingSystem.txt"), Contains("Control _zrot_Vel_ 1 1.5"));
    bench.must("rockable t/conf0 --strict -q -o run");
    CHECK(columnOf(bench, "bodies run/conf50 --driven", "wz").at(0) == Approx(1.5));
  }
  SECTION("a box that shakes") {
    bench.scatter(
        " --container box:1,1,1 --number 20 --drive vibration:0.01,10 --duration 0.125 "
        "--interconf 0.025",
        "t");
    bench.must("rockable t/conf0 --strict -q -o run");
    const std::string wall = "bodies run --driven --select 'id == 2'";  // y-
    const auto t = columnOf(bench, wall, "t"), y = columnOf(bench, wall, "y");
    for (std::size_t k = 0; k < t.size(); ++k)
      CHECK(y[k] - y[0] == Approx(0.01 * std::sin(2 * pi * 10 * t[k])).margin(1e-6));
  }
}

TEST_CASE("every law runs with the parameters that packgen gives it", "[golden][packgen][laws]") {
  const Bench bench;
  const json listed = jsonOf(bench, "rockable --list laws --json");
  for (const json& law : listed.at("laws")) {
    const std::string name = law.at("name");
    INFO(name);
    bench.scatter(" --container box:1,1,1 --number 25 --law " + name, name);
    bench.must("rockable " + name + "/conf0 --check --strict");
    bench.must("rockable " + name + "/conf0 --steps 2000 --strict -q -o run-" + name);
    const json quality = parseJson(bench.read("run-" + name + "/run.json"));
    CHECK(quality.at("quality").at("largestOverlap") < 0.01);
  }
  bench.scatter(" --container box:1,1,1 --number 5 --law HertzMindlin --young 5e7 --young 0=1e8");
  CHECK_THAT(bench.read("loose/conf0"), Contains("youngModulus 0 1e+08"));
  bench.scatter(" --container box:1,1,1 --number 5 --law StickedLinks --bond fn0InnerBond:1,1=900");
  CHECK_THAT(bench.read("loose/conf0"), Contains("fn0InnerBond 1 1 900"));
}

TEST_CASE("settle writes what rockable goes on from, and nothing where bodies do not rest",
          "[golden][packgen][settle]") {
  const Bench bench;
  bench.scatter(":Brick --container box:0.8,1.2,0.8 --number 24");
  expect(bench, "packgen settle loose/conf0 --until-rest --until 0.05 -q -o e/conf0", 3);
  CHECK_FALSE(bench.has("e"));
  const json report =
      jsonOf(bench, "packgen settle loose/conf0 --until-rest --json -q -o heap/conf3");
  CHECK(report.at("atRest") == true);
  CHECK(report.at("overlap") < 0.01);
  bench.must("rockable heap/conf3 --check --strict");
  bench.must("rockable heap/conf3 --steps 1000 --strict -q -o run");
}

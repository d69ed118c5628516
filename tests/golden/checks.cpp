// SPDX-License-Identifier: GPL-3.0-or-later
// What tools find out about their input before they work on it.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include "scree/sim/io/conf_file.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

namespace {

const std::string ballShape = R"(<
name Ball
radius 0.5
preCompDone y
volume 0.5235987755982988
I/m 0.1 0.1 0.1
obb.extent 0.5 0.5 0.5
obb.e1 1 0 0
obb.e2 0 1 0
obb.e3 0 0 1
obb.center 0 0 0
position 0 0 0
orientation 1 0 0 0
nv 1
0 0 0
ne 0
nf 0
>
)";

/// A sloping square, 20 by 20 about the origin, `rise` higher at x = 10 than at x = -10; up is y.
std::string slopeShape(double rise) {
  const std::string y = std::to_string(0.5 * rise);
  return "<\nname Slope\nradius 0.05\nisSurface\npreCompDone y\nvolume 1\nI/m 1 1 1\n"
         "obb.extent 10 10 10\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\nobb.center 0 0 0\n"
         "position 0 0 0\norientation 1 0 0 0\nnv 4\n-10 -" +
         y + " -10\n10 " + y + " -10\n10 " + y + " 10\n-10 -" + y +
         " 10\nne 4\n0 1\n1 2\n2 3\n3 0\nnf 1\n4 0 1 2 3\n>\n";
}

/// A cube with a skeleton of half side 0.45.
const std::string boxShape =
    "<\nname Box\nradius 0.05\npreCompDone y\nvolume 0.99\nI/m 0.16 0.16 0.16\n"
    "obb.extent 0.5 0.5 0.5\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\n"
    "obb.center 0 0 0\nposition 0 0 0\norientation 1 0 0 0\nnv 8\n"
    "-0.45 -0.45 -0.45\n-0.45 0.45 -0.45\n-0.45 0.45 0.45\n-0.45 -0.45 0.45\n"
    "0.45 -0.45 -0.45\n0.45 0.45 -0.45\n0.45 0.45 0.45\n0.45 -0.45 0.45\n"
    "ne 12\n0 1\n1 2\n2 3\n3 0\n4 5\n5 6\n6 7\n7 4\n0 4\n1 5\n2 6\n3 7\nnf 6\n"
    "4 0 1 2 3\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n>\n";

/// Lines of a conf-file that a test changes; the rest is sound.
struct Case {
  std::string dt = "1e-4", gravity = "0 -9.81 0",
              mu = "muContact 0 0 0.5\nmuContact 0 1 0.5\n"
                   "muContact 1 1 0.5\n";
  std::string en2 = "0.1", kn = "1e6";
  std::string particles;  ///< with their count in front
  int driven = 0;
};

std::string body(const std::string& shape, int group, const std::string& pos,
                 const std::string& vel = "0 0 0") {
  return shape + " " + std::to_string(group) + " 0 1 " + pos + " " + vel +
         " 0 0 0 1 0 0 0 0 0 0 0 0 0\n";
}

void write(const Folder& folder, const Case& c) {
  folder.write("shapes.shp", ballShape + slopeShape(4.0));
  std::string law;
  for (const std::string pair : {"0 0", "0 1", "1 1"})
    law += "knContact " + pair + " " + c.kn + "\nen2Contact " + pair + " " + c.en2 +
           "\nktContact " + pair + " 1e6\nkrContact " + pair + " 0\nmurContact " + pair + " 0\n";
  folder.write("case.conf", "Rockable 21-08-2022\nt 0\ntmax 0.01\ndt " + c.dt +
                                "\ninterVerlet 1e-3\ninterConf 0.01\nDVerlet 0.1\ndVerlet 0.05\n"
                                "gravity " +
                                c.gravity + "\nforceLaw Default\ndensity 0 1000\ndensity 1 1000\n" +
                                law + c.mu + "iconf 0\nnDriven " + std::to_string(c.driven) +
                                "\nshapeFile shapes.shp\nParticles " + c.particles);
}

const std::string twoApart = "2\n" + body("Ball", 1, "0 0 0") + body("Ball", 1, "3 0 0");

/// Both `rockable` and `rockable --check` find it before they do anything.
/// @param ofRun  exit code of the run
void checkWarns(const Folder& folder, const std::vector<std::string>& parts, int ofRun = 0) {
  for (const std::string mode : {"--check", "-o out --force"}) {
    INFO(mode);
    const Outcome outcome = run(folder, "rockable case.conf " + mode);
    CHECK(outcome.code == (mode == "--check" ? 0 : ofRun));
    for (const std::string& part : parts) CHECK_THAT(outcome.err, Contains(part));
    CHECK(run(folder, "rockable case.conf --strict " + mode).code == 3);
  }
  CHECK_FALSE(folder.has("out/conf0.tmp"));
}

void checkSilent(const Folder& folder) {
  const Outcome outcome = run(folder, "rockable case.conf --check --strict");
  CHECK(outcome.code == 0);
  CHECK_THAT(outcome.err, !Contains("warning"));
}

}  // namespace

TEST_CASE("a case without a mistake brings no warning", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.particles = twoApart;
  write(folder, c);
  checkSilent(folder);
}

TEST_CASE("a body of infinite mass is refused at its line", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.particles = twoApart;
  // The volume is 0.52: of the second the mass is finite, but not the moments, 0.1 m h².
  for (const char* homothety : {"1e200", "1e100", "1e62"}) {
    write(folder, c);
    folder.write("case.conf", with(folder.read("case.conf"), "Ball 1 0 1 3",
                                   "Ball 1 0 " + std::string(homothety) + " 3"));
    for (const char* mode : {"--check", "-o out"}) {
      const Outcome refused = run(folder, std::string("rockable case.conf ") + mode);
      INFO(homothety << " " << mode << "\n" << refused.err);
      CHECK(refused.code == 3);
      CHECK_THAT(refused.err, Contains("rockable: error: case.conf:") &&
                                  Contains("body 1 has an infinite mass or moment of inertia") &&
                                  Contains("homothety 1e+") && Contains("density 1000"));
      CHECK_FALSE(folder.has("out"));
    }
  }
}

TEST_CASE("a test run of --check that fails is a warning", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.particles = "1\n" + with(body("Ball", 1, "0 0 0"), "0 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0",
                             "0 0 0 0 0 0 0 0 0 1 0 0 0 1e160 0 0");
  write(folder, c);
  const Outcome lax = run(folder, "rockable case.conf --check --json");
  INFO(lax.err);
  CHECK(lax.code == 0);
  const std::string failure = parseJson(lax.out)["failure"];
  CHECK_THAT(failure, Contains("body 0 (Ball) has a NaN or infinite state"));
  CHECK_THAT(lax.err, Contains("warning: case.conf: a test run has failed: " + failure));
  const Outcome strict = run(folder, "rockable case.conf --check --strict --json -q");
  CHECK(strict.code == 3);
  CHECK(parseJson(strict.out)["failure"] == failure);
  CHECK_THAT(strict.err, Contains("error: case.conf: a test run has failed: " + failure));
}

TEST_CASE("deep overlaps at the start are reported", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.gravity = "0 0 0";
  // 1 - 0.13 of the diameter 1.
  c.particles = "2\n" + body("Ball", 1, "0 0 0") + body("Ball", 1, "0.13 0 0");
  write(folder, c);
  checkWarns(folder, {"bodies 0 and 1 overlap by 0.87 at the start, 87 %"});
  // Balls in one place.
  c.particles = "2\n" + body("Ball", 1, "1 0.5 0.5") + body("Ball", 1, "1 0.5 0.5");
  write(folder, c);
  CHECK_THAT(run(folder, "rockable case.conf -o out3").err,
             Contains("overlap by 1 ") && Contains("largest overlap 100 % of a size"));
}

TEST_CASE("bodies that pass through each other at the start are reported", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.driven = 1;
  const auto at = [&](const std::string& ground, const std::string& y) {
    c.particles = "2\n" + ground + body("Box", 1, "0.3 " + y + " 0.2");
    write(folder, c);
    std::string shapes = folder.read("shapes.shp") + slopeShape(0.0);
    shapes.replace(shapes.rfind("name Slope"), 10, "name Plate");
    shapes += boxShape;
    folder.write("shapes.shp", shapes);
  };
  // Lower corners at -0.235; 0.1 of rounding.
  const std::string plate = body("Plate", 0, "0 0 0");
  at(plate, "0.215");
  checkWarns(folder, {"case.conf:", "bodies 0 and 1 pass through each other at the start"});
  at(plate, "0.555");
  checkSilent(folder);
  // An edge of a driven wall goes through a face of the box.
  at("Plate 0 0 1 10.2 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n", "0.1");
  CHECK_THAT(run(folder, "rockable case.conf --check").err, Contains("pass through each other"));
  // A ball has no edge, and skeletons that only touch pass through nothing.
  at(plate, "0.45");
  CHECK_THAT(run(folder, "rockable case.conf --check").err, !Contains("pass through"));
}

TEST_CASE("a time step that is too long for contacts or bonds is reported", "[golden][checks]") {
  const Folder folder;
  Case c;
  // Two balls of 523.6 kg: contact π √(m/(2 kn)) = 0.05083 s.
  c.dt = "0.3";
  c.particles = twoApart;
  write(folder, c);
  checkWarns(folder, {"dt = 0.3 gives 0.17 steps to the shortest contact of 0.05083"});
  c.dt = "0.01";
  write(folder, c);
  checkWarns(folder, {"dt = 0.01 gives 5.1 steps to the shortest contact of 0.05083"});
  c.dt = "0.005";
  write(folder, c);
  checkSilent(folder);
  c.particles = "2\n" + body("Ball", 1, "0 0 0") + body("Ball", 1, "1 0 0") +
                "stickVerticesInClusters 0.01\n";
  write(folder, c);
  folder.write("case.conf", with(folder.read("case.conf"), "forceLaw Default",
                                 "forceLaw StickedLinks\nknInnerBond 1 1 4e6"));
  checkWarns(folder, {"dt = 0.005 gives 5.1 steps to the shortest period of a bond of 0.02541"});
}

TEST_CASE("friction that no line gives is reported", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.mu = "";
  c.particles = twoApart;
  write(folder, c);
  checkWarns(folder, {"no muContact for groups 1-1"});
  c.mu = "muContact 1 1 0\n";
  write(folder, c);
  checkSilent(folder);
}

TEST_CASE("a parameter that changes no force is reported", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.particles = twoApart;
  write(folder, c);
  const std::string sound = folder.read("case.conf");
  const auto of = [&](const std::string& what, const std::string& by) {
    folder.write("case.conf", with(sound, what, by));
  };
  // Rolling resistance needs its spring and its bound; friction needs its spring.
  of("murContact 1 1 0", "murContact 1 1 0.1");
  checkWarns(folder, {"case.conf:17:", "murContact has no effect for groups 1-1: krContact is 0"});
  of("krContact 1 1 0", "krContact 1 1 5");
  checkWarns(folder, {"krContact has no effect for groups 1-1: murContact is 0"});
  of("krContact 1 1 0\nmurContact 1 1 0", "krContact 1 1 5\nmurContact 1 1 0.1");
  checkSilent(folder);
  of("ktContact 1 1 1e6\n", "");
  checkWarns(folder, {"muContact has no effect for groups 1-1: ktContact is 0"});
  of("muContact 1 1 0.5", "muContact 1 1 0");
  checkSilent(folder);  // bodies without friction
  of("ktContact 1 1 1e6\n", "Tempo Inter ktContact 1 1 Ramp 0 1 1e6 1e5\n");
  checkSilent(folder);
  // Parameters of another law, and of bonds.
  of("forceLaw Default", "forceLaw GeoVisc");
  checkWarns(folder, {"ktContact has no effect for groups 0-0: law GeoVisc does not use",
                      "muContact has no effect for groups 0-0: viscTContact is 0"});
  of("forceLaw Default", "forceLaw HertzMindlin\nyoungModulus 1 1e7\npoissonRatio 1 0.3");
  checkWarns(folder, {"knContact has no effect for groups 1-1: law HertzMindlin does not use it"});
  of("forceLaw Default", "forceLaw StickedLinks\nmom0InnerBond 1 1 9");
  checkWarns(folder, {"mom0InnerBond has no effect for groups 1-1: krInnerBond is 0"});
  // A file may hold the strengths of bonds for several laws.
  of("forceLaw Default", "forceLaw StickedLinks\ngcInnerBond 1 1 9");
  checkSilent(folder);
  of("forceLaw Default", "youngModulus 1 1e9\nforceLaw Default");
  checkWarns(folder, {"youngModulus has no effect: law Default does not use it"});
}

TEST_CASE("packgen reports what has no effect, and each law what packgen writes has one",
          "[golden][checks]") {
  const Folder folder;
  folder.write("shapes.shp", ballShape);
  const std::string lattice =
      "packgen lattice --shape shapes.shp:Ball --cells 2 1 1 -q --force -o p/conf0 --law ";
  const Outcome idle = run(folder, lattice + "Avalanche --mur 0.1");
  CHECK(idle.code == 0);
  CHECK_THAT(idle.err, Contains("murContact has no effect for groups 1-1: krContact is 0"));
  CHECK(run(folder, lattice + "Avalanche --mur 0.1 --strict").code == 3);
  for (const char* law :
       {"Default", "Avalanche", "StickedLinks", "BCM", "GeoVisc", "HertzMindlin"}) {
    const Outcome made = run(folder, lattice + law);
    INFO(law << "\n" << made.err);
    CHECK(made.code == 0);
    CHECK(made.err.empty());
    CHECK(run(folder, "rockable p/conf0 --check --strict").code == 0);
  }
}

TEST_CASE("a stiffness of 0 is reported where it stands", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.particles = twoApart;
  write(folder, c);
  const std::string sound = folder.read("case.conf");
  folder.write("case.conf", with(sound, "knContact 1 1 1e6", "knContact 1 1 0"));
  checkWarns(folder, {"case.conf:23:15: knContact 1 1 is 0: bodies of these groups pass"});
  folder.write("case.conf", with(sound, "knContact 1 1 1e6\n", ""));
  checkWarns(folder, {"case.conf: no knContact for groups 1-1: bodies of these groups pass"});
}

TEST_CASE("a restitution outside 0 to 1 is refused, and warns with --compat rockable",
          "[golden][checks]") {
  const Folder folder;
  Case c;
  c.particles = twoApart;
  for (const std::string en2 : {"3", "-0.5"}) {
    c.en2 = en2;
    write(folder, c);
    for (const std::string mode : {"--check", "-o out --force"}) {
      const Outcome refused = run(folder, "rockable case.conf " + mode);
      CHECK(refused.code == 3);
      CHECK_THAT(refused.err, Contains("case.conf:") &&
                                  Contains("en2Contact 0 0: expected 0 to 1") &&
                                  Contains("found " + en2));
      const Outcome compat = run(folder, "rockable case.conf --compat rockable " + mode);
      CHECK(compat.code == 0);
      CHECK_THAT(compat.err, Contains("warning:") && Contains("expected 0 to 1"));
      CHECK(run(folder, "rockable case.conf --compat rockable --strict " + mode).code == 3);
    }
  }
}

TEST_CASE("a time step that is lost in the last digit of the time is refused", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.particles = twoApart;
  write(folder, c);
  const std::string sound = folder.read("case.conf");
  folder.write("case.conf", with(with(sound, "t 0\n", "t 1e308\n"), "tmax 0.01", "tmax 1.1e308"));
  const Outcome late = run(folder, "rockable case.conf --check");
  CHECK(late.code == 3);
  CHECK_THAT(late.err,
             Contains("case.conf:4:1: dt = 0.0001 is lost in the last digit of t = 1e+308"));
  folder.write("case.conf", with(sound, "dt 1e-4", "dt 1e-300"));
  const Outcome small = run(folder, "rockable case.conf --check");
  CHECK(small.code == 0);
  CHECK_THAT(small.err, Contains("lost in the last digit of t = 0.01"));
  CHECK(run(folder, "rockable case.conf --check --strict").code == 3);
}

TEST_CASE("with --compat rockable bonds get the strengths that libstdc++ draws",
          "[golden][checks]") {
  const Folder folder;
  Case c;
  c.gravity = "0 0 0";
  c.particles = "4\n" + body("Ball", 1, "0 0 0") + body("Ball", 1, "1 0 0") +
                body("Ball", 1, "2 0 0") + body("Ball", 1, "3 0 0") +
                "stickVerticesInClusters 0.01\nsetVariableStickParams fn0 inner 80 9 7\n";
  write(folder, c);
  folder.write("case.conf", with(folder.read("case.conf"), "forceLaw Default",
                                 "forceLaw StickedLinks\nknInnerBond 1 1 1e6\nktInnerBond 1 1 1e6\n"
                                 "ft0InnerBond 1 1 1e6\npowInnerBond 1 1 2\nprecision 17"));
  const auto strengths = [&](const std::string& options) {
    const Outcome made = run(folder, "rockable case.conf --steps 0 -q --force -o out " + options);
    INFO(made.err);
    REQUIRE(made.code == 0);
    Diagnostics quiet;
    std::vector<double> values;
    for (const auto& face : sim::readConfFromFile(folder.path("out/conf0"), quiet).interfaces)
      values.push_back(face.params.value().fn0);
    return values;
  };
  // By hand: minstd_rand0 of [rand.predef], generate_canonical of two of its numbers, and the
  // inverse of Weibull's distribution.
  std::uint64_t state = 7;
  const auto next = [&state] { return state = state * 16807 % 2147483647; };
  std::vector<double> expected;
  for (int k = 0; k < 3; ++k) {
    constexpr double range = 2147483646.0;
    const double low = static_cast<double>(next() - 1), high = static_cast<double>(next() - 1);
    expected.push_back(
        80.0 * std::pow(-std::log(1.0 - (low + high * range) / (range * range)), 1.0 / 9.0));
  }
  const std::vector<double> drawn = strengths("--compat rockable --seed 0");
  REQUIRE(drawn.size() == 3);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(std::abs(drawn[k] - expected[k]) <=
          0x1p-50 * expected[k]);  // four units in the last place
  CHECK(strengths("--seed 0") != drawn);
}

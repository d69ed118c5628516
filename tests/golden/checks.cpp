// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of tools about their input before they work on it.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"
#include "run_cases.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/io/conf_file.hpp"

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

TEST_CASE("lines of a sound case that make no sense are reported, or refused", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.particles = twoApart;
  write(folder, c);
  const std::string sound = folder.read("case.conf");
  struct Edit {
    std::string from, to;
    std::vector<std::string> says;  ///< none: nothing is said
    int code = 0;                   ///< of --check
  };
  const std::string mur = "murContact 1 1 0", kr = "krContact 1 1 0", law = "forceLaw Default";
  const std::vector<Edit> edits{
      // Two balls of 523.6 kg: contact π √(m/(2 kn)) = 0.05083 s, critical 2/π of it = 0.03236 s.
      {"dt 1e-4", "dt 0.3", {"dt = 0.3 is 9.27 times the critical time step 0.03236"}},
      // Below it, bounces still gain energy.
      {"dt 1e-4", "dt 0.01", {"dt = 0.01 gives 5.1 steps to the shortest contact of 0.05083"}},
      {"dt 1e-4", "dt 0.005", {}},
      {c.mu, "", {"no muContact for groups 1-1"}},
      {c.mu, "muContact 1 1 0\n", {}},  // bodies without friction
      // Rolling resistance needs its spring and its bound; friction needs its spring.
      {mur,
       mur + ".1",
       {"case.conf:17:", "murContact has no effect for groups 1-1: krContact is 0"}},
      {kr, "krContact 1 1 5", {"krContact has no effect for groups 1-1: murContact is 0"}},
      {kr + "\n" + mur, "krContact 1 1 5\nmurContact 1 1 0.1", {}},
      {"ktContact 1 1 1e6\n", "", {"muContact has no effect for groups 1-1: ktContact is 0"}},
      {"ktContact 1 1 1e6\n", "Tempo Inter ktContact 1 1 Ramp 0 1 1e6 1e5\n", {}},
      // Parameters of another law, and of bonds.
      {law,
       "forceLaw GeoVisc",
       {"ktContact has no effect for groups 0-0: law GeoVisc does not use",
        "muContact has no effect for groups 0-0: viscTContact is 0"}},
      {law,
       "forceLaw HertzMindlin\nyoungModulus 1 1e7\npoissonRatio 1 0.3",
       {"knContact has no effect for groups 1-1: law HertzMindlin does not use it"}},
      {law,
       "forceLaw StickedLinks\nmom0InnerBond 1 1 9",
       {"mom0InnerBond has no effect for groups 1-1: krInnerBond is 0"}},
      {law,
       law + "\nVelocityBarrierExponent 2",
       {"VelocityBarrierExponent has no effect: VelocityBarrier is 0"}},
      {law, law + "\nVelocityBarrier 9\nVelocityBarrierExponent 2", {}},
      // A file may hold the strengths of bonds for several laws.
      {law, "forceLaw StickedLinks\ngcInnerBond 1 1 9", {}},
      {"knContact 1 1 1e6", "knContact 1 1 0", {"case.conf:23:15: knContact 1 1 is 0: bodies"}},
      {"knContact 1 1 1e6\n", "", {"case.conf: knContact 1 1 is missing"}},
      // Refused. The volume is 0.52: of 1e100 the mass is finite, but not the moments, 0.1 m h².
      {"Ball 1 0 1 3", "Ball 1 0 1e200 3", {"case.conf:", "body 1 has an infinite mass"}, 3},
      {"Ball 1 0 1 3", "Ball 1 0 1e100 3", {"case.conf:", "body 1 has an infinite mass"}, 3},
      {"en2Contact 0 0 0.1", "en2Contact 0 0 3", {"en2Contact 0 0: expected 0 to 1"}, 3},
      {"en2Contact 0 0 0.1", "en2Contact 0 0 -1", {"en2Contact 0 0: expected 0 to 1"}, 3}};
  for (const Edit& edit : edits) {
    INFO(edit.from << " -> " << edit.to);
    folder.write("case.conf", with(sound, edit.from, edit.to));
    const Outcome check = run(folder, "rockable case.conf --check");
    CHECK(check.code == edit.code);
    for (const std::string& part : edit.says) CHECK_THAT(check.err, Contains(part));
    if (edit.says.empty()) CHECK_THAT(check.err, !Contains("warning"));
    CHECK(run(folder, "rockable case.conf --check --strict").code == (edit.says.empty() ? 0 : 3));
    if (edit.code > 0) CHECK(run(folder, "rockable case.conf -o out").code == edit.code);
    CHECK_FALSE(folder.has("out"));
  }
  const Outcome compat = run(folder, "rockable case.conf --compat rockable --check");
  CHECK(compat.code == 0);
  CHECK_THAT(compat.err, Contains("warning:") && Contains("expected 0 to 1"));
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
  CHECK_THAT(run(folder, lattice + "Default --kn 1e6 --overlap 0.01").err,
             Contains("--overlap has no effect: --kn is given"));
  for (const char* law :
       {"Default", "Avalanche", "StickedLinks", "BCM", "GeoVisc", "HertzMindlin"}) {
    const Outcome made = run(folder, lattice + law);
    INFO(law << "\n" << made.err);
    CHECK(made.code == 0);
    CHECK(made.err.empty());
    CHECK(run(folder, "rockable p/conf0 --check --strict").code == 0);
  }
}

TEST_CASE("the critical time step counts all contacts of a body", "[golden][checks]") {
  const Folder folder;
  REQUIRE(run(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp").code == 0);
  folder.write("s1.csv", "shape,x,y,z,driven,group\nBox,0,0,0,1,0\nBox,0.2,1.0,0,0,1\n");
  REQUIRE(run(folder,
              "packgen from s1.csv --shapes box.shp --duration 0.2 --interconf 0.05 "
              "--dt 0.005 -q -o d1/conf0")
              .code == 0);
  const Outcome strict = run(folder, "rockable d1/conf0 --check --strict");
  CHECK(strict.code == 3);
  CHECK_THAT(strict.err,
             Contains("d1/conf0:6:1: dt = 0.005 is 3.29 times the critical time step 0.001522 of "
                      "body 1 with contacts: 4"));
  const auto check = parseJson(run(folder, "rockable d1/conf0 --check --json").out);
  CHECK(check["criticalBody"] == 1);
  CHECK(check["dtOverCritical"].get<double>() == Approx(3.2852).epsilon(1e-3));
  folder.write("d1/conf1", with(folder.read("d1/conf0"), "dt 0.005", "dt 0.001"));
  CHECK(run(folder, "rockable d1/conf1 --check --strict").code == 0);
  // --compat rockable has no contacts before its first step, but the bodies stand as they do.
  CHECK_THAT(run(folder, "rockable d1/conf0 --check --compat rockable").err,
             Contains("the critical time step 0.001522 of body 1 "));
}

TEST_CASE("bodies that nothing can catch are reported before they fall", "[golden][checks]") {
  const Folder folder;
  Case c;
  c.driven = 1;
  const auto with = [&](const std::string& gravity, const std::string& pos,
                        const std::string& vel = "0 0 0") {
    c.gravity = gravity;
    c.particles = "2\n" + body("Slope", 0, "0 0 0") + body("Ball", 1, pos, vel);
    write(folder, c);
  };
  // Above the slope all is well, also in touch, with the lowest point below the slope.
  with("0 -9.81 0", "5 8 0");
  checkSilent(folder);
  with("0 -9.81 0", "5 1.6 0");
  CHECK_THAT(run(folder, "rockable case.conf --check").err, !Contains("for ever"));
  // Below all of it, along another axis of gravity, beside it.
  for (const auto& [gravity, pos] :
       {std::pair("0 -9.81 0", "0 -7 0"), std::pair("0 0 -9.81", "0 8 0"),
        std::pair("0 -9.81 0", "-13 8 0")}) {
    with(gravity, pos);
    checkWarns(folder, {"body 1 falls for ever"}, 3);
  }
  with("0 -9.81 0", "-13 8 0", "4 0 0");  // thrown at it
  checkSilent(folder);
  // Held by a body that has something below; and where nothing is driven, a fall is free.
  c.particles = "3\n" + body("Slope", 0, "0 0 0") + body("Ball", 1, "-10 8 0") +
                body("Ball", 1, "-10.999 8 0");
  write(folder, c);
  checkSilent(folder);
  c.driven = 0;
  c.particles = twoApart;
  write(folder, c);
  checkSilent(folder);
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
  const std::vector<double> drawn = strengths("--compat rockable --seed 0");
  REQUIRE(drawn.size() == 3);
  LibstdcxxRng rng(7);
  for (const double strength : drawn) CHECK(strength == rng.weibull(9.0, 80.0));
  CHECK(strengths("--seed 0") != drawn);
}

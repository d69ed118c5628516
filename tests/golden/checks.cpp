// SPDX-License-Identifier: GPL-3.0-or-later
// Findings of tools about their input before they work on it; messages and refusals about sizes,
// masses and units; commands of the cases from the field, whose right values stand in the README of
// that folder.
#include "tool_test.hpp"

#include "scree/base/rng.hpp"

namespace {

/// A shape whose box has half sides `half`. @param skeleton  from nv on
std::string shapeText(const std::string& head, const std::string& half,
                      const std::string& skeleton) {
  return "<\nname " + head + "\npreCompDone y\nobb.extent " + half +
         "\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\nobb.center 0 0 0\nposition 0 0 0\n"
         "orientation 1 0 0 0\n" +
         skeleton + ">\n";
}

const std::string ballShape =
    shapeText("Ball\nradius 0.5\nvolume 0.5235987755982988\nI/m 0.1 0.1 0.1", "0.5 0.5 0.5",
              "nv 1\n0 0 0\nne 0\nnf 0\n");

/// A sloping square, 20 by 20 about the origin, `rise` higher at x = 10 than at x = -10; up is y.
std::string slopeShape(double rise) {
  return shapeText("Slope\nradius 0.05\nisSurface\nvolume 1\nI/m 1 1 1", "10 10 10",
                   fmt::format("nv 4\n-10 {0} -10\n10 {1} -10\n10 {1} 10\n-10 {0} 10\n"
                               "ne 4\n0 1\n1 2\n2 3\n3 0\nnf 1\n4 0 1 2 3\n",
                               -0.5 * rise, 0.5 * rise));
}

const std::string mu = "muContact 0 0 0.5\nmuContact 0 1 0.5\nmuContact 1 1 0.5\n";

std::string body(const std::string& shape, int group, const std::string& pos,
                 const std::string& vel = "0 0 0") {
  return shape + " " + std::to_string(group) + " 0 1 " + pos + " " + vel +
         " 0 0 0 1 0 0 0 0 0 0 0 0 0\n";
}

/// Writes a sound case of these bodies.
void write(const Folder& folder, const std::vector<std::string>& bodies, int driven = 0,
           const std::string& gravity = "0 -9.81 0") {
  folder.write("shapes.shp", ballShape + slopeShape(4.0));
  std::string law;
  for (const char* pair : {"0 0", "0 1", "1 1"})
    law += fmt::format(
        "knContact {0} 1e6\nen2Contact {0} 0.1\nktContact {0} 1e6\n"
        "krContact {0} 0\nmurContact {0} 0\n",
        pair);
  folder.write("case.conf",
               fmt::format("Rockable 21-08-2022\nt 0\ntmax 0.01\ndt 1e-4\ninterVerlet 1e-3\n"
                           "interConf 0.01\nDVerlet 0.1\ndVerlet 0.05\ngravity {}\n"
                           "forceLaw Default\ndensity 0 1000\ndensity 1 1000\n{}{}iconf 0\n"
                           "nDriven {}\nshapeFile shapes.shp\nParticles {}\n{}",
                           gravity, law, mu, driven, bodies.size(), fmt::join(bodies, "")));
}

const std::vector<std::string> twoApart{body("Ball", 1, "0 0 0"), body("Ball", 1, "3 0 0")};

/// Both `rockable` and `rockable --check` find it before they do anything.
/// @param ofRun  exit code of the run
void checkWarns(const Folder& folder, const std::vector<std::string>& parts, int ofRun = 0) {
  for (const std::string mode : {"--check", "-o out --force"}) {
    expect(folder, "rockable case.conf " + mode, mode == "--check" ? 0 : ofRun, parts);
    expect(folder, "rockable case.conf --strict " + mode, 3);
  }
}

void checkSilent(const Folder& folder) {
  CHECK_THAT(expect(folder, "rockable case.conf --check --strict", 0).err, !Contains("warning"));
}

}  // namespace

TEST_CASE("a test run of --check that fails is a warning", "[golden][checks]") {
  const Folder folder;
  write(folder, {with(body("Ball", 1, "0 0 0"), "0 0 0 1 0 0 0 0", "0 0 0 1 0 0 0 1e160")});
  const Outcome lax = expect(folder, "rockable case.conf --check --json", 0);
  const std::string failure = parseJson(lax.out)["failure"];
  CHECK_THAT(failure, Contains("body 0 (Ball) has a NaN or infinite state"));
  CHECK_THAT(lax.err, Contains("warning: case.conf: a test run has failed: " + failure));
  const Outcome strict = expect(folder, "rockable case.conf --check --strict --json -q", 3);
  CHECK(parseJson(strict.out)["failure"] == failure);
  CHECK_THAT(strict.err, Contains("error: case.conf: a test run has failed: " + failure));
}

TEST_CASE("deep overlaps at the start are reported", "[golden][checks]") {
  const Folder folder;
  // 1 - 0.13 of the diameter 1.
  write(folder, {body("Ball", 1, "0 0 0"), body("Ball", 1, "0.13 0 0")}, 0, "0 0 0");
  checkWarns(folder, {"bodies 0 and 1 overlap by 0.87 at the start, 87 %"});
  // Balls in one place.
  write(folder, {body("Ball", 1, "1 0.5 0.5"), body("Ball", 1, "1 0.5 0.5")}, 0, "0 0 0");
  expect(folder, "rockable case.conf -o out3", 0,
         {"overlap by 1 ", "largest overlap 100 % of a size"});
}

TEST_CASE("lines of a sound case that make no sense are reported, or refused", "[golden][checks]") {
  const Folder folder;
  write(folder, twoApart);
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
      {mu, "", {"no muContact for groups 1-1"}},
      {mu, "muContact 1 1 0\n", {}},  // bodies without friction
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
    const Outcome check = expect(folder, "rockable case.conf --check", edit.code, edit.says);
    if (edit.says.empty()) CHECK_THAT(check.err, !Contains("warning"));
    expect(folder, "rockable case.conf --check --strict", edit.says.empty() ? 0 : 3);
    if (edit.code > 0) expect(folder, "rockable case.conf -o out", edit.code);
    CHECK_FALSE(folder.has("out"));
  }
  expect(folder, "rockable case.conf --compat rockable --check", 0,
         {"warning:", "expected 0 to 1"});
}

TEST_CASE("packgen reports what has no effect, and each law what packgen writes has one",
          "[golden][checks]") {
  const Folder folder;
  folder.write("shapes.shp", ballShape);
  const std::string lattice =
      "packgen lattice --shape shapes.shp:Ball --cells 2 1 1 -q --force -o p/conf0 --law ";
  expect(folder, lattice + "Avalanche --mur 0.1", 0,
         {"murContact has no effect for groups 1-1: krContact is 0"});
  expect(folder, lattice + "Avalanche --mur 0.1 --strict", 3);
  expect(folder, lattice + "Default --kn 1e6 --overlap 0.01", 0,
         {"--overlap has no effect: --kn is given"});
  for (const char* law :
       {"Default", "Avalanche", "StickedLinks", "BCM", "GeoVisc", "HertzMindlin"}) {
    CHECK(expect(folder, lattice + law, 0).err.empty());
    expect(folder, "rockable p/conf0 --check --strict", 0);
  }
}

TEST_CASE("bodies that nothing can catch are reported before they fall", "[golden][checks]") {
  const Folder folder;
  const auto with = [&](const std::string& gravity, const std::string& pos,
                        const std::string& vel = "0 0 0") {
    write(folder, {body("Slope", 0, "0 0 0"), body("Ball", 1, pos, vel)}, 1, gravity);
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
  write(folder,
        {body("Slope", 0, "0 0 0"), body("Ball", 1, "-10 8 0"), body("Ball", 1, "-10.999 8 0")}, 1);
  checkSilent(folder);
  write(folder, twoApart);
  checkSilent(folder);
}

TEST_CASE("with --compat rockable bonds get the strengths that libstdc++ draws",
          "[golden][checks]") {
  const Folder folder;
  std::vector<std::string> bodies;
  for (const char* x : {"0", "1", "2", "3"})
    bodies.push_back(body("Ball", 1, x + std::string(" 0 0")));
  bodies.back() += "stickVerticesInClusters 0.01\nsetVariableStickParams fn0 inner 80 9 7\n";
  write(folder, bodies, 0, "0 0 0");
  folder.write("case.conf", with(folder.read("case.conf"), "forceLaw Default",
                                 "forceLaw StickedLinks\nknInnerBond 1 1 1e6\nktInnerBond 1 1 1e6\n"
                                 "ft0InnerBond 1 1 1e6\npowInnerBond 1 1 2\nprecision 17"));
  const auto strengths = [&](const std::string& options) {
    mustRun(folder, "rockable case.conf --steps 0 -q --force -o out " + options);
    std::vector<double> values;
    for (const auto& face : confAt(folder.path("out/conf0")).interfaces)
      values.push_back(face.params.value().fn0);
    return values;
  };
  const std::vector<double> drawn = strengths("--compat rockable --seed 0");
  REQUIRE(drawn.size() == 3);
  LibstdcxxRng rng(7);
  for (const double strength : drawn) CHECK(strength == rng.weibull(9.0, 80.0));
  CHECK(strengths("--seed 0") != drawn);
}

TEST_CASE("a lattice of bodies that overlap is refused, unless they may", "[golden][checks]") {
  const Folder folder;
  mustRun(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp");
  const std::string half = "packgen lattice --shape box.shp --cells 3 3 3 --spacing 0.5 ";
  // 27 cubes of edge 1, rounded by 0.1, on 1.5³: 8 times the volume of a cube.
  expect(folder, half + "-o a/conf0", 3,
         {"--spacing 0.5", "solid fraction 7.80", "--allow-overlap"});
  CHECK_FALSE(folder.has("a/conf0"));

  expect(folder, half + "--allow-overlap -o b/conf0", 0, {"warning:"});
  CHECK(folder.has("b/conf0"));

  // Less than the volume of the cells, and yet too near: two corners of bcc cubes.
  expect(folder,
         "packgen lattice --shape box.shp --type bcc --cells 2 2 2 --spacing 1.2 -o c/conf0", 3,
         {"--allow-overlap"});
  // Boxes that touch face to face do not overlap, although their balls do.
  expect(folder, "packgen lattice --shape box.shp --cells 2 2 2 --spacing 1 -o d/conf0", 0);
}

TEST_CASE("info and import print the size of a mesh", "[golden][checks]") {
  const Folder folder;
  // A tetrahedron with legs 2, 3 and 4: volume 2·3·4/6, centre a quarter along each.
  const std::string body =
      "v 1 1 1\nv 3 1 1\nv 1 4 1\nv 1 1 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  folder.write("rock.obj", body);
  const Outcome info = expect(folder, "shapeSurvey info rock.obj --density 2700", 0);
  const std::string high = "bounds high           3 4 5\n", mass = "mass                  10800\n";
  CHECK_THAT(info.out, Contains(high) && Contains(mass) && Contains("volume                4\n") &&
                           Contains("unit of the file"));
  const auto json = jsonOf(folder, "shapeSurvey info rock.obj --density 2700 --json")["shapes"][0];
  CHECK(json["bounds"]["high"] == nlohmann::json({3.0, 4.0, 5.0}));
  CHECK(json["mass"].get<double>() == Approx(10800.0).epsilon(1e-12));
  CHECK(json["centre"][2].get<double>() == Approx(2.0).epsilon(1e-12));
  mustRun(folder, "shapeSurvey import rock.obj --radius 0 -q -o rock.shp");

  // Without one of its faces the body has no volume that is known.
  folder.write("open rock.obj", with(body, "f 2 3 4\n", ""));
  const std::string infoOpen = "shapeSurvey info 'open rock.obj'";
  const Outcome open = expect(folder, infoOpen + " --density 2700", 0);
  CHECK_THAT(open.out, Contains("the mesh is open (3 edges without a second face)\n") &&
                           !Contains("\nvolume ") && Contains("area "));
  expect(folder, infoOpen + " --density 2700 --strict", 3);
  expect(folder, infoOpen + " --strict", 0);
  const auto unknown = jsonOf(folder, infoOpen + " --density 2700 --json")["shapes"][0];
  for (const char* const key :
       {"mass", "volume", "centre", "inertiaTensorPerMass", "inertiaPerMass"}) {
    INFO(key);
    CHECK(unknown[key].is_null());
  }
  CHECK(unknown["openEdges"] == 3);
  CHECK(json["openEdges"].is_null());

  expect(folder, "shapeSurvey import rock.obj --radius 0.25 --scale 10 -o big.shp", 0,
         {"box: 2 x 3 x 4 in the unit of the mesh", "rounding included: 20.5 x 30.5 x 40.5"});

  // A density in g/cm³ warns in each command that takes a density.
  for (const std::string command :
       {"shapeSurvey info rock.obj --density 2.7",
        "shapeSurvey import rock.obj --radius 0.1 --mass 5000 --density 2.7",
        "packgen lattice --shape rock.shp --density 2.7 -o pack/conf0"}) {
    expect(folder, command, 0, {"warning: --density 2.7"});
    expect(folder, command + " --strict --force", 3);
    // The range in which nothing is said: 100 to 25,000.
    for (const std::string density : {"99", "100", "25000", "25001"}) {
      const Outcome at = expect(folder, with(command, "2.7", density) + " --force", 0);
      CHECK((at.err.find("warning: --density " + density) != std::string::npos) ==
            (density == "99" || density == "25001"));
    }
  }
}

TEST_CASE("commands of the field end with the right code and say what was found", "[field][data]") {
  const std::string stone =
      "shapes/P3-four-column-template-becomes-loose-spheres-without-a-word/stone1.multisphere";
  if (publicData("field/" + stone).empty()) return;
  const char* tables = "shapes/P4-tables-with-other-headers";
  const char* chair =
      "shapes/W8-body-of-zero-volume-gets-volume-9e-28-with-a-false-bound-after-a-minute";
  const char* templates = "shapes/P3-four-column-template-becomes-loose-spheres-without-a-word";
  const char* grading = "runs/13_grading_csv_message";
  const std::string scatter =
      "shapeSurvey make box --size 1 -o \"$OUT/b.shp\" && packgen scatter --shapes \"$OUT/b.shp\" "
      "--container box:3,3,3 --number 40 -o \"$OUT/a/conf0\" ";
  struct Row {
    std::string folder, command;
    int code;
    std::string says;  ///< a passage of the results or messages
  };
  for (const Row& row : std::vector<Row>{
           {"shapes/P2-suggested-command-is-cut", "clumpify mass a-table*.csv --json", 0,
            "7.0685834"},  // two balls of radius 1, their centres 1 apart: 9/4 pi
           {templates, "clumpify mass stone1.multisphere --json", 0, "18406.00"},
           {templates, "clumpify convert two.txt --to shapepack -o -", 0, "0 Sphere 0 0 1 1"},
           {templates, "clumpify convert two.csv --to shapepack -o -", 0, "0 Sphere 0 0 1 1"},
           {tables, "clumpify convert upper.csv --to shapepack -o -", 0, "0 Sphere 0 0 0 1"},
           {tables, "clumpify convert no-header.csv --to shapepack -o -", 0, "0 Sphere 0 0 1 1"},
           {tables, "clumpify convert radius.csv --to shapepack -o -", 0, "0 Sphere 0 0 0 1"},
           {tables, "clumpify convert extra.csv --to shapepack -o -", 0, "mat"},
           {tables, "clumpify convert count-first.txt --to shapepack -o -", 3, "x y z r"},
           {"shapes/P6-vtk-file-read-as-obj", "shapeSurvey import p.vtk --radius 0 -o -", 3, "VTK"},
           {chair, "shapeSurvey info chair_model.obj", 0, "no volume"},
           {grading, scatter + "--grading g.csv", 0, ""},
           {grading, scatter + "--grading g2.csv", 0, ""}}) {
    CAPTURE(row.folder, row.command);
    const Folder out;
    const std::string data = publicData(std::string("field/") + row.folder);
    const Outcome outcome =
        expect(out, "export OUT=\"$PWD\" && cd '" + data + "' && " + row.command, row.code);
    CHECK((outcome.out + outcome.err).find(row.says) != std::string::npos);
  }
}

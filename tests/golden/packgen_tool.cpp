// SPDX-License-Identifier: GPL-3.0-or-later
// packgen as users run it: what it makes can be run, and what cannot be made is refused.
#include "tool_test.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/shape_file.hpp"

namespace {

/// Folder with a ball, a brick and a rock in shapes.shp, the ball alone, and the mesh of a cube.
struct ShapesFolder : Folder {
  ShapesFolder() {
    std::vector<shape::Shape> shapes{shape::makeSphere(1.0), shape::makeBox({1.0, 0.7, 0.5}, 0.05),
                                     shape::makeBoulder(12, {1.0, 0.9, 0.8}, 0.02, 2)};
    const std::vector<std::string> names{"Ball", "Brick", "Rock"};
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      shapes[k].name = names[k];
      mass::survey(shapes[k]);
    }
    write("shapes.shp", shape::shapesText(shapes));
    write("ball.shp", shape::shapesText({shapes[0]}));
    write("cube.off",
          "OFF\n8 6 0\n0 0 0\n5 0 0\n5 5 0\n0 5 0\n0 0 5\n5 0 5\n5 5 5\n0 5 5\n"
          "4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n");
  }
};

}  // namespace

TEST_CASE("what packgen makes passes --check --strict and runs a thousand steps under --strict",
          "[golden][packgen]") {
  const ShapesFolder folder;
  folder.write("poses.csv", "shape,x,y,z\nBrick,0,2,0\nRock,3,2,0\nBall,0,5,0\n");
  const std::string command =
      GENERATE(as<std::string>(),
               "lattice --shape shapes.shp --spacing 1.6 --cells 3 3 3 --jitter 0.9 --walls",
               "from poses.csv --shapes shapes.shp --walls 0.5",
               "scatter --shapes shapes.shp --container periodic:6,6,6 --number 60",
               "scatter --shapes shapes.shp:Rock --container cylinder:3,6 --solid-fraction 0.15 "
               "--grading fuller:0.3,1,0.5",
               "fill --shapes shapes.shp:Brick=1 --shapes shapes.shp:Rock=3 --share-by volume "
               "--container drum:3,5 --number 80",
               "fill --shapes shapes.shp --container hopper:3,1,30,8 --solid-fraction 0.4",
               "fill --shapes shapes.shp --container mesh:cube.off --solid-fraction 0.35",
               "fill --shapes ball.shp --container periodic:6,6,6 --jammed");
  INFO(command);
  const json made = jsonOf(folder, "packgen " + command + " --json -o made/conf0");
  CHECK(made.at("schema") == 1);
  const json state = jsonOf(folder, "rockable made/conf0 --check --strict --json");
  CHECK(state.at("deepOverlaps") == 0);
  CHECK(state.at("bodiesInsideOthers") == 0);
  mustRun(folder, "rockable made/conf0 --steps 1000 --strict -q -o run");
  const json described = jsonOf(folder, "packgen info made/conf0 --json");
  CHECK(described.at("bodies") == made.at("bodies"));
  CHECK(described.at("deepOverlaps") == 0);
  for (const std::string name : made.at("files")) CHECK(folder.has(name));
}

TEST_CASE("the same seed gives the same bytes on any number of threads", "[golden][packgen]") {
  const ShapesFolder folder;
  const std::string rock =
      " --bond young=1e9,poisson=0.25,tensile=1e6,cohesion=2e6,weibull=6 --radius 2e-3";
  for (const std::string& verb :
       {std::string("scatter --shapes shapes.shp --solid-fraction 0.2 --container box:6,6,6"),
        std::string("fill --shapes shapes.shp --solid-fraction 0.5 --container periodic:6,6,6"),
        std::string("fill --shapes ball.shp --jammed --container periodic:5,5,5"),
        "voronoi --container box:1,1,1 --cells 300" + rock,
        "cut --container box:4,3,4 --joint 0,0,1:exponential --joint 90,90,1,8" + rock}) {
    INFO(verb);
    const auto made = [&](const std::string& options) {
      mustRun(folder, "packgen " + verb + " -q --force -o one/conf0 --seed " + options);
      return filesOf(folder, "one");
    };
    const auto one = made("3 -j 1");
    CHECK(made("3 -j 8") == one);
    CHECK(made("4 -j 1") != one);
  }
}

TEST_CASE("contacts get stiffer until the few that carry the load overlap by less than 1 %",
          "[golden][packgen]") {
  const Folder folder;
  mustRun(folder, "shapeSurvey make box --size 0.2 0.2 0.2 --radius 0.02 --name b -q -o b.shp");
  const std::string fill =
      "packgen fill --shapes b.shp --container cylinder:1.2,3 --number 40 --pressure 1000 "
      "--friction 0.5 --seed 2 --json -q ";
  // One layer of boxes: its tallest hold the upper end apart from the lower one.
  CHECK(jsonOf(folder, fill + "-o chosen/conf0")["overlap"].get<double>() < 0.01);
  mustRun(folder, "rockable chosen/conf0 --check --strict");
  // What the user gives stays.
  CHECK(jsonOf(folder, fill + "--kn 6e5 -o given/conf0")["overlap"].get<double>() > 0.01);
}

TEST_CASE("fill under a pressure carries it at rest, and friction keeps bodies apart",
          "[golden][packgen]") {
  const ShapesFolder folder;
  const auto filled = [&](const std::string& friction, const std::string& name) {
    const json j =
        jsonOf(folder,
               "packgen fill --shapes ball.shp --container periodic:5,5,5 --jammed --pressure "
               "2e4 --friction " +
                   friction + " --json -q -o " + name + "/conf0");
    CHECK(j["atRest"] == true);
    CHECK(j["pressure"] == 2e4);
    for (const double stress : j["stress"]) CHECK(stress == Approx(2e4).epsilon(0.02));
    mustRun(folder, "rockable " + name + "/conf0 --check --strict");
    mustRun(folder, "rockable " + name + "/conf0 --steps 100 --strict -q -o " + name + "/run");
    return j["solidFraction"].get<double>();
  };
  const double smooth = filled("0", "smooth"), rough = filled("1", "rough");
  CHECK(smooth > 0.6);
  CHECK(rough > 0.5);
  CHECK(rough < smooth - 0.01);
}

TEST_CASE(
    "what cannot be made or written is refused, before bodies are packed, and nothing is left",
    "[golden][packgen]") {
  const ShapesFolder folder;
  folder.write("taken/conf0", "something\n");
  mustRun(folder,
          "packgen scatter --shapes ball.shp --container box:6,6,6 --number 20 -q -o loose/conf0");
  const std::string none = " -o none/conf0";
  const std::string inBox = "scatter --shapes ball.shp --container box:6,6,6 ",
                    lattice = "lattice --shape ball.shp ",
                    // A packing that takes minutes runs into the limit of time.
      slow = "fill --shapes ball.shp --container periodic:60,60,60 --jammed ",
                    compact = "compact loose/conf0 --pressure 1e-4 ";
  const std::vector<std::pair<std::string, int>> cases{
      {"scatter --shapes ball.shp --container periodic:4,4,4 --solid-fraction 0.5" + none, 3},
      {"fill --shapes ball.shp --container periodic:6,6,6 --solid-fraction 0.8" + none, 3},
      {"fill --shapes ball.shp --container periodic:2,2,2 --number 6 --jammed" + none, 3},
      {"fill --shapes shapes.shp --container box:0.3,5,5 --number 3" + none, 3},
      {"scatter --shapes shapes.shp:Ball=0 --container box:6,6,6 --number 5" + none, 3},
      {"scatter --shapes ball.shp --container bx:6,6,6 --number 5" + none, 2},
      {"fill --shapes ball.shp --container periodic:9,9,9 --number 1 --jammed" + none, 2},
      {inBox + none, 2},
      {inBox + "--number 5 --solid-fraction 0.1" + none, 2},
      {inBox + "--solid-fraction 1.2" + none, 2},
      {"scatter --shapes ball.shp --container mesh:none.stl --number 5" + none, 4},
      {inBox + "--number 5 --grading none.csv" + none, 4},
      // Pressed, the cell would be narrower than twice a body: known before bodies grow.
      {"fill --shapes ball.shp --container periodic:2.2,200,200 --solid-fraction 0.45 "
       "--pressure 1e4 --drive triaxial" +
           none,
       3},
      {compact + "--mu 1,7=0.5" + none, 2},
      {compact + "--drive drum:1" + none, 3},
      {compact + "-o taken/conf0", 4},
      {compact + "-o none/drivingSystem.txt", 2},
      {"fill --shapes ball.shp --container sphere:4 --jammed --pressure 1e4" + none, 2},
      {lattice + "--spacing -1" + none, 2},
      {lattice + "--walls -1" + none, 2},
      {lattice + "--type sx" + none, 2},
      {lattice + "--young 1e9" + none, 2},
      {lattice + "--mu 7,8=0" + none, 2},
      {slow + "-o ball.shp/conf0", 4},
      {slow + "-o taken", 4},
      {slow + "--law Fo" + none, 3},
      {slow + "--bond en2InnerBond=2 --law BCM" + none, 2},
      {slow + "--drive foo" + none, 2},
      {slow + "--drive vibration" + none, 3},
      {slow + "-o - --drive isotropic", 2},
      {slow + "--library none/conf0" + none, 2},
      {slow + "-o 'none/a b'", 2},
  };
  for (const auto& [command, code] : cases) {
    expect(folder, "timeout 10 packgen " + command + " -q", code);
    CHECK_FALSE(folder.has("none"));
    CHECK(folder.read("taken/conf0") == "something\n");
  }
}

TEST_CASE("a drive of another packing beside the new conf-file is refused, or removed by --force",
          "[golden][packgen]") {
  const ShapesFolder folder;
  const std::string lattice = "packgen lattice --shape ball.shp --cells 2 2 2 --walls ";
  for (const std::string name : {"drivingSystem.txt", "dataExtractors.txt"}) {
    const std::string old = "old/" + name;
    folder.write(old, "# of another packing\n");
    expect(folder, lattice + "-o old/conf0", 4);
    CHECK_FALSE(folder.has("old/conf0"));
    mustRun(folder, lattice + "-o old/conf0 --force");
    CHECK_FALSE(folder.has(old));
    expect(folder, "rm -r old", 0);
  }
  // That of the packing itself is copied.
  mustRun(folder, lattice + "--drive isotropic -q -o driven/conf0");
  mustRun(folder, "packgen settle driven/conf0 --until 0.001 -q -o copy/conf0");
  CHECK(folder.read("copy/drivingSystem.txt") == folder.read("driven/drivingSystem.txt"));
}

TEST_CASE("a table with bodies that overlap deeply is refused unless that is allowed",
          "[golden][packgen]") {
  const ShapesFolder folder;
  folder.write("poses.csv", "x,y,z\n0,2,0\n0.87,2,0\n");
  const std::string from = "packgen from poses.csv --shapes ball.shp --mu 0,1=0.2 --walls 0.1 ";
  expect(folder, from + "-o none/conf0", 3);
  expect(folder, from + "--allow-overlap -o some/conf0", 0);
  expect(folder, from + "--allow-overlap --strict -o none/conf0", 3);
  // A body that nothing catches, which rockable --check --strict refuses.
  folder.write("falls.csv", "x,y,z,driven\n0,0,0,0\n5,0,0,1\n");
  const std::string falls = "packgen from falls.csv --shapes ball.shp ";
  expect(folder, falls + "-o falls/conf0", 0);
  expect(folder, "rockable falls/conf0 --check --strict", 3);
  expect(folder, falls + "--strict -o none/conf0", 3);
  // A step that rockable --check refuses.
  folder.write("poses.csv", "x,y,z\n0,2,0\n3,2,0\n");
  expect(folder, from + "--dt 1 --duration 5 -o late/conf0", 0);
  expect(folder, from + "--dt 1 --duration 5 --strict -o none/conf0", 3);
  CHECK_FALSE(folder.has("none"));
}

TEST_CASE("transform keeps what it does not touch, and what it makes passes --check --strict",
          "[golden][packgen][transform]") {
  const ShapesFolder folder;
  mustRun(folder,
          "packgen scatter --shapes shapes.shp --container box:4,4,4 --number 20 -q -o a/conf0");
  mustRun(folder,
          "packgen scatter --shapes shapes.shp:Rock --container box:4,4,4 --number 9 --seed 2 "
          "--mu 0.2 --density 2000 -q -o loose/conf0");
  mustRun(folder, "packgen settle loose/conf0 --until 0.05 -q -o b/conf0");
  const auto made = [&](const std::string& arguments) {
    mustRun(folder, "packgen transform " + arguments + " -q --force -o made/conf0");
    mustRun(folder, "rockable made/conf0 --check --strict -q");
    return folder.read("made/conf0");
  };
  const std::string a = folder.read("a/conf0"), b = folder.read("b/conf0");
  CHECK(made("a/conf0") == a);
  CHECK(made("b/conf0 --translate 0 0 0 --select 'id >= 0'") == b);
  CHECK(made("b/conf0 --rotate y 90 --rotate z 30 --translate 0 -0.5 1e5").size() > 1000);
  mustRun(folder, "packgen transform b/conf0 --translate 1024 0 0 -q -o far/conf0");
  CHECK_THAT(made("a/conf0 far/conf0 --merge"), Contains("muContact 1 2 0.2"));
  CHECK_THAT(made("b/conf0 --scale 0.125 --set 'vx = -vx' --renumber --drop-history"),
             Contains("\nt 0\n") && Contains(" 0.125 "));
  CHECK_THAT(made("b/conf0 --set homothety=0.7 --replace-shape Rock=shapes.shp:Ball"),
             Contains("\nBall 1 ") && !Contains("\nRock "));
  // Drives follow bodies that keep their numbers and directions.
  folder.write("a/drivingSystem.txt", "Control _x_Vel_ 0 0\n");
  made("a/conf0 --translate 1 0 0");
  CHECK(folder.has("made/drivingSystem.txt"));
  expect(folder, "packgen transform a/conf0 --rotate x 90 --force -o made/conf0", 0,
         {"left behind", "a/drivingSystem.txt"});
  CHECK_FALSE(folder.has("made/drivingSystem.txt"));
}

TEST_CASE("transform refuses what has no result, in one line, and writes nothing",
          "[golden][packgen][transform]") {
  const ShapesFolder folder;
  mustRun(folder, "packgen lattice --shape ball.shp --cells 2 2 2 --spacing 2 -q -o a/conf0");
  mustRun(folder,
          "packgen lattice --shape ball.shp --cells 1 1 1 --gravity 0 0 -1 -q -o moon/conf0");
  mustRun(folder,
          "packgen scatter --shapes ball.shp --container periodic:3,3,3 --number 3 -q -o p/conf0");
  folder.write("a/drivingSystem.txt", "");
  const std::vector<std::pair<std::string, int>> cases{
      {"a/conf0 a/conf0", 2},
      {"a/conf0 --select 'x >'", 2},
      {"a/conf0 --set size=2", 2},
      {"a/conf0 --rotate w 90", 2},
      {"a/conf0 --scale 0", 2},
      {"a/conf0 --clone 2 0 1 --step 9 9 9", 2},
      {"a/conf0 --clone 2 1 1", 3},
      {"a/conf0 --replace-shape Ball", 2},
      {"a/conf0 --select 'x > 100'", 3},
      {"a/conf0 --drop 'x > -100'", 3},
      {"a/conf0 --set 'group = 7'", 3},  // without a density
      {"a/conf0 --set 'homothety = -1'", 3},
      {"a/conf0 --replace-shape Bal=shapes.shp:Rock", 3},
      {"a/conf0 --replace-shape Ball=shapes.shp", 3},
      {"a/conf0 --clone 2 1 1 --step 0.5 0 0", 3},
      {"a/conf0 --clone 999999 999999 999999 --step 9 9 9", 3},
      {"a/conf0 --clone 2 1 1 --step 0 9 9", 3},
      {"p/conf0 --clone 2 1 1 --step 4 0 0", 3},
      {"a/conf0 moon/conf0 --merge", 3},
      {"a/conf0 a/conf0 --merge", 3},
      {"a/conf0 --replace-shape Ball=none.shp:Rock", 4},
      {"none/conf0", 4},
  };
  for (const auto& [arguments, code] : cases)
    expectRefusals(folder, "packgen transform ", " -q -o new/conf0", {"new"},
                   {{arguments, code, ""}});
}

TEST_CASE("compact warns where walls with friction carry the load", "[golden][packgen]") {
  const ShapesFolder folder;
  const auto compacted = [&](const std::string& mu, const std::string& options) {
    mustRun(folder,
            "packgen scatter --shapes ball.shp --container box:4.5,4.5,4.5 --number 40 "
            "--gravity 0 0 0 --force -q -o loose/conf0 --mu " +
                mu);
    return run(folder, "packgen compact loose/conf0 --pressure 1e4 --force --strict " + options)
        .code;
  };
  CHECK(compacted("0", "--mu 1,1=0.4 -o smooth/conf0") == 0);
  CHECK_THAT(folder.read("smooth/conf0"),
             Contains("muContact 1 1 0.4") && Contains("muContact 0 1 0\n"));
  CHECK(compacted("1", "-o none/conf0") == 3);
  CHECK_FALSE(folder.has("none"));
}

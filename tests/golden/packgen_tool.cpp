// SPDX-License-Identifier: GPL-3.0-or-later
// packgen as users run it: what it makes can be run, and what cannot be made is refused.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/shape_file.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

void writeShapes(const Folder& folder) {
  std::vector<shape::Shape> shapes{shape::makeSphere(1.0), shape::makeBox({1.0, 0.7, 0.5}, 0.05),
                                   shape::makeBoulder(12, {1.0, 0.9, 0.8}, 0.02, 2)};
  const std::vector<std::string> names{"Ball", "Brick", "Rock"};
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    shapes[k].name = names[k];
    mass::survey(shapes[k]);
  }
  folder.write("shapes.shp", shape::shapesText(shapes));
  folder.write("ball.shp", shape::shapesText({shapes[0]}));
  folder.write("cube.off",
               "OFF\n8 6 0\n0 0 0\n5 0 0\n5 5 0\n0 5 0\n0 0 5\n5 0 5\n5 5 5\n0 5 5\n"
               "4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n");
}

}  // namespace

TEST_CASE("packgen never replaces what it reads, not even with --force", "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  folder.write("poses.csv", "shape,x,y,z\nBrick,0,2,0\nRock,3,2,0\n");
  folder.write("grading.csv", "d,passing\n0.5,0\n1,1\n");
  std::filesystem::create_symlink("shapes.shp", folder.path("link.shp"));
  REQUIRE(run(folder, "packgen from poses.csv --shapes shapes.shp --walls -o made/conf0").code ==
          0);
  const auto contents = [&] {
    std::vector<std::string> texts;
    for (const char* name :
         {"shapes.shp", "poses.csv", "grading.csv", "cube.off", "made/conf0", "made/conf0.shp"})
      texts.push_back(folder.read(name));
    return texts;
  };
  const std::vector<std::string> before = contents();
  for (const char* command :
       {"lattice --shape shapes.shp -o shapes.shp", "lattice --shape shapes.shp -o link.shp",
        "lattice --shape shapes.shp --library shapes.shp -o new",
        "from poses.csv --shapes shapes.shp -o poses.csv",
        "from poses.csv --shapes shapes.shp --library poses.csv -o new",
        "scatter --shapes ball.shp --container mesh:cube.off --number 3 -o cube.off",
        "scatter --shapes ball.shp --container box:9,9,9 --number 3 --grading grading.csv "
        "-o grading.csv",
        "fill --shapes ball.shp --container mesh:cube.off --number 3 --library cube.off -o new",
        "settle made/conf0 -o made/conf0", "settle made/conf0 --library made/conf0.shp -o new"}) {
    const Outcome o = run(folder, std::string("packgen ") + command + " -q --force");
    INFO(command << "\n" << o.err);
    CHECK(o.code == 2);
    CHECK_THAT(o.err, Contains("this file is an input"));
    CHECK(contents() == before);
  }
}

TEST_CASE("a packing that cannot be written whole leaves no file that was not there",
          "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  REQUIRE(run(folder,
              "packgen lattice --shape ball.shp --cells 5 5 4 --duration 1e-3 -q "
              "-o many/conf0")
              .code == 0);
  REQUIRE(
      run(folder, "packgen lattice --shape ball.shp --cells 1 1 2 --duration 1e-3 -q -o two/conf0")
          .code == 0);
  std::string remarks;
  for (int k = 0; k < 1000; ++k) remarks += "# a remark of the user\n";
  folder.write("two/dataExtractors.txt", remarks);
  const auto limited = [&](const std::string& command) {
    // Some shells count blocks of 512 bytes, others of 1024.
    const Outcome o = run(folder, "ulimit -f 16; packgen " + command + " -q");
    INFO(command << "\n" << o.err);
    CHECK(o.code == 4);
    CHECK_THAT(o.err, Contains("File too large"));
    std::vector<std::string> left;
    if (folder.has("out"))
      for (const auto& entry : std::filesystem::directory_iterator(folder.path("out")))
        left.push_back(entry.path().filename().string());
    return left;
  };
  const std::string lattice = "lattice --shape ball.shp --cells 6 6 6 --drive isotropic --walls ";
  CHECK(limited(lattice + "-o out/conf0").empty());
  CHECK(limited("settle many/conf0 -o out/conf0").empty());
  CHECK(limited("settle two/conf0 -o out/conf0").empty());  // dataExtractors.txt is too large
  CHECK(limited(lattice + "-o out/conf0").empty());         // and not "exists already"
  folder.write("out/conf0.shp", "mine");
  CHECK(limited(lattice + "--force -o out/conf0") == std::vector<std::string>{"conf0.shp"});
  folder.write("out/conf0", "mine");
  CHECK(limited(lattice + "--force -o out/conf0").size() == 2);
  CHECK(folder.read("out/conf0") == "mine");
}

TEST_CASE("each verb of packgen lists all files that it wrote with --json", "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  REQUIRE(run(folder,
              "packgen lattice --shape ball.shp --cells 2 2 2 --walls --duration 1e-3 -q "
              "-o two/conf0")
              .code == 0);
  const auto files = [&](const std::string& command) {
    const Outcome o = run(folder, "packgen " + command + " --json -q");
    INFO(command << "\n" << o.err);
    REQUIRE(o.code == 0);
    return parseJson(o.out).at("files").get<std::vector<std::string>>();
  };
  using Names = std::vector<std::string>;
  CHECK(files("lattice --shape ball.shp --walls --drive isotropic -o a/conf0") ==
        Names{"a/conf0", "a/conf0.shp", "a/drivingSystem.txt", "a/dataExtractors.txt"});
  CHECK(files("settle two/conf0 --drive isotropic -o b/conf0") ==
        Names{"b/conf0", "b/conf0.shp", "b/drivingSystem.txt", "b/dataExtractors.txt"});
  CHECK(files("settle two/conf0 -o two/conf1") == Names{"two/conf1"});
  CHECK(files("settle two/conf0 --library c/s.shp -o c/conf1") == Names{"c/conf1", "c/s.shp"});
}

TEST_CASE("what packgen makes passes --check --strict and runs a thousand steps under --strict",
          "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  folder.write("poses.csv", "shape,x,y,z\nBrick,0,2,0\nRock,3,2,0\nBall,0,5,0\n");
  const std::string command = GENERATE(
      std::string("lattice --shape shapes.shp --cells 3 4 3 --walls"),
      std::string("lattice --shape shapes.shp --spacing 1.6 --cells 3 3 3 --jitter 0.9 --walls"),
      std::string("from poses.csv --shapes shapes.shp --walls 0.5"),
      std::string("scatter --shapes shapes.shp --container box:6,6,6 --solid-fraction 0.2"),
      std::string("scatter --shapes shapes.shp --container periodic:6,6,6 --number 60"),
      std::string("scatter --shapes shapes.shp --container hopper:3,1,30,8 --number 60"),
      std::string("scatter --shapes shapes.shp --container sphere:3.5 --number 40"),
      std::string("scatter --shapes shapes.shp:Rock --container cylinder:3,6 --solid-fraction 0.15 "
                  "--grading fuller:0.3,1,0.5"),
      std::string("fill --shapes shapes.shp --container box:5,5,5 --solid-fraction 0.5"),
      std::string("fill --shapes shapes.shp:Brick=1 --shapes shapes.shp:Rock=3 --share-by volume "
                  "--container drum:3,5 --number 80"),
      std::string("fill --shapes shapes.shp --container hopper:3,1,30,8 --solid-fraction 0.4"),
      std::string("fill --shapes shapes.shp --container mesh:cube.off --solid-fraction 0.35"),
      std::string("fill --shapes ball.shp --container periodic:6,6,6 --jammed"),
      std::string("fill --shapes ball.shp --container mesh:cube.off --jammed"));
  INFO(command);
  const Outcome made = run(folder, "packgen " + command + " --json -o made/conf0");
  INFO(made.err);
  REQUIRE(made.code == 0);
  CHECK(parseJson(made.out).at("schema") == 1);
  const Outcome check = run(folder, "rockable made/conf0 --check --strict --json");
  INFO(check.err);
  REQUIRE(check.code == 0);
  const json state = parseJson(check.out);
  CHECK(state.at("deepOverlaps") == 0);
  CHECK(state.at("bodiesInsideOthers") == 0);
  const Outcome ran = run(folder, "rockable made/conf0 --steps 1000 --strict -q -o run");
  INFO(ran.err);
  CHECK(ran.code == 0);
  const Outcome info = run(folder, "packgen info made/conf0 --json");
  REQUIRE(info.code == 0);
  const json described = parseJson(info.out);
  CHECK(described.at("bodies") == parseJson(made.out).at("bodies"));
  CHECK(described.at("deepOverlaps") == 0);
}

TEST_CASE("the same seed gives the same bytes on any number of threads", "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  for (const std::string verb :
       {"scatter --shapes shapes.shp --solid-fraction 0.2 --container box:6,6,6",
        "fill --shapes shapes.shp --solid-fraction 0.5 --container periodic:6,6,6",
        "fill --shapes ball.shp --jammed --container periodic:5,5,5"}) {
    INFO(verb);
    for (const std::string threads : {"1", "2", "8"})
      REQUIRE(run(folder, "packgen " + verb + " --seed 3 -q -j " + threads + " -o t" + threads +
                              "/conf0 --force")
                  .code == 0);
    CHECK(folder.read("t1/conf0") == folder.read("t2/conf0"));
    CHECK(folder.read("t1/conf0") == folder.read("t8/conf0"));
    REQUIRE(run(folder, "packgen " + verb + " --seed 4 -q -o other/conf0 --force").code == 0);
    CHECK(folder.read("t1/conf0") != folder.read("other/conf0"));
  }
}

TEST_CASE("contacts get stiffer until the few that carry the load overlap by less than 1 %",
          "[golden][packgen]") {
  const Folder folder;
  const std::string fill =
      "shapeSurvey make box --size 0.2 0.2 0.2 --radius 0.02 --name b -q -o b.shp && "
      "packgen fill --shapes b.shp --container cylinder:1.2,3 --number 40 --pressure 1000 "
      "--friction 0.5 --seed 2 --json ";
  // One layer of boxes: its tallest hold the upper end apart from the lower one.
  const Outcome made = run(folder, fill + "-o chosen/conf0");
  INFO(made.err);
  REQUIRE(made.code == 0);
  CHECK_THAT(made.err, Contains("repeated with contacts"));
  CHECK(json::parse(made.out)["overlap"].get<double>() < 0.01);
  CHECK(run(folder, "rockable chosen/conf0 --check --strict").code == 0);
  // What the user gives stays.
  const Outcome given = run(folder, "rm b.shp; " + fill + "--kn 6e5 -o given/conf0");
  REQUIRE(given.code == 0);
  CHECK_THAT(given.err, !Contains("repeated with contacts") && Contains("overlap by"));
  CHECK(json::parse(given.out)["overlap"].get<double>() > 0.01);
}

TEST_CASE("fill under a pressure carries it at rest, and friction keeps bodies apart",
          "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  const auto filled = [&](const std::string& friction, const std::string& name) {
    const Outcome made =
        run(folder,
            "packgen fill --shapes ball.shp --container periodic:5,5,5 --jammed --pressure "
            "2e4 --friction " +
                friction + " --json -q -o " + name + "/conf0");
    INFO(made.err);
    REQUIRE(made.code == 0);
    const json j = json::parse(made.out);
    CHECK(j["atRest"] == true);
    CHECK(j["pressure"] == 2e4);
    CHECK(j["seed"] == 1);
    for (const double stress : j["stress"]) CHECK(stress == Approx(2e4).epsilon(0.02));
    CHECK_THAT(folder.read(name + "/conf0"), Contains("pressed by 20000 Pa, seed 1"));
    CHECK(run(folder, "rockable " + name + "/conf0 --check --strict").code == 0);
    CHECK(run(folder, "rockable " + name + "/conf0 --steps 100 --strict -q -o " + name + "/run")
              .code == 0);
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
  const Folder folder;
  writeShapes(folder);
  folder.write("taken/conf0", "something\n");
  REQUIRE(
      run(folder,
          "packgen scatter --shapes ball.shp --container box:6,6,6 --number 20 -q -o loose/conf0")
          .code == 0);
  const std::string none = " -o none/conf0";
  const std::string scatter = "scatter --shapes ball.shp --container box:6,6,6 ",
                    fill = "fill --shapes ball.shp --container periodic:6,6,6 ",
                    inBox = "fill --shapes ball.shp --container box:6,6,6 ",
                    lattice = "lattice --shape ball.shp ",
                    // A saturated packing that takes minutes runs into the limit of time.
      slow = "scatter --shapes ball.shp --container periodic:60,60,60 --saturate ",
                    compact = "compact loose/conf0 --pressure 1e-4 ";
  struct Case {
    std::string command;
    int code;
    std::string reason{};
  };
  const std::vector<Case> cases{
      {"scatter --shapes ball.shp --container periodic:6,6,6 --solid-fraction 0.5" + none, 3,
       "saturated at a solid fraction of 0.3"},
      {fill + "--solid-fraction 0.8" + none, 3, "jam at a solid fraction of 0.6"},
      {"fill --shapes ball.shp --container periodic:2,2,2 --number 3" + none, 3, "its own image"},
      {"fill --shapes ball.shp --container periodic:2,2,2 --number 6 --jammed" + none, 3},
      {"fill --shapes shapes.shp --container box:0.3,5,5 --number 3" + none, 3, "larger than"},
      {"scatter --shapes shapes.shp:Ball=0 --container box:6,6,6 --number 5" + none, 3},
      {"scatter --shapes ball.shp --container bx:6,6,6 --number 5" + none, 2, "unknown container"},
      {scatter + none, 2, "expected --solid-fraction"},
      {scatter + "--number 5 --solid-fraction 0.1" + none, 2},
      {scatter + "--saturate --grading uniform:1,2" + none, 2},
      {inBox + "--solid-fraction 1.2" + none, 2, "between 0 and 1"},
      {"scatter --shapes ball.shp --container mesh:none.stl --number 5" + none, 4, "none.stl"},
      {scatter + "--number 5 --grading none.csv" + none, 4, "none.csv"},
      {"fill --shapes ball.shp --container periodic:2.2,2.2,2.2 --solid-fraction 0.45 "
       "--pressure 1e4 --drive triaxial" +
           none,
       3, "--container periodic:2.2,2.2,2.2: pressed to a solid fraction of 0.64"},
      {compact + "--mu 1,7=0.5" + none, 2, "--mu: no body is of group 7"},
      {"fill --shapes ball.shp --container sphere:4 --jammed --pressure 1e4" + none, 2,
       "no walls that can press"},
      {inBox + "--jammed --pressure -1" + none, 2},
      {inBox + "--jammed --friction -1" + none, 2},
      {lattice + "--spacing -1" + none, 2},
      {lattice + "--walls -1" + none, 2},
      {lattice + "--type sx" + none, 2},
      {lattice + "--jitter 2" + none, 2},
      {lattice + "--young 1e9" + none, 2, "--young: the law Default has no such parameter"},
      {lattice + "--mu 7,8=0" + none, 2, "--mu: no body is of group 7"},
      {slow + "-o taken/conf0", 4, "exists already"},
      {slow + "-o ball.shp/conf0", 4, "ball.shp is not a folder"},
      {slow + "-o taken", 4, "is a folder"},
      {slow + "--law Fo" + none, 3, "unknown law"},
      {slow + "--kn -5" + none, 2},
      {slow + "--en2 5" + none, 2},
      {slow + "--bond en2InnerBond=2 --law BCM" + none, 2},
      {slow + "--duration 0" + none, 2},
      {slow + "--overlap 2" + none, 2},
      {slow + "--drive foo" + none, 2, "unknown drive"},
      {slow + "--drive vibration" + none, 3, "no driven body to shake"},
      {slow + "-o - --drive isotropic", 2, "need drivingSystem.txt"},
      {slow + "--library none/conf0" + none, 2, "two outputs"},
      {slow + "-o none/drivingSystem.txt --drive isotropic", 2, "two outputs"},
      {slow + "-o 'none/a b'", 2, "'a b.shp', since a blank ends a name there"},
      // Bodies fill a box of walls, whose shapes need a library.
      {"fill --shapes ball.shp --container box:40,40,40 --jammed -o -", 2,
       "--library FILE names the shape-file"},
      {compact + "-o taken/conf0", 4, "exists already"},
      {compact + "--library none/conf0" + none, 2, "two outputs"},
      {compact + "-o none/drivingSystem.txt", 2, "two outputs"},
      {compact + "--drive drum:1" + none, 3, "body 0, which would turn, is a flat wall"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = run(folder, "timeout 10 packgen " + c.command + " -q");
    INFO(c.command << "\n" << outcome.err);
    CHECK(outcome.code == c.code);
    CHECK_THAT(outcome.err, Contains(c.reason));
    CHECK_FALSE(folder.has("none"));
    CHECK(folder.read("taken/conf0") == "something\n");
  }
}

TEST_CASE("a drive of another packing beside the new conf-file is refused, or removed by --force",
          "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  const std::string lattice = "packgen lattice --shape ball.shp --cells 2 2 2 --walls ";
  REQUIRE(run(folder, lattice + "--mu 0,1=0 -q -o loose/conf0").code == 0);
  for (const std::string& verb :
       {lattice, std::string("packgen settle loose/conf0 --until 0.001 ")})
    for (const std::string name : {"drivingSystem.txt", "dataExtractors.txt"}) {
      const std::string old = "old/" + name, command = verb + "-o old/conf0";
      folder.write(old, "# of another packing\n");
      const Outcome refused = run(folder, command);
      INFO(command << "\n" << refused.err);
      CHECK(refused.code == 4);
      CHECK_THAT(refused.err, Contains(old) && Contains("--force"));
      CHECK_FALSE(folder.has("old/conf0"));
      CHECK(folder.has(old));
      const Outcome forced = run(folder, command + " --force");
      CHECK(forced.code == 0);
      CHECK_THAT(forced.err, Contains(old + ": removed"));
      CHECK_FALSE(folder.has(old));
      CHECK(run(folder, "rm -r old").code == 0);
    }
  // That of the packing itself is copied.
  REQUIRE(run(folder, lattice + "--drive isotropic -q -o driven/conf0").code == 0);
  REQUIRE(run(folder, "packgen settle driven/conf0 --until 0.001 -q -o copy/conf0").code == 0);
  CHECK(folder.read("copy/drivingSystem.txt") == folder.read("driven/drivingSystem.txt"));
}

TEST_CASE("a table with bodies that overlap deeply is refused unless that is allowed",
          "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  folder.write("poses.csv", "x,y,z\n0,2,0\n0.87,2,0\n");
  const std::string from = "packgen from poses.csv --shapes ball.shp --mu 0,1=0.2 --walls 0.1 ";
  const Outcome refused = run(folder, from + "-o none/conf0");
  CHECK(refused.code == 3);
  CHECK_THAT(refused.err, Contains("poses.csv: ") && Contains("by 13 %") &&
                              Contains("--allow-overlap writes them as they are"));
  CHECK_FALSE(folder.has("none"));
  const Outcome allowed = run(folder, from + "--allow-overlap -o some/conf0");
  CHECK(allowed.code == 0);
  CHECK_THAT(allowed.err, Contains("warning: poses.csv: "));
  CHECK(run(folder, from + "--allow-overlap --strict -o none/conf0").code == 3);
  // So with a lattice, whose walls come last.
  const Outcome lattice =
      run(folder,
          "packgen lattice --shape ball.shp --spacing 0.9 --cells 2 2 2 --walls "
          "--mu 0,1=0.2 -q -o none/conf0");
  CHECK(lattice.code == 3);
  CHECK_THAT(lattice.err, Contains("overlap by 10 %"));
  // A body that nothing catches, which rockable --check --strict refuses.
  folder.write("falls.csv", "x,y,z,driven\n0,0,0,0\n5,0,0,1\n");
  const std::string falls = "packgen from falls.csv --shapes ball.shp ";
  const Outcome warned = run(folder, falls + "-o falls/conf0");
  CHECK(warned.code == 0);
  CHECK_THAT(warned.err, Contains("warning: falls.csv: body 1 falls for ever along gravity"));
  CHECK(run(folder, "rockable falls/conf0 --check --strict").code == 3);
  CHECK(run(folder, falls + "--strict -o none/conf0").code == 3);
  CHECK_FALSE(folder.has("none"));
  // A step that rockable --check refuses is reported with one that would do.
  folder.write("poses.csv", "x,y,z\n0,2,0\n3,2,0\n");
  const Outcome late = run(folder, from + "--dt 1 --duration 5 -o late/conf0");
  CHECK(late.code == 0);
  CHECK_THAT(late.err, Contains("above the critical time step") && Contains("; use "));
  CHECK(run(folder, from + "--dt 1 --duration 5 --strict -o none/conf0").code == 3);
  CHECK_FALSE(folder.has("none"));
}

TEST_CASE("the realised grading of a jammed packing is that of the file", "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  const Outcome made =
      run(folder,
          "packgen fill --shapes ball.shp --container box:3,3,3 --jammed --grading "
          "fuller:0.4,1,0.5 -o made/conf0");
  INFO(made.err);
  REQUIRE(made.code == 0);
  CHECK_THAT(made.err, Contains("times those of the grading"));
  const Outcome info = run(folder, "packgen info made/conf0 --json");
  REQUIRE(info.code == 0);
  const double largest = parseJson(info.out).at("sizes").at("largest");
  // The last row of the table is the largest body.
  const std::string lastRow = made.err.substr(0, made.err.find("  largest distance"));
  std::istringstream words(lastRow.substr(lastRow.rfind('\n', lastRow.size() - 2)));
  double size = 0.0, target = 0.0, realised = 0.0;
  REQUIRE(words >> size >> target >> realised);
  CHECK(size == Approx(largest).epsilon(1e-5));
  CHECK(realised == 1.0);
}

TEST_CASE("compact says what walls with friction carry, and warns", "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  const auto compacted = [&](const std::string& mu, const std::string& options) {
    REQUIRE(run(folder,
                "packgen scatter --shapes ball.shp --container box:4.5,4.5,4.5 --number 40 "
                "--gravity 0 0 0 --force -q -o loose/conf0 --mu " +
                    mu)
                .code == 0);
    return run(folder, "packgen compact loose/conf0 --pressure 1e4 --force " + options);
  };
  const Outcome smooth = compacted("0", "--strict --mu 1,1=0.4 -o smooth/conf0");
  INFO(smooth.err);
  CHECK(smooth.code == 0);
  CHECK_THAT(folder.read("smooth/conf0"),
             Contains("muContact 1 1 0.4") && Contains("muContact 0 1 0\n"));
  CHECK_THAT(smooth.err, Contains("stress inside ") && Contains("on the walls x- ") &&
                             Contains(", z+ ") && Contains("solid fraction 0."));
  const Outcome rough = compacted("1", "-o rough/conf0");
  INFO(rough.err);
  CHECK(rough.code == 0);
  CHECK_THAT(rough.err, Contains("warning: ") && Contains("off the pressure 10000 Pa by up to") &&
                            Contains("--mu 0,1=0, when the packing is made"));
  CHECK(compacted("1", "--strict -o none/conf0").code == 3);
  CHECK_FALSE(folder.has("none"));
}

TEST_CASE("small reports of packgen", "[golden][packgen]") {
  const Folder folder;
  writeShapes(folder);
  const Outcome light =
      run(folder, "packgen material --young 1e8 --poisson 0.2 --size 0.02 --density 2.7");
  CHECK(light.code == 0);
  CHECK_THAT(light.err, Contains("--density 2.7 kg/m3 is outside 100 to 25000"));
  folder.write("poses.csv", "x,y,z,driven\n0,2,0,1\n");
  REQUIRE(run(folder, "packgen from poses.csv --shapes ball.shp -q -o fixed/conf0").code == 0);
  const Outcome fixed = run(folder, "packgen info fixed/conf0");
  CHECK(fixed.code == 0);
  CHECK_THAT(fixed.out, Contains("1, all driven") && !Contains("nan"));
  // Four balls in a square have two contacts each: friction holds them.
  for (const auto& [mu, rattlers] : {std::pair{"0.3", 0}, {"0", 4}}) {
    const Outcome square =
        run(folder, std::string("packgen lattice --shape ball.shp --cells 2 2 1 --spacing 0.999 "
                                "--allow-overlap -q -o - --library square.shp --force --mu ") +
                        mu + " | packgen info - --json");
    INFO(square.err);
    CHECK(parseJson(square.out)["rattlers"] == rattlers);
  }
  // JSON has what the terminal shows.
  const auto printed =
      parseJson(run(folder,
                    "packgen fill --shapes ball.shp --container box:9,9,9 --number 40 "
                    "--grading uniform:0.5,1 --drive isotropic --json -q -o g/conf0")
                    .out);
  CHECK(printed["seed"] == 1);
  CHECK(printed["reasons"].size() >= 4);
  CHECK(printed["files"].size() == 4);
  const auto& grading = printed["grading"];
  CHECK(grading["by"] == "mass");
  REQUIRE(grading["rows"].size() == 10);
  CHECK(grading["rows"][9]["realised"] == 1.0);
  for (std::size_t k = 1; k < 10; ++k)
    CHECK(grading["rows"][k - 1]["size"].get<double>() <= grading["rows"][k]["size"].get<double>());
  CHECK(grading["distance"].get<double>() <= grading["halfLargest"].get<double>() + 1e-12);
}

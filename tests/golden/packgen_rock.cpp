// SPDX-License-Identifier: GPL-3.0-or-later
// packgen voronoi, cut and terrain as users run them: what they make can be run, and what cannot be
// made is refused.
#include "sample_shapes.hpp"
#include "tool_test.hpp"

namespace {

const std::string rockBond = " --bond young=1e9,poisson=0.25,tensile=1e6,cohesion=2e6";

/// Folder with an L, which is not convex, closed or without its last face; and tables.
struct SolidsFolder : Folder {
  SolidsFolder() {
    const std::string letter = samples::offOf(samples::letterL(0.0));
    write("l.off", letter);
    write("open.off", with(letter.substr(0, letter.size() - 11), "OFF\n12 8", "OFF\n12 7"));
    write("flat.tess", "***tess\n **format\n   3.4\n **general\n   2 standard\n***end\n");
    write("far.csv", "x,y,z,dip,dipdir\n0,50,0,0,0\n");
    write("steep.csv", "x,y,z,dip,dipdir\n0,0.5,0,95,0\n");
  }
};

const std::string header = "ncols 5\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 2\n";

/// Heights (x - 1)/2 + (z + 5)/2, a plane, and a bump.
std::string grid(double bump = 0.0) {
  std::string text = header + "NODATA_value -9999\n";
  for (int k = 0; k < 15; ++k)
    text += fmt::format("{}{}", k % 5 + k / 5 + (k == 7 ? bump : 0.0), k % 5 == 4 ? "\n" : " ");
  return text;
}

}  // namespace

TEST_CASE("what voronoi and cut make passes --check --strict", "[golden][packgen][rock]") {
  const SolidsFolder folder;
  const auto [law, command] = GENERATE(
      std::pair("StickedLinks", "voronoi --container box:1,1,1 --cells 60 --radius 5e-3"),
      std::pair("BCM", "voronoi --container periodic:1,1,1 --cells 300 --radius 3e-3"),
      std::pair("StickedLinks",
                "voronoi --container cylinder:0.5,1 --cells 60 --radius 5e-3 --relax 3"),
      std::pair("BCM", "voronoi --container sphere:0.5 --cells 60 --radius 5e-3 --stretch 1,2,1"),
      std::pair("BCM",
                "voronoi --container box:1,1,1 --cells 60 --radius 2e-3 --grading lognormal:1,0.3 "
                "--driven 'y < 0.2 && mass > 0'"),
      std::pair("StickedLinks", "voronoi --container mesh:l.off --cells 60 --radius 5e-3"),
      std::pair("BCM",
                "cut --container box:4,3,4 --joint 0,0,1 --joint 70,135,1.1,8:exponential "
                "--joint 80,40,1,5:ends=1 --radius 0.01 --kn 1e9"),
      std::pair("StickedLinks",
                "cut --container box:4,3,4 --joint 0,0,1 --joint 90,0,1 --joint "
                "90,90,1:tensile=1e5,cohesion=1e5 --persistence 0.4 --radius 0.01"),
      std::pair("BCM",
                "cut --container mesh:l.off --joint 0,0,0.4 --joint 90,30,0.6 --radius 0.01 "
                "--kn 1e9"));
  INFO(command << " " << law);
  const json made = jsonOf(folder, std::string("packgen ") + command + rockBond + " --law " + law +
                                       " --json -o made/conf0");
  CHECK(made.at("schema") == 1);
  CHECK(made.at("interfaces").get<int>() > 10);
  CHECK(made.at("bondedArea").get<double>() <= made.at("faceArea").get<double>() * (1 + 1e-12));
  CHECK(made.at("dropped") == 0);
  const json state = jsonOf(folder, "rockable made/conf0 --check --strict --json");
  CHECK(state.at("bodies") == made.at("bodies"));
  CHECK(state.at("deepOverlaps") == 0);
  CHECK(state.at("bodiesInsideOthers") == 0);
  CHECK(state.at("largestOverlap").get<double>() < 1e-12);
}

TEST_CASE("rock that cannot be made is refused in one line, and nothing is written",
          "[golden][packgen][rock]") {
  const SolidsFolder folder;
  const std::string box = "voronoi --container box:1,1,1 --radius 0.01 --cells 20 ";
  expectRefusals(
      folder, "packgen ", " -q -o made/conf0", {"made"},
      {{"voronoi --container box:1,1,1 --cells 1000 --radius 0.1", 2, "no room for a ball"},
       {"voronoi --container mesh:open.off --cells 20 --radius 0.01", 3,
        "open.off: the mesh is not"},
       {"cut --container mesh:open.off --joint 0,0,0.4 --radius 0.01", 3, "4 open edges"},
       {"cut --container box:1,1,1 --joint 0,0,5 --radius 0.01", 2, "spacing 5, cuts nothing"},
       {"cut --container box:1,1,1 --joint 0,0,0.3 --radius 0.6", 2, "cuts nothing"},
       {"cut --container box:1,1,1 --planes far.csv --radius 0.01", 2, "no joint cuts the solid"},
       {"cut --container box:1,1,1 --planes steep.csv --radius 0.01", 3, "steep.csv:2:9"},
       {"cut --container box:1,1,1 --joint 0,0,0.3:ends=1 --radius 0.01", 2, "no earlier one"},
       {"cut --container periodic:1,1,1 --joint 0,0,0.3 --radius 0.01", 2, "expected a box"},
       {box + "--bond young=1e9,poisson=0.25,tensile=0,cohesion=2e6", 2, "tensile=0"},
       {box + "--bond young=1e9,poisson=0.25,tensile=2e8,cohesion=2e6", 2, "above E/10"},
       {box + "--bond young=1e9,poisson=0.25,tensile=1e6,cohesion=2e8", 2, "above E/10"},
       {box + rockBond + ",gc=5", 2, "--law BCM"},
       {box + rockBond + " --law HertzMindlin", 2, "HertzMindlin"},
       {box + "--driven 'colour > 3'", 2, "unknown name 'colour'"},
       {"voronoi --from-tess flat.tess --radius 0.01", 3, "flat.tess:5:4: expected a tessellation"},
       {"voronoi --from-tess none.tess --radius 0.01", 4, "none.tess"},
       {"voronoi --container hopper:3,1,30,8 --cells 20 --radius 0.01", 2, "expected box, cyl"},
       {"voronoi --container box:1,1,1 --cells 20 --radius 0.01 --driven 'y > 9'", 2, "no body"},
       {"cut --container hopper:3,1,30,8 --joint 0,0,1 --radius 0.01", 2, "expected box, cyl"},
       {"voronoi --container periodic:1,1,1 --cells 10 --radius 0.01" + rockBond, 2,
        "more cells"}});
}

TEST_CASE("what terrain makes passes --check --strict, and reports its figures",
          "[golden][packgen][terrain]") {
  const Folder folder;
  folder.write("hill.asc", grid(0.5));
  folder.write("outline.csv", "x,z\n0,0\n7,0\n7,-9\n0,-9\n");
  const json made = jsonOf(folder,
                           "packgen terrain hill.asc --radius 0.1 --tile 4 --zone outline.csv:7 "
                           "--grid again.asc --cell 2 --json -o made/t.shp");
  CHECK(made.at("conf") == "made/t.conf");
  CHECK(made.at("bodies") == 3);
  CHECK(made.at("triangles") == 16);
  CHECK(made.at("low") == json({1, 0, -5}));
  CHECK(made.at("high") == json({9, 6, -1}));
  CHECK(folder.read("again.asc") == grid(0.5));
  const json state = jsonOf(folder, "rockable made/t.conf --check --strict --json");
  CHECK(state.at("bodies") == 3);
  CHECK(linesOf(mustRun(folder, "extract bodies made/t.conf --driven --columns group").out) ==
        std::vector<std::string>{"group", "0", "7", "7"});
  CHECK(linesOf(mustRun(folder, "packgen terrain hill.asc --heights outline.csv").out) ==
        std::vector<std::string>{"x,z,y", "0,0,nan", "7,0,nan", "7,-9,nan", "0,-9,nan"});
  mustRun(folder, "shapeSurvey check made/t.shp --strict");
}

TEST_CASE("faulty terrains are refused in one line, and nothing is written",
          "[golden][packgen][terrain]") {
  const Folder folder;
  folder.write("hill.asc", grid(0.5));
  folder.write("cut.asc", grid().substr(0, grid().size() - 6));
  folder.write("nan.asc", header + "1 2 3 4 5\n6 inf 8 9 10\n1 2 3 4 5\n");
  folder.write("more.asc", grid() + "7\n");
  folder.write("big.asc",
               "ncols 1000000000\nnrows 1000000000\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n");
  folder.write("none.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2 3 -9999\n");
  folder.write("side.asc", "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\n1 2 3 4\n");
  folder.write("word.asc", "ncols 2\nnrows 2\nxllcornr 0\n");
  folder.write("far.asc", "ncols 2\nnrows 2\nxllcorner 1e200\nyllcorner 0\ncellsize 1\n1 2 3 4\n");
  folder.write("flat.off", "OFF\n3 1 0\n0 0 0\n1 1 1\n2 2 2\n3 0 1 2\n");
  folder.write("two.csv", "x,z\n0,0\n9,-9\n");
  folder.write("y.csv", "x,y\n0,0\n");
  const std::string radius = " --radius 0.1 -o made/t.shp";
  expectRefusals(folder, "packgen terrain ", " -q", {"made", "g.asc"},
                 {{"hill.asc -o made/t.shp", 2, "--radius"},
                  {"hill.asc --radius 0 -o made/t.shp", 2, "--radius"},
                  {"hill.asc --tile -1" + radius, 2, "--tile"},
                  {"hill.asc --grid g.asc" + radius, 2, "--cell"},
                  {"hill.asc --grid hill.asc --cell 1" + radius, 2, "hill.asc"},
                  {"hill.asc --grid g.asc --cell 1e-6" + radius, 3, "too large"},
                  {"gone.asc" + radius, 4, "gone.asc"},
                  {"cut.asc" + radius, 3, "cut.asc:7:1: 5 by 3 values are more than"},
                  {"nan.asc" + radius, 3, "nan.asc:7:3"},
                  {"more.asc" + radius, 3, "more.asc:10:1: expected the end"},
                  {"big.asc" + radius, 3, "big.asc:6:1: 1000000000 by 1000000000 values"},
                  {"none.asc" + radius, 3, "no area"},
                  {"side.asc" + radius, 3, "side.asc:5:1: the header has no cellsize"},
                  {"word.asc" + radius, 3, "word.asc:3:1: unknown keyword 'xllcornr'"},
                  {"far.asc" + radius, 3, "far.asc: a coordinate is beyond 1e9"},
                  {"flat.off" + radius, 3, "no area"},
                  {"hill.asc --zone two.csv" + radius, 3, "--zone 1: no face"},
                  {"hill.asc --zone y.csv" + radius, 3, "y.csv:1:1: expected columns x and z"},
                  {"hill.asc --heights two.csv" + radius, 2, "--heights"}});
}

// SPDX-License-Identifier: GPL-3.0-or-later
// packgen terrain as users run it: its files can be run, its heights are those of its input, and
// faulty input is refused.
#include "tool_test.hpp"

namespace {

const std::string header = "ncols 5\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 2\n";

/// Heights (x - 1)/2 + (z + 5)/2, a plane, and a bump.
std::string grid(double bump = 0.0) {
  std::string text = header + "NODATA_value -9999\n";
  for (int k = 0; k < 15; ++k)
    text += fmt::format("{}{}", k % 5 + k / 5 + (k == 7 ? bump : 0.0), k % 5 == 4 ? "\n" : " ");
  return text;
}

}  // namespace

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

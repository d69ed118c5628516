// SPDX-License-Identifier: GPL-3.0-or-later
// packgen voronoi and cut as users run them: what they make can be run, and what cannot be made is
// refused.
#include "tool_test.hpp"

namespace {

const std::string rockBond = " --bond young=1e9,poisson=0.25,tensile=1e6,cohesion=2e6";

/// An L, which is not convex, closed or without its last face; and tables.
void writeSolids(const Folder& folder) {
  const std::string corners =
      "0 0 0\n2 0 0\n2 1 0\n1 1 0\n1 2 0\n0 2 0\n0 0 1\n2 0 1\n2 1 1\n1 1 1\n1 2 1\n0 2 1\n";
  const std::string sides =
      "6 5 4 3 2 1 0\n6 6 7 8 9 10 11\n4 0 1 7 6\n4 1 2 8 7\n4 2 3 9 8\n4 3 4 10 9\n"
      "4 4 5 11 10\n";
  folder.write("l.off", "OFF\n12 8 0\n" + corners + sides + "4 5 0 6 11\n");
  folder.write("open.off", "OFF\n12 7 0\n" + corners + sides);
  folder.write("flat.tess", "***tess\n **format\n   3.4\n **general\n   2 standard\n***end\n");
  folder.write("far.csv", "x,y,z,dip,dipdir\n0,50,0,0,0\n");
  folder.write("steep.csv", "x,y,z,dip,dipdir\n0,0.5,0,95,0\n");
}

}  // namespace

TEST_CASE("what voronoi and cut make passes --check --strict", "[golden][packgen][rock]") {
  const Folder folder;
  writeSolids(folder);
  const auto [law, command] = GENERATE(
      std::pair("StickedLinks", "voronoi --container box:1,1,1 --cells 60 --radius 5e-3"),
      std::pair("BCM", "voronoi --container periodic:1,1,1 --cells 300 --radius 3e-3"),
      std::pair("StickedLinks",
                "voronoi --container cylinder:0.5,1 --cells 60 --radius 5e-3 --relax 3"),
      std::pair("BCM", "voronoi --container sphere:0.5 --cells 60 --radius 5e-3 --stretch 1,2,1"),
      std::pair("BCM",
                "voronoi --container box:1,1,1 --cells 60 --radius 2e-3 --grading lognormal:1,0.3 "
                "--driven 'y < 0.2'"),
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
  const Folder folder;
  writeSolids(folder);
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

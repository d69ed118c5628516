// SPDX-License-Identifier: GPL-3.0-or-later
// `clumpify convert`: tables of spheres, LAMMPS and LIGGGHTS, losses, and messages.
#include "catch.hpp"
#include "command.hpp"
#include "converted.hpp"

#include "scree/base/files.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"

#include <algorithm>
#include <sstream>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

TEST_CASE("YADE and CSV hold spheres and clumps", "[clumpify][convert]") {
  const std::string more = pair + "1 Sphere 5 0 0 0.5\n2u Sphere 6 0 0 1\n2u Sphere 7 0 0 1\n";
  CHECK(file(convert(more, "yade"), "") ==
        "#format x_y_z_r_clumpId\n0 0 0 1 0\n0 0 1.2 0.8 0\n5 0 0 0.5 1\n6 0 0 1 2\n7 0 0 1 3\n");
  CHECK(file(convert(pair, "csv"), "") == "x,y,z,r\n0,0,0,1\n0,0,1.2,0.8\n");
  CHECK(file(convert(more, "csv"), "") ==
        "x,y,z,r,id\n0,0,0,1,0\n0,0,1.2,0.8,0\n5,0,0,0.5,1\n6,0,0,1,-1\n7,0,0,1,-1\n");
}

TEST_CASE("LAMMPS gets the mass and inertia of a clump", "[clumpify][convert]") {
  const auto files = convert(pair + "1 Sphere 5 0 0 0.5\n", "lammps");
  CHECK_THAT(file(files, ""), Contains("3 atoms") && Contains("1 1 0 0 0 2 1000 1\n") &&
                                  Contains("2 1 0 0 1.2 1.6 1000 1\n") &&
                                  Contains("3 1 5 0 0 1 1000 0\n"));
  std::istringstream in(file(files, ".infile"));
  std::string count, line;
  std::getline(in, count);
  std::getline(in, line);
  CHECK(count == "1");
  const auto n = numbersOf(line);
  REQUIRE(n.size() == 20);
  CHECK(n[1] == Approx(weight).epsilon(1e-9));
  CHECK(n[4] == Approx(com).epsilon(1e-8));
  CHECK(n[5] == Approx(across).epsilon(1e-9));
  CHECK(n[7] == Approx(along).epsilon(1e-9));
  CHECK_THAT(file(files, ".in"),
             Contains("rigid/small molecule infile T2.infile") && Contains("boundary f f f"));
  // One clump alone is a molecule too; its shares add up to its mass.
  const std::string molecule = file(convert(pair, "lammps"), ".mol");
  CHECK(numbersOf(lineWith(molecule, " mass"))[0] == Approx(weight).epsilon(1e-9));
  CHECK(numbersOf(lineWith(molecule, " inertia"))[2] == Approx(along).epsilon(1e-9));
  CHECK_THAT(molecule, Contains("\n0 0 0 com\n") && Contains(" 0 0 0 inertia\n"));
  const auto shares = molecule.substr(molecule.find("Masses\n\n") + 8);
  const auto list = numbersOf(shares);
  REQUIRE(list.size() == 4);
  CHECK(list[1] + list[3] == Approx(weight).epsilon(1e-9));
  CHECK(list[1] == Approx(3895.8242).margin(5e-5));
  CHECK(list[3] == Approx(1994.6620).margin(5e-5));
  CHECK_THAT(file(convert("##PERIODIC:: 9 0 8\n" + pair, "lammps"), ""),
             Contains("0 9 xlo xhi") && Contains("0 8 zlo zhi"));
}

TEST_CASE("LIGGGHTS gets templates about the centre of mass", "[clumpify][convert]") {
  const auto files = convert(pair, "liggghts");
  const auto first = numbersOf(file(files, ".1.multisphere"));
  REQUIRE(first.size() == 8);
  CHECK(first[2] == Approx(-com).epsilon(1e-8));
  CHECK(first[6] == Approx(1.2 - com).epsilon(1e-8));
  const std::string script = file(files, "");
  const auto at = script.find("inertia_tensor ") + 15;
  const auto tensor = numbersOf(script.substr(at));  // Ixx Ixy Ixz Iyy Iyz Izz
  REQUIRE(tensor.size() == 6);
  CHECK(tensor[0] == Approx(across).epsilon(1e-9));
  CHECK(tensor[5] == Approx(along).epsilon(1e-9));
  CHECK(std::fabs(tensor[1]) < 1e-9);
  CHECK_THAT(script, Contains("spheres file T2.1.multisphere") && Contains("nspheres 2"));
}

TEST_CASE("what a target cannot hold is refused, left out or reported", "[clumpify][convert]") {
  const std::string mixed = pair + "1 Capsule 5 0 0 1.5 1 0 0\n";
  CHECK_THROWS_WITH(convert(mixed, "yade"),
                    Contains("particle 1 has a member of type Capsule") && Contains("--lossy"));
  std::vector<std::string> warnings;
  CHECK(file(convert(mixed, "yade", true, false, &warnings), "") ==
        file(convert(pair, "yade"), ""));
  CHECK(warnings.size() == 1);
  const std::string given =
      "#@ id=0 density=2 volume=1 position=0,0,0 inertia=1,1,1,0,0,0\n" + pair;
  convert(given, "csv", false, false, &warnings);
  CHECK_THAT(warnings.at(0), Contains("lost: given mass and inertia"));
  const auto n = numbersOf(file(convert(given, "lammps"), ".infile"));
  CHECK(n[2] == 2.0);  // behind the count and the molecule: the given mass
  const std::string grouped = "##PERIODIC:: 9 9 9\n#@ id=0 density=2 group=a:b\n" + pair;
  convert(grouped, "yade", false, false, &warnings);
  CHECK(warnings.size() == 1);  // cell, density, groups
  CHECK_THROWS_AS(convert(grouped, "yade", false, true), ModelError);
  CHECK_THROWS_WITH(convert(mixed + "1 Sphere 5 0 0 1\n", "shp"), Contains("radii from 0.5 to 1"));
}

TEST_CASE("sphere tables come back to the bits, and bad rows are refused", "[clumpify][convert]") {
  const std::string pack =
      "0 Sphere 0.1 -2e-07 3 1\n0 Sphere 0 0 1.2 0.8\n1 Sphere 5 0 0 0.30000000000000004\n";
  for (const char* format : {"yade", "csv"})
    CHECK(file(convert(file(convert(pack, format), ""), "shapepack"), "") == pack);
  CHECK(file(convert("x,y,z,r\n0,0,0,1\n0,0,1.2,0.8\n", "shapepack"), "") == pair);
  CHECK(file(convert("#format x_y_z_r\n0 0 0 1\n0 0 1 1\n", "shapepack"), "") ==
        "0 Sphere 0 0 0 1\n1 Sphere 0 0 1 1\n");
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"x,y,z,r\n0,0,0\n", ":2:1: expected 4 values, found 3"},
           {"x,y,z,r\n0,0,0,0\n", ":2:7: r: expected a number above 0"},
           {"x,y,z,r\n0,0,a,1\n", ":2:5: z: expected a number"},
           {"r,x,y,z\n1,0,0,\n", ":2:"},
           {"x,y,z,r,id\n1,,2,3,0.5\n", ":2:3"},
           {"1;2;3;1,5\n", ":1:"},
           {"x,y,z\n0,0,0\n", ":1:1: the table has no column r"},
           {"x,y,z,r,id\n0,0,0,1,-2\n", ":2:9: clumpId: expected"},
           {"0 0 0\n", ":1:1: expected x y z r"},
           {"#format x_y_z_r_clumpId\n0 0 0 1\n", ":2:1: expected 5 values, found 4"},
           {"#format x_y_z_r\n0 0 0 -1\n", ":2:7"}}) {
    INFO(text);
    CHECK_THROWS_WITH(convert(text, "shapepack"), Contains(message));
  }
}

TEST_CASE("a table is recognised by its columns, and one without spheres is warned about",
          "[clumpify][convert]") {
  for (const char* table :
       {"z,y,x,r\n3,2,1,0.5\n", "id, r, x, y, z\n0, 0.5, 1, 2, 3\n", ",x,y,z,r\n0,1,2,3,0.5\n"})
    CHECK(file(convert(table, "shapepack"), "") == "0 Sphere 1 2 3 0.5\n");
  CHECK_THROWS_WITH(convert("0 Sphere 0,5 0 0 1\n", "shapepack"), Contains("centre: expected"));
  for (const char* table : {"x,y,z,r\n", "#format x_y_z_r\n"}) {
    std::vector<std::string> warnings;
    CHECK(file(convert(table, "shapepack", false, false, &warnings), "").empty());
    CHECK_THAT(warnings.at(0), Contains("no sphere in this table"));
    CHECK_THROWS_WITH(convert(table, "shapepack", false, true), Contains("no sphere"));
  }
}

TEST_CASE("lost IDs, comments, marks and densities are reported", "[clumpify][convert]") {
  const auto warned = [](const std::string& text, const std::string& to) {
    std::vector<std::string> warnings;
    convert(text, to, false, false, &warnings);
    return warnings;
  };
  for (const char* to : {"yade", "lammps", "liggghts", "conf"}) {
    INFO(to);
    CHECK_THAT(warned("7 Sphere 0 0 0 1\n", to).at(0), Contains("IDs"));
    CHECK(warned("0 Sphere 0 0 0 1\n", to).empty());
  }
  CHECK(file(convert("7 Sphere 0 0 0 1\n", "csv", false, true), "") == "x,y,z,r,id\n0,0,0,1,7\n");
  CHECK(warned("7 Sphere 0 0 0 1\n", "shp").empty());  // its name holds the ID
  CHECK_THAT(warned("# by hand\n0 Sphere 0 0 0 1\n", "lammps").at(0), Contains("comments"));
  for (const char* to : {"yade", "csv", "lammps"})
    CHECK_THAT(warned("0u Sphere 0 0 0 1\n0u Sphere 5 0 0 1\n", to).at(0), Contains("the mark u"));
  // What --lossy leaves out between two particles of one ID does not tie them together.
  std::vector<std::string> warnings;
  CHECK(file(convert("0 Sphere 0 0 0 1\n1 Capsule 5 0 0 1 0.5 0 0\n0 Sphere 9 0 0 1\n", "csv", true,
                     false, &warnings),
             "") == "x,y,z,r,id\n0,0,0,1,0\n9,0,0,1,1\n");
  CHECK_THAT(warnings.back(), Contains("IDs"));

  const testing::Folder folder;
  folder.write("pair.txt", pair);
  for (const char* to : {"yade", "csv", "shp"}) {
    const std::string command =
        std::string("clumpify convert pair.txt --density 2600 -o out --force --lossy --to ") + to;
    const testing::Outcome outcome = testing::run(folder, command);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.err, Contains("the density of --density"));
    CHECK(testing::run(folder, command + " --strict").code == 3);
  }
  CHECK(testing::run(folder, "clumpify convert pair.txt --to shapepack --density 2600").out ==
        "#@ id=0 density=2600\n" + pair);
  CHECK(testing::run(folder, "clumpify convert pair.txt --to shapepack").out == pair);
}

TEST_CASE("each member that is not clumped counts as a body", "[clumpify][convert]") {
  const std::string apart =
      "0 Sphere 0 0 0 1\n1u Sphere 5 0 0 1\n1u Sphere 8 0 0 1\n2 Sphere 11 0 0 1\n";
  CHECK_THAT(file(convert(apart, "lammps"), ""), Contains("4 bodies, 0 of them clumps"));
  // The third particle is the fourth body, so its ID is lost.
  for (const char* to : {"yade", "lammps", "liggghts"}) {
    std::vector<std::string> warnings;
    convert(apart, to, false, false, &warnings);
    CHECK(std::ranges::count_if(warnings, [](const std::string& warning) {
            return warning.find("IDs") != std::string::npos;
          }) == 1);
  }
}

TEST_CASE("formats are recognised behind comments, and materials of YADE are no clumps",
          "[clumpify][convert]") {
  const std::string shapes = "# shapeSurvey make\n# again\n" + file(convert(pair, "shp"), "");
  CHECK_THAT(file(convert(shapes, "shapepack"), ""), Contains("0 Sphere 0 0 "));
  CHECK(file(convert("# by hand\nx,y,z,r\n0,0,0,1\n0,0,1.2,0.8\n", "shapepack"), "") == pair);
  CHECK(file(convert("# by hand\n#format x_y_z_r_clumpId\n0 0 0 1 0\n0 0 1.2 0.8 0\n", "shapepack"),
             "") == pair);
  std::vector<std::string> warnings;
  CHECK(file(convert("#format x_y_z_r_matId\n0 0 0 1 0\n0 0 1.2 0.8 0\n", "shapepack", false, false,
                     &warnings),
             "") == "0 Sphere 0 0 0 1\n1 Sphere 0 0 1.2 0.8\n");
  CHECK_THAT(warnings.at(0), Contains("lost: the columns matId"));
  // A header without x, y, z and r is no table of spheres.
  CHECK_THROWS_WITH(convert("cx,cy,cz,size\n0,0,0,1\n", "shapepack"),
                    Contains(":1:1: ") && Contains("found 'cx,cy,cz,size'"));
}

TEST_CASE("verbs that write packs refuse --json, and messages about particles name the file",
          "[clumpify][convert]") {
  const testing::Folder folder;
  folder.write("pack.txt", "0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0\n");
  for (const char* verb : {"transform pack.txt", "convert pack.txt --to shapepack"})
    CHECK(testing::run(folder, std::string("clumpify ") + verb + " --json").code == 2);
  const testing::Outcome outcome = testing::run(folder, "clumpify mass pack.txt");
  CHECK(outcome.code == 3);
  CHECK_THAT(outcome.err, Contains("pack.txt: particle 0 (line 1)"));
}

TEST_CASE("a format of several files needs -o, which is said first", "[clumpify][convert]") {
  const testing::Folder folder;
  folder.write("pack.txt", "# a comment\n3 Sphere 0 0 0 1\n" + pair);
  for (const char* to : {"conf", "yade", "lammps", "liggghts"}) {
    INFO(to);
    const testing::Outcome outcome =
        testing::run(folder, std::string("clumpify convert pack.txt --to ") + to);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Contains("-o NAME"));
  }
  const testing::Outcome help = testing::run(folder, "clumpify convert --help");
  CHECK_THAT(help.out, Contains("clumpify convert pack.txt --to lammps"));
}

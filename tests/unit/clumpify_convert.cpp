// SPDX-License-Identifier: GPL-3.0-or-later
// `clumpify convert`: tables of spheres, LAMMPS and LIGGGHTS, losses, messages; inputs that all
// verbs recognise, and standard input.
#include "catch.hpp"
#include "command.hpp"
#include "converted.hpp"
#include "json.hpp"

#include "scree/base/files.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"

#include <array>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

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
  // The periodic axes come back, since comments mark them.
  const std::string data = file(convert("##PERIODIC:: 9 0 8\n" + pair, "lammps"), "");
  CHECK_THAT(data, Contains("0 9 xlo xhi # periodic\n") && Contains("0 8 zlo zhi # periodic\n"));
  TextReader reader("T2", data);
  Diagnostics diagnostics;
  CHECK(clump::readSphereTable(reader, diagnostics).cell == Vec3(9, 0, 8));
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
  CHECK_THROWS_WITH(convert(mixed, "yade"), Contains("particle 1") && Contains("--lossy"));
  std::vector<std::string> warnings;
  CHECK(file(convert(mixed, "yade", true, false, &warnings), "") ==
        file(convert(pair, "yade"), ""));
  CHECK(warnings.size() == 1);
  CHECK_THROWS_AS(convert(mixed + "1 Sphere 5 0 0 1\n", "shp"), ModelError);
  // The lost data of each line, in one warning that --strict refuses.
  const std::string given = "#@ id=0 density=2 volume=1 position=0,0,0 inertia=1,1,1,0,0,0\n";
  for (const auto& [text, to, lost] : std::vector<std::array<std::string, 3>>{
           {given + pair, "csv", "given mass and inertia"},
           {"##PERIODIC:: 9 9 9\n" + pair, "yade", "the periodic cell"},
           {"#@ id=0 density=2 group=a:b\n" + pair, "yade", "densities, groups"},
           {"7 Sphere 0 0 0 1\n", "yade", "IDs"},
           {"7 Sphere 0 0 0 1\n", "conf", "IDs"},
           {"# by hand\n" + pair, "lammps", "comments"},
           {"0u Sphere 0 0 0 1\n0u Sphere 5 0 0 1\n", "csv", "the mark u"},
           {"0u Sphere 0 0 0 1\n0u Sphere 5 0 0 1\n1 Sphere 9 0 0 1\n", "lammps", "IDs"}}) {
    INFO(to << ": " << lost);
    convert(text, to, false, false, &warnings);
    REQUIRE(warnings.size() == 1);
    CHECK_THAT(warnings[0], Contains("lost: ") && Contains(lost));
    CHECK_THROWS_AS(convert(text, to, false, true), ModelError);
  }
  for (const char* to : {"csv", "shp"})  // they hold the ID
    CHECK_NOTHROW(convert("7 Sphere 0 0 0 1\n", to, false, true));
  // behind the count and the molecule: the given mass
  CHECK(numbersOf(file(convert(given + pair, "lammps"), ".infile"))[2] == 2.0);
  // Particles of one ID stay apart where --lossy leaves one out between them.
  CHECK(
      file(convert("0 Sphere 0 0 0 1\n1 Capsule 5 0 0 1 0.5 0 0\n0 Sphere 9 0 0 1\n", "csv", true),
           "") == "x,y,z,r,id\n0,0,0,1,0\n9,0,0,1,1\n");

  const testing::Folder folder;
  folder.write("pair.txt", pair);
  const std::string command = "clumpify convert pair.txt --density 2600 -o out --to csv";
  CHECK_THAT(testing::run(folder, command).err, Contains("the density of --density"));
  CHECK(testing::run(folder, "clumpify convert pair.txt --to shapepack --density 2600").out ==
        "#@ id=0 density=2600\n" + pair);
}

TEST_CASE("sphere tables come back to the bits, and bad rows are refused", "[clumpify][convert]") {
  const std::string pack =
      "0 Sphere 0.1 -2e-07 3 1\n0 Sphere 0 0 1.2 0.8\n1 Sphere 5 0 0 0.30000000000000004\n";
  for (const char* format : {"yade", "csv"})
    CHECK(file(convert(file(convert(pack, format), ""), "shapepack"), "") == pack);
  for (const auto& [text, place] : std::vector<std::pair<std::string, std::string>>{
           {"x,y,z,r\n0,0,0\n", ":2:1: "},
           {"x,y,z,r\n0,0,0,0\n", ":2:7: r: expected a number above 0"},
           {"x,y,z,r,id\n1,,2,3,0.5\n", ":2:3: "},
           {"1;2;3;1,5\n", ":1:"},
           {"x,y,z,r,id\n0,0,0,1,-2\n", ":2:9: "},
           {"##PERIODIC:: 4 5\n0 0 0 1 -1\n", ":1:1: "},
           {"#format x_y_z_r\n0 0 0 -1\n", ":2:7: "}}) {
    INFO(text);
    CHECK_THROWS_WITH(convert(text, "shapepack"), Contains(place));
  }
  for (const char* table : {"x,y,z,r\n", "#format x_y_z_r\n"}) {
    CHECK(file(convert(table, "shapepack"), "").empty());
    CHECK_THROWS_WITH(convert(table, "shapepack", false, true), Contains("no sphere"));
  }
}

TEST_CASE("a density that is written scales a given inertia", "[clumpify][convert]") {
  const Folder folder;
  folder.write("pack.txt",
               "#@ id=0 volume=2 position=0,0,0 inertia=0.3,0.4,0.5,0,0,0\n0 Sphere 0 0 0 1\n"
               "#@ id=1 density=5 volume=2 position=0,0,0 inertia=3,4,5,0,0,0\n1 Sphere 9 0 0 1\n");
  const Outcome dense = run(folder, "clumpify convert pack.txt --to shapepack --density 1000");
  CHECK_THAT(dense.out, Contains("density=1000 volume=2 position=0,0,0 inertia=300,400,500,0,0,0"));
  CHECK_THAT(dense.out, Contains("density=5 volume=2 position=0,0,0 inertia=3,4,5,0,0,0"));
  // So does the mass that a shape states.
  folder.write("box.shp",
               "<\nname a\nradius 1\npreCompDone y\nnv 1\n0 0 0\nne 0\nnf 0\n"
               "obb.extent 1 1 1\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\n"
               "obb.center 0 0 0\nposition 0 0 0\norientation 1 0 0 0\nvolume 2\n"
               "I/m 0.2 0.2 0.2\n>\n");
  expect(folder, "clumpify convert box.shp --to shapepack --density 1000 -o out.txt", 0);
  const auto json = parseJson(run(folder, "clumpify mass out.txt --json").out)["particles"][0];
  CHECK(json["mass"].get<double>() == Approx(2000.0).epsilon(1e-14));
  CHECK(json["inertiaTensor"][0].get<double>() == Approx(400.0).epsilon(1e-14));
}

TEST_CASE("spheres inside others are left out", "[clumpify][convert]") {
  const std::string doubled = pair + "0 Sphere 0 0 0 1\n0 Sphere 0 0 0.1 0.5\n";
  std::vector<std::string> warnings;
  CHECK(file(convert(doubled, "csv", false, false, &warnings), "") ==
        "x,y,z,r\n0,0,0,1\n0,0,1.2,0.8\n");
  CHECK(warnings.size() == 1);
  CHECK_THROWS_AS(convert(doubled, "csv", false, true), ModelError);
  CHECK(file(convert(doubled, "shapepack"), "") == doubled);
  // One that reaches out by the last digit stays; so do members that are not clumped.
  const std::string out = "0 Sphere 0 0 0 1\n0 Sphere 0 0 0.5 0.500000000001\n";
  CHECK_THAT(file(convert(out, "csv"), ""), Contains("0,0,0.5,0.500000000001\n"));
  CHECK_THAT(file(convert("0u Sphere 0 0 0 1\n0u Sphere 0 0 0 1\n", "csv"), ""),
             Contains("0,0,0,1,-1\n0,0,0,1,-1\n"));
  // Equal radii must be equal.
  CHECK_THAT(file(convert("0 Sphere 0 0 0 1\n0 Sphere 0 0 1 1.0000000000005\n", "shp"), ""),
             Contains("radii 1 1.0000000000005\n"));

  const Folder folder;
  folder.write("doubled.txt", doubled);
  REQUIRE(run(folder, "shapeSurvey make box --size 2 2 2 -o box.shp").code == 0);
  const Outcome quality = run(folder, "clumpify quality doubled.txt box.shp --json");
  CHECK(parseJson(quality.out)["spheres"] == 2);
  CHECK_THAT(quality.err, Contains("2 sphere(s)"));
  folder.write("apart.txt", "0u Sphere 0 0 0 1\n0u Sphere 0 0 1 1\n");
  CHECK(run(folder, "clumpify quality apart.txt box.shp").code == 3);
}

TEST_CASE("create, mass, transform and lump take what convert reads", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("a.shp", file(convert(pair, "shp", true), ""));
  folder.write("T2.shp", file(convert(pair, "conf"), ".shp"));
  folder.write("a.conf", file(convert(pair, "conf"), ""));
  folder.write("a.csv", file(convert(pair, "csv"), ""));
  folder.write("a.yade", file(convert(pair, "yade"), ""));
  for (const char* name : {"a.shp", "a.conf", "a.csv", "a.yade"}) {
    INFO(name);
    const std::string from = std::string(" ") + name;
    const auto mass = parseJson(run(folder, "clumpify mass --json" + from).out);
    CHECK(mass["particles"].size() == 1);
    CHECK(mass["particles"][0]["volume"].get<double>() == Approx(5.890486225).epsilon(1e-9));
    const auto lump = parseJson(run(folder, "clumpify lump --density 1 --json" + from).out);
    CHECK(lump["nodes"].size() == 2);
    for (const char* verb : {"create", "transform"}) {
      CHECK_THAT(expect(folder, std::string("clumpify ") + verb + from, 0).out,
                 Contains("Sphere 0 0 ") && Contains(" 0.8"));
    }
  }
}

TEST_CASE("a table of spheres is read with any header or none", "[clumpify][inputs]") {
  const std::string two = "0 Sphere 0 0 0 1\n0 Sphere 0 0 1 1\n";
  for (std::string table :
       {"0 0 0 1\n0 0 1 1\n", "0;0;0;1\n0;0;1;1\n", "0\t0\t0\t1\n0\t0\t1\t1\n",
        "X,Y,Z,R\n0,0,0,1\n0,0,1,1\n", "x,y,z,diameter\n0,0,0,2\n0,0,1,2\n",
        "# id x y z rad\n0 0 0 0 1\n0 0 0 1 1\n", "# LIGGGHTS\n0 0 0 1 # first\n0 0 1 1\n",
        "# by hand\n#format x_y_z_r_clumpId\n0 0 0 1 0\n0 0 1 1 0\n",
        "id,x,y,z,r,mat\n0,0,0,0,1,2\n0,0,0,1,1,2\n"}) {
    INFO(table);
    std::vector<std::string> warnings;
    CHECK(file(convert(table, "shapepack", false, false, &warnings), "") == two);
    CHECK(warnings.size() == (table.find(",mat") != std::string::npos ? 1 : 0));
  }
  CHECK_THAT(
      file(convert("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n-1 "
                   "1\n-1 1\n-1 2\nITEM: ATOMS id mol x y z radius\n1 4 0 0 0 1\n2 4 0 0 1 1\n",
                   "shapepack"),
           ""),
      Contains("4 Sphere 0 0 0 1\n4 Sphere 0 0 1 1\n"));
  // Data files of LAMMPS, as write_data and as this program writes them.
  CHECK(file(convert(
                 "by write_data\n\n2 atoms\n1 atom types\n\n-1 1 xlo xhi\n\nAtoms # sphere\n\n"
                 "1 1 2 2500 0 0 0 0 0 0\n2 1 2 2500 0 0 1 0 0 0\n\nVelocities\n\n1 0 0 0 0 0 0\n",
                 "csv"),
             "") == "x,y,z,r,id\n0,0,0,1,0\n0,0,1,1,1\n");
  CHECK(file(convert(file(convert(two, "lammps"), ""), "csv"), "") ==
        "x,y,z,r,id\n0,0,0,1,1\n0,0,1,1,1\n");
  // A clump across a periodic side stands together, by its images or by the box.
  for (const char* text :
       {"t\n\n2 atoms\n\n0 10 xlo xhi\n\nAtoms # hybrid\n\n1 1 9.5 5 5 2 1 7 0 0 0\n"
        "2 1 0.5 5 5 2 1 7 1 0 0\n",
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp ff ff\n0 10\n0 9\n0 9\n"
        "ITEM: ATOMS id mol x y z radius\n1 7 9.5 5 5 1\n2 7 0.5 5 5 1\n"})
    CHECK_THAT(file(convert(text, "shapepack"), ""), Contains("7 Sphere 10.5 5 5 1"));
  // So does one that is longer than half the cell.
  const std::string rod =
      "##PERIODIC:: 4 4 4\n0 Sphere 0.5 2 2 0.5\n0 Sphere 1.5 2 2 0.5\n0 Sphere 2.5 2 2 0.5\n"
      "0 Sphere 3.2 2 2 0.5\n";
  CHECK_THAT(file(convert(file(convert(rod, "lammps"), ""), "shapepack"), ""),
             Contains("Sphere 2.5 2 2 0.5\n") && Contains("Sphere 3.2 2 2 0.5\n"));
  // A cell that a pack cannot hold is reported; straight sides still put clumps together.
  for (const auto& [box, place] : std::vector<std::pair<std::string, std::string>>{
           {"pp pp pp\n-5 5\n-5 5\n-5 5\n", "7 Sphere 5.5 0 0 1"},
           {"xy xz yz pp pp pp\n-5 6 1\n-5 5 0\n-5 5 0\n", "7 Sphere -4.5 0 0 1"}}) {
    std::vector<std::string> lost;
    CHECK_THAT(file(convert("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS " + box +
                                "ITEM: ATOMS id mol x y z radius\n1 7 4.5 0 0 1\n2 7 -4.5 0 0 1\n",
                            "shapepack", false, false, &lost),
                    ""),
               Contains(place) && !Contains("PERIODIC"));
    CHECK_THAT(lost.back(), Contains("lost: the periodic cell"));
  }
  CHECK_THROWS_AS(convert("t\n\n2 atoms\n\nAtoms # sphere\n\n1 1 2 1 0 0 0\n", "csv"), ParseError);
  CHECK_THROWS_AS(convert("t\n\n1 atoms\n\nAtoms # bond\n\n1 1 1 0 0 0\n", "csv"), ParseError);
  // Where the table says so, each sphere is a particle; -1 belongs to no clump.
  for (const char* text :
       {"#format x_y_z_r\n0 0 0 1\n0 0 1 1\n", "##PERIODIC:: 5 5 5\n0 0 0 1\n0 0 1 1\n",
        "#format x_y_z_r_matId\n0 0 0 1 0\n0 0 1 1 0\n"})
    CHECK(file(convert(text, "csv"), "") == "x,y,z,r,id\n0,0,0,1,0\n0,0,1,1,1\n");
  CHECK(file(convert("##PERIODIC:: 4 5 0\n0 0 0 1 -1\n1 0 0 1 -1\n2 0 0 1 0\n3 0 0 1 0\n",
                     "shapepack"),
             "") ==
        "##PERIODIC:: 4 5 0\n1 Sphere 0 0 0 1\n2 Sphere 1 0 0 1\n0 Sphere 2 0 0 1\n"
        "0 Sphere 3 0 0 1\n");
  std::vector<std::string> warnings;
  convert("id,x,y,z,r\n3,0,0,0,1\n0,5,5,5,1\n3,1,0,0,1\n", "shapepack", false, false, &warnings);
  CHECK_THAT(warnings.at(0), Contains("returns after other IDs"));
}

TEST_CASE("standard input is recognised by its content, named, and read once",
          "[clumpify][inputs]") {
  const Folder folder;
  folder.write("a.csv", "x,y,z,r\n0,0,0,1\n");
  folder.write("none.txt", "# nothing\n");
  folder.write("pack.txt", pair);
  CHECK(run(folder, "clumpify convert - --to shapepack < a.csv").out == "0 Sphere 0 0 0 1\n");
  CHECK_THAT(run(folder, "clumpify create - < none.txt").err,
             Contains("standard input: no block is chosen"));
  folder.write("a.conf", file(convert(pair, "conf", true), ""));
  folder.write("T2.shp", file(convert(pair, "conf", true), ".shp"));
  const Outcome conf = run(folder, "clumpify convert - --from conf --to shapepack < a.conf");
  CHECK_THAT(conf.err, Contains("standard input: of a conf-file"));
  for (const char* command : {"transform - - --merge", "add - - --id 0", "quality - -"})
    expect(folder, std::string("clumpify ") + command + " < pack.txt", 2,
           {"-: standard input can be read only once"});
}

TEST_CASE("masses beyond the range of numbers are refused", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("dense.txt", "#@ id=4 density=1e308\n4 Sphere 0 0 0 1\n4 Sphere 0 0 1.2 0.8\n");
  for (const char* words : {"mass dense.txt", "convert dense.txt --to lammps -o a",
                            "convert dense.txt --to conf -o a"}) {
    CHECK(expect(folder, std::string("clumpify ") + words, 3,
                 {"particle 4", "range of double precision"})
              .out.empty());
    CHECK_FALSE(folder.has("a"));
  }
}

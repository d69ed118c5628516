// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs of clumpify: formats that are recognised, sphere tables, standard input, and words that
// are refused.
#include "catch.hpp"
#include "command.hpp"
#include "converted.hpp"
#include "json.hpp"

#include "scree/base/files.hpp"

using namespace scree;
using namespace scree::testing;
using Catch::Contains;

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
      const Outcome outcome = run(folder, std::string("clumpify ") + verb + from);
      CHECK(outcome.code == 0);
      CHECK_THAT(outcome.out, Contains("Sphere 0 0 ") && Contains(" 0.8"));
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

TEST_CASE("a published template of LIGGGHTS is one clump", "[clumpify][inputs]") {
  const std::string path = publicData(
      "field/shapes/P3-four-column-template-becomes-loose-spheres-without-a-"
      "word/stone1.multisphere");
  if (path.empty()) return;
  const Folder folder;
  for (const char* verb : {"mass ", "create -o made.txt "}) {
    const Outcome outcome = run(folder, std::string("clumpify ") + verb + path + " --json");
    const auto particles = parseJson(outcome.out)["particles"];
    CHECK(particles.size() == 1);
    CHECK(particles[0]["volume"].get<double>() == Approx(18406.005).epsilon(1e-7));
  }
  REQUIRE(run(folder, "clumpify convert " + path + " --to lammps -o out.data").code == 0);
  CHECK(folder.has("out.data.infile"));
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
  for (const char* command : {"transform - - --merge", "add - - --id 0", "quality - -"}) {
    const Outcome outcome = run(folder, std::string("clumpify ") + command + " < pack.txt");
    INFO(command << ": " << outcome.err);
    CHECK(outcome.code == 2);
    CHECK_THAT(outcome.err, Contains("-: standard input can be read only once"));
  }
}

TEST_CASE("masses beyond the range of numbers are refused", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("dense.txt", "#@ id=4 density=1e308\n4 Sphere 0 0 0 1\n4 Sphere 0 0 1.2 0.8\n");
  for (const char* words : {"mass dense.txt", "convert dense.txt --to lammps -o a",
                            "convert dense.txt --to conf -o a"}) {
    INFO(words);
    const Outcome outcome = run(folder, std::string("clumpify ") + words);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Contains("particle 4") && Contains("range of double precision"));
    CHECK(outcome.out.empty());
    CHECK_FALSE(std::filesystem::exists(folder.path("a")));
  }
}

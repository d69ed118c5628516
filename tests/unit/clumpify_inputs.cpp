// SPDX-License-Identifier: GPL-3.0-or-later
// What clumpify reads: formats that are recognised, sphere tables, standard input, and words that
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
  // Two balls of radius 1 a radius apart: 4/3 pi 2 less the lens 5/12 pi.
  const double two = 4.0 / 3.0 * pi * 2.0 - 5.0 / 12.0 * pi;
  const Folder folder;
  for (const char* table :
       {"0 0 0 1\n0 0 1 1\n", "0,0,0,1\n0,0,1,1\n", "0;0;0;1\n0;0;1;1\n",
        "0\t0\t0\t1\n0\t0\t1\t1\n", "x y z r\n0 0 0 1\n0 0 1 1\n", "X,Y,Z,R\n0,0,0,1\n0,0,1,1\n",
        "x,y,z,radius\n0,0,0,1\n0,0,1,1\n", "x,y,z,diameter\n0,0,0,2\n0,0,1,2\n",
        "# id x y z rad\n7 0 0 0 1\n7 0 0 1 1\n", "# LIGGGHTS\n0 0 0 1 # first\n0 0 1 1\n",
        "id,x,y,z,r,mat\n0,0,0,0,1,2\n0,0,0,1,1,2\n",
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n-1 1\n-1 1\n-1 2\n"
        "ITEM: ATOMS id mol x y z radius\n1 4 0 0 0 1\n2 4 0 0 1 1\n"}) {
    folder.write("table", table);
    const Outcome outcome = run(folder, "clumpify mass table --json");
    INFO(table << outcome.err);
    REQUIRE(outcome.code == 0);
    const auto mass = parseJson(outcome.out);
    CHECK(mass["particles"].size() == 1);
    CHECK(mass["particles"][0]["volume"].get<double>() == Approx(two).epsilon(1e-12));
    CHECK((outcome.err.find("lost: the columns") != std::string::npos) ==
          (std::string(table).find("mat") != std::string::npos ||
           std::string(table).find("mol") != std::string::npos));
  }
  // Where the table says so, each sphere is a particle.
  for (const char* text :
       {"#format x_y_z_r\n0 0 0 1\n0 0 1 1\n", "##PERIODIC:: 5 5 5\n0 0 0 1\n0 0 1 1\n"})
    CHECK(file(convert(text, "csv"), "") == "x,y,z,r,id\n0,0,0,1,0\n0,0,1,1,1\n");
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
             Contains("standard input: contains no block"));
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

TEST_CASE("spheres with clumpId -1 belong to no clump, and Woo's packs keep their cell",
          "[clumpify][inputs]") {
  CHECK(file(convert("##PERIODIC:: 4 5 0\n0 0 0 1 -1\n1 0 0 1 -1\n2 0 0 1 0\n3 0 0 1 0\n",
                     "shapepack"),
             "") ==
        "##PERIODIC:: 4 5 0\n1 Sphere 0 0 0 1\n2 Sphere 1 0 0 1\n0 Sphere 2 0 0 1\n"
        "0 Sphere 3 0 0 1\n");
  CHECK(file(convert("#format x_y_z_r_clumpId\n0 0 0 1 -1\n0 0 1 1 1\n", "shapepack"), "") ==
        "2 Sphere 0 0 0 1\n1 Sphere 0 0 1 1\n");
  CHECK_THROWS_WITH(convert("#format x_y_z_r_clumpId\n0 0 0 1 -2\n", "shapepack"),
                    Contains("clumpId: expected"));
  CHECK_THROWS_WITH(convert("##PERIODIC:: 4 5\n0 0 0 1 -1\n", "shapepack"),
                    Contains("expected three edge lengths"));
}

TEST_CASE("an ID that returns in a table is warned about", "[clumpify][inputs]") {
  std::vector<std::string> warnings;
  convert("id,x,y,z,r\n3,0,0,0,1\n0,5,5,5,1\n3,1,0,0,1\n", "shapepack", false, false, &warnings);
  CHECK_THAT(warnings.at(0), Contains("returns after other IDs"));
}

TEST_CASE("masses beyond the range of numbers are refused", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("dense.txt", "#@ id=4 density=1e308\n4 Sphere 0 0 0 1\n4 Sphere 0 0 1.2 0.8\n");
  folder.write("plain.txt", "4 Sphere 0 0 0 1\n");
  for (const char* given : {"volume=1e+200 density=1e200", "volume=1e-300 density=1e-100"})
    folder.write(given[9] == '+' ? "huge.txt" : "tiny.txt",
                 std::string("#@ id=4 ") + given +
                     " position=0,0,0 inertia=1,1,1,0,0,0\n4 Sphere 0 0 0 1\n");
  for (const char* words :
       {"mass dense.txt", "mass plain.txt --density 1e308", "mass huge.txt", "mass tiny.txt",
        "convert dense.txt --to lammps -o a", "convert dense.txt --to conf -o a",
        "convert dense.txt --to liggghts -o a"}) {
    INFO(words);
    const Outcome outcome = run(folder, std::string("clumpify ") + words);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Contains("particle 4") && Contains("range of double precision"));
    CHECK(outcome.out.empty());
    CHECK_FALSE(std::filesystem::exists(folder.path("a")));
  }
}

TEST_CASE("an empty pack is a pack, and nothing else", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("none.txt", "# nothing\n");
  for (const char* verb : {"mass none.txt", "lump none.txt", "transform none.txt",
                           "convert none.txt --to shapepack"}) {
    const Outcome outcome = run(folder, std::string("clumpify ") + verb);
    INFO(verb);
    CHECK(outcome.code == 0);
    CHECK_THAT(outcome.err, Contains("no particle in this ShapePack"));
  }
  for (const char* to : {"conf", "shp", "exadem", "yade", "csv", "lammps", "liggghts"}) {
    const Outcome outcome = run(folder, std::string("clumpify convert none.txt -o out --to ") + to);
    INFO(to << ": " << outcome.err);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Contains("no particle is left to write"));
    CHECK_FALSE(std::filesystem::exists(folder.path("out")));
  }
  CHECK(run(folder, "clumpify create none.txt").code == 3);
}

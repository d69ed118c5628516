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

TEST_CASE("a file of another format is named, with what makes a pack of it", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("a.shp", file(convert(pair, "shp"), ""));
  folder.write("a.conf", "Rockable 29-11-2018\n");
  folder.write("a.csv", "x,y,z,r\n0,0,0,1\n");
  folder.write("a.yade", "#format x_y_z_r\n0 0 0 1\n");
  folder.write("a.woo", "0 0 0 1 -1\n");
  for (const auto& [name, format] :
       std::vector<std::pair<std::string, std::string>>{{"a.shp", "shp"},
                                                        {"a.conf", "conf"},
                                                        {"a.csv", "csv"},
                                                        {"a.yade", "yade"},
                                                        {"a.woo", "yade"}})
    for (const char* verb : {"mass", "lump", "transform"}) {
      const Outcome outcome = run(folder, std::string("clumpify ") + verb + " " + name);
      INFO(verb << " " << name << ": " << outcome.err);
      CHECK(outcome.code == 3);
      CHECK_THAT(outcome.err, Contains("expected a ShapePack; clumpify convert " + name +
                                       " --from " + format + " --to shapepack"));
    }
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
  CHECK_THAT(conf.err, Contains("standard input: lost: the contact law"));
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
  const Folder folder;
  folder.write("a.csv", "id,x,y,z,r\n3,0,0,0,1\n0,5,5,5,1\n3,1,0,0,1\n4,1,0,0,1\n3,1,2,0,1\n");
  folder.write("a.txt", "#format x_y_z_r_clumpId\n1 2 3 4 0\n5 6 7 1 -1\n1 1 1 1 0\n");
  const Outcome csv = run(folder, "clumpify convert a.csv --to shapepack"),
                yade = run(folder, "clumpify convert a.txt --to shapepack");
  CHECK_THAT(csv.err, Contains("a.csv: ID 3 returns after other IDs") && Contains("2 particles"));
  CHECK_THAT(yade.err, Contains("a.txt: ID 0 returns after other IDs"));
  CHECK(run(folder, "clumpify convert a.csv --to shapepack --strict").code == 3);
  folder.write("b.csv", "id,x,y,z,r\n3,0,0,0,1\n3,1,0,0,1\n0,5,5,5,1\n");
  CHECK_THAT(run(folder, "clumpify convert b.csv --to shapepack").err, !Contains("returns"));
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
       {"mass dense.txt", "mass plain.txt --density 1e308", "lump dense.txt", "mass huge.txt",
        "mass tiny.txt", "convert dense.txt --to lammps -o a", "convert dense.txt --to conf -o a",
        "convert dense.txt --to liggghts -o a"}) {
    INFO(words);
    const Outcome outcome = run(folder, std::string("clumpify ") + words);
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, Contains("particle 4") && Contains("range of double precision"));
    CHECK(outcome.out.empty());
    CHECK_FALSE(std::filesystem::exists(folder.path("a")));
  }
}

TEST_CASE("a motion that costs digits of the shape is warned about", "[clumpify][transform]") {
  const Folder folder;
  folder.write("pack.txt", "5 Sphere 0 0 0 1\n5 Sphere 1.2 0 0 0.8\n");
  const std::string there = "clumpify transform pack.txt --translate ";
  const Outcome far = run(folder, there + "1e20 0 0 --translate -1e20 0 0");
  CHECK_THAT(far.err, Contains("--translate: so far from the origin") && Contains("particle 5"));
  CHECK(run(folder, there + "1e20 0 0 --strict").code == 3);
  CHECK(run(folder, there + "1e8 0 0 --strict").code == 0);
}

TEST_CASE("tables may have tabs, semicolons and quoted names", "[clumpify][inputs]") {
  for (const char* table : {"x;y;z;r\n1;2;3;0.5\n", "x\ty\tz\tr\n1\t2\t3\t0.5\n",
                            "\"x\",\"y\",\"z\",\"r\"\n1,2,3,0.5\n"})
    CHECK(file(convert(table, "shapepack"), "") == "0 Sphere 1 2 3 0.5\n");
}

TEST_CASE("options that a method does not use are refused, and limits are named",
          "[clumpify][inputs]") {
  const Folder folder;
  folder.write("pack.txt", pair);
  for (const char* words :
       {"exact --divisions 5", "grid --tolerance 0.1", "sum --tolerance 0.1", "grid --divisions 0"})
    CHECK(run(folder, std::string("clumpify mass pack.txt --method ") + words).code == 2);
  CHECK(run(folder, "clumpify mass pack.txt --method all --tolerance 0.1 --divisions 5").code == 0);
  const Outcome swallowed = run(folder, "clumpify create pack.txt --calculate -o out.txt");
  CHECK(swallowed.code == 2);
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

TEST_CASE("a condition without a value is false", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("pack.txt", "0 Sphere -4 0 0 1\n1 Sphere 0 0 0 1\n2 Sphere 4 0 0 1\n");
  CHECK(run(folder, "clumpify transform pack.txt --keep 'sqrt(x)'").out == "2 Sphere 4 0 0 1\n");
  CHECK(run(folder, "clumpify transform pack.txt --drop 'sqrt(x)'").out ==
        "0 Sphere -4 0 0 1\n1 Sphere 0 0 0 1\n");
  const Outcome chosen = run(folder, "clumpify create pack.txt --select 'sqrt(x)' --id 9");
  CHECK_THAT(chosen.out, Contains("\n9 Sphere 4 0 0 1\n") && Contains("0 Sphere -4 0 0 1\n"));
}

TEST_CASE("a tetrahedron without volume is reported when it is lumped", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("flat.txt", "0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 1 1 0\n");
  const Outcome flat = run(folder, "clumpify lump flat.txt");
  CHECK(flat.code == 0);
  CHECK_THAT(flat.err, Contains("particle 0 (line 1)") && Contains("no volume"));
  CHECK(run(folder, "clumpify lump flat.txt --strict").code == 3);
}

TEST_CASE("a facet without thickness is reported when it is lumped", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("thin.txt",
               "0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0\n0 Facet 0 0 0 1 0 0 0 1 0 0 0 0 1 0.1\n");
  const Outcome thin = run(folder, "clumpify lump thin.txt");
  CHECK(thin.code == 0);
  CHECK_THAT(thin.err, Contains("1 of 2 shapes"));
  folder.write("line.txt", "0 Facet 0 0 0 1 0 0 0 1 0 0 2 0 0 0.1\n");
  const Outcome line = run(folder, "clumpify lump line.txt");
  CHECK_THAT(line.err, Contains("warning") && Contains("no volume"));
  CHECK(run(folder, "clumpify lump line.txt --strict").code == 3);
}

TEST_CASE("a facet without thickness overlaps nothing", "[clumpify][inputs]") {
  const Folder folder;
  folder.write("mixed.txt",
               "0 Facet 0 0 0 2 -1 0 0 1 0 0 0 1 0\n1 Ellipsoid 0 0 0 3 0 0 0 1 2 3\n");
  const Outcome made = run(folder, "clumpify create mixed.txt");
  CHECK(made.code == 0);
  CHECK_THAT(made.err, Contains("(exact)") && !Contains("no closed form"));
  folder.write("clump.txt", made.out);
  CHECK(run(folder, "clumpify mass clump.txt --method exact").code == 0);
}

TEST_CASE("an unusual name of a group and a misspelt keyword are refused", "[clumpify][inputs]") {
  for (const char* group : {"ro\x01"
                            "ck",
                            "rock:a\x1b[2J", "a:b:c", ""})
    CHECK_FALSE(clump::parsedGroup(group));
  CHECK(clump::parsedGroup("r\u00f6ck:a")->slot == "a");
  CHECK_THROWS_WITH(convert("<\nname a\nRadii 1 2\nnv 2\n0 0 0\n1 0 0\nne 0\nnf 0\n>\n", "csv"),
                    Contains("did you mean 'radii'"));
  CHECK_THROWS_WITH(convert("<\nname a\nradii 1 2 3\nnv 2\n0 0 0\n1 0 0\nne 0\nnf 0\n>\n", "csv"),
                    Contains(":3:1: shape 'a' has 3 radii"));
}

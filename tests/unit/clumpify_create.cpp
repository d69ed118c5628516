// SPDX-License-Identifier: GPL-3.0-or-later
// Clumps of blocks: the keywords of create and add, and what excludes what.
#include "catch.hpp"
#include "command.hpp"
#include "composed.hpp"
#include "create.hpp"
#include "json.hpp"
#include "mass.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <cmath>

using namespace scree;
using namespace scree::tools;
using namespace scree::testing::composed;
using Catch::Contains;

TEST_CASE("cubes of a shape-file clump exactly, by voxels and by their sum", "[clumpify][create]") {
  const Scratch file("cubes.shp", cubes);
  Diagnostics diagnostics;
  const auto tensor = [](const CreatedPack& c) -> Mat3 {
    return c.clump.mass.solid.volume * c.clump.mass.solid.inertiaPerMass;
  };
  const CreatedPack exact = created(file.path, {}, diagnostics);
  CHECK(exact.clump.mass.method == "exact-union");
  CHECK(std::fabs(exact.clump.mass.solid.volume - 1.5) < 1e-13);
  CHECK((exact.clump.mass.solid.centre - Vec3(0.75, 0.5, 0.5)).norm() < 1e-13);
  CHECK((tensor(exact) - Mat3(Vec3(0.25, 0.40625, 0.40625).asDiagonal())).norm() < 1e-13);
  CHECK(exact.pack.particles.back().id == 2);  // the largest of 0 and 1, plus 1
  CHECK(exact.pack.particles.size() == 1);

  const CreatedPack sum =
      created(file.path, with([](auto& w) { w.calculate = "from-rblocks"; }), diagnostics);
  CHECK(sum.clump.mass.method == "from-rblocks");
  CHECK(std::fabs(sum.clump.mass.solid.volume - 2.0) < 1e-13);
  CHECK((tensor(sum) - Mat3(Vec3(1.0 / 3, 11.0 / 24, 11.0 / 24).asDiagonal())).norm() < 1e-13);

  const CreatedPack voxel = created(file.path, with([](auto& w) {
                                      w.calculate = "voxel";
                                      w.maxCells = 100'000;
                                    }),
                                    diagnostics);
  REQUIRE(voxel.clump.mass.octree);
  CHECK(voxel.clump.mass.octree->inside <= 1.5);
  CHECK(voxel.clump.mass.octree->inside + voxel.clump.mass.octree->undecided >= 1.5);
  CHECK(voxel.clump.mass.solid.volume == Approx(1.5).epsilon(0.05));
}

TEST_CASE("the bound of blocks far from the origin holds for the blocks as given",
          "[clumpify][create]") {
  // Two cubes that touch, turned, where coordinates have ten decimals.
  const Vec3 far(1e6, 1e6 / 3.0, -1e6);
  const Quat turn = Quat(0.4, 0.5, 0.1, -0.7).normalized();
  const Mat3 axes = turn.toRotationMatrix();
  const auto text = [&](const Vec3& place) {
    std::string out;
    for (const double x : {-0.5, 0.5}) {
      const Vec3 p = place + axes * Vec3(x, 0.0, 0.0);
      out += fmt::format(
          "<\nname {8}\nradius 0\npreCompDone y\nnv 8\n-.5 -.5 -.5\n.5 -.5 -.5\n.5 .5 -.5\n"
          "-.5 .5 -.5\n-.5 -.5 .5\n.5 -.5 .5\n.5 .5 .5\n-.5 .5 .5\nne 0\nnf 6\n4 0 1 2 3\n"
          "4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\nvolume 1\nI/m {0:.17g} {0:.17g} "
          "{0:.17g}\nobb.extent .5 .5 .5\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\nobb.center "
          "0 0 0\nposition {1:.17g} {2:.17g} {3:.17g}\norientation {4:.17g} {5:.17g} {6:.17g} "
          "{7:.17g}\n>\n",
          1.0 / 6.0, p.x(), p.y(), p.z(), turn.w(), turn.x(), turn.y(), turn.z(),
          x < 0.0 ? "left" : "right");
    }
    return out;
  };
  const Mat3 exact = axes * Vec3(1.0 / 6.0, 5.0 / 12.0, 5.0 / 12.0).asDiagonal() * axes.transpose();
  const double diameter = std::cbrt(12.0 / pi);
  for (const Vec3& place : {Vec3(far), Vec3(Vec3::Zero())}) {
    const Scratch file("cubes.shp", text(place));
    Diagnostics diagnostics;
    const clump::ParticleMass m = created(file.path, {}, diagnostics).clump.mass;
    REQUIRE(m.bound);
    INFO(place.transpose() << ": volume 2 + " << m.solid.volume - 2.0 << ", bound "
                           << m.bound->volume);
    CHECK(std::fabs(m.solid.volume / 2.0 - 1.0) <= m.bound->volume);
    CHECK((m.solid.centre - place).norm() <= m.bound->centre * diameter);
    CHECK((m.solid.inertiaPerMass - exact).norm() <= m.bound->inertia * exact.norm());
    if (place == far)
      CHECK((m.bound->volume > 1e-11 && m.bound->volume < 1e-7));
    else
      CHECK(m.bound->volume == 1e-13);
  }
}

TEST_CASE("a clump of chosen blocks leaves the others, and carries density and groups",
          "[clumpify][create]") {
  const Scratch file("balls.txt", balls);
  Diagnostics diagnostics;
  const CreatedPack c = created(file.path, with([](auto& w) {
                                  w.ids = "0,4";
                                  w.density = 2600;
                                  w.groups = {"rock", "coarse:size"};
                                  w.pebbleGroups = {"fine"};
                                }),
                                diagnostics);
  CHECK(clump::shapePackText(c.pack) ==
        "2 Sphere 5 0 0 1\n"
        "#@ id=5 density=2600 group=rock:Default group=coarse:size pebble-group=fine:Default\n"
        "5 Sphere 0 0 0 1\n5 Sphere 0 0 1.2 0.8\n");
  const Scratch made("made.txt", clump::shapePackText(c.pack));
  const auto masses = tools::masses({made.path, 1.0, "auto", 1}, diagnostics);
  CHECK(masses[1].density == 2600.0);
  CHECK(masses[1].solid.volume == Approx(5.890486225).epsilon(1e-9));

  // Blocks keep no density of their own: that of a clump is 1 unless it is given.
  const Scratch heavy("heavy.txt", "#@ id=0 density=9\n0 Sphere 0 0 0 1\n1 Sphere 5 0 0 1\n");
  const CreatedPack light = created(heavy.path, {}, diagnostics);
  const Scratch alone("light.txt", clump::shapePackText(light.pack));
  MassOptions plain;
  plain.input = alone.path;
  const auto json =
      scree::testing::parseJson(massJson(tools::masses(plain, diagnostics), plain.density));
  CHECK(json["particles"][0]["density"] == 1.0);
  CHECK(json["particles"][0]["mass"].get<double>() == Approx(8.0 / 3.0 * pi).epsilon(1e-14));

  CHECK(created(file.path, with([](auto& w) { w.select = "x < 1"; }), diagnostics)
            .clump.particle.members.size() == 2);
  CHECK(created(file.path, with([](auto& w) { w.id = 7; }), diagnostics).clump.particle.id == 7);
  CHECK_THROWS_WITH(created(file.path, with([](auto& w) {
                              w.ids = "0-1";
                              w.id = 4;
                            }),
                            diagnostics),
                    Contains("--id 4") && Contains("has this ID"));
  CHECK_THROWS_AS(created(file.path, with([](auto& w) { w.ids = "9"; }), diagnostics), ModelError);
  CHECK_THROWS_AS(created(file.path, with([](auto& w) { w.ids = "4-0"; }), diagnostics),
                  UsageError);
  CHECK_THROWS_AS(created(file.path, with([](auto& w) { w.select = "x > 99"; }), diagnostics),
                  ModelError);
}

TEST_CASE("blocks are chosen by their group, of a conf-file by its number", "[clumpify][create]") {
  const scree::testing::Folder folder;
  folder.write("ball.shp", "<\nname ball\nradius 1\npreCompDone n\nnv 1\n0 0 0\nne 0\nnf 0\n>\n");
  std::string conf = "Rockable 21-08-2022\nshapeFile ball.shp\nParticles 4\n";
  for (const auto& [group, x] : {std::pair{0, 0}, {1, 10}, {1, 20}, {2, 30}})
    conf += "ball " + std::to_string(group) + " 0 1 " + std::to_string(x) +
            " 0 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n";
  const std::string path = folder.write("conf0", conf);
  Diagnostics diagnostics;
  const auto centres = [&](const std::string& from, const std::string& formula) {
    std::vector<double> out;
    for (const clump::PackMember& m :
         created(from, with([&](auto& w) { w.select = formula; }), diagnostics)
             .clump.particle.members)
      out.push_back(m.centre.x());
    return out;
  };
  CHECK(centres(path, "group == 1") == std::vector{10.0, 20.0});
  CHECK(centres(path, "group == 1 && x < 15 || group == 2") == std::vector{10.0, 30.0});
  CHECK(centres(path, "groupName == '2'") == std::vector{30.0});
  // Names of groups; a particle without one has no number and no name.
  const std::string pack =
      folder.write("pack.txt",
                   "#@ id=0 group=rock:size\n0 Sphere 0 0 0 1\n1 Sphere 10 0 0 1\n"
                   "#@ id=2 group=fine:size group=3:stage\n2 Sphere 20 0 0 1\n");
  CHECK(centres(pack, "groupName == 'rock'") == std::vector{0.0});
  CHECK(centres(pack, "groupName == ''") == std::vector{10.0});
  CHECK(centres(pack, "group > 2") == std::vector{20.0});
}

TEST_CASE("given mass properties stand in the file and in its mass", "[clumpify][create]") {
  const Scratch file("balls.txt", balls);
  Diagnostics diagnostics;
  ComposeWords w;
  w.ids = "0,4";
  w.density = 2;
  w.volume = 5;
  w.inertia = {"4", "4", "2", "0.1", "0", "-0.2"};
  const CreatedPack c = created(file.path, w, diagnostics);
  // Without a position: the centroid of the union, with a note.
  CHECK(c.clump.particle.carried().given->centre.z() == Approx(0.383333333).epsilon(1e-8));
  CHECK_THAT(diagnostics.notes().at(1), Contains("centroid of its union"));
  const Scratch made("made.txt", clump::shapePackText(c.pack));
  const auto m = tools::masses({made.path, 1.0, "auto", 1}, diagnostics);
  CHECK(m[1].method == "given");
  CHECK(
      (10.0 * m[1].solid.inertiaPerMass - clump::symmetricTensor({4, 4, 2, 0.1, 0, -0.2})).norm() <
      1e-14);
  const auto centre = [&] {
    return created(file.path, w, diagnostics).clump.particle.carried().given->centre;
  };
  w.positionY = 0.5;
  CHECK(centre() == Vec3(0, 0.5, 0));
  w.positionX = 0.25;
  CHECK(centre() == Vec3(0.25, 0.5, 0));
  w.positionZ = 0.75;
  w.positionX.reset();
  CHECK(centre() == Vec3(0, 0.5, 0.75));
  w.positionY.reset();
  w.positionZ.reset();
  w.position = {"9", "0", "0"};
  created(file.path, w, diagnostics);
  REQUIRE(!diagnostics.warnings().empty());
  CHECK_THAT(diagnostics.warnings().back(), Contains("outside its box"));
}

TEST_CASE("each exclusion of the keywords has a message of its own", "[clumpify][create]") {
  const std::vector<std::string> six{"1", "1", "1", "0", "0", "0"};
  const std::vector<std::pair<std::function<void(ComposeWords&)>, std::string>> cases{
      {[](auto& w) {
         w.calculate = "exact", w.position = {"0", "0", "0"};
       },
       "--position cannot be given"},
      {[](auto& w) { w.calculate = "from-rblocks", w.positionX = 1; },
       "--position-x cannot be given"},
      {[](auto& w) { w.calculate = "exact", w.positionY = 1; }, "--position-y cannot be given"},
      {[](auto& w) { w.calculate = "voxel", w.positionZ = 1; }, "--position-z cannot be given"},
      {[](auto& w) { w.calculate = "exact", w.volume = 1; }, "--volume cannot be given"},
      {[&](auto& w) { w.calculate = "exact", w.inertia = six; }, "--inertia cannot be given"},
      {[&](auto& w) { w.calculate = "from-rblocks", w.volume = 1, w.inertia = six; },
       "--calculate finds the volume"},
      {[&](auto& w) { w.recompute = true, w.inertia = six; }, "--recompute finds the inertia"},
      {[](auto& w) { w.recompute = true, w.volume = 1; }, "--recompute finds the volume"},
      {[](auto& w) { w.recompute = true, w.positionX = 1; }, "--recompute finds the position"},
      {[](auto& w) { w.volume = 1; }, "--volume needs --inertia"},
      {[&](auto& w) { w.inertia = six; }, "--inertia needs --volume"},
      {[](auto& w) {
         w.position = {"0", "0", "0"};
       },
       "--position needs --volume"},
      {[](auto& w) {
         w.position = {"0", "0", "0"}, w.positionX = 1;
       },
       "exclude each other"},
      {[](auto& w) {
         w.position = {"0", "0", "0"}, w.positionZ = 1;
       },
       "exclude each other"},
      {[](auto& w) { w.positionY = 1; }, "--position-y needs --volume"},
      {[](auto& w) {
         w.position = {"0", "nan", "0"};
       },
       "--position: expected a finite number"},
      {[](auto& w) {
         w.position = {"0", "0"};
       },
       "2D form"},
      {[](auto& w) { w.volume = 1, w.inertia = {"1"}; }, "2D form"},
      {[](auto& w) {
         w.volume = 1, w.inertia = {"1", "1", "1"};
       },
       "six numbers"},
      {[](auto& w) { w.volume = 1, w.inertia = {"1", "1", "3", "0", "0", "0"}; },
       "exceeds the sum"},
      {[](auto& w) { w.volume = 1, w.inertia = {"1", "1", "1", "0", "0", "x"}; }, "finite number"},
      {[&](auto& w) { w.volume = -1, w.inertia = six; }, "--volume: expected a finite number"},
      {[](auto& w) { w.density = 0; }, "--density"},
      {[](auto& w) { w.calculate = "guess"; }, "exact, voxel or from-rblocks"},
      {[](auto& w) { w.tolerance = 0.1; }, "--tolerance belongs to --calculate voxel"},
      {[](auto& w) { w.calculate = "exact", w.maxCells = 9; }, "--max-cells belongs to"},
      {[](auto& w) { w.groups = {"a:b:c"}; }, "--group: expected NAME"},
      {[](auto& w) { w.pebbleGroups = {""}; }, "--pebble-group: expected NAME"},
      {[](auto& w) { w.id = -1; }, "--id"},
  };
  for (const auto& [change, message] : cases) {
    INFO(message);
    CHECK_THROWS_AS(composeOptions(with(change)), UsageError);
    CHECK_THROWS_WITH(composeOptions(with(change)), Contains(message));
  }
}

TEST_CASE("pebbles join a clump, which is weighed again", "[clumpify][create]") {
  const Scratch file("clump.txt",
                     "1 Sphere 9 0 0 1\n#@ id=7 density=3 group=rock:Default\n7 Sphere 0 0 0 1\n");
  const Scratch more("more.txt", "0 Sphere 0 0 1.2 0.8\n");
  Diagnostics diagnostics;
  ComposeWords w;
  CHECK_THROWS_AS(added(file.path, {more.path}, w, diagnostics), UsageError);
  w.id = 8;
  CHECK_THROWS_WITH(added(file.path, {more.path}, w, diagnostics), Contains("no clump has ID 8"));
  w.id = 7;
  w.groups = {"new", "x:slot"};
  const CreatedPack c = added(file.path, {more.path}, w, diagnostics);
  CHECK(clump::shapePackText(c.pack) ==
        "1 Sphere 9 0 0 1\n#@ id=7 density=3 group=new:Default group=x:slot\n"
        "7 Sphere 0 0 0 1\n7 Sphere 0 0 1.2 0.8\n");
  CHECK(c.clump.mass.solid.volume == Approx(5.890486225).epsilon(1e-9));
  const Scratch given(
      "given.txt",
      "#@ id=7 density=3 volume=1 position=0,0,0 inertia=1,1,1,0,0,0\n7 Sphere 0 0 0 1\n");
  const CreatedPack again = added(given.path, {more.path}, w, diagnostics);
  CHECK(!again.clump.particle.carried().given);
  CHECK(again.clump.mass.solid.volume == Approx(5.890486225).epsilon(1e-9));
}

TEST_CASE("IDs and conditions choose among the pebbles of all files", "[clumpify][create]") {
  const scree::testing::Folder folder;
  folder.write("clump.txt", "7 Sphere 0 0 0 1\n");
  folder.write("a.txt", "3 Sphere 0 0 1 1\n4 Sphere 0 0 9 1\n");
  folder.write("b.txt", "5 Sphere 0 1 0 1\n6 Sphere 0 9 0 1\n");
  const auto add = [&](const std::string& options) {
    return scree::testing::run(folder, "clumpify add clump.txt a.txt b.txt --id 7 " + options);
  };
  const std::string both =
      "#@ id=7 density=1\n7 Sphere 0 0 0 1\n7 Sphere 0 0 1 1\n7 Sphere 0 1 0 1\n";
  CHECK(add("--ids 3,5").out == both);
  CHECK(add("--select 'z + y < 2'").out == both);
  // One file may have none of them.
  CHECK(add("--select 'z == 1'").out == "#@ id=7 density=1\n7 Sphere 0 0 0 1\n7 Sphere 0 0 1 1\n");
  const auto none = add("--ids 3,8");
  CHECK(none.code == 3);
  CHECK_THAT(none.err, Contains("no block has an ID from 8 to 8"));
  CHECK_THAT(add("--select 'z > 10'").err, Contains("chooses no block"));
}

TEST_CASE("pebbles are balls, rods and convex polyhedra", "[clumpify][create]") {
  Diagnostics diagnostics;
  // The cubes with a rounding: Steiner's formula for one, and for the box that both fill.
  std::string rounded = cubes;
  for (auto at = rounded.find("radius 0\n"); at != std::string::npos;
       at = rounded.find("radius 0\n", at + 1))
    rounded.replace(at, 9, "radius .1\n");
  const Scratch file("rounded.shp", rounded);
  const CreatedPack one = created(file.path, with([](auto& w) { w.ids = "0"; }), diagnostics);
  CHECK(one.clump.mass.method == "exact-union");
  CHECK(one.clump.mass.solid.volume == Approx(1 + 0.6 + 0.03 * pi + 0.004 / 3 * pi).epsilon(1e-13));
  CHECK_THAT(clump::shapePackText(one.pack), Contains("radius=0.1"));
  // Both fill a box of 1.5 x 1 x 1.
  CHECK(created(file.path, {}, diagnostics).clump.mass.solid.volume ==
        Approx(1.5 + 0.8 + 0.035 * pi + 0.004 / 3 * pi).epsilon(1e-13));
  // Without its last face the box is no solid.
  std::string open = cubes;
  for (auto at = open.find("nf 6"); at != std::string::npos; at = open.find("nf 6", at + 1))
    open.replace(at, 4, "nf 5");
  for (auto at = open.find("4 3 0 4 7\n"); at != std::string::npos; at = open.find("4 3 0 4 7\n"))
    open.erase(at, 10);
  const Scratch box("open.shp", open);
  CHECK_THROWS_WITH(created(box.path, {}, diagnostics), Contains("'A' is not convex"));
  const Scratch rod(
      "rod.shp",
      "<\nname Rod\nradius 0.5\npreCompDone n\nnv 3\n-1 0 0\n1 0 0\n5 0 0\nne 1\n0 1\n"
      "nf 0\n>\n");
  const CreatedPack rods = created(rod.path, {}, diagnostics);
  CHECK_THAT(clump::shapePackText(rods.pack),
             Contains("1 Capsule 0 0 0 1.5 1 0 0\n1 Sphere 5 0 0 0.5\n"));
}

TEST_CASE("words of create and add that cannot be meant say what is expected",
          "[clumpify][create]") {
  const scree::testing::Folder folder;
  folder.write("balls.txt", balls);
  const auto refused = [&](const std::string& options, int code, const std::string& message) {
    INFO(options);
    const auto outcome = scree::testing::run(folder, "clumpify " + options);
    CHECK(outcome.code == code);
    CHECK_THAT(outcome.err, Contains(message));
  };
  refused("create balls.txt --ids ''", 2, "--ids: expected IDs such as 0-3,7, found ''");
  refused("create balls.txt --select ''", 2, "--select: expected an expression");
  refused("create balls.txt --id 1.5", 2, "--id");
  refused("create balls.txt --density abc", 2, "--density");
  refused("mass balls.txt --divisions x", 2, "--divisions");
  folder.write("huge.txt", "0 Sphere 1e200 0 0 1e150\n");
  refused("mass huge.txt", 3, "exceed the range of double precision");
  folder.write("tiny.txt", "0 Sphere 0 0 0 1e-100\n");
  refused("mass tiny.txt", 3, "second moments are below 2.2e-308, where double precision loses");
  const auto help = scree::testing::run(folder, "clumpify add --help");
  CHECK_THAT(help.out,
             Contains("[OPTIONS] PACK PEBBLES...\n") && Contains("PEBBLES TEXT ... REQUIRED"));

  // A clump without density has density 1 from now on, as create writes it.
  folder.write("plain.txt", "7 Sphere 0 0 0 1\n");
  folder.write("more.txt", "0 Sphere 0 0 1 1\n");
  const auto larger = scree::testing::run(folder, "clumpify add plain.txt more.txt --id 7");
  CHECK(larger.out == "#@ id=7 density=1\n7 Sphere 0 0 0 1\n7 Sphere 0 0 1 1\n");

  folder.write("flat.shp", cubes +
                               "<\nname flat\nradius 0.1\nisSurface\npreCompDone n\nnv "
                               "3\n0 0 0\n1 0 0\n0 1 0\nne 0\nnf 1\n3 0 1 2\n>\n");
  refused("create flat.shp", 3, "flat.shp:64:");
}

TEST_CASE("clumps across the cell and in pieces get a warning", "[clumpify][create]") {
  const auto warnings = [](const std::string& text) {
    const Scratch file("pack.txt", text);
    Diagnostics diagnostics;
    created(file.path, {}, diagnostics);
    return diagnostics.warnings();
  };
  const auto across = warnings("##PERIODIC:: 4 4 4\n0 Sphere 0.1 2 2 0.5\n1 Sphere 3.9 2 2 0.5\n");
  REQUIRE(across.size() == 2);
  CHECK_THAT(across[0], Contains("clump 2: its pebbles form 2 groups that do not touch"));
  CHECK_THAT(across[1], Contains("4.8 long along x, more than half of the periodic cell (4)"));
  // Unwrapped it is 1.2 long.
  CHECK(warnings("##PERIODIC:: 4 4 4\n0 Sphere 4.1 2 2 0.5\n1 Sphere 3.9 2 2 0.5\n").empty());
  // Pebbles that touch in a point, an edge or a face hang together.
  CHECK(warnings("0 Sphere 0 0 0 1\n1 Sphere 2 0 0 1\n2 Capsule 0 2 0 2 1 0 0\n").empty());
  CHECK(warnings("0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n1 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 "
                 "-1\n2 Ellipsoid 2 0 0 1 0 0 0 1 1 1\n")
            .empty());
  CHECK(warnings("0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n1 Sphere 1 1 1 0.5\n2 Sphere 5 0 0 "
                 "1\n")
            .at(0)
            .find("3 groups") != std::string::npos);
}

TEST_CASE("boxes that flat faces leave open do not look like a result", "[clumpify][create]") {
  // Facets with flat faces along the axes, and a plate of two: their extrapolations agree from
  // level to level long before they are right.
  MassOptions plain;
  plain.method = "octree";
  const auto check = [&](const std::string& text, double volume) {
    INFO(text);
    const Scratch pack("flat.txt", text);
    plain.input = pack.path;
    Diagnostics diagnostics;
    const auto found = tools::masses(plain, diagnostics);
    const auto json = scree::testing::parseJson(massJson(found, 1.0))["particles"][0]["boxes"];
    CHECK(json["end"] == "cap");
    CHECK(found[0].solid.volume == Approx(volume).epsilon(1e-2));
  };
  for (const double h : {0.08, 0.1, 0.15, 0.2, 0.3})
    check(fmt::format("0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 {}\n", h), h);
}

TEST_CASE("a rounded block is one pebble, whichever verb adds pebbles up", "[clumpify][create]") {
  std::string rounded = cubes;
  for (auto at = rounded.find("radius 0\n"); at != std::string::npos;
       at = rounded.find("radius 0\n", at + 1))
    rounded.replace(at, 9, "radius .1\n");
  const Scratch shapes("rounded.shp", rounded);
  Diagnostics diagnostics;
  const double one = 1 + 0.6 + 0.03 * pi + 0.004 / 3 * pi;
  for (const auto& [ids, volume] : {std::pair{"0", one}, std::pair{"0,1", 2 * one}}) {
    const char* const chosen = ids;  // clang 14 captures no structured binding
    const auto by = [&](const char* calculate) {
      return created(shapes.path, with([&](auto& w) {
                       w.ids = chosen;
                       w.calculate = calculate;
                     }),
                     diagnostics);
    };
    const CreatedPack blocks = by("from-rblocks"), geometry = by("exact");
    CHECK(blocks.clump.mass.solid.volume == Approx(volume).epsilon(1e-13));
    const clump::ParticleMass sum = clump::particleMass(
        geometry.clump.particle, {.method = clump::ClumpMassOptions::Method::sum});
    CHECK(sum.method == "sum");
    CHECK(sum.solid.volume == Approx(volume).epsilon(1e-13));
    CHECK((sum.solid.centre - blocks.clump.mass.solid.centre).norm() < 1e-13);
    CHECK((sum.solid.inertiaPerMass - blocks.clump.mass.solid.inertiaPerMass).norm() < 1e-12);
  }
}

TEST_CASE("from-rblocks adds up pebbles, also those of a clump that is there",
          "[clumpify][create]") {
  const Scratch shapes("cubes.shp", cubes), ball("ball.txt", "7 Sphere 0 1 0 0.5\n");
  Diagnostics diagnostics;
  const auto fromBlocks = [](auto& w) { w.calculate = "from-rblocks"; };
  const CreatedPack two = created(shapes.path, with(fromBlocks), diagnostics);
  const Scratch clump("two.txt", clump::shapePackText(two.pack));
  const CreatedPack three = added(clump.path, {ball.path}, with([&](auto& w) {
                                    fromBlocks(w);
                                    w.id = 2;
                                  }),
                                  diagnostics);
  CHECK(three.clump.mass.solid.volume == Approx(2.0 + pi / 6.0).epsilon(1e-13));
  const clump::ParticleMass sum =
      clump::particleMass(three.clump.particle, {.method = clump::ClumpMassOptions::Method::sum});
  CHECK(sum.solid.volume == Approx(three.clump.mass.solid.volume).epsilon(1e-13));
  CHECK((sum.solid.inertiaPerMass - three.clump.mass.solid.inertiaPerMass).norm() < 1e-12);
  // A clump as a block: its spheres count one by one, however often blocks join it.
  const Scratch pair("pair.txt", "0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n1 Sphere 1 0 0 0.5\n");
  CHECK(created(pair.path, with(fromBlocks), diagnostics).clump.mass.solid.volume ==
        Approx(4.0 / 3.0 * pi * (1.0 + 0.512 + 0.125)).epsilon(1e-13));
}

TEST_CASE("cubes of different roundings clump within the bound", "[clumpify][create]") {
  std::string text = cubes;
  text.replace(text.find("radius 0\n"), 9, "radius .1\n");
  text.replace(text.find("radius 0\n"), 9, "radius .2\n");
  const Scratch file("different.shp", text);
  Diagnostics diagnostics;
  const CreatedPack two = created(file.path, {}, diagnostics);
  const std::string pack = clump::shapePackText(two.pack);
  CHECK_THAT(pack, Contains("radius=0.1,") && Contains(",0.2"));
  // Across the shift, a cube swept by g has the cross-section 1 + 4 g + pi g^2. At a distance t
  // from its end, g is sqrt(r^2 - t^2). The second cube, swept by 0.2, covers the first one, swept
  // by 0.1, up to t = sqrt(0.03) from the end that is inside the first.
  const auto section = [](double g) { return 1.0 + 4.0 * g + pi * g * g; };
  const double second = 1 + 1.2 + 0.12 * pi + 0.032 / 3 * pi, at = std::sqrt(0.03);
  const double first = 0.5 * section(0.1) + 0.1 + 0.01 * pi + 0.002 / 3 * pi;
  const double roots = 0.02 * pi / 6 - 0.05 * at;  // of sqrt(0.04 - t^2) from there to 0.2
  const double squares = 0.04 * (0.2 - at) - (0.008 - at * at * at) / 3;
  const double shared = at * section(0.1) + (0.2 - at) + 4 * roots + pi * squares;
  const auto& mass = two.clump.mass;
  REQUIRE(mass.bound);
  CHECK(mass.bound->volume < 2e-5);
  CHECK(mass.solid.volume == Approx(second + first - shared).epsilon(mass.bound->volume));
  // A file of the clump has the same mass.
  TextReader in("pack.txt", pack);
  const clump::ShapePack read = clump::readShapePack(in, diagnostics);
  CHECK(clump::packMasses(read)[0].solid.volume == mass.solid.volume);
}

TEST_CASE("rounded blocks that a file does not tell apart cause a warning", "[clumpify][create]") {
  // Both tetrahedra together are convex, so a reader takes them as one rounded body.
  const Scratch file("tetras.txt",
                     "#@ id=0 radius=0.1\n0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n"
                     "#@ id=1 radius=0.1\n1 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 -1\n");
  Diagnostics diagnostics;
  const CreatedPack c =
      created(file.path, with([](auto& w) { w.calculate = "from-rblocks"; }), diagnostics);
  CHECK(c.clump.mass.solid.volume == Approx(0.9548).epsilon(1e-4));
  REQUIRE(diagnostics.warnings().size() == 1);
  CHECK_THAT(diagnostics.warnings()[0], Contains("clump 2: its rounded blocks share faces"));
  Diagnostics none;
  created(file.path, {}, none);
  CHECK(none.warnings().empty());
}

TEST_CASE("blocks of the same pack join the clump and leave the pack", "[clumpify][create]") {
  const testing::Folder folder;
  const std::string path = folder.write(
      "same.txt", "0 Sphere 0 0 0 1\n1 Sphere 1 0 0 1\n2 Sphere 2 0 0 1\n2 Sphere 3 0 0 1\n");
  Diagnostics diagnostics;
  const auto after = [&](const std::string& pebbles, const std::string& ids) {
    return clump::shapePackText(added(path, {pebbles}, with([&](auto& w) {
                                        w.id = 2;
                                        w.ids = ids;
                                      }),
                                      diagnostics)
                                    .pack);
  };
  const std::string joined =
      "0 Sphere 0 0 0 1\n#@ id=2 density=1\n2 Sphere 2 0 0 1\n2 Sphere 3 0 0 1\n2 Sphere 1 0 0 1\n";
  CHECK(after(path, "1") == joined);
  CHECK(after(path, "1-2") == joined);  // never the clump itself
  CHECK(after(folder / "./same.txt", "1") == joined);
  CHECK(after(path, "") ==
        "#@ id=2 density=1\n2 Sphere 2 0 0 1\n2 Sphere 3 0 0 1\n2 Sphere 0 0 0 1\n"
        "2 Sphere 1 0 0 1\n");
  CHECK_THROWS_WITH(after(path, "2"), Contains("no block to add"));
  CHECK(diagnostics.warnings().empty());
  // A pack of the same content is another container.
  const std::string copy = folder.write("copy.txt", folder.read("same.txt"));
  CHECK_THAT(after(copy, "1"), Contains("\n1 Sphere 1 0 0 1\n"));
  // Neighbours of one ID must not become one clump.
  folder.write("same.txt",
               "0 Sphere 0 0 0 1\n1 Sphere 1 0 0 1\n0 Sphere 9 0 0 1\n2 Sphere 2 0 0 1\n");
  CHECK_THAT(after(path, "1"), Contains("0 Sphere 0 0 0 1\n3 Sphere 9 0 0 1\n"));
}

TEST_CASE("what blocks carry and a clump does not is reported", "[clumpify][create]") {
  const Scratch file("carried.txt",
                     "#@ id=0 volume=1 position=0,0,0 inertia=1,1,1,0,0,0 group=a colour=red\n"
                     "0 Sphere 0 0 0 1\n1u Sphere 5 0 0 1\n1u Sphere 7 0 0 1\n");
  Diagnostics diagnostics;
  created(file.path, {}, diagnostics);
  REQUIRE(diagnostics.warnings().size() == 2);  // the other: pebbles that do not touch
  CHECK_THAT(diagnostics.warnings()[0], Contains("given mass properties, groups, the mark u, user "
                                                 "keys"));
  Diagnostics again;
  const Scratch plain("plain.txt", balls);
  created(plain.path, with([](auto& w) { w.ids = "0,4"; }), again);
  CHECK(again.warnings().empty());
  added(file.path, {plain.path}, with([](auto& w) { w.id = 1; }), again);
  CHECK_THAT(again.warnings().at(0), Contains("clump 1: the mark u"));
}

TEST_CASE("a block that is not chosen may be what no pebble can be", "[clumpify][create]") {
  const Scratch file("flat.shp", cubes +
                                     "<\nname flat\nradius 0.1\nisSurface\npreCompDone n\nnv "
                                     "3\n0 0 0\n1 0 0\n0 1 0\nne 0\nnf 1\n3 0 1 2\n>\n");
  Diagnostics diagnostics;
  const CreatedPack c = created(file.path, with([](auto& w) { w.ids = "0,1"; }), diagnostics);
  CHECK(c.clump.mass.solid.volume == Approx(1.5).epsilon(1e-13));
  CHECK(c.pack.particles.size() == 1);
  REQUIRE(diagnostics.warnings().size() == 1);
  CHECK_THAT(diagnostics.warnings()[0], Contains("'flat' is a surface") && Contains("left out"));
  CHECK_THROWS_WITH(created(file.path, with([](auto& w) { w.ids = "0-2"; }), diagnostics),
                    Contains("'flat' is a surface"));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Clumps of blocks: the keywords of create and add, what excludes what, and voxels.
#include "catch.hpp"
#include "command.hpp"
#include "json.hpp"
#include "random_pack.hpp"

#include "scree/clump/clump_mass.hpp"
#include "scree/clump/shape_pack.hpp"

#include <cmath>
#include <string>
#include <utility>

using namespace scree;
using namespace scree::testing;
using Catch::Contains;
using nlohmann::json;

namespace {

/// Two unit cubes, side by side by half a side.
const std::string cubes = [] {
  std::string out;
  for (const auto& [name, x] : {std::pair{"A", 0.5}, std::pair{"B", 1.0}})
    out += std::string("<\nname ") + name +
           "\nradius 0\npreCompDone y\nnv 8\n-.5 -.5 -.5\n.5 -.5 -.5\n.5 .5 -.5\n-.5 .5 -.5\n"
           "-.5 -.5 .5\n.5 -.5 .5\n.5 .5 .5\n-.5 .5 .5\nne 0\nnf 6\n4 0 1 2 3\n4 4 5 6 7\n"
           "4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\nvolume 1\nI/m 0.1666666 0.1666666 "
           "0.1666666\nobb.extent .5 .5 .5\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\n"
           "obb.center 0 0 0\nposition " +
           std::to_string(x) + " 0.5 0.5\norientation 1 0 0 0\n>\n";
  return out;
}();
const std::string balls = "0 Sphere 0 0 0 1\n4 Sphere 0 0 1.2 0.8\n2 Sphere 5 0 0 1\n";

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
    text.replace(at, word.size(), by);
  return text;
}

/// The result of create or add: the pack, its clump as --json prints it, and the messages.
struct Made {
  int code = -1;
  std::string text, err;
  json clump;
  double volume() const { return clump.at("volume"); }
  Vec3 centre() const { return Vec3(clump["centre"][0], clump["centre"][1], clump["centre"][2]); }
  Mat3 tensor() const {
    Mat3 t;
    for (int k = 0; k < 9; ++k)
      t(k / 3, k % 3) = clump["inertiaTensor"][static_cast<std::size_t>(k)];
    return t;
  }
  clump::PackParticle particle() const { return packOf(text).particles.back(); }
};
Made made(const Folder& folder, const std::string& words) {
  const Outcome outcome = run(folder, "clumpify " + words + " --json --force -o made.txt");
  Made m{outcome.code, {}, outcome.err, {}};
  if (m.code != 0) return m;
  m.text = folder.read("made.txt");
  m.clump = parseJson(outcome.out)["particles"][0];
  return m;
}

}  // namespace

TEST_CASE("cubes of a shape-file clump exactly, by voxels and by their sum", "[clumpify][create]") {
  const Folder folder;
  folder.write("cubes.shp", cubes);
  const Made exact = made(folder, "create cubes.shp");
  CHECK(exact.clump["method"] == "exact-union");
  CHECK(std::fabs(exact.volume() - 1.5) < 1e-13);
  CHECK((exact.centre() - Vec3(0.75, 0.5, 0.5)).norm() < 1e-13);
  CHECK((exact.tensor() - Mat3(Vec3(0.25, 0.40625, 0.40625).asDiagonal())).norm() < 1e-13);
  CHECK(exact.particle().id == 2);  // the largest of 0 and 1, plus 1

  const Made sum = made(folder, "create cubes.shp --calculate from-rblocks");
  CHECK(sum.clump["method"] == "from-rblocks");
  CHECK(std::fabs(sum.volume() - 2.0) < 1e-13);
  CHECK((sum.tensor() - Mat3(Vec3(1.0 / 3, 11.0 / 24, 11.0 / 24).asDiagonal())).norm() < 1e-13);

  const Made voxel = made(folder, "create cubes.shp --calculate voxel --max-cells 100000");
  const double inside = voxel.clump["boxes"]["inside"];
  CHECK(inside <= 1.5);
  CHECK(inside + voxel.clump["boxes"]["undecided"].get<double>() >= 1.5);
  CHECK(voxel.volume() == Approx(1.5).epsilon(0.05));
  CHECK(voxel.particle().carried().given->volume == voxel.volume());

  folder.write("one.shp", cubes.substr(0, cubes.find(">\n") + 2));
  const Made cube = made(folder, "create one.shp --calculate voxel --max-cells 10");
  CHECK(cube.clump["boxes"]["undecided"] == 0.0);
  CHECK(cube.volume() == Approx(1.0).epsilon(1e-13));
}

TEST_CASE("a clump of chosen blocks leaves the others, and carries density and groups",
          "[clumpify][create]") {
  const Folder folder;
  folder.write("balls.txt", balls);
  const Made c = made(folder,
                      "create balls.txt --ids 0,4 --density 2600 --group rock --group coarse:size "
                      "--pebble-group fine");
  CHECK(c.text ==
        "2 Sphere 5 0 0 1\n"
        "#@ id=5 density=2600 group=rock:Default group=coarse:size pebble-group=fine:Default\n"
        "5 Sphere 0 0 0 1\n5 Sphere 0 0 1.2 0.8\n");
  CHECK(c.clump["density"] == 2600.0);
  CHECK(c.volume() == Approx(5.890486225).epsilon(1e-9));

  // Blocks keep no density of their own: that of a clump is 1 unless it is given.
  folder.write("heavy.txt", "#@ id=0 density=9\n0 Sphere 0 0 0 1\n1 Sphere 5 0 0 1\n");
  CHECK(made(folder, "create heavy.txt").clump["mass"].get<double>() ==
        Approx(8.0 / 3.0 * pi).epsilon(1e-14));

  CHECK(made(folder, "create balls.txt --select 'x < 1'").particle().members.size() == 2);
  CHECK(made(folder, "create balls.txt --id 7").particle().id == 7);
  for (const auto& [words, code] : {std::pair{"--ids 0-1 --id 4", 3},
                                    {"--ids 9", 3},
                                    {"--ids 4-0", 2},
                                    {"--select 'x >'", 2},
                                    {"--ids 0 --select 'x < 1'", 2},
                                    {"--id -1", 2}}) {
    INFO(words);
    CHECK(made(folder, std::string("create balls.txt ") + words).code == code);
  }
}

TEST_CASE("given mass properties stand in the file and in its mass", "[clumpify][create]") {
  const Folder folder;
  folder.write("balls.txt", balls);
  const std::string given =
      "create balls.txt --ids 0,4 --density 2 --volume 5 --inertia 4 4 2 0.1 0 -0.2 ";
  // Without a position: the centroid of the union.
  const Made c = made(folder, given);
  CHECK(c.centre().z() == Approx(0.383333333).epsilon(1e-8));
  CHECK(c.clump["method"] == "given");
  CHECK((c.tensor() - clump::symmetricTensor({4, 4, 2, 0.1, 0, -0.2})).norm() < 1e-14);
  CHECK(made(folder, given + "--position-y 0.5").centre() == Vec3(0, 0.5, 0));
  CHECK(made(folder, given + "--position-x 0.25 --position-z -0.75").centre() ==
        Vec3(0.25, 0, -0.75));
  CHECK_THAT(made(folder, given + "--position 9 0 0").err, Contains("outside its box"));
}

TEST_CASE("keywords that exclude or need each other are wrong usage", "[clumpify][create]") {
  const Folder folder;
  folder.write("balls.txt", balls);
  folder.write("more.txt", "9 Sphere 0 1 0 1\n");
  const std::string six = "--inertia 1 1 1 0 0 0 ", position = "--position 0 0 0 ";
  for (const std::string& words :
       {"--calculate exact " + position, "--calculate voxel --volume 1 " + six,
        std::string("--volume 1"), six, position, position + "--position-x 1 --volume 1 " + six,
        std::string("--volume 1 --inertia 1 1 3 0 0 0"), std::string("--tolerance 0.1"),
        std::string("--calculate exact --max-cells 9")}) {
    INFO(words);
    CHECK(made(folder, "create balls.txt " + words).code == 2);
  }
  for (const char* words : {"", "--id 4 --recompute --volume 1 --inertia 1 1 1 0 0 0"})
    CHECK(made(folder, std::string("add balls.txt more.txt ") + words).code == 2);
}

TEST_CASE("pebbles join a clump, which is weighed again", "[clumpify][create]") {
  const Folder folder;
  folder.write("clump.txt",
               "1 Sphere 9 0 0 1\n#@ id=7 density=3 group=rock:Default\n7 Sphere 0 0 0 1\n");
  folder.write("more.txt", "0 Sphere 0 0 1.2 0.8\n");
  CHECK(made(folder, "add clump.txt more.txt --id 8").code == 3);
  const Made c = made(folder, "add clump.txt more.txt --id 7 --group new --group x:slot");
  CHECK(c.text ==
        "1 Sphere 9 0 0 1\n#@ id=7 density=3 group=new:Default group=x:slot\n"
        "7 Sphere 0 0 0 1\n7 Sphere 0 0 1.2 0.8\n");
  CHECK(c.volume() == Approx(5.890486225).epsilon(1e-9));
  folder.write("given.txt",
               "#@ id=7 density=3 volume=1 position=0,0,0 inertia=1,1,1,0,0,0\n7 Sphere 0 0 0 1\n");
  const Made again = made(folder, "add given.txt more.txt --id 7");
  CHECK(!again.particle().carried().given);
  CHECK(again.volume() == Approx(5.890486225).epsilon(1e-9));
  // The spheres of a clump count one by one, however often blocks join it.
  CHECK(made(folder, "add clump.txt more.txt --id 7 --calculate from-rblocks").volume() ==
        Approx(4.0 / 3.0 * pi * (1.0 + 0.512)).epsilon(1e-13));
  // A clump without density has density 1 from now on, as create writes it.
  folder.write("plain.txt", "7 Sphere 0 0 0 1\n");
  CHECK_THAT(made(folder, "add plain.txt more.txt --id 7").text, Contains("#@ id=7 density=1\n"));
}

TEST_CASE("pebbles are balls, rods and convex polyhedra", "[clumpify][create]") {
  const Folder folder;
  // The cubes with a rounding: Steiner's formula for one, and for the box that both fill.
  folder.write("rounded.shp", replaced(cubes, "radius 0\n", "radius .1\n"));
  const Made one = made(folder, "create rounded.shp --ids 0");
  const double steiner = 1 + 0.6 + 0.03 * pi + 0.004 / 3 * pi;
  CHECK(one.volume() == Approx(steiner).epsilon(1e-13));
  CHECK_THAT(one.text, Contains("radius=0.1"));
  CHECK(made(folder, "create rounded.shp").volume() ==
        Approx(1.5 + 0.8 + 0.035 * pi + 0.004 / 3 * pi).epsilon(1e-9));
  // A rounded block is one pebble, whichever verb adds pebbles up.
  for (const auto& [ids, volume] : {std::pair{"0", steiner}, std::pair{"0,1", 2 * steiner}}) {
    const std::string words = std::string("create rounded.shp --ids ") + ids;
    const Made blocks = made(folder, words + " --calculate from-rblocks"),
               geometry = made(folder, words);
    CHECK(blocks.volume() == Approx(volume).epsilon(1e-13));
    const clump::ParticleMass sum =
        clump::particleMass(geometry.particle(), {.method = clump::ClumpMassOptions::Method::sum});
    CHECK(sum.solid.volume == Approx(volume).epsilon(1e-13));
    CHECK((sum.solid.centre - blocks.centre()).norm() < 1e-13);
    CHECK((sum.solid.volume * sum.solid.inertiaPerMass - blocks.tensor()).norm() < 1e-12);
  }
  // Without its last face the box is no solid.
  folder.write("open.shp", replaced(replaced(cubes, "nf 6", "nf 5"), "4 3 0 4 7\n", ""));
  CHECK(made(folder, "create open.shp").code == 3);
  folder.write("rod.shp",
               "<\nname Rod\nradius 0.5\npreCompDone n\nnv 3\n-1 0 0\n1 0 0\n5 0 0\nne 1\n0 1\n"
               "nf 0\n>\n");
  CHECK_THAT(made(folder, "create rod.shp").text,
             Contains("1 Capsule 0 0 0 1.5 1 0 0\n1 Sphere 5 0 0 0.5\n"));
  // A block that is not chosen may be what no pebble can be.
  folder.write("flat.shp", cubes +
                               "<\nname flat\nradius 0.1\nisSurface\npreCompDone n\nnv "
                               "3\n0 0 0\n1 0 0\n0 1 0\nne 0\nnf 1\n3 0 1 2\n>\n");
  CHECK_THAT(made(folder, "create flat.shp").err, Contains("flat.shp:64:"));
  const Made chosen = made(folder, "create flat.shp --ids 0,1");
  CHECK(chosen.volume() == Approx(1.5).epsilon(1e-13));
  CHECK_THAT(chosen.err, Contains("'flat'") && Contains("left out"));
}

TEST_CASE("blocks of the same pack join the clump and leave the pack", "[clumpify][create]") {
  const Folder folder;
  folder.write("same.txt",
               "0 Sphere 0 0 0 1\n1 Sphere 1 0 0 1\n2 Sphere 2 0 0 1\n2 Sphere 3 0 0 1\n");
  const auto after = [&](const std::string& pebbles, const std::string& ids) {
    return made(folder, "add same.txt " + pebbles + " --id 2" + ids).text;
  };
  const std::string joined =
      "0 Sphere 0 0 0 1\n#@ id=2 density=1\n2 Sphere 2 0 0 1\n2 Sphere 3 0 0 1\n2 Sphere 1 0 0 1\n";
  CHECK(after("same.txt", " --ids 1") == joined);
  CHECK(after("./same.txt", " --ids 1-2") == joined);  // never the clump itself
  CHECK(after("same.txt", "") ==
        "#@ id=2 density=1\n2 Sphere 2 0 0 1\n2 Sphere 3 0 0 1\n2 Sphere 0 0 0 1\n"
        "2 Sphere 1 0 0 1\n");
  CHECK(made(folder, "add same.txt same.txt --id 2 --ids 2").code == 3);
  // Neighbours of one ID must not become one clump.
  folder.write("same.txt",
               "0 Sphere 0 0 0 1\n1 Sphere 1 0 0 1\n0 Sphere 9 0 0 1\n2 Sphere 2 0 0 1\n");
  CHECK_THAT(after("same.txt", " --ids 1"), Contains("0 Sphere 0 0 0 1\n3 Sphere 9 0 0 1\n"));
}

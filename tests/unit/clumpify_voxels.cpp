// SPDX-License-Identifier: GPL-3.0-or-later
// Clumps of blocks by voxels: bounds, extrapolation, and what ends the search.
#include "catch.hpp"
#include "composed.hpp"
#include "create.hpp"
#include "json.hpp"
#include "mass.hpp"

#include <cmath>

using namespace scree;
using namespace scree::tools;
using namespace scree::testing::composed;
using Catch::Contains;

TEST_CASE("the volume by voxels lies within its bounds", "[clumpify][create]") {
  // The volume of a rounded cube is extrapolated beyond its boxes.
  std::string rounded = cubes;
  rounded.replace(rounded.find("radius 0\n"), 9, "radius .1\n");
  const Scratch cube("voxels.shp", rounded), spheres("voxels.txt", balls);
  std::size_t limited = 0;
  for (const auto& [path, ids] : {std::pair{cube.path, "0"}, std::pair{spheres.path, "0-4"}})
    for (const std::int64_t cells : {1000, 4000, 10'000}) {
      INFO(path << " " << cells);
      Diagnostics diagnostics;
      const CreatedPack c = created(path, with([&](auto& w) {
                                      w.ids = ids;
                                      w.calculate = "voxel";
                                      w.maxCells = cells;
                                    }),
                                    diagnostics);
      REQUIRE(c.clump.mass.octree);
      const double volume = c.clump.mass.solid.volume, least = c.clump.mass.octree->inside,
                   most = least + c.clump.mass.octree->undecided;
      CHECK(least <= volume);
      CHECK(volume <= most * (1.0 + 1e-14));
      limited += volume > most * (1.0 - 1e-14);
      CHECK(c.clump.particle.carried().given->volume == volume);
      // The union by its closed form lies within the bounds that are printed.
      const CreatedPack exact = created(path, with([&](auto& w) { w.ids = ids; }), diagnostics);
      const mass::SolidProperties &a = c.clump.mass.solid, &b = exact.clump.mass.solid;
      REQUIRE(c.clump.mass.bound);
      const mass::MassBound bound = *c.clump.mass.bound;
      CHECK(std::fabs(a.volume - b.volume) <= bound.volume * a.volume);
      CHECK((a.centre - b.centre).norm() <= bound.centre * 2.0 * c.clump.mass.equivRad());
      CHECK((a.inertiaPerMass - b.inertiaPerMass).norm() <=
            bound.inertia * a.inertiaPerMass.norm());
      const auto json = scree::testing::parseJson(massJson({c.clump.mass}, 1.0));
      CHECK(json["particles"][0]["bound"]["volume"].get<double>() > 0.0);
    }
  CHECK(limited > 0);
}

TEST_CASE("voxels extrapolate the inertia too, and say what ended them", "[clumpify][create]") {
  const Scratch file("voxels.txt", "0 Sphere 0 0 0 1\n0 Sphere 0 0 1.2 0.8\n");
  Diagnostics diagnostics;
  const auto by = [&](const std::string& path, std::int64_t cells) {
    return created(path, with([&](auto& w) {
                     w.calculate = "voxel";
                     w.maxCells = cells;
                   }),
                   diagnostics);
  };
  const CreatedPack c = by(file.path, 1'000'000);
  const clump::GivenMass given = *c.clump.particle.carried().given;
  CHECK(given.volume == Approx(5.890486225).epsilon(2e-4));
  // The boxes inside alone had 4.15561 and 2.13675.
  CHECK(given.inertia(0, 0) == Approx(4.181836158).epsilon(5e-4));
  CHECK(given.inertia(2, 2) == Approx(2.157390580).epsilon(1e-3));
  CHECK(given.centre.z() == Approx(0.383333333).margin(1e-4));
  CHECK(diagnostics.notes().size() == 2);
  const auto boxes = [](const CreatedPack& pack) {
    return scree::testing::parseJson(massJson({pack.clump.mass}, 1.0))["particles"][0]["boxes"];
  };
  CHECK(boxes(c)["end"] == "tolerance");

  // Two cubes: each is one pebble, so that no seam is left open.
  const Scratch shapes("voxels.shp", cubes);
  const CreatedPack two = by(shapes.path, 100'000);
  CHECK(boxes(two)["end"] == "cap");
  CHECK(boxes(two)["undecided"].get<double>() < 0.05);
  CHECK_THAT(diagnostics.notes().back(), Contains("the cap of 100000 boxes ended the search"));
  const Scratch made("made.txt", clump::shapePackText(created(shapes.path, {}, diagnostics).pack));
  Diagnostics again;
  MassOptions plain;
  plain.input = made.path;
  plain.method = "octree";
  const auto same = tools::masses(plain, again);
  REQUIRE(!again.notes().empty());
  CHECK_THAT(again.notes().back(), Contains("for 1 of 1 particles before the tolerance 1e-05"));
  CHECK(same[0].octree->undecided < 0.01);
  CHECK(same[0].solid.volume == Approx(1.5).epsilon(1e-2));

  const Scratch one("one.shp", cubes.substr(0, cubes.find(">\n") + 2));
  const CreatedPack cube = by(one.path, 10);
  CHECK(boxes(cube)["end"] == "decided");
  CHECK(boxes(cube)["cut"] == 0);
  CHECK(cube.clump.mass.solid.volume == Approx(1.0).epsilon(1e-13));
}

TEST_CASE("voxels of a ball are those of the published procedure, level by level",
          "[clumpify][create]") {
  const Scratch file("ball.txt", "0 Sphere 0 0 0 1\n");
  // Level, boxes cut until then, boxes on the boundary, errors of the volume inside and of the
  // extrapolated one in per cent.
  struct Level {
    int level;
    std::int64_t cells;
    double boundary, inside, extrapolated;
  };
  for (const Level& row :
       {Level{5, 2000, 4760, -13.8, -0.78}, Level{6, 7000, 19'232, -7.0, -0.19},
        Level{7, 26'000, 77'096, -3.5, 0.03}, Level{8, 110'000, 308'576, -1.8, -0.05}}) {
    INFO("level " << row.level);
    Diagnostics diagnostics;
    const clump::ParticleMass mass = created(file.path, with([&](auto& w) {
                                               w.calculate = "voxel";
                                               w.tolerance = 1e-11;
                                               w.maxCells = row.cells;
                                             }),
                                             diagnostics)
                                         .clump.mass;
    REQUIRE(mass.octree);
    const scree::mass::OctreeBounds& b = *mass.octree;
    const double volume = 4.0 / 3.0 * pi, edge = 2.0 / std::pow(2.0, row.level);
    CHECK(b.level == row.level);
    CHECK(b.undecided / (edge * edge * edge) == Approx(row.boundary).epsilon(1e-12));
    CHECK(100.0 * (b.inside / volume - 1.0) == Approx(row.inside).margin(0.05));
    CHECK(100.0 * (mass.solid.volume / volume - 1.0) == Approx(row.extrapolated).margin(0.005));
  }
}

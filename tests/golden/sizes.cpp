// SPDX-License-Identifier: GPL-3.0-or-later
// Messages and refusals of tools about sizes, masses and units.
#include "tool_test.hpp"

TEST_CASE("a lattice of bodies that overlap is refused, unless they may", "[golden][checks]") {
  const Folder folder;
  mustRun(folder, "shapeSurvey make box --size 1 --radius 0.1 -q -o box.shp");
  const std::string half = "packgen lattice --shape box.shp --cells 3 3 3 --spacing 0.5 ";
  // 27 cubes of edge 1, rounded by 0.1, on 1.5³: 8 times the volume of a cube.
  expect(folder, half + "-o a/conf0", 3,
         {"--spacing 0.5", "solid fraction 7.80", "--allow-overlap"});
  CHECK_FALSE(folder.has("a/conf0"));

  expect(folder, half + "--allow-overlap -o b/conf0", 0, {"warning:"});
  CHECK(folder.has("b/conf0"));

  // Less than the volume of the cells, and yet too near: two corners of bcc cubes.
  expect(folder,
         "packgen lattice --shape box.shp --type bcc --cells 2 2 2 --spacing 1.2 -o c/conf0", 3,
         {"--allow-overlap"});
  // Boxes that touch face to face do not overlap, although their balls do.
  expect(folder, "packgen lattice --shape box.shp --cells 2 2 2 --spacing 1 -o d/conf0", 0);
}

TEST_CASE("info and import print the size of a mesh", "[golden][checks]") {
  const Folder folder;
  // A tetrahedron with legs 2, 3 and 4: volume 2·3·4/6, centre a quarter along each.
  const std::string body =
      "v 1 1 1\nv 3 1 1\nv 1 4 1\nv 1 1 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  folder.write("rock.obj", body);
  const Outcome info = expect(folder, "shapeSurvey info rock.obj --density 2700", 0);
  const std::string high = "bounds high           3 4 5\n", mass = "mass                  10800\n";
  CHECK_THAT(info.out, Contains(high) && Contains(mass) && Contains("volume                4\n") &&
                           Contains("unit of the file"));
  const auto json = jsonOf(folder, "shapeSurvey info rock.obj --density 2700 --json")["shapes"][0];
  CHECK(json["bounds"]["high"] == nlohmann::json({3.0, 4.0, 5.0}));
  CHECK(json["mass"].get<double>() == Approx(10800.0).epsilon(1e-12));
  CHECK(json["centre"][2].get<double>() == Approx(2.0).epsilon(1e-12));
  // The other formats, of the same body.
  mustRun(folder, "shapeSurvey import rock.obj --radius 0 -q -o rock.shp");
  for (const std::string ending : {"stl", "ply", "off"}) {
    INFO(ending);
    mustRun(folder, "shapeSurvey export rock.shp -o rock." + ending);
    CHECK_THAT(run(folder, "shapeSurvey info rock." + ending).out, Contains(high));
  }

  // Without one of its faces the body has no volume that is known.
  folder.write("open rock.obj", with(body, "f 2 3 4\n", ""));
  const std::string infoOpen = "shapeSurvey info 'open rock.obj'";
  const Outcome open = expect(folder, infoOpen + " --density 2700", 0);
  CHECK_THAT(open.out, Contains("the mesh is open (3 edges without a second face)\n") &&
                           !Contains("\nvolume ") && Contains("area "));
  expect(folder, infoOpen + " --density 2700 --strict", 3);
  expect(folder, infoOpen + " --strict", 0);
  const auto unknown = jsonOf(folder, infoOpen + " --density 2700 --json")["shapes"][0];
  for (const char* const key :
       {"mass", "volume", "centre", "inertiaTensorPerMass", "inertiaPerMass"}) {
    INFO(key);
    CHECK(unknown[key].is_null());
  }
  CHECK(unknown["openEdges"] == 3);
  CHECK(json["openEdges"].is_null());

  expect(folder, "shapeSurvey import rock.obj --radius 0.25 --scale 10 -o big.shp", 0,
         {"box: 2 x 3 x 4 in the unit of the mesh", "rounding included: 20.5 x 30.5 x 40.5"});

  // A density in g/cm³ warns in each command that takes a density.
  for (const std::string command :
       {"shapeSurvey info rock.obj --density 2.7",
        "shapeSurvey import rock.obj --radius 0.1 --mass 5000 --density 2.7",
        "packgen lattice --shape rock.shp --density 2.7 -o pack/conf0"}) {
    expect(folder, command, 0, {"warning: --density 2.7"});
    expect(folder, command + " --strict --force", 3);
    // The range in which nothing is said: 100 to 25,000.
    for (const std::string density : {"99", "100", "25000", "25001"}) {
      const Outcome at = expect(folder, with(command, "2.7", density) + " --force", 0);
      CHECK((at.err.find("warning: --density " + density) != std::string::npos) ==
            (density == "99" || density == "25001"));
    }
  }
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What clumpify quality draws, against closed forms, and the goals of clumpify cover by distance.
#include "catch.hpp"
#include "command.hpp"
#include "cover.hpp"
#include "quality.hpp"
#include "quality_views.hpp"
#include "vtk/write_vtp.hpp"

#include "scree/clump/cover.hpp"

#include <cmath>
#include <cstdint>
#include <map>
#include <png.h>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::tools;

namespace {

/// A cuboid from 0 to 2, 1, 1.
const std::string cuboid =
    "OFF\n8 6 0\n0 0 0\n2 0 0\n0 1 0\n2 1 0\n0 0 1\n2 0 1\n0 1 1\n2 1 1\n"
    "4 0 2 3 1\n4 4 5 7 6\n4 0 1 5 4\n4 2 6 7 3\n4 0 4 6 2\n4 1 3 7 5\n";
const std::vector<mass::Ball> twoBalls{{{0.5, 0.5, 0.5}, 0.5}, {{1.5, 0.5, 0.5}, 0.25}};

SolidInput solidOf(const testing::Folder& folder) {
  folder.write("cuboid.off", cuboid);
  Diagnostics diagnostics;
  return solidFrom(folder.path("cuboid.off"), "", 1, diagnostics);
}

}  // namespace

TEST_CASE("quality warns of a range that is wider than requested", "[clumpify][quality]") {
  const testing::Folder folder;
  const SolidInput solid = solidOf(folder);
  clump::CoverQuality quality =
      clump::coverQuality(solid.solid, solid.body, twoBalls, {.tolerance = 1e-3});
  Diagnostics diagnostics;
  warnOfWideRanges(quality, 1e-3, diagnostics);
  CHECK(diagnostics.warnings().empty());
  quality.meanGap.atMost = quality.meanGap.atLeast + 1.1e-3 * std::cbrt(2.0);
  warnOfWideRanges(quality, 1e-3, diagnostics);
  REQUIRE(diagnostics.warnings().size() == 1);
  CHECK_THAT(diagnostics.warnings()[0],
             Catch::Contains("the mean gap is proven to 0.0014 only, where 0.0013 was requested"));
}

TEST_CASE("cover and quality place a shape as its file does", "[clumpify][quality]") {
  const testing::Folder folder;
  // Right angles at 10 0 0, legs 2, 1 and 3.
  folder.write("tet.off",
               "OFF\n4 4 0\n10 0 0\n12 0 0\n10 1 0\n10 0 3\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n");
  for (const char* words : {"shapeSurvey import tet.off --radius 0 -q -o raw.shp",
                            "shapeSurvey compute raw.shp -q -o tet.shp",
                            "clumpify cover tet.off --inside --spheres 1 -q -o mesh.txt",
                            "clumpify cover tet.shp --inside --spheres 1 -q -o shape.txt"})
    REQUIRE(testing::run(folder, words).code == 0);
  // The largest ball inside: r = 3 V / (sum of areas), its centre r from the three faces.
  const double r = 3.0 / (1.0 + 1.5 + 3.0 + 3.5);
  for (const char* file : {"mesh.txt", "shape.txt"}) {
    Diagnostics diagnostics;
    const std::vector<mass::Ball> balls = ballsFrom(folder.path(file), diagnostics);
    REQUIRE(balls.size() == 1);
    CHECK(balls[0].radius == Approx(r).epsilon(1e-6));
    CHECK((balls[0].centre - Vec3(10.0 + r, r, r)).norm() < 1e-5);
  }
  const auto iou = [&](const std::string& words) {
    const testing::Outcome outcome = testing::run(folder, "clumpify quality --json " + words);
    return std::stod(outcome.out.substr(outcome.out.find("\"iou\":") + 6));
  };
  const double expected = 4.0 / 3.0 * pi * r * r * r;  // the volume of the tetrahedron is 1
  CHECK(iou("mesh.txt tet.shp") == Approx(expected).epsilon(1e-4));
  CHECK(iou("shape.txt tet.off") == Approx(expected).epsilon(1e-4));
}

TEST_CASE("the surface of quality --vtp is rounded where the body is", "[clumpify][quality]") {
  const testing::Folder folder;
  REQUIRE(testing::run(folder, "shapeSurvey make box --size 2 1 1 --radius 0.4 -q -o b.shp").code ==
          0);
  Diagnostics diagnostics;
  const SolidInput solid = solidFrom(folder.path("b.shp"), "", 1, diagnostics);
  const std::vector<mass::Ball> two{{{0.5, 0, 0}, 0.5}, {{-0.5, 0, 0}, 0.5}};
  const vtp::PolyPiece piece = distancePiece(solid, two);
  const auto& distance = std::get<std::vector<double>>(piece.pointData[0].values);
  double most = 0.0, depth = 0.0;
  Vec3 high = Vec3::Zero();
  for (std::size_t k = 0; k < distance.size(); ++k) {
    most = std::max(most, distance[k]);
    high = high.cwiseMax(piece.points[k]);
    depth = std::max(depth, std::fabs(solid.solid.depth(piece.points[k])));
  }
  CHECK((high - Vec3(1.0, 0.5, 0.5)).norm() < 1e-12);
  CHECK(depth < 0.01);  // chords of arcs
  CHECK(most == Approx(std::hypot(0.5, 0.1 * std::sqrt(2.0) + 0.4) - 0.5).margin(0.01));
}

TEST_CASE("the surface of quality --vtp has the distance of each point from the balls",
          "[clumpify][quality]") {
  const testing::Folder folder;
  const vtp::PolyPiece piece = distancePiece(solidOf(folder), twoBalls);
  REQUIRE(piece.pointData.size() == 1);
  CHECK(piece.pointData[0].name == "distance");
  const auto& distance = std::get<std::vector<double>>(piece.pointData[0].values);
  REQUIRE(distance.size() == piece.points.size());
  for (std::size_t k = 0; k < distance.size(); ++k) {
    const Vec3& p = piece.points[k];
    CHECK(distance[k] == Approx(std::min((p - Vec3(0.5, 0.5, 0.5)).norm() - 0.5,
                                         (p - Vec3(1.5, 0.5, 0.5)).norm() - 0.25))
                             .margin(1e-14));
  }
  INFO("small triangles that still are the whole surface, each side once in each direction");
  const shape::Polygons& cells = piece.polygons.get();
  double area = 0.0, longest = 0.0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const auto corners = cells[k];
    REQUIRE(corners.size() == 3);
    const Vec3 &a = piece.points[corners[0]], &b = piece.points[corners[1]],
               &c = piece.points[corners[2]];
    area += 0.5 * (b - a).cross(c - a).norm();
    for (std::size_t i = 0; i < 3; ++i) {
      ++sides[{corners[i], corners[(i + 1) % 3]}];
      longest =
          std::max(longest, (piece.points[corners[(i + 1) % 3]] - piece.points[corners[i]]).norm());
    }
  }
  CHECK(area == Approx(10.0).epsilon(1e-12));
  CHECK(longest <= 0.04 * std::cbrt(2.0) * (1.0 + 1e-12));
  for (const auto& [side, count] : sides) {
    CHECK(count == 1);
    CHECK(sides.contains({side.second, side.first}));
  }
}

TEST_CASE("quality writes its ParaView file and its picture", "[clumpify][quality]") {
  const testing::Folder folder;
  folder.write("cuboid.off", cuboid);
  folder.write("clump.txt", "0 Sphere 0.5 0.5 0.5 0.5\n0 Sphere 1.5 0.5 0.5 0.25\n");
  const std::string command = "clumpify quality clump.txt cuboid.off --vtp d.vtp --image q.png";
  const testing::Outcome outcome = testing::run(folder, command);
  CHECK(outcome.code == 0);
  CHECK(folder.read("d.vtp") == vtp::vtpText(distancePiece(solidOf(folder), twoBalls),
                                             {.compression = vtp::Compression::zlib}));
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, folder.path("q.png").c_str()));
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, rgb.data(), 0, nullptr));
  // Both halves draw a body at the same scale. The one ball has the height of the cuboid, and both
  // balls together cover less of the picture.
  std::size_t left = 0, right = 0;
  for (unsigned y = 40; y + 60 < image.height; ++y)
    for (unsigned x = 0; x < image.width; ++x) {
      const std::size_t k = 3 * (static_cast<std::size_t>(y) * image.width + x);
      if (rgb[k] > 250 && rgb[k + 1] > 250 && rgb[k + 2] > 250) continue;
      ++(x < image.width / 2 ? left : right);
    }
  const std::size_t half = static_cast<std::size_t>(image.width) / 2 * image.height;
  CHECK(left > half / 10);
  CHECK(right > half / 40);
  CHECK(right < left);
  INFO("both are refused where the files are there already");
  CHECK(testing::run(folder, command).code == 4);
}

TEST_CASE("the goal of cover --hausdorff is reached, with fewer balls for a wider one",
          "[clumpify][cover]") {
  const testing::Folder folder;
  folder.write("cuboid.off", cuboid);
  std::size_t before = 1000;
  for (const double goal : {0.3, 0.45}) {
    CoverRequest request;
    request.input = folder.path("cuboid.off");
    request.cover.hausdorff = goal;
    CHECK_NOTHROW(checkRequest(request));
    CHECK(objectiveOf(request) == clump::CoverObjective::hausdorff);
    Diagnostics diagnostics;
    const CoverResult result = cover(request, diagnostics);
    const clump::CoverQuality quality = clump::coverQuality(result.solid.solid, result.solid.body,
                                                            result.balls, {.tolerance = 1e-3});
    CHECK(quality.hausdorff().atMost <= goal * 1.002);
    CHECK(result.balls.size() <= before);
    before = result.balls.size();
  }
}

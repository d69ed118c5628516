// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "command.hpp"
#include "image/render.hpp"
#include "sample_shapes.hpp"
#include "shapeSurvey.hpp"

#include "scree/shape/make.hpp"
#include "scree/shape/shape_file.hpp"

#include <cmath>
#include <png.h>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::image;
using Catch::Matchers::WithinRel;

namespace {

struct Drawn {
  Camera camera;
  Sight sight;
  Canvas canvas{240, 180, white};
};

Drawn drawn(const shape::Shape& s, const View& view, int threads = 1) {
  const Surface surface = roundedSurfaceOf(s, 24.0);
  const Placed placed{&surface};
  Drawn out;
  out.camera = cameraFor({0, 0, 240, 180}, std::span(&placed, 1), {}, view);
  out.sight = draw(out.canvas, out.camera, std::span(&placed, 1), threads);
  return out;
}

double silhouette(const Drawn& d) {
  double sum = 0.0;
  for (const float c : d.sight.coverage) sum += static_cast<double>(c);
  return sum * d.camera.pixelSize * d.camera.pixelSize;
}

}  // namespace

TEST_CASE("silhouettes have the area of the projected body", "[image]") {
  // Four levels across and down: a straight outline is off by 1/8 of a pixel at most.
  const auto check = [](const shape::Shape& s, const View& view, double area, double outline) {
    const Drawn picture = drawn(s, view);
    INFO(s.name << ": " << silhouette(picture) << " against " << area);
    CHECK(std::abs(silhouette(picture) - area) < outline * picture.camera.pixelSize / 8);
  };
  const double r = 0.2, ring = 2 * pi * r, disc = pi * r * r;
  check(shape::makeSphere(1.0), {}, pi / 4, pi);
  // A box seen along x is a rectangle with round corners; a stick from its side a stadium.
  check(samples::box(1, 2, 3, r), {0.0, 0.0}, 2 * 3 + 2 * r * (2 + 3) + disc, 10 + ring);
  check(samples::stick(2, r), {90.0, 0.0}, 2 * 2 * r + disc, 4 + ring);
  check(samples::stick(2, r), {0.0, 0.0}, disc, ring);
  // The L from above: its notch stays open.
  check(samples::letterL(r), {0.0, 90.0}, 3 + 8 * r + (1.25 * pi - 1) * r * r, 8 + ring);
  // Opposite views of one body are mirror images.
  const shape::Shape boulder = shape::makeBoulder(20, Vec3(1, 0.8, 0.6), 0.05, 2);
  CHECK_THAT(silhouette(drawn(boulder, {20.0, 30.0})),
             WithinRel(silhouette(drawn(boulder, {200.0, -30.0})), 2e-3));
}

TEST_CASE("the nearer body hides the other, wherever it stands in the list", "[image]") {
  const Surface ball = roundedSurfaceOf(shape::makeSphere(1.0), 8.0);
  std::vector<Placed> bodies{{&ball, Vec3(-2, 0, 0)}, {&ball, Vec3(2, 0, 0)}};
  const bool swapped = GENERATE(false, true);
  if (swapped) std::swap(bodies[0], bodies[1]);
  const Camera camera = cameraFor({0, 0, 100, 100}, bodies, {}, {0.0, 0.0});
  Canvas canvas(100, 100, white);
  const Sight sight = draw(canvas, camera, bodies, 2);
  CHECK(sight.body[100 * 50 + 50] == (swapped ? 0 : 1));
  CHECK(sight.body[0] == -1);
}

TEST_CASE("pictures are the same bits for any number of threads", "[image]") {
  for (const shape::Shape& s : {samples::letterL(0.1), samples::octahedron(1, 0.1)}) {
    const std::string bytes = drawn(s, {35.0, 20.0}).canvas.png();
    for (const int threads : {2, 3}) CHECK(drawn(s, {35.0, 20.0}, threads).canvas.png() == bytes);
  }
}

TEST_CASE("a sheet is a PNG of the requested size", "[image]") {
  const testing::Folder folder;
  shape::Shape a = samples::box(1, 1, 1, 0.1), b = samples::stick(1, 0.2);
  a.name = "A";
  b.name = "B";
  folder.write("s.shp", shape::shapesText({a, b}));
  ImageOptions options;
  options.shapes = folder.path("s.shp");
  options.size = {320, 120};
  Diagnostics diagnostics;
  const std::string bytes = pictureOf(options, diagnostics);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) != 0);
  CHECK(header.width == 320);
  CHECK(header.height == 120);
  options.output = "stone.jpg";
  CHECK_THROWS_AS(pictureOf(options, diagnostics), UsageError);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "command.hpp"
#include "image.hpp"
#include "image/render.hpp"
#include "sample_shapes.hpp"

#include "scree/base/rng.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/shape_file.hpp"

#include <cmath>
#include <png.h>

using namespace scree;
using namespace scree::tools;
using namespace scree::tools::image;
using Catch::Matchers::WithinRel;

namespace {

Rendering drawn(const shape::Shape& s, const View& view, int width = 240, int height = 180,
                int threads = 1, Canvas* keep = nullptr) {
  const RoundedBody body(s);
  const Placed placed{&body};
  Canvas canvas(width, height, {1.0F, 1.0F, 1.0F});
  Rendering r =
      render(canvas, {0, 0, width, height}, std::span(&placed, 1), view, Style{}, threads);
  if (keep) *keep = canvas;
  return r;
}

double silhouette(const Rendering& r) {
  double sum = 0.0;
  for (const float c : r.coverage) sum += static_cast<double>(c);
  return sum * r.pixelSize * r.pixelSize;
}

/// Distance of a point to a rounded L, by its definition: three boxes that fill it.
double outsideOfL(const Vec3& p) {
  double nearest = 1e300;
  for (const auto& [low, high] :
       {std::pair{Vec3(0, 0, 0), Vec3(2, 1, 1)}, std::pair{Vec3(0, 0, 0), Vec3(1, 2, 1)}})
    nearest = std::min(nearest, (p - p.cwiseMax(low).cwiseMin(high)).norm());
  return nearest;
}

}  // namespace

TEST_CASE("rays meet the rounded body where its distance says", "[image]") {
  const double r = 0.2;
  const RoundedBody body(samples::letterL(r));
  Rng rng(4);
  int hits = 0;
  for (int k = 0; k < 4000; ++k) {
    Vec3 from, to;
    for (int c = 0; c < 3; ++c) {
      from[c] = rng.uniform(-1.0, 1.0);
      to[c] = rng.uniform(-0.2, 2.2);
    }
    from = 6.0 * from.normalized();
    const Ray ray{from, (to - from).normalized()};
    const Hit hit = body.first(ray);
    CHECK(hit.any() == body.blocks(ray, 0.0, 1e300));
    // March along the ray by the distance: it never passes through the body.
    double t = 0.0;
    while (t < 20.0) {
      const double gap = outsideOfL(ray.origin + t * ray.direction) - r;
      if (gap < 1e-9) break;
      t += gap;
    }
    if (!hit.any()) {
      CHECK(t >= 20.0);
      continue;
    }
    ++hits;
    CHECK(std::abs(t - hit.t) < 1e-3);
    const Vec3 p = ray.origin + hit.t * ray.direction;
    CHECK(std::abs(outsideOfL(p) - r) < 1e-9);
    CHECK(std::abs(outsideOfL(p + 1e-6 * hit.normal) - r - 1e-6) < 1e-10);
  }
  CHECK(hits > 1000);
}

TEST_CASE("silhouettes have the area of the projected body", "[image]") {
  // Sixteen levels of coverage: a straight outline is off by 1/32 of a pixel at most.
  const auto check = [](const shape::Shape& s, const View& view, double area, double outline) {
    const Rendering picture = drawn(s, view);
    INFO(s.name << ": " << silhouette(picture) << " against " << area);
    CHECK(std::abs(silhouette(picture) - area) < outline * picture.pixelSize / 32);
  };
  const double r = 0.2, ring = 2 * pi * r, disc = pi * r * r;
  check(shape::makeSphere(1.0), {}, pi / 4, pi);
  // A box seen along x is a rectangle with round corners; a stick from its side a stadium.
  check(samples::box(1, 2, 3, r), {0.0, 0.0, false}, 2 * 3 + 2 * r * (2 + 3) + disc, 10 + ring);
  check(samples::stick(2, r), {90.0, 0.0, false}, 2 * 2 * r + disc, 4 + ring);
  check(samples::stick(2, r), {0.0, 0.0, false}, disc, ring);
  // The L from above: its notch stays open.
  check(samples::letterL(r), {0.0, 90.0, false}, 3 + 8 * r + (1.25 * pi - 1) * r * r, 8 + ring);
  // Two balls of different radii from their side: two discs that overlap in a lens.
  shape::Shape two = samples::stick(1.2, 1.0);
  two.vertices = {Vec3(0, 0, 0), Vec3(0, 0, 1.2)};
  two.radii = {1.0, 0.8};
  two.radius = 1.0;
  two.edges.clear();
  const double a = (1.44 + 1.0 - 0.64) / 2.4, b = 1.2 - a;  // from the centres to the chord
  const double lens = std::acos(a) - a * std::sqrt(1.0 - a * a) + 0.64 * std::acos(b / 0.8) -
                      b * std::sqrt(0.64 - b * b);
  check(two, {0.0, 0.0, false}, 1.64 * pi - lens, 3.6 * pi);
  check(two, {0.0, 90.0, false}, pi, 2 * pi);
  // Opposite views of one body are mirror images.
  const shape::Shape boulder = shape::makeBoulder(20, Vec3(1, 0.8, 0.6), 0.05, 2);
  CHECK_THAT(silhouette(drawn(boulder, {20.0, 30.0, false})),
             WithinRel(silhouette(drawn(boulder, {200.0, -30.0, false})), 1e-3));
}

TEST_CASE("pictures are the same bits for any number of threads", "[image]") {
  for (const shape::Shape& s : {samples::letterL(0.1), samples::octahedron(1, 0.1)}) {
    Canvas one(1, 1, {}), other(1, 1, {});
    drawn(s, {35.0, 20.0, false}, 161, 121, 1, &one);
    const std::string bytes = one.png();
    for (const int threads : {2, 3}) {
      drawn(s, {35.0, 20.0, false}, 161, 121, threads, &other);
      CHECK(other.png() == bytes);
    }
  }
}

TEST_CASE("light falls from the upper left, and a shadow on the ground", "[image]") {
  Canvas canvas(1, 1, {});
  drawn(shape::makeSphere(1.0), {35.0, 20.0, false}, 200, 160, 1, &canvas);
  const auto brightness = [&](int x, int y) {
    const Colour& c = canvas.at(x, y);
    return c[0] + c[1] + c[2];
  };
  CHECK(brightness(75, 50) > 1.5F * brightness(125, 115));
  CHECK(brightness(3, 3) > 2.99F);
  CHECK(brightness(130, 147) < 2.8F);  // beside the foot
}

TEST_CASE("a sheet is a PNG of the requested size, with a name on every tile", "[image]") {
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
  header.format = PNG_FORMAT_RGB;
  std::vector<png_byte> pixels(PNG_IMAGE_SIZE(header));
  REQUIRE(png_image_finish_read(&header, nullptr, pixels.data(), 0, nullptr) != 0);
  // The letters' ink: A has its bar where B has its own.
  for (const std::size_t left : {8u, 168u}) {
    int dark = 0;
    for (std::size_t y = 7; y < 14; ++y)
      for (std::size_t x = left; x < left + 5; ++x) dark += pixels[3 * (320 * y + x)] < 100;
    CHECK(dark == (left == 8 ? 18 : 20));
  }
  options.box = options.perspective = true;
  CHECK(pictureOf(options, diagnostics) != bytes);
  options.output = "stone.jpg";
  CHECK_THROWS_WITH(pictureOf(options, diagnostics), Catch::Contains("ending in .png"));
  options.output.clear();
  options.size = {70, 70};
  CHECK_THROWS_AS(pictureOf(options, diagnostics), UsageError);
  options.size = {16384, 16384};
  CHECK_THROWS_AS(pictureOf(options, diagnostics), UsageError);
  options.size = {320, 120};
  options.view = {0.0, 91.0};
  CHECK_THROWS_AS(pictureOf(options, diagnostics), UsageError);
}

TEST_CASE("The option --up turns the picture, not the shape", "[image]") {
  const testing::Folder folder;
  shape::Shape stone = shape::makeBoulder(20, Vec3(1, 0.7, 0.4), 0.05, 3);
  const auto picture = [&](const shape::Shape& s, std::vector<double> up) {
    folder.write("s.shp", shape::shapesText({s}));
    ImageOptions options;
    options.shapes = folder.path("s.shp");
    options.size = {160, 120};
    options.plain = true;
    options.up = std::move(up);
    Diagnostics diagnostics;
    const std::string bytes = pictureOf(options, diagnostics);
    png_image header{};
    header.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()) != 0);
    header.format = PNG_FORMAT_GRAY;
    std::vector<png_byte> pixels(PNG_IMAGE_SIZE(header));
    REQUIRE(png_image_finish_read(&header, nullptr, pixels.data(), 0, nullptr) != 0);
    return pixels;
  };
  const auto apart = [](const std::vector<png_byte>& a, const std::vector<png_byte>& b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) sum += std::abs(int{a[k]} - int{b[k]});
    return sum / static_cast<double>(a.size());
  };
  const auto usual = picture(stone, {0, 0, 1});
  shape::Shape lying = stone;
  for (Vec3& v : lying.vertices) v = Vec3(v.x(), v.z(), -v.y());  // its y is the stone's z
  CHECK(apart(usual, picture(lying, {0, 5, 0})) < 0.2);
  CHECK(apart(usual, picture(lying, {0, 0, 1})) > 2.0);
  CHECK_THROWS_AS(picture(stone, {0, 0, 0}), UsageError);
}

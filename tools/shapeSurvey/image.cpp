// SPDX-License-Identifier: GPL-3.0-or-later
#include "image/render.hpp"
#include "shapeSurvey.hpp"

#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace scree::tools {
namespace {

using image::Canvas;
using image::Frame;
using shape::Shape;

void checkOptions(const ImageOptions& o) {
  if (!o.output.empty() && !isStandardOutput(o.output) &&
      std::filesystem::path(o.output).extension() != ".png")
    throw UsageError(
        fmt::format("-o {}: expected a file ending in .png: pictures are PNG", o.output));
  for (const int pixels : o.size)
    if (pixels < 32 || pixels > 4096)
      throw UsageError(fmt::format("--size: expected 32 to 4096 pixels, found {}", pixels));
  if (!std::isfinite(o.view[0]) || !(std::abs(o.view[1]) <= 90.0))
    throw UsageError("--view: expected azimuth and elevation, -90 to 90, in degrees");
}

void drawTile(Canvas& canvas, const Frame& frame, const Shape& s, std::size_t k,
              const ImageOptions& o) {
  const int scale = std::max(1, std::min(frame.width / 300, frame.height / 220));
  constexpr double fineness = 12.0;
  const image::Surface surface = image::roundedSurfaceOf(s, fineness);
  const image::Placed body{.surface = &surface, .colour = image::stoneColour(k)};
  const image::View view{
      .azimuth = o.view[0],
      .elevation = o.view[1],
      .sky = Vec3::UnitY(),
      .marginTop = std::min(0.2, (Canvas::textHeight + 8.0) * scale / frame.height),
      .marginBottom = std::min(0.3, 26.0 * scale / frame.height)};
  const image::Camera camera = image::cameraFor(frame, std::span(&body, 1), {}, view);
  image::draw(canvas, camera, std::span(&body, 1), o.threads);
  const auto letters =
      static_cast<std::size_t>(std::max(4, (frame.width - 12 * scale) / (6 * scale)));
  const std::string name = s.name.size() <= letters ? s.name : s.name.substr(0, letters - 2) + "..";
  canvas.text(frame.x + 8 * scale, frame.y + 7 * scale, name, scale, image::ink);
  image::drawAxes(canvas, camera, scale);
  image::drawScaleBar(canvas, camera, scale);
}

}  // namespace

std::string pictureOf(const ImageOptions& o, Diagnostics& diagnostics) {
  checkOptions(o);
  const std::vector<Shape> shapes =
      chosenShapes(shape::readShapesFromFile(o.shapes, diagnostics), o.shape, o.shapes);
  // Tiles with proportions near 4 to 3.
  const auto tiles = static_cast<int>(std::min<std::size_t>(shapes.size(), 100000));
  const int columns = std::clamp(
      static_cast<int>(std::lround(std::sqrt(0.75 * tiles * o.size[0] / o.size[1]))), 1, tiles);
  const int width = o.size[0] / columns, height = o.size[1] / ((tiles + columns - 1) / columns);
  if (width < 48 || height < 48)
    throw UsageError(
        fmt::format("{} shapes leave {} x {} pixels for each: give a larger --size, or one --shape",
                    shapes.size(), width, height));
  Canvas canvas(o.size[0], o.size[1], image::white);
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const int column = static_cast<int>(k) % columns, row = static_cast<int>(k) / columns;
    drawTile(canvas, {column * width, row * height, width, height}, shapes[k], k, o);
  }
  return canvas.png();
}

Verb addImageVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<ImageOptions>();
  CLI::App& verb = addVerb(
      app, "image", "Draw shapes as a PNG picture",
      "  shapeSurvey make boulder --radius 0.05 -o stone.shp\n"
      "  shapeSurvey image stone.shp -o stone.png\n"
      "  shapeSurvey image stone.shp --view 60 15 --size 400 300 -o small.png\n"
      "  shapeSurvey make prism --faces 8 | shapeSurvey image - -o prism.png",
      "Draws the rounded body, with a scale bar and the axes of its frame. Several shapes become\n"
      "a sheet with their names.");
  verb.add_option("SHAPES", o->shapes, "Shape-file; - is standard input")->required();
  verb.add_option("--shape", o->shape, "Name of the shape to draw (default: all)");
  verb.add_option("-o,--output", o->output, "Picture to write; - is standard output")->required();
  verb.add_option("--size", o->size, "Width and height in pixels")
      ->expected(2)
      ->capture_default_str();
  verb.add_option("--view", o->view, "Azimuth and elevation in degrees; y is up, 0 0 looks from +x")
      ->expected(2)
      ->capture_default_str();
  return {&verb, [o, &common] {
            o->threads = threadCount(common.jobs);
            checkOutput(o->output, common, {o->shapes});
            Diagnostics diagnostics(common.strict);
            const std::string picture = pictureOf(*o, diagnostics);
            JsonWriter json(1);
            json.beginObject().member("schema", 1).member("file", o->output);
            json.member("bytes", picture.size()).member("width", o->size[0]);
            json.member("height", o->size[1]).end();
            return deliver(o->output, picture, json.take() + "\n", diagnostics, common);
          }};
}

}  // namespace scree::tools

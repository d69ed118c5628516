// SPDX-License-Identifier: GPL-3.0-or-later
#include "image.hpp"

#include "image/render.hpp"
#include "shapeSurvey.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/shape/obb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

namespace scree::tools {
namespace {

using image::Canvas;
using image::Frame;
using shape::Shape;

constexpr image::Colour boxColour{0.10F, 0.22F, 0.55F};

void checkOptions(const ImageOptions& o) {
  if (!o.output.empty() && o.output != "-" && std::filesystem::path(o.output).extension() != ".png")
    throw UsageError(
        fmt::format("-o {}: expected a file ending in .png: pictures are PNG", o.output));
  for (const int pixels : o.size)
    if (pixels < 32 || pixels > 16384)
      throw UsageError(fmt::format("--size: expected 32 to 16384 pixels, found {}", pixels));
  if (o.size[0] > (1 << 25) / o.size[1])
    throw UsageError(
        fmt::format("--size: {} x {} is more than 32 million pixels", o.size[0], o.size[1]));
  for (const double angle : o.view)
    if (!std::isfinite(angle)) throw UsageError("--view: expected two angles in degrees");
  if (std::abs(o.view[1]) > 90.0)
    throw UsageError(
        fmt::format("--view: elevation from -90 to 90 degrees, found {:g}", o.view[1]));
  const Vec3 up(o.up[0], o.up[1], o.up[2]);
  if (!up.allFinite() || !(up.norm() > 0.0))
    throw UsageError("--up: expected a direction, three numbers that are not all 0");
}

/// The turn that brings the direction `up` to z, the least there is.
Quat upright(const std::vector<double>& given) {
  const Vec3 up = Vec3(given[0], given[1], given[2]).stableNormalized();
  if (up.z() < -1.0 + 1e-12) return Quat(0.0, 1.0, 0.0, 0.0);  // upside down: about x
  return shortestTurn(up, Vec3::UnitZ());
}

/// How a sheet is divided: columns so that the tiles are nearest to the proportions of 4 to 3.
struct Sheet {
  int columns = 1, rows = 1;
};
Sheet sheetFor(int tiles, const ImageOptions& o) {
  Sheet best;
  double least = 1e300;
  for (int columns = 1; columns <= tiles; ++columns) {
    if (o.columns > 0 && columns != std::min(o.columns, tiles)) continue;
    const int rows = (tiles + columns - 1) / columns;
    const double w = static_cast<double>(o.size[0]) / columns,
                 h = static_cast<double>(o.size[1]) / rows;
    const double used = static_cast<double>(tiles) / (columns * rows);
    const double cost = std::abs(std::log(w / h / (4.0 / 3.0))) - std::log(used);
    if (cost < least) {
      least = cost;
      best = {columns, rows};
    }
  }
  return best;
}

shape::Obb boxOf(const Shape& s) {
  const bool given = s.obbGiven && s.preCompDone && s.obb.extent.minCoeff() > 0.0;
  return given ? s.obb : shape::orientedBox(s, shape::BoxMethod::minimum);
}

std::vector<Vec3> cornersOf(const shape::Obb& box) {
  std::vector<Vec3> out;
  for (int k = 0; k < 8; ++k)
    out.push_back(box.centre + box.axes * Vec3((k & 1 ? 1 : -1) * box.extent.x(),
                                               (k & 2 ? 1 : -1) * box.extent.y(),
                                               (k & 4 ? 1 : -1) * box.extent.z()));
  return out;
}

void drawTile(Canvas& canvas, const Frame& frame, const Shape& s, std::size_t k,
              const ImageOptions& o) {
  const int scale = std::max(1, std::min(frame.width / 300, frame.height / 220));
  constexpr double fineness = 12.0;
  const image::Surface surface = image::roundedSurfaceOf(s, fineness);
  const image::Placed body{&surface, Vec3::Zero(), upright(o.up), 1.0, image::stoneColour(k)};
  image::View view{o.view[0], o.view[1], o.perspective};
  if (!o.plain) {
    view.marginTop = std::min(0.2, (Canvas::textHeight + 8.0) * scale / frame.height);
    view.marginBottom = std::min(0.3, 26.0 * scale / frame.height);
  }
  std::vector<Vec3> corners;
  if (o.box)
    for (const Vec3& p : cornersOf(boxOf(s))) corners.push_back(body.at(p));
  const image::Camera camera = image::cameraFor(frame, std::span(&body, 1), corners, view);
  const image::Sight sight = image::draw(&canvas, camera, std::span(&body, 1), o.threads);
  if (o.edges) image::drawSides(canvas, camera, sight, body);
  for (std::size_t c = 0; c < corners.size(); ++c)
    for (const std::size_t bit : {1U, 2U, 4U})
      if (!(c & bit))
        image::drawLine(canvas, camera, sight, corners[c], corners[c | bit], boxColour);
  if (o.plain) return;
  const auto letters =
      static_cast<std::size_t>(std::max(4, (frame.width - 12 * scale) / (6 * scale)));
  const std::string name = s.name.size() <= letters ? s.name : s.name.substr(0, letters - 2) + "..";
  canvas.text(frame.x + 8 * scale, frame.y + 7 * scale, name, scale, image::ink);
  image::drawAxes(canvas, camera, scale, body.orientation);
  image::drawScaleBar(canvas, camera, scale);
}

}  // namespace

std::string pictureOf(const ImageOptions& o, Diagnostics& diagnostics) {
  checkOptions(o);
  const std::vector<Shape> shapes = chosenShapes(o.shapes, o.shape, diagnostics);
  const Sheet sheet = sheetFor(static_cast<int>(std::min<std::size_t>(shapes.size(), 100000)), o);
  const int width = o.size[0] / sheet.columns, height = o.size[1] / sheet.rows;
  if (width < 48 || height < 48)
    throw UsageError(
        fmt::format("{} shapes leave {} x {} pixels for each: give a larger --size, or one --shape",
                    shapes.size(), width, height));
  Canvas canvas(o.size[0], o.size[1], image::white);
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const int column = static_cast<int>(k) % sheet.columns,
              row = static_cast<int>(k) / sheet.columns;
    drawTile(canvas, {column * width, row * height, width, height}, shapes[k], k, o);
  }
  return canvas.png();
}

std::string imageJson(const ImageOptions& o, std::size_t bytes) {
  JsonWriter json(1);
  json.beginObject().member("schema", 1).member("file", o.output).member("bytes", bytes);
  return json.member("width", o.size[0]).member("height", o.size[1]).end().take() + "\n";
}

Verb addImageVerb(CLI::App& app, const CommonOptions& common) {
  const auto o = std::make_shared<ImageOptions>();
  CLI::App& verb = addVerb(
      app, "image", "Draw shapes as a PNG picture",
      "  shapeSurvey make boulder --radius 0.05 -o stone.shp\n"
      "  shapeSurvey image stone.shp -o stone.png\n"
      "  shapeSurvey image stone.shp --box --view 60 15 --size 400 300 -o small.png\n"
      "  shapeSurvey make prism --faces 8 | shapeSurvey image - -o prism.png",
      "Draws the rounded body, with a scale bar and the axes of its frame. Several shapes become\n"
      "a sheet with their names.");
  verb.add_option("SHAPES", o->shapes, "Shape-file; - is standard input")->required();
  verb.add_option("--shape", o->shape, "Name of the shape to draw (default: all)");
  verb.add_option("-o,--output", o->output, "Picture to write; - is standard output")->required();
  verb.add_option("--size", o->size, "Width and height in pixels")
      ->expected(2)
      ->capture_default_str();
  verb.add_option("--view", o->view, "Azimuth and elevation in degrees; z is up, 0 0 looks from +x")
      ->expected(2)
      ->capture_default_str();
  verb.add_option("--up", o->up, "Direction of the shape's frame that is up: 0 1 0 for y")
      ->expected(3)
      ->capture_default_str();
  verb.add_flag("--perspective", o->perspective,
                "Perspective view (default: orthographic, with true lengths)");
  verb.add_flag("--box", o->box, "Draw the oriented box");
  verb.add_flag("--edges,!--no-edges", o->edges, "Draw lines where faces meet (default: on)");
  verb.add_flag("--plain", o->plain, "Omit name, axes and scale bar");
  verb.add_option("--columns", o->columns, "Columns of a sheet (default: by its proportions)")
      ->check(CLI::Range(1, 1000));
  return {&verb, [o, &common] {
            o->threads = threadCount(common.jobs);
            checkOutput(o->output, common, {o->shapes});
            Diagnostics diagnostics(common.strict);
            const std::string picture = pictureOf(*o, diagnostics);
            return deliver(o->output, picture, imageJson(*o, picture.size()), diagnostics, common);
          }};
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#include "quality_views.hpp"

#include "image/render.hpp"

#include "scree/shape/mesh.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace scree::tools {
namespace {

/// Splits sides that are too long in the middle, the same for both triangles that share one.
class Refiner {
 public:
  Refiner(vtp::PolyPiece& piece, double longest) : piece_(piece), longest_(longest) {}

  void add(std::array<std::uint32_t, 3> corners) {
    std::size_t side = 0;
    double length = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double here = (piece_.points[corners[(k + 1) % 3]] - piece_.points[corners[k]]).norm();
      if (here > length) length = here, side = k;
    }
    if (length <= longest_ || piece_.points.size() > mostPoints) {
      piece_.polygons.add({corners[0], corners[1], corners[2]});
      return;
    }
    const std::uint32_t a = corners[side], b = corners[(side + 1) % 3], c = corners[(side + 2) % 3],
                        middle = middleOf(a, b);
    add({a, middle, c});
    add({middle, b, c});
  }

 private:
  static constexpr std::size_t mostPoints = 2'000'000;
  std::uint32_t middleOf(std::uint32_t a, std::uint32_t b) {
    const auto next = static_cast<std::uint32_t>(piece_.points.size());
    const auto [at, added] = middles_.try_emplace(std::minmax(a, b), next);
    if (added) piece_.points.push_back(0.5 * (piece_.points[a] + piece_.points[b]));
    return at->second;
  }

  vtp::PolyPiece& piece_;
  double longest_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles_;
};

shape::Shape shapeOf(const SolidInput& solid) {
  shape::Shape body;
  body.name = solid.name;
  body.vertices = solid.solid.core().vertices;
  body.faces = solid.solid.core().faces;
  body.radius = solid.solid.radius();
  return body;
}

/// Triangles of the surface, rounded where the solid is.
std::vector<std::array<Vec3, 3>> surfaceTriangles(const SolidInput& solid) {
  if (solid.solid.radius() == 0.0) return solid.solid.triangles();
  constexpr double fineness = 8.0;
  const shape::Shape body = shapeOf(solid);
  std::optional<shape::RoundedSurface> surface;
  if (!shape::coreOf(body).convex) surface = shape::unionSurface(body, fineness);
  if (!surface) surface = shape::roundedSurface(body, fineness);
  std::vector<std::array<Vec3, 3>> triangles;
  for (std::size_t c = 0; c < surface->cells.size(); ++c) {
    const auto cell = surface->cells[c];
    for (std::size_t k = 2; k < cell.size(); ++k)
      triangles.push_back(
          {surface->points[cell[0]], surface->points[cell[k - 1]], surface->points[cell[k]]});
  }
  return triangles;
}

}  // namespace

vtp::PolyPiece distancePiece(const SolidInput& solid, std::span<const mass::Ball> balls) {
  vtp::PolyPiece piece;
  const auto triangles = surfaceTriangles(solid);
  std::map<std::array<double, 3>, std::uint32_t> known;
  const auto pointOf = [&](const Vec3& p) {
    const auto [at, added] =
        known.try_emplace({p.x(), p.y(), p.z()}, static_cast<std::uint32_t>(piece.points.size()));
    if (added) piece.points.push_back(p);
    return at->second;
  };
  std::vector<std::array<std::uint32_t, 3>> corners;
  for (const auto& t : triangles) corners.push_back({pointOf(t[0]), pointOf(t[1]), pointOf(t[2])});
  Refiner refiner(piece, 0.04 * std::cbrt(solid.body.volume));
  for (const auto& triangle : corners) refiner.add(triangle);

  std::vector<double> distance;
  for (const Vec3& p : piece.points) {
    double least = 1e300;
    for (const mass::Ball& ball : balls)
      least = std::min(least, (p - ball.centre).norm() - ball.radius);
    distance.push_back(least);
  }
  piece.pointData.push_back({"distance", "", 1, std::move(distance)});
  piece.scalars = "distance";
  return piece;
}

std::string qualityPicture(const SolidInput& solid, std::span<const mass::Ball> balls,
                           int threads) {
  constexpr int width = 1200, height = 500, scale = 2;
  constexpr double fineness = 12.0;
  shape::Shape unit;
  unit.name = "ball";
  unit.vertices = {Vec3::Zero()};
  unit.radius = 1.0;
  const image::Surface whole = image::roundedSurfaceOf(shapeOf(solid), fineness),
                       ballSurface = image::roundedSurfaceOf(unit, fineness);
  const image::Placed body{&whole, Vec3::Zero(), Quat::Identity(), 1.0, image::stoneColour(0)};
  std::vector<image::Placed> all{body};
  for (std::size_t k = 0; k < balls.size(); ++k)
    all.push_back(
        {&ballSurface, balls[k].centre, Quat::Identity(), balls[k].radius, image::stoneColour(k)});

  image::Canvas canvas(width, height, image::white);
  image::View view;
  view.marginTop = 0.06;
  image::Camera camera = image::cameraFor({0, 0, width / 2, height}, all, {}, view);
  image::draw(&canvas, camera, std::span(&body, 1), threads);
  camera.frame.x = width / 2;
  camera.centre.x() += width / 2;
  image::draw(&canvas, camera, std::span(all).subspan(1), threads);
  canvas.text(8 * scale, 7 * scale, solid.name.substr(0, 40), scale, image::ink);
  canvas.text(width / 2 + 8 * scale, 7 * scale, fmt::format("{} spheres", balls.size()), scale,
              image::ink);
  image::drawScaleBar(canvas, camera, scale);
  return canvas.png();
}

}  // namespace scree::tools

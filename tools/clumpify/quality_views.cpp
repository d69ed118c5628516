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
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace scree::tools {
namespace {

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
  std::map<std::array<double, 3>, std::uint32_t> known;
  const auto pointOf = [&](const Vec3& p) {
    const auto [at, added] =
        known.try_emplace({p.x(), p.y(), p.z()}, static_cast<std::uint32_t>(piece.points.size()));
    if (added) piece.points.push_back(p);
    return at->second;
  };
  // Sides that are too long are split in the middle, the same for both triangles that share one.
  constexpr std::size_t mostPoints = 2'000'000;
  const double longest = 0.04 * std::cbrt(solid.body.volume);
  const std::function<void(const std::array<Vec3, 3>&)> add = [&](const std::array<Vec3, 3>& t) {
    std::size_t side = 0;
    const auto length = [&](std::size_t k) { return (t[(k + 1) % 3] - t[k]).norm(); };
    for (std::size_t k = 1; k < 3; ++k)
      if (length(k) > length(side)) side = k;
    if (length(side) <= longest || piece.points.size() > mostPoints) {
      piece.polygons.add({pointOf(t[0]), pointOf(t[1]), pointOf(t[2])});
      return;
    }
    const Vec3 &a = t[side], &b = t[(side + 1) % 3], &c = t[(side + 2) % 3];
    const Vec3 middle = 0.5 * (a + b);
    add({a, middle, c});
    add({middle, b, c});
  };
  for (const auto& triangle : surfaceTriangles(solid)) add(triangle);

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

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

/// Sand, slate, terracotta, lichen, heather: in linear light.
constexpr std::array<image::Colour, 5> stones{{{0.68F, 0.55F, 0.38F},
                                               {0.36F, 0.43F, 0.50F},
                                               {0.62F, 0.32F, 0.21F},
                                               {0.36F, 0.48F, 0.30F},
                                               {0.46F, 0.36F, 0.50F}}};

}  // namespace

namespace {

shape::Shape shapeOf(const SolidInput& solid) {
  shape::Shape body;
  body.name = solid.name;
  body.vertices = solid.solid.core().vertices;
  body.faces = solid.solid.core().faces;
  body.radius = solid.solid.radius();
  return body;
}

/// Of the surface, rounded where the solid is.
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
  constexpr image::Colour white{1.0F, 1.0F, 1.0F}, ink{0.045F, 0.05F, 0.06F};
  const shape::Shape body = shapeOf(solid);
  shape::Shape unit;
  unit.name = "ball";
  unit.vertices = {Vec3::Zero()};
  unit.radius = 1.0;
  const image::RoundedBody bodyRays(body), ballRays(unit);

  std::vector<image::Placed> clump;
  image::Style style;
  style.marginTop = 0.06;
  for (std::size_t k = 0; k < balls.size(); ++k) {
    const mass::Ball& ball = balls[k];
    clump.push_back(
        {&ballRays, ball.centre, Quat::Identity(), ball.radius, stones[k % stones.size()]});
    for (const double side : {-1.0, 1.0})
      style.keep.push_back(ball.centre + side * Vec3::Constant(ball.radius / std::sqrt(3.0)));
  }
  for (const double x : {solid.solid.low().x(), solid.solid.high().x()})
    for (const double y : {solid.solid.low().y(), solid.solid.high().y()})
      for (const double z : {solid.solid.low().z(), solid.solid.high().z()})
        style.keep.push_back({x, y, z});

  image::Canvas canvas(width, height, white);
  const image::Placed whole{&bodyRays, Vec3::Zero(), Quat::Identity(), 1.0, stones[0]};
  const image::View view;
  style.edges = false;
  const image::Frame left{0, 0, width / 2, height}, right{width / 2, 0, width / 2, height};
  image::render(canvas, left, std::span(&whole, 1), view, style, threads);
  const image::Rendering drawn = image::render(canvas, right, clump, view, style, threads);
  canvas.text(8 * scale, 7 * scale, solid.name.substr(0, 40), scale, ink);
  canvas.text(width / 2 + 8 * scale, 7 * scale, fmt::format("{} spheres", balls.size()), scale,
              ink);
  image::drawScaleBar(canvas, drawn, scale);
  return canvas.png();
}

}  // namespace scree::tools

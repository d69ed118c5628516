// SPDX-License-Identifier: GPL-3.0-or-later
#include "pieces.hpp"

#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace scree::tools {

namespace {

constexpr std::uint32_t around = 96;  ///< segments of a round wall

Wall flatWall(const Scene& scene, std::size_t body) {
  const DrawnShape& shape = scene.shapeOf(body);
  const sim::ParticleRecord& p = scene.conf->particles[body];
  Wall wall;
  wall.id = static_cast<std::int32_t>(body);
  wall.group = p.group;
  wall.radius = scene.radius(body);
  for (const Vec3& x : shape.skeleton.points)
    wall.points.push_back(p.pos + rotated(p.q, p.homothety * x));
  wall.polygons = shape.skeleton.polygons.get();
  return wall;
}

/// The extent of free bodies along an axis of a boundary, and a little more. [L] from its centre
std::pair<double, double> extentAlong(const Scene& scene, const sim::Boundary& boundary,
                                      const Vec3& axis) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t b = scene.conf->nDriven; b < scene.bodyCount(); ++b) {
    const sim::ParticleRecord& p = scene.conf->particles[b];
    const double s = axis.dot(p.pos - boundary.centre),
                 reach = p.homothety * scene.shapeOf(b).reach;
    low = std::min(low, s - reach);
    high = std::max(high, s + reach);
  }
  if (!(low < high)) low = -(high = boundary.radius);
  const double margin = 0.05 * (high - low);
  return {low - margin, high + margin};
}

/// Whether a cylinder and a cone have one axis.
bool coaxial(const sim::Boundary& a, const sim::Boundary& b) {
  const Vec3 between = a.centre - b.centre;
  return a.axis.cross(b.axis).norm() < 1e-9 &&
         between.cross(b.axis).norm() < 1e-9 * (a.radius + between.norm());
}

/// The wall of revolution, bottom up: [L] heights above its centre and radii there. Cylinders and
/// cones reach as far as bodies, and end where one about the same axis begins.
std::vector<std::pair<double, double>> profileOf(const Scene& scene, const sim::Boundary& round) {
  using Kind = sim::Boundary::Kind;
  std::vector<std::pair<double, double>> profile;
  if (round.kind == Kind::ball) {
    constexpr int rows = around / 2;
    for (int row = 0; row <= rows; ++row)
      profile.emplace_back(-round.radius * std::cos(pi * row / rows),
                           round.radius * std::sin(pi * row / rows));
    return profile;
  }
  auto [low, high] = extentAlong(scene, round, round.axis);
  const double slope = round.kind == Kind::cone ? round.sine / round.cosine : 0.0;
  if (slope > 0.0) {
    low = round.radius / slope;
    high = std::max(high, low);
  }
  for (const sim::Boundary& other : scene.conf->boundaries) {
    if (other.kind == round.kind || !coaxial(round, other)) continue;
    if (slope > 0.0 && other.kind == Kind::cylinder)
      high = std::min(high, std::max(other.radius / slope, low));
    if (slope > 0.0 || other.kind != Kind::cone) continue;
    const double turn = round.axis.dot(other.axis);
    const double meets = round.axis.dot(other.centre - round.centre) +
                         turn * round.radius * other.cosine / other.sine;
    if (turn > 0.0 ? meets < high : meets > low) (turn > 0.0 ? low : high) = meets;
  }
  for (const double height : {low, high})
    profile.emplace_back(height, slope > 0.0 ? slope * height : round.radius);
  return profile;
}

Wall roundWall(const Scene& scene, const sim::Boundary& boundary) {
  Wall wall;
  wall.kind = 1 + static_cast<std::int32_t>(boundary.kind);
  const Mat3 frame = shape::axesAlong(boundary.axis);
  if (boundary.kind == sim::Boundary::Kind::plane) {
    // The part that the free bodies stand above, and a little more.
    const auto [low1, high1] = extentAlong(scene, boundary, frame.col(1));
    const auto [low2, high2] = extentAlong(scene, boundary, frame.col(2));
    for (const auto& [s, t] : {std::pair(low1, low2), {high1, low2}, {high1, high2}, {low1, high2}})
      wall.points.push_back(boundary.centre + s * frame.col(1) + t * frame.col(2));
    wall.polygons.add({0, 1, 2, 3});
    return wall;
  }
  const auto profile = profileOf(scene, boundary);
  const auto count = static_cast<std::uint32_t>(profile.size());
  for (std::uint32_t k = 0; k < around; ++k) {
    const double turn = 2.0 * pi * k / around;
    const Vec3 out = std::cos(turn) * frame.col(1) + std::sin(turn) * frame.col(2);
    for (std::uint32_t row = 0; row < count; ++row) {
      const auto& [height, radius] = profile[row];
      wall.points.push_back(boundary.centre + height * boundary.axis + radius * out);
      const std::uint32_t here = k * count + row, next = (k + 1) % around * count + row;
      if (row + 1 < count) wall.polygons.add({here, here + 1, next + 1, next});
    }
  }
  return wall;
}

}  // namespace

bool hasWalls(const sim::Conf& conf, const DrawnShapes& shapes) {
  const auto driven = std::span(conf.particles).first(conf.nDriven);
  return !conf.boundaries.empty() ||
         std::ranges::any_of(driven, [&](const auto& p) { return shapes[p.shapeName].isFlat; });
}

std::vector<Wall> wallsOf(const Scene& scene) {
  const sim::Conf& conf = *scene.conf;
  std::vector<Wall> walls;
  for (std::size_t b = 0; b < conf.nDriven; ++b)
    if (scene.isFlatWall(b)) walls.push_back(flatWall(scene, b));
  for (std::size_t k = 0; k < conf.boundaries.size(); ++k) {
    const sim::Boundary& boundary = conf.boundaries[k];
    Wall& wall = walls.emplace_back(roundWall(scene, boundary));
    wall.id = -1 - static_cast<std::int32_t>(k);
    wall.group = boundary.group;
    wall.radius = boundary.radius;
  }
  return walls;
}

vtp::PolyPiece wallsPiece(const Scene& scene) {
  using enum NumberType;
  static const std::vector<ArrayRow<Wall>> rows{{"id", "", true, int32, &Wall::id},
                                                {"group", "", true, int32, &Wall::group},
                                                {"kind", "", true, int32, &Wall::kind},
                                                {"radius", "m", true, float64, &Wall::radius}};
  vtp::PolyPiece piece;
  const std::vector<Wall> walls = wallsOf(scene);
  std::vector<std::size_t> faces;
  for (const Wall& wall : walls) {
    const auto base = static_cast<std::uint32_t>(piece.points.size());
    piece.points.insert(piece.points.end(), wall.points.begin(), wall.points.end());
    piece.polygons.append(wall.polygons, base);
    faces.push_back(wall.polygons.size());
  }
  addArrays(piece.cellData, rows, walls, ArrayChoice({}), faces);
  piece.scalars = "kind";
  return piece;
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#include "pieces.hpp"

#include "scree/shape/mesh.hpp"
#include "scree/sim/measure/loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::tools {

namespace {

constexpr std::uint32_t around = 96;  ///< segments of a round wall

/// Whether a body is driven and its skeleton is flat.
bool isFlatWall(const sim::Conf& conf, const DrawnShapes& shapes, std::size_t body) {
  return body < conf.nDriven && shapes[conf.particles[body].shapeName].area > 0.0;
}

Wall flatWall(const Scene& scene, std::size_t body) {
  const DrawnShape& shape = scene.shapeOf(body);
  const sim::ParticleRecord& p = scene.conf->particles[body];
  Wall wall;
  wall.id = static_cast<std::int32_t>(body);
  wall.group = p.group;
  wall.radius = scene.radius(body);
  wall.area = p.homothety * p.homothety * shape.area;
  for (const Vec3& x : shape.skeleton.points) wall.points.push_back(scene.placed(body, x));
  wall.polygons = shape.skeleton.polygons.get();
  return wall;
}

/// A wall of revolution about the axis of a boundary.
/// @param profile  [L] heights above its centre, upwards, and radii there
Wall turnedWall(const sim::Boundary& boundary, int kind,
                const std::vector<std::pair<double, double>>& profile) {
  Wall wall;
  wall.kind = kind;
  const Mat3 frame = shape::axesAlong(boundary.axis);
  const auto count = static_cast<std::uint32_t>(profile.size());
  for (std::uint32_t k = 0; k < around; ++k) {
    const double turn = 2.0 * pi * k / around;
    const Vec3 out = std::cos(turn) * frame.col(1) + std::sin(turn) * frame.col(2);
    for (const auto& [height, radius] : profile)
      wall.points.push_back(boundary.centre + height * boundary.axis + radius * out);
  }
  for (std::uint32_t k = 0; k < around; ++k)
    for (std::uint32_t row = 0; row + 1 < count; ++row) {
      const std::uint32_t here = k * count + row, next = (k + 1) % around * count + row;
      wall.polygons.add({here, here + 1, next + 1, next});
    }
  for (std::size_t row = 1; row < profile.size(); ++row) {
    const auto [low, lowRadius] = profile[row - 1];
    const auto [high, highRadius] = profile[row];
    wall.area += pi * (lowRadius + highRadius) * std::hypot(high - low, highRadius - lowRadius);
  }
  return wall;
}

Wall ballWall(const sim::Boundary& boundary) {
  std::vector<std::pair<double, double>> profile;
  constexpr int rows = around / 2;
  for (int row = 0; row <= rows; ++row) {
    const double polar = pi * row / rows;
    profile.emplace_back(-boundary.radius * std::cos(polar), boundary.radius * std::sin(polar));
  }
  Wall wall = turnedWall(boundary, 1, profile);
  wall.area = 4.0 * pi * boundary.radius * boundary.radius;
  return wall;
}

/// The extent of free bodies along the axis of a boundary, and a little more. [L] from its centre
std::pair<double, double> extentAlong(const Scene& scene, const sim::Boundary& boundary) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (std::size_t b = 0; b < scene.bodyCount(); ++b) {
    if (scene.driven(b)) continue;
    const sim::ParticleRecord& p = scene.conf->particles[b];
    const double s = boundary.axis.dot(p.pos - boundary.centre),
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

/// A cylinder about the axis of a cone ends where the cone begins.
Wall cylinderWall(const Scene& scene, const sim::Boundary& boundary) {
  auto [low, high] = extentAlong(scene, boundary);
  for (const sim::Boundary& cone : scene.conf->boundaries) {
    if (cone.kind != sim::Boundary::Kind::cone || !coaxial(boundary, cone)) continue;
    const double turn = boundary.axis.dot(cone.axis),
                 height = boundary.radius * cone.cosine / cone.sine;
    const double meets = boundary.axis.dot(cone.centre - boundary.centre) + turn * height;
    if (turn > 0.0 ? meets < high : meets > low) (turn > 0.0 ? low : high) = meets;
  }
  return turnedWall(boundary, 2, {{low, boundary.radius}, {high, boundary.radius}});
}

/// From the outlet up to the bodies, or to where a cylinder about the same axis cuts it off.
Wall coneWall(const Scene& scene, const sim::Boundary& boundary) {
  const double slope = boundary.sine / boundary.cosine, low = boundary.radius / slope;
  double high = std::max(extentAlong(scene, boundary).second, low);
  for (const sim::Boundary& other : scene.conf->boundaries)
    if (other.kind == sim::Boundary::Kind::cylinder && coaxial(other, boundary))
      high = std::min(high, std::max(other.radius / slope, low));
  return turnedWall(boundary, 3, {{low, boundary.radius}, {high, slope * high}});
}

/// The part of a plane that the free bodies stand above, and a little more.
Wall planeWall(const Scene& scene, const sim::Boundary& boundary) {
  Wall wall;
  wall.kind = 4;
  const Mat3 frame = shape::axesAlong(boundary.axis);
  sim::Boundary along = boundary;
  std::pair<double, double> extent[2];
  for (int k = 0; k < 2; ++k) {
    along.axis = frame.col(k + 1);
    extent[k] = extentAlong(scene, along);
  }
  const auto [low1, high1] = extent[0];
  const auto [low2, high2] = extent[1];
  wall.area = (high1 - low1) * (high2 - low2);
  for (const auto& [s, t] : {std::pair(low1, low2), {high1, low2}, {high1, high2}, {low1, high2}})
    wall.points.push_back(boundary.centre + s * frame.col(1) + t * frame.col(2));
  wall.polygons.add({0, 1, 2, 3});
  return wall;
}

Wall roundWall(const Scene& scene, const sim::Boundary& boundary) {
  switch (boundary.kind) {
    case sim::Boundary::Kind::ball:
      return ballWall(boundary);
    case sim::Boundary::Kind::cylinder:
      return cylinderWall(scene, boundary);
    case sim::Boundary::Kind::plane:
      return planeWall(scene, boundary);
    default:
      return coneWall(scene, boundary);
  }
}

}  // namespace

bool hasWalls(const sim::Conf& conf, const DrawnShapes& shapes) {
  if (!conf.boundaries.empty()) return true;
  for (std::size_t b = 0; b < conf.nDriven; ++b)
    if (isFlatWall(conf, shapes, b)) return true;
  return false;
}

std::vector<Wall> wallsOf(const Scene& scene) {
  const sim::Conf& conf = *scene.conf;
  std::vector<Wall> walls;
  std::vector<std::ptrdiff_t> wallOf(conf.nDriven, -1);
  for (std::size_t b = 0; b < conf.nDriven; ++b)
    if (isFlatWall(conf, *scene.shapes, b)) {
      wallOf[b] = static_cast<std::ptrdiff_t>(walls.size());
      walls.push_back(flatWall(scene, b));
    }
  const std::size_t firstRound = walls.size();
  for (std::size_t k = 0; k < conf.boundaries.size(); ++k) {
    const sim::Boundary& boundary = conf.boundaries[k];
    Wall wall = roundWall(scene, boundary);
    wall.id = -1 - static_cast<std::int32_t>(k);
    wall.group = boundary.group;
    wall.radius = boundary.radius;
    walls.push_back(std::move(wall));
  }
  const sim::WallLoads loads = sim::wallLoads(*scene.instant);
  const auto bear = [](Wall& wall, const sim::WallLoad& load) {
    wall.force = load.force;
    wall.normalForce = load.fn;
    // Without an inner area that is known, that of the wall as it is drawn.
    if (std::isfinite(load.pressure))
      wall.area = load.area, wall.pressure = load.pressure;
    else if (wall.area > 0.0)
      wall.pressure = load.fn / wall.area;
  };
  for (std::size_t b = 0; b < conf.nDriven; ++b)
    if (wallOf[b] >= 0) bear(walls[static_cast<std::size_t>(wallOf[b])], loads.driven[b]);
  for (std::size_t k = 0; k < loads.round.size(); ++k) bear(walls[firstRound + k], loads.round[k]);
  return walls;
}

vtp::PolyPiece wallsPiece(const Scene& scene) {
  vtp::PolyPiece piece;
  const std::vector<Wall> walls = wallsOf(scene);
  for (const Wall& wall : walls) {
    const auto base = static_cast<std::uint32_t>(piece.points.size());
    piece.points.insert(piece.points.end(), wall.points.begin(), wall.points.end());
    for (std::size_t f = 0; f < wall.polygons.size(); ++f) {
      std::vector<std::uint32_t> corners(wall.polygons[f].begin(), wall.polygons[f].end());
      for (std::uint32_t& c : corners) c += base;
      piece.polygons.add(corners);
    }
  }
  const auto add = [&]<class T>(const char* name, const char* unit, std::size_t components, T,
                                const auto& value) {
    std::vector<T> values;
    for (const Wall& wall : walls)
      for (std::size_t f = 0; f < wall.polygons.size(); ++f)
        for (std::size_t c = 0; c < components; ++c)
          values.push_back(static_cast<T>(value(wall, static_cast<Eigen::Index>(c))));
    piece.cellData.push_back({name, unit, components, std::move(values)});
  };
  using Index = Eigen::Index;
  add("id", "", 1, std::int32_t{}, [](const Wall& w, Index) { return w.id; });
  add("group", "", 1, std::int32_t{}, [](const Wall& w, Index) { return w.group; });
  add("kind", "", 1, std::int32_t{}, [](const Wall& w, Index) { return w.kind; });
  add("radius", "m", 1, 0.0, [](const Wall& w, Index) { return w.radius; });
  add("force", "N", 3, 0.0, [](const Wall& w, Index c) { return w.force[c]; });
  add("normal_force", "N", 1, 0.0, [](const Wall& w, Index) { return w.normalForce; });
  add("area", "m2", 1, 0.0, [](const Wall& w, Index) { return w.area; });
  add("pressure", "Pa", 1, 0.0, [](const Wall& w, Index) { return w.pressure; });
  piece.scalars = "pressure";
  piece.vectors = "force";
  return piece;
}

vtp::PolyPiece cellPiece(const Scene& scene) {
  vtp::PolyPiece piece;
  const sim::PeriodicCell& cell = scene.conf->cell;
  for (int k = 0; k < 8; ++k) piece.points.push_back(cell.h * Vec3(k & 1, k >> 1 & 1, k >> 2));
  for (std::uint32_t k = 0; k < 8; ++k)
    for (const std::uint32_t bit : {1U, 2U, 4U})
      if (!(k & bit)) piece.lines.add({k, k | bit});
  std::vector<double> h;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) h.push_back(cell.h(r, c));
  piece.fieldData.push_back({"cell_vectors_as_columns", "m", 9, std::move(h)});
  piece.fieldData.push_back(
      {"cell_volume", "m3", 1, std::vector<double>{std::abs(cell.h.determinant())}});
  return piece;
}

}  // namespace scree::tools

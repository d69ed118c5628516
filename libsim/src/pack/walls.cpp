// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/sim/pack/container.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::sim {
namespace {

/// A rectangle across `axis`, rounded by `radius`, about the origin.
shape::Shape plate(int axis, const Vec3& halfSize, double radius, const std::string& name) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  shape::Shape shape;
  shape.name = name;
  shape.radius = radius;
  for (const auto& [su, sv] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
    Vec3 corner = Vec3::Zero();
    corner[u] = su * halfSize[u];
    corner[v] = sv * halfSize[v];
    shape.vertices.push_back(corner);
  }
  shape.edges = {{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  shape.faces.add({0, 1, 2, 3});
  // Axes stay as they are: the plate is centred, and its axes are principal.
  mass::survey(shape, {.recompute = true, .keepFrame = true});
  return shape;
}

void putInFront(Packing& packing, const std::vector<PlacedBody>& walls) {
  packing.bodies.insert(packing.bodies.begin(), walls.begin(), walls.end());
}

PlacedBody wallOf(std::uint32_t shape, const Vec3& pos) {
  PlacedBody wall;
  wall.shape = shape;
  wall.group = 0;
  wall.driven = true;
  wall.pos = pos;
  return wall;
}

/// @param skeleton  the box that the middles of the plates form
void addPlates(Packing& packing, const shape::Aabb& skeleton, double radius) {
  const std::array<std::string, 3> names{"WallX", "WallY", "WallZ"};
  std::vector<PlacedBody> walls;
  for (int axis = 0; axis < 3; ++axis) {
    const auto number = static_cast<std::uint32_t>(packing.shapes.size());
    packing.shapes.push_back(
        plate(axis, skeleton.halfSize(), radius,
              freshName(packing.shapes, names[static_cast<std::size_t>(axis)])));
    for (const Vec3& corner : {skeleton.low, skeleton.high}) {
      Vec3 pos = skeleton.centre();
      pos[axis] = corner[axis];
      walls.push_back(wallOf(number, pos));
    }
  }
  putInFront(packing, walls);
}

}  // namespace

std::string freshName(const std::vector<shape::Shape>& shapes, std::string name) {
  while (shape::findShape(shapes, name)) name += '_';
  return name;
}

double meanSize(const Packing& packing) {
  const bool anyFree = std::ranges::any_of(packing.bodies, [](const auto& b) { return !b.driven; });
  double sum = 0.0;
  std::size_t n = 0;
  for (const PlacedBody& body : packing.bodies) {
    if (anyFree && body.driven) continue;
    sum += 2.0 * boundingBox(packing.shapes[body.shape], body).halfSize().minCoeff();
    ++n;
  }
  return sum / static_cast<double>(n);
}

void addWalls(Packing& packing, double margin) {
  if (packing.bodies.empty()) throw ModelError("there are no bodies to put walls around");
  if (!(margin >= 0.0 && std::isfinite(margin)))
    throw UsageError(fmt::format("--walls: expected a number not below 0, found {:.6g}", margin));
  const shape::Aabb box = boundingBox(packing);
  const double radius = 0.25 * meanSize(packing);
  // A hair of room, so that no body is inside a wall by rounding.
  addPlates(packing, box.grown(margin + 1e-9 * box.halfSize().maxCoeff() + radius), radius);
}

void addWallsAround(Packing& packing, const shape::Aabb& inside) {
  const double radius = 0.25 * meanSize(packing);
  addPlates(packing, inside.grown(radius), radius);
}

void addEnds(Packing& packing, int axis, double low, double high, double halfWidth,
             const Vec3& centre, const std::string& name) {
  const double radius = 0.25 * meanSize(packing);
  const auto number = static_cast<std::uint32_t>(packing.shapes.size());
  packing.shapes.push_back(
      plate(axis, Vec3::Constant(halfWidth), radius, freshName(packing.shapes, name)));
  Vec3 below = centre, above = centre;
  below[axis] = low - radius;
  above[axis] = high + radius;
  putInFront(packing, {wallOf(number, below), wallOf(number, above)});
}

}  // namespace scree::sim

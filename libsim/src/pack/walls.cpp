// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/walls.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"

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

/// A name that no shape has yet.
std::string freshName(const std::vector<shape::Shape>& shapes, std::string name) {
  while (shape::findShape(shapes, name)) name += '_';
  return name;
}

/// Mean thickness of the bodies that move, of all where none does.
double meanSize(const Arrangement& arrangement) {
  const bool anyFree =
      std::ranges::any_of(arrangement.bodies, [](const auto& b) { return !b.driven; });
  double sum = 0.0;
  std::size_t n = 0;
  for (const PlacedBody& body : arrangement.bodies) {
    if (anyFree && body.driven) continue;
    sum += 2.0 * boundingBox(arrangement.shapes[body.shape], body).halfSize().minCoeff();
    ++n;
  }
  return sum / static_cast<double>(n);
}

}  // namespace

void addWalls(Arrangement& arrangement, double margin) {
  if (arrangement.bodies.empty()) throw ModelError("there are no bodies to put walls around");
  if (!(margin >= 0.0 && std::isfinite(margin)))
    throw ModelError("the margin of the walls must not be below 0");
  const shape::Aabb box = boundingBox(arrangement);
  const double radius = 0.25 * meanSize(arrangement);
  // A hair of room, so that no body is inside a wall by rounding.
  const shape::Aabb skeleton = box.grown(margin + 1e-9 * box.halfSize().maxCoeff() + radius);

  const std::array<std::string, 3> names{"WallX", "WallY", "WallZ"};
  std::vector<PlacedBody> walls;
  for (int axis = 0; axis < 3; ++axis) {
    const auto number = static_cast<std::uint32_t>(arrangement.shapes.size());
    arrangement.shapes.push_back(
        plate(axis, skeleton.halfSize(), radius,
              freshName(arrangement.shapes, names[static_cast<std::size_t>(axis)])));
    for (const Vec3& corner : {skeleton.low, skeleton.high}) {
      PlacedBody wall;
      wall.shape = number;
      wall.group = 0;
      wall.driven = true;
      wall.pos = skeleton.centre();
      wall.pos[axis] = corner[axis];
      walls.push_back(wall);
    }
  }
  arrangement.bodies.insert(arrangement.bodies.begin(), walls.begin(), walls.end());
}

}  // namespace scree::sim

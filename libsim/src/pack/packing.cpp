// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/packing.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/shape_mass.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {

shape::Aabb boundingBox(const shape::Shape& shape, const PlacedBody& body) {
  shape::Aabb box;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
    shape::Aabb ball;
    ball.add(body.pos + rotated(body.q, body.homothety * shape.vertices[v]));
    box.add(ball.grown(shape.radiusAt(v) * body.homothety));
  }
  return box;
}

shape::Aabb boundingBox(const Packing& packing) {
  shape::Aabb box;
  for (const PlacedBody& body : packing.bodies)
    box.add(boundingBox(packing.shapes[body.shape], body));
  return box;
}

double boundingRadius(const shape::Shape& shape) {
  double farthest = 0.0;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    farthest = std::max(farthest, shape.vertices[v].norm() + shape.radiusAt(v));
  return farthest;
}

void moveToBodyFrame(PlacedBody& body, const shape::Shape& shape) {
  body.pos += rotated(body.q, body.homothety * shape.position);
  body.q = (body.q * shape.orientation).normalized();
}

void keepUsedShapes(Packing& packing) {
  std::vector<char> used(packing.shapes.size(), 0);
  for (const PlacedBody& body : packing.bodies) used[body.shape] = 1;
  std::vector<std::uint32_t> renumbered(used.size(), 0);
  std::vector<shape::Shape> kept;
  for (std::size_t k = 0; k < used.size(); ++k) {
    if (!used[k]) continue;
    renumbered[k] = static_cast<std::uint32_t>(kept.size());
    kept.push_back(std::move(packing.shapes[k]));
  }
  packing.shapes = std::move(kept);
  for (PlacedBody& body : packing.bodies) body.shape = renumbered[body.shape];
}

std::vector<std::string> surveyShapes(std::vector<shape::Shape>& shapes) {
  std::vector<std::string> surveyed;
  for (shape::Shape& shape : shapes) {
    if (shape.preCompDone) continue;
    try {
      mass::survey(shape);
    } catch (const GeometryError& error) {
      // The message of the survey may name the shape already.
      const std::string what = error.what();
      throw GeometryError(what.find(shape.name) != std::string::npos
                              ? what
                              : fmt::format("shape '{}': {}", shape.name, what));
    }
    surveyed.push_back(shape.name);
  }
  return surveyed;
}

}  // namespace scree::sim

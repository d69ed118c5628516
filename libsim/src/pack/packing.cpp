// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/packing.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"
#include "scree/sim/pack/body_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace scree::sim {
namespace {

/// Same shape, whatever the file it stands in: compared as it would be written.
bool alike(const shape::Shape& a, const shape::Shape& b) {
  return shape::shapesText({a}) == shape::shapesText({b});
}

void add(std::vector<shape::Shape>& all, shape::Shape shape, const std::string& file) {
  if (const shape::Shape* other = shape::findShape(all, shape.name)) {
    if (!alike(*other, shape))
      throw ModelError(fmt::format(
          "{}: another shape has the name '{}' already; rename one of them", file, shape.name));
    return;
  }
  all.push_back(std::move(shape));
}

}  // namespace

shape::Aabb boundingBox(const shape::Shape& shape, const Vec3& pos, const Quat& q,
                        double homothety) {
  shape::Aabb box;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
    shape::Aabb ball;
    ball.add(pos + rotated(q, homothety * shape.vertices[v]));
    box.add(ball.grown(shape.radiusAt(v) * homothety));
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
  std::vector<std::size_t> raw;
  for (std::size_t k = 0; k < shapes.size(); ++k)
    if (!shapes[k].preCompDone) raw.push_back(k);
  parallelJobs(availableThreads(), raw.size(), [&](std::size_t k) {
    shape::Shape& shape = shapes[raw[k]];
    try {
      mass::survey(shape);
    } catch (const GeometryError& error) {
      // The message of the survey may name the shape already.
      const std::string what = error.what();
      throw GeometryError(what.find(shape.name) != std::string::npos
                              ? what
                              : fmt::format("shape '{}': {}", shape.name, what));
    }
  });
  for (const std::size_t k : raw) surveyed.push_back(shapes[k].name);
  return surveyed;
}

LibrarySource librarySource(const std::string& text) {
  std::error_code ignored;
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size() ||
      std::filesystem::exists(text, ignored))
    return {text, {}};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

std::vector<shape::Shape> gatheredShapes(const std::vector<LibrarySource>& sources,
                                         Diagnostics& diagnostics) {
  std::map<std::string, std::vector<shape::Shape>>
      read;  // each file once, standard input above all
  std::vector<shape::Shape> all;
  for (const LibrarySource& source : sources) {
    if (!read.contains(source.file))
      read.emplace(source.file, shape::readShapesFromFile(source.file, diagnostics));
    const std::vector<shape::Shape>& shapes = read[source.file];
    if (shapes.empty())
      throw ModelError(fmt::format("{}: there is no shape in this file", source.file));
    if (source.shape.empty()) {
      for (const shape::Shape& shape : shapes) add(all, shape, source.file);
      continue;
    }
    const shape::Shape* found = shape::findShape(shapes, source.shape);
    if (!found) {
      std::vector<std::string_view> names;
      for (const shape::Shape& shape : shapes) names.push_back(shape.name);
      throw ModelError(fmt::format("{}: there is no shape '{}'{}", source.file, source.shape,
                                   suggestion(source.shape, names)));
    }
    add(all, *found, source.file);
  }
  return all;
}

}  // namespace scree::sim

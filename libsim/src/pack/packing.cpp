// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/packing.hpp"

#include "scree/base/files.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace scree::sim {
namespace {

void add(ShapeLibrary& library, const shape::Shape& shape, double share, const std::string& file) {
  for (std::size_t k = 0; k < library.shapes.size(); ++k) {
    if (library.shapes[k].name != shape.name) continue;
    // Compared as they would be written.
    if (shape::shapesText({library.shapes[k]}) != shape::shapesText({shape}))
      throw ModelError(fmt::format(
          "{}: another shape has the name '{}' already; rename one of them", file, shape.name));
    library.shares[k] += share;
    return;
  }
  library.shapes.push_back(shape);
  library.shares.push_back(share);
}

}  // namespace

shape::Aabb boundingBox(const Packing& packing) {
  shape::Aabb box;
  for (const PlacedBody& body : packing.bodies)
    box.add(boundingBox(packing.shapes[body.shape], body));
  return box;
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

ShapeLibrary readLibrary(const std::vector<std::string>& sources, Diagnostics& diagnostics) {
  std::map<std::string, std::vector<shape::Shape>> read;  // each file once
  ShapeLibrary library;
  for (std::string file : sources) {
    std::string name;
    double share = 1.0;
    if (const std::size_t equals = file.rfind('='); equals != std::string::npos)
      if (const auto value = parseNumber(std::string_view(file).substr(equals + 1))) {
        share = *value;
        file.resize(equals);
      }
    if (const auto colon = file.rfind(':');
        colon != std::string::npos && colon > 0 && colon + 1 < file.size() && !isThere(file)) {
      name = file.substr(colon + 1);
      file.resize(colon);
    }
    library.files.push_back(file);
    if (!read.contains(file)) read.emplace(file, shape::readShapesFromFile(file, diagnostics));
    const std::vector<shape::Shape>& shapes = read[file];
    for (const shape::Shape& shape : shapes)
      if (name.empty() || shape.name == name) add(library, shape, share, file);
    const std::vector<std::string_view> names = namesOf(shapes);
    if (std::ranges::find(names, name) == names.end() && (names.empty() || !name.empty()))
      throw ModelError(
          fmt::format("{}: there is no shape '{}'{}", file, name, suggestion(name, names)));
  }
  return library;
}

}  // namespace scree::sim

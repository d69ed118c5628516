// SPDX-License-Identifier: GPL-3.0-or-later
#include "solid_input.hpp"

#include "input.hpp"

#include "scree/mass/exact_moments.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/mesh_io.hpp"
#include "scree/shape/shape_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

namespace scree::tools {
namespace {

shape::Shape shapeFrom(const std::string& path, const std::string& name, Diagnostics& diagnostics) {
  const std::vector<shape::Shape> shapes = shape::readShapesFromFile(path, diagnostics);
  if (name.empty()) {
    if (shapes.size() == 1) return shapes.front();
    throw UsageError(fmt::format("{} holds {} shapes; name one with --shape", path, shapes.size()));
  }
  if (const shape::Shape* found = shape::findShape(shapes, name)) return *found;
  std::vector<std::string_view> names;
  for (const shape::Shape& s : shapes) names.push_back(s.name);
  throw UsageError(fmt::format("{} has no shape '{}'{}", path, name, suggestion(name, names)));
}

SolidInput fromShape(const std::string& path, const std::string& name, int threads,
                     Diagnostics& diagnostics) {
  const shape::Shape shape = shapeFrom(path, name, diagnostics);
  return {shape.name, clump::solidOf(shape), mass::massReport(shape, {.threads = threads}).solid};
}

/// Columns of the header of a CSV table; the position of each wanted one.
std::array<std::size_t, 4> columnsOf(const TextReader& in, std::string_view header) {
  constexpr std::array<std::string_view, 4> wanted{"x", "y", "z", "r"};
  std::array<std::size_t, 4> at{};
  for (std::size_t k = 0; k < 4; ++k) {
    std::size_t column = 0, from = 0;
    bool found = false;
    while (from <= header.size() && !found) {
      const std::size_t to = std::min(header.find(',', from), header.size());
      if (header.substr(from, to - from) == wanted[k]) {
        at[k] = column;
        found = true;
      }
      from = to + 1;
      ++column;
    }
    if (!found)
      throw in.errorAt(header,
                       fmt::format("expected columns x,y,z,r; there is no '{}'", wanted[k]));
  }
  return at;
}

std::vector<clump::Ball> ballsFromTable(TextReader& in) {
  const auto at = columnsOf(in, in.restOfLine());
  std::vector<clump::Ball> balls;
  while (!in.atEnd()) {
    const std::string_view line = in.restOfLine();
    if (line.empty()) continue;
    std::array<double, 4> number{};
    std::array<bool, 4> given{};
    std::size_t column = 0, from = 0;
    while (from <= line.size()) {
      const std::size_t to = std::min(line.find(',', from), line.size());
      for (std::size_t k = 0; k < 4; ++k) {
        if (at[k] != column) continue;
        const std::string_view word = line.substr(from, to - from);
        const auto value = parseNumber(word);
        if (!value || !std::isfinite(*value) || (k == 3 && !(*value > 0.0)))
          throw in.errorAt(
              line, fmt::format("expected {} in column {}, found '{}'",
                                k == 3 ? "a radius above 0" : "a finite number", column + 1, word));
        number[k] = *value;
        given[k] = true;
      }
      from = to + 1;
      ++column;
    }
    if (!std::all_of(given.begin(), given.end(), [](bool b) { return b; }))
      throw in.errorAt(line, "expected a number in each of the columns x, y, z and r");
    balls.push_back({{number[0], number[1], number[2]}, number[3]});
  }
  return balls;
}

}  // namespace

SolidInput solidFrom(const std::string& path, const std::string& shape, int threads,
                     Diagnostics& diagnostics) {
  try {
    if (std::filesystem::path(path).extension() == ".shp")
      return fromShape(path, shape, threads, diagnostics);
    if (!shape.empty())
      throw UsageError(fmt::format("--shape: {} is a mesh, not a shape-file (.shp)", path));
    clump::SolidDistance solid =
        clump::solidOf(shape::withoutLooseVertices(shape::readMeshFromFile(path)));
    const shape::SurfaceMesh& core = solid.core();
    // About a point of the body, so that a mesh far from the origin loses no digits.
    shape::SurfaceMesh near = core;
    const Vec3 middle = 0.5 * (solid.low() + solid.high());
    for (Vec3& v : near.vertices) v -= middle;
    mass::SolidProperties body =
        mass::solidProperties(mass::meshMoments(near.vertices, near.faces));
    body.centre += middle;
    return {std::filesystem::path(path).stem().string(), std::move(solid), body};
  } catch (const GeometryError& e) {
    throw GeometryError(fmt::format("{}: {}", path, e.what()));
  }
}

std::vector<clump::Ball> ballsFrom(const std::string& path, Diagnostics& diagnostics) {
  TextReader in = TextReader::fromFile(path);
  std::vector<clump::Ball> balls;
  if (std::filesystem::path(path).extension() == ".csv") {
    balls = ballsFromTable(in);
  } else {
    const clump::ShapePack pack = clump::readShapePack(in, diagnostics);
    if (pack.particles.size() != 1)
      throw UsageError(
          fmt::format("{}: expected one clump, found {} particles", path, pack.particles.size()));
    for (const clump::PackMember& member : pack.particles.front().members) {
      if (member.kind() != clump::MemberType::Kind::sphere)
        throw UsageError(fmt::format("{}: expected spheres, found a {}", path, member.type->name));
      balls.push_back({member.centre, member.radius});
    }
  }
  if (balls.empty()) throw UsageError(fmt::format("{}: there is no sphere", path));
  return balls;
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/table.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scree::sim {
namespace {

constexpr std::array<std::string_view, 18> known{"shape",     "x",  "y",  "z",  "group", "cluster",
                                                 "homothety", "qw", "qx", "qy", "qz",    "vx",
                                                 "vy",        "vz", "wx", "wy", "wz",    "driven"};
// Rows and columns of the parameter tables are allocated up to the largest group.
constexpr std::int64_t mostGroups = 999;

/// Places of columns that only make sense together; empty where the table has none of them.
std::vector<std::size_t> together(const CsvReader& table,
                                  std::initializer_list<std::string_view> names) {
  std::vector<std::size_t> found;
  for (const std::string_view name : names)
    if (const auto at = table.column(name)) found.push_back(*at);
  if (!found.empty() && found.size() < names.size())
    throw table.headerError(fmt::format("the columns {} belong together", fmt::join(names, ", ")));
  return found;
}

Vec3 vector(const CsvReader& table, const std::vector<std::size_t>& at) {
  return {table.number(at[0]), table.number(at[1]), table.number(at[2])};
}

Quat unitQuaternion(const CsvReader& table, const std::vector<std::size_t>& at,
                    Diagnostics& diagnostics) {
  Quat q(table.number(at[0]), table.number(at[1]), table.number(at[2]), table.number(at[3]));
  const double norm = q.norm();
  if (!(norm > 1e-6))
    throw table.error(at[0], "qw: this quaternion turns nothing: its length is 0");
  // Tables printed with 6 digits are off by some 1e-6: no reason to talk.
  if (std::abs(norm - 1.0) > 1e-4)
    diagnostics.warn(table.error(
        at[0], fmt::format("qw: the quaternion has the length {:.6g}, it is divided by it", norm)));
  q.coeffs() /= norm;
  return q;
}

std::uint32_t shapeNamed(const CsvReader& table, std::size_t column,
                         const std::vector<shape::Shape>& library) {
  const std::string name = table.text(column);
  std::vector<std::string_view> names;
  for (const shape::Shape& shape : library) {
    if (shape.name == name) return static_cast<std::uint32_t>(names.size());
    names.push_back(shape.name);
  }
  throw table.error(column, fmt::format("shape: there is no shape '{}' in the library{}", name,
                                        suggestion(name, names)));
}

using Place = std::vector<PlacedBody>::iterator;
/// Stable, in place: std::stable_partition() may take the memory of all bodies once more.
/// @returns the first that is not driven
Place putDrivenFirst(Place first, Place last) {
  if (last - first < 2) return first != last && first->driven ? last : first;
  const Place middle = first + (last - first) / 2, low = putDrivenFirst(first, middle);
  return std::rotate(low, middle, putDrivenFirst(middle, last));
}

}  // namespace

PoseTable readPoseTable(TextReader in, std::vector<shape::Shape> library,
                        Diagnostics& diagnostics) {
  CsvReader table(std::move(in));
  for (std::size_t k = 0; k < table.columns().size(); ++k)
    if (const std::string& name = table.columns()[k]; std::ranges::find(known, name) == known.end())
      diagnostics.warn(table.headerError(
          fmt::format("unknown column '{}'{}, it is not used", name, suggestion(name, known)), k));

  const auto position = together(table, {"x", "y", "z"});
  if (position.empty()) throw table.headerError("expected columns x, y, z in the header line");
  const auto shapeColumn = table.column("shape"), group = table.column("group"),
             cluster = table.column("cluster"), homothety = table.column("homothety"),
             driven = table.column("driven");
  if (!shapeColumn && library.size() != 1)
    throw table.headerError(
        fmt::format("the column 'shape' is missing: the library has {} shapes", library.size()));
  const auto orientation = together(table, {"qw", "qx", "qy", "qz"});
  const auto velocity = together(table, {"vx", "vy", "vz"});
  const auto spin = together(table, {"wx", "wy", "wz"});

  PoseTable result;
  auto& bodies = result.packing.bodies;
  // Exactly as many: growing takes three times the memory. Each row has a digit for x, y and z.
  bodies.reserve(table.rowsLeft(table.columns().size() + 3));
  while (table.next()) {
    PlacedBody body;
    body.shape = shapeColumn ? shapeNamed(table, *shapeColumn, library) : 0;
    if (group) body.group = static_cast<std::uint32_t>(table.integer(*group, 0, mostGroups));
    body.cluster = static_cast<std::int32_t>(bodies.size() + 1);
    if (cluster)
      body.cluster = static_cast<std::int32_t>(
          table.integer(*cluster, std::numeric_limits<std::int32_t>::min(),
                        std::numeric_limits<std::int32_t>::max()));
    if (homothety) body.homothety = table.positive(*homothety);
    body.pos = vector(table, position);
    if (!orientation.empty()) body.q = unitQuaternion(table, orientation, diagnostics);
    if (!velocity.empty()) body.vel = vector(table, velocity);
    if (!spin.empty()) body.vrot = vector(table, spin);
    if (driven) body.driven = table.integer(*driven, 0, 1) == 1;
    bodies.push_back(std::move(body));
  }
  if (bodies.empty()) throw table.headerError("the table has no rows");

  result.packing.shapes = std::move(library);
  keepUsedShapes(result.packing);  // first, so that only what is used is surveyed
  result.surveyed = surveyShapes(result.packing.shapes);
  for (PlacedBody& body : bodies) moveToBodyFrame(body, result.packing.shapes[body.shape]);
  putDrivenFirst(bodies.begin(), bodies.end());
  return result;
}

}  // namespace scree::sim

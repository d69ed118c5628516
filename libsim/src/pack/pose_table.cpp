// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/table.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace scree::sim {
namespace {

constexpr std::array<std::string_view, 18> known{"shape",     "x",  "y",  "z",  "group", "cluster",
                                                 "homothety", "qw", "qx", "qy", "qz",    "vx",
                                                 "vy",        "vz", "wx", "wy", "wz",    "driven"};
// Rows and columns of the parameter tables are allocated up to the largest group.
constexpr std::int64_t mostGroups = 999;

using MaybeColumn = std::optional<std::size_t>;

/// Columns that only make sense together.
template <std::size_t N>
std::optional<std::array<std::size_t, N>> together(const CsvReader& table,
                                                   const std::array<std::string_view, N>& names) {
  std::array<std::size_t, N> found{};
  std::size_t count = 0;
  for (std::size_t k = 0; k < N; ++k)
    if (const MaybeColumn at = table.column(names[k])) {
      found[k] = *at;
      ++count;
    }
  if (count == 0) return std::nullopt;
  if (count < N)
    for (const std::string_view name : names)
      if (!table.column(name))
        throw table.headerError(fmt::format("the column '{}' is missing: {} belong together", name,
                                            fmt::join(names, ", ")));
  return found;
}

Vec3 vector(const CsvReader& table, const std::array<std::size_t, 3>& at) {
  return {table.number(at[0]), table.number(at[1]), table.number(at[2])};
}

Quat unitQuaternion(const CsvReader& table, const std::array<std::size_t, 4>& at,
                    Diagnostics& diagnostics) {
  Quat q(table.number(at[0]), table.number(at[1]), table.number(at[2]), table.number(at[3]));
  const double norm = q.norm();
  if (!(norm > 1e-6))
    throw table.error(at[0], "qw: this quaternion turns nothing: its length is 0");
  // Tables printed with 6 digits are off by some 1e-6: no reason to talk.
  if (std::abs(norm - 1.0) > 1e-4)
    diagnostics.warn(
        table.error(at[0], fmt::format("qw: the quaternion has the length {:.6g}, it is "
                                       "divided by it",
                                       norm)));
  q.coeffs() /= norm;
  return q;
}

std::uint32_t shapeNamed(const CsvReader& table, std::size_t column,
                         const std::vector<shape::Shape>& library) {
  const std::string name = table.text(column);
  for (std::size_t k = 0; k < library.size(); ++k)
    if (library[k].name == name) return static_cast<std::uint32_t>(k);
  std::vector<std::string_view> names;
  for (const shape::Shape& shape : library) names.push_back(shape.name);
  throw table.error(column, fmt::format("shape: there is no shape '{}' in the library{}", name,
                                        suggestion(name, names)));
}

/// Stable; std::stable_partition() may take the memory of all bodies once more.
void putDrivenFirst(std::vector<PlacedBody>& bodies) {
  std::vector<std::uint32_t> from(bodies.size());  // body that comes to each place
  std::iota(from.begin(), from.end(), 0u);
  std::stable_partition(from.begin(), from.end(),
                        [&](std::uint32_t k) { return bodies[k].driven; });
  for (std::uint32_t start = 0; start < from.size(); ++start) {
    if (from[start] == start) continue;
    PlacedBody first = std::move(bodies[start]);
    std::uint32_t at = start;
    while (from[at] != start) {
      bodies[at] = std::move(bodies[from[at]]);
      at = std::exchange(from[at], at);
    }
    bodies[at] = std::move(first);
    from[at] = at;
  }
}

}  // namespace

PoseTable readPoseTable(TextReader in, std::vector<shape::Shape> library,
                        Diagnostics& diagnostics) {
  CsvReader table(std::move(in));
  for (std::size_t k = 0; k < table.columns().size(); ++k)
    if (const std::string& name = table.columns()[k]; std::ranges::find(known, name) == known.end())
      diagnostics.warn(table.headerError(
          fmt::format("unknown column '{}'{}, it is not used", name, suggestion(name, known)), k));

  const auto position = together<3>(table, {"x", "y", "z"});
  if (!position) throw table.headerError("expected columns x, y, z in the header line");
  const MaybeColumn shapeColumn = table.column("shape"), group = table.column("group"),
                    cluster = table.column("cluster"), homothety = table.column("homothety"),
                    driven = table.column("driven");
  if (!shapeColumn && library.size() != 1)
    throw table.headerError(
        fmt::format("the column 'shape' is missing: the library has {} shapes", library.size()));
  const auto orientation = together<4>(table, {"qw", "qx", "qy", "qz"});
  const auto velocity = together<3>(table, {"vx", "vy", "vz"});
  const auto spin = together<3>(table, {"wx", "wy", "wz"});

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
    body.pos = vector(table, *position);
    if (orientation) body.q = unitQuaternion(table, *orientation, diagnostics);
    if (velocity) body.vel = vector(table, *velocity);
    if (spin) body.vrot = vector(table, *spin);
    if (driven) body.driven = table.integer(*driven, 0, 1) == 1;
    bodies.push_back(std::move(body));
  }
  if (bodies.empty()) throw table.headerError("the table has no rows");

  result.packing.shapes = std::move(library);
  keepUsedShapes(result.packing);  // first, so that only what is used is surveyed
  result.surveyed = surveyShapes(result.packing.shapes);
  for (PlacedBody& body : bodies) moveToBodyFrame(body, result.packing.shapes[body.shape]);
  putDrivenFirst(bodies);
  return result;
}

}  // namespace scree::sim

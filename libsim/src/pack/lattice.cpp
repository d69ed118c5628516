// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies that stand where the user puts them: on a lattice, or as a table says.
#include "scree/sim/pack/lattice.hpp"

#include "scree/base/rng.hpp"
#include "scree/base/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::sim {
namespace {

constexpr double mostBodies = 1e8;

/// Unit cell of a lattice.
struct CellForm {
  std::vector<Vec3> fractions;  ///< sites, in cell edges
  Vec3 edges;                   ///< of the cell, over the distance of nearest neighbours
  Vec3 boxes;  ///< cell edges over the half sides of boxes, where boxes touch face to face
};

constexpr std::array<std::string_view, 4> typeNames{"sc", "bcc", "fcc", "hcp"};
/// Unit cells in the order of LatticeType.
const std::array<CellForm, 4> cellForms{
    {{{{0, 0, 0}}, Vec3::Ones(), {2, 2, 2}},
     {{{0, 0, 0}, {0.5, 0.5, 0.5}}, Vec3::Constant(2.0 / std::sqrt(3.0)), {2, 2, 4}},
     {{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}},
      Vec3::Constant(std::sqrt(2.0)),
      {4, 4, 2}},
     {{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 5.0 / 6.0, 0.5}, {0, 1.0 / 3.0, 0.5}},
      {1.0, std::sqrt(3.0), std::sqrt(8.0 / 3.0)},
      {2, 4, 4}}}};

/// Unit cell of a type, its sites shifted so that they stand in the middle of the cell.
CellForm formOf(LatticeType type) {
  CellForm form = cellForms[static_cast<std::size_t>(type)];
  Vec3 greatest = Vec3::Zero();
  for (const Vec3& f : form.fractions) greatest = greatest.cwiseMax(f);
  for (Vec3& f : form.fractions) f += 0.5 * (Vec3::Ones() - greatest);
  return form;
}

}  // namespace

LatticeType latticeType(std::string_view name) {
  const auto found = std::ranges::find(typeNames, name);
  if (found != typeNames.end()) return static_cast<LatticeType>(found - typeNames.begin());
  throw UsageError(fmt::format("--type: unknown lattice '{}'{}; lattices are {}", name,
                               suggestion(name, typeNames), fmt::join(typeNames, " ")));
}

LatticeResult lattice(std::vector<shape::Shape> shapes, const LatticeOptions& options) {
  if (shapes.empty()) throw ModelError("a lattice needs a shape");
  const auto [nx, ny, nz] = options.cells;
  const double cells = static_cast<double>(nx) * ny * nz;
  if (cells < 1.0) throw ModelError("a lattice needs at least one cell along each axis");
  if (options.spacing && !(*options.spacing > 0.0 && std::isfinite(*options.spacing)))
    throw UsageError(
        fmt::format("--spacing: expected a number above 0, found {:.6g}", *options.spacing));

  // Bodies stand on their sites with the middle of their boxes. Bodies turned at random stand there
  // with their centres of mass, about which their bounding balls are.
  std::vector<Vec3> centres;
  Vec3 halfSize = Vec3::Zero();
  double radius = 0.0;
  for (const shape::Shape& shape : shapes) {
    const shape::Aabb box = boundingBox(shape, PlacedBody{});
    centres.push_back(options.randomOrientation ? Vec3(Vec3::Zero()) : box.centre());
    halfSize = halfSize.cwiseMax(box.halfSize());
    radius = std::max(radius, boundingRadius(shape, centres.back()));
  }
  // The smallest cell without overlaps: that of touching balls, or of boxes where it is smaller.
  const CellForm form = formOf(options.type);
  const Vec3 balls = 2.0 * radius * form.edges, boxes = form.boxes.cwiseProduct(halfSize);
  const bool asBalls = options.randomOrientation || balls.prod() <= boxes.prod();
  LatticeResult result;
  result.cell.size =
      options.spacing ? Vec3(*options.spacing * form.edges) : (asBalls ? balls : boxes);
  for (const Vec3& f : form.fractions)
    result.cell.sites.push_back(f.cwiseProduct(result.cell.size));
  if (cells * static_cast<double>(result.cell.sites.size()) > mostBodies)
    throw ModelError(
        fmt::format("{} x {} x {} cells hold more than {:.0g} bodies", nx, ny, nz, mostBodies));

  if (!(options.jitter >= 0.0 && options.jitter <= 1.0))
    throw ModelError(
        fmt::format("the jitter of a lattice must be from 0 to 1, found {:.6g}", options.jitter));
  double roomOfBall = 0.0;
  Vec3 roomOfBox = Vec3::Zero();
  if (options.jitter > 0.0) {
    // A small relative margin allows for the rounding of a spacing read from a file.
    const bool boxesFit = !options.randomOrientation &&
                          (result.cell.size.array() >= boxes.array() * (1.0 - 1e-9)).all();
    if (options.spacing) roomOfBall = std::max(0.5 * *options.spacing - radius, 0.0);
    if (boxesFit) roomOfBox = (result.cell.size - boxes).cwiseQuotient(form.boxes).cwiseMax(0.0);
    if (!(roomOfBall > 0.0) && !(roomOfBox.maxCoeff() > 1e-9 * radius))
      throw ModelError(
          "the jitter of a lattice needs room: a spacing above that of touching bodies");
  }
  const auto offSite = [&](Rng& random) -> Vec3 {
    if (options.jitter == 0.0) return Vec3::Zero();
    for (;;) {
      const Vec3 x(random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0));
      const double most = (1.0 - 1e-12) * options.jitter;
      if (!(roomOfBall > 0.0)) return most * roomOfBox.cwiseProduct(x);
      if (x.squaredNorm() < 1.0) return most * roomOfBall * x;  // uniform in a ball
    }
  };

  Rng rng(options.seed);
  auto& bodies = result.packing.bodies;
  bodies.reserve(static_cast<std::size_t>(cells) * result.cell.sites.size());
  double solid = 0.0;
  for (std::uint32_t iz = 0; iz < nz; ++iz)
    for (std::uint32_t iy = 0; iy < ny; ++iy)
      for (std::uint32_t ix = 0; ix < nx; ++ix)
        for (const Vec3& site : result.cell.sites) {
          PlacedBody body{static_cast<std::uint32_t>(bodies.size() % shapes.size()), options.group,
                          static_cast<std::int32_t>(bodies.size() + 1)};
          if (options.randomOrientation) body.q = rng.orientation();
          body.pos = result.cell.size.cwiseProduct(Vec3(ix, iy, iz)) + site - centres[body.shape] +
                     offSite(rng);
          solid += shapes[body.shape].volume;
          bodies.push_back(body);
        }
  result.solidFraction = solid / (cells * result.cell.size.prod());
  result.packing.shapes = std::move(shapes);
  keepUsedShapes(result.packing);
  return result;
}

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
  const auto found = std::ranges::find(library, name, &shape::Shape::name);
  if (found != library.end()) return static_cast<std::uint32_t>(found - library.begin());
  throw table.error(column, fmt::format("shape: there is no shape '{}' in the library{}", name,
                                        suggestion(name, namesOf(library))));
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/lattice.hpp"

#include "scree/base/error.hpp"
#include "scree/base/rng.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

constexpr std::array<std::string_view, 4> typeNames{"sc", "bcc", "fcc", "hcp"};
constexpr double mostBodies = 1e8;

/// Sites as fractions of the cell, and cell edges over the distance of nearest neighbours. The
/// fractions are shifted so that the sites stand in the middle of the cell.
struct CellForm {
  std::vector<Vec3> fractions;
  Vec3 edges;
  Vec3 boxes;  ///< cell edges over the half sides of boxes, where boxes touch face to face
};

CellForm formOf(LatticeType type) {
  CellForm form;
  switch (type) {
    case LatticeType::sc:
      form = {{{0, 0, 0}}, Vec3::Ones(), {2, 2, 2}};
      break;
    case LatticeType::bcc:
      form = {{{0, 0, 0}, {0.5, 0.5, 0.5}}, Vec3::Constant(2.0 / std::sqrt(3.0)), {2, 2, 4}};
      break;
    case LatticeType::fcc:
      form = {{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}},
              Vec3::Constant(std::sqrt(2.0)),
              {4, 4, 2}};
      break;
    case LatticeType::hcp:
      form = {{{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 5.0 / 6.0, 0.5}, {0, 1.0 / 3.0, 0.5}},
              {1.0, std::sqrt(3.0), std::sqrt(8.0 / 3.0)},
              {2, 4, 4}};
      break;
  }
  Vec3 greatest = Vec3::Zero();
  for (const Vec3& f : form.fractions) greatest = greatest.cwiseMax(f);
  for (Vec3& f : form.fractions) f += 0.5 * (Vec3::Ones() - greatest);
  return form;
}

LatticeCell cellOf(const CellForm& form, const Vec3& size) {
  LatticeCell cell{size, {}};
  for (const Vec3& f : form.fractions) cell.sites.push_back(f.cwiseProduct(size));
  return cell;
}

}  // namespace

LatticeType latticeType(std::string_view name) {
  for (std::size_t k = 0; k < typeNames.size(); ++k)
    if (typeNames[k] == name) return static_cast<LatticeType>(k);
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
  // The smallest cell in which bodies do not overlap: that of touching balls, or of touching boxes
  // where it is smaller.
  const CellForm form = formOf(options.type);
  const Vec3 balls = 2.0 * radius * form.edges, boxes = form.boxes.cwiseProduct(halfSize);
  const bool asBalls = options.randomOrientation || balls.prod() <= boxes.prod();
  LatticeResult result;
  result.cell = cellOf(
      form, options.spacing ? Vec3(*options.spacing * form.edges) : (asBalls ? balls : boxes));
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
          PlacedBody body;
          body.shape = static_cast<std::uint32_t>(bodies.size() % shapes.size());
          body.group = options.group;
          body.cluster = static_cast<std::int32_t>(bodies.size() + 1);
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

}  // namespace scree::sim

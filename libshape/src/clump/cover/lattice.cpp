// SPDX-License-Identifier: GPL-3.0-or-later
#include "lattice.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

/// A box that repeats along its edges, with places in parts of these.
struct Lattice {
  Vec3 cell;                 ///< in diameters
  std::vector<Vec3> places;  ///< in parts of the cell
};

std::vector<Lattice> lattices() {
  const double root2 = std::sqrt(2.0), root3 = std::sqrt(3.0);
  return {{Vec3::Constant(root2), {{0, 0, 0}, {0, .5, .5}, {.5, 0, .5}, {.5, .5, 0}}},
          {{1.0, root3, std::sqrt(8.0 / 3.0)},
           {{0, 0, 0}, {.5, .5, 0}, {.5, 1.0 / 6.0, .5}, {0, 2.0 / 3.0, .5}}},
          {Vec3::Constant(2.0 / root3), {{0, 0, 0}, {.5, .5, .5}}},
          {Vec3::Constant(1.0), {{0, 0, 0}}}};
}

std::vector<Ball> latticeFill(const SolidDistance& solid, double radius, int threads) {
  constexpr double mostPlaces = 2e7;
  const Vec3 middle = 0.5 * (solid.low() + solid.high());
  const Vec3 half = 0.5 * (solid.high() - solid.low());
  std::vector<Ball> best;
  for (const Lattice& lattice : lattices()) {
    const Vec3 cell = 2.0 * radius * lattice.cell;
    const Vec3 cells = (half.array() / cell.array()).ceil() + 1.0;
    if (!((2.0 * cells + Vec3::Ones()).prod() * static_cast<double>(lattice.places.size()) <
          mostPlaces))
      throw GeometryError(
          fmt::format("a lattice of balls of radius {:g} has too many places", radius));
    for (const Vec3& shift : {Vec3(0, 0, 0), Vec3(.25, .25, .25), Vec3(.5, .5, .5), Vec3(.5, 0, 0),
                              Vec3(0, .5, 0), Vec3(0, 0, .5)}) {
      const int nx = static_cast<int>(cells.x()), ny = static_cast<int>(cells.y()),
                nz = static_cast<int>(cells.z());
      std::vector<std::vector<Ball>> slabs(static_cast<std::size_t>(2 * nz + 1));
      parallelFor(threads, slabs.size(), [&](std::size_t slab) {
        std::uint32_t guess = 0;
        for (int y = -ny; y <= ny; ++y)
          for (int x = -nx; x <= nx; ++x)
            for (const Vec3& place : lattice.places) {
              const Vec3 at = Vec3(x, y, static_cast<int>(slab) - nz) + place + shift;
              const Vec3 centre = middle + cell.cwiseProduct(at);
              if (((centre - middle).cwiseAbs().array() > half.array()).any()) continue;
              const auto near = solid.nearest(centre, guess);
              guess = near.triangle;
              if (near.depth >= radius) slabs[slab].push_back({centre, radius});
            }
      });
      std::vector<Ball> balls;
      for (const auto& slab : slabs) balls.insert(balls.end(), slab.begin(), slab.end());
      if (balls.size() > best.size()) best = std::move(balls);
    }
  }
  return best;
}

}  // namespace

std::vector<Ball> latticeCover(const SolidDistance& solid, double volume,
                               const CoverOptions& options, double largest, double least) {
  const auto ratioOf = [&](const std::vector<Ball>& lattice) {
    double sum = 0.0;
    for (const Ball& b : lattice) sum += 4.0 / 3.0 * pi * b.radius * b.radius * b.radius;
    return sum / volume;
  };
  const auto enough = [&](const std::vector<Ball>& balls) {
    return options.spheres ? balls.size() > *options.spheres
                           : ratioOf(balls) >= *options.volumeRatio;
  };
  const auto tooFew = [&] {
    return GeometryError(fmt::format(
        "--spheres {} is too few for equal balls without overlap: a lattice of the largest that "
        "fit, of radius {:.4g}, has more",
        *options.spheres, largest));
  };
  // Smaller balls are more balls, and fill more: halve what lies between too few and enough.
  double few = largest, many = largest;
  std::vector<Ball> balls = latticeFill(solid, few, options.threads), last = balls;
  if (options.spheres && enough(last)) throw tooFew();
  std::vector<Ball> fullest = last;
  while (!enough(last)) {
    if (ratioOf(last) > ratioOf(fullest)) fullest = last;
    if (many == least && options.spheres) return fullest;  // no more balls than requested
    if (many == least || (last.size() > coverLimit && !options.spheres))
      throw GoalNotReached(
          fmt::format("the goal is not reached: {} balls without overlap have volume ratio {:.4g}; "
                      "a smaller least radius may help",
                      fullest.size(), ratioOf(fullest)),
          fullest);
    few = many;
    balls = last;
    many = std::max(0.7 * many, least);
    last = latticeFill(solid, many, options.threads);
  }
  for (int round = 0; round < 12; ++round) {
    const double middle = 0.5 * (few + many);
    std::vector<Ball> there = latticeFill(solid, middle, options.threads);
    if (options.progress) options.progress(round / 12.0);
    if (enough(there)) {
      many = middle;
      last = std::move(there);
    } else {
      few = middle;
      balls = std::move(there);
    }
  }
  if (!options.spheres) return last;
  if (balls.empty()) throw tooFew();
  return balls;
}

}  // namespace scree::clump::detail

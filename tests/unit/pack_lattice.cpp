// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "scenes.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <cmath>
#include <limits>

using namespace scree;
using namespace scree::sim;

namespace {

/// A flat box of half sides 1, 0.5, 0.25 that does not stand in the middle of its frame.
shape::Shape slab() {
  shape::Shape s;
  s.name = "Slab";
  s.radius = 0.05;
  s.preCompDone = true;
  for (const double x : {-0.95, 0.95})
    for (const double y : {-0.45, 0.45})
      for (const double z : {-0.2, 0.2}) s.vertices.emplace_back(x + 0.01, y, z);
  s.volume = 1.0;
  s.inertiaPerMass = Vec3::Ones();
  return s;
}

double nearestDistance(const Packing& a) {
  double least = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < a.bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, (a.bodies[i].pos - a.bodies[j].pos).norm());
  return least;
}

}  // namespace

TEST_CASE("flat bodies stand on a lattice of their boxes, which touch and do not overlap",
          "[pack][lattice]") {
  const LatticeType type =
      GENERATE(LatticeType::sc, LatticeType::bcc, LatticeType::fcc, LatticeType::hcp);
  LatticeOptions options;
  options.type = type;
  options.cells = {2, 2, 2};
  const LatticeResult result = lattice({slab()}, options);
  const auto& a = result.packing;
  for (std::size_t i = 0; i < a.bodies.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      // Shrunk by a hair, since boxes that touch overlap by rounding.
      const auto box = boundingBox(a.shapes[0], a.bodies[i]).grown(-1e-9);
      CHECK_FALSE(box.overlaps(boundingBox(a.shapes[0], a.bodies[j])));
    }
  // Boxes of 1 m3 fill each cell.
  CHECK(result.cell.size.prod() ==
        Approx(static_cast<double>(result.cell.sites.size())).epsilon(1e-12));
}

TEST_CASE("bodies turned at random get room for their bounding balls, the same for one seed",
          "[pack][lattice]") {
  LatticeOptions options;
  options.cells = {3, 1, 1};
  options.randomOrientation = true;
  options.seed = 7;
  const LatticeResult one = lattice({slab()}, options), same = lattice({slab()}, options);
  CHECK(nearestDistance(one.packing) == Approx(2.0 * boundingRadius(slab())).epsilon(1e-12));
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(one.packing.bodies[k].q.coeffs() == same.packing.bodies[k].q.coeffs());
  options.seed = 8;
  CHECK(lattice({slab()}, options).packing.bodies[0].q.coeffs() !=
        one.packing.bodies[0].q.coeffs());
}

TEST_CASE("jitter moves bodies off their sites, never into each other", "[pack][lattice]") {
  LatticeOptions options;
  options.type = LatticeType::fcc;
  options.cells = {3, 3, 3};
  options.spacing = 1.4;
  const auto still = lattice({scenes::ball("Ball", 0.5)}, options).packing.bodies;
  options.jitter = 1.0;
  const auto moved = lattice({scenes::ball("Ball", 0.5)}, options).packing.bodies;
  double farthest = 0.0, nearest = 1e300;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    farthest = std::max(farthest, (moved[k].pos - still[k].pos).norm());
    for (std::size_t j = 0; j < k; ++j)
      nearest = std::min(nearest, (moved[k].pos - moved[j].pos).norm());
  }
  CHECK(farthest < 0.2);  // half of 1.4 less the diameter
  CHECK(farthest > 0.15);
  CHECK(nearest >= 1.0);
  options.spacing.reset();
  CHECK_THROWS_AS(lattice({scenes::ball("Ball", 0.5)}, options), ModelError);
}

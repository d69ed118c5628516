// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "pack/body_overlap.hpp"
#include "packing_gaps.hpp"
#include "scenes.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/fill.hpp"
#include "scree/sim/pack/lattice.hpp"
#include "scree/sim/pack/packing_info.hpp"

#include <cmath>

using namespace scree;
using namespace scree::sim;
using namespace scree::testing;

namespace {

shape::Shape surveyed(shape::Shape s, const std::string& name) {
  s.name = name;
  mass::survey(s);
  return s;
}

std::vector<shape::Shape> solids() {
  return {surveyed(shape::makeBox({1.0, 0.7, 0.5}, 0.05), "Brick"),
          surveyed(shape::makePrism(6, 1.0, 0.8, 0.02), "Prism"),
          surveyed(shape::makeBoulder(14, {1.0, 0.9, 0.8}, 0.01, 3), "Boulder")};
}

std::vector<PlannedBody> ofEach(std::size_t n, std::size_t shapes) {
  std::vector<PlannedBody> plan;
  for (std::size_t k = 0; k < n; ++k) plan.push_back({static_cast<std::uint32_t>(k % shapes), 1.0});
  return plan;
}

std::vector<PiecedShape> piecesOf(const std::vector<shape::Shape>& shapes) {
  std::vector<PiecedShape> pieced;
  for (const shape::Shape& s : shapes) pieced.push_back({s, {s.vertices}});
  return pieced;
}

}  // namespace

TEST_CASE("overlap sees touching, piercing and nested bodies", "[pack][overlap]") {
  const std::vector<shape::Shape> shapes{
      surveyed(shape::makeBox({1.0, 1.0, 1.0}, 0.001), "Cube"),
      surveyed(shape::makeBox({4.0, 0.02, 0.02}, 0.01), "Needle"),
      surveyed(shape::makeBox({0.2, 0.2, 0.2}, 0.001), "Small")};
  const BodyOverlap overlap(shapes);
  NearSubElements scratch;
  const auto meet = [&](std::uint32_t a, std::uint32_t b, const Vec3& at) {
    PlacedBody x, y;
    x.shape = a;
    y.shape = b;
    y.pos = at;
    return overlap.overlap(x, overlap.poseOf(x), y, overlap.poseOf(y), scratch);
  };
  CHECK_FALSE(meet(0, 0, {1.0 + 1e-9, 0.0, 0.0}));
  CHECK(meet(0, 0, {1.0 - 1e-9, 0.0, 0.0}));
  CHECK(meet(0, 1, {0.0, 0.1, 0.2}));  // a rod through the middle of two faces
  CHECK(meet(0, 2, {0.3, 0.2, 0.1}));  // inside
  CHECK_FALSE(meet(0, 2, {0.3, 0.9, 0.1}));
}

TEST_CASE("scattered bodies of all shapes do not overlap and are turned evenly",
          "[pack][scatter]") {
  const std::string text =
      GENERATE(std::string("box:9,9,9"), std::string("periodic:9,9,9"), std::string("cylinder:5,9"),
               std::string("sphere:6"), std::string("hopper:5,2,40,10"));
  CAPTURE(text);
  const auto shapes = solids();
  const Container container = Container::parse(text);
  PlaceOptions options;
  options.seed = 5;
  const FillResult result = scatter(shapes, ofEach(250, 3), container, options);
  REQUIRE(result.bodies.size() == 250);
  CHECK(leastGapOf(piecesOf(shapes), result.bodies, container) > -1e-12);
  for (const PlacedBody& b : result.bodies) CHECK(container.holds(shapes[b.shape], b));
  for (std::uint32_t k = 0; k < 3; ++k)
    CHECK(anisotropyOf(result.bodies, k) < 4.0 / std::sqrt(250.0 / 3.0));
  const FillResult again = scatter(shapes, ofEach(250, 3), container, options);
  for (std::size_t k = 0; k < 250; ++k) CHECK(again.bodies[k].pos == result.bodies[k].pos);
}

TEST_CASE("random sequential addition of equal balls ends below 0.384", "[pack][scatter]") {
  // S. Torquato, O. U. Uche & F. H. Stillinger, Phys. Rev. E 74, 061308, 2006: saturation at
  // 0.3841.
  const std::vector<shape::Shape> shapes{scenes::ball("Ball", 0.5)};
  const Container container = Container::parse("periodic:6,6,6");
  const FillResult most = scatter(shapes, ofEach(200, 1), container, {});
  CHECK(most.bodies.size() < 200);
  CHECK(most.solidFraction > 0.34);
  CHECK(most.solidFraction < 0.40);
  CHECK(leastGapOf(piecesOf(shapes), most.bodies, container) > -1e-12);
}

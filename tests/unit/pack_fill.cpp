// SPDX-License-Identifier: GPL-3.0-or-later
// Packings that grow, dense ones without an overlap, and jammed ones; scattered ones. Cases tagged
// [.] are for tests/long/packings_jammed.sh.
#include "catch.hpp"
#include "pack/body_overlap.hpp"
#include "packing_gaps.hpp"
#include "scenes.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/shape/make.hpp"
#include "scree/sim/pack/complete.hpp"
#include "scree/sim/pack/fill.hpp"
#include "scree/sim/pack/lattice.hpp"
#include "scree/sim/pack/packing_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

using namespace scree;
using namespace scree::sim;
using namespace scree::testing;

namespace {

/// A quarter of the bodies each, at a solid fraction, by number or for the volume of the container.
std::vector<PlannedBody> planned(const std::vector<shape::Shape>& shapes,
                                 const Container& container, double fraction) {
  std::vector<PlannedBody> plan = plannedVolume(shapes, {}, fraction * container.volume());
  const double by = std::cbrt(fraction * container.volume() / solidVolume(shapes, plan));
  for (PlannedBody& b : plan) b.homothety *= by;
  return plan;
}

/// Least gap and depth below the walls, over the outer size of the smallest shape.
double worstOverlap(const std::vector<PiecedShape>& shapes, const std::vector<PlacedBody>& bodies,
                    const Container& container) {
  double size = HUGE_VAL;
  for (const PiecedShape& s : shapes) size = std::min(size, 2.0 * boundingRadius(s.shape));
  const double gap = leastGapOf(shapes, bodies, container);
  const double depth = container.periodic() ? 0.0 : leastDepthOf(shapes, bodies, container);
  return std::max(0.0, -std::min(gap, depth)) / size;
}

void checkEvenly(const std::vector<PlacedBody>& bodies, std::uint32_t shapes) {
  for (std::uint32_t k = 0; k < shapes; ++k) {
    double n = 0.0;
    for (const PlacedBody& b : bodies) n += b.shape == k;
    CHECK(anisotropyOf(bodies, k) < 4.0 / std::sqrt(n));
  }
}

/// Isostatic: without friction, 12 points hold each body of a rigid packing in a periodic cell. For
/// N bodies it is 12/N less, for the moves of all together. Points of tiny force may be missed.
void checkJammed(const std::vector<PiecedShape>& pieced, std::size_t number, std::uint64_t seed) {
  const auto shapes = shapesOf(pieced);
  PlaceOptions options;
  options.seed = seed;
  options.threads = threadCount(0);
  const auto plan = plannedNumber(shapes, {}, number);
  const double edge = std::cbrt(solidVolume(shapes, plan) / 0.66);
  const Container container = Container::parse(fmt::format("periodic:{0},{0},{0}", edge));
  const FillResult result = fillJammed(shapes, plan, container, options);
  REQUIRE(result.jammed);
  const JammedState& jammed = *result.jammed;
  std::printf("%zu bodies of %zu shapes, seed %d: %.4f jammed, %.2f points, resultants %.1e\n",
              number, shapes.size(), static_cast<int>(seed), jammed.solidFraction,
              jammed.coordination.constraints, jammed.resultant);
  CHECK(jammed.coordination.constraints > 12.0 - 12.0 / static_cast<double>(number) - 0.4);
  CHECK(jammed.coordination.constraints < 12.4);
  CHECK(jammed.overlap < 1e-4);
  CHECK(jammed.resultant <= 1e-4);
  CHECK(jammed.coordination.rattlers < number / 10);
  CHECK(result.solidFraction <= jammed.solidFraction);
  CHECK(worstOverlap(pieced, result.bodies, container) < 1e-12);
}

void checkInWalls(const std::vector<PiecedShape>& pieced, const std::string& box, double fraction) {
  const auto shapes = shapesOf(pieced);
  const Container container = Container::parse(box);
  PlaceOptions options;
  options.threads = threadCount(0);
  const FillResult result = fill(shapes, planned(shapes, container, fraction), container, options);
  CAPTURE(result.reached);
  REQUIRE(result.complete);
  CHECK(result.solidFraction == Approx(fraction).epsilon(1e-9));
  CHECK(worstOverlap(pieced, result.bodies, container) < 1e-12);
}

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

TEST_CASE("filled packings have the fraction requested and no overlap, in any container",
          "[pack][fill]") {
  const std::string text =
      GENERATE(std::string("periodic:3.5,3.5,3.5"), std::string("drum:2.1,3.5"));
  CAPTURE(text);
  const auto pieced = mixedShapes();
  const auto shapes = shapesOf(pieced);
  const Container container = Container::parse(text);
  const auto plan = planned(shapes, container, 0.5);
  const FillResult filled = fill(shapes, plan, container, {});
  CHECK(filled.complete);
  CHECK(filled.solidFraction == Approx(0.5).epsilon(1e-9));
  CHECK(worstOverlap(pieced, filled.bodies, container) < 1e-12);
  checkEvenly(filled.bodies, 4);
}

TEST_CASE("between walls, balls are pushed on to where friction-free packings jam",
          "[pack][fill]") {
  // Growth without overlaps ends near 0.55 here; they jam at 0.594.
  checkInWalls({{scenes::ball("Ball", 0.5), {{Vec3::Zero()}}}}, "box:10,10,10", 0.58);
}

TEST_CASE("a fraction that no packing has is not reached", "[pack][fill]") {
  const std::vector<shape::Shape> shapes{scenes::ball("Ball", 0.5)};
  const Container container = Container::parse("periodic:4,4,4");
  const FillResult result =
      fill(shapes, plannedVolume(shapes, {}, 0.8 * container.volume()), container, {});
  CHECK_FALSE(result.complete);
  CHECK(result.reached > 0.55);
  CHECK(result.reached < 0.7);
}

TEST_CASE("equal balls jam as in the literature", "[pack][fill]") {
  // C. S. O'Hern et al., Phys. Rev. E 68, 011306, 2003: 0.639 and 6 contacts for large numbers; for
  // 300 balls the fraction is spread by about 0.005.
  const std::vector<PiecedShape> pieced{{scenes::ball("Ball", 0.5), {{Vec3::Zero()}}}};
  const auto shapes = shapesOf(pieced);
  const Container container = Container::parse("periodic:6.25,6.25,6.25");
  const FillResult result = fillJammed(shapes, plannedNumber(shapes, {}, 300), container, {});
  REQUIRE(result.jammed);
  CHECK(result.jammed->solidFraction == Approx(0.639).margin(0.012));
  CHECK(result.jammed->coordination.withoutRattlers == Approx(6.0).margin(0.15));
  CHECK(result.jammed->overlap < 1e-4);
  CHECK(result.jammed->resultant <= 1e-3);
  CHECK(result.solidFraction <= result.jammed->solidFraction);
  CHECK(result.solidFraction > result.jammed->solidFraction - 1e-3);
  CHECK(worstOverlap(pieced, result.bodies, container) < 1e-12);
}

TEST_CASE("dodecahedra jam where twelve points hold each", "[pack][fill]") {
  checkJammed({mixedShapes()[0]}, 40, GENERATE(1u, 2u));
}

TEST_CASE("bodies that too few points hold are rattlers, and so are those they held",
          "[pack][fill]") {
  // Five balls, each in contact with all others, have four contacts each; without one contact all
  // of them are loose, one after the other.
  std::vector<HeldPair> pairs;
  for (BodyId a = 0; a < 5; ++a)
    for (BodyId b = a + 1; b < 5; ++b) pairs.push_back({a, b, 1});
  const std::vector<std::uint32_t> four(5, 4);
  CHECK(coordinationOf(5, 0, pairs, four).rattlers == 0);
  CHECK(coordinationOf(5, 0, pairs, four).withoutRattlers == 4.0);
  pairs.pop_back();
  CHECK(coordinationOf(5, 0, pairs, four).rattlers == 5);
  // A brick between two others, face on face, can slide: six points hold it. A third face holds it.
  std::vector<HeldPair> bricks{{0, 1, 3}, {0, 2, 3}};
  const std::vector<std::uint32_t> seven{7, 0, 0, 0};
  CHECK(coordinationOf(4, 0, bricks, seven).rattlers == 1);
  bricks.push_back({0, 3, 3});
  CHECK(coordinationOf(4, 0, bricks, seven).rattlers == 0);
}

TEST_CASE("mixed polyhedra are pushed on between walls", "[.][pack][jammed]") {
  checkInWalls(mixedShapes(), "box:8,8,8", 0.6);
}

TEST_CASE("a hundred bodies of other shapes than balls jam", "[.][pack][jammed]") {
  const std::uint64_t seed = GENERATE(1u, 2u, 3u);
  auto pieced = mixedShapes();
  SECTION("dodecahedra") { checkJammed({pieced[0]}, 100, seed); }
  SECTION("bricks") { checkJammed({pieced[1]}, 100, seed); }
  SECTION("dodecahedra, bricks and tetrahedra") {
    pieced.pop_back();
    checkJammed(pieced, 100, seed);
  }
  SECTION("with elbows") { checkJammed(pieced, 100, seed); }
}

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

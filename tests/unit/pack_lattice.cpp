// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "scenes.hpp"

#include "scree/base/error.hpp"
#include "scree/base/table.hpp"
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

shape::Shape ball(const std::string& name, const Vec3& position = Vec3::Zero(),
                  const Quat& orientation = Quat::Identity()) {
  shape::Shape s;
  s.name = name;
  s.radius = 1.0;
  s.preCompDone = true;
  s.vertices = {Vec3::Zero()};
  s.volume = 4.0 / 3.0 * pi;
  s.inertiaPerMass = Vec3::Constant(0.4);
  s.position = position;
  s.orientation = orientation;
  return s;
}

PoseTable tableOf(const std::string& text,
                  std::vector<shape::Shape> library = {ball("Rock"), ball("Ground")}) {
  Diagnostics diagnostics(true);
  return readPoseTable(TextReader("t.csv", text), std::move(library), diagnostics);
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

TEST_CASE("a table gives bodies by column name, driven ones first", "[pack][table]") {
  const auto t = tableOf(
      "# release of two rocks\n"
      "x,y,z,shape,group,driven,vx,vy,vz,homothety,cluster\n"
      "1,2,3,Rock,2,0,0,-1,0,1.5,7\n"
      "\n"
      "0,0,0, \"Ground\" ,0,1,0,0,0,1,0\n");
  const auto& bodies = t.packing.bodies;
  REQUIRE(bodies.size() == 2);
  CHECK(bodies[0].driven);
  CHECK(t.packing.shapes[bodies[0].shape].name == "Ground");
  CHECK(t.packing.shapes[bodies[1].shape].name == "Rock");
  CHECK(bodies[1].pos == Vec3(1, 2, 3));
  CHECK(bodies[1].vel == Vec3(0, -1, 0));
  CHECK(bodies[1].group == 2);
  CHECK(bodies[1].cluster == 7);
  CHECK(bodies[1].homothety == 1.5);
  // One shape needs no column; clusters count rows.
  const auto plain = tableOf("x;y;z\r\n1;2;3\r\n4;5;6\r\n", {ball("Rock")});
  REQUIRE(plain.packing.bodies.size() == 2);
  CHECK(plain.packing.bodies[1].pos == Vec3(4, 5, 6));
  CHECK(plain.packing.bodies[1].cluster == 2);
}

TEST_CASE("a pose in the frame of the source becomes one of the body frame", "[pack][table]") {
  // The body frame stands at (1, 0, 0) of the source, turned by 90 degrees about z.
  const Quat quarter(std::sqrt(0.5), 0, 0, std::sqrt(0.5));
  const std::vector<shape::Shape> library{ball("Rock", {1, 0, 0}, quarter)};
  SECTION("without orientation the centre is shifted, and grows with the homothety") {
    const auto body = tableOf("x,y,z,homothety\n10,0,0,2\n", library).packing.bodies[0];
    CHECK((body.pos - Vec3(12, 0, 0)).norm() < 1e-15);
    CHECK((body.q.coeffs() - quarter.coeffs()).norm() < 1e-15);
  }
  SECTION("a point of the body stands where the posed source has it") {
    const auto body =
        tableOf("x,y,z,qw,qx,qy,qz\n1,2,3,0.5,0.5,0.5,0.5\n", library).packing.bodies[0];
    const Vec3 p(0.3, -0.2, 0.7);  // in the body frame
    const Vec3 inSource = Vec3(1, 0, 0) + rotated(quarter, p);
    const Vec3 expected = Vec3(1, 2, 3) + rotated(Quat(0.5, 0.5, 0.5, 0.5), inSource);
    CHECK((body.pos + rotated(body.q, p) - expected).norm() < 1e-14);
  }
}

TEST_CASE("broken tables are refused with line and column", "[pack][table]") {
  const auto [text, message] = GENERATE(table<std::string, std::string>({
      {"shape,x,y\nRock,1,2\n", "t.csv:1:1: "},
      {"shape,x,y,z,x\nRock,1,2,3,4\n", "t.csv:1:13: "},
      {"shape,x,y,z\nRock,1,two,3\n", "t.csv:2:8: "},
      {"shape,x,y,z\nRok,1,2,3\n", "t.csv:2:1: "},
      {"shape,x,y,z,homothety\nRock,1,2,3,0\n", "t.csv:2:12: "},
      {"shape,x,y,z,qw,qx,qy\nRock,1,2,3,1,0,0\n", "t.csv:1:1: "},
      {"shape,x,y,z,qw,qx,qy,qz\nRock,1,2,3,0,0,0,0\n", "t.csv:2:12: "},
      {"shape,x,y,z,grup\nRock,1,2,3,1\n", "t.csv:1:13: "},
      {"shape,x,y,z\n\"Rock,1,2,3\n", "t.csv:2:1: "},
  }));
  CAPTURE(text);
  CHECK_THROWS_WITH(tableOf(text), Catch::Matchers::StartsWith(message));
}

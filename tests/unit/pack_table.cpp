// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/table.hpp"
#include "scree/sim/pack/lattice.hpp"

#include <cmath>

using namespace scree;
using namespace scree::sim;

namespace {

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

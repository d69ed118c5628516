// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "random_pack.hpp"

#include "scree/clump/clump_mass.hpp"
#include "scree/clump/shape_pack.hpp"

#include <array>
#include <cmath>

using namespace scree;
using namespace scree::clump;
using namespace scree::testing;
using Catch::Contains;

namespace {

/// The lines that the manual of ShapePack shows.
const std::string sample =
    "0 Capsule 0.0120227 0.976311 0.163282 0.105552 -0.0138765 -0.0322094 -0.0335685\n"
    "10 Sphere -0.192145 0.137062 0.592456 0.0682023\n"
    "10 Sphere -0.186653 0.215515 0.615108 0.109124\n"
    "10 Sphere -0.181162 0.293969 0.63776 0.0682023\n"
    "14 Sphere -0.700782 -0.661376 0.236885 0.0769197\n";

const std::string unitTetra = "0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n";

double difference(const mass::Moments& a, const mass::Moments& b) {
  return std::max({std::fabs(a.m0 - b.m0) / b.m0, (a.m1 - b.m1).norm() / (b.m1.norm() + b.m0),
                   (a.m2 - b.m2).norm() / b.m2.norm()});
}

}  // namespace

TEST_CASE("consecutive lines of one ID are one particle", "[clump][shapepack]") {
  const ShapePack pack = testing::packOf(sample);
  REQUIRE(pack.particles.size() == 3);
  CHECK(pack.shapeCount() == 5);
  CHECK(pack.particles[0].members[0].kind() == MemberType::Kind::capsule);
  CHECK(capsuleRadius(pack.particles[0].members[0]) == Approx(0.0570046325).epsilon(1e-8));
  CHECK(pack.particles[1].id == 10);
  CHECK(pack.particles[1].members.size() == 3);
  CHECK(pack.particles[1].line == 2);
  CHECK(pack.particles[2].members.front().centre == Vec3(-0.700782, -0.661376, 0.236885));
}

TEST_CASE("an ID that comes back later is a second particle, with a warning",
          "[clump][shapepack]") {
  std::vector<std::string> warnings;
  const ShapePack pack =
      testing::packOf("0 Sphere 0 0 0 1\n1 Sphere 0 0 0 1\n0 Sphere 0 0 0 1\n", &warnings);
  CHECK(pack.particles.size() == 3);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], Contains("pack.txt:3:1: ID 0 returns"));
}

TEST_CASE("a pack read and written again has the same bits", "[clump][shapepack]") {
  const std::string text =
      "##PERIODIC:: 1 0 2.5\n"
      "##USER-DATA:: density = 2600;  two  blanks kept\n"
      "# scree-shapepack 1\n" +
      sample +
      "20u Sphere 0.1 1e-300 -0 3.0000000000000004 # last digit\n"
      "# between\n"
      "21 Ellipsoid 0 0 0 3 0.1 0.2 0.3 1 2 3\n"
      "22 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 0.01\n"
      "22 Facet 0 0 0 1 nan nan 1 nan nan 2 1 1 0 0.01\n"
      "23 Tet4 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n"
      "# behind all\n";
  CHECK(shapePackText(testing::packOf(text)) == text);
}

TEST_CASE("line ends of every system and comments anywhere are understood", "[clump][shapepack]") {
  const std::string text = "# c\n0 Sphere 0 0 0 1#glued\n\n  1 Sphere\t1 0 0 2\n";
  std::string crlf, cr;
  for (const char c : text) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
  }
  const std::string expected = "# c\n0 Sphere 0 0 0 1 #glued\n1 Sphere 1 0 0 2\n";
  CHECK(shapePackText(testing::packOf(text)) == expected);
  CHECK(shapePackText(testing::packOf(crlf)) == expected);
  CHECK(shapePackText(testing::packOf(cr)) == expected);
  CHECK(shapePackText(testing::packOf("\xEF\xBB\xBF" + text)) == expected);
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::string bad =
        std::string("# c") + end + "0 Sphere 0 0 0 1" + end + "1 Sphere 0 0 x 1" + end;
    CHECK_THROWS_WITH(testing::packOf(bad), "pack.txt:3:14: centre: expected a number, found 'x'");
  }
  CHECK(testing::packOf(cr).particles[1].line == 4);
}

TEST_CASE("user data and cell are found where other writers put them", "[clump][shapepack]") {
  CHECK(testing::packOf("  ##USER-DATA:: x y").userData == "x y");
  CHECK(testing::packOf("##USER-DATA::\tx y").userData == "x y");
  CHECK(testing::packOf("0 Sphere 0 0 0 1\n##USER-DATA:: a\n##USER-DATA:: b\n").userData == "b");
  CHECK(testing::packOf("0 Sphere 0 0 0 1\n##PERIODIC:: 1 2 3 # metres\n").cell == Vec3(1, 2, 3));
  CHECK_FALSE(testing::packOf("0 Sphere 0 0 0 1").userData);
}

TEST_CASE("facets share nodes by number, and may lack a thickness", "[clump][shapepack]") {
  const ShapePack pack = testing::packOf(
      "0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0\n"
      "0 Facet 0 0 0 1 nan 0 1 0 NaN 2 1 1 0 0.5\n");
  const auto& members = pack.particles.at(0).members;
  CHECK(facetHalfThickness(members[0]) == 0.0);
  CHECK(facetHalfThickness(members[1]) == 0.5);
  CHECK(members[1].nodes() == std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}});
}

TEST_CASE("bad ShapePack lines are refused where they are bad", "[clump][shapepack]") {
  const auto [text, place] = GENERATE(table<std::string, std::string>({
      {"0 Sphere 0 0 0", "1:14"},
      {"0 Sphere 0 0 #0 1", "1:12"},
      {"-1 Sphere 0 0 0 1", "1:1"},
      {"99999999999999999999 Sphere 0 0 0 1", "1:1"},
      {"0 Sphere 0.1abc 0 0 1", "1:10: centre: expected a number, found '0.1abc'"},
      {"0 Sphere 0 inf 0 1", "1:12"},
      {"0 Sphere 0 0 0 0", "1:16"},
      {"0 sphere 0 0 0 1", "1:3: unknown type 'sphere' (did you mean 'Sphere'?)"},
      {"0 Facet 0 0 0 1 0 0 0 1 0 0 0 1", "1:31"},
      {"0 Capsule 0 0 0 1 0 0 1.5", "1:19"},
      {"0 Ellipsoid 0 0 0 1 0 0 0 1 0 1", "1:29"},
      {"0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 -1", "1:35"},
      {"0 Facet 0 0 0 1 0 0 0 1 0 0 nan 0 2 0", "1:35"},
      {"0 Tetra 0 0 0 1 0 0 nan 1 0 0 0 1 0 0 0 1", "1:21"},
      {"0u Sphere 0 0 0 1\n0 Sphere 1 0 0 1", "2:1"},
      {"##PERIODIC:: 1 -2 3", "1:16"},
      {std::string("0 Sphere 0 0 0 1\n\0", 18), "2:1"},
  }));
  INFO(text);
  CHECK_THROWS_WITH(testing::packOf(text), Catch::StartsWith("pack.txt:" + place));
}

TEST_CASE("the unit right tetrahedron has the lumped inertia of its formula", "[clump][lump]") {
  const auto nodes = lumpedNodes(packOf(unitTetra));
  REQUIRE(nodes.size() == 4);
  for (const LumpedNode& node : nodes) CHECK(node.mass == Approx(1.0 / 24.0).epsilon(1e-15));
  const Mat3& i = nodes[0].inertia;
  for (int k = 0; k < 3; ++k) {
    CHECK(i(k, k) == Approx(161.0 / 51840.0).epsilon(1e-14));
    CHECK(i(k, (k + 1) % 3) == Approx(-97.0 / 103680.0).epsilon(1e-14));
  }
  // Principal: the body diagonal, and two equal moments across it.
  const Vec3 p = nodes[0].principal.moments;
  const double along = 161.0 / 51840.0 - 2.0 * 97.0 / 103680.0;
  const double across = 161.0 / 51840.0 + 97.0 / 103680.0;
  CHECK(p.minCoeff() == Approx(along).epsilon(1e-12));
  CHECK(p.maxCoeff() == Approx(across).epsilon(1e-12));
  const Mat3 turn = rotationMatrix(nodes[0].principal.orientation);
  CHECK((turn * p.asDiagonal() * turn.transpose() - i).norm() < 1e-16);
}

TEST_CASE(
    "the shares of the corners add up to the element for 1000 random elements of any sequence",
    "[clump][lump]") {
  for (std::uint64_t sequence = 1; sequence <= 12; ++sequence) {
    Rng rng(sequence);
    double worstShare = 0.0, worstSum = 0.0;
    for (int trial = 0; trial < 1250; ++trial) {
      const bool tetra = trial % 5 != 0;
      // A tenth of the elements are slivers: the last corner near the plane or line of others.
      const bool sliver = rng.uniform() < 0.1;
      std::array<Vec3, 4> corner;
      for (Vec3& c : corner) c = Vec3(rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-2, 2));
      const std::size_t last = tetra ? 3 : 2;
      if (sliver)
        corner[last] =
            0.4 * corner[0] + 0.6 * corner[last - 1] + rng.uniform(1e-8, 1e-3) * rng.direction();
      std::string text;
      for (std::size_t k = 0; k <= last; ++k)
        text += fmt::format(" {} {} {}", corner[k].x(), corner[k].y(), corner[k].z());
      if (!tetra) text += fmt::format(" {}", rng.uniform(0.01, 0.5));
      const ShapePack pack =
          packOf(fmt::format("0 {} 0 0 0 1{}\n", tetra ? "Tet4" : "Membrane", text));
      const PackMember& m = pack.particles[0].members[0];
      const Vec3 origin = m.nodes()[0];
      const mass::Moments element = memberMoments(m, origin);
      mass::Moments sum;
      for (std::size_t k = 0; k < m.nodes().size(); ++k) {
        const mass::Moments share = cornerMoments(m, k);
        const double part = element.m0 / static_cast<double>(m.nodes().size());
        worstShare = std::max(worstShare, std::fabs(share.m0 / part - 1.0));
        sum += share.movedBy(m.nodes()[k] - origin);
      }
      worstSum = std::max(worstSum, difference(sum, element));
    }
    CAPTURE(sequence);
    CHECK(worstShare < 1e-13);
    CHECK(worstSum < 1e-13);
  }
}

TEST_CASE("a node collects the shares of all shapes that have it", "[clump][lump]") {
  // A cube of five tetrahedra, its corners shared by markers and by equal coordinates.
  const std::string cube =
      "0 Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n"
      "0 Tet4 0 0 0 1 1 1 0 nan nan 1 nan nan 2 1 1 1\n"
      "0 Tetra 0 0 0 1 1 0 1 1 0 0 1 1 1 0 0 1\n"
      "0 Tetra 0 0 0 1 0 1 1 0 1 0 1 1 1 0 0 1\n"
      "0 Tetra 0 0 0 1 1 0 0 0 1 0 0 0 1 1 1 1\n";
  const auto nodes = lumpedNodes(packOf(cube), 2.0);
  REQUIRE(nodes.size() == 8);
  double mass = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  // about the origin: of each part about its node, moved
  for (const LumpedNode& n : nodes) {
    const bool inner = n.shapes == 4;
    CHECK((inner || n.shapes == 1));
    CHECK(n.mass == Approx(2.0 * (inner ? 3.0 / 24.0 + 1.0 / 12.0 : 1.0 / 24.0)).epsilon(1e-14));
    mass += n.mass;
    first += n.firstMoment + n.mass * n.position;
    const Vec3 &x = n.position, &s = n.firstMoment;
    const auto cross = [](const Vec3& a, const Vec3& b) -> Mat3 {
      return a.dot(b) * Mat3::Identity() - 0.5 * (a * b.transpose() + b * a.transpose());
    };
    inertia += n.inertia + 2.0 * cross(x, s) + n.mass * cross(x, x);
  }
  CHECK(mass == Approx(2.0).epsilon(1e-14));
  CHECK((first / mass - Vec3::Constant(0.5)).norm() < 1e-14);
  CHECK((inertia - 2.0 * (Mat3::Identity() * (2.0 / 3.0 + 0.25) - Mat3::Constant(0.25))).norm() <
        1e-13);
}

TEST_CASE("members that are not clumped share nodes by markers alone", "[clump][lump]") {
  const std::string first = "0u Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n";
  const ShapePack apart = packOf(first + "0u Tetra 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 -1\n");
  CHECK(lumpedNodes(apart).size() == 8);
  const auto marked =
      lumpedNodes(packOf(first + "0u Tetra 0 0 0 1 nan nan 0 nan nan 1 nan nan 2 0 0 -1\n" +
                         "0u Tetra 0 0 0 1 0 0 0 -1 0 0 nan nan 2 nan nan 4\n"));
  // Corner 4 is the apex of the second: three corners come from markers and are not counted.
  REQUIRE(marked.size() == 7);
  CHECK(marked[0].shapes == 2);
  CHECK(marked[2].shapes == 3);
  CHECK(marked[4].position == Vec3(0, 0, -1));
  CHECK(marked[4].shapes == 2);
  CHECK(marked[5].position == Vec3::Zero());
}

TEST_CASE("facets without thickness have nodes without mass, rounding is refused",
          "[clump][lump]") {
  const auto nodes = lumpedNodes(packOf("0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0\n"));
  REQUIRE(nodes.size() == 3);
  CHECK(nodes[0].mass == 0.0);
  CHECK(nodes[0].principal.moments == Vec3::Zero());
  // Half thickness 0.5: the node at the right angle has a third of the prism of volume 1/2.
  const auto thick = lumpedNodes(packOf("0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 0.5\n"));
  CHECK(thick[0].mass == Approx(1.0 / 6.0).epsilon(1e-14));
  CHECK_THROWS_WITH(lumpedNodes(packOf("#@ id=0 radius=0.1\n" + unitTetra)), Contains("rounding"));
}

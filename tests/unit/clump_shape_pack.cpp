// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"
#include "random_pack.hpp"

#include "scree/clump/shape_pack.hpp"

using namespace scree;
using namespace scree::clump;
using Catch::Contains;

namespace {

/// The lines that the manual of ShapePack shows.
const std::string sample =
    "0 Capsule 0.0120227 0.976311 0.163282 0.105552 -0.0138765 -0.0322094 -0.0335685\n"
    "10 Sphere -0.192145 0.137062 0.592456 0.0682023\n"
    "10 Sphere -0.186653 0.215515 0.615108 0.109124\n"
    "10 Sphere -0.181162 0.293969 0.63776 0.0682023\n"
    "14 Sphere -0.700782 -0.661376 0.236885 0.0769197\n";

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

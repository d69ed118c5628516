// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/clump/shape_pack.hpp"

#include <bit>
#include <cmath>

using namespace scree;
using namespace scree::clump;
using Catch::Contains;

namespace {

ShapePack packOfText(const std::string& text, std::vector<std::string>* warnings = nullptr) {
  TextReader in("pack.txt", text);
  Diagnostics diagnostics;
  ShapePack pack = readShapePack(in, diagnostics);
  if (warnings) *warnings = diagnostics.warnings();
  return pack;
}

std::vector<std::string> warningsOf(const std::string& text) {
  std::vector<std::string> warnings;
  packOfText(text, &warnings);
  return warnings;
}

/// The lines that the manual of ShapePack shows.
const std::string sample =
    "0 Capsule 0.0120227 0.976311 0.163282 0.105552 -0.0138765 -0.0322094 -0.0335685\n"
    "10 Sphere -0.192145 0.137062 0.592456 0.0682023\n"
    "10 Sphere -0.186653 0.215515 0.615108 0.109124\n"
    "10 Sphere -0.181162 0.293969 0.63776 0.0682023\n"
    "14 Sphere -0.700782 -0.661376 0.236885 0.0769197\n";

}  // namespace

TEST_CASE("consecutive lines of one ID are one particle", "[clump][shapepack]") {
  const ShapePack pack = packOfText(sample);
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
      packOfText("0 Sphere 0 0 0 1\n1 Sphere 0 0 0 1\n0 Sphere 0 0 0 1\n", &warnings);
  CHECK(pack.particles.size() == 3);
  REQUIRE(warnings.size() == 1);
  CHECK_THAT(warnings[0], Contains("pack.txt:3:1: ID 0 returns"));
}

TEST_CASE("a pack read and written again has the same bits", "[clump][shapepack]") {
  const std::string text =
      "##PERIODIC:: 1 0 2.5\n"
      "##USER-DATA:: density = 2600;  two  blanks kept \n"
      "# scree-shapepack 1\n" +
      sample +
      "20u Sphere 0.1 1e-300 -0 3.0000000000000004 # last digit\n"
      "# between\n"
      "21 Ellipsoid 0 0 0 3 0.1 0.2 0.3 1 2 3\n"
      "22 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 0.01\n"
      "22 Facet 0 0 0 1 nan nan 1 nan nan 2 1 1 0 0.01\n"
      "23 Tet4 0 0 0 1 0 0 0 1 0 0 0 1 0 0 0 1\n"
      "# behind all\n";
  const ShapePack first = packOfText(text);
  const std::string once = shapePackText(first);
  const ShapePack second = packOfText(once);
  CHECK(shapePackText(second) == once);
  REQUIRE(second.particles.size() == first.particles.size());
  for (std::size_t p = 0; p < first.particles.size(); ++p) {
    const PackParticle &a = first.particles[p], &b = second.particles[p];
    CHECK(a.id == b.id);
    CHECK(a.unclumped == b.unclumped);
    REQUIRE(a.members.size() == b.members.size());
    for (std::size_t m = 0; m < a.members.size(); ++m) {
      const auto same = [](double x, double y) {
        return (std::isnan(x) && std::isnan(y)) ||
               std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
      };
      CHECK(a.members[m].type == b.members[m].type);
      CHECK(same(a.members[m].radius, b.members[m].radius));
      for (int c = 0; c < 3; ++c) CHECK(same(a.members[m].centre[c], b.members[m].centre[c]));
      REQUIRE(a.members[m].raw().size() == b.members[m].raw().size());
      for (std::size_t k = 0; k < a.members[m].raw().size(); ++k)
        CHECK(same(a.members[m].raw()[k], b.members[m].raw()[k]));
    }
  }
  CHECK(second.userData == "density = 2600;  two  blanks kept");
  CHECK(second.cell == Vec3(1, 0, 2.5));
  CHECK_THAT(once, Contains("# behind all\n") && Contains("3.0000000000000004 # last digit\n") &&
                       Contains("# between\n21 Ellipsoid"));
}

TEST_CASE("line ends of every system and comments anywhere are understood", "[clump][shapepack]") {
  const std::string text = "# c\n0 Sphere 0 0 0 1#glued\n\n  1 Sphere\t1 0 0 2\n";
  std::string crlf, cr;
  for (const char c : text) {
    crlf += c == '\n' ? "\r\n" : std::string(1, c);
    cr += c == '\n' ? '\r' : c;
  }
  const std::string expected = "# c\n0 Sphere 0 0 0 1 #glued\n1 Sphere 1 0 0 2\n";
  CHECK(shapePackText(packOfText(text)) == expected);
  CHECK(shapePackText(packOfText(crlf)) == expected);
  CHECK(shapePackText(packOfText(cr)) == expected);
  CHECK(shapePackText(packOfText("\xEF\xBB\xBF" + text)) == expected);
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const std::string bad =
        std::string("# c") + end + "0 Sphere 0 0 0 1" + end + "1 Sphere 0 0 x 1" + end;
    CHECK_THROWS_WITH(packOfText(bad), "pack.txt:3:14: centre: expected a number, found 'x'");
  }
  CHECK(packOfText(cr).particles[1].line == 4);
}

TEST_CASE("user data and cell are found where other writers put them", "[clump][shapepack]") {
  CHECK(packOfText("  ##USER-DATA:: x y").userData == "x y");
  CHECK(packOfText("##USER-DATA::\tx y").userData == "x y");
  CHECK(packOfText("0 Sphere 0 0 0 1\n##USER-DATA:: a\n##USER-DATA:: b\n").userData == "b");
  CHECK(packOfText("0 Sphere 0 0 0 1\n##PERIODIC:: 1 2 3 # metres\n").cell == Vec3(1, 2, 3));
  CHECK_FALSE(packOfText("0 Sphere 0 0 0 1").userData);
}

TEST_CASE("facets share nodes by number, and may lack a thickness", "[clump][shapepack]") {
  const ShapePack pack = packOfText(
      "0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0\n"
      "0 Facet 0 0 0 1 nan 0 1 0 NaN 2 1 1 0 0.5\n");
  const auto& members = pack.particles.at(0).members;
  CHECK(facetHalfThickness(members[0]) == 0.0);
  CHECK(facetHalfThickness(members[1]) == 0.5);
  CHECK(members[1].nodes() == std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}});
}

TEST_CASE("bad ShapePack lines are refused where they are bad", "[clump][shapepack]") {
  const auto [text, message] = GENERATE(table<std::string, std::string>({
      {"0 Sphere 0 0 0", "pack.txt:1:14: "},
      {"0", "pack.txt:1:1: "},
      {"0 Sphere 0 0 #0 1", "pack.txt:1:12: "},
      {"-1 Sphere 0 0 0 1", "pack.txt:1:1: ID: expected a whole number of at least 0"},
      {"1.5 Sphere 0 0 0 1", "found '1.5'"},
      {"u Sphere 0 0 0 1", "found 'u'"},
      {"99999999999999999999 Sphere 0 0 0 1", "whole number"},
      {"0 Sphere 0.1abc 0 0 1", "pack.txt:1:10: centre: expected a number, found '0.1abc'"},
      {"0 Sphere nan 0 0 1", "centre: expected a finite number"},
      {"0 Sphere 0 inf 0 1", "centre: expected a finite number"},
      {"0 Sphere 0 0 0 nan", "bounding radius: expected a finite number"},
      {"0 Sphere 0 0 0 0", "pack.txt:1:16: bounding radius: expected a number above 0"},
      {"0 sphere 0 0 0 1", "unknown type 'sphere' (did you mean 'Sphere'?)"},
      {"0 Sphere 0 0 0 1 2",
       "pack.txt:1:18: Sphere: expected 0 numbers after the bounding sphere, found 1"},
      {"0 Capsule 0 0 0 1 0.1 0.1",
       "Capsule: expected 3 numbers after the bounding sphere, found 2"},
      {"0 Facet 0 0 0 1 0 0 0 1 0 0 0 1", "Facet: expected 10 numbers"},
      {"0 Capsule 0 0 0 1 0 0 1.5", "pack.txt:1:19: Capsule: half shaft 1.5 leaves no radius"},
      {"0 Capsule 0 0 0 1 0 0 nan", "Capsule: expected a finite number"},
      {"0 Ellipsoid 0 0 0 1 0 0 0 1 0 1", "semi-axis: expected a number above 0, found '0'"},
      {"0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 -1", "half thickness: expected a number not below 0"},
      {"0 Facet 0 0 0 1 0 0 0 1 0 0 0 1 0 nan", "expected a finite number"},
      {"0 Facet 0 0 0 1 nan 0 0 1 0 0 0 1 0 0",
       "shared node: expected a number from 0 to less than 0"},
      {"0 Facet 0 0 0 1 0 0 0 1 0 0 nan 0 2 0", "less than 2"},
      {"0 Facet 0 0 0 1 0 0 0 1 0 0 nan 0 0.5 0", "found '0.5'"},
      {"0 Tetra 0 0 0 1 0 0 nan 1 0 0 0 1 0 0 0 1", "finite z"},
      {"0u Sphere 0 0 0 1\n0 Sphere 1 0 0 1",
       "pack.txt:2:1: particle 0 has 'u' on some of its lines"},
      {"##PERIODIC:: 1 2", "##PERIODIC:: expected three edge lengths, found 2 words"},
      {"##PERIODIC:: 1 -2 3",
       "pack.txt:1:16: edge of the periodic cell: expected a number not below 0"},
      {"##PERIODIC:: 1 2 inf", "expected a finite number"},
      {std::string("0 Sphere 0 0 0 1\n\0", 18), "binary"},
  }));
  INFO(text);
  CHECK_THROWS_AS(packOfText(text), ParseError);
  CHECK_THROWS_WITH(packOfText(text), Contains(message));
}

TEST_CASE("an empty ShapePack is read with a warning", "[clump][shapepack]") {
  CHECK_THAT(warningsOf("# only a comment").at(0), Contains("no particle"));
  CHECK(warningsOf("0 Sphere 0 0 0 1\n1 Sphere 0 0 0 1").empty());
}

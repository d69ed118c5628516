// SPDX-License-Identifier: GPL-3.0-or-later
// Shape-files that are refused, and where.
#include "scree/shape/shape_file.hpp"

#include "catch.hpp"

#include <string>

using namespace scree;

TEST_CASE("a shape-file with a bad word is refused at its line", "[shape]") {
  const std::string good =
      "<\nname t\nradius 0.1\npreCompDone n\nnv 3\n0 0 0\n1 0 0\n0 1 0\nne 1\n0 1\nnf 1\n3 0 1 "
      "2\n>\n";
  const auto read = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    if (!from.empty()) text.replace(text.find(from), from.size(), to);
    TextReader in("t.shp", text);
    Diagnostics strict(true);
    return shape::readShapes(in, strict).front().preCompDone;
  };
  CHECK_FALSE(read("", ""));
  for (const std::string word : {"y", "yes"}) CHECK(read("Done n", "Done " + word));
  CHECK_FALSE(read("Done n", "Done no"));
  for (const std::string word : {"maybe", "N", "0", "false", "never"})
    CHECK_THROWS_WITH(read("Done n", "Done " + word),
                      "t.shp:4:13: preCompDone: expected y or n, found '" + word + "'");
  CHECK_THROWS_WITH(read("0 1\nnf", "0 3\nnf"),
                    "t.shp:10:3: shape 't': edge 0 names vertex 3, there are 3 (0 to 2)");
  CHECK_THROWS_WITH(read("3 0 1 2", "3 0 1 7"),
                    "t.shp:12:7: shape 't': face 0 names vertex 7, there are 3 (0 to 2)");
}

TEST_CASE("edges and faces before the vertices are refused at their place", "[shape]") {
  const auto message = [](const std::string& elements) {
    TextReader in("t.shp", "<\nname t\nradius 0.1\n" + elements + "nv 3\n0 0 0\n1 0 0\n0 1 0\n>\n");
    Diagnostics strict(true);
    try {
      shape::readShapes(in, strict);
    } catch (const ParseError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message("ne 2\n0 1\n1 2\nnf 1\n3 0 1 2\n").empty());
  CHECK_THAT(message("ne 2\n0 1\n1 3\nnf 1\n3 0 1 2\n"),
             Catch::StartsWith("t.shp:4:1: shape 't': ne names vertex 3, there are 3"));
  CHECK_THAT(message("nf 1\n3 0 1 7\n"), Catch::StartsWith("t.shp:4:1: "));
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Shape-files that are refused, and where. More: golden/bad_inputs.cpp.
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
    text.replace(text.find(from), from.size(), to);
    TextReader in("t.shp", text);
    Diagnostics strict(true);
    return shape::readShapes(in, strict).front().preCompDone;
  };
  for (const std::string word : {"y", "yes", "n", "no"})
    CHECK(read("Done n", "Done " + word) == word.starts_with('y'));
  for (const std::string word : {"maybe", "N", "0"})
    CHECK_THROWS_WITH(read("Done n", "Done " + word), Catch::StartsWith("t.shp:4:13: preComp"));
  CHECK_THROWS_WITH(read("3 0 1 2", "3 0 1 7"),
                    "t.shp:12:7: shape 't': face 0 names vertex 7, there are 3 (0 to 2)");
  // Edges and faces may stand before the vertices: then the place is that of their keyword.
  const std::string tail = "nv 3\n0 0 0\n1 0 0\n0 1 0\nne 1\n0 1\nnf 1\n3 0 1 2\n",
                    head = "ne 1\n0 1\nnf 1\n3 0 1 2\nnv 3\n0 0 0\n1 0 0\n0 1 0\n";
  CHECK_FALSE(read(tail, head));
  CHECK_THROWS_WITH(read(tail, "ne 1\n0 3\n" + head.substr(9)),
                    Catch::StartsWith("t.shp:5:1: shape 't' names vertex 3, there are 3"));
  CHECK_THROWS_WITH(read("name t\n", ""), Catch::StartsWith("t.shp:1:1: "));
}

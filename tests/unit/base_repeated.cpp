// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.hpp"

#include "scree/base/error.hpp"

using scree::onceEach;
using Lines = std::vector<std::string>;

TEST_CASE("messages appear once, with a count", "[base][warnings]") {
  CHECK(onceEach(Lines{}).empty());
  CHECK(onceEach(Lines{"a", "b", "a"}) == Lines{"a (2 times)", "b"});
  CHECK(onceEach(Lines{"f:3:1: x", "f:9:7: x", "g:3:1: x", "f:3:1: y"}) ==
        Lines{"f:3:1: x (2 times, last in line 9)", "g:3:1: x", "f:3:1: y"});
  CHECK(onceEach(Lines{"f:3:1: x", "f:3:1: x"}) == Lines{"f:3:1: x (2 times)"});
  // Colons and digits of the sentence itself are no place; a path may hold some.
  CHECK(onceEach(Lines{"C:1:conf:2:5: x", "C:1:conf:4:5: x"}) ==
        Lines{"C:1:conf:2:5: x (2 times, last in line 4)"});
  CHECK(onceEach(Lines{"ratio 1:2: odd", "ratio 1:3: odd"}) ==
        Lines{"ratio 1:2: odd", "ratio 1:3: odd"});
}

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Blocks, and words of create and add, for tests of clumps of blocks.
#include "create.hpp"
#include "folder.hpp"

#include <functional>
#include <string>
#include <utility>

namespace scree::testing::composed {

/// A file that goes at the end.
struct Scratch {
  Folder folder;
  std::string path;
  Scratch(const std::string& name, const std::string& text) : path(folder.write(name, text)) {}
};

/// Two unit cubes, side by side by half a side.
inline const std::string cubes = [] {
  std::string out;
  for (const auto& [name, x] : {std::pair{"A", 0.5}, std::pair{"B", 1.0}})
    out += std::string("<\nname ") + name +
           "\nradius 0\npreCompDone y\nnv 8\n-.5 -.5 -.5\n.5 -.5 -.5\n.5 .5 -.5\n-.5 .5 -.5\n"
           "-.5 -.5 .5\n.5 -.5 .5\n.5 .5 .5\n-.5 .5 .5\nne 0\nnf 6\n4 0 1 2 3\n4 4 5 6 7\n"
           "4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\nvolume 1\nI/m 0.1666666 0.1666666 "
           "0.1666666\nobb.extent .5 .5 .5\nobb.e1 1 0 0\nobb.e2 0 1 0\nobb.e3 0 0 1\n"
           "obb.center 0 0 0\nposition " +
           std::to_string(x) + " 0.5 0.5\norientation 1 0 0 0\n>\n";
  return out;
}();

inline const std::string balls = "0 Sphere 0 0 0 1\n4 Sphere 0 0 1.2 0.8\n2 Sphere 5 0 0 1\n";

inline tools::ComposeWords with(const std::function<void(tools::ComposeWords&)>& change) {
  tools::ComposeWords w;
  change(w);
  return w;
}

}  // namespace scree::testing::composed

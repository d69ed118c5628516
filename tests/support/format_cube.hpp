// SPDX-License-Identifier: GPL-3.0-or-later
// The cube of the format's example, with its numbering, by which published contacts are named.
#pragma once

#include "scenes.hpp"

namespace scree::scenes {

/// Side 1, r 0.1; inertia of the rounded body.
inline shape::Shape formatCube() {
  shape::Shape cube;
  cube.name = "cube";
  cube.radius = 0.1;
  for (const double z : {-0.4, 0.4})
    for (const auto& [x, y] : {std::pair{0.4, 0.4}, {-0.4, 0.4}, {-0.4, -0.4}, {0.4, -0.4}})
      cube.vertices.emplace_back(x, y, z);
  cube.edges = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
  cube.faces.add({0, 1, 2, 3});
  cube.faces.add({4, 5, 6, 7});
  cube.faces.add({0, 1, 5, 4});
  cube.faces.add({2, 3, 7, 6});
  cube.faces.add({1, 2, 6, 5});
  cube.faces.add({0, 4, 7, 3});
  cube.preCompDone = true;
  cube.volume = 0.975587;
  cube.inertiaPerMass = Vec3::Constant(0.161966);
  cube.obbGiven = true;
  cube.obb.extent = Vec3::Constant(0.5);
  return cube;
}

}  // namespace scree::scenes

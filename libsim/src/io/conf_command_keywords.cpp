// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that prepare a state: velocities, sizes, copies.
#include "conf_values.hpp"

namespace scree::sim {
namespace {

using In = TextReader;
using Out = TextWriter;
using D = Diagnostics;

}  // namespace

std::vector<ConfKeyword> commandKeywords() {
  return {
      {"randomlyOrientedVelocities",
       {},
       "v",
       "",
       "",
       "command: random directions, given speed",
       keepLine<false>,
       nullptr},
      {"randomlyOrientedVelocitiesClusters",
       {},
       "v option",
       "",
       "",
       "command: one direction a cluster",
       keepLine<false>,
       nullptr},
      {"setAllVelocities",
       {},
       "x y z",
       "",
       "",
       "command: one velocity for all",
       keepLine<false>,
       nullptr},
      {"homothetyRange",
       {},
       "first last hmin hmax seed",
       "",
       "",
       "command: random sizes",
       keepLine<false>,
       nullptr},
      {"particlesClonage",
       {},
       "first last dx dy dz",
       "",
       "",
       "command: translated copies",
       keepLine<false>,
       nullptr},
  };
}

}  // namespace scree::sim

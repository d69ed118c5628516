// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/bodies.hpp"

namespace scree::sim {

void Bodies::resize(std::size_t n) {
  for (auto* vectors : {&pos, &vel, &acc, &spin, &spinAcc, &force, &moment, &inertia})
    vectors->assign(n, Vec3::Zero());
  q.assign(n, Quat::Identity());
  for (auto* numbers : {&mass, &reach, &path, &lastMove}) numbers->assign(n, 0.0);
  homothety.assign(n, 1.0);
  shape.assign(n, 0);
  group.assign(n, 0);
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/bodies.hpp"

#include <type_traits>

namespace scree::sim {

void Bodies::resize(std::size_t n) {
  forEachArray([n]<class T>(std::vector<T>& of) {
    if constexpr (std::is_same_v<T, Vec3>)
      of.assign(n, Vec3::Zero());
    else if constexpr (std::is_same_v<T, Quat>)
      of.assign(n, Quat::Identity());
    else
      of.assign(n, T{});
  });
  homothety.assign(n, 1.0);
}

}  // namespace scree::sim

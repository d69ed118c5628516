// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/rng.hpp"

#include "scree/base/math.hpp"

#include <cmath>

namespace scree {

Vec3 Rng::direction() {
  const double z = uniform(-1.0, 1.0), turn = uniform();
  const double r = std::sqrt(std::max(0.0, 1.0 - z * z));
  return {r * cosOfTurns(turn), r * sinOfTurns(turn), z};
}

Quat Rng::orientation() {
  const double u = uniform(), a = uniform(), b = uniform();
  const double r1 = std::sqrt(1.0 - u), r2 = std::sqrt(u);
  return Quat(r2 * cosOfTurns(b), r1 * sinOfTurns(a), r1 * cosOfTurns(a), r2 * sinOfTurns(b))
      .normalized();
}

}  // namespace scree

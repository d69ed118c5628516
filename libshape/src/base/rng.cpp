// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/rng.hpp"

#include <cmath>

namespace scree {

Vec3 Rng::direction() {
  const double z = uniform(-1.0, 1.0), angle = uniform(0.0, 2.0 * pi);
  const double r = std::sqrt(std::max(0.0, 1.0 - z * z));
  return {r * std::cos(angle), r * std::sin(angle), z};
}

Quat Rng::orientation() {
  const double u = uniform(), a = uniform(0.0, 2.0 * pi), b = uniform(0.0, 2.0 * pi);
  const double r1 = std::sqrt(1.0 - u), r2 = std::sqrt(u);
  return Quat(r2 * std::cos(b), r1 * std::sin(a), r1 * std::cos(a), r2 * std::sin(b)).normalized();
}

}  // namespace scree

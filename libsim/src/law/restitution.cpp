// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"

#include "scree/base/math.hpp"
#include "scree/sim/law/law_info.hpp"

#include <cmath>

namespace scree::sim {

double springDashpotRestitution(double en2) {
  if (en2 >= 1.0) return 1.0;
  if (en2 <= 0.0) return elementary::exp(-2.0);  // zeta -> 1: the collision lasts 2/omega0
  const double logE = 0.5 * elementary::log(en2);
  const double zeta = -logE / std::sqrt(logE * logE + pi * pi);
  const double omega = std::sqrt(1.0 - zeta * zeta);  // in units of that without damping
  // The phase where spring and dashpot balance: between 0 and pi, so by atan2.
  const double duration =
      (pi - elementary::atan2(2.0 * zeta * omega, omega * omega - zeta * zeta)) / omega;
  return elementary::exp(-zeta * duration);
}

}  // namespace scree::sim

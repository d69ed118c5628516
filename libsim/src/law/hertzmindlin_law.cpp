// SPDX-License-Identifier: GPL-3.0-or-later
#include "law/hertzmindlin_law.hpp"

#include "scree/base/math.hpp"

namespace scree::sim {

/// Below it counts as this: e = 0.01, five times critical damping. Such a contact sticks, and less
/// would need shorter steps without end.
constexpr double leastEn2 = 1e-4;

double hertzRestitution(double zeta) {
  double duration = 0.0;
  const double off = 1.0 - zeta;
  if (std::abs(off) < 1e-4) {  // where both forms below are 0/0
    duration = 2.0 + off * (2.0 / 3.0 + off * (4.0 / 15.0));
  } else if (zeta < 1.0) {
    duration = 2.0 * portableAcos(zeta) / std::sqrt(off * (1.0 + zeta));
  } else {
    const double root = std::sqrt(-off * (1.0 + zeta));
    duration = 2.0 * portableLog(zeta + root) / root;
  }
  return portableExp(-zeta * duration);
}

double hertzDampingShare(double en2) {
  if (en2 >= 1.0) return 0.0;
  if (en2 <= 0.0) return 1.0;
  const double e = std::sqrt(std::max(en2, leastEn2));
  double low = 0.0, mid = 4.0, high = 8.0;  // e falls with the share
  while (low < mid && mid < high) {
    (hertzRestitution(mid) > e ? low : high) = mid;
    mid = low + 0.5 * (high - low);
  }
  return high;
}

}  // namespace scree::sim

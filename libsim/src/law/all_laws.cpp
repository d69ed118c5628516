// SPDX-License-Identifier: GPL-3.0-or-later
#include "law/all_laws.hpp"

#include "base/elementary.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::sim {

const std::vector<LawInfo>& allLaws() {
  static const auto laws = []<class... Laws>(const std::variant<Laws...>&) {
    return std::vector<LawInfo>{lawInfo<Laws>()...};
  }(AnyLaw());
  return laws;
}

const LawInfo& lawNamed(std::string_view name) {
  if (name == "Avalanches") name = AvalancheLaw::name;
  for (const LawInfo& info : allLaws())
    if (info.name == name) return info;
  const std::vector<std::string_view> names = namesOf(allLaws());
  throw ModelError(fmt::format("forceLaw: unknown law '{}'{}; there are {}", name.substr(0, 40),
                               suggestion(name, names), fmt::join(names, ", ")));
}

double normalViscosity(double kn, double en2, double mass) {
  const double critical = 2.0 * std::sqrt(kn * mass);
  if (en2 <= 0.0) return critical;
  if (en2 >= 1.0) return 0.0;
  const double logE = 0.5 * portableLog(en2);
  return critical * (-logE / std::sqrt(logE * logE + pi * pi));
}

double linearContactTime(double kn, double mass) {
  return kn > 0.0 ? pi * std::sqrt(mass / kn) : HUGE_VAL;
}

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

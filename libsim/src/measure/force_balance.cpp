// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/fabric.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::sim {

ForceBalance forceBalance(const Instant& instant, const std::vector<char>& chosen) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> largest(chosen.size(), 0.0);
  std::vector<int> count(chosen.size(), 0);
  double forces = 0.0, squares = 0.0, normal = 0.0;
  std::size_t links = 0;
  for (const Link& c : instant.links()) {
    const bool wall = c.j == Link::none;
    if (!chosen[c.i] && (wall || !chosen[c.j])) continue;
    const double f = c.force().norm();
    forces += f;
    squares += f * f;
    normal += c.fn;
    ++links;
    for (const BodyId k : {c.i, wall ? c.i : c.j}) {
      largest[k] = std::max(largest[k], c.fn);
      ++count[k];
      if (wall) break;
    }
  }
  ForceBalance balance;
  double resultants = 0.0, resultantSquares = 0.0, most = 0.0;
  bool known = false;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    ++balance.bodies;
    const Vec3 f = instant.actions()[k].force + instant.masses()[k] * instant.conf().gravity;
    const double size = f.norm();
    balance.sum += f;
    resultants += size;
    resultantSquares += size * size;
    if (count[k] < 2 || !(largest[k] > 0.0)) continue;
    most = std::max(most, size);
    balance.worst = std::max(balance.worst, size / largest[k]);
    known = normal > 0.0;
  }
  const double n = static_cast<double>(balance.bodies), m = static_cast<double>(links);
  balance.resultant = balance.bodies > 0 ? resultants / n : unknown;
  balance.force = links > 0 ? forces / m : unknown;
  balance.rms =
      links > 0 && balance.bodies > 0 ? std::sqrt((resultantSquares / n) / (squares / m)) : unknown;
  if (!known) balance.worst = unknown;
  balance.worstOverMean = known ? most / (normal / m) : unknown;
  return balance;
}

}  // namespace scree::sim

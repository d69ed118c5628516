// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/periods.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

std::uint64_t nextOutputStep(std::uint64_t step, double period, double dt) {
  constexpr double most = 2e18;  // steps, within 64 bits
  const double perOutput = period / dt, now = static_cast<double>(step);
  if (perOutput <= 1.0) return step + 1;
  // The multiple that `step` has reached, less one for safety; then the first one due after it.
  const double reached = std::floor((now + 0.5) / perOutput);
  for (int more = -1; more <= 2; ++more) {
    const double k = reached + more;
    const double due = std::min(std::ceil(k * perOutput - 0.5 - 1e-9), most);
    if (due > now && k > 0.0) return static_cast<std::uint64_t>(due);
  }
  return step + 1;  // so many steps that a double no longer tells them apart
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/table.hpp"

#include <charconv>
#include <cmath>

namespace scree::sim {

double tableTime(double t) noexcept {
  if (!std::isfinite(t) || t == 0.0) return t;
  const double most = 2.0 * (std::nextafter(std::abs(t), HUGE_VAL) - std::abs(t));
  char text[40];
  for (int decimals = 0; decimals < 15; ++decimals) {
    const auto written =
        std::to_chars(text, text + sizeof text, t, std::chars_format::scientific, decimals);
    double shorter = t;
    if (std::from_chars(text, written.ptr, shorter).ec == std::errc() &&
        std::abs(shorter - t) <= most)
      return shorter;
  }
  return t;
}

}  // namespace scree::sim

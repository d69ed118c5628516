// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/libstdcxx_rng.hpp"

#include "base/elementary.hpp"

#include <cmath>

namespace scree {

std::uint32_t LibstdcxxRng::next() {
  state_ = state_ * 16807 % modulus;
  return static_cast<std::uint32_t>(state_);
}

double LibstdcxxRng::canonical() {
  // 53 bits need two numbers of a little less than 31. Lower part first, from 0 on.
  constexpr double range = 2147483646.0;
  const double low = next() - 1.0, high = next() - 1.0;
  const double share = (low + high * range) / (range * range);
  return share < 1.0 ? share : std::nextafter(1.0, 0.0);
}

double LibstdcxxRng::uniform(double from, double to) { return canonical() * (to - from) + from; }

double LibstdcxxRng::exponential(double rate) { return -elementary::log(1.0 - canonical()) / rate; }

double LibstdcxxRng::normal(double mean, double deviation) {
  double value = saved_;
  if (!hasSaved_) {  // polar method, G. Marsaglia & T. A. Bray, SIAM Review 6, 260-264, 1964
    double x = 0.0, y = 0.0, r2 = 0.0;
    do {
      x = 2.0 * canonical() - 1.0;
      y = 2.0 * canonical() - 1.0;
      r2 = x * x + y * y;
    } while (r2 > 1.0 || r2 == 0.0);
    const double stretch = std::sqrt(-2.0 * elementary::log(r2) / r2);
    saved_ = x * stretch;
    value = y * stretch;
  }
  hasSaved_ = !hasSaved_;
  return value * deviation + mean;
}

double LibstdcxxRng::weibull(double shape, double scale) {
  return scale * elementary::pow(-elementary::log(1.0 - canonical()), 1.0 / shape);
}

}  // namespace scree

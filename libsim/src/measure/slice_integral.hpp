// SPDX-License-Identifier: GPL-3.0-or-later
// Integrals of areas of slices, shared by what regions cut.
#pragma once

#include "scree/base/math.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::sim {

/// Integral of f over [a, b] by the double exponential rule, which remains accurate for roots at
/// the ends. To about 1e-14 of the largest value times b - a where f is analytic inside.
template <class F>
double sliceIntegral(double a, double b, F&& f) {
  constexpr double step = 1.0 / 16.0;
  constexpr int most = 52;  // beyond, weights are below 1e-17
  const double half = 0.5 * (b - a), middle = 0.5 * (a + b);
  double sum = 0.0;
  for (int k = -most; k <= most; ++k) {
    const double t = step * k, grow = portableExp(std::abs(t)), shrink = 1.0 / grow;
    const double sinh = (t < 0 ? -0.5 : 0.5) * (grow - shrink), cosh = 0.5 * (grow + shrink);
    // tanh(π/2 sinh t), and what it lacks to ±1, which keeps its digits.
    const double e = portableExp(-pi * std::abs(sinh)), lacks = 2.0 * e / (1.0 + e);
    const double weight = 0.5 * pi * cosh * 4.0 * e / ((1.0 + e) * (1.0 + e));
    const double x = k < 0 ? a + half * lacks : k > 0 ? b - half * lacks : middle;
    sum += weight * f(x);
  }
  return sum * step * half;
}

/// The same from `low` to `high`, piece by piece between the breaks that lie inside.
template <class F>
double sliceIntegral(double low, double high, std::vector<double> breaks, F&& f) {
  if (!(low < high)) return 0.0;
  std::erase_if(breaks, [&](double z) { return !(z > low && z < high); });
  breaks.push_back(low);
  breaks.push_back(high);
  std::ranges::sort(breaks);
  double sum = 0.0;
  for (std::size_t k = 0; k + 1 < breaks.size(); ++k)
    if (breaks[k] < breaks[k + 1]) sum += sliceIntegral(breaks[k], breaks[k + 1], f);
  return sum;
}

}  // namespace scree::sim

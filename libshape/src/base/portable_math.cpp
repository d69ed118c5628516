// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/portable_math.hpp"

#include <cmath>
#include <numbers>

namespace scree {
namespace {

/// cos(x) and sin(x) by their series, for |x| <= π/4.
double cosSeries(double x) {
  double sum = 0.0;
  for (int k = 18; k >= 2; k -= 2) sum = -x * x / (k * (k - 1)) * (1.0 + sum);
  return 1.0 + sum;
}
double sinSeries(double x) {
  double sum = 0.0;
  for (int k = 19; k >= 3; k -= 2) sum = -x * x / (k * (k - 1)) * (1.0 + sum);
  return x * (1.0 + sum);
}

}  // namespace

double portableLog(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // exact
  if (m < std::numbers::sqrt2 / 2.0) {
    m *= 2.0;
    --exponent;
  }
  // ln m = 2 atanh z, z = (m - 1)/(m + 1), |z| < 0.172
  const double z = (m - 1.0) / (m + 1.0), z2 = z * z;
  double sum = 0.0;
  for (int k = 21; k >= 3; k -= 2) sum = z2 * (1.0 / k + sum);
  return static_cast<double>(exponent) * std::numbers::ln2 + 2.0 * z * (1.0 + sum);
}

double cosOfTurns(double turns) {
  const double r = std::abs(turns - std::nearbyint(turns));  // in [0, 1/2]
  constexpr double turn = 2.0 * std::numbers::pi;
  if (r <= 0.125) return cosSeries(turn * r);
  if (r <= 0.375) return -sinSeries(turn * (r - 0.25));
  return -cosSeries(turn * (0.5 - r));
}

}  // namespace scree

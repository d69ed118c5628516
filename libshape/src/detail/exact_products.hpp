// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/double_double.hpp"

#include "scree/base/math.hpp"

namespace scree::detail {

/// Products of edges, for corners of which the result may be far smaller than its terms. A sliver
/// keeps all digits of its area and volume. Differences and products have 106 bits.
struct EdgeProducts {
  static DoubleDouble minus(double a, double b) { return DoubleDouble::sum(a, -b); }

  /// (b - a) x (c - a), rounded once.
  static Vec3 cross(const Vec3& a, const Vec3& b, const Vec3& c) {
    Vec3 out;
    for (int k = 0; k < 3; ++k) out[k] = static_cast<double>(component(a, b, c, k));
    return out;
  }
  /// (b - a) x (c - a) . (d - a), rounded once.
  static double triple(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    DoubleDouble sum;
    for (int k = 0; k < 3; ++k) sum = sum + component(a, b, c, k) * minus(d[k], a[k]);
    return static_cast<double>(sum);
  }

 private:
  static DoubleDouble component(const Vec3& a, const Vec3& b, const Vec3& c, int k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    return minus(b[i], a[i]) * minus(c[j], a[j]) - minus(b[j], a[j]) * minus(c[i], a[i]);
  }
};

}  // namespace scree::detail

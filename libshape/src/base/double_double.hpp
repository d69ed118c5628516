// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace scree::detail {

/// A number as the unevaluated sum of two doubles: 106 bits, only + - * / and square root.
///
/// Stands in for 113-bit floats where a few near-degenerate predicates need more than a double. It
/// is five times faster than software quadruple precision and free of compiler extensions. Needs
/// arithmetic that is neither fused nor reordered (-ffp-contract=off), and products below 1e299.
/// Source: T. J. Dekker, Numer. Math. 18, 224-242, 1971; Y. Hida, X. S. Li & D. H. Bailey, Library
/// for double-double and quad-double arithmetic, 2007.
struct DoubleDouble {
  double high = 0.0, low = 0.0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}
  constexpr DoubleDouble(double h, double l) : high(h), low(l) {}
  explicit constexpr operator double() const { return high + low; }

  /// Sum of two doubles, without error.
  static constexpr DoubleDouble sum(double a, double b) {
    const double s = a + b, part = s - a;
    return {s, (a - (s - part)) + (b - part)};
  }
  /// Sum of two doubles with |a| >= |b|, without error, in half as many operations as sum().
  static constexpr DoubleDouble quickSum(double a, double b) {
    const double s = a + b;
    return {s, b - (s - a)};
  }
  /// Product of two doubles, without error.
  static DoubleDouble product(double a, double b) {
    const double p = a * b;
    const auto [aHigh, aLow] = split(a);
    const auto [bHigh, bLow] = split(b);
    return {p, ((aHigh * bHigh - p) + aHigh * bLow + aLow * bHigh) + aLow * bLow};
  }

  friend DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }
  friend DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
    DoubleDouble s = sum(a.high, b.high);
    const DoubleDouble t = sum(a.low, b.low);
    s = quickSum(s.high, s.low + t.high);
    return quickSum(s.high, s.low + t.low);
  }
  friend DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + (-b); }
  friend DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
    const DoubleDouble p = product(a.high, b.high);
    return quickSum(p.high, p.low + (a.high * b.low + a.low * b.high));
  }
  friend DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
    const double q1 = a.high / b.high;
    DoubleDouble rest = a - b * DoubleDouble(q1);
    const double q2 = rest.high / b.high;
    rest = rest - b * DoubleDouble(q2);
    return quickSum(q1, q2) + DoubleDouble(rest.high / b.high);
  }
  friend bool operator<(const DoubleDouble& a, const DoubleDouble& b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
  friend bool operator>(const DoubleDouble& a, const DoubleDouble& b) { return b < a; }
  friend bool operator<=(const DoubleDouble& a, const DoubleDouble& b) { return !(b < a); }
  friend bool operator>=(const DoubleDouble& a, const DoubleDouble& b) { return !(a < b); }

 private:
  /// Halves of a double, of 26 bits each: products of halves are exact.
  static DoubleDouble split(double a) {
    const double t = 134217729.0 * a;  // 2^27 + 1
    const double h = t - (t - a);
    return {h, a - h};
  }
};

/// Square root; 0 for a number below 0, which rounding may have left there.
inline DoubleDouble squareRoot(const DoubleDouble& a) {
  if (!(a.high > 0.0)) return {};
  const double x = std::sqrt(a.high);
  // Two Newton steps on the residual, each of which doubles the number of right digits.
  DoubleDouble root = DoubleDouble(x) + (a - DoubleDouble::product(x, x)) / DoubleDouble(2.0 * x);
  root = root + (a - root * root) / (root + root);
  return root;
}
/// Square root of a double, for templates over both kinds of number.
inline double squareRoot(double a) { return a > 0.0 ? std::sqrt(a) : 0.0; }

/// Absolute value, for both kinds of number.
inline DoubleDouble magnitude(const DoubleDouble& a) {
  return a.high < 0.0 || (a.high == 0.0 && a.low < 0.0) ? -a : a;
}
inline double magnitude(double a) { return std::fabs(a); }

}  // namespace scree::detail

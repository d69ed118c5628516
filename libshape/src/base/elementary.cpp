// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"

#include "base/double_double.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace scree::elementary {
namespace {

using DD = detail::DoubleDouble;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr DD wholePi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
    halfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// x = (quarter + 4 n) π/2 + rest for some whole n, |rest| <= π/4 and a hair.
struct ReducedAngle {
  unsigned quarter = 0;       ///< 0 to 3
  detail::DoubleDouble rest;  ///< relative error below 2^-70 for |x| < 2^20
};

/// Reduces x by π/2 in parts of 33 bits (W. J. Cody & W. Waite, Software Manual for the Elementary
/// Functions, 1980); beyond 2^20 quarters by pairs of doubles. No angle is known beyond 2^50.
ReducedAngle reducedAngle(double x) {
  if (!(std::abs(x) < 0x1p50)) return {0, nan};
  const double k = std::nearbyint(x * 0x1.45f306dc9c883p-1);
  const auto quarter = static_cast<unsigned>(static_cast<std::int64_t>(k) & 3);
  if (std::abs(x) >= 0x1p20)
    return {quarter, DD(x) - DD::product(k, halfPi.high) - DD::product(k, halfPi.low) -
                         DD(k * -0x1.f1976b7ed8fbcp-110)};
  // k times a part is exact, and so is the first difference.
  DD rest = DD::sum(x - k * 0x1.921fb54400000p+0, -(k * 0x1.0b4611a600000p-34));
  rest = rest + DD(-(k * 0x1.3198a2e000000p-69));
  rest = rest + DD(-(k * 0x1.b839a252049c1p-104));
  return {quarter, rest};
}

/// Sine and cosine of |r| <= π/4 (and a hair more). The leading term is in full precision; the rest
/// of the Taylor series, at most a fifth of it, is in doubles. Relative error below 2^-55.
DD sinSeries(const DD& r) {
  const double x = r.high, z = x * x;
  double sum = 0.0;  // of -z/(2·3) (1 - z/(4·5) (1 - ...))
  for (int k = 19; k >= 3; k -= 2) sum = -z / (k * (k - 1)) * (1.0 + sum);
  return DD::quickSum(x, x * sum + r.low * (1.0 - 0.5 * z));
}
DD cosSeries(const DD& r) {
  const double x = r.high, z = x * x;
  double sum = 0.0;
  for (int k = 20; k >= 4; k -= 2) sum = -z / (k * (k - 1)) * (1.0 + sum);
  const DD half = DD::product(x, 0.5 * x);  // 1 - x²/2 in full
  DD value = DD::quickSum(1.0, -half.high);
  value.low += -0.5 * z * sum - half.low - x * r.low;
  return DD::quickSum(value.high, value.low);
}

/// Sine or, a quarter turn on, cosine.
DD sinOf(const ReducedAngle& a, unsigned quarters) {
  const unsigned q = (a.quarter + quarters) % 4u;
  const DD value = q % 2u == 0 ? sinSeries(a.rest) : cosSeries(a.rest);
  return q < 2u ? value : -value;
}

/// atan(k/8).
constexpr DD atanOfEighths[] = {{0.0, 0.0},
                                {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

/// atan(a/b) for 0 <= a <= b: atan of the nearest eighth, and of what is left, below 1/16.
DD atanOfShare(double a, double b) {
  const double k = std::nearbyint(8.0 * (a / b)), c = 0.125 * k;
  // (a/b - c)/(1 + c a/b); c has three bits.
  const DD r = (DD(a) - DD::product(c, b)) / (DD(b) + DD::product(c, a));
  const double x = r.high, z = x * x;
  double sum = 0.0;
  for (int n = 15; n >= 3; n -= 2) sum = -z * (1.0 / n + sum);
  const DD& whole = atanOfEighths[static_cast<int>(k)];
  DD value = DD::sum(whole.high, x);
  value.low += r.low + whole.low + x * sum;
  return DD::quickSum(value.high, value.low);
}

/// ln x for finite x > 0, relative error below 2^-64.
DD logOf(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0x1.6a09e667f3bcdp-1) {  // √½
    m *= 2.0;
    --exponent;
  }
  // ln m = 2 artanh s, s = (m - 1)/(m + 1), |s| < 0.172
  const DD s = DD(m - 1.0) / DD::sum(m, 1.0), z = s * s;
  double sum = 0.0;  // of z²/5 + z³/7 + ...
  for (int n = 27; n >= 5; n -= 2) sum = z.high * (1.0 / n + sum);
  constexpr DD third{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  const DD series = (s + s) * (DD(1.0) + z * (third + DD(sum)));
  // k times the first part of ln 2 is exact, and so much of it that the second is a hair.
  const double k = exponent;
  return DD(k * 0x1.62e42fee00000p-1) + (DD::product(k, 0x1.a39ef35793c76p-33) + series);
}

/// e^x.
double expOf(const DD& x) {
  if (x.high != x.high) return nan;
  if (x.high > 709.8) return infinity;
  if (x.high < -745.2) return 0.0;
  const double k = std::nearbyint(x.high * 0x1.71547652b82fep+0);
  DD r = DD::sum(x.high - k * 0x1.62e42fee00000p-1, -(k * 0x1.a39ef35793c76p-33));  // |r| < 0.35
  r = DD::quickSum(r.high, r.low + x.low);
  double sum = 0.0;  // of 1/2 + r/6 + ..., over r²
  for (int n = 16; n >= 3; --n) sum = r.high / n * (1.0 + sum);
  const double tail = 0.5 * r.high * r.high * (1.0 + sum);
  const DD value = DD::quickSum(1.0, r.high);
  return std::ldexp(value.high + (value.low + (r.low * (1.0 + r.high) + tail)),
                    static_cast<int>(k));
}

}  // namespace

double sin(double x) { return x == 0.0 ? x : static_cast<double>(sinOf(reducedAngle(x), 0)); }

double cos(double x) { return static_cast<double>(sinOf(reducedAngle(x), 1)); }

double tan(double x) {
  if (x == 0.0) return x;
  const ReducedAngle a = reducedAngle(x);
  return static_cast<double>(sinOf(a, 0) / sinOf(a, 1));
}

double atan2(double y, double x) {
  if (x != x || y != y) return nan;
  double ax = std::abs(x), ay = std::abs(y);
  if (ax == 0.0 && ay == 0.0) {
    ax = 1.0;
  } else if (std::isinf(ax) || std::isinf(ay)) {
    ax = std::isinf(ax);
    ay = std::isinf(ay);
  }
  const double larger = std::max(ax, ay);
  if (larger > 0x1p400 || larger < 0x1p-400) {  // products must neither overflow nor vanish
    int exponent = 0;
    std::frexp(larger, &exponent);
    ax = std::ldexp(ax, -exponent);
    ay = std::ldexp(ay, -exponent);
  }
  // Shares too small for the products of their digits: the angle is the share.
  const double least = std::min(ax, ay);
  DD angle;
  if (least < 0x1p-300 * std::max(ax, ay))
    angle = ay < ax ? DD(std::signbit(x) || y == 0.0 ? 0.0 : std::abs(y) / std::abs(x)) : halfPi;
  else
    angle = ay <= ax ? atanOfShare(ay, ax) : halfPi - atanOfShare(ax, ay);
  if (std::signbit(x)) angle = wholePi - angle;
  return std::copysign(static_cast<double>(angle), y);
}

double exp(double x) { return expOf(DD(x)); }

double log(double x) {
  if (x == 0.0) return -infinity;
  if (!(x > 0.0)) return nan;
  return std::isinf(x) ? x : static_cast<double>(logOf(x));
}

double log10(double x) {
  if (x == 0.0) return -infinity;
  if (!(x > 0.0)) return nan;
  constexpr DD perTen{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  return std::isinf(x) ? x : static_cast<double>(logOf(x) * perTen);
}

double pow(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (x != x || y != y) return nan;
  const bool whole = std::nearbyint(y) == y;
  const bool odd = whole && std::abs(y) < 0x1p53 && std::fmod(y, 2.0) != 0.0;
  const double size = std::abs(x);
  double result = 0.0;
  if (size == 0.0 || std::isinf(size))
    result = (size == 0.0) == (y > 0.0) ? 0.0 : infinity;
  else if (std::isinf(y))
    return size == 1.0 ? 1.0 : ((size > 1.0) == (y > 0.0) ? infinity : 0.0);
  else if (x < 0.0 && !whole)
    return nan;
  else if (std::abs(y) > 0x1p60)  // beyond all doubles unless |x| is 1
    result = size == 1.0 ? 1.0 : ((size > 1.0) == (y > 0.0) ? infinity : 0.0);
  else
    result = expOf(logOf(size) * DD(y));
  return std::signbit(x) && odd ? -result : result;
}

double cbrt(double x) {
  if (x == 0.0 || !std::isfinite(x)) return x;
  constexpr DD third{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  return std::copysign(expOf(logOf(std::abs(x)) * third), x);
}

}  // namespace scree::elementary

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/math.hpp"

#include "base/elementary.hpp"

#include "scree/base/rng.hpp"

#include <algorithm>
#include <cmath>

namespace scree {
namespace {

/// Cosine and sine of x for |x| <= π/4 by their series up to x^18 and x^19, from the last term to
/// the first. The terms left out are below 1e-20.
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

/// atan(k/8) for k = 0 to 8.
constexpr double atanOfEighths[] = {0.0,
                                    0.1243549945467614350313,
                                    0.2449786631268641541720,
                                    0.3587706702705722203959,
                                    0.4636476090008061162142,
                                    0.5585993153435624359715,
                                    0.6435011087932843868028,
                                    0.7188299996216245054170,
                                    0.7853981633974483096156};

/// Arctangent of t in [0, 1]: that of the nearest eighth c, and by its series that of
/// r = (t - c)/(1 + c t), at most 1/16.
double atanOfShare(double t) {
  const double k = std::nearbyint(8.0 * t), c = 0.125 * k;
  const double r = (t - c) / (1.0 + c * t), r2 = r * r;
  double sum = 0.0;
  for (int n = 13; n >= 3; n -= 2) sum = -r2 * (1.0 / n + sum);
  return atanOfEighths[static_cast<int>(k)] + r * (1.0 + sum);
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

double sinOfTurns(double turns) {
  const double r = turns - std::nearbyint(turns), a = std::abs(r);  // exact; a in [0, 1/2]
  constexpr double turn = 2.0 * std::numbers::pi;
  if (a <= 0.125) return sinSeries(turn * r);
  const double sine = a <= 0.375 ? cosSeries(turn * (a - 0.25)) : sinSeries(turn * (0.5 - a));
  return r < 0.0 ? -sine : sine;
}

double portableExp(double x) {
  // Beyond these limits e^x is below the least or above the largest double.
  if (!(x > -745.2)) return x != x ? x : 0.0;
  if (x > 709.8) return HUGE_VAL;
  const double k = std::nearbyint(x / std::numbers::ln2);
  // ln 2 in two parts; k times the first is exact.
  constexpr double ln2High = 0x1.62e42fefa3800p-1, ln2Low = 0x1.ef35793c76730p-45;
  const double r = (x - k * ln2High) - k * ln2Low;  // |r| <= 0.35
  double sum = 1.0;
  for (int n = 14; n >= 1; --n) sum = 1.0 + sum * r / n;
  return std::ldexp(sum, static_cast<int>(k));
}

double portablePow(double x, double y) {
  if (y == 1.0) return x;
  if (y == 2.0) return x * x;
  if (x == 0.0) return y > 0.0 ? 0.0 : (y == 0.0 ? 1.0 : HUGE_VAL);
  return portableExp(y * portableLog(x));
}

double portableAtan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return x + y;  // NaN has no place in atanOfEighths
  const double ax = std::abs(x), ay = std::abs(y);
  double angle = 0.0;
  if (std::isinf(ax) && std::isinf(ay))
    angle = std::numbers::pi / 4.0;
  else if (ay <= ax)
    angle = ay == 0.0 ? 0.0 : atanOfShare(ay / ax);
  else
    angle = std::numbers::pi / 2.0 - atanOfShare(ax / ay);
  if (x < 0.0) angle = std::numbers::pi - angle;
  return y < 0.0 ? -angle : angle;
}

double portableAcos(double x) {
  if (x >= 1.0) return 0.0;
  if (x <= -1.0) return std::numbers::pi;
  return portableAtan2(std::sqrt((1.0 - x) * (1.0 + x)), x);
}

// Replaces Quaternion::setFromTwoVectors of Eigen, which finds the axis of a half turn by a
// singular value decomposition: each source file that calls it takes 15 s longer to compile.
Quat shortestTurn(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.stableNormalized(), b = to.stableNormalized();
  const Vec3 sum = a + b;
  const double length = sum.norm();
  const bool opposite = length < 1e-15;
  // A quaternion holds cosine and sine of half its angle: the angle between `a` and halfway.
  const Vec3 halfway = opposite ? Vec3(a.unitOrthogonal()) : Vec3(sum / length);
  const Vec3 axis = a.cross(halfway);
  return Quat(opposite ? 0.0 : a.dot(halfway), axis.x(), axis.y(), axis.z()).normalized();
}

Vec3 Rng::direction() {
  const double z = uniform(-1.0, 1.0), turn = uniform();  // heights on a sphere are uniform
  const double r = std::sqrt(std::max(0.0, 1.0 - z * z));
  return {r * cosOfTurns(turn), r * sinOfTurns(turn), z};
}

std::uint64_t mixedSeed(std::uint64_t seed, std::initializer_list<std::uint64_t> parts) {
  for (const std::uint64_t part : parts) {
    seed += 0x9e3779b97f4a7c15u * (part + 1);  // + 1: zeros do not stay zero
    seed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
    seed = (seed ^ (seed >> 27)) * 0x94d049bb133111ebu;
    seed ^= seed >> 31;
  }
  return seed;
}

Quat rotationOf(double u, double a, double b) {
  const double r1 = std::sqrt(1.0 - u), r2 = std::sqrt(u);
  return Quat(r2 * cosOfTurns(b), r1 * sinOfTurns(a), r1 * cosOfTurns(a), r2 * sinOfTurns(b))
      .normalized();
}

Quat Rng::orientation() {
  const double u = uniform(), a = uniform(), b = uniform();
  return rotationOf(u, a, b);
}

std::uint32_t LibstdcxxRng::next() {
  state_ = state_ * 16807 % modulus;
  return static_cast<std::uint32_t>(state_);
}

double LibstdcxxRng::canonical() {
  // A number of the engine has a little less than 31 bits, a double 53. So libstdc++ takes two
  // numbers as the digits of one to the base `range`, the low digit first.
  constexpr double range = 2147483646.0;  // count of values of next()
  const double low = next() - 1.0, high = next() - 1.0;
  const double value = (low + high * range) / (range * range);
  return value < 1.0 ? value : std::nextafter(1.0, 0.0);
}

double LibstdcxxRng::uniform(double from, double to) { return canonical() * (to - from) + from; }

double LibstdcxxRng::weibull(double shape, double scale) {
  return scale * elementary::pow(-elementary::log(1.0 - canonical()), 1.0 / shape);
}

}  // namespace scree

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cstdint>
#include <initializer_list>
#include <random>

namespace scree {

/// A seed from several numbers, mixed as splitmix64 does (Steele, Lea & Flood, OOPSLA 2014), so
/// that the streams of neighbouring numbers have nothing in common.
std::uint64_t mixedSeed(std::uint64_t seed, std::initializer_list<std::uint64_t> parts);

/// Rotation of three numbers in [0, 1): uniform on the rotations where these are uniform in the
/// cube (Shoemake, Graphics Gems III, 1992).
Quat rotationOf(double u, double a, double b);

/// Random numbers that are the same on every machine. The bits come from mt19937_64, which the
/// standard fixes. The mapping to numbers is ours, since the standard's distributions vary.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : bits_(seed) {}

  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1.0p-53; }  ///< in [0, 1)
  double uniform(double from, double to) { return from + (to - from) * uniform(); }
  Vec3 direction();    ///< uniform on the unit sphere
  Quat orientation();  ///< uniform on the rotations

 private:
  std::mt19937_64 bits_;
};

/// Random numbers of programs that use `std::default_random_engine` and the distributions of
/// libstdc++ (GCC 4.5 to 13), on any machine. Uniform numbers agree to the bit, Weibull numbers
/// within four units in the last place, since libstdc++ calls functions of the system. Each call
/// draws as a new distribution object does.
/// Source: ISO C++ [rand.predef] for the engine; bits/random.tcc of libstdc++ for the rest.
class LibstdcxxRng {
 public:
  /// Seeds the engine. 0 and other multiples of 2^31 - 1 count as 1, the default seed.
  explicit LibstdcxxRng(std::uint64_t seed = 1)
      : state_(seed % modulus == 0 ? 1 : seed % modulus) {}

  std::uint32_t next();                    ///< next number of minstd_rand0, 1 to 2^31 - 2
  double uniform(double from, double to);  ///< in [from, to), by uniform_real_distribution
  double weibull(double shape, double scale);

 private:
  double canonical();  ///< in [0, 1), two numbers of the engine

  static constexpr std::uint64_t modulus = 2147483647;  // 2^31 - 1
  std::uint64_t state_;
};

}  // namespace scree

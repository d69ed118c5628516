// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace scree {

/// Random numbers as programs draw them that use `std::default_random_engine` and the distributions
/// of libstdc++ (GCC 4.5 to 13). They are the same on every machine and with every standard
/// library. Uniform and integer draws agree to the bit. Those with logarithms agree within four
/// units in the last place, since that library calls the functions of the system.
///
/// Each function draws as the distribution of its name, made for this one call, does. `normal`
/// keeps its second number for the next call, as one distribution object does.
/// Source: ISO C++ [rand.predef] for the engine; bits/random.tcc of libstdc++ for what it makes of
/// its numbers.
class LibstdcxxRng {
 public:
  /// A multiple of 2^31 - 1, as 0 is, stands for 1: the engine without a seed.
  explicit LibstdcxxRng(std::uint64_t seed = 1)
      : state_(seed % modulus == 0 ? 1 : seed % modulus) {}

  std::uint32_t next();                    ///< of minstd_rand0: 1 to 2^31 - 2
  double canonical();                      ///< in [0, 1), two numbers of the engine
  double uniform(double from, double to);  ///< in [from, to), by uniform_real_distribution
  double exponential(double rate);         ///< mean 1/rate
  double normal(double mean, double deviation);
  double weibull(double shape, double scale);

 private:
  static constexpr std::uint64_t modulus = 2147483647;  // 2^31 - 1
  std::uint64_t state_;
  bool hasSaved_ = false;
  double saved_ = 0.0;  ///< second number of a pair of normal ones
};

}  // namespace scree

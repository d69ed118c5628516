// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cstdint>
#include <random>

namespace scree {

/// Random numbers that are the same on every machine. The bits come from mt19937_64, which the
/// standard fixes. The mapping to numbers is ours, since the standard's distributions vary.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : bits_(seed) {}

  double uniform() { return static_cast<double>(bits_() >> 11) * 0x1.0p-53; }  ///< in [0, 1)
  double uniform(double from, double to) { return from + (to - from) * uniform(); }
  Vec3 direction();    ///< uniform on the unit sphere
  Quat orientation();  ///< uniform on the rotations (Shoemake, Graphics Gems III, 1992)

 private:
  std::mt19937_64 bits_;
};

}  // namespace scree

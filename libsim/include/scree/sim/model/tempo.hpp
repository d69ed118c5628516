// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace scree::sim {

/// A parameter that follows a course in time: one line `Tempo` of a conf-file.
struct Tempo {
  enum class What : std::uint8_t { damping, pair, density };
  enum class Course : std::uint8_t { ramp, range };

  What what = What::damping;
  std::string parameter;                 ///< of a pair: name of the law parameter
  std::uint32_t group1 = 0, group2 = 0;  ///< of a pair, group1 <= group2; of a density, group1
  Course course = Course::ramp;
  double t1 = 0.0, t2 = 0.0;  ///< [T]
  double v1 = 0.0, v2 = 0.0;  ///< unit of the parameter

  /// ramp: v1 before t1, linear, v2 from t2 on. range: v1 within [t1, t2], v2 outside.
  double at(double t) const {
    if (course == Course::range) return t1 <= t && t <= t2 ? v1 : v2;
    if (t < t1) return v1;
    return t >= t2 ? v2 : v1 + (v2 - v1) * ((t - t1) / (t2 - t1));
  }
};

}  // namespace scree::sim

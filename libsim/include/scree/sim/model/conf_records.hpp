// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace scree::sim {

/// The clock of a run whose time is a sum of steps, and whose lists and files follow periods. A
/// file holds it, so that the run goes on to the bit.
struct SummedClock {
  double t = 0.0, dt = 0.0;     ///< [T] the time, a sum of steps; and the step it was summed with
  double sinceConf = 0.0;       ///< [T] since the last conf-file, counted in steps
  double sinceLists = 0.0;      ///< [T] since the lists were last made because of their period
  bool listsRequested = false;  ///< something asks for new lists at the end of the next step
  bool listsDue = true;         ///< new lists are to be made before the next step

  /// With `dynamicUpdateNL`: what each body has moved by since lists were last requested. The turn
  /// is a quaternion that grows from 1 and is not normalised.
  struct Moved {
    Vec3 way = Vec3::Zero();
    Quat turn = Quat::Identity();
  };
  std::vector<Moved> moved;
};

/// Memory of a multi-step integrator of a body, one step back; vectors are global.
struct EarlierMotion {
  Vec3 acc = Vec3::Zero();      ///< [L/T²]
  Vec3 spinAcc = Vec3::Zero();  ///< [1/T²]
  Vec3 moment = Vec3::Zero();   ///< [F L]
};

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

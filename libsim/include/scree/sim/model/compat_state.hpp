// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <vector>

namespace scree::sim {

/// What a run in the manner of Rockable (`--compat rockable`) carries from step to step beside its
/// bodies and contacts, so that it goes on to the bit from a file. That program keeps none of it.
struct CompatState {
  double t = 0.0, dt = 0.0;     ///< [T] the time, a sum of steps; and the step it was summed with
  double sinceConf = 0.0;       ///< [T] since the last conf-file, counted in steps
  double sinceLists = 0.0;      ///< [T] since the lists were last made because of their period
  bool listsRequested = false;  ///< something asks for new lists at the end of the next step
  bool listsDue = true;         ///< new lists are to be made before the next step

  /// With `dynamicUpdateNL`: what each body has moved by since lists were last asked for. The turn
  /// is a quaternion that grows from 1 and is not normalised.
  struct Moved {
    Vec3 way = Vec3::Zero();
    Quat turn = Quat::Identity();
  };
  std::vector<Moved> moved;
};

}  // namespace scree::sim

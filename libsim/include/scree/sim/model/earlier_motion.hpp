// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

namespace scree::sim {

/// What a multi-step integrator remembers of a body, one step back; vectors are global.
struct EarlierMotion {
  Vec3 acc = Vec3::Zero();      ///< [L/T²]
  Vec3 spinAcc = Vec3::Zero();  ///< [1/T²]
  Vec3 moment = Vec3::Zero();   ///< [F L]
};

}  // namespace scree::sim

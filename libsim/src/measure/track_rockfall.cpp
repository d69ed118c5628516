// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/extractors.hpp"

namespace scree::sim {

bool TrackRockfall::rests(const Vec3& vel, const Vec3& spin, double elapsed, double gravity) const {
  return vel.norm() < restSpeed && spin.norm() < restSpin && elapsed * gravity > restSpeed;
}

}  // namespace scree::sim

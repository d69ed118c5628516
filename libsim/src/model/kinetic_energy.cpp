// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/energy.hpp"

namespace scree::sim {

KineticEnergy kineticEnergy(double mass, const Vec3& inertia, const Quat& q, const Vec3& vel,
                            const Vec3& spin) {
  const Vec3 own = turnedBack(q, spin);
  return {0.5 * mass * vel.squaredNorm(), 0.5 * own.dot(inertia.cwiseProduct(own))};
}

}  // namespace scree::sim

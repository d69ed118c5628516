// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "state/world.hpp"
#include "step/restraint.hpp"

namespace scree::sim {

/// What drives free body k, held back by what holds it back.
inline Pull pullOn(const World& world, std::size_t k) {
  const Bodies& bodies = world.bodies;
  const Restraint& restraint = world.restraint;
  Pull pull{bodies.force[k] / bodies.mass[k] + world.conf.gravity, bodies.moment[k]};
  if (!restraint.acts()) return pull;
  const Vec3 &vel = bodies.vel[k], &spin = bodies.spin[k];
  if (restraint.damping > 0.0) pull = damped(pull, restraint.damping, vel, spin);
  return behindBarriers(pull, restraint, vel, bodies.q[k], spin, bodies.inertia[k]);
}

}  // namespace scree::sim

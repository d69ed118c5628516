// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/restraint.hpp"
#include "engine/world.hpp"

namespace scree::sim {

/// What drives free body k, held back by what holds it back.
inline BodyLoad loadOn(const World& world, std::size_t k) {
  const Bodies& bodies = world.bodies;
  const Restraint& restraint = world.restraint;
  BodyLoad load{bodies.force[k] / bodies.mass[k] + world.model.gravity, bodies.moment[k]};
  if (!restraint.acts()) return load;
  const Vec3 &vel = bodies.vel[k], &spin = bodies.spin[k];
  if (restraint.damping > 0.0) load = damped(load, restraint.damping, vel, spin);
  return behindBarriers(load, restraint, vel, bodies.q[k], spin, bodies.inertia[k]);
}

}  // namespace scree::sim

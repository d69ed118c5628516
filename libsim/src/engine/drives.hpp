// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/restraint.hpp"
#include "engine/staged_motion.hpp"

#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/drives.hpp"

#include <cstdint>
#include <vector>

namespace scree::sim {

/// Sets Control::turns, once the controls are complete. O(controls log controls).
void markTurns(Drives& drives);

/// Sets the values of all servo controls at time t, and their means since `before`. Pressures act
/// on the walls where they stand.
/// @param radius  rounding radius of each body [L], for the distance between walls
void setServos(Drives& drives, double before, double t, const Bodies& bodies,
               const std::vector<double>& radius);

/// Takes velocity and spin from the components that `before` has driven and `now` no longer does:
/// they stay where they are.
void releaseDriven(const Drives& before, const Drives& now, Bodies& bodies);

/// What the controls leave free, for each of the first `driven` bodies.
void setDegreesOfFreedom(const Drives& drives, std::uint32_t driven,
                         std::vector<DegreesOfFreedom>& degreesOfFreedom);

/// Imposed velocities and spins onto the bodies: contacts see what a body moves with. Several of
/// one component add up. A body with an imposed spin keeps no other component of spin than those
/// that moments drive.
/// @param mean  those of the step on average, which move bodies; or those of its end
void setImposedVelocities(const Drives& drives,
                          const std::vector<DegreesOfFreedom>& degreesOfFreedom, bool mean,
                          Bodies& bodies);

/// First half of a step of velocity Verlet for driven bodies. Imposed velocities and spins move
/// them; imposed forces and moments move their component as velocity Verlet does. Components
/// without control stay.
void moveDriven(const Drives& drives, const std::vector<DegreesOfFreedom>& degreesOfFreedom,
                Bodies& bodies, double dt);
/// Imposed forces and moments onto the sums, before contacts add theirs.
void addImposedForces(const Drives& drives, Bodies& bodies);
/// Second half for force- and moment-controlled components, each held back by itself. Gravity does
/// not act on driven bodies.
void finishDriven(const Drives& drives, const Restraint& restraint, Bodies& bodies, double dt);

}  // namespace scree::sim

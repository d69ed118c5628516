// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/step/drives.hpp"

namespace scree::sim::asRockable {

// Driven bodies as Rockable moves them, for `--compat rockable` alone: controls act one after the
// other in the order of the file, and one of a rotation turns its body but not the velocities that
// contacts see (docs/compatibility.md, Q10).

/// Imposed velocities and spins, over one step.
void moveImposed(const Drives& drives, Bodies& bodies, double dt);
/// First half of a velocity-Verlet step of components under an imposed force or moment.
void driftDriven(const Drives& drives, Bodies& bodies, double dt);
/// Imposed forces and moments in place of what stands in the sums; of several for one component the
/// last one counts.
void setImposedForces(const Drives& drives, Bodies& bodies);
/// Accelerations of force- and moment-controlled components; gravity does not act on them.
void accelerateDriven(const Drives& drives, Bodies& bodies);
/// Second half of a velocity-Verlet step of the same components.
void kickDriven(const Drives& drives, Bodies& bodies, double dt);

}  // namespace scree::sim::asRockable

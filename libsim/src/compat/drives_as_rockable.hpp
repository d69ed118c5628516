// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/drives.hpp"
#include "engine/restraint.hpp"

namespace scree::sim::asRockable {

// Driven bodies as Rockable moves them, for `--compat rockable` alone. Controls act one after the
// other in the order of the file. One of a rotation turns its body but not the velocities that
// contacts see (docs/compatibility.md, Q10).

/// Imposed velocities and spins, over one step.
void moveImposed(const Drives& drives, Bodies& bodies, double dt);
/// First half of a velocity-Verlet step of components under an imposed force or moment.
void driftDriven(const Drives& drives, Bodies& bodies, double dt);
/// Imposed forces and moments in place of what stands in the sums; of several for one component the
/// last one counts.
void setImposedForces(const Drives& drives, Bodies& bodies);
/// The same components over a step of explicit Euler.
void stepEulerDriven(const Drives& drives, Bodies& bodies, double dt);
/// Accelerations of force- and moment-controlled components; gravity does not act on them. Damping
/// holds back forces, each component by itself, and barriers hold back all of them.
void accelerateDriven(const Drives& drives, const Restraint& restraint, Bodies& bodies);
/// Second half of a velocity-Verlet step of the same components.
void kickDriven(const Drives& drives, Bodies& bodies, double dt);

}  // namespace scree::sim::asRockable

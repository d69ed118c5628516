// SPDX-License-Identifier: GPL-3.0-or-later
// Rules, drives and motion as Rockable computes them.
#pragma once

#include "compat/rigid_motion_as_rockable.hpp"
#include "engine/cell_motion.hpp"
#include "engine/drive_system.hpp"
#include "engine/world.hpp"
#include "model/contacts.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/model/conf_records.hpp"
#include "scree/sim/model/integrator.hpp"

#include <functional>
#include <span>
#include <vector>

namespace scree::sim {
namespace asRockable {

// Rules and refusals of a run with `--compat rockable`.

/// The rules of such a run; docs/compatibility.md has the reasons.
Rules rules();
/// @throws ParseError for what Rockable lacks (boundaries that move, clumps with a radius for each
/// ball), and for a periodic cell, since there is no published run of Rockable to compare with
void refuse(const Conf& file, std::span<const shape::Shape> shapes);
/// Sets the law that Rockable uses if a file names none. @throws ParseError for a law it lacks
void chooseLaw(Conf& conf, Diagnostics& diagnostics);

// Driven bodies as Rockable moves them, for `--compat rockable` alone. Controls act one by one, in
// the order of the file. One of rotation turns its body, but contacts see no spin (Q10).

/// Imposed velocities and spins, over one step.
void moveImposed(const Drives& drives, Bodies& bodies, double dt);
/// Moves components under an imposed force or moment. Positions change by `dt` [T] times velocity
/// and, under a force, `bend` [T²] times acceleration; velocities by `kick` [T] times acceleration.
void advanceDriven(const Drives& drives, Bodies& bodies, double dt, double bend, double kick);
/// Replaces sums of forces and moments by the imposed ones, of several by the last.
void setImposedForces(const Drives& drives, Bodies& bodies);
/// Accelerations of force- and moment-controlled components; gravity does not act on them. Damping
/// acts on forces alone, by component; velocity barriers act on forces and moments.
void accelerateDriven(const Drives& drives, const Restraint& restraint, Bodies& bodies);

}  // namespace asRockable

/// The integrators as in Rockable, for `--compat rockable` alone. Each evaluation of forces extends
/// tangential springs by a whole step: they are two (Beeman) or four times (RungeKutta4) too stiff
/// (docs/compatibility.md, Q6). Owns the memory of its stages.
class MotionAsRockable {
 public:
  /// Functions that a step calls.
  struct Calls {
    /// Computes forces and accelerations. @param counted  the energy budget counts them
    std::function<void(bool counted)> evaluate;
    /// Called once positions are final, for example to check for NaN.
    std::function<void()> moved;
  };

  /// One step of `integrator`. @param earlier  motion one step before, for Beeman
  void step(Integrator integrator, const World& world, DriveSystem& drives, Bodies& bodies,
            std::vector<EarlierMotion>& earlier, const Calls& calls);

 private:
  /// Remembers where bodies stand, and moves what has an imposed velocity.
  void begin(const World& world, DriveSystem& drives, Bodies& bodies);
  void velocityVerlet(const World& world, DriveSystem& drives, Bodies& bodies, const Calls& calls);
  void euler(const World& world, DriveSystem& drives, Bodies& bodies, const Calls& calls);
  void beeman(const World& world, DriveSystem& drives, Bodies& bodies,
              std::vector<EarlierMotion>& earlier, const Calls& calls);
  void rungeKutta4(const World& world, DriveSystem& drives, Bodies& bodies, const Calls& calls);
  /// Adds the moves of all bodies in this step to their accumulated displacements.
  void account(const World& world, Bodies& bodies, const Calls& calls) const;

  std::vector<Vec3> startPos_;
  std::vector<Quat> startQ_;
  std::vector<RigidState> stageStart_;
  std::vector<asRockable::RungeKuttaBody> rungeKutta_;
};

}  // namespace scree::sim

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
/// @throws ParseError for what Rockable has not: boundaries that move, clumps with a radius for
/// each ball; and for a periodic cell, of whose runs there no state is known
void refuse(const Conf& file, std::span<const shape::Shape> shapes);
/// The law that Rockable uses where a file names none. @throws ParseError for a law it has not
void chooseLaw(Conf& conf, Diagnostics& diagnostics);

// Driven bodies as Rockable moves them, for `--compat rockable` alone. Controls act one after the
// other in the order of the file. One of a rotation turns its body but not the velocities that
// contacts see (docs/compatibility.md, Q10).

/// Imposed velocities and spins, over one step.
void moveImposed(const Drives& drives, Bodies& bodies, double dt);
/// Moves components under an imposed force or moment: places by `dt` times the velocity and, under
/// a force, `bend` times the acceleration; velocities by `kick` times the acceleration.
void advanceDriven(const Drives& drives, Bodies& bodies, double dt, double bend, double kick);
/// Imposed forces and moments in place of what stands in the sums; of several for one component the
/// last one counts.
void setImposedForces(const Drives& drives, Bodies& bodies);
/// Accelerations of force- and moment-controlled components; gravity does not act on them. Damping
/// holds back forces, each component by itself, and barriers hold back all of them.
void accelerateDriven(const Drives& drives, const Restraint& restraint, Bodies& bodies);

}  // namespace asRockable

/// The integrators as in Rockable, for `--compat rockable` alone. Each
/// evaluation of forces lets the memory of contacts grow by a whole step. So tangential springs are
/// twice (Beeman) and four times (RungeKutta4) too stiff (Q6). The page docs/compatibility.md lists
/// what departs from correct physics. Owns the memory of its stages.
class MotionAsRockable {
 public:
  /// Functions that a step calls.
  struct Calls {
    /// Forces and accelerations where bodies stand. @param counted  the energy budget counts them
    std::function<void(bool counted)> evaluate;
    /// Called once bodies stand where they end, such as a check for NaN.
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
  /// Adds to the accumulated displacements what all bodies have moved by in this step.
  void account(const World& world, Bodies& bodies, const Calls& calls) const;

  std::vector<Vec3> startPos_;
  std::vector<Quat> startQ_;
  std::vector<RigidState> stageStart_;
  std::vector<asRockable::RungeKuttaBody> rungeKutta_;
};

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compat/rigid_motion_as_rockable.hpp"
#include "engine/drive_system.hpp"
#include "engine/world.hpp"

#include "scree/sim/model/conf_records.hpp"
#include "scree/sim/model/integrator.hpp"

#include <functional>
#include <vector>

namespace scree::sim {

/// The integrators as in Rockable, without a periodic cell, for `--compat rockable` alone. Each
/// evaluation of forces lets the memory of contacts grow by a whole step. So tangential springs are
/// twice (Beeman) and four times (RungeKutta4) too stiff (Q6). The page docs/compatibility.md lists
/// what departs from correct physics. Owns the memory of its stages.
class MotionAsRockable {
 public:
  /// What a step calls.
  struct Calls {
    /// Forces and accelerations where bodies stand. @param counted  the energy budget counts them
    std::function<void(bool counted)> evaluate;
    /// What follows once bodies stand where they end, such as a check for NaN.
    std::function<void()> moved;
  };

  /// Remembers where bodies stand, and moves what has an imposed velocity.
  void begin(const World& world, DriveSystem& drives, Bodies& bodies);
  /// One step of `integrator`. @param earlier  motion one step before, for Beeman
  void step(Integrator integrator, const World& world, DriveSystem& drives, Bodies& bodies,
            std::vector<EarlierMotion>& earlier, const Calls& calls);

 private:
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compat/reference_list.hpp"
#include "compat/rigid_motion_as_rockable.hpp"
#include "engine/engine.hpp"

#include "scree/sim/model/integrator.hpp"

#include <functional>
#include <vector>

namespace scree::sim {

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
  std::vector<Vec3> startPos_;
  std::vector<Quat> startQ_;
  std::vector<RigidState> stageStart_;
  std::vector<asRockable::RungeKuttaBody> rungeKutta_;
};

/// The engine of a run with `--compat rockable`: its clock, its lists, its order of things, where
/// they depart from correct physics. See docs/compatibility.md. Always keeps the order of the
/// file, in which that program sums forces.
class RockableEngine final : public Engine {
 public:
  RockableEngine(Model model, Conf file, Drives drives, Diagnostics& diagnostics);
  static Rules ownRules();  ///< of a run with `--compat rockable`: docs/compatibility.md
  double time() const override { return state_.summedClock->t; }
  bool confIsDue() const override { return confIsDue_; }

 private:
  void startClock(Conf& file) override;  // a course in time holds from the second step on
  bool keepsLengths() const override { return model_.integrator == Integrator::RungeKutta4; }
  void loadContacts(const Conf& file, Diagnostics& diagnostics) override;
  void evaluateStart() override;
  void advance(bool more, const StepWatch& watch) override;
  bool movedTooFar() const override { return tooFar_; }
  void place() override;
  void admit(const BrokenInterfaces& broken) override;
  // There, viscosity of a contact and mass of a body are those of their beginning.
  void parametersChanged(std::uint32_t, std::uint32_t) override {}
  void densityChanged(std::uint32_t) override {}

  void step();
  void updateLists();
  void requestLists();  ///< with `dynamicUpdateNL`, where bodies have moved far
  /// Forces and accelerations of where the bodies stand now; interfaces break at their end.
  /// @param counted  whether the energy budget counts what contacts do, once a step
  void evaluate(double dt, bool counted = true);

  /// When and how lists are made, and when a conf-file is due: keywords of the file.
  struct Periods {
    explicit Periods(const Conf& file);
    double conf, lists;             ///< [T] interConf, interVerlet
    double bodyMargin, pairMargin;  ///< [L] DVerlet, dVerlet
    bool byMotion;                  ///< dynamicUpdateNL: also where bodies have moved far:
    double mostWay, mostAngle;      ///< [L] dispUpdateNL, [rad] angleUpdateNL
  };

  ReferenceList referenceList_;  ///< makes what the lists of the state hold
  Periods periods_;
  MotionAsRockable motion_;
  bool confIsDue_ = false, tooFar_ = false;
};

}  // namespace scree::sim

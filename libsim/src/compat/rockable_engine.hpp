// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "compat/as_rockable.hpp"
#include "compat/reference_list.hpp"
#include "engine/engine.hpp"

namespace scree::sim {

/// The engine of a run with `--compat rockable`: its clock, its lists, its order of things, where
/// they depart from correct physics. See docs/compatibility.md. Always keeps the order of the
/// file, in which that program sums forces.
class RockableEngine final : public Engine {
 public:
  RockableEngine(Model model, Conf file, Drives drives, Diagnostics& diagnostics);
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

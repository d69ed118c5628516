// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.hpp"
#include "engine/staged_integrators.hpp"
#include "engine/velocity_verlet.hpp"

namespace scree::sim {

/// The engine of correct physics.
class StandardEngine final : public Engine {
 public:
  StandardEngine(Model model, Conf file, Drives drives, Diagnostics& diagnostics);
  double time() const override {
    return state_.clock.t0 + static_cast<double>(state_.clock.step) * model_.dt;
  }

 private:
  void startCourses() override { applyTempo(); }
  void loadContacts(const Conf& file, Diagnostics& diagnostics) override;
  void evaluateStart() override;
  void advance(bool more, const StepWatch& watch) override;
  bool movedTooFar() const override;
  void admit(const BrokenInterfaces& broken) override;
  void parametersChanged(std::uint32_t group1, std::uint32_t group2) override;
  void densityChanged(std::uint32_t group) override;

  void stepVelocityVerlet(const World& now, bool more, const StepWatch& watch);
  void updateLists(bool expired);  ///< those of near bodies, where `BodyPose` is up to date
  void updateAllLists();
  /// Forces, for which expired lists of pairs are rebuilt on the way.
  /// @param afterwards  what threads do with their bodies once contacts have acted on them
  void evaluate(const World& now, const HistoryUpdate& update, const RangeWork& afterwards = {});
  /// `BodyPose`, lists, forces and accelerations where the bodies stand now.
  void evaluateAll(const HistoryUpdate& update);
  void setAccelerations();
  void reorder();  ///< where bodies have mixed
  void take(BodyOrder order);

  static constexpr std::uint64_t orderPeriod = 2048;  ///< steps
  // Integrators, with the memory of their stages.
  VelocityVerlet velocityVerlet_;
  EulerIntegrator euler_;
  BeemanIntegrator beeman_;
  RungeKutta4Integrator rungeKutta4_;
};

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bonds/bond_system.hpp"
#include "cell/cell_motion.hpp"
#include "detect/neighbour_list.hpp"
#include "detect/reference_list.hpp"
#include "drives/drive_system.hpp"
#include "energy/energy_account.hpp"
#include "forces/force_field.hpp"
#include "integrators.hpp"
#include "state/model.hpp"
#include "state/world.hpp"
#include "step/stage_times.hpp"

#include "scree/sim/model/integrator.hpp"
#include "scree/sim/simulation.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// What runs behind a Simulation: the parts of a run, and the order in which a step calls them.
/// Functions that Simulation has, too, mean the same here.
class Engine {
 public:
  Engine(Conf conf, std::vector<shape::Shape> shapes, Drives drives,
         const SimulationOptions& options, Diagnostics& diagnostics);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  std::uint64_t steps(std::uint64_t most, const StepWatch& watch);

  double time() const {
    return compat_ ? conf_.compatState->t : t0_ + static_cast<double>(step_) * conf_.dt;
  }
  std::uint64_t stepIndex() const { return step_; }  ///< counted from the start of the run
  double startTime() const { return t0_; }
  double timeStep() const { return conf_.dt; }

  Conf conf() const;
  std::vector<InteractionRecord> interactions() const;  ///< sorted by key
  std::vector<BoundaryTouch> boundaryTouches() const;

  const Conf& input() const { return conf_; }
  void setIconf(int iconf) { conf_.iconf = iconf; }
  void setDrives(Drives drives);
  const std::vector<shape::Shape>& shapes() const { return model_.shapes; }
  const Bodies& bodies() const { return bodies_; }  ///< in the order of bodyOrder()
  const BodyOrder& bodyOrder() const { return order_; }
  std::uint64_t reorderings() const { return reorderings_; }
  const NeighbourList& lists() const { return lists_; }
  const Mat3& cellStress() const { return cell_.stress; }
  const PeriodicCell& cell() const { return cell_.cell; }
  void takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const;
  std::uint64_t pairSearches() const;
  std::size_t contactCount() const;  ///< that touch; bonds are not among them
  const Bonds& bonds() const { return bonds_.bonds(); }
  const ContactKernel& kernel() const { return field_.kernel(); }
  int threads() const { return threads_; }
  bool compat() const { return compat_; }
  bool confIsDue() const { return confIsDue_; }

  std::uint64_t stateHash() const;
  std::size_t memoryBytes() const;
  void requireFinite() const;
  EnergyBudget energyBudget() const;
  bool hasBelts() const;
  const StageTimes& stageTimes() const { return times_; }

 private:
  bool mayOrder() const;
  void reorder();  ///< where bodies have mixed
  void take(BodyOrder order);
  void applyTempo();
  void refreshPair(std::uint32_t g1, std::uint32_t g2);
  void refreshDensity(std::uint32_t group);

  World world() const;           ///< what parts may look at
  const Images* images() const;  ///< of the periodic cell; null without one
  void loadContacts(Diagnostics& diagnostics);
  void breakInterfaces();
  /// One step. @param more  another one follows at once
  void advance(bool more, const StepWatch& watch);
  void stepVelocityVerlet(bool more, const StepWatch& watch);
  void setClockAsRockable();
  void startAsRockable();
  void updateListsAsRockable();
  void requestListsByMotion();
  void stepAsRockable();
  /// Whether orientations do not keep length 1; contacts see them brought to it.
  bool staysStretched() const { return compat_ && integrator_ == Integrator::RungeKutta4; }
  /// Forces and accelerations of where the bodies stand now; interfaces break at their end.
  /// @param counted  whether the energy budget takes up what contacts do, once a step
  void evaluateAsRockable(double dt, bool counted = true);
  /// `Placed`, lists, forces and accelerations where the bodies stand now.
  void evaluateAll(const Growth& growth);
  void updateLists(bool expired);  ///< those of near bodies, where `Placed` is up to date
  void place();
  void evaluateForces(double dt) { evaluateForces(Growth{dt, nullptr, true}); }
  /// @param afterwards  what threads do with their bodies once contacts have acted on them
  void evaluateForces(const Growth& growth, const RangeWork& afterwards = {});
  void setAccelerations();
  void checkFinite() const;
  ModelError notFinite(std::size_t k) const;
  std::string describeLargestForce(std::size_t k) const;

  HeldEnergy heldEnergy() const;
  void startEnergy(bool complete);
  void relistAsRockable(const std::vector<InteractionRecord>& added);

  Conf conf_;
  Model model_;
  DriveSystem drives_;
  int threads_;
  bool compat_;
  bool confIsDue_ = false;

  BodyOrder order_;  ///< conf_ is in the order of the run, too
  std::uint64_t reorderings_ = 0;
  Bodies bodies_;
  std::vector<Placed> placed_;
  NeighbourList lists_;
  static constexpr std::uint64_t orderPeriod = 2048;  ///< steps
  CellMotion cell_;
  BondSystem bonds_;
  std::optional<ReferenceList> referenceList_;  ///< with compat_: makes what lists_ holds
  ForceField field_;
  EnergyAccount energy_;

  Integrator integrator_ = Integrator::velocityVerlet;
  Integrators integrators_;  ///< with the memory of their stages

  double t0_ = 0.0;
  std::uint64_t step_ = 0;
  StageTimes times_;
};

}  // namespace scree::sim

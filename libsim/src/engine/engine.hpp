// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/force_field.hpp"
#include "engine/state.hpp"
#include "engine/world.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/simulation.hpp"

#include <cstdint>
#include <vector>

namespace scree::sim {

/// Engine behind a Simulation: a model, its state, the parts that act on it, and the order in
/// which a step calls them. Two engines derive from it, and a run has one of them: StandardEngine,
/// or RockableEngine, which follows published numbers. Functions of Simulation mean the same here.
class Engine {
 public:
  virtual ~Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  std::uint64_t steps(std::uint64_t most, const StepWatch& watch);
  virtual double time() const = 0;
  /// Whether the last step has completed a period of output, as the engine counts.
  virtual bool confIsDue() const { return false; }
  std::uint64_t reorderings() const { return reorderings_; }

  const Model& model() const { return model_; }
  const Rules& rules() const { return model_.rules; }
  const State& state() const { return state_; }
  /// Goes on from a state of this run.
  void restore(const State& state);
  Conf conf() const;
  void setIconf(int iconf) { state_.iconf = iconf; }
  void setDrives(Drives drives);

  World world() const;  ///< what parts may look at
  const NeighbourList& lists() const { return state_.lists; }
  const ContactKernel& kernel() const { return field_.kernel(); }
  /// The contacts of all bodies, or of one.
  std::vector<InteractionRecord> interactions(std::optional<BodyId> body = {}) const;
  std::vector<BoundaryTouch> boundaryTouches() const;
  EnergyBudget energyBudget() const;

  std::uint64_t pairSearches() const;
  std::size_t contactCount() const;
  void requireFinite() const;
  const StageTimes& stageTimes() const { return times_; }

 protected:
  explicit Engine(Model model) : model_(std::move(model)) {}
  /// Takes the state from the file, and evaluates the first forces. Called once, by constructors of
  /// derived classes. The rest of the file becomes that of the model.
  void load(Conf file, Drives drives, Diagnostics& diagnostics);

  // Steps that the two engines do in their own way.
  virtual void startClock(Conf&) {}  ///< of a run that begins with this file
  virtual void startCourses() {}     ///< courses in time, before the first forces
  /// Whether orientations of a state may have left length 1.
  virtual bool keepsLengths() const { return false; }
  virtual void loadContacts(const Conf& file, Diagnostics& diagnostics) = 0;
  virtual void evaluateStart() = 0;  ///< the first forces
  /// One step. @param more  another one follows at once
  virtual void advance(bool more, const StepWatch& watch) = 0;
  /// Whether the step that was made last has moved a body further than the watch allows.
  virtual bool movedTooFar() const = 0;
  virtual void place();  ///< `BodyPose` of all bodies
  /// Pairs of interfaces that have broken may touch from now on.
  virtual void admit(const BrokenInterfaces& broken) = 0;
  virtual void parametersChanged(std::uint32_t group1, std::uint32_t group2) = 0;
  virtual void densityChanged(std::uint32_t group) = 0;

  const Images* images() const { return state_.cell.imagesOrNull(); }
  auto pairSetup() const { return field_.pairSetup(state_.bodies); }
  void applyTempo();
  /// Forces where bodies stand, and the share of this step in the energy account.
  void evaluateForces(const World& now, const HistoryUpdate& update,
                      const ForceField::Calls& calls);
  void breakInterfaces();
  void checkFinite() const;
  /// The forces on driven bodies, once sums are those of the state.
  void keepDrivenForces();

  Model model_;
  State state_;
  ForceField field_;
  std::vector<BodyPose> poses_;
  StageTimes times_;
  std::uint64_t reorderings_ = 0;

 private:
  HeldEnergy heldEnergy() const;
  /// @param ledger  of a run that goes on; none: it begins
  void startEnergy(const std::optional<EnergyLedger>& ledger, Diagnostics& diagnostics);
  ModelError notFinite(std::size_t k) const;
};

/// The engine of a simulation, for the parts of libsim that watch runs and report on them.
const Engine& engineOf(const Simulation& simulation);

}  // namespace scree::sim

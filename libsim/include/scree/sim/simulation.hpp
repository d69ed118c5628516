// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/detect/neighbour_list.hpp"
#include "scree/sim/detect/reference_list.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/body_order.hpp"
#include "scree/sim/model/bonds.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/step/contact_sums.hpp"
#include "scree/sim/step/drives.hpp"
#include "scree/sim/step/integrator.hpp"
#include "scree/sim/step/stage_times.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

class BondSystem;
struct CellMotion;
class DriveSystem;
class ContactKernel;
class EnergyAccount;
class ForceField;
struct HeldEnergy;
struct Integrators;
struct Model;
struct World;

/// How to run, beyond what the files say. None but `compat` changes a result.
struct SimulationOptions {
  int threads = 1;
  /// Depart from right physics where Rockable does (docs/compatibility.md), so that published
  /// numbers come out.
  bool compat = false;

  SimulationOptions(int threadCount = 1, bool asRockable = false)
      : threads(threadCount), compat(asRockable) {}
};

/// What ends `Simulation::steps` early.
struct StepWatch {
  /// [L] for each body: a step in which one moves further is the last one. Empty: none is.
  std::span<const double> moves;
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: one step more at most
};

/// A run in memory: the state of all bodies and contacts, and how to take it one time step further.
///
/// `Simulation(conf, ...)` and `conf()` are the only bridges between what files say and what runs.
/// A run depends on its input alone: any number of threads gives the same bits, and so does a run
/// that was saved with `conf()` (at full precision) and begun again from there.
class Simulation {
 public:
  /// @param shapes  as shapesOf(conf) gives them: one for each name in conf.shapeNames
  /// @throws ParseError with the line of the conf-file, or ModelError, for what cannot be computed:
  /// an unknown law, a body without mass, a contact that names a vertex that is not there, a
  /// keyword that this version has no model for. Oddities go to `diagnostics`.
  Simulation(Conf conf, std::vector<shape::Shape> shapes, Drives drives,
             const SimulationOptions& options, Diagnostics& diagnostics);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// One time step. @throws ModelError if a body's state is no longer finite
  void step() { steps(1); }
  /// As many steps as `most`, or fewer where `watch` says so, but one at least unless `most` is 0:
  /// the same to the bit as so many calls of step(), in less time, since nobody looks at the state
  /// between them. @returns how many. @throws ModelError as step() does, in the same step
  std::uint64_t steps(std::uint64_t most, const StepWatch& watch = {});

  double time() const {
    return compat_ ? conf_.compatState->t : t0_ + static_cast<double>(step_) * conf_.dt;
  }
  std::uint64_t stepIndex() const { return step_; }  ///< counted from the start of the run
  double startTime() const { return t0_; }
  double timeStep() const { return conf_.dt; }

  /// The whole state as a conf-file holds it, contacts in key order.
  Conf conf() const;
  std::vector<InteractionRecord> interactions() const;  ///< sorted by key
  std::vector<BoundaryTouch> boundaryTouches() const;

  const Conf& input() const { return conf_; }
  void setIconf(int iconf) { conf_.iconf = iconf; }
  /// Other drives from now on; components that are no longer driven come to rest.
  /// @throws ModelError as the constructor does; then the old ones stay
  void setDrives(Drives drives);
  const std::vector<shape::Shape>& shapes() const;
  const Bodies& bodies() const { return bodies_; }  ///< in the order of bodyOrder()
  /// What numbers in files mean: conf(), drives, InteractionRecord and BoundaryTouch have those,
  /// here and above; bodies(), lists(), StepWatch and the particles of input() go by the order of
  /// the run.
  const BodyOrder& bodyOrder() const { return order_; }
  /// How often that has changed; steps() ends after a change if it watches moves.
  std::uint64_t reorderings() const { return reorderings_; }
  const NeighbourList& lists() const { return lists_; }
  /// Mean stress in the periodic cell at the last step [F/L²], compression negative: of contacts
  /// (Love-Weber, force times branch) and, where asked for, of fluctuations of velocity.
  const Mat3& cellStress() const;
  /// The periodic cell as it stands now.
  const PeriodicCell& cell() const;
  /// Takes imposed forces and moments of driven bodies off sums by body, such as bodies().force.
  void takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const;
  /// How often the sub-elements of a pair of bodies were searched so far.
  std::uint64_t pairSearches() const;
  std::size_t contactCount() const;  ///< that touch; bonds are not among them
  const Bonds& bonds() const;
  /// The contact law of the run, with its parameters.
  const ContactKernel& contactKernel() const;
  int threads() const { return threads_; }
  /// Whether this run departs from right physics where Rockable does.
  bool compat() const { return compat_; }
  /// With `compat()`: whether the last step has completed a period of output as that program
  /// counts.
  bool confIsDue() const { return confIsDue_; }

  /// Hash of positions, orientations, velocities, spins and contact forces, in body and key order.
  std::uint64_t stateHash() const;
  /// Bytes the state and the lists take.
  std::size_t memoryBytes() const;
  /// @throws ModelError naming the body and its largest contact, if velocities or places are no
  /// numbers any more. Each step finds that a step later by itself.
  void requireFinite() const;
  /// Where the energy is and has gone since the start of the run. O(bodies + contacts).
  EnergyBudget energyBudget() const;
  /// Whether a driven body stays though it shows its contacts a velocity. What it pushes along the
  /// normal then counts as work of drives, though nothing has moved: the budget does not close.
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
  std::unique_ptr<Model> model_;
  std::unique_ptr<DriveSystem> drives_;
  int threads_;
  bool compat_;
  bool confIsDue_ = false;

  BodyOrder order_;  ///< conf_ is in the order of the run, too
  std::uint64_t reorderings_ = 0;
  Bodies bodies_;
  std::vector<Placed> placed_;
  NeighbourList lists_;
  static constexpr std::uint64_t orderPeriod = 2048;  ///< steps
  std::unique_ptr<CellMotion> cell_;
  std::unique_ptr<BondSystem> bonds_;
  std::optional<ReferenceList> referenceList_;  ///< with compat_: makes what lists_ holds
  std::unique_ptr<ForceField> field_;
  std::unique_ptr<EnergyAccount> energy_;

  Integrator integrator_ = Integrator::velocityVerlet;
  std::unique_ptr<Integrators> integrators_;  ///< with the memory of their stages

  double t0_ = 0.0;
  std::uint64_t step_ = 0;
  StageTimes times_;
};

}  // namespace scree::sim

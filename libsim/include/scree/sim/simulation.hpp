// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/contact/shape_geometry.hpp"
#include "scree/sim/detect/contact_list.hpp"
#include "scree/sim/detect/reference_list.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/body_order.hpp"
#include "scree/sim/model/bonds.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/pair_table.hpp"
#include "scree/sim/step/body_forces.hpp"
#include "scree/sim/step/bond_forces.hpp"
#include "scree/sim/step/contact_kernel.hpp"
#include "scree/sim/step/drives.hpp"
#include "scree/sim/step/integrator.hpp"
#include "scree/sim/step/restraint.hpp"
#include "scree/sim/step/rigid_motion_as_rockable.hpp"
#include "scree/sim/step/stage_times.hpp"
#include "scree/sim/step/staged_motion.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

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
  Simulation(const Simulation&) = delete;  // its lists point back to it
  Simulation& operator=(const Simulation&) = delete;

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
  const std::vector<shape::Shape>& shapes() const { return shapes_; }
  const Bodies& bodies() const { return bodies_; }  ///< in the order of bodyOrder()
  /// What numbers in files mean: conf(), drives, InteractionRecord and BoundaryTouch have those,
  /// here and above; bodies(), lists(), StepWatch and the particles of input() go by the order of
  /// the run.
  const BodyOrder& bodyOrder() const { return order_; }
  /// How often that has changed; steps() ends after a change if it watches moves.
  std::uint64_t reorderings() const { return reorderings_; }
  const ContactList& lists() const { return lists_; }
  /// Mean stress in the periodic cell at the last step [F/L²], compression negative: of contacts
  /// (Love-Weber, force times branch) and, where asked for, of fluctuations of velocity.
  const Mat3& cellStress() const { return cell_.stress; }
  /// Takes imposed forces and moments of driven bodies off sums by body, such as bodies().force.
  void takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const;
  /// How often the sub-elements of a pair of bodies were searched so far.
  std::uint64_t pairSearches() const { return lists_.pairSearches + contactSums_.searchCount(); }
  std::size_t contactCount() const;  ///< that touch; bonds are not among them
  const Bonds& bonds() const { return bonds_; }
  /// The contact law of the run, with its parameters.
  const ContactKernel& contactKernel() const { return *kernel_; }
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
  /// Puts what the file says of each body in the order that the run keeps.
  /// @param complete  the file holds a state to the bit
  void orderBodies(bool complete, Diagnostics& diagnostics);
  bool mayOrder() const;
  void reorder();  ///< where bodies have mixed
  void take(BodyOrder order);
  void makeBodies(bool complete, Diagnostics& diagnostics);
  /// [M] of a pair that meets; a driven body does not give way, so it counts as infinitely heavy.
  double effectiveMass(BodyId a, BodyId b) const;
  void makeLaw(Diagnostics& diagnostics);
  void refuseWhatIsMissing() const;
  void checkDrives(const Drives& drives) const;
  void setMass(std::size_t k);        ///< mass and inertia of body k by the density of its group
  void setUpRow(PairRow& row) const;  ///< parameters and viscosity of a pair
  static void setUpRowOf(const void* self, PairRow& row);
  void applyTempo();
  void refreshPair(std::uint32_t g1, std::uint32_t g2);
  void setLawParameters(std::uint32_t g1, std::uint32_t g2);  ///< from what the conf says
  void requireRounding() const;  ///< throws where the law needs it and a body has none
  void refreshDensity(std::uint32_t group);
  void makeBoundaries();
  void setUpBoundaries();  ///< parameters and viscosity of their contacts
  void loadBoundaryTouches();

  // Periodic cell (simulation_cell.cpp).
  void makeCell();
  void setCellMass();
  void checkCell() const;  ///< throws where bodies are too large for it
  void beginCellStep();
  double motionInCell(std::size_t k, const Vec3& moved) const;
  void wrapBodies();
  Mat3 pullInCell() const;   ///< V σ [F L] of contacts and bonds, compression negative
  Mat3 pressOfFlow() const;  ///< Σ m w wᵀ [F L] of velocities against the flow of the cell
  void finishCellStep(double dt);
  void removeMeanMotion(bool byMass);
  // Its energy (simulation_cell_energy.cpp).
  Mat3 cellFlow() const;             ///< [1/T] gradient of the velocity of the cell
  double fluctuationEnergy() const;  ///< kinetic, of translations against the flow
  double cellEnergy() const;         ///< kinetic, of components that follow a stress
  void liftByCell(const Mat3& strain);
  void addCellToLedger(double dt, const Mat3& accBefore, const Mat3& virial, const Mat3& press);
  // The cell in the manner of Rockable (cell_as_rockable.cpp).
  void refuseInCellAsRockable() const;
  void findImagesAsRockable();  ///< for all rows, where the bodies stand now
  void stepVelocityVerletInCellAsRockable();
  void driftInCellAsRockable();
  void finishCellAsRockable(double dt);
  void addCellToLedgerAsRockable(const Mat3& velocity, double gained);
  const Images* images() const { return conf_.cell.used ? &cell_.images : nullptr; }
  /// Body b of a row as a saw it when contacts were evaluated: itself, or its image.
  Placed beside(const PairRow& row) const;

  /// A contact of a file, of bodies and sub-elements that exist, in the order of bodies we use.
  InteractionRecord checkedContact(
      InteractionRecord r, const std::function<ParseError(const std::string&)>& complaint) const;
  std::vector<InteractionRecord> checkedInteractions() const;  ///< of the file
  void loadContacts(Diagnostics& diagnostics);
  /// @returns false where there is such a contact: it is replaced
  bool loadContact(const InteractionRecord& r);
  void makeBonds(Diagnostics& diagnostics);
  void checkInterface(std::size_t k) const;
  void setBondParameters(Diagnostics& diagnostics);
  void refreshBonds();  ///< after a change of parameters or masses
  void indexBonds();
  void addBonds(const Growth& growth);
  void addRememberedBonds();  ///< forces of the last evaluation, from what bonds remember
  void breakInterfaces();
  /// [F L] that `force`, of j on i, takes from the bodies over the first half of the next step.
  double takenInHalfStep(const Interface& face, const RowForce& force) const;
  std::vector<InterfaceRecord> interfaceRecords() const;
  /// One step. @param more  another one follows at once
  void advance(bool more, const StepWatch& watch);
  void stepVelocityVerlet(bool more, const StepWatch& watch);
  /// Whether threads may take their bodies on into the next step once contacts have acted on them.
  bool mayRunAhead() const;
  // The other integrators (simulation_stages.cpp): bodies go from stage to stage by `Freedom`.
  void stepEuler();
  void stepBeeman();
  void stepRungeKutta4();
  void beginStages();
  template <class Move>
  void moveBodies(Move&& move);  ///< calls move(k, freedom of k, state of k) for all bodies
  /// Lists, forces and accelerations where the bodies stand now, `dt` after the start of the step.
  void evaluateStage(double dt, bool keep);
  void setClockAsRockable();
  void startAsRockable();
  void updateListsAsRockable();
  void requestListsByMotion();
  void stepAsRockable();
  void stepVelocityVerletAsRockable();
  void stepEulerAsRockable();
  void stepBeemanAsRockable();
  void stepRungeKutta4AsRockable();
  /// Whether orientations do not keep length 1; contacts see them brought to it.
  bool staysStretched() const { return compat_ && integrator_ == Integrator::RungeKutta4; }
  void beginMotionAsRockable();    ///< remembers where bodies stand; imposed velocities
  void accountMotionAsRockable();  ///< what all bodies have moved by since
  template <class Move>
  void moveFreeAsRockable(Move&& move);  ///< calls move(state) for bodies that are not driven
  template <class Move>
  void moveStagesAsRockable(Move&& move);  ///< calls move(k, state, what of it moves) for all
  /// Forces and accelerations of where the bodies stand now; interfaces break at their end.
  /// @param counted  whether the energy budget takes up what contacts do, once a step
  void evaluateAsRockable(double dt, bool counted = true);
  /// Adds to `path` what body k has moved by, since it stood at `pos`, `q`.
  void accountMotion(std::size_t k, const Vec3& pos, const Quat& q);
  void moveDrivenBodies();
  void updateContacts();           ///< `Placed` and lists for where the bodies stand now
  void updateLists(bool expired);  ///< those of near bodies, where `Placed` is up to date
  void place();
  void placeBody(std::size_t k);
  bool isPlaced(std::size_t k) const;
  void evaluateForces(double dt) { evaluateForces(Growth{dt, nullptr, true}); }
  /// @param afterwards  what threads do with their bodies once contacts have acted on them
  void evaluateForces(const Growth& growth, const RangeWork& afterwards = {});
  /// Takes free bodies through the end of a step, through what the next one begins with, or both.
  template <bool ends, bool begins>
  void moveRange(std::size_t begin, std::size_t end);
  /// Takes up whether bodies have moved further than `most` of each at the begin of a step.
  void watchMoves(std::size_t begin, std::size_t end, std::span<const double> most);
  void setAccelerations();
  Pull pullOn(std::size_t k) const;  ///< what drives free body k, held back by what holds it back
  void addBodyForces();
  void checkFinite() const;
  ModelError notFinite(std::size_t k) const;
  std::string describeLargestForce(std::size_t k) const;

  // The energy of the run (simulation_energy.cpp).
  void beginLedger(bool complete);
  void addToLedger(const ContactPower& power, const Growth& growth);
  void keepDrivenForces();
  std::vector<InteractionRecord> listedContacts() const;  ///< touching or not; with compat_
  void relistAsRockable(const std::vector<InteractionRecord>& added);

  Conf conf_;
  std::vector<shape::Shape> shapes_;
  std::vector<ShapeGeometry> geometries_;
  Drives drives_;
  int threads_;
  bool compat_;
  bool confIsDue_ = false;

  BodyOrder order_;  ///< conf_ is in the order of the run, too
  std::uint64_t reorderings_ = 0;
  Bodies bodies_;
  std::vector<double> radius_;  ///< [L] rounding of each body
  std::vector<Placed> placed_;
  PairTable<char> groups_;  ///< gives rows their place in the table of the law
  std::unique_ptr<ContactKernel> kernel_;  ///< the contact law
  ContactWeights weights_ = ContactWeights::none;
  ContactList lists_;
  BoundaryContacts boundaries_;
  static constexpr BodyId noBody = UINT32_MAX;
  static constexpr std::uint64_t orderPeriod = 2048;  ///< steps
  struct CellMotion {
    Images images;
    double mass = 0.0;
    Mat3 change = Mat3::Zero();  ///< of h in the last step
    Mat3 strain = Mat3::Zero();  ///< that times the inverse of h before
    double strainNorm = 0.0;
    Mat3 velocityOfContacts = Mat3::Zero();  ///< of h [L/T] when contacts were evaluated
    Mat3 stress = Mat3::Zero();
    Mat3 bondStress = Mat3::Zero();  ///< [F L] force times branch of all bonds
    // With compat_: of the last evaluation [F L], and of both ends of the step [F].
    Mat3 pull = Mat3::Zero(), twicePull = Mat3::Zero();
    BodyId first = noBody, second = noBody;  ///< the two that need most room
    std::vector<char> leaves;
  } cell_;
  Bonds bonds_;                                 ///< conf_.interfaces stand in the same order
  std::optional<ReferenceList> referenceList_;  ///< with compat_: makes what lists_ holds
  ContactSums contactSums_;
  std::vector<ContactPower> boundaryPowers_;  ///< of boundaries, for each body
  std::vector<RowForce> interfaceForces_;
  std::vector<BondSums> bondSums_;
  Restraint restraint_;
  std::vector<double> dragArea_;  ///< [L²] V^(2/3) of each body, for a viscous fluid
  EnergyLedger ledger_;
  std::vector<ForceAndMoment> drivenForce_;  ///< of contacts and joints on driven bodies

  Integrator integrator_ = Integrator::velocityVerlet;
  std::vector<Freedom> freedoms_;  ///< of driven bodies
  std::vector<Vec3> startPos_;     ///< at the start of the step: of driven bodies, or of all
  std::vector<Quat> startQ_;
  std::vector<MotionStart> motionStart_;
  std::vector<RungeKuttaBody> rungeKutta_;
  std::vector<MeanMotion> meanMotion_;
  std::vector<EarlierMotion> earlier_;  ///< one step back, for Beeman; empty in its first step
  std::vector<RigidState> stageStart_;  ///< with compat_, for Beeman
  std::vector<asRockable::RungeKuttaBody> rungeKuttaAsRockable_;

  /// Of the step that has begun, or that free bodies have gone ahead into.
  struct Moves {
    std::atomic<bool> expired = false;  ///< the pairs of near bodies are to be made anew
    std::atomic<bool> tooFar = false;   ///< somebody has moved further than a StepWatch asked for
    bool made = false;                  ///< free bodies have moved already
  } moves_;

  double t0_ = 0.0;
  std::uint64_t step_ = 0;
  StageTimes times_;
};

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/bonds.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/model/drives.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace scree::sim {

class Engine;
struct State;

/// How to run, beyond what the files say. None but `compat` changes a result.
struct SimulationOptions {
  int threads = 1;
  /// Depart from correct physics where Rockable does (docs/compatibility.md), to get its numbers.
  bool compat = false;

  SimulationOptions(int threadCount = 1, bool asRockable = false)
      : threads(threadCount), compat(asRockable) {}
};

/// Conditions that end `Simulation::steps` early.
struct StepWatch {
  /// [L] for each body: a step in which one moves further is the last one. Empty: none is.
  std::span<const double> moves;
  const std::atomic<bool>* stop = nullptr;  ///< set from outside: one step more at most
};

/// A run in memory: the state of all bodies and contacts, and how to take it one time step further.
///
/// `Simulation(conf, ...)` and `conf()` are the only bridges between files and a run. A run depends
/// on its input alone: any number of threads gives the same bits. So does a run that was saved with
/// `conf()` (at full precision) and restarted from there.
class Simulation {
 public:
  /// @param shapes  as shapesOf(conf) gives them: one for each name in conf.shapeNames
  /// @throws ParseError with the line of the conf-file, or ModelError, for what cannot be computed.
  /// Examples: an unknown law, a body without mass, a contact of a vertex that does not exist, or a
  /// keyword that this version cannot compute. Oddities go to `diagnostics`.
  Simulation(Conf conf, std::vector<shape::Shape> shapes, Drives drives,
             const SimulationOptions& options, Diagnostics& diagnostics);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// One time step. @throws ModelError if a body's state is no longer finite
  void step() { steps(1); }
  /// Makes `most` steps, or fewer where `watch` ends them, but at least one unless `most` is 0. The
  /// result equals that of as many calls of step() to the bit. It takes less time, since nobody
  /// reads the states between. @returns how many. @throws ModelError in the same step
  std::uint64_t steps(std::uint64_t most, const StepWatch& watch = {});

  double time() const;              ///< [T]
  std::uint64_t stepIndex() const;  ///< counted from the start of the run
  double startTime() const;         ///< [T] at step 0
  double timeStep() const;          ///< [T]

  /// The whole state as a conf-file holds it, contacts in key order.
  Conf conf() const;
  std::vector<InteractionRecord> interactions() const;  ///< sorted by key
  /// Contacts of one body, by its number in the file. O(its neighbours).
  std::vector<InteractionRecord> interactions(BodyId body) const;
  std::vector<BoundaryTouch> boundaryTouches() const;

  /// A copy of all that steps change: a checkpoint in memory. O(bodies + contacts).
  std::shared_ptr<const State> state() const;
  /// Goes on from a state of this run, to the bit as the run did then, with the drives it had.
  /// Counts as a reordering: values for each body must be read again.
  void restore(const State& state);

  /// The content of the file, its commands carried out; nothing of the state.
  const Conf& input() const;
  int iconf() const;  ///< number of the conf-file that was written last
  void setIconf(int iconf);
  /// Other drives from now on; components that are no longer driven come to rest.
  /// @throws ModelError as the constructor does; then the old ones stay
  void setDrives(Drives drives);
  const std::vector<shape::Shape>& shapes() const;
  const Bodies& bodies() const;  ///< In the order of bodyOrder().
  /// The meaning of body numbers. Numbers of the file stand in conf(), input(), drives,
  /// InteractionRecord and BoundaryTouch. bodies() and StepWatch use the order of the run.
  const BodyOrder& bodyOrder() const;
  /// How often that has changed; steps() ends after a change if it watches moves.
  std::uint64_t reorderings() const;
  /// Mean stress in the periodic cell at the last step [F/L²], compression negative. Of contacts
  /// (Love-Weber, force times branch) and, where requested, of velocity fluctuations.
  const Mat3& cellStress() const;
  /// The periodic cell as it stands now.
  const PeriodicCell& cell() const;
  /// Takes imposed forces and moments of driven bodies off sums by body, such as bodies().force.
  void takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const;
  /// How often the sub-elements of a pair of bodies were searched so far.
  std::uint64_t pairSearches() const;
  std::size_t contactCount() const;  ///< that touch; bonds are not among them
  const Bonds& bonds() const;
  int threads() const;
  /// Whether this run departs from correct physics where Rockable does.
  bool compat() const;
  /// With `compat()`: whether the last step completed a period of output, as Rockable counts.
  bool confIsDue() const;

  /// Hash of the present state: that of conf(), see below. O(bodies + contacts).
  std::uint64_t stateHash() const;
  /// @throws ModelError naming a body whose velocity or place is not finite; a step finds it, too.
  void requireFinite() const;
  /// Where the energy is and has gone since the start of the run. O(bodies + contacts).
  EnergyBudget energyBudget() const;
  /// Whether a driven body stays though it shows its contacts a velocity. What it pushes along the
  /// normal then counts as work of drives, though nothing has moved: the budget does not close.
  bool hasBelts() const;

 private:
  friend const Engine& engineOf(const Simulation& simulation);  // for libsim itself
  std::unique_ptr<Engine> engine_;
};

/// Hash of positions, orientations, velocities, spins and contact forces, in body and key order.
/// @param conf  as Simulation::conf() gives it
std::uint64_t stateHash(const Conf& conf);

}  // namespace scree::sim

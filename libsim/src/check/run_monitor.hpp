// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/engine.hpp"

#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/check/run_quality.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// [-] Share of the size of a body by which it may move in a step; the lists look no farther ahead.
inline constexpr double largestLeap = 0.1;

/// Calls f(pair, its pool) for each pair that may touch, bonds and boundaries excepted. Where
/// contacts live by list, that is every pair, and none touches before the first step.
/// @param part  number of the part to visit, of `parts` that have about as many pairs each
template <class F>
void forEachTouchingPair(const Simulation& simulation, F&& f, std::size_t part = 0,
                         std::size_t parts = 1) {
  const bool byList = engineOf(simulation).rules().byList;
  const Bodies& b = simulation.bodies();
  const Contacts& contacts = engineOf(simulation).lists().contacts;
  const std::size_t n = contacts.pairs.size();
  for (std::size_t r = n * part / parts; r < n * (part + 1) / parts; ++r) {
    const NeighbourPair& pair = contacts.pairs[r];
    if (byList || !(pair.skipUntil > b.displacement[pair.a] + b.displacement[pair.b]))
      f(pair, contacts.poolOf(pair));
  }
}

/// The run monitor: looks for what a user should know. Examples are deep overlaps, bodies that pass
/// into each other or can pass through each other in a step, and energy errors. Reads the state,
/// never changes it.
///
/// Cost in instructions, for 600 dodecahedra that rest in a box: a look at overlaps takes a fifth
/// of those of a step (1 % at one in 20 steps), a whole look as many as a step (0.5 % at one in
/// 200).
class RunMonitor {
 public:
  explicit RunMonitor(const Simulation& simulation);

  /// Looks at the state after a step in which a body moved by more than slow(), or of nextStep().
  void step(const Simulation& simulation) {
    follow(simulation);
    // A body that passes through another in one step is far from it by the next look.
    if (simulation.bodies().movedFurther(slow_, 0, slow_.size())) lookAtFast(simulation);
    if (simulation.stepIndex() % overlapPeriod_ == 0) lookAtOverlaps(simulation);
    if (simulation.stepIndex() % period == 0) look(simulation);
    if (simulation.stepIndex() >= nextList_) lists(simulation);
  }
  /// The next step that is to be looked at after `step`, if nobody moves further than slow().
  std::uint64_t nextStep(std::uint64_t step) const {
    const auto after = [&](std::uint64_t each) { return (step / each + 1) * each; };
    return std::min({after(overlapPeriod_), after(period), std::max(nextList_, step + 1)});
  }
  /// [L] Moves of each body in a step that need no look.
  std::span<const double> slow() const { return slow_; }
  /// Looks at bodies and energy; a second call in one step does nothing.
  void look(const Simulation& simulation);
  /// The same but for the energy. For a run that is stopped: the check of its energy comes at the
  /// step at which it comes without the stop. So the stop changes no figure of the energy.
  void lookAtBodies(const Simulation& simulation);

  /// The figures of the looks so far. For a run that is resumed, those before it count, too.
  const RunQuality& quality() const { return quality_; }
  /// Continues the monitor of a resumed run. Its state has been looked at where that was due, and
  /// does not hold all energies before the first step.
  void goOn(const RunQuality& earlier, const RunSightings& seen, const Simulation& simulation);
  /// The sightings that findings() follows from.
  const RunSightings& sightings() const { return seen_; }

  /// One sentence for each thing found; none where all is well.
  std::vector<std::string> findings() const;

 private:
  static constexpr std::uint64_t period = 200;
  /// Least share of the held energy that counts as exchanged.
  static constexpr double leastExchange = 1e-9;

  void lookAtOverlaps(const Simulation& simulation);
  void take(const Overlaps& overlaps, double t);
  void follow(const Simulation& simulation);  ///< sorts the arrays as the run has sorted its bodies
  void lists(const Simulation& simulation);
  void lookAtFast(const Simulation& simulation);
  void lookAtEnergy(const Simulation& simulation);
  /// [F L] Upper bound on what the rounding of places adds to energies: in each step all forces
  /// work over a rounding. Among them are weights, and those of contacts as deep as a rounding.
  double roundingOfEnergies(const Simulation& simulation) const;
  void lookAtGain(const Simulation& simulation, const EnergyBudget& e);

  ConvexCores cores_;
  std::uint64_t lastLook_ = UINT64_MAX;
  std::uint64_t nextList_ = UINT64_MAX;  ///< step; where contacts live by list
  std::uint64_t overlapPeriod_ = period, lastOverlaps_ = UINT64_MAX;
  double reach_ = 0.0;        ///< [L] smaller of DVerlet and dVerlet
  double contactTime_ = 0.0;  ///< [T] the shortest
  bool belts_ = false;        ///< there were some at a look: the budget of energy does not close
  BodyOrder order_;           ///< of the bodies
  std::uint64_t reorderings_ = 0;
  std::vector<double> displacementAtList_;
  std::vector<double> thickness_;  ///< [L] rounding of each body
  std::vector<double> slow_;       ///< [L] moves in a step up to this are nothing to look at
  RunSightings seen_;
  RunQuality quality_;
};

}  // namespace scree::sim

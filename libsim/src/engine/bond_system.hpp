// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/bond_forces.hpp"
#include "engine/world.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/model/bonds.hpp"
#include "scree/sim/model/energy.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace scree::sim {

/// What is left of interfaces that have broken.
struct BrokenInterfaces {
  std::vector<InteractionRecord> contacts;          ///< that their bonds go on as
  std::vector<std::pair<BodyId, BodyId>> released;  ///< pairs that may touch from now on
};

/// Bonds of a run. Owns their state, the sums of each interface, and the records that files have of
/// them. How bonds break is chosen once, by the contact law.
///
/// Forces are summed up interface by interface, and for each body over its interfaces in their
/// order, for any number of threads.
class BondSystem {
 public:
  /// @param records  interfaces of the file; their bonds take their state from its contacts
  /// @throws ParseError for interfaces that name what is not there, or of a law without bonds
  void make(const Conf& file, std::vector<InterfaceRecord> records, const World& world,
            Diagnostics& diagnostics);
  /// After a change of parameters or masses.
  void refresh(const World& world);

  bool empty() const { return bonds_.empty(); }
  bool breaking() const { return bonds_.breaking > 0; }
  const Bonds& bonds() const { return bonds_; }
  /// Pairs that are bonded, lower body first and sorted.
  std::vector<std::pair<BodyId, BodyId>> pairs() const;

  /// Adds the forces and moments of all bonds to `bodies`, and marks the interfaces that break.
  void addForces(const World& world, const HistoryUpdate& update, Bodies& bodies);
  /// The forces of the last evaluation, from what bonds remember. One thread.
  void addRememberedForces(const World& world, Bodies& bodies) const;
  /// [F L] sum of force times branch vector at the last evaluation; none without bonds.
  std::optional<Mat3> virial() const {
    return empty() ? std::nullopt : std::optional<Mat3>(virial_);
  }
  /// Takes the interfaces out that are to break, where bodies stand at the end of a step. Their
  /// energy, and what they take in the half step that is left, goes to the ledger.
  BrokenInterfaces releaseBroken(const World& world, EnergyLedger& ledger);

  /// Adds a record for each bond, as a file has it, with the numbers of the run.
  void appendContacts(std::span<const BodyPose> poses, std::vector<InteractionRecord>& to) const;
  std::vector<InterfaceRecord> records() const;
  std::optional<BondedArea> area() const;
  std::size_t memoryBytes() const;

 private:
  using AddForces = BondSums (*)(Bonds&, std::span<const BodyPose>, const HistoryUpdate&,
                                 const Images*, int, Bodies&, std::vector<PairForce>&,
                                 std::vector<BondSums>&);
  static AddForces forcesOf(Breakage breakage, const World& world);  ///< null: no bonds
  void setParameters(const Conf& file, const World& world, Diagnostics& diagnostics);
  void index(std::size_t bodies);
  /// One for each record.
  void addInterfaces(const Conf& file, const World& world, Diagnostics& diagnostics);

  Bonds bonds_;
  std::vector<InterfaceRecord> records_;  ///< in the same order
  bool ownParameters_ = false;            ///< of each interface, as its record has them
  Breakage breakage_ = Breakage::noBonds;
  AddForces addForces_ = nullptr;
  std::vector<PairForce> forces_;  ///< of each interface at the last evaluation
  std::vector<BondSums> sums_;
  Mat3 virial_ = Mat3::Zero();
};

}  // namespace scree::sim

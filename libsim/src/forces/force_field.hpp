// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "bonds/bond_system.hpp"
#include "detect/neighbour_list.hpp"
#include "drives/drive_system.hpp"
#include "model/pair_table.hpp"
#include "state/world.hpp"
#include "step/contact_kernel.hpp"
#include "step/stage_times.hpp"

#include <memory>
#include <string>
#include <vector>

namespace scree::sim {

/// The forces of a run and their order: imposed forces, contacts, body forces, bonds, round walls,
/// joints. Owns the contact law with its parameters, the sums of contacts, and what touches round
/// walls.
///
/// Contacts are summed up as ContactSums has it, for any number of threads; walls by body.
class ForceField {
 public:
  /// The law that the file names, with the parameters of all pairs of groups. @returns its name
  /// @throws ParseError for a law that does not exist or cannot be used here
  std::string makeLaw(const World& world, Diagnostics& diagnostics);
  const ContactKernel& kernel() const { return *kernel_; }
  ContactWeights weights() const { return weights_; }
  /// Whether there are bodies or walls of both groups.
  bool knows(std::uint32_t g1, std::uint32_t g2) const;
  std::uint32_t index(std::uint32_t g1, std::uint32_t g2) const { return groups_.index(g1, g2); }
  /// Parameters of a pair of groups, from what the conf says now.
  void setParameters(const Conf& conf, std::uint32_t g1, std::uint32_t g2);
  /// Parameters and viscosity of a pair of bodies.
  void setUp(const Bodies& bodies, PairRow& row) const;
  /// The same for new pairs of a NeighbourList.
  auto pairSetup(const Bodies& bodies) const {
    return [this, &bodies](PairRow& row) { setUp(bodies, row); };
  }

  /// Round walls of the file; bodies must stand inside where a run begins.
  void makeWalls(const World& world, std::vector<BoundaryTouch> touches);
  /// The same without that check: where the order of bodies has changed. @param walls  as they
  /// stand now @param touches  of the run
  void placeWalls(const World& world, std::vector<Boundary> walls,
                  std::vector<BoundaryTouch> touches);
  void setUpWalls(const Bodies& bodies);  ///< parameters and viscosity of their contacts
  /// What touches, with the numbers of the file.
  std::vector<BoundaryTouch> wallTouches(const World& world) const;
  bool hasWalls() const { return !walls_.empty(); }
  const std::vector<Boundary>& walls() const { return walls_.boundaries(); }  ///< as they stand now
  void beginStep() { walls_.beginStep(); }  ///< walls that move start from where they stand
  /// [F L/T] Twice the mean power that walls which move have put in over the last step.
  double wallPower() const { return walls_.power(); }

  /// Sums up all forces where bodies stand.
  /// @param lists  of which those that have run out are made again on the way
  /// @param afterwards  what threads do with their bodies once contacts have acted on them
  /// @returns the power that contacts take up
  ContactPower evaluate(const World& world, const Growth& growth, const RangeWork& afterwards,
                        const DriveSystem& drives, BondSystem& bonds, NeighbourList& lists,
                        Bodies& bodies, StageTimes& times);
  /// The sums of the last evaluation again, from what contacts and bonds remember, for bodies
  /// without forces. One thread.
  void restore(const World& world, const DriveSystem& drives, const BondSystem& bonds,
               const Contacts& contacts, Bodies& bodies) const;
  /// [F L] that touching contacts hold, those with walls among them.
  ContactEnergy energy(const World& world, const Contacts& contacts) const;

  ContactSums& sums() { return sums_; }
  const ContactSums& sums() const { return sums_; }

 private:
  void requireRounding(const World& world) const;
  void warnOfMissing(const World& world, Diagnostics& diagnostics) const;
  void loadTouches(const World& world, std::vector<BoundaryTouch> touches);
  static void addBodyForces(const World& world, Bodies& bodies);

  PairTable<char> groups_;  ///< gives pairs their place in the table of the law
  std::unique_ptr<ContactKernel> kernel_;
  ContactWeights weights_ = ContactWeights::none;
  ContactSums sums_;
  BoundaryContacts walls_;
  std::vector<ContactPower> wallPowers_;  ///< for each body
};

}  // namespace scree::sim

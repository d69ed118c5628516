// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "detect/neighbour_list.hpp"
#include "engine/bond_system.hpp"
#include "engine/contact_kernel.hpp"
#include "engine/drive_system.hpp"
#include "engine/stage_times.hpp"
#include "engine/world.hpp"
#include "model/pair_table.hpp"

#include <memory>
#include <string>
#include <vector>

namespace scree::sim {

/// The forces of a run and their order: imposed forces, contacts, body forces, bonds, round walls,
/// joints. Owns the contact law with its parameters, and the sums of contacts.
///
/// Contacts are summed up as ContactSums has it, for any number of threads; walls by body.
class ForceField {
 public:
  /// The law that the file names, with the parameters of all pairs of groups. @returns its name
  /// @throws ParseError for a law that does not exist or cannot be used here
  std::string makeLaw(const Conf& file, const World& world, Diagnostics& diagnostics);
  const ContactKernel& kernel() const { return *kernel_; }
  ContactWeights weights() const { return weights_; }
  /// Whether there are bodies or walls of both groups.
  bool knows(std::uint32_t g1, std::uint32_t g2) const;
  std::uint32_t index(std::uint32_t g1, std::uint32_t g2) const { return groups_.index(g1, g2); }
  /// Parameters of a pair of groups.
  void setParameters(const Parameters& values, std::uint32_t g1, std::uint32_t g2);
  /// The same for all pairs of groups.
  void setParameters(const Parameters& values);
  /// Parameters and viscosity of a pair of bodies.
  void setUp(const Bodies& bodies, NeighbourPair& pair) const;
  /// The same for new pairs of a NeighbourList.
  auto pairSetup(const Bodies& bodies) const {
    return [this, &bodies](NeighbourPair& pair) { setUp(bodies, pair); };
  }

  /// Round walls of the file; bodies must stand inside where a run begins.
  /// @param touches  with the numbers of the run
  BoundaryContacts makeWalls(const Conf& file, const World& world,
                             const std::vector<BoundaryTouch>& touches) const;
  /// The same without that check: where the order of bodies has changed.
  /// @param boundaries  as they stand now
  BoundaryContacts placeWalls(const Conf& file, const World& world,
                              std::vector<Boundary> boundaries,
                              const std::vector<BoundaryTouch>& touches) const;
  /// Parameters and viscosity of their contacts.
  void setUpWalls(const Bodies& bodies, BoundaryContacts& walls) const;

  /// What an engine does in its own way while forces are summed.
  struct Calls {
    FunctionRef<void(Bodies&)> impose;  ///< sets the forces that drives impose
    PairRenewal renewal = {};           ///< of pairs whose lists have run out; none: they do not
    RangeWork afterwards = {};  ///< for the bodies of a thread, once contacts have acted on them
  };
  /// Sums up all forces where bodies stand. @returns the power that contacts absorb
  ContactPower evaluate(const World& world, const HistoryUpdate& update, const Calls& calls,
                        Contacts& contacts, BondSystem& bonds, BoundaryContacts& walls,
                        Bodies& bodies, StageTimes& times);
  /// The sums of the last evaluation again, from what contacts and bonds remember, for bodies
  /// without forces. One thread.
  void restore(const World& world, const DriveSystem& drives, const BondSystem& bonds,
               const Contacts& contacts, Bodies& bodies) const;
  /// [F L] that touching contacts hold, those with walls among them.
  ContactEnergy energy(const World& world, const Contacts& contacts,
                       const BoundaryContacts& walls) const;

  ContactSums& sums() { return sums_; }
  const ContactSums& sums() const { return sums_; }

 private:
  void requireRounding(const Conf& file, const World& world) const;
  void warnOfMissing(const Conf& file, const World& world, Diagnostics& diagnostics) const;
  static void addBodyForces(const World& world, Bodies& bodies);

  PairTable<char> groups_;  ///< gives pairs their place in the table of the law
  std::unique_ptr<ContactKernel> kernel_;
  ContactWeights weights_ = ContactWeights::none;
  ContactSums sums_;
  std::vector<ContactPower> wallPowers_;  ///< for each body
};

/// What touches round walls, with the numbers of the file.
std::vector<BoundaryTouch> wallTouches(const World& world, const BoundaryContacts& walls);

}  // namespace scree::sim

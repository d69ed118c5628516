// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "detect/neighbour_list.hpp"
#include "engine/bond_system.hpp"
#include "engine/contact_kernel.hpp"
#include "engine/drive_system.hpp"
#include "engine/world.hpp"
#include "model/contacts.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// Wall time of the stages of a step. Reading a clock costs as much as a small stage. So one step
/// in 64 is measured, from its start to its end with no other, and the sums are scaled up.
class StageTimes {
 public:
  enum Stage : std::size_t { move, detect, contacts, finish, count };
  static constexpr std::array<std::string_view, count> names{"move", "detect", "contacts",
                                                             "finish"};

  /// Whether this step is measured.
  static bool measures(std::uint64_t step) { return step % 64 == 0; }
  void beginStep(std::uint64_t step) {
    measuring_ = measures(step);
    ++steps_;
    if (!measuring_) return;
    ++measured_;
    last_ = Clock::now();
  }
  void end(Stage stage) {
    if (!measuring_) return;
    const Clock::time_point now = Clock::now();
    seconds_[stage] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  /// Assigns time that was spent in the midst of another stage.
  void reassign(Stage from, Stage to, double seconds) {
    if (!measuring_) return;
    seconds_[from] -= seconds;
    seconds_[to] += seconds;
  }
  /// [s], for all steps so far.
  double seconds(Stage stage) const {
    return measured_
               ? seconds_[stage] * static_cast<double>(steps_) / static_cast<double>(measured_)
               : 0.0;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::array<double, count> seconds_{};
  std::uint64_t steps_ = 0, measured_ = 0;
  bool measuring_ = false;
  Clock::time_point last_;
};

/// The forces of a run and their order: imposed forces, contacts, body forces, bonds, boundaries,
/// joints. Owns the contact law with its parameters, and the sums of contacts.
///
/// Contacts are summed up as ContactSums has it, for any number of threads; boundaries by body.
class ForceField {
 public:
  /// The law that the file names, with the parameters of all pairs of groups. @returns its name
  /// @throws ParseError for a law that does not exist or cannot be used here
  std::string makeLaw(const Conf& file, const World& world, Diagnostics& diagnostics);
  const ContactKernel& kernel() const { return *kernel_; }
  ContactWeights weights() const { return weights_; }
  /// Whether there are bodies or boundaries of both groups.
  bool knows(std::uint32_t g1, std::uint32_t g2) const;
  std::uint32_t index(std::uint32_t g1, std::uint32_t g2) const { return groups_.index(g1, g2); }
  /// Sets the parameters of a pair of groups, or of all.
  void setParameters(const Parameters& values, std::uint32_t g1, std::uint32_t g2);
  void setParameters(const Parameters& values);
  /// Parameters and viscosity of a pair of bodies.
  void setUp(const Bodies& bodies, NeighbourPair& pair) const;
  /// Sets up new pairs of a NeighbourList.
  auto pairSetup(const Bodies& bodies) const {
    return [this, &bodies](NeighbourPair& pair) { setUp(bodies, pair); };
  }

  /// Boundaries of the file; bodies must stand inside where a run begins.
  /// @param touches  with the numbers of the run
  BoundaryContacts makeBoundaries(const Conf& file, const World& world,
                                  const std::vector<BoundaryTouch>& touches) const;
  /// Places boundaries without that check, where the order of bodies has changed.
  /// @param boundaries  as they stand now
  BoundaryContacts placeBoundaries(const Conf& file, const World& world,
                                   std::vector<Boundary> boundaries,
                                   const std::vector<BoundaryTouch>& touches) const;
  /// Parameters and viscosity of their contacts.
  void setUpBoundaries(const Bodies& bodies, BoundaryContacts& atBoundaries) const;

  /// Functions of an engine that are called while forces are summed.
  struct Calls {
    FunctionRef<void(Bodies&)> impose;  ///< sets the forces that drives impose
    PairRenewal renewal = {};           ///< of pairs whose lists have run out; none: they do not
    RangeWork afterwards = {};  ///< for the bodies of a thread, once contacts have acted on them
  };
  /// Sums up all forces where bodies stand. @returns the power that contacts absorb
  ContactPower evaluate(const World& world, const HistoryUpdate& update, const Calls& calls,
                        Contacts& contacts, BondSystem& bonds, BoundaryContacts& atBoundaries,
                        Bodies& bodies, StageTimes& times);
  /// The sums of the last evaluation again, from what contacts and bonds remember, for bodies
  /// without forces. One thread.
  void restore(const World& world, const DriveSystem& drives, const BondSystem& bonds,
               const Contacts& contacts, Bodies& bodies) const;
  /// [F L] that touching contacts hold, those with boundaries among them.
  ContactEnergy energy(const World& world, const Contacts& contacts,
                       const BoundaryContacts& atBoundaries) const;

  ContactSums& sums() { return sums_; }
  const ContactSums& sums() const { return sums_; }

 private:
  void requireRounding(const Conf& file, const World& world) const;
  void warnOfMissing(const Conf& file, const World& world, Diagnostics& diagnostics) const;
  static void addBodyForces(const World& world, Bodies& bodies);

  PairTable<char> groups_;  ///< gives pairs their place in the table of the law
  std::unique_ptr<ContactKernel> kernel_;
  ContactWeights weights_ = ContactWeights::none;
  bool inLanes_ = false;  ///< see ContactBatch::pays
  ContactSums sums_;
  std::vector<ContactPower> boundaryPowers_;  ///< for each body
};

/// Contacts with boundaries, with the numbers of the file.
std::vector<BoundaryTouch> touchesOf(const World& world, const BoundaryContacts& atBoundaries);

}  // namespace scree::sim

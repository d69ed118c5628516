// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace scree::sim {

class Simulation;

/// How far a run is from rest. Both ratios are 0 where nothing moves and no force acts, and
/// infinite where something moves or accelerates without contacts or bonds that carry load.
struct RestRatios {
  /// [-] Mean resultant of free bodies, weight included, over the mean force of contacts and bonds.
  double unbalanced = std::numeric_limits<double>::infinity();
  /// [-] Kinetic energy over the elastic energy of contacts, bonds and joints.
  double energy = std::numeric_limits<double>::infinity();
};

/// The ratios at the last step of `simulation`. The same bits on any number of threads.
/// O(n log n) in bodies and contacts, with memory for all contacts.
/// Source of the force ratio: T.-T. Ng, J. Eng. Mech. 132(7), 2006.
RestRatios restRatios(const Simulation& simulation);

/// "unbalanced force 0.0003, kinetic over elastic energy 2e-05".
std::string describe(const RestRatios& ratios);

/// When a run counts as being at rest: both ratios stay below their limits for a time.
struct RestRule {
  double unbalanced = 1e-3;  ///< [-] limit of RestRatios::unbalanced
  double energy = 1e-3;      ///< [-] limit of RestRatios::energy
  double duration = -1.0;    ///< [T] for so long; below 0: a thousand time steps
};

/// Reads "UNBALANCED,ENERGY,SECONDS". @throws UsageError saying what was expected and found
RestRule restRule(const std::string& text);

/// Follows a run until it is at rest. The ratios are computed at multiples of `period` steps since
/// the start of the run. So a run that was stopped and resumed ends at the same step.
class RestWatch {
 public:
  static constexpr std::uint64_t period = 100;  ///< [steps]

  /// @param calmSince  [T] as calmSince() of the run that this one resumes; infinite: not calm
  RestWatch(const RestRule& rule, double calmSince) : rule_(rule), calmSince_(calmSince) {}

  /// The next step at which the ratios are due.
  static std::uint64_t nextStep(std::uint64_t step) { return (step / period + 1) * period; }
  /// Computes the ratios where they are due. @returns whether the run is at rest
  bool step(const Simulation& simulation);
  const RestRatios& ratios() const { return ratios_; }  ///< when they were last computed
  /// [T] Time since which both ratios have been below their limits; infinite: they are not.
  double calmSince() const { return calmSince_; }

 private:
  RestRule rule_;
  double calmSince_;
  RestRatios ratios_;
};

}  // namespace scree::sim

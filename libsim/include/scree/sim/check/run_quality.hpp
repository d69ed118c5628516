// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace scree::sim {

/// How well a run has kept what must be kept: the worst of all looks at it.
struct RunQuality {
  /// Steps of a twentieth of a contact time stay below.
  static constexpr double mostResidual = 0.01;
  static constexpr double largestResidual = 0.1;  ///< beyond it a run has failed

  /// Sound runs reach up to 0.046. Steps that make contacts unstable reach 0.23 or more.
  static constexpr double mostEnergyGain = 0.1;
  static constexpr double largestGain = 1e6;   ///< stands for all above
  static constexpr double mostOverlap = 0.01;  ///< as `deepOverlap`

  /// [-] |residual| of the energy budget over the energy exchanged. Nothing where none was
  /// exchanged, or where the budget does not hold: a driven body that stays and shows a velocity.
  std::optional<double> energyResidual;
  /// [-] energy that contacts have given as they began, ended or changed their stiffness, beyond
  /// what they took, over `energySupplied`. Steps that are too long make it. `largestGain` where
  /// they gave some and nothing was supplied. Nothing where `energyResidual` has nothing.
  std::optional<double> energyGain;
  /// [F L] largest so far: kinetic and elastic energy at the start, what the potential has fallen
  /// by and work put in. No error of the steps is in it.
  double energySupplied = 0.0;
  std::uint64_t checks = 0;     ///< looks at overlaps; all else is looked at less often
  double largestOverlap = 0.0;  ///< [-] over the size of the smaller body
  /// Periods of interVerlet in which contacts may have been missed: only where they live by list.
  std::uint64_t skinViolations = 0;
  bool failed = false;  ///< the run ended in a state that none of the checks has seen, such as NaN

  /// Whether each figure that is known is within its bound.
  bool withinBounds() const;
};

/// Something that a run was seen to do: at how many looks, and the worst case.
struct Sighting {
  std::uint64_t looks = 0;
  double worst = 0.0, time = 0.0;  ///< in the unit of what is seen, [T]
  std::uint32_t i = 0, j = 0;      ///< bodies, as the file numbers them
  void add(double size, double t, std::uint32_t a, std::uint32_t b);
};

/// Sightings of a run beside RunQuality, by name, so that a resumed one reports them, too.
using RunSightings = std::map<std::string, Sighting, std::less<>>;

/// A line for users, such as "energy residual 0.012 %, energy gain 0 %, largest overlap 0.3 % ...".
std::string describe(const RunQuality& quality);

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/law/law_info.hpp"
#include "scree/sim/measure/instant.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::sim {

/// State of the springs of a contact, for the share of its pair that it has.
struct SpringState {
  double force = 0.0;       ///< [F] along n, without viscosity
  double energy = 0.0;      ///< [F L] that comes back along n
  double tangential = 0.0;  ///< [F/L] kt: 1/2 ft²/kt is stored; 0: nothing
  double rolling = 0.0;     ///< [F L] kr: 1/2 mom²/kr is stored; 0: nothing
};

/// Values of the force law of a conf-file for its contacts, by pairs of groups.
///
/// Without a law, or with one that is not known, values are nan; so they are for laws that need
/// radii of rounding, without shapes.
class LawValues {
 public:
  explicit LawValues(const Instant& instant);

  SpringState springs(const Link& link) const;
  /// [F] the most that friction can be now: mu times fn, or its elastic part (`elasticBound`).
  double frictionBound(const Link& link) const;
  /// Whether the law loses energy along n without viscosity.
  bool hasHysteresis() const { return info_ != nullptr && info_->hysteresis; }
  /// Load of each interface by the criterion of the law: 0 without load, 1 where it breaks. With
  /// StickedLinks 1 plus the yield function of its most loaded bond, with BCM its energy over
  /// 2 area Gc. NaN if no energy breaks it, or if the law has no bonds. O(bonds log).
  std::vector<double> bondLoads() const;

 private:
  struct Pair {
    double mu = 0.0;
    bool elasticBound = false;  ///< of friction: by the spring alone
    std::function<SpringState(double radius, double share, double dn)> springs;
  };
  const Pair& pairOf(const Link& link) const;
  double radiusOf(const Link& link) const;

  const Instant& instant_;
  const LawInfo* info_ = nullptr;
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, Pair> pairs_;
};

/// The state of a bond in the list of contacts; null if the file does not list it. O(log).
const InteractionRecord* listedBond(const Conf& conf, const InterfaceRecord& face,
                                    const BondRecord& bond);

/// How near a bond is to breaking by YieldSurface, the criterion of StickedLinks: -1 without load,
/// 0 where it breaks. `bond`: springs alone, without viscosity.
double bondYield(const BondParameters& own, const InteractionRecord& bond);

/// Columns of energy.txt of a run and of `extract energy`, in their order.
struct EnergyColumn {
  std::string_view name;
  double EnergyBudget::*value;
  bool ofRunAlone = false;  ///< files do not hold it
};
inline constexpr EnergyColumn energyColumns[] = {{"translation", &EnergyBudget::translation},
                                                 {"rotation", &EnergyBudget::rotation},
                                                 {"potential", &EnergyBudget::potential},
                                                 {"elastic.normal", &EnergyBudget::normal},
                                                 {"elastic.tangential", &EnergyBudget::tangential},
                                                 {"elastic.rolling", &EnergyBudget::rolling},
                                                 {"elastic.bonds", &EnergyBudget::bonds},
                                                 {"elastic.joints", &EnergyBudget::joints},
                                                 {"cell", &EnergyBudget::cell, true},
                                                 {"lost.friction", &EnergyBudget::friction},
                                                 {"lost.viscosity", &EnergyBudget::viscosity},
                                                 {"lost.hysteresis", &EnergyBudget::hysteresis},
                                                 {"lost.rolling", &EnergyBudget::rollingLoss},
                                                 {"lost.switching", &EnergyBudget::switching},
                                                 {"lost.damping", &EnergyBudget::damping},
                                                 {"lost.barriers", &EnergyBudget::barriers},
                                                 {"lost.breakage", &EnergyBudget::breakage},
                                                 {"work.bodyForces", &EnergyBudget::bodyForces},
                                                 {"work.drives", &EnergyBudget::drives},
                                                 {"work.cell", &EnergyBudget::cellWork},
                                                 {"residual", &EnergyBudget::residual},
                                                 {"exchanged", &EnergyBudget::exchanged, true}};

/// The energy budget of an instant: rows of energy.txt and kineticEnergy.txt of a run, and of
/// `extract energy`. Sums over free bodies and links in the order of the file. What was lost and
/// put in follows from `conf().energy`, and is nan without it. O(links + bodies).
/// @param cell  [F L] kinetic energy of the periodic cell; nan where it is not known
EnergyBudget energyBudget(const Instant& instant, double cell);

}  // namespace scree::sim

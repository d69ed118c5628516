// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/law/all_laws.hpp"
#include "scree/sim/measure/instant.hpp"

#include <cstdint>
#include <map>
#include <utility>

namespace scree::sim {

/// What the force law of a conf-file says of its contacts, by pairs of groups.
///
/// Without a law, or with one that is not known, values are nan.
class LawValues {
 public:
  explicit LawValues(const Instant& instant);

  /// Stiffnesses of a contact that carries the share `link.weight` of its pair.
  ElasticStiffness elastic(const Link& link) const;
  /// [F] the most that friction can be now: mu times the elastic part of fn for Default and
  /// GeoVisc, mu times fn for the others.
  double frictionBound(const Link& link) const;
  /// Whether the law loses energy by stiffer loading than unloading, not by viscosity.
  bool hasHysteresis() const;

 private:
  struct Pair {
    ElasticStiffness elastic;
    double mu = 0.0, kn = 0.0;
  };
  const Pair& pairOf(const Link& link) const;

  const Instant& instant_;
  std::optional<AnyLaw> law_;
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, Pair> pairs_;
};

/// Energy that springs hold at one instant. [F L]
struct ElasticEnergies {
  double normal = 0.0, tangential = 0.0, rolling = 0.0;  ///< of contacts, round walls included
  double bonds = 0.0, joints = 0.0;
};
/// Sums over links in their order, by the stiffnesses of the law and of the bonds' tables.
/// A bond whose record is missing holds nothing. O(links).
ElasticEnergies elasticEnergies(const Instant& instant);

}  // namespace scree::sim

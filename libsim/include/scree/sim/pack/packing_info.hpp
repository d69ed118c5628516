// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/check/diagnosis.hpp"
#include "scree/sim/measure/stress.hpp"
#include "scree/sim/simulation.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace scree::sim {

/// Bodies in contact. A contact of two bodies counts once, however many points they touch at.
struct Coordination {
  double mean = 0.0;             ///< contacts of a free body, with driven ones and walls, too
  double withoutRattlers = 0.0;  ///< the same among bodies that are not rattlers
  double constraints = 0.0;      ///< the same, a contact counting as many points as hold it
  std::size_t rattlers = 0;      ///< free bodies that too few contacts with others hold
  std::size_t contacts = 0;      ///< pairs of bodies, or of a body and a boundary, that touch
};
/// Two bodies in contact, and the points that hold them: 3 at most, since more hold no better.
struct HeldPair {
  BodyId a = 0, b = 0;
  std::uint32_t points = 1;
};
/// Coordination from pairs in contact, each once. The first `driven` bodies are driven; numbers
/// from `bodies` on are those of walls. Body k is a rattler while fewer than `needed[k]` points
/// hold it: one more than the body has ways to move: 4 for a ball and 7 for a body that can turn.
Coordination coordinationOf(std::size_t bodies, std::size_t driven, std::span<const HeldPair> pairs,
                            std::span<const std::uint32_t> needed);

/// Size [L] below which a share (0 to 1) of the mass lies.
/// @param sizes  with their masses, the smallest first
double sizePassedBy(double share, std::span<const std::pair<double, double>> sizes);

/// All that `packgen info` prints of a conf-file.
struct PackingInfo {
  std::size_t bodies = 0, driven = 0;
  double mass = 0.0;         ///< [M] of the free bodies
  double solidVolume = 0.0;  ///< [L³] of the free bodies; what overlaps counts twice
  Domain space;              ///< what the solid fraction refers to, as extract takes it
  double solidFraction = 0.0;
  Coordination coordination;  ///< without a search for rattlers
  /// [L] Diameters of the balls that have the volumes of the free bodies: smallest, d10, d30, d50,
  /// d60, d90, largest. A share of 0.1 of the mass is in bodies up to d10.
  std::vector<std::pair<const char*, double>> sizes;
  Overlaps overlaps;
  std::size_t bodiesInsideOthers = 0;  ///< pairs
};
/// O(n log n). The overlaps and contacts are those of the state as it stands.
PackingInfo packingInfo(const Simulation& simulation);

}  // namespace scree::sim

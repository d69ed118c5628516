// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/simulation.hpp"

#include <optional>
#include <vector>

namespace scree::sim {

/// Bodies that nothing can catch.
struct Falls {
  std::vector<BodyId> bodies;  ///< In the order of the file, with its numbers.
  /// [L] By how much the first of them must be raised to stand on top of what is above it. Empty
  /// where nothing driven is above it.
  std::optional<double> lift;
};

/// Free bodies below which, along `direction`, lies neither a driven body nor a round boundary,
/// wherever their velocity takes them on the way. They also neither touch nor are joined to a body
/// that has something below. A driven body counts by its vertices, edges and faces on a grid of 256
/// by 256 columns across the direction. It counts as slightly too wide, so that no body is named
/// that would land.
///
/// None where there is nothing driven and no boundary, in a periodic cell, without gravity, and
/// where a body force attracts. Moves of driven bodies are not looked at.
/// @param direction  of gravity, of any length
/// O(bodies + columns that driven faces cover).
Falls endlessFalls(const Simulation& simulation, const Vec3& direction);

/// [L] against `direction`, by which a free body is to be moved to stand on top of the driven
/// bodies that are above it. Empty where none is above it, or it lands as it is.
/// @param k  as the run numbers it
std::optional<double> liftOntoDriven(const Simulation& simulation, const Vec3& direction, BodyId k);

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/simulation.hpp"

#include <optional>
#include <span>
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
/// wherever their velocity takes them on the way. Nothing that has something below holds them,
/// either: no bond, no joint, and no contact whose force can have a component against `direction`.
/// Friction counts, so a body below its neighbour may be held from the side. A driven body counts
/// by its vertices, edges and faces on a grid of 256 by 256 columns across the direction. It counts
/// as slightly too wide, so that no body is named that would land.
///
/// None where there is nothing driven and no boundary, in a periodic cell, without gravity, and
/// where a body force attracts. Moves of driven bodies are not looked at.
/// @param direction  of gravity, of any length
/// O(bodies + contacts log contacts + columns that driven faces cover).
Falls endlessFalls(const Simulation& simulation, const Vec3& direction);

/// How to move a free body out of a driven one [L]: the first of `ways` after which it lands. A
/// place inside the driven body does not count. If there is no such way, the body goes against
/// `direction`, onto all that is driven and above, if it lands there. Otherwise, and where
/// endlessFalls names no body, the result is the first of `ways`.
/// @param k, driven  as the run numbers them
Vec3 wayToLand(const Simulation& simulation, const Vec3& direction, BodyId k, BodyId driven,
               std::span<const Vec3> ways);

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/progress.hpp"
#include "scree/sim/pack/body_plan.hpp"
#include "scree/sim/pack/container.hpp"
#include "scree/sim/pack/packing_info.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace scree::sim {

struct FillOptions {
  std::uint64_t seed = 1;
  std::uint32_t group = 1;
  int threads = 1;
  Progress progress;
};

/// A packing at the onset of jamming, where forces are carried.
struct JammedState {
  double solidFraction = 0.0;
  double overlap = 0.0;  ///< [-] mean overlap of pairs in contact over the mean size
  Coordination coordination;
};

struct FillResult {
  std::vector<PlacedBody> bodies;
  double solidFraction = 0.0;
  double reached = 0.0;   ///< solid fraction up to which bodies could grow
  bool complete = false;  ///< the sizes planned are reached
  double overlap = 0.0;   ///< [-] worst overlap over size: 0
  std::optional<JammedState> jammed;
};

/// Lets the bodies of `plan` grow from loose random places to their sizes; they push each other
/// apart without friction, by the contact geometry of runs, so that at no time two overlap.
///
/// Contacts act from a small distance on. Where bodies cannot make way any more at that distance,
/// it is reduced, to a ten-thousandth of the size of the smallest body at last; then the growth has
/// come to its end (`complete` is false, `reached` how far it came).
/// @throws ModelError as scatter() does; for a mesh, in which no packing grows yet
FillResult fill(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                const Container& container, const FillOptions& options);

/// The same until the packing carries load: growth to a mean overlap of 3e-3 of the size, then
/// steps back, each with minimisation of the energy of overlaps, until the mean overlap at balanced
/// forces is between 3e-6 and 2e-5; that state is `jammed`. Then bodies shrink until no pair
/// overlaps. The homotheties of
/// `plan` are scaled by what it takes. Where bodies are hardly rounded (by less than 0.5 % of their
/// size), contacts act from a distance that makes up for it, and the packing has that much room.
/// Source of the protocol: C. S. O'Hern et al., Phys. Rev. E 68, 011306, 2003.
FillResult fillJammed(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                      const Container& container, const FillOptions& options);

}  // namespace scree::sim

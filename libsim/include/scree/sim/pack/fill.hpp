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
  double overlap = 0.0;    ///< [-] mean overlap of pairs in contact over the mean size
  double resultant = 0.0;  ///< [-] root mean square of what forces leave on a body, over their mean
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
/// @throws ModelError as scatter() does
FillResult fill(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                const Container& container, const FillOptions& options);

/// The same until the packing carries load. All bodies grow until the mean overlap is 1e-3 of the
/// size, then shrink in steps in proportion to the overlap, and grow again where no force is left,
/// each time with minimisation of the energy of overlaps. The search ends at a mean overlap of 3e-6
/// to 2e-5 of the size; that state is `jammed`.
///
/// At the end the resultants are below 1e-4 of the mean force (root mean square). The share of
/// contacts whose force is below f of the mean is about f^1.2 (E. Lerner, G. Düring & M. Wyart,
/// Soft Matter 9, 8252, 2013), so that fewer than one in ten thousand is in doubt when contacts are
/// counted. Then bodies shrink until no pair overlaps. The homotheties of `plan` are scaled by what
/// it takes. Where bodies are hardly rounded (by less than 0.25 % of their size), contacts act from
/// a distance that makes up for it, and the packing has that much room. Source of the protocol: C.
/// S. O'Hern et al., Phys. Rev. E 68, 011306, 2003.
FillResult fillJammed(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                      const Container& container, const FillOptions& options);

}  // namespace scree::sim

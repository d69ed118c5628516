// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/parallel.hpp"
#include "scree/sim/pack/body_plan.hpp"
#include "scree/sim/pack/container.hpp"
#include "scree/sim/pack/packing_info.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace scree::sim {

struct PlaceOptions {
  std::uint64_t seed = 1;
  std::uint32_t group = 1;
  int threads = 1;  ///< of fill()
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
  std::vector<PlacedBody> bodies;  ///< in the order in which they were placed
  double solidFraction = 0.0;      ///< of the volume of the container
  double reached = 0.0;            ///< solid fraction up to which bodies could grow
  bool complete = false;           ///< the sizes planned are reached
  double scaling = 1.0;            ///< [-] of the sizes planned
  std::optional<JammedState> jammed;
};

/// Random sequential addition: bodies come one after the other and stay at their places. Places and
/// orientations are uniform among all that overlap no earlier body and no wall. Ends at the first
/// body for which a million random places are taken.
/// @param plan  the bodies in the order of their coming; the largest first reaches most
/// @returns the bodies placed; fewer than planned where no more fit
/// @throws ModelError where a body is larger than the container, or than half a periodic cell
FillResult scatter(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                   const Container& container, const PlaceOptions& options);

/// The bodies that a container is to hold.
struct FillRequest {
  std::vector<shape::Shape> shapes;
  PlanOptions plan;
  Container container;
  std::optional<std::size_t> number;
  std::optional<double> solidFraction;  ///< without a number
  PlaceOptions place;
};
/// @param ofFraction  where neither number nor solid fraction is requested
std::vector<PlannedBody> plannedBodies(const FillRequest& request,
                                       std::optional<double> ofFraction = {});
/// fill() of a request. All sizes are scaled by a hair, so that a solid fraction is met exactly.
/// @throws ModelError also where the bodies jam before
FillResult filledTo(const FillRequest& request);
/// fillJammed() of a request. Without a number and a grading it is repeated with another number of
/// bodies until sizes are within 2 % of those of the shapes.
/// @param note  called with a line for each repetition
FillResult filledToJamming(const FillRequest& request,
                           const std::function<void(const std::string&)>& note);

/// Lets the bodies of `plan` grow from loose random places to their sizes. They push each other
/// apart without friction, by the contact geometry of runs, so that at no time two overlap.
///
/// Contacts act from a small distance on. Where bodies cannot yield at that distance, it is
/// reduced, at last to a ten-thousandth of the size of the smallest body. Then the growth ends:
/// `complete` is false, and `reached` is the solid fraction reached.
/// @throws ModelError as scatter() does
FillResult fill(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                const Container& container, const PlaceOptions& options);

/// Fills until the packing carries load.
///
/// Balls: a pressure presses them together until the mean overlap is 2e-2 of the size. Then it
/// falls to 0.4 of itself in each stage, down to a mean overlap of 1e-5. Each stage minimises the
/// energy of the overlaps less the work of the pressure, over the places and one growth of all. At
/// the end the resultants are below 1e-3 of the mean force (root mean square). The share of
/// contacts whose force is below f of the mean is about f^1.2 (E. Lerner, G. Düring & M. Wyart,
/// Soft Matter 9, 8252, 2013): one in four thousand is in doubt.
///
/// Other bodies grow until the mean overlap is 1e-3 of the size. Then they shrink in proportion to
/// the overlap, and grow again where no force is left. Each change is followed by minimisation of
/// the energy, down to a mean overlap of 3e-6 to 2e-5 and resultants below 1e-4.
///
/// The last state is `jammed`. Then bodies shrink until no pair overlaps. The homotheties of `plan`
/// are scaled by what it takes. Bodies that are rounded by less than 0.25 % of their size keep a
/// gap of that order. Source of the protocol: C. S. O'Hern et al., Phys. Rev. E 68, 011306, 2003.
/// @throws ModelError as scatter(), and where no such state is found or all bodies are rattlers
FillResult fillJammed(const std::vector<shape::Shape>& shapes, const std::vector<PlannedBody>& plan,
                      const Container& container, const PlaceOptions& options);

/// Bodies that stood in each other, moved apart.
struct PushedApart {
  std::vector<PlacedBody> bodies;
  double before = 0.0, after = 0.0;          ///< [L] deepest overlap of two bodies
  double meanMove = 0.0, largestMove = 0.0;  ///< [L] of centres
  std::size_t crossings = 0;                 ///< pairs whose skeletons cross still
};
/// Moves and turns bodies, as fill() does, until none is in another by more than `enough` [L] or
/// they make no more way. For packings as scanned: bodies overlap there by a part of a voxel.
PushedApart pushedApart(const std::vector<shape::Shape>& shapes, std::vector<PlacedBody> bodies,
                        double enough, int threads);

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "contact/kinematics.hpp"
#include "model/contacts.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace scree::sim {

/// Result of a search for near sub-elements of two bodies.
struct NearSubElements {
  std::vector<Candidate> candidates;  ///< In the order of the conf-file, each with skipUntil 0.
  /// [L] A pair of sub-elements that is not listed cannot touch before points of the two bodies
  /// have moved by this. At least the requested skin.
  double gap = 0.0;

  /// While a search runs: what of each pairing it has found, in any order.
  std::array<std::vector<std::uint64_t>, 8> keys;
  std::vector<std::uint64_t>& keysOf(Pairing pairing, bool swapped) {
    return keys[(swapped ? 4u : 0u) + static_cast<std::size_t>(pairing)];
  }
  static std::uint64_t key(std::uint32_t iSub, std::uint32_t jSub) {
    return std::uint64_t{iSub} << 32 | jSub;
  }
  void sortKeys();  ///< they become the candidates
};

/// All pairs of sub-elements of `a` and `b` whose rounded surfaces are nearer than `skin`: vertex-
/// vertex, vertex-edge and vertex-face in both directions, edge-edge. Conservative: none is missed.
/// Takes whichever of the two ways below suits the shapes. `found` is reused to save allocations.
void findNear(const BodyPose& a, const BodyPose& b, double skin, NearSubElements& found);

/// Both ways list all that is nearer than the skin. Where a vertex stands past a corner of a face,
/// they may list a pair that is a little farther.
enum class SearchWay : std::uint8_t {
  slab,  ///< for shapes of at most 200 sub-elements: O(vertices + pairs near)
  trees  ///< any shapes, two trees descended together: O(log n + pairs near)
};
/// The one that suits two shapes.
SearchWay searchWay(const ShapeGeometry& a, const ShapeGeometry& b);
/// @pre for `slab`, neither shape has more sub-elements
void findNearBy(SearchWay way, const BodyPose& a, const BodyPose& b, double skin,
                NearSubElements& found);

}  // namespace scree::sim

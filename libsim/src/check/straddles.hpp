// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/simulation.hpp"

namespace scree::sim {

/// Pairs of bodies whose skeletons pass through each other: an edge of one goes through a face of
/// the other. Contacts cannot separate such bodies, and may find no overlap at all.
struct Straddles {
  std::size_t pairs = 0;
  /// Of the first pair, in the order of the file and with its numbers: a free body that can be
  /// moved, and the other one.
  BodyId move = 0, other = 0;
  Vec3 shift = Vec3::Zero();   ///< [L] moves it clear of the face, the rounding of both included
  Vec3 longer = Vec3::Zero();  ///< [L] the same, to the other side of the face
};

/// An edge may meet the seam of two triangles, or a side or a corner of a face. It then counts if
/// it goes through all triangles there, in the same sense; at the rim of a surface it does not.
/// Both ends of the edge must be off the plane of the face, by a millionth of the size of the
/// smaller body. So bodies that only touch do not count, and nor do pairs of driven bodies. None in
/// a periodic cell.
/// O(n log n) for n bodies. A near pair of k and m faces costs O(k log m), with the smaller k.
Straddles straddlesOf(const Simulation& simulation);

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <cstdint>
#include <vector>

namespace scree::clump::detail {

using mass::Ball;

/// Room between a ball and a face, and the rate at which it grows with the centre.
struct Contact {
  double room;             ///< [L]
  Vec3 away;               ///< unit vector from the face to the centre
  std::uint32_t triangle;  ///< the face
};

/// The room to one face, for a ball whose centre is in the core.
Contact contactWith(const SolidDistance& solid, const Ball& ball, std::uint32_t triangle);

/// Faces that a ball within the solid has not more than `margin` of room to.
void contactsOf(const SolidDistance& solid, const Ball& ball, double margin,
                std::vector<Contact>& contacts);

/// Displacement for which pull · displacement + (least room) - displacement² / (2 step) is largest.
/// The room to a face changes as for a plane.
Vec3 growingMove(const std::vector<Contact>& contacts, const Vec3& pull, double step);
/// Displacement of at most `step` for which pull · displacement is largest while room is left.
Vec3 slidingMove(const std::vector<Contact>& contacts, const Vec3& pull, double step);

}  // namespace scree::clump::detail

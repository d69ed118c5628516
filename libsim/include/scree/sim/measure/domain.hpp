// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/sim/model/conf.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace scree::sim {

class Instant;

/// The space that the bodies fill.
struct Domain {
  enum class Kind { cell, walls, hull };
  Kind kind = Kind::hull;
  double volume = 0.0;                           ///< [L³]
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< [L] box around it, or its sides
};

std::string_view nameOf(Domain::Kind kind);  ///< "cell", "walls", "hull"

/// The inner side of a driven body that is a flat wall square to an axis.
struct WallFace {
  BodyId body = 0;
  int axis = 0;           ///< 0, 1, 2: x, y, z
  int side = 1;           ///< 1: the wall stands on the high side, -1: on the low side
  double position = 0.0;  ///< [L] along the axis
};
/// The innermost flat wall of each side that has one, by axis, low side first; see wallDomain.
std::vector<WallFace> wallFaces(const Instant& instant);

/// The periodic cell; nothing where there is none.
std::optional<Domain> cellDomain(const Instant& instant);

/// What walls enclose: six flat faces of driven bodies square to the axes, or a ball without such
/// faces. Also a cylinder along x, y or z with two such faces across its axis; not a cone. A face
/// is the inner side of a driven body that lies wholly beyond the middle of the free bodies. It has
/// three vertices or more in one plane (1e-9 of its size) around the middle. Where these leave a
/// side open, plates of any direction count: driven shapes with one face, alone or across the axis
/// of a cylinder. Nothing where a side is still open. Needs shapes.
std::optional<Domain> wallDomain(const Instant& instant);

/// The convex hull of all free bodies, rounding included. Exact where all have one rounding radius.
/// Else the hull of 2000 support points, which is smaller by less than 0.5 % for balls. NaN without
/// shapes. O(vertices log vertices), else 2000 times the number of bodies.
Domain hullDomain(const Instant& instant);

}  // namespace scree::sim

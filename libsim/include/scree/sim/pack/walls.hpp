// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/pack/arrangement.hpp"

namespace scree::sim {

/// Puts all bodies into a closed box of six driven walls, `margin` [L] away from them: rounded
/// plates of three new shapes, WallX WallY WallZ, which become the bodies 0 to 5 in the order low
/// x, high x, low y, high y, low z, high z, of group 0 and cluster 0. Plates meet edge to edge, so
/// the box has no slit; they are a quarter of the mean size of the free bodies thick on each side.
/// @throws ModelError without bodies, or if the margin is negative
void addWalls(Arrangement& arrangement, double margin);

/// The same around a box that is given: the rounded surfaces of the plates stand on its sides.
void addWallsAround(Arrangement& arrangement, const shape::Aabb& inside);

/// Two driven plates of one new shape, `name`, across `axis`: their rounded surfaces stand at the
/// coordinates `low` and `high`, and reach `halfWidth` [L] from the line through `centre` to their
/// sides. They come first of all bodies.
void addEnds(Arrangement& arrangement, int axis, double low, double high, double halfWidth,
             const Vec3& centre, const std::string& name);

/// Mean thickness [L] of the bodies that move, of all where none does. @pre there are bodies
double meanSize(const Arrangement& arrangement);

/// A name that no shape has yet: `name`, or that with underscores behind it.
std::string freshName(const std::vector<shape::Shape>& shapes, std::string name);

}  // namespace scree::sim

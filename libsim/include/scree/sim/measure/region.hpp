// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <string_view>

namespace scree::sim {

/// A part of space to measure in: a box along the axes, a cylinder, a ball.
struct Region {
  enum class Kind { box, cylinder, sphere };
  Kind kind = Kind::box;
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< [L] of a box
  Vec3 centre = Vec3::Zero();                    ///< [L] of a sphere; of a cylinder's low end
  Vec3 axis = Vec3::UnitZ();                     ///< unit, of a cylinder
  double length = 0.0, radius = 0.0;             ///< [L]

  double volume() const;  ///< [L³]
  bool contains(const Vec3& point) const;
  /// Whether a ball lies wholly inside (1), wholly outside (-1), or neither or not surely (0).
  int side(const Vec3& centreOfBall, double radiusOfBall) const;
};

/// `box:x,y,z,X,Y,Z` (two corners), `sphere:x,y,z,R` or `cylinder:x,y,z,X,Y,Z,R` (the centres of
/// both ends). @throws UsageError that names what was expected
Region parseRegion(std::string_view text);

/// [L³] of a ball inside a region, to 1e-12 of the ball's volume: closed form for a sphere, the
/// integral of closed areas of slices for a box and a cylinder.
double ballInside(const Region& region, const Vec3& centre, double radius);

/// [L³] that two balls share, `distance` between their centres.
double sharedByBalls(double radius1, double radius2, double distance);

/// [L²] of a disc of this radius about the origin with x <= a and y <= b.
double discBelow(double radius, double a, double b);
/// [L²] that two discs share.
double sharedByDiscs(double radius1, double radius2, double distance);

}  // namespace scree::sim

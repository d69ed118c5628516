// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/moments.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/polygons.hpp"

#include <span>

namespace scree::mass {

/// Moments of the solid that closed faces bound, counter-clockwise seen from outside: signed
/// tetrahedra, exact to rounding. Take a point of the body as origin: seen from afar they cancel.
Moments meshMoments(std::span<const Vec3> vertices, const shape::Polygons& faces);

/// Moments of a convex body swept by a ball (Minkowski sum of hull and ball): the core, a prism on
/// every face, a cylinder sector on every edge, a ball sector at every vertex; exact to rounding.
/// Hulls of every rank are bodies as long as they have a radius: balls, sticks, plates.
Moments sweptHullMoments(const shape::ConvexHull& hull, double radius);
double sweptHullArea(const shape::ConvexHull& hull, double radius);  ///< [L²]

/// Moments of open faces as slabs of thickness 2 `radius`: what adjoining slabs have in common
/// counts twice, and rims are not rounded.
Moments slabMoments(std::span<const Vec3> vertices, const shape::Polygons& faces, double radius);

}  // namespace scree::mass

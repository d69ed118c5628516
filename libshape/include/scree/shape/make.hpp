// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/mesh.hpp"
#include "scree/shape/shape.hpp"

#include <cstdint>

namespace scree::shape {

// Sizes are outer sizes, in [L], rounding included: the skeleton is smaller by the radius all
// round. Vertices stand in axes that are principal wherever the shape has symmetry enough; none is
// surveyed yet (preCompDone n). All throw UsageError where the sizes leave no skeleton.

Shape makeSphere(double diameter);
/// A size of twice the radius makes the box flat there: a plate, a stick.
Shape makeBox(const Vec3& size, double radius);
/// One face in the plane z = 0; its thickness is twice the radius.
Shape makePlate(double sizeX, double sizeY, double radius);
/// Upright along z on a regular polygon; `across` is the outer diameter through its corners.
Shape makePrism(int sides, double across, double height, double radius);

/// A convex boulder with exactly `faces` faces: the planes touch an ellipsoid at points spread
/// evenly and at random, so that each shows. Centred, with the outer sizes `size` along the axes.
Shape makeBoulder(int faces, const Vec3& size, double radius, std::uint64_t seed);

/// A slope with steps for bodies to fall down, as one surface (isSurface) to be driven. Axis y is
/// up. The slope descends along +x from (0, height) to y = 0 at `length`; z goes from -width/2 to
/// width/2. Treads and risers are of equal size, with a tread first and last. The skeleton has
/// these measures: a terrain is a surface, and its rounding lies on both sides of it.
Shape makeSlope(int steps, double length, double height, double width, double radius);

/// The shape of a mesh as it stands: its vertices, its faces, each of their edges once.
Shape shapeFromMesh(const SurfaceMesh& mesh, double radius);

}  // namespace scree::shape

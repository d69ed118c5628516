// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/hull.hpp"
#include "scree/shape/shape.hpp"

#include <optional>
#include <string>

namespace scree::mass {

/// Area of a body, of its outer surface and walls of cavities, and how well it is known.
///
/// Closed form for convex bodies, unions of balls and meshes without radius. Else the surface
/// consists of patches (offset faces, cylinders, spheres) of exactly known area. A patch that
/// another part of the body covers in part is divided into pieces, down to 1/1000 of the size.
/// `accuracy` is then the share of the area in pieces that are still covered in part. O(n log n):
/// 0.05 s for crossed rods, 1 s for 2,500 triangles.
struct SurfaceArea {
  double area = 0.0;      ///< [L²]
  double accuracy = 0.0;  ///< relative error: 0 for a closed form; else estimated, not a bound
};

/// Measures of form of one body. Those not known, or not defined for the body, are empty.
struct Morphology {
  Vec3 lengths = Vec3::Zero();  ///< [L] principal lengths a >= b >= c: see principalLengths()
  std::optional<SurfaceArea> area;
  /// Area of the ball of equal volume over area (Wadell 1932), 1 for a ball.
  std::optional<double> sphericity;
  /// c/b and b/a (Zingg 1935).
  std::optional<double> flatness, elongation;
  double sieveOpening = 0.0;                 ///< [L] shape::sieveOpening() of the oriented box
  std::optional<double> equivalentDiameter;  ///< [L] of the ball of equal volume
  std::optional<double> convexity;           ///< volume over that of the convex hull, at most 1
  /// Mean radius of the corners over the radius of the largest inscribed ball (Wadell 1932). All
  /// corners of a rounded body have its radius r, so roundness is r / (r + inscribed radius of the
  /// core). It is 1 for balls, sticks and plates. Only for convex bodies.
  std::optional<double> roundness;
};

/// [L] Sides of the box of a body along its axes of inertia, rounding included, longest first.
/// @param axes  unit vectors as columns, in the frame of the vertices. O(vertices)
Vec3 principalLengths(const shape::Shape& shape, const Mat3& axes);

/// Name of the form of a body from its principal lengths (Zingg 1935, with limits of 2/3). Empty
/// for a body without extent.
std::string zinggClass(const Vec3& lengths);

/// Computes all measures of form of a body.
/// @param core    result of coreOf(shape), in the frame of the vertices
/// @param volume  [L³] of the rounded body; if empty or 0, measures that need it are empty
/// @param box     oriented box of the body, for the sieve opening
/// @param axes    of inertia, as in principalLengths()
Morphology morphology(const shape::Shape& shape, const shape::Core& core,
                      std::optional<double> volume, const shape::Obb& box, const Mat3& axes);

}  // namespace scree::mass

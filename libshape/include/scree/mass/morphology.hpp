// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/hull.hpp"
#include "scree/shape/shape.hpp"

#include <optional>
#include <string>

namespace scree::mass {

/// Area of the surface of a body, outer surface and walls of its cavities, and how well it is
/// known.
///
/// Convex bodies and meshes without radius: closed form. All others: patches that may show (offset
/// face, cylinder, sphere) have exact areas. A patch is divided where another part of the body
/// begins to cover it, down to 1/1000 of the size. `accuracy` is the share of the pieces that are
/// still divided then. O(n log n): 0.05 s for crossed rods, 2 s for 2,500 triangles.
struct SurfaceArea {
  double area = 0.0;      ///< [L²]
  double accuracy = 0.0;  ///< relative; 0: closed form, to rounding. Else an estimate, no bound
};

/// Measures of form of one body. What is not known, or not defined for the body, is empty.
struct Morphology {
  std::optional<SurfaceArea> area;
  /// Area of the ball of equal volume over area (Wadell 1932), 1 for a ball.
  std::optional<double> sphericity;
  /// Sides a >= b >= c of the box: c/b and b/a (Zingg 1935).
  std::optional<double> flatness, elongation;
  std::optional<double> equivalentDiameter;  ///< [L] of the ball of equal volume
  /// [L] side of the smallest square opening that the body passes along the longest side of the
  /// box, turned as it likes about that direction.
  double sieveOpening = 0.0;
  std::optional<double> convexity;  ///< volume over that of the convex hull, at most 1
  /// Mean radius of the corners over the radius of the largest inscribed ball (Wadell 1932). All
  /// corners of a rounded body have its radius r, so it is r / (r + inscribed radius of the core).
  /// It is 1 for balls, sticks and plates. Convex bodies alone.
  std::optional<double> roundness;
};

/// Names of the form of a body from the sides of its box: Zingg (1935), with limits of 2/3, and
/// Sneed & Folk (J. Geol. 66, 114-150, 1958), with their letters: C compact, P platy, B bladed, E
/// elongate, V very. Empty for a box without extent.
std::string zinggClass(const shape::Obb& box);
std::string sneedFolkClass(const shape::Obb& box);

/// @param core    that coreOf() finds, in the frame of the vertices
/// @param volume  [L³] of the rounded body, as well as it is known. Empty or 0 means unknown;
///                measures that need it are then empty.
/// @param box     the box whose sides Zingg's ratios take
Morphology morphology(const shape::Shape& shape, const shape::Core& core,
                      std::optional<double> volume, const shape::Obb& box);

}  // namespace scree::mass

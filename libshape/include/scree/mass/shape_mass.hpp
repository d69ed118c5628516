// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/moments.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/shape.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace scree::mass {

/// How the numbers of a MassReport came about, and what they are worth.
enum class Method {
  exactConvex,  ///< convex core swept by the rounding: closed form, to rounding
  exactMesh,    ///< closed mesh without rounding: closed form, to rounding
  coreMesh,     ///< rounded non-convex mesh: the values of the mesh without its rounding
  sheet,        ///< open surface: area times thickness, joints counted twice
};
std::string_view methodName(Method method);  ///< "exact-convex", "exact-mesh", "core-mesh", "sheet"

struct MassReport {
  SolidProperties solid;  ///< in the frame of the vertices
  Method method = Method::exactConvex;
  bool closed = false;  ///< the faces bound a volume, or the core is convex
  bool convex = false;
  bool insideOut = false;      ///< faces were wound the other way about, or not alike
  double flatness = 0.0;       ///< [L] how far corners stand off the planes of their faces
  std::optional<double> area;  ///< [L²] of the surface, where the method knows it
  double hullVolume = 0.0;     ///< [L³] of the convex hull, rounded as the method takes the body
  bool exact() const { return method == Method::exactConvex || method == Method::exactMesh; }
};

/// Mass properties of a shape as its vertices stand.
/// @throws GeometryError where there is no solid: an open mesh that is no surface, zero volume
MassReport massReport(const shape::Shape& shape);

/// Brings a shape into its body frame: volume, I/m and box are set, vertices move to the principal
/// frame about the centre of mass, `position` and `orientation` remember the way back,
/// `preCompDone` becomes true. A shape with preCompDone is left as it is, to the bit, unless
/// `recompute`. Surfaces keep their frame: their I/m is the diagonal of the tensor about their
/// centroid. @throws GeometryError as massReport
struct SurveyOptions {
  bool recompute = false;
  bool keepFrame = false;  ///< axes and origin stay; off-diagonal inertia must then vanish
  shape::BoxMethod box = shape::BoxMethod::minimum;
  bool imposedBox = false;  ///< keep the axes of the box as given, fit extents and centre
};
void survey(shape::Shape& shape, const SurveyOptions& options = {});

}  // namespace scree::mass

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/certified.hpp"
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
  exactUnion,   ///< balls alone, whatever their radii: closed form, to rounding
  certified,    ///< any body, within a proven bound
  montecarlo,   ///< Sobol points, as Rockable; no bound
  grid,         ///< cubes by their centres, as Woo; no bound
  octree,       ///< boxes inside, extrapolated, as PFC; no bound
  sheet,        ///< open surface: area times thickness, joints counted twice; no bound
};
/// "exact-convex", "exact-mesh", "exact-union", "certified", "montecarlo", "grid", "octree",
/// "sheet"
std::string_view methodName(Method method);

/// Method of computation. `automatic`: a closed form where there is one, else certified; but
/// surfaces of more than `sheetTriangles` triangles, which are terrains and never move, as sheets.
struct MassOptions {
  enum class Choice { automatic, exact, certified, montecarlo, grid, octree, sheet };
  Choice method = Choice::automatic;
  double tolerance = 1e-5;        ///< relative, of certified volumes
  std::size_t work = 60'000'000;  ///< limit of certified, see CertifiedOptions
  int divisions = 100;            ///< grid: cells along the longest side of the box
  int threads = 1;
  static constexpr std::size_t sheetTriangles = 20'000;
};

struct MassReport {
  SolidProperties solid;  ///< in the frame of the vertices
  Method method = Method::exactConvex;
  shape::Core core;            ///< in the frame of the vertices
  bool insideOut = false;      ///< faces were wound the other way about, or not alike
  std::optional<double> area;  ///< [L²] of the surface, where the method knows it
  double hullVolume = 0.0;  ///< [L³] of the convex hull, rounded as the method takes the body; 0
                            ///< for balls of different radii
  std::optional<MassBound> bound;  ///< none for methods without one
  double lost = 0.0;               ///< [-] share of the volume that the closed form is uncertain by
  std::size_t cells = 0;           ///< certified: cells looked at
  bool limited =
      false;  ///< certified: stopped short of the tolerance; the bound holds all the same
  bool exact() const {
    return method == Method::exactConvex || method == Method::exactMesh ||
           method == Method::exactUnion;
  }
};

/// Mass properties of a shape as its vertices stand.
/// @throws GeometryError where there is no solid: an open mesh that is no surface, zero volume
/// @throws GeometryError where the shape does not have the requested method
MassReport massReport(const shape::Shape& shape, const MassOptions& options = {});

/// Brings a shape into its body frame. Volume, I/m and box are set, and vertices move to the
/// principal frame about the centre of mass. `position` and `orientation` remember the way back;
/// `preCompDone` becomes true. A shape with preCompDone is left as it is, to the bit, unless
/// `recompute`. Surfaces keep their frame: their I/m is the diagonal of the tensor about their
/// centroid.
/// @throws GeometryError as massReport
struct SurveyOptions {
  bool recompute = false;
  bool keepFrame = false;  ///< axes and origin stay; off-diagonal inertia must then vanish
  shape::BoxMethod box = shape::BoxMethod::minimum;
  bool imposedBox = false;  ///< keep the axes of the box as given, fit extents and centre
  MassOptions mass = {};
};
void survey(shape::Shape& shape, const SurveyOptions& options = {});
/// The same with a report that is there already, of the shape as it stands. What its bound leaves
/// open counts as zero: axes principal to four times the bound are kept, and so is a centre.
void survey(shape::Shape& shape, const MassReport& report, const SurveyOptions& options = {});

}  // namespace scree::mass

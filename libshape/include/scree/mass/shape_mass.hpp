// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/certified.hpp"
#include "scree/mass/moments.hpp"
#include "scree/shape/obb.hpp"
#include "scree/shape/shape.hpp"

#include <optional>
#include <string_view>

namespace scree::mass {

/// Method behind the numbers of a MassReport, and their accuracy.
enum class Method {
  exactConvex,  ///< convex core swept by a ball: closed form, exact to double precision
  exactMesh,    ///< closed mesh without radius: closed form, exact to double precision
  exactUnion,   ///< balls alone, of any radii: closed form, exact to double precision
  certified,    ///< any body, within a proven bound
  montecarlo,   ///< Sobol points, as Rockable; no bound
  grid,         ///< cubes whose centre is inside, as Woo; no bound
  octree,       ///< boxes inside, extrapolated, as PFC; no bound
  sheet,        ///< open surface: area times thickness, joints counted twice; no bound
};
/// Name of a method: "exact-convex", "exact-mesh", "exact-union", "certified", "montecarlo",
/// "grid", "octree" or "sheet".
std::string_view methodName(Method method);

/// Method of computation. `automatic`: a closed form where there is one, else certified; but sheet
/// for surfaces without radius or of more than `sheetTriangles` faces: walls and terrains.
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
  bool insideOut = false;      ///< faces were wound inwards or inconsistently
  std::optional<double> area;  ///< [L²] of the surface, where the method knows it
  double hullVolume = 0.0;  ///< [L³] of the convex hull, rounding included; 0 for sheets and for
                            ///< balls of different radii
  std::optional<MassBound> bound;  ///< none for methods without one
  double lost = 0.0;               ///< [-] relative uncertainty of a volume in closed form
  std::size_t cells = 0;           ///< certified: number of cells examined
  bool limited = false;            ///< certified: stopped by `work` before the tolerance
  bool exact() const {
    return method == Method::exactConvex || method == Method::exactMesh ||
           method == Method::exactUnion;
  }
};

/// Points, edges and triangles of a shape, in the frame of its vertices. Closed faces bound a solid
/// unless the shape is a surface. @param core  coreOf(shape)
CertifiedBody bodyOf(const shape::Shape& shape, const shape::Core& core);

/// Mass properties of a shape, in the frame of its vertices.
/// @throws GeometryError if there is no solid: zero volume, or an open mesh without isSurface
/// @throws GeometryError if the requested method does not apply to the shape
MassReport massReport(const shape::Shape& shape, const MassOptions& options = {});

struct SurveyOptions {
  bool recompute = false;  ///< also for a shape with preCompDone
  bool keepFrame = false;  ///< axes and origin stay; they must be principal and the centre of mass
  shape::BoxMethod box = shape::BoxMethod::minimum;
  bool imposedBox = false;  ///< keep the axes of the box as given, fit extents and centre
  MassOptions mass = {};
};
/// Brings a shape into its body frame. Sets volume, I/m and box, and moves the vertices to the
/// principal frame about the centre of mass. `position` and `orientation` keep the way back, and
/// `preCompDone` becomes true. A shape with preCompDone stays as it is unless `recompute`. A
/// surface keeps its frame; its I/m is the diagonal of the tensor about its centroid.
/// @throws GeometryError as massReport, and if `keepFrame` is impossible
void survey(shape::Shape& shape, const SurveyOptions& options = {});
/// The same with a report of the shape as it stands. Axes that are principal to within four times
/// the bound of the report are kept, and so is an origin that near to the centre.
void survey(shape::Shape& shape, const MassReport& report, const SurveyOptions& options = {});

}  // namespace scree::mass

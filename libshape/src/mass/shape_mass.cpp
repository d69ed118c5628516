// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/mass/shape_mass.hpp"

#include "base/elementary.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace scree::mass {
namespace {

using shape::Core;
using shape::Shape;

/// Triangles of one face. Plane polygons are cut along diagonals; others are fans about their mean
/// point, as for the closed form of meshes.
void addFace(RoundedPart& part, std::span<const std::uint32_t> face, double flat) {
  if (face.size() == 3) {
    part.triangles.push_back({face[0], face[1], face[2]});
    return;
  }
  const Vec3 area = shape::detail::areaVector(part.vertices, face);
  const Vec3 middle = shape::detail::middle(part.vertices, face);
  double off = 0.0;
  if (area.norm() > 0.0)
    for (const std::uint32_t v : face)
      off = std::max(off, std::fabs(area.normalized().dot(part.vertices[v] - middle)));
  if (area.norm() > 0.0 && off <= flat) {
    shape::triangulate(part.vertices, face, part.triangles);
    return;
  }
  const auto centre = static_cast<std::uint32_t>(part.vertices.size());
  part.vertices.push_back(middle);
  for (std::size_t k = 0; k < face.size(); ++k)
    part.triangles.push_back({centre, face[k], face[(k + 1) % face.size()]});
}

/// Parts of a deviation below this are rounding: an axis or a centre that is there already stays.
constexpr double still = 1e-12;

shape::Aabb boxOf(const Shape& shape) { return shape::detail::boxAround(shape.vertices); }

/// The balls of a shape that has nothing else, in the frame of its vertices.
std::vector<Ball> ballsOf(const Shape& shape) {
  std::vector<Ball> balls;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v)
    balls.push_back({shape.vertices[v], shape.radiusAt(v)});
  return balls;
}

[[noreturn]] void refuse(const Shape& shape, const std::string& why) {
  throw GeometryError(fmt::format("shape '{}': {}", shape.name, why));
}

void fillSheet(MassReport& report, const Shape& shape) {
  report.method = Method::sheet;
  const Moments slabs = slabMoments(shape.vertices, shape.faces, shape.radius);
  if (slabs.m0 > 0.0) {
    report.solid = solidProperties(slabs);
    return;
  }
  // Without radius a surface has no volume, which is all right for a body that is driven.
  const Moments unit = slabMoments(shape.vertices, shape.faces, 1.0);
  if (unit.m0 > 0.0) report.solid.centre = unit.m1 / unit.m0;
}

void fillConvex(MassReport& report, const Shape& shape, const Core& core) {
  report.method =
      core.hull.rank == 3 && shape.radius == 0.0 ? Method::exactMesh : Method::exactConvex;
  if (core.hull.rank < 3 && shape.radius == 0.0)
    refuse(shape, "it is flat and has no radius, so it has no volume");
  report.solid = solidProperties(sweptHullMoments(core.hull, shape.radius));
  report.area = sweptHullArea(core.hull, shape.radius);
}

/// Moments of a mesh about the origin, and its volume as all tetrahedra count positively. Each
/// connected solid is seen from its own middle, so that parts far from each other lose no digits.
std::pair<Moments, double> momentsOfSolids(const Core& core) {
  Moments sum;
  double magnitude = 0.0;
  std::vector<shape::SurfaceMesh> solids = shape::connectedSolids({core.vertices, core.faces});
  for (shape::SurfaceMesh& solid : solids) {
    Vec3 o = Vec3::Zero();
    if (solids.size() > 1) o = shape::detail::boxAround(solid.vertices).centre();
    for (Vec3& v : solid.vertices) v -= o;
    const Moments own = meshMoments(solid.vertices, solid.faces);
    sum.m0 += own.m0;
    sum.m1 += own.m1 + own.m0 * o;
    sum.m2 += own.m2 + o * own.m1.transpose() + own.m1 * o.transpose() + own.m0 * o * o.transpose();
    for (std::size_t f = 0; f < solid.faces.size(); ++f)
      shape::detail::forEachTriangle(solid.vertices, solid.faces[f],
                                     [&](const Vec3& a, const Vec3& b, const Vec3& c) {
                                       magnitude += std::abs(a.dot(b.cross(c))) / 6.0;
                                     });
  }
  return {sum, magnitude};
}

void fillMesh(MassReport& report, const Core& core) {
  report.method = Method::exactMesh;
  const auto [moments, magnitude] = momentsOfSolids(core);
  report.solid = solidProperties(moments);
  // Thin walls are small differences of such sums.
  report.lost = 4e-16 * magnitude / moments.m0;
  double area = 0.0;
  for (std::size_t f = 0; f < core.faces.size(); ++f)
    area += shape::detail::areaVector(core.vertices, core.faces[f]).norm();
  report.area = area;
}

/// As `given` stands: the same bits as for the same balls in a pack.
void fillBalls(MassReport& report, const Shape& given, const Vec3& origin, int threads) {
  report.method = Method::exactUnion;
  report.solid = solidOf(ballUnionMoments(ballsOf(given), threads));
  report.solid.centre -= origin;
}

void fillCertified(MassReport& report, const CertifiedBody& body, const MassOptions& options) {
  const CertifiedMass mass = certifiedMass(
      body, {.tolerance = options.tolerance, .work = options.work, .threads = options.threads});
  if (!std::isfinite(mass.bound.inertia))
    throw GeometryError(
        fmt::format("all of its volume is still uncertain after {} cells", options.work));
  report.method = Method::certified;
  report.solid = mass.solid;
  report.bound = mass.bound;
  report.cells = mass.cells;
  report.limited = mass.limited;
}

void fillSampled(MassReport& report, const Shape& shape, const CertifiedBody& body,
                 const MassOptions& options) {
  if (options.method == MassOptions::Choice::montecarlo) {
    report.method = Method::montecarlo;
    report.solid = sobolMass(body, static_cast<std::size_t>(std::max(shape.monteCarloSteps, 1)));
  } else if (options.method == MassOptions::Choice::grid) {
    report.method = Method::grid;
    const double longest = 2.0 * (boxOf(shape).halfSize().maxCoeff() + shape.radius);
    report.solid = gridMass(body, longest / std::max(options.divisions, 1), options.threads);
  } else {
    report.method = Method::octree;
    report.solid = innerOctreeMass(body);
  }
}

/// Why a skeleton that is neither convex nor a surface has no volume, or nothing.
void checkFills(const Shape& shape, const Core& core) {
  if (core.closed) return;
  if (!core.faces.empty() && !shape.isSurface && core.hull.rank == 3)
    refuse(shape,
           fmt::format(
               "{}; {}mark it as a surface (isSurface; import --surface)", shape::whyNoSolid(core),
               core.openEdges > 0 ? "close the mesh (import --fill-holes or --wrap), or " : ""));
  if (shape.radius == 0.0)
    refuse(shape, "it has edges or vertices only and no radius, so it has no volume");
}

/// @param given  `shape` before it was moved by -`origin`
void fill(MassReport& report, const Shape& shape, const Core& core, const Shape& given,
          const Vec3& origin, const MassOptions& options) {
  using Choice = MassOptions::Choice;
  const bool any = options.method == Choice::automatic;
  const bool solid = core.closed && !core.convex;
  if (shape.isSurface && shape.faces.empty() && !core.convex)
    refuse(shape, "isSurface, but it has no faces");
  if (core.convex && (any || options.method == Choice::exact))
    return fillConvex(report, shape, core);
  if (options.method == Choice::sheet) {
    if (!shape.isSurface) refuse(shape, "method sheet is for surfaces (isSurface)");
    return fillSheet(report, shape);
  }
  // A surface that is driven needs no volume, and a terrain no more than a rough one.
  const bool sheet = shape.isSurface && !core.convex;
  if (any && sheet && (shape.radius == 0.0 || shape.faces.size() > MassOptions::sheetTriangles))
    return fillSheet(report, shape);
  checkFills(shape, core);
  if (shape::isOfBalls(shape) && (any || options.method == Choice::exact))
    return fillBalls(report, given, origin, options.threads);
  if (solid && shape.radius == 0.0 && (any || options.method == Choice::exact))
    return fillMesh(report, core);
  if (options.method == Choice::exact)
    refuse(shape, "there is no closed form for it; --method certified or auto gives proven bounds");
  const CertifiedBody body = bodyOf(shape, core);
  if (any || options.method == Choice::certified) return fillCertified(report, body, options);
  fillSampled(report, shape, body, options);
}

}  // namespace

CertifiedBody bodyOf(const shape::Shape& shape, const shape::Core& core) {
  CertifiedBody body;
  if (!shape.radii.empty()) {
    for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
      RoundedPart& ball = body.parts.emplace_back();
      ball.vertices = {shape.vertices[v]};
      ball.points = {0};
      ball.radius = shape.radii[v];
    }
    return body;
  }
  RoundedPart& part = body.parts.emplace_back();
  part.radius = shape.radius;
  if (core.convex && core.hull.rank == 3) {  // whatever faces the file lists, it fills its hull
    part.vertices = core.hull.points;
    for (std::size_t f = 0; f < core.hull.faces.size(); ++f)
      addFace(part, core.hull.faces[f], 1e300);
    part.solid = true;
    return body;
  }
  part.vertices = core.vertices;
  part.solid = core.closed && !shape.isSurface && core.hull.rank == 3;
  double size = 0.0;
  for (const Vec3& v : shape.vertices) size = std::max(size, (v - shape.vertices[0]).norm());
  for (std::size_t f = 0; f < core.faces.size(); ++f) addFace(part, core.faces[f], 1e-12 * size);
  for (const shape::Edge& e : shape.edges) part.segments.push_back({e[0], e[1]});
  for (std::uint32_t v = 0; v < shape.vertices.size(); ++v) part.points.push_back(v);
  if (part.solid && shape.radius > 0.0 && !core.sheets.empty()) {
    RoundedPart& sheets = body.parts.emplace_back();
    sheets.vertices = core.vertices;
    sheets.radius = shape.radius;
    for (std::size_t f = 0; f < core.sheets.size(); ++f)
      addFace(sheets, core.sheets[f], 1e-12 * size);
  }
  return body;
}

std::string_view methodName(Method method) {
  constexpr std::array<std::string_view, 8> names{"exact-convex", "exact-mesh", "exact-union",
                                                  "certified",    "montecarlo", "grid",
                                                  "octree",       "sheet"};
  return names[static_cast<std::size_t>(method)];
}

MassReport massReport(const Shape& given, const MassOptions& options) {
  if (given.vertices.empty()) refuse(given, "it has no vertices");
  // Seen from the middle of its box, a body far from the origin loses no digits.
  const Vec3 origin = boxOf(given).centre();
  Shape shape = given;
  for (Vec3& v : shape.vertices) v -= origin;
  MassReport report;
  report.core = shape::coreOf(shape);
  Core& core = report.core;
  report.insideOut = core.turned && !core.arranged;
  try {
    fill(report, shape, core, given, origin, options);
    if (report.exact()) report.bound = {.volume = 1e-13, .centre = 1e-13, .inertia = 1e-12};
    // Points where faces cross are rounded: the surface moves by no more than that.
    const double size = boxOf(shape).halfSize().norm(),
                 moved = given.uncertainty + (core.arranged ? 1e-15 * size : 0.0);
    if (report.exact() && core.convex) report.lost = core.hullExcess;
    if (report.exact() && (moved > 0.0 || report.lost > 1e-14)) {
      const mass::SolidProperties& solid = report.solid;
      const double off = 2.0 * moved * report.area.value_or(0.0) / solid.volume + report.lost;
      report.bound->volume += off;
      report.bound->centre += off * size / elementary::cbrt(6.0 * solid.volume / pi);
      report.bound->inertia += 2.0 * off * size * size / solid.inertiaPerMass.norm();
    }
    if (report.method != Method::sheet && shape.radii.empty())
      report.hullVolume =
          shape.radius == 0.0 ? core.hull.volume() : sweptHullMoments(core.hull, shape.radius).m0;
  } catch (const GeometryError& error) {
    const std::string what = error.what();
    if (what.starts_with("shape '")) throw;
    refuse(shape, what);
  }
  report.solid.centre += origin;
  for (std::vector<Vec3>* points : {&core.vertices, &core.hull.points})
    for (Vec3& v : *points) v += origin;
  return report;
}

void survey(Shape& shape, const SurveyOptions& options) {
  if (shape.preCompDone && !options.recompute) return;
  survey(shape, massReport(shape, options.mass), options);
}

void survey(Shape& shape, const MassReport& report, const SurveyOptions& options) {
  if (shape.preCompDone && !options.recompute) return;
  const shape::Aabb box = boxOf(shape);
  const double size = 2.0 * (box.halfSize().norm() + shape.radius);

  Vec3 centre = report.solid.centre;
  // A centre off the origin by rounding alone is at the origin: a second survey moves nothing.
  const MassBound bound = report.bound.value_or(MassBound{});
  const double unsure = 4.0 * bound.centre * elementary::cbrt(6.0 * report.solid.volume / pi);
  if (centre.cwiseAbs().maxCoeff() <= std::max(still * size, unsure)) centre.setZero();
  PrincipalFrame frame =
      principalFrame(report.solid.inertiaPerMass, std::max(1e-9, 4.0 * bound.inertia));
  if (shape.isSurface || options.keepFrame) {
    if (!shape.isSurface) {
      if (!frame.orientation.isApprox(Quat::Identity()))
        refuse(shape,
               "its axes are not principal: off-diagonal inertia cannot be kept in a shape-file");
      if (centre.cwiseAbs().maxCoeff() > std::max(1e-9 * size, unsure))
        refuse(shape, "its origin is not its centre of mass: the frame cannot be kept");
    }
    centre.setZero();
    frame.orientation = Quat::Identity();
    frame.moments = report.solid.inertiaPerMass.diagonal();
  }
  const bool turned = frame.orientation.vec() != Vec3::Zero();
  for (Vec3& v : shape.vertices) {
    v -= centre;
    if (turned) v = turnedBack(frame.orientation, v);
  }
  if (shape.preCompDone) {  // computed again: the way back leads through the old body frame
    shape.position += rotated(shape.orientation, centre);
    if (turned)
      shape.orientation =
          shape::quaternionOf(rotationMatrix(shape.orientation * frame.orientation));
  } else {
    shape.position = centre;
    shape.orientation = frame.orientation;
  }
  shape.volume = report.solid.volume;
  shape.inertiaPerMass = frame.moments;
  if (options.imposedBox) {
    Mat3 axes = shape.obb.axes;  // as given, in the frame that was left
    if (turned) axes = (rotationMatrix(frame.orientation).transpose() * axes).eval();
    shape.obb = shape::boxAlong(shape, axes);
  } else {
    shape.obb = shape::orientedBox(shape, options.box);
  }
  shape.obbGiven = true;
  shape.preCompDone = true;
  shape.ofBody = false;
}

}  // namespace scree::mass

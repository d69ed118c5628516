// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/mass/shape_mass.hpp"

#include "../detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/exact_moments.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/axes.hpp"
#include "scree/shape/core.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::mass {
namespace {

using shape::Core;
using shape::Shape;

/// Parts of a deviation below this are rounding: an axis or a centre that is there already stays.
constexpr double still = 1e-12;

shape::Aabb boxOf(const Shape& shape) {
  shape::Aabb box;
  for (const Vec3& v : shape.vertices) box.add(v);
  return box;
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
    refuse(shape, "it is flat and has no radius: it fills no space");
  report.solid = solidProperties(sweptHullMoments(core.hull, shape.radius));
  report.area = sweptHullArea(core.hull, shape.radius);
  report.hullVolume = report.solid.volume;
}

void fillMesh(MassReport& report, const Shape& shape, const Core& core) {
  report.method = shape.radius == 0.0 ? Method::exactMesh : Method::coreMesh;
  report.solid = solidProperties(meshMoments(shape.vertices, core.faces));
  report.hullVolume = core.hull.volume();
  if (report.method != Method::exactMesh) return;
  double area = 0.0;
  for (std::size_t f = 0; f < core.faces.size(); ++f)
    area += shape::detail::areaVector(shape.vertices, core.faces[f]).norm();
  report.area = area;
}

}  // namespace

std::string_view methodName(Method method) {
  switch (method) {
    case Method::exactConvex:
      return "exact-convex";
    case Method::exactMesh:
      return "exact-mesh";
    case Method::coreMesh:
      return "core-mesh";
    case Method::sheet:
      return "sheet";
  }
  return "";
}

MassReport massReport(const Shape& given) {
  if (given.vertices.empty()) refuse(given, "it has no vertices");
  // Seen from the middle of its box, a body far from the origin loses no digits.
  const Vec3 origin = boxOf(given).centre();
  Shape shape = given;
  for (Vec3& v : shape.vertices) v -= origin;
  const Core core = shape::coreOf(shape);
  MassReport report;
  report.closed = core.closed;
  report.convex = core.convex;
  report.insideOut = core.turned;
  report.flatness = core.flatness;
  try {
    if (core.convex) {
      fillConvex(report, shape, core);
    } else if (shape.isSurface) {
      if (shape.faces.empty()) refuse(shape, "isSurface, but it has no faces");
      fillSheet(report, shape);
    } else if (core.closed) {
      fillMesh(report, shape, core);
    } else if (shape.faces.empty()) {
      refuse(shape,
             "edges or vertices without faces that bound a volume: its volume cannot be computed; "
             "give volume and I/m in the file, with preCompDone y");
    } else {
      refuse(shape, fmt::format("its faces bound no volume ({} open or unpaired edge{}); close the "
                                "mesh, or mark it as a surface (isSurface; import --surface)",
                                core.openEdges, core.openEdges == 1 ? "" : "s"));
    }
  } catch (const GeometryError& error) {
    const std::string what = error.what();
    if (what.starts_with("shape '")) throw;
    refuse(shape, what);
  }
  report.solid.centre += origin;
  return report;
}

void survey(Shape& shape, const SurveyOptions& options) {
  if (shape.preCompDone && !options.recompute) return;
  const MassReport report = massReport(shape);
  const shape::Aabb box = boxOf(shape);
  const double size = 2.0 * (box.halfSize().norm() + shape.radius);

  Vec3 centre = report.solid.centre;
  // What rounding alone set off the origin is at the origin: a second survey moves nothing.
  if (centre.cwiseAbs().maxCoeff() <= still * size) centre.setZero();
  PrincipalFrame frame = principalFrame(report.solid.inertiaPerMass);
  if (shape.isSurface || options.keepFrame) {
    if (!shape.isSurface) {
      if (!frame.orientation.isApprox(Quat::Identity()))
        refuse(shape,
               "its axes are not principal: off-diagonal inertia cannot be kept in a shape-file");
      if (centre.cwiseAbs().maxCoeff() > 1e-9 * size)
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
  if (shape.preCompDone) {  // computed anew: the way back leads through the old body frame
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
    shape.obb = shape::boxAlong(shape.vertices, shape.radius, axes);
  } else {
    shape.obb = shape::orientedBox(shape.vertices, shape.radius, options.box);
  }
  shape.obbGiven = true;
  shape.preCompDone = true;
}

}  // namespace scree::mass

// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/angles.hpp"
#include "base/elementary.hpp"
#include "detail/edge_collapse.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace scree::shape {
namespace {

/// Cutting by all planes costs their number squared; bodies with more are round, and the way of
/// the others serves them as well.
constexpr std::size_t mostPlanes = 2000;

using Corners = std::vector<Vec3>;

struct Cut {
  Vec3 normal;
  double offset;
};

/// Corners of the convex body with these faces, cut by planes { normal.x <= offset }; empty where
/// nothing is left.
Corners cutBy(std::vector<Corners> faces, const std::vector<Cut>& planes, double tolerance) {
  for (const Cut& plane : planes) {
    std::vector<Corners> left;
    Corners onPlane;
    for (const Corners& face : faces) {
      Corners part;
      for (std::size_t k = 0; k < face.size(); ++k) {
        const Vec3 &p = face[k], &q = face[(k + 1) % face.size()];
        const double a = plane.normal.dot(p) - plane.offset, b = plane.normal.dot(q) - plane.offset;
        if (a <= tolerance) part.push_back(p);
        if (std::abs(a) <= tolerance) onPlane.push_back(p);
        if ((a > tolerance && b < -tolerance) || (a < -tolerance && b > tolerance)) {
          part.push_back(p + a / (a - b) * (q - p));
          onPlane.push_back(part.back());
        }
      }
      if (part.size() >= 3) left.push_back(std::move(part));
    }
    if (left.empty()) return {};
    if (onPlane.size() >= 3) {
      const Mat3 axes = axesAlong(plane.normal);
      std::vector<Vec2> inCut;
      for (const Vec3& p : onPlane) inCut.emplace_back(p.dot(axes.col(1)), p.dot(axes.col(2)));
      Corners cap;
      for (const std::uint32_t k : detail::hull2(inCut, 0.0)) cap.push_back(onPlane[k]);
      if (cap.size() >= 3) left.push_back(std::move(cap));
    }
    faces = std::move(left);
  }
  Corners out;
  for (const Corners& face : faces) out.insert(out.end(), face.begin(), face.end());
  return out;
}

/// The body that is left of a hull when its planes move in by the radius; rank < 3: none.
ConvexHull movedIn(const ConvexHull& hull, double radius, double size) {
  std::vector<Corners> faces;
  std::vector<Cut> planes;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    Corners corners;
    double offset = -1e300;
    for (const std::uint32_t v : hull.faces[f]) {
      corners.push_back(hull.points[v]);
      offset = std::max(offset, hull.normals[f].dot(hull.points[v]));
    }
    faces.push_back(std::move(corners));
    planes.push_back({hull.normals[f], offset - radius});
  }
  // Where more than three planes meet, rounding leaves several corners a hair apart.
  SurfaceMesh corners;
  corners.vertices = cutBy(std::move(faces), planes, 1e-14 * size);
  return convexHull(welded(corners, 1e-11 * size).vertices, 1e-11);
}

SurfaceMesh meshOf(const ConvexHull& hull) {
  SurfaceMesh mesh;
  mesh.vertices = hull.points;
  mesh.faces = hull.faces;
  return mesh;
}

Inset convexInset(const ConvexHull& hull, double radius, double size) {
  const ConvexHull inner = movedIn(hull, radius, size);
  if (inner.rank < 3) {
    double fits = 0.0, fitsNot = radius;
    for (int k = 0; k < 24; ++k) {
      const double middle = 0.5 * (fits + fitsNot);
      (movedIn(hull, middle, size).rank == 3 ? fits : fitsNot) = middle;
    }
    throw GeometryError(fmt::format(
        "inset: the radius {:g} is too large, nothing of the body is left; it must be below {:.3g}",
        radius, fits));
  }
  Inset out;
  out.exact = true;
  out.skeleton = meshOf(inner);
  // The distance to a convex body is convex, so the farthest points of the mesh are corners.
  const SurfaceDistance distance(out.skeleton);
  double far = 0.0;
  for (const Vec3& p : hull.points) far = std::max(far, distance.nearest(p).distance);
  out.gap = {std::max(far - radius, 0.0), std::max(far - radius, 0.0)};
  out.bulge = out.gap.atMost;
  return out;
}

/// Shift u with normal.u = -radius for all normals, in the least squares with these weights.
Vec3 leastSquaresShift(const std::vector<Vec3>& normals, const std::vector<double>& weights,
                       double radius) {
  Mat3 sum = Mat3::Zero();
  Vec3 mean = Vec3::Zero();
  for (std::size_t k = 0; k < normals.size(); ++k) {
    sum += weights[k] * normals[k] * normals[k].transpose();
    mean += weights[k] * normals[k];
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(sum);
  Vec3 shift = Vec3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = eigen.eigenvectors().col(k);
    const double value = eigen.eigenvalues()[k];
    // Directions in which the planes hardly differ are not moved along: planes that differ by less
    // than half a degree count as one.
    if (value > 1e-4 * eigen.eigenvalues()[2]) shift -= radius * axis.dot(mean) / value * axis;
  }
  return shift;
}

/// Place of a vertex once the planes of its triangles have moved in by the radius. Where more than
/// three planes meet they need not meet in one point again: then the one that misses least.
Vec3 movedVertex(const detail::CollapsingMesh& mesh, std::uint32_t v, double radius) {
  std::vector<Vec3> normals;
  std::vector<double> weights;
  for (const std::uint32_t t : mesh.trianglesAt(v)) {
    auto c = mesh.triangle(t);
    std::rotate(c.begin(), std::ranges::find(c, v), c.end());
    const Vec3 a = mesh.point(c[1]) - mesh.point(v), b = mesh.point(c[2]) - mesh.point(v);
    const Vec3 cross = a.cross(b);
    const double doubleArea = cross.norm();
    if (!(doubleArea > 0.0)) continue;
    normals.push_back(cross / doubleArea);
    // By angle, so that it does not matter how a face is cut into triangles.
    weights.push_back(elementary::atan2(doubleArea, a.dot(b)));
  }
  if (normals.empty()) return mesh.point(v);
  Vec3 best = Vec3::Zero();
  double least = 1e300;
  // Lawson's iteration: what misses gains weight, and the largest miss becomes small.
  for (int round = 0; round < 12; ++round) {
    const Vec3 shift = leastSquaresShift(normals, weights, radius);
    double most = 0.0, sum = 0.0;
    for (std::size_t k = 0; k < normals.size(); ++k) {
      const double miss = std::abs(normals[k].dot(shift) + radius);
      most = std::max(most, miss);
      sum += weights[k] *= miss + 0.01 * radius;
    }
    if (most < 0.99 * least) best = shift;
    least = std::min(least, most);
    if (!(most > 1e-9 * radius)) break;
    for (double& w : weights) w /= sum;
  }
  return mesh.point(v) + best;
}

/// Triangles that would turn over or shrink to nothing.
std::vector<std::uint32_t> turnedOver(const detail::CollapsingMesh& mesh,
                                      const std::vector<Vec3>& moved) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t t = 0; t < mesh.triangleSlots(); ++t) {
    if (!mesh.hasTriangle(t)) continue;
    const auto& c = mesh.triangle(t);
    const Vec3 before =
        (mesh.point(c[1]) - mesh.point(c[0])).cross(mesh.point(c[2]) - mesh.point(c[0]));
    const Vec3 after = (moved[c[1]] - moved[c[0]]).cross(moved[c[2]] - moved[c[0]]);
    if (!(before.dot(after) > 0.5 * before.norm() * after.norm()) ||
        !(after.norm() > 1e-4 * before.norm()))
      out.push_back(t);
  }
  return out;
}

/// Collapses the cheapest edge that may go at each of these triangles: one of its own, or else one
/// that ends at it. Whether any could.
bool collapseSome(detail::CollapsingMesh& mesh, std::vector<detail::Quadric>& quadrics,
                  const std::vector<std::uint32_t>& triangles) {
  bool any = false;
  for (const std::uint32_t t : triangles) {
    if (!mesh.hasTriangle(t)) continue;
    const auto corners = mesh.triangle(t);
    detail::CollapsePlan best;
    std::uint32_t a = 0, b = 0;
    const auto offer = [&](std::uint32_t p, std::uint32_t q) {
      if (p > q) std::swap(p, q);
      const detail::CollapsePlan plan = planCollapse(mesh, quadrics, p, q);
      if (plan.possible && (!best.possible || plan.cost < best.cost)) best = plan, a = p, b = q;
    };
    for (std::size_t k = 0; k < 3; ++k) offer(corners[k], corners[(k + 1) % 3]);
    if (!best.possible)
      for (const std::uint32_t v : corners)
        for (const std::uint32_t w : mesh.neighbours(v)) offer(v, w);
    if (!best.possible) continue;
    mesh.collapse(a, b, best.to);
    quadrics[a] += quadrics[b];
    any = true;
  }
  return any;
}

bool isInside(const SurfaceMesh& mesh, const Vec3& p) {
  double sum = 0.0;
  for (const auto& t : trianglesOf(mesh)) {
    sum += solidAngle(mesh.vertices[t[0]] - p, mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p);
  }
  return sum > 2.0 * pi;
}

[[noreturn]] void refuse(double radius, const char* why) {
  throw GeometryError(
      fmt::format("inset: the radius {:g} is too large for this mesh: {}; use a smaller one, "
                  "--simplify or --hull",
                  radius, why));
}

void measure(Inset& inset, const SurfaceMesh& mesh, double radius, double size) {
  const SurfaceDistance skeleton(inset.skeleton), surface(mesh);
  const double accuracy = std::max(0.01 * radius, 1e-6 * size);
  const Bracket far = farthest(mesh, skeleton, accuracy);
  const double near = leastDistance(mesh, skeleton);
  if (!(near > 0.0) || !isInside(mesh, inset.skeleton.vertices[0]))
    refuse(radius, "faces that are moved in pass the opposite side");
  inset.gap = {std::max(far.atLeast - radius, 0.0), std::max(far.atMost - radius, 0.0)};
  inset.excess = std::max(radius - near, 0.0);
  Shape rounded = shapeFromMesh(inset.skeleton, radius);
  for (const Vec3& p : roundedSurface(rounded, 2).points) {
    // Patches drawn piece by piece reach into each other: what is inside is not surface.
    if (skeleton.nearest(p).distance < radius * (1.0 - 1e-9)) continue;
    inset.bulge = std::max(inset.bulge, surface.nearest(p).distance);
  }
}

Inset meshInset(const SurfaceMesh& mesh, double radius, double size) {
  detail::CollapsingMesh work(mesh.vertices, trianglesOf(mesh));
  std::vector<detail::Quadric> quadrics = planeQuadrics(work);
  const std::size_t before = work.vertexCount();
  std::vector<Vec3> moved(work.size());
  while (true) {
    for (std::uint32_t v = 0; v < work.size(); ++v)
      if (work.hasVertex(v)) moved[v] = movedVertex(work, v, radius);
    const std::vector<std::uint32_t> turned = turnedOver(work, moved);
    if (turned.empty()) break;
    if (!collapseSome(work, quadrics, turned))
      refuse(radius, "triangles turn over and cannot be collapsed");
  }
  Inset out;
  out.removed = before - work.vertexCount();
  SurfaceMesh skeleton;
  skeleton.vertices = moved;
  for (std::uint32_t t = 0; t < work.triangleSlots(); ++t)
    if (work.hasTriangle(t)) skeleton.faces.add(work.triangle(t));
  out.skeleton = withoutLooseVertices(skeleton);
  if (checkMesh(out.skeleton).selfIntersections.count > 0)
    refuse(radius, "parts thinner than twice the radius would pass through each other");
  measure(out, mesh, radius, size);
  return out;
}

}  // namespace

Inset insetBy(const SurfaceMesh& given, double radius) {
  if (!(radius > 0.0) || !std::isfinite(radius))
    throw UsageError("inset: the radius must be above 0");
  if (given.faces.empty()) throw GeometryError("inset: the mesh has no face");
  SurfaceMesh mesh = withoutLooseVertices(given);
  Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  const Vec3 origin = box.centre();
  for (Vec3& v : mesh.vertices) v -= origin;
  const double size = 2.0 * box.halfSize().norm();
  const Core core = coreOf(shapeFromMesh(mesh, 0.0));
  if (!core.closed || core.hull.rank < 3)
    throw GeometryError("inset: the mesh must bound a volume, but it is open or flat");
  Inset out;
  if (core.convex && core.hull.faces.size() <= mostPlanes) {
    out = convexInset(core.hull, radius, size);
  } else {
    mesh = withoutLooseVertices({core.vertices, core.faces});
    const MeshCheck check = checkMesh(mesh);
    const auto refuseAt = [](const char* what, const MeshCheck::Finding& where) {
      throw GeometryError(
          fmt::format("inset: {} (first at face{} {}), which no radius can move "
                      "inwards; --wrap repairs it",
                      what, where.faces.size() == 1 ? "" : "s", fmt::join(where.faces, ", ")));
    };
    if (check.nonManifoldEdges.count > 0)
      refuseAt("the mesh has an edge of more than two faces", check.nonManifoldEdges);
    if (check.pinchedVertices.count > 0)
      refuseAt("parts of the mesh touch in a vertex", check.pinchedVertices);
    out = meshInset(mesh, radius, size);
  }
  for (Vec3& v : out.skeleton.vertices) v += origin;
  return out;
}

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "detail/crossings.hpp"
#include "detail/edge_collapse.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/shape/mesh_check.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

namespace scree::shape {
namespace {

[[noreturn]] void refuse(double radius, const char* why) {
  throw GeometryError(
      fmt::format("inset: with the radius {:g} {}; --simplify, --wrap and --hull remove what is "
                  "finer than a radius",
                  radius, why));
}

/// The body that is left of a hull when its planes move in by the radius; rank < 3: none. Seen from
/// a point inside, planes at distance d are points at 1/d, and faces of the hull of these points
/// are corners of the body.
ConvexHull movedIn(const ConvexHull& hull, double radius, double size) {
  const auto [centre, room] = inscribedBall(hull);
  if (!(room > radius)) return {};
  std::vector<Vec3> dual;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    double offset = -1e300;
    for (const std::uint32_t v : hull.faces[f])
      offset = std::max(offset, hull.normals[f].dot(hull.points[v] - centre));
    dual.push_back(hull.normals[f] / (offset - radius));
  }
  const ConvexHull polar = convexHull(dual, 0.0);
  SurfaceMesh corners;
  for (std::size_t f = 0; f < polar.faces.size(); ++f) {
    const Vec3& n = polar.normals[f];
    corners.vertices.push_back(centre + n / n.dot(polar.points[polar.faces[f][0]]));
  }
  // Where more than three planes meet, rounding leaves several corners a hair apart.
  return convexHull(welded(corners, 1e-11 * size).vertices, 1e-11);
}

Inset convexInset(const ConvexHull& hull, double radius, double size) {
  const ConvexHull inner = movedIn(hull, radius, size);
  if (inner.rank < 3) refuse(radius, "nothing of the body is left");
  Inset out;
  out.exact = true;
  out.skeleton = {inner.points, inner.faces};
  // The distance to a convex body is convex, so the farthest points of the mesh are corners.
  const SurfaceDistance distance(out.skeleton);
  double far = 0.0;
  for (const Vec3& p : hull.points) far = std::max(far, distance.nearest(p).distance);
  out.gap = {std::max(far - radius, 0.0), std::max(far - radius, 0.0)};
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

/// Places of the vertices once the planes of their triangles have moved in by the radius. More than
/// three planes need not meet in one point again: then the point that misses them least.
std::vector<Vec3> movedVertices(const SurfaceMesh& mesh, double radius) {
  std::vector<std::vector<Vec3>> normals(mesh.vertices.size());
  std::vector<std::vector<double>> weights(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.faces.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto c = mesh.faces[t];
      const Vec3 &v = mesh.vertices[c[k]], a = mesh.vertices[c[(k + 1) % 3]] - v,
                 b = mesh.vertices[c[(k + 2) % 3]] - v;
      const Vec3 cross = a.cross(b);
      const double doubleArea = cross.norm();
      if (!(doubleArea > 0.0)) continue;
      normals[c[k]].push_back(cross / doubleArea);
      // By angle, so that it does not matter how a face is cut into triangles.
      weights[c[k]].push_back(elementary::atan2(doubleArea, a.dot(b)));
    }
  std::vector<Vec3> moved = mesh.vertices;
  for (std::size_t v = 0; v < moved.size(); ++v) {
    Vec3 best = Vec3::Zero();
    double least = 1e300;
    // Lawson's iteration: what misses gains weight, and the largest miss becomes small.
    for (int round = 0; round < 12 && !normals[v].empty(); ++round) {
      const Vec3 shift = leastSquaresShift(normals[v], weights[v], radius);
      double most = 0.0, sum = 0.0;
      for (std::size_t k = 0; k < normals[v].size(); ++k) {
        const double miss = std::abs(normals[v][k].dot(shift) + radius);
        most = std::max(most, miss);
        sum += weights[v][k] *= miss + 0.01 * radius;
      }
      if (most < 0.99 * least) best = shift;
      least = std::min(least, most);
      if (!(most > 1e-9 * radius)) break;
      for (double& w : weights[v]) w /= sum;
    }
    moved[v] += best;
  }
  return moved;
}

/// Marks the corners of triangles that would turn over or shrink to nothing; empty: none would.
std::vector<char> turnedOver(const SurfaceMesh& mesh, const std::vector<Vec3>& moved) {
  std::vector<char> out;
  for (std::size_t t = 0; t < mesh.faces.size(); ++t) {
    const auto c = mesh.faces[t];
    const Vec3 before = detail::areaVector(mesh.vertices, c), after = detail::areaVector(moved, c);
    if (before.dot(after) > 0.5 * before.norm() * after.norm() &&
        after.norm() > 1e-4 * before.norm())
      continue;
    out.resize(moved.size(), 0);
    for (const std::uint32_t v : c) out[v] = 1;
  }
  return out;
}

/// Whether faces of one mesh meet those of the other, exactly.
bool meet(const SurfaceMesh& a, const SurfaceMesh& b) {
  std::vector<Vec3> points = a.vertices;
  points.insert(points.end(), b.vertices.begin(), b.vertices.end());
  std::vector<std::array<std::uint32_t, 3>> triangles = trianglesOf(a);
  const std::size_t ofA = triangles.size();
  const auto first = static_cast<std::uint32_t>(a.vertices.size());
  for (const auto& t : trianglesOf(b))
    triangles.push_back({first + t[0], first + t[1], first + t[2]});
  const detail::Crossings found = detail::crossings(points, triangles);
  return !found.complete ||
         std::ranges::any_of(found.pairs, [&](const auto& p) { return p[0] < ofA && p[1] >= ofA; });
}

/// Whether each connected part of a closed skeleton lies in the mesh and is not inside out.
bool liesInside(const SurfaceMesh& skeleton, const SurfaceMesh& mesh) {
  detail::Groups parts(skeleton.vertices.size());
  for (std::size_t f = 0; f < skeleton.faces.size(); ++f)
    for (const std::uint32_t v : skeleton.faces[f]) parts.join(skeleton.faces[f][0], v);
  std::map<std::uint32_t, double> volume;
  for (std::size_t f = 0; f < skeleton.faces.size(); ++f) {
    const std::uint32_t part = parts.of(skeleton.faces[f][0]);
    const Vec3& o = skeleton.vertices[part];
    detail::forEachTriangle(skeleton.vertices, skeleton.faces[f],
                            [&](const Vec3& a, const Vec3& b, const Vec3& c) {
                              volume[part] += (a - o).dot((b - o).cross(c - o));
                            });
  }
  return std::ranges::all_of(volume, [&](const auto& part) {
    return part.second > 0.0 && encloses(mesh.vertices, mesh.faces, skeleton.vertices[part.first]);
  });
}

void measure(Inset& inset, const SurfaceMesh& mesh, double radius, double size) {
  if (meet(mesh, inset.skeleton) || !liesInside(inset.skeleton, mesh))
    refuse(radius, "faces that are moved in pass the opposite side");
  const SurfaceDistance skeleton(inset.skeleton), surface(mesh);
  const Bracket far = farthest(mesh, skeleton, std::max(0.01 * radius, 1e-6 * size));
  inset.gap = {std::max(far.atLeast - radius, 0.0), std::max(far.atMost - radius, 0.0)};
  for (const Vec3& v : mesh.vertices)
    inset.excess = std::max(inset.excess, radius - skeleton.nearest(v).distance);
  for (const Vec3& v : inset.skeleton.vertices)
    inset.excess = std::max(inset.excess, radius - surface.nearest(v).distance);
  if (inset.excess > 0.5 * radius)
    refuse(radius, "the body would stand out of the mesh by more than half of it");
}

Inset meshInset(const SurfaceMesh& mesh, double radius, double size) {
  detail::CollapsingMesh work(mesh);
  Inset out;
  while (true) {
    out.skeleton = work.mesh();
    const std::vector<Vec3> moved = movedVertices(out.skeleton, radius);
    const std::vector<char> turned = turnedOver(out.skeleton, moved);
    if (turned.empty()) {
      out.skeleton.vertices = moved;
      break;
    }
    // An edge of each such triangle, or else one that ends at it.
    const auto some = static_cast<std::size_t>(std::ranges::count(turned, 1));
    if (work.collapse(some, turned, 2) == 0 && work.collapse(some, turned, 1) == 0)
      refuse(radius, "triangles turn over and cannot be collapsed");
  }
  out.skeleton = withoutLooseVertices(out.skeleton);
  out.removed = mesh.vertices.size() - out.skeleton.vertices.size();
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
  const Aabb box = detail::boxAround(mesh.vertices);
  const Vec3 origin = box.centre();
  for (Vec3& v : mesh.vertices) v -= origin;
  const double size = 2.0 * box.halfSize().norm();
  const Core core = coreOf(shapeFromMesh(mesh, 0.0));
  if (!core.closed || core.hull.rank < 3)
    throw GeometryError("inset: the mesh must bound a volume, but it is open or flat");
  Inset out;
  if (core.convex) {
    out = convexInset(core.hull, radius, size);
  } else {
    mesh = withoutLooseVertices({core.vertices, core.faces});
    const MeshCheck check = checkMesh(mesh);
    if (!check.manifold())
      throw GeometryError(
          fmt::format("inset: {}, which no radius can move inwards; --wrap repairs it",
                      fmt::join(findings(check), "; ")));
    out = meshInset(mesh, radius, size);
  }
  for (Vec3& v : out.skeleton.vertices) v += origin;
  return out;
}

}  // namespace scree::shape

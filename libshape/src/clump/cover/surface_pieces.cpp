// SPDX-License-Identifier: GPL-3.0-or-later
#include "surface_pieces.hpp"

#include "base/angles.hpp"

#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace scree::clump::detail {
namespace {

using Kind = SurfacePiece::Kind;
using Triangle = std::array<std::uint32_t, 3>;

constexpr double flatAngle = 1e-12;  ///< [rad] smaller ones are due to rounding

/// A side of a triangle, in the direction of the triangle.
struct Side {
  std::uint32_t from, to, opposite, triangle;
  Vec3 normal;
};

/// The core of a solid with what its rounded edges and vertices depend on.
struct Features {
  std::uint32_t triangles = 0;  ///< that have an area
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Side>> edges;
  std::vector<Vec3> outward;                           ///< of vertices, weighted by angles
  std::vector<std::vector<std::uint32_t>> neighbours;  ///< of vertices, each once
};

Features featuresOf(const shape::SurfaceMesh& core) {
  Features f;
  f.outward.assign(core.vertices.size(), Vec3::Zero());
  f.neighbours.resize(core.vertices.size());
  for (const Triangle& t : shape::trianglesOf(core)) {
    const std::array<Vec3, 3> at{core.vertices[t[0]], core.vertices[t[1]], core.vertices[t[2]]};
    const Vec3 normal = (at[1] - at[0]).cross(at[2] - at[0]).normalized();
    if (!(normal.squaredNorm() > 0.5)) continue;  // a triangle without area has no side
    const std::uint32_t number = f.triangles++;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
      f.edges[std::minmax(a, b)].push_back({a, b, c, number, normal});
      f.outward[a] += angleBetween(at[(k + 1) % 3] - at[k], at[(k + 2) % 3] - at[k]) * normal;
      f.neighbours[a].push_back(b);
      f.neighbours[a].push_back(c);
    }
  }
  for (auto& list : f.neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return f;
}

/// Positive where two triangles meet at an edge of less than 180 degrees of solid, 0 where they are
/// in one plane.
double bend(const shape::SurfaceMesh& core, const Side& one, const Side& other) {
  const double angle = angleBetween(one.normal, other.normal);
  if (angle <= flatAngle) return 0.0;
  const Vec3& apex = core.vertices[other.opposite];
  return one.normal.dot(apex - core.vertices[one.from]) < 0.0 ? angle : -angle;
}

void addTube(std::vector<SurfacePiece>& out, const Vec3& a, const Vec3& b, const Vec3& from,
             const Vec3& to) {
  SurfacePiece piece;
  piece.kind = Kind::tube;
  piece.core = {a, b, Vec3::Zero()};
  piece.normal = {from, to, Vec3::Zero()};
  out.push_back(piece);
}

void addEdge(std::vector<SurfacePiece>& out, const shape::SurfaceMesh& core,
             const std::vector<Side>& sides) {
  const Vec3 &a = core.vertices[sides[0].from], &b = core.vertices[sides[0].to];
  const Vec3 &n = sides[0].normal, along = (b - a).normalized();
  const Vec3 away = along.cross(n);  // in the plane of the triangle, out of it
  if (sides.size() != 2) {           // more than two triangles, or a rim: all around
    const std::array<Vec3, 4> around{n, away, -n, -away};
    for (std::size_t k = 0; k < 4; ++k) addTube(out, a, b, around[k], around[(k + 1) % 4]);
    return;
  }
  if (!(bend(core, sides[0], sides[1]) > 0.0)) return;
  const Vec3& m = sides[1].normal;
  if (n.dot(m) >= 0.0) {
    addTube(out, a, b, n, m);
    return;
  }
  const Vec3 sum = n + m;  // nearly 0 at the edge of a blade
  const Vec3 between = sum.norm() > 1e-3 ? Vec3(sum.normalized()) : away;
  addTube(out, a, b, n, between);
  addTube(out, a, b, between, m);
}

/// What is left of a cone, given by rays in order, where no ray has a part along `direction`.
std::vector<Vec3> clipped(const std::vector<Vec3>& rays, const Vec3& direction) {
  std::vector<Vec3> out;
  for (std::size_t k = 0; k < rays.size(); ++k) {
    const Vec3 &here = rays[k], &next = rays[(k + 1) % rays.size()];
    const double s = here.dot(direction), t = next.dot(direction);
    if (s <= 0.0) out.push_back(here);
    if ((s < 0.0 && t > 0.0) || (s > 0.0 && t < 0.0))
      out.push_back((here + s / (s - t) * (next - here)).normalized());
  }
  return out;
}

/// The directions from which a vertex is the nearest point of what is around it.
void addVertex(std::vector<SurfacePiece>& out, const shape::SurfaceMesh& core,
               const Features& features, std::uint32_t vertex) {
  constexpr double leastArea = 1e-14;  // [sr] less is rounding
  const Vec3& at = core.vertices[vertex];
  for (int octant = 0; octant < 8; ++octant) {
    const bool x = octant & 1, y = octant & 2, z = octant & 4;
    std::vector<Vec3> rays{Vec3(x ? -1 : 1, 0, 0), Vec3(0, y ? -1 : 1, 0), Vec3(0, 0, z ? -1 : 1)};
    for (const std::uint32_t other : features.neighbours[vertex]) {
      rays = clipped(rays, core.vertices[other] - at);
      if (rays.size() < 3) break;
    }
    for (std::size_t k = 2; k < rays.size(); ++k) {
      SurfacePiece piece;
      piece.kind = Kind::cap;
      piece.core = {at, Vec3::Zero(), Vec3::Zero()};
      piece.normal = {rays[0], rays[k - 1], rays[k]};
      // At the bottom of a pit these directions lead into the solid.
      const Vec3 mean = rays[0] + rays[k - 1] + rays[k];
      if (piece.area(1.0) > leastArea && mean.dot(features.outward[vertex]) > 0.0)
        out.push_back(piece);
    }
  }
}

/// Distances from the core are rounded by less.
double roundingOf(const SolidDistance& solid) {
  return 1e-12 * (solid.high() - solid.low()).norm() +
         4e-16 * solid.high().cwiseAbs().cwiseMax(solid.low().cwiseAbs()).norm();
}

/// Whether the surface is like that of a ball, by Euler's formula. Then each edge has two
/// triangles, all hang together by edges, and no vertex joins parts that no edge joins.
bool isLikeSphere(const Features& features) {
  std::vector<std::uint32_t> root(features.triangles);
  std::iota(root.begin(), root.end(), 0u);
  const auto find = [&](std::uint32_t k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
  };
  for (const auto& [edge, sides] : features.edges) {
    if (sides.size() != 2) return false;
    root[find(sides[0].triangle)] = find(sides[1].triangle);
  }
  std::ptrdiff_t parts = 0, vertices = 0;
  for (std::uint32_t k = 0; k < features.triangles; ++k) parts += find(k) == k;
  for (const auto& list : features.neighbours) vertices += !list.empty();
  return parts == 1 && vertices - std::ssize(features.edges) + features.triangles == 2;
}

}  // namespace

Vec3 SurfacePiece::corner(std::size_t k, double radius) const {
  if (kind == Kind::flat) return core[k];
  if (kind == Kind::cap) return core[0] + radius * normal[k];
  return core[k == 1 || k == 2 ? 1 : 0] + radius * normal[k / 2];
}

Vec3 SurfacePiece::middle(double radius) const {
  if (kind == Kind::flat) return (core[0] + core[1] + core[2]) / 3.0;
  if (kind == Kind::tube)
    return 0.5 * (core[0] + core[1]) + radius * (normal[0] + normal[1]).normalized();
  return core[0] + radius * (normal[0] + normal[1] + normal[2]).normalized();
}

double SurfacePiece::reach(double radius) const {
  double reach = 0.0;
  const Vec3 m = middle(radius);
  // The corners are the farthest: a ball meets a sphere in a cap, and caps below a hemisphere are
  // convex. On a tube the way along the axis is across the rest.
  if (kind != Kind::tube) {
    for (std::size_t k = 0; k < 3; ++k) reach = std::max(reach, (corner(k, radius) - m).norm());
    return reach;
  }
  const Vec3 n = (normal[0] + normal[1]).normalized();
  return std::sqrt(0.25 * (core[1] - core[0]).squaredNorm() +
                   radius * radius * (normal[0] - n).squaredNorm());
}

double SurfacePiece::area(double radius) const {
  if (kind == Kind::flat) return 0.5 * (core[1] - core[0]).cross(core[2] - core[0]).norm();
  if (kind == Kind::tube)
    return (core[1] - core[0]).norm() * radius * angleBetween(normal[0], normal[1]);
  return radius * radius * std::fabs(solidAngleOfUnits(normal[0], normal[1], normal[2]));
}

SurfacePieces surfacePieces(const SolidDistance& solid) {
  SurfacePieces all;
  std::vector<SurfacePiece>& out = all.pieces;
  const double radius = solid.radius();
  for (const auto& t : solid.triangles()) {
    SurfacePiece piece;
    piece.core = t;
    piece.normal.fill(Vec3::Zero());
    if (radius > 0.0) {
      piece.normal[0] = (t[1] - t[0]).cross(t[2] - t[0]).normalized();
      if (!(piece.normal[0].squaredNorm() > 0.5)) continue;
      for (Vec3& corner : piece.core) corner += radius * piece.normal[0];
    }
    out.push_back(piece);
  }
  if (radius == 0.0) return all;
  const Features features = featuresOf(solid.core());
  for (const auto& [edge, sides] : features.edges) addEdge(out, solid.core(), sides);
  for (std::uint32_t k = 0; k < features.neighbours.size(); ++k)
    if (!features.neighbours[k].empty()) addVertex(out, solid.core(), features, k);
  all.rounding = roundingOf(solid);
  all.mayHide = !isLikeSphere(features);
  for (const auto& [edge, sides] : features.edges)
    all.mayHide = all.mayHide || sides.size() != 2 || bend(solid.core(), sides[0], sides[1]) < 0.0;
  return all;
}

}  // namespace scree::clump::detail

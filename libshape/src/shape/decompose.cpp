// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/angles.hpp"
#include "detail/cgal_hull.hpp"
#include "detail/half_edges.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/rng.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace scree::shape {
namespace {

using Triangle = std::array<std::uint32_t, 3>;
constexpr double flatness = 1e-9;  ///< of the size: vertices nearer to a cut lie on it

/// A closed surface: triangles whose edges cancel, counter-clockwise seen from outside. Caps of
/// cuts may overlap themselves where holes are in them; volumes take that into account.
struct Piece {
  std::vector<Vec3> points;
  std::vector<Triangle> triangles;
  double volume = 0.0;
  ConvexHull hull;
  bool done = false;  ///< no cut makes it better
  double excess() const { return std::max(hull.volume() - volume, 0.0); }
};

struct Plane {
  Vec3 normal;
  double offset;
};

double volumeOf(const Piece& piece) {
  if (piece.points.empty()) return 0.0;
  double sum = 0.0;
  const Vec3& o = piece.points[0];
  for (const Triangle& t : piece.triangles)
    sum +=
        (piece.points[t[0]] - o).dot((piece.points[t[1]] - o).cross(piece.points[t[2]] - o)) / 6.0;
  return sum;
}

void dropUnused(Piece& piece) {
  std::vector<std::uint32_t> number(piece.points.size(), UINT32_MAX);
  std::vector<Vec3> points;
  for (Triangle& t : piece.triangles)
    for (std::uint32_t& v : t) {
      if (number[v] == UINT32_MAX) {
        number[v] = static_cast<std::uint32_t>(points.size());
        points.push_back(piece.points[v]);
      }
      v = number[v];
    }
  piece.points = std::move(points);
}

/// Closed lines that bound these triangles, run as the triangles run them.
std::vector<std::vector<std::uint32_t>> boundary(const std::vector<Triangle>& triangles) {
  std::map<Edge, int> net;  // times run from low to high, less the other way
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      if (a != b) net[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  std::multimap<std::uint32_t, std::uint32_t> next;
  for (const auto& [edge, times] : net)
    for (int k = 0; k < std::abs(times); ++k)
      next.emplace(edge[times > 0 ? 0 : 1], edge[times > 0 ? 1 : 0]);
  std::vector<std::vector<std::uint32_t>> loops;
  while (!next.empty()) {
    std::vector<std::uint32_t> path{next.begin()->first};
    for (auto at = next.begin(); at != next.end(); at = next.find(path.back())) {
      const std::uint32_t to = at->second;
      next.erase(at);
      const auto back = std::ranges::find(path, to);
      if (back == path.end()) {
        path.push_back(to);
        continue;
      }
      loops.emplace_back(back, path.end());
      path.erase(back + 1, path.end());
    }
  }
  return loops;
}

/// Both sides of a cut: below the plane (normal.x < offset), above it.
std::array<Piece, 2> cut(const Piece& piece, const Plane& plane, double tolerance) {
  std::array<Piece, 2> side;
  std::vector<Vec3> points = piece.points;
  std::vector<int> sign;
  std::vector<double> height;
  for (const Vec3& p : piece.points) {
    height.push_back(plane.normal.dot(p) - plane.offset);
    sign.push_back(height.back() > tolerance ? 1 : height.back() < -tolerance ? -1 : 0);
  }
  std::map<Edge, std::uint32_t> cutAt;
  const auto crossing = [&](std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    const auto [found, fresh] =
        cutAt.try_emplace(Edge{a, b}, static_cast<std::uint32_t>(points.size()));
    if (fresh) {
      const double t = height[a] / (height[a] - height[b]);
      points.push_back(piece.points[a] + t * (piece.points[b] - piece.points[a]));
    }
    return found->second;
  };
  for (const Triangle& t : piece.triangles) {
    if (sign[t[0]] == 0 && sign[t[1]] == 0 && sign[t[2]] == 0) {
      // A face in the plane bounds what lies behind it.
      const Vec3 n =
          (piece.points[t[1]] - piece.points[t[0]]).cross(piece.points[t[2]] - piece.points[t[0]]);
      side[n.dot(plane.normal) > 0.0 ? 0 : 1].triangles.push_back(t);
      continue;
    }
    for (const int s : {-1, 1}) {
      std::vector<std::uint32_t> part;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = t[k], b = t[(k + 1) % 3];
        if (sign[a] * s >= 0) part.push_back(a);
        if (sign[a] * sign[b] < 0) part.push_back(crossing(a, b));
      }
      if (std::ranges::all_of(part, [&](std::uint32_t v) { return v < sign.size() && !sign[v]; }))
        continue;
      for (std::size_t k = 2; k < part.size(); ++k)
        side[s < 0 ? 0 : 1].triangles.push_back({part[0], part[k - 1], part[k]});
    }
  }
  std::vector<Triangle> cap;
  for (auto& loop : boundary(side[0].triangles)) {
    std::ranges::reverse(loop);
    triangulate(points, loop, cap);
  }
  for (const Triangle& t : cap) {
    side[0].triangles.push_back(t);
    side[1].triangles.push_back({t[0], t[2], t[1]});
  }
  for (Piece& p : side) {
    p.points = points;
    dropUnused(p);
    p.volume = volumeOf(p);
  }
  return side;
}

/// The connected parts of a piece; itself where one of them is a cavity.
std::vector<Piece> components(const Piece& piece) {
  std::vector<std::uint32_t> parent(piece.points.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Triangle& t : piece.triangles)
    for (const std::uint32_t v : t) {
      const std::uint32_t a = root(t[0]), b = root(v);
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::map<std::uint32_t, Piece> parts;
  for (const Triangle& t : piece.triangles) parts[root(t[0])].triangles.push_back(t);
  std::vector<Piece> out;
  for (auto& [first, part] : parts) {
    part.points = piece.points;
    dropUnused(part);
    part.volume = volumeOf(part);
    if (!(part.volume > 0.0)) return {piece};
    out.push_back(std::move(part));
  }
  return out;
}

struct Reflex {
  double weight;  ///< length times sine of the turn
  Vec3 at, left, right;
};

std::vector<Reflex> reflexEdges(const Piece& piece) {
  std::map<Edge, std::array<std::uint32_t, 2>> faces;
  constexpr std::uint32_t noFace = UINT32_MAX;
  for (std::uint32_t f = 0; f < piece.triangles.size(); ++f)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = piece.triangles[f][k], b = piece.triangles[f][(k + 1) % 3];
      auto& pair =
          faces.try_emplace(Edge{std::min(a, b), std::max(a, b)}, std::array{noFace, noFace})
              .first->second;
      pair[a < b ? 0 : 1] = f;
    }
  const auto normal = [&](std::uint32_t f) {
    const Triangle& t = piece.triangles[f];
    return Vec3(
        (piece.points[t[1]] - piece.points[t[0]]).cross(piece.points[t[2]] - piece.points[t[0]]));
  };
  std::vector<Reflex> reflex;
  for (const auto& [edge, pair] : faces) {
    if (pair[0] == noFace || pair[1] == noFace) continue;
    const Vec3 left = normal(pair[0]), right = normal(pair[1]);
    if (!(left.norm() > 0.0 && right.norm() > 0.0)) continue;
    // pair[0] runs the edge from low to high: with it on the left, a valley turns the other way.
    const Vec3 along = piece.points[edge[1]] - piece.points[edge[0]];
    const double turn = left.normalized().cross(right.normalized()).dot(along);
    if (turn < -1e-6 * along.norm())
      reflex.push_back({-turn, piece.points[edge[0]], left.normalized(), right.normalized()});
  }
  return reflex;
}

/// Planes along the reflex edges, the longest and sharpest first, and across three axes.
std::vector<Plane> candidates(const Piece& piece) {
  std::vector<Reflex> reflex = reflexEdges(piece);
  std::ranges::stable_sort(reflex, std::greater{}, &Reflex::weight);
  std::vector<Plane> planes;
  const auto offer = [&](const Vec3& n, double offset) {
    for (const Plane& p : planes) {
      const double same = p.normal.dot(n) > 0.0 ? 1.0 : -1.0;
      if ((same * p.normal - n).norm() < 1e-6 && std::abs(same * p.offset - offset) < 1e-9) return;
    }
    planes.push_back({n, offset});
  };
  for (std::size_t k = 0; k < std::min<std::size_t>(reflex.size(), 8); ++k) {
    const Reflex& r = reflex[k];
    offer(r.left, r.left.dot(r.at));
    offer(r.right, r.right.dot(r.at));
    if (const Vec3 across = r.left - r.right; across.norm() > 1e-6)
      offer(across.normalized(), across.normalized().dot(r.at));
  }
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : piece.hull.points) mean += p;
  mean /= static_cast<double>(piece.hull.points.size());
  Mat3 spread = Mat3::Zero();
  for (const Vec3& p : piece.hull.points) spread += (p - mean) * (p - mean).transpose();
  const Mat3 axes = Eigen::SelfAdjointEigenSolver<Mat3>(spread).eigenvectors();
  for (int k = 0; k < 3; ++k) {
    double low = 1e300, high = -1e300;
    for (const Vec3& p : piece.hull.points) {
      low = std::min(low, axes.col(k).dot(p));
      high = std::max(high, axes.col(k).dot(p));
    }
    for (int step = 1; step < 8; ++step) offer(axes.col(k), low + (high - low) * step / 8.0);
  }
  return planes;
}

/// Volume of the hull of points, to 1e-10 of the size cubed. Cuts leave many points in one plane,
/// which cost exact arithmetic. A shift far below what matters spares it.
double hullVolume(std::vector<Vec3> points, double size) {
  Rng rng(1);
  for (Vec3& p : points)
    for (int k = 0; k < 3; ++k) p[k] += 1e-11 * size * rng.uniform(-1.0, 1.0);
  double sum = 0.0;
  for (const auto& t : detail::hullTriangles(points))
    sum +=
        (points[t[0]] - points[0]).dot((points[t[1]] - points[0]).cross(points[t[2]] - points[0])) /
        6.0;
  return sum;
}

std::vector<Piece> piecesOf(const Piece& piece, const Plane& plane, double size) {
  std::vector<Piece> pieces;
  for (const Piece& side : cut(piece, plane, flatness * size))
    for (Piece& part : components(side)) pieces.push_back(std::move(part));
  return pieces;
}

/// The pieces of the best cut; empty where none leaves less volume too much.
std::vector<Piece> split(const Piece& piece, double size, int threads) {
  const std::vector<Plane> planes = candidates(piece);
  std::vector<double> excess(planes.size(), 1e300);
  parallelJobs(threads, planes.size(), [&](std::size_t k) {
    const std::vector<Piece> pieces = piecesOf(piece, planes[k], size);
    if (pieces.size() < 2) return;
    double sum = 0.0;
    for (const Piece& part : pieces) {
      if (!(part.volume > 0.0) || part.points.size() < 4) return;
      sum += std::max(hullVolume(part.points, size) - part.volume, 0.0);
    }
    excess[k] = sum;
  });
  // Cuts that are as good to rounding: the first.
  const double equal = 1e-9 * size * size * size;
  std::size_t best = 0;
  for (std::size_t k = 1; k < planes.size(); ++k)
    if (excess[k] < excess[best] - equal) best = k;
  if (planes.empty() || excess[best] > piece.excess() + equal) return {};
  if (excess[best] >= piece.excess() - equal) {
    // The first cut of a ring gains nothing, the second does: the cut that ends most valleys.
    const auto valleys = [](const Piece& p) {
      double sum = 0.0;
      for (const Reflex& r : reflexEdges(p)) sum += r.weight;
      return sum;
    };
    double least = valleys(piece) * (1.0 - 1e-6);
    std::size_t chosen = planes.size();
    for (std::size_t k = 0; k < planes.size(); ++k) {
      if (excess[k] > excess[best] + equal) continue;
      double sum = 0.0;
      for (const Piece& part : piecesOf(piece, planes[k], size)) sum += valleys(part);
      if (sum < least * (1.0 - 1e-9)) least = sum, chosen = k;
    }
    if (chosen == planes.size()) return {};
    best = chosen;
  }
  std::vector<Piece> pieces = piecesOf(piece, planes[best], size);
  for (Piece& part : pieces) {
    part.hull = convexHull(part.points, flatness);
    if (part.hull.rank < 3) return {};
  }
  return pieces;
}

}  // namespace

std::vector<SurfaceMesh> connectedSolids(const SurfaceMesh& mesh) {
  detail::Groups groups(mesh.faces.size());
  detail::forEachEdge(detail::sortedHalfEdges(mesh.faces),
                      [&](std::span<const detail::HalfEdge> around) {
                        for (const auto& h : around) groups.join(around[0].face, h.face);
                      });
  std::map<std::uint32_t, SurfaceMesh> shells;
  for (std::uint32_t f = 0; f < mesh.faces.size(); ++f)
    shells[groups.of(f)].faces.add(mesh.faces[f]);
  std::vector<std::pair<double, SurfaceMesh>> solids, cavities;
  for (auto& [first, shell] : shells) {
    const double volume = signedVolume(mesh.vertices, shell.faces);
    (volume > 0.0 ? solids : cavities).emplace_back(volume, std::move(shell));
  }
  std::ranges::stable_sort(solids, std::greater{}, [](const auto& s) { return s.first; });
  const std::vector<std::pair<double, SurfaceMesh>> outer = solids;
  for (const auto& [volume, cavity] : cavities) {
    const Vec3& p = mesh.vertices[cavity.faces[0][0]];
    for (std::size_t k = outer.size(); k-- > 0;) {  // the smallest solid around it
      double angle = 0.0;
      for (const auto& t : trianglesOf({mesh.vertices, outer[k].second.faces}))
        angle +=
            solidAngle(mesh.vertices[t[0]] - p, mesh.vertices[t[1]] - p, mesh.vertices[t[2]] - p);
      if (angle < 2.0 * pi) continue;
      for (std::size_t f = 0; f < cavity.faces.size(); ++f)
        solids[k].second.faces.add(cavity.faces[f]);
      break;
    }
  }
  std::vector<SurfaceMesh> out;
  for (auto& [volume, solid] : solids)
    out.push_back(withoutLooseVertices({mesh.vertices, solid.faces}));
  return out;
}

Decomposition convexParts(const SurfaceMesh& given, std::size_t mostParts, int threads) {
  constexpr std::size_t mostTriangles = 20000;
  if (mostParts < 1 || mostParts > 1000)
    throw UsageError("convex parts: expected a number from 1 to 1000");
  SurfaceMesh mesh = withoutLooseVertices(given);
  Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  const Vec3 origin = mesh.vertices.empty() ? Vec3::Zero() : box.centre();
  for (Vec3& v : mesh.vertices) v -= origin;
  const Core core = coreOf(shapeFromMesh(mesh, 0.0));
  if (!core.closed || core.hull.rank < 3)
    throw GeometryError("convex parts: the mesh must bound a volume, but it is open or flat");
  mesh.faces = core.convex ? core.hull.faces : core.faces;
  mesh.vertices = core.convex ? core.hull.points : core.vertices;
  Piece whole;
  whole.points = mesh.vertices;
  whole.triangles = trianglesOf(mesh);
  if (whole.triangles.size() > mostTriangles)
    throw GeometryError(
        fmt::format("convex parts: {} triangles take too long; simplify to less than {} first",
                    whole.triangles.size(), mostTriangles));
  whole.volume = volumeOf(whole);
  const double size = 2.0 * box.halfSize().norm();

  Decomposition out;
  out.volume = whole.volume;
  std::vector<Piece> pieces = components(whole);
  for (Piece& p : pieces) p.hull = convexHull(p.points, flatness);
  if (pieces.size() > mostParts)
    throw GeometryError(
        fmt::format("convex parts: the body has {} components, more than the {} parts requested",
                    pieces.size(), mostParts));
  while (true) {
    double excess = 0.0;
    Piece* worst = nullptr;
    for (Piece& p : pieces) {
      excess += p.excess();
      if (!p.done && (!worst || p.excess() > worst->excess())) worst = &p;
    }
    if (!worst || !(excess > 1e-9 * out.volume) || pieces.size() >= mostParts) break;
    std::vector<Piece> parts = split(*worst, size, threads);
    if (parts.empty() || pieces.size() - 1 + parts.size() > mostParts) {
      worst->done = true;
      continue;
    }
    *worst = std::move(parts[0]);
    for (std::size_t k = 1; k < parts.size(); ++k) pieces.push_back(std::move(parts[k]));
  }
  std::ranges::stable_sort(pieces, std::greater{}, [](const Piece& p) { return p.hull.volume(); });
  for (Piece& p : pieces) {
    out.partsVolume += p.hull.volume();
    for (Vec3& v : p.hull.points) v += origin;
    out.parts.push_back(std::move(p.hull));
  }
  return out;
}

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "detail/cgal.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/rng.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/make.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace scree::shape {
namespace {

constexpr double flatness = 1e-9;  ///< of the size: vertices nearer to a cut lie on it

/// A closed surface of triangles, counter-clockwise seen from outside. Caps of cuts may overlap
/// themselves where holes are in them; volumes take that into account.
struct Piece {
  explicit Piece(SurfaceMesh surface) : mesh(std::move(surface)) {
    if (!mesh.faces.empty()) volume = signedVolume(mesh.vertices, mesh.faces);
  }
  SurfaceMesh mesh;
  double volume = 0.0;
  ConvexHull hull;
  bool done = false;  ///< no cut makes it better
  double excess() const { return std::max(hull.volume() - volume, 0.0); }
};

struct Plane {
  Vec3 normal;
  double offset;
};

/// The connected parts of a piece; itself where they do not have its volume.
std::vector<Piece> components(const Piece& piece) {
  std::vector<Piece> out;
  double sum = 0.0;
  for (SurfaceMesh& solid : connectedSolids(piece.mesh)) {
    out.emplace_back(std::move(solid));
    sum += out.back().volume;
  }
  if (!(std::abs(sum - piece.volume) <= 1e-9 * piece.volume)) return {piece};
  return out;
}

/// Whether the faces hang together by their vertices; those around a cavity do not.
bool isOneShell(const SurfaceMesh& mesh) {
  detail::Groups groups(mesh.vertices.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (const std::uint32_t v : mesh.faces[f]) groups.join(mesh.faces[f][0], v);
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v)
    if (groups.of(v) != groups.of(0)) return false;
  return true;
}

struct Reflex {
  double weight;  ///< length times sine of the turn
  Vec3 at, left, right;
};

std::vector<Reflex> reflexEdges(const SurfaceMesh& mesh) {
  std::vector<Reflex> reflex;
  detail::forEachEdge(
      detail::sortedHalfEdges(mesh.faces), [&](std::span<const detail::HalfEdge> e) {
        if (e.size() != 2 || e[0].forward == e[1].forward) return;
        const std::size_t first = e[0].forward ? 0 : 1;
        const Vec3 left = detail::areaVector(mesh.vertices, mesh.faces[e[first].face]),
                   right = detail::areaVector(mesh.vertices, mesh.faces[e[1 - first].face]);
        if (!(left.norm() > 0.0 && right.norm() > 0.0)) return;
        // The left face runs the edge from low to high: a valley turns the other way.
        const Vec3 at = mesh.vertices[e[0].low], along = mesh.vertices[e[0].high] - at;
        const double turn = left.normalized().cross(right.normalized()).dot(along);
        if (turn < -1e-6 * along.norm())
          reflex.push_back({-turn, at, left.normalized(), right.normalized()});
      });
  return reflex;
}

/// Planes along the reflex edges, the longest and sharpest first, and across the axes of the frame.
std::vector<Plane> candidates(const Piece& piece) {
  std::vector<Reflex> reflex = reflexEdges(piece.mesh);
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
  const Aabb box = detail::boxAround(piece.hull.points);
  for (int k = 0; k < 3; ++k)
    for (int step = 1; step < 8; ++step)
      offer(Vec3::Unit(k), box.low[k] + (box.high[k] - box.low[k]) * step / 8.0);
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

/// The pieces of the best cut; empty where none leaves less volume too much.
std::vector<Piece> split(const Piece& piece, double size, int threads) {
  const std::vector<Plane> planes = candidates(piece);
  const double equal = 1e-9 * size * size * size;
  // Edges in the plane of a cut through a cavity are no valleys any more.
  const auto valleys = [&](const Piece& p, const Plane* cut) {
    double sum = 0.0;
    for (const Reflex& r : reflexEdges(p.mesh))
      if (!cut || std::abs(cut->normal.dot(r.at) - cut->offset) > flatness * size ||
          std::abs(cut->normal.dot(r.left.cross(r.right))) > 1e-6)
        sum += r.weight;
    return sum;
  };
  struct Cut {
    double excess = 1e300, valleys = 1e300;
    std::vector<Piece> pieces;
  };
  std::vector<Cut> cuts(planes.size());
  parallelJobs(threads, planes.size(), [&](std::size_t k) {
    Cut out{0.0, 0.0, {}};
    for (SurfaceMesh& side :
         cutAlong(piece.mesh, planes[k].normal, planes[k].offset, flatness * size))
      std::ranges::move(components(Piece(std::move(side))), std::back_inserter(out.pieces));
    if (out.pieces.size() < 2) return;
    // A piece of which the cavity takes all has no volume, and goes.
    std::erase_if(out.pieces, [&](const Piece& p) { return std::abs(p.volume) <= equal; });
    for (const Piece& part : out.pieces) {
      if (!(part.volume > 0.0) || part.mesh.vertices.size() < 4) return;
      out.excess += std::max(hullVolume(part.mesh.vertices, size) - part.volume, 0.0);
      out.valleys += valleys(part, &planes[k]);
    }
    cuts[k] = std::move(out);
  });
  // The first cut of a ring gains nothing, the second does: of cuts that leave as much excess to
  // rounding the one counts that ends most valleys, and of those the first.
  Cut best{piece.excess() - equal, valleys(piece, nullptr) * (1.0 - 1e-6), {}};
  bool gains = false;
  for (Cut& cut : cuts)
    if (cut.excess < best.excess - (gains ? equal : 0.0)) best = std::move(cut), gains = true;
  if (!gains)
    for (Cut& cut : cuts)
      if (cut.excess <= piece.excess() + equal && cut.valleys < best.valleys * (1.0 - 1e-9))
        best = std::move(cut);
  for (Piece& part : best.pieces) {
    part.hull = convexHull(part.mesh.vertices, flatness);
    if (part.hull.rank < 3) return {};
  }
  return std::move(best.pieces);
}

using Loop = std::vector<std::uint32_t>;

/// Loops of a cap as outer ones alone: a hole becomes a part of the loop around it. From the corner
/// of all holes that is farthest along an axis, a ray along it meets that loop first, and one of
/// its corners beyond can be seen. O(n²) for each hole.
std::vector<Loop> withoutHoles(const std::vector<Vec3>& points, const Vec3& normal,
                               const std::vector<Loop>& loops) {
  const Mat3 axes = axesAlong(normal);
  const auto flat = [&](std::uint32_t v) {
    return Vec2(axes.col(1).dot(points[v]), axes.col(2).dot(points[v]));
  };
  const auto along = [&](std::uint32_t v) { return flat(v).x(); };
  std::vector<Loop> outer, holes, left;
  for (const Loop& loop : loops)
    (detail::areaVector(points, loop).dot(normal) < 0.0 ? holes : outer).push_back(loop);
  for (Loop& hole : holes) std::ranges::rotate(hole, std::ranges::max_element(hole, {}, along));
  std::ranges::stable_sort(holes, std::greater{}, [&](const Loop& h) { return along(h[0]); });
  for (Loop& hole : holes) {
    const Vec2 from = flat(hole[0]);
    Loop* around = nullptr;
    double first = HUGE_VAL;
    for (Loop& loop : outer)
      for (std::size_t m = 0; m < loop.size(); ++m) {
        const Vec2 a = flat(loop[m]), b = flat(loop[(m + 1) % loop.size()]);
        if ((a.y() > from.y()) == (b.y() > from.y())) continue;
        const double at = a.x() + (from.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
        if (at >= from.x() && at < first) first = at, around = &loop;
      }
    const auto isSeen = [&](const Vec2& p) {
      for (std::size_t m = 0; m < around->size(); ++m) {
        const Vec2 a = flat((*around)[m]), b = flat((*around)[(m + 1) % around->size()]);
        if (a != p && b != p && a != from && b != from && detail::segmentsMeet(from, p, a, b))
          return false;
      }
      return true;
    };
    std::optional<std::size_t> to;
    for (std::size_t m = 0; around && m < around->size(); ++m)
      if (const Vec2 p = flat((*around)[m]);
          p.x() >= from.x() && (!to || (p - from).norm() < (flat((*around)[*to]) - from).norm()) &&
          isSeen(p))
        to = m;
    if (!to) {
      left.push_back(std::move(hole));
      continue;
    }
    hole.push_back(hole[0]);
    hole.push_back((*around)[*to]);
    around->insert(around->begin() + static_cast<std::ptrdiff_t>(*to) + 1, hole.begin(),
                   hole.end());
  }
  outer.insert(outer.end(), left.begin(), left.end());
  return outer;
}

}  // namespace

std::array<SurfaceMesh, 2> cutAlong(const SurfaceMesh& mesh, const Vec3& normal, double offset,
                                    double tolerance) {
  std::array<Polygons, 2> side;
  std::vector<Vec3> points = mesh.vertices;
  std::vector<int> sign;
  std::vector<double> height;
  for (const Vec3& p : mesh.vertices) {
    height.push_back(normal.dot(p) - offset);
    sign.push_back(height.back() > tolerance ? 1 : height.back() < -tolerance ? -1 : 0);
  }
  std::map<Edge, std::uint32_t> cutAt;
  const auto crossing = [&](std::uint32_t a, std::uint32_t b) {
    if (a > b) std::swap(a, b);
    const auto [found, fresh] =
        cutAt.try_emplace(Edge{a, b}, static_cast<std::uint32_t>(points.size()));
    if (fresh) {
      const double t = height[a] / (height[a] - height[b]);
      points.push_back(mesh.vertices[a] + t * (mesh.vertices[b] - mesh.vertices[a]));
    }
    return found->second;
  };
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto t = mesh.faces[f];
    if (sign[t[0]] == 0 && sign[t[1]] == 0 && sign[t[2]] == 0) {
      // A face in the plane bounds what lies behind it.
      side[detail::areaVector(points, t).dot(normal) > 0.0 ? 0 : 1].add(t);
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
        side[s < 0 ? 0 : 1].add({part[0], part[k - 1], part[k]});
    }
  }
  std::vector<Edge> rim;  // of the lower side, run as a cap runs them
  detail::forEachEdge(detail::sortedHalfEdges(side[0]), [&](std::span<const detail::HalfEdge> e) {
    int net = 0;
    for (const detail::HalfEdge& h : e) net += h.forward ? 1 : -1;
    for (; net > 0; --net) rim.push_back({e[0].high, e[0].low});
    for (; net < 0; ++net) rim.push_back({e[0].low, e[0].high});
  });
  std::vector<std::array<std::uint32_t, 3>> cap;
  for (const auto& loop : withoutHoles(points, normal, detail::loopsOf(rim)))
    triangulate(points, loop, cap);
  for (const auto& t : cap) {
    side[0].add(t);
    side[1].add({t[0], t[2], t[1]});
  }
  return {withoutLooseVertices({points, side[0]}), withoutLooseVertices({points, side[1]})};
}

std::vector<SurfaceMesh> connectedSolids(const SurfaceMesh& mesh) {
  detail::Groups groups(mesh.faces.size());
  // Around an edge solid and void alternate: faces on both sides of the same wedge of solid belong
  // together. Seen along the edge, that wedge begins at a face that runs backward.
  detail::forEachEdge(
      detail::sortedHalfEdges(mesh.faces), [&](std::span<const detail::HalfEdge> e) {
        const Vec3 along = mesh.vertices[e[0].high] - mesh.vertices[e[0].low];
        const auto side = [&](const detail::HalfEdge& h) {
          const Vec3 normal = detail::areaVector(mesh.vertices, mesh.faces[h.face]);
          return normal.cross(h.forward ? along : -along).eval();
        };
        const Vec3 x = side(e[0]), y = along.normalized().cross(x);
        std::vector<std::pair<double, const detail::HalfEdge*>> around{{0.0, &e[0]}};
        for (const detail::HalfEdge& h : e.subspan(1)) {
          const Vec3 s = side(h);
          around.emplace_back(elementary::atan2(s.dot(y), s.dot(x)), &h);
        }
        std::ranges::sort(around, std::less{}, [](const auto& a) { return a.first; });
        for (std::size_t k = 0; k < around.size(); ++k) {
          const detail::HalfEdge &a = *around[k].second,
                                 &b = *around[(k + 1) % around.size()].second;
          if (!a.forward && b.forward) groups.join(a.face, b.face);
        }
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
  const auto boxOf = [&](const SurfaceMesh& shell) {
    Aabb box;
    for (std::size_t f = 0; f < shell.faces.size(); ++f)
      for (const std::uint32_t v : shell.faces[f]) box.add(mesh.vertices[v]);
    return box;
  };
  const std::vector<std::pair<double, SurfaceMesh>> outer = solids;
  std::vector<Aabb> boxes;
  for (const auto& [volume, solid] : outer) boxes.push_back(boxOf(solid));
  for (const auto& [volume, cavity] : cavities) {
    const Polygons& faces = cavity.faces;
    const Aabb box = boxOf(cavity);
    // Corners may touch the skin, middles of faces do not.
    const auto isIn = [&](std::size_t k) {
      for (std::size_t f = 0; f < faces.size() && boxes[k].overlaps(box); ++f)
        if (encloses(mesh.vertices, outer[k].second.faces, detail::middle(mesh.vertices, faces[f])))
          return true;
      return false;
    };
    std::size_t around = 0;  // the smallest solid around it, or the largest of all
    for (std::size_t k = outer.size(); k-- > 1 && around == 0;)
      if (isIn(k)) around = k;
    for (std::size_t f = 0; f < faces.size() && !solids.empty(); ++f)
      solids[around].second.faces.add(faces[f]);
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
  const Aabb box = detail::boxAround(mesh.vertices);
  const Vec3 origin = mesh.vertices.empty() ? Vec3::Zero() : box.centre();
  for (Vec3& v : mesh.vertices) v -= origin;
  const Core core = coreOf(shapeFromMesh(mesh, 0.0));
  if (!core.closed || core.hull.rank < 3)
    throw GeometryError("convex parts: the mesh must bound a volume, but it is open or flat");
  mesh.faces = core.convex ? core.hull.faces : core.faces;
  mesh.vertices = core.convex ? core.hull.points : core.vertices;
  const Piece whole(triangulated(mesh));
  if (whole.mesh.faces.size() > mostTriangles)
    throw GeometryError(
        fmt::format("convex parts: {} triangles take too long; simplify to less than {} first",
                    whole.mesh.faces.size(), mostTriangles));
  const double size = 2.0 * box.halfSize().norm();

  Decomposition out;
  out.volume = whole.volume;
  std::vector<Piece> pieces = components(whole);
  for (Piece& p : pieces) p.hull = convexHull(p.mesh.vertices, flatness);
  if (pieces.size() > mostParts)
    throw GeometryError(
        fmt::format("convex parts: the body has {} components, more than the {} parts requested",
                    pieces.size(), mostParts));
  while (true) {
    double excess = 0.0;
    Piece* worst = nullptr;
    const bool full = pieces.size() >= mostParts;
    for (Piece& p : pieces) {
      excess += p.excess();
      // A cut may leave one piece alone where a cavity ends.
      if (!p.done && !(full && isOneShell(p.mesh)) && (!worst || p.excess() > worst->excess()))
        worst = &p;
    }
    if (!worst || !(excess > 1e-9 * out.volume)) break;
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

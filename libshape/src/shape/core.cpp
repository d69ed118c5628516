// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/angles.hpp"
#include "detail/cgal_arrangement.hpp"
#include "detail/crossings.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace scree::shape {
namespace {

using detail::areaVector;
using detail::forEachTriangle;
using detail::HalfEdge;
using detail::middle;

using Triangle = std::array<std::uint32_t, 3>;

/// The one definition of the solid that faces bound (Core), in the frame of its vertices.
class SolidFinder {
 public:
  SolidFinder(std::span<const Vec3> vertices, const Polygons& faces, Core& core)
      : vertices_(vertices), given_(faces), core_(core) {}

  /// @param isConvex  of faces that bound one part: whether they fill their hull
  template <class IsConvex>
  void find(IsConvex&& isConvex) {
    faces_ = detail::renumbered({}, given_, detail::firstEqual(vertices_)).faces;
    half_ = detail::sortedHalfEdges(faces_);
    core_.openEdges = openEdges();
    if (core_.openEdges > 0) return;
    dropRepeated();
    if (faces_.empty()) return;
    turn_.assign(faces_.size(), 0);
    const bool twoSided = !detail::windAlike(half_, turn_);
    bool pairs = true;
    detail::forEachEdge(half_, [&](std::span<const HalfEdge> e) { pairs &= e.size() == 2; });
    core_.oneSided = pairs && !twoSided;
    if (core_.oneSided) return;
    findPatches();
    const bool onePart = pairs && patches_ == 1;
    if (onePart) {
      keepFaces(signedVolume(vertices_, detail::turnedFaces(faces_, turn_)) < 0.0);
      if (isConvex()) return;
    }
    std::vector<Triangle> triangles;
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      triangulate(vertices_, faces_[f], triangles);
      faceOf_.resize(triangles.size(), f);
    }
    const detail::Crossings crossing = detail::crossings(vertices_, triangles);
    core_.crowded = !crossing.complete;
    if (onePart && crossing.complete && crossing.pairs.empty()) return;
    core_.closed = core_.turned = false;
    core_.faces = {};
    if (!core_.crowded) arrange(triangles, crossing.pairs, twoSided);
  }

 private:
  std::size_t openEdges() const {
    std::size_t open = 0;
    detail::forEachEdge(half_, [&](std::span<const HalfEdge> e) { open += e.size() == 1; });
    return open;
  }

  /// Faces that lie back to back cancel each other, and of others in one place the first stays.
  void dropRepeated() {
    const std::vector<std::uint32_t> first = detail::firstAlike(faces_);
    std::vector<int> net(faces_.size(), 0);
    bool any = false;
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      net[first[f]] += detail::sameWay(faces_[f], faces_[first[f]]) ? 1 : -1;
      any |= first[f] != f;
    }
    if (!any) return;
    const Polygons all = faces_;
    bool cancelled = false;
    for (const bool cancel : {true, false}) {
      faces_ = {};
      for (std::uint32_t f = 0; f < all.size(); ++f)
        if (first[f] == f && (net[f] != 0 || !cancel)) faces_.add(all[f]);
      half_ = detail::sortedHalfEdges(faces_);
      cancelled = cancel && openEdges() == 0;
      if (cancelled) break;  // else a doubled wall closes something
    }
    for (std::uint32_t f = 0; f < all.size() && cancelled; ++f)
      if (first[f] == f && net[f] == 0) core_.sheets.add(all[f]);
  }

  /// Patches end where more or less than two faces meet.
  void findPatches() {
    detail::Groups groups(faces_.size());
    detail::forEachEdge(half_, [&](std::span<const HalfEdge> e) {
      if (e.size() == 2) groups.join(e[0].face, e[1].face);
    });
    patch_.resize(faces_.size());
    for (std::uint32_t f = 0; f < faces_.size(); ++f)
      patch_[f] = groups.of(f) == f ? patches_++ : patch_[groups.of(f)];
  }

  void keepFaces(bool inverted) {
    for (char& t : turn_) t = static_cast<char>((t != 0) != inverted);
    core_.closed = true;
    core_.turned = std::ranges::any_of(turn_, [](char t) { return t != 0; });
    core_.faces = core_.turned ? detail::turnedFaces(faces_, turn_) : faces_;
  }

  /// Patches that close on their own are parts. Others form parts with their neighbours.
  void findParts(bool twoSided) {
    detail::Groups joined(patches_);
    std::vector<char> alone(patches_, 1), balanced(patches_, 1);
    const auto run = [](const HalfEdge& h) { return h.forward ? 1 : -1; };
    detail::forEachEdge(half_, [&](std::span<const HalfEdge> e) {
      if (e.size() == 2) return;
      std::uint32_t first = UINT32_MAX;
      for (const HalfEdge& h : e) {
        int sum = 0;
        for (const HalfEdge& other : e)
          if (patch_[other.face] == patch_[h.face])
            sum += turn_[other.face] ? -run(other) : run(other);
        if (sum == 0) continue;
        if (first == UINT32_MAX) first = patch_[h.face];
        joined.join(first, patch_[h.face]);
        alone[first] = alone[patch_[h.face]] = 0;
      }
    });
    detail::forEachEdge(half_, [&](std::span<const HalfEdge> e) {
      std::map<std::uint32_t, int> sums;
      for (const HalfEdge& h : e) sums[joined.of(patch_[h.face])] += run(h);
      for (const auto& [part, sum] : sums)
        if (sum != 0) balanced[part] = 0;
    });
    std::map<std::uint32_t, std::uint32_t> numbers;
    std::vector<Vec3> origin;  // of each part a point of its own
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      const std::uint32_t patch = joined.of(patch_[f]);
      const auto [at, isNew] = numbers.emplace(patch, static_cast<std::uint32_t>(parts_.size()));
      using Kind = detail::ClosedPart::Kind;
      if (isNew)
        parts_.push_back({.kind = !twoSided         ? Kind::enclosed
                                  : alone[patch]    ? Kind::manifold
                                  : balanced[patch] ? Kind::given
                                                    : Kind::enclosed});
      partOf_.push_back(at->second);
      if (parts_[at->second].kind != Kind::manifold) turn_[f] = 0;
      if (isNew) origin.push_back(vertices_[faces_[f][0]]);
      const Vec3& o = origin[at->second];
      forEachTriangle(vertices_, faces_[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
        const double v = (a - o).dot((b - o).cross(c - o)) / 6.0;
        parts_[at->second].given += v;
        parts_[at->second].volume += turn_[f] ? -v : v;
      });
    }
  }

  void arrange(const std::vector<Triangle>& triangles,
               std::span<const std::array<std::uint32_t, 2>> crossing, bool twoSided) {
    findParts(twoSided);
    std::vector<Triangle> wound = triangles;
    std::vector<std::uint32_t> part;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      if (turn_[faceOf_[t]]) std::swap(wound[t][1], wound[t][2]);
      part.push_back(partOf_[faceOf_[t]]);
    }
    detail::Arrangement found = detail::arranged({vertices_, wound, part, parts_, crossing});
    std::vector<std::vector<const detail::ArrangedPiece*>> pieces(faces_.size());
    std::vector<std::size_t> triangleCount(faces_.size(), 0);
    std::vector<char> cut(faces_.size(), 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
      ++triangleCount[faceOf_[t]];
      cut[faceOf_[t]] |= found.cut[t];
    }
    for (const detail::ArrangedPiece& p : found.pieces) pieces[faceOf_[p.triangle]].push_back(&p);
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      const auto& own = pieces[f];
      const bool whole =
          !cut[f] && own.size() == triangleCount[f] &&
          std::ranges::all_of(own, [&](const auto* p) { return p->side == own[0]->side; });
      for (const auto* p : own) {
        std::vector<std::uint32_t> corners(p->corners.begin(), p->corners.end());
        const bool turned = (p->side < 0) != (turn_[f] != 0);
        if (whole) corners.assign(faces_[f].begin(), faces_[f].end());
        if (whole ? turned : p->side < 0) std::reverse(corners.begin() + 1, corners.end());
        if (p->side != 0) {
          core_.faces.add(corners);
          core_.turned |= turned;
        } else if (!p->covered) {
          core_.sheets.add(corners);
        }
        core_.arranged |= p->side == 0 || !whole;
        if (whole) break;
      }
      core_.arranged |= own.empty();
    }
    // Rounded points that fall together are one.
    const std::vector<std::uint32_t> same = detail::firstEqual(found.points);
    core_.faces = detail::renumbered({}, core_.faces, same).faces;
    core_.sheets = detail::renumbered({}, core_.sheets, same).faces;
    core_.vertices = std::move(found.points);
    core_.reversedParts = found.reversedParts;
    core_.closed = enclosesVolume();
  }

  /// Whether a part of the boundary encloses more than the slivers that single precision leaves
  /// between sheets given twice.
  bool enclosesVolume() const {
    detail::Groups groups(core_.vertices.size());
    for (std::size_t f = 0; f < core_.faces.size(); ++f)
      for (const std::uint32_t v : core_.faces[f]) groups.join(core_.faces[f][0], v);
    struct Part {
      double volume = 0.0, area = 0.0;
      Aabb box;
    };
    std::map<std::uint32_t, Part> parts;
    for (std::size_t f = 0; f < core_.faces.size(); ++f) {
      const std::uint32_t first = groups.of(core_.faces[f][0]);
      const Vec3& o = core_.vertices[first];
      Part& part = parts[first];
      part.area += areaVector(core_.vertices, core_.faces[f]).norm();
      for (const std::uint32_t v : core_.faces[f]) part.box.add(core_.vertices[v]);
      forEachTriangle(core_.vertices, core_.faces[f],
                      [&](const Vec3& a, const Vec3& b, const Vec3& c) {
                        part.volume += (a - o).dot((b - o).cross(c - o)) / 6.0;
                      });
    }
    return std::ranges::any_of(parts, [&](const auto& p) {
      const Part& part = p.second;
      return part.volume > 1e-7 * part.area * part.box.halfSize().norm();
    });
  }

  std::span<const Vec3> vertices_;
  const Polygons& given_;
  Core& core_;
  Polygons faces_;  ///< with equal vertices joined
  std::vector<HalfEdge> half_;
  std::vector<char> turn_;  ///< faces to be turned
  std::vector<std::uint32_t> patch_, faceOf_, partOf_;
  std::uint32_t patches_ = 0;
  std::vector<detail::ClosedPart> parts_;
};

/// Second moments are fifth powers of coordinates: beyond these limits they leave the range of
/// double.
void checkMagnitude(const Shape& shape) {
  const auto isIn = [](double x) { return x == 0.0 || (x >= 1e-50 && x <= 1e50); };
  double extent = 0.0, farOff = 0.0;
  for (const Vec3& v : shape.vertices) {
    extent = std::max(extent, (v - shape.vertices[0]).cwiseAbs().maxCoeff());
    farOff = std::max(farOff, v.cwiseAbs().maxCoeff());
  }
  if (!isIn(extent) || !isIn(shape.radius) || !(farOff <= 1e50) ||
      !std::ranges::all_of(shape.radii, isIn))
    throw GeometryError(fmt::format(
        "shape '{}': its sizes, radii and coordinates must lie within 1e-50 and 1e50", shape.name));
}

/// Whether the edges of points on a line cover it from end to end.
bool coversSegment(const Shape& shape, const ConvexHull& hull) {
  const Vec3 along = (hull.points[1] - hull.points[0]).normalized();
  const auto place = [&](std::uint32_t v) {
    return (shape.vertices[v] - hull.points[0]).dot(along);
  };
  std::vector<std::array<double, 2>> spans;
  for (const Edge& e : shape.edges)
    spans.push_back({std::min(place(e[0]), place(e[1])), std::max(place(e[0]), place(e[1]))});
  std::sort(spans.begin(), spans.end());
  const double length = (hull.points[1] - hull.points[0]).norm();
  double reach = 0.0;
  for (const auto& [from, to] : spans) {
    if (from > reach + 1e-12 * length) return false;
    reach = std::max(reach, to);
  }
  return reach >= length * (1.0 - 1e-12);
}

/// Whether each point of a plate's hull is on exactly one face, up to the total area. With all
/// faces wound alike, edges that have no opposite must lie in the outline of the hull.
bool tilesHull(const Shape& shape, const ConvexHull& hull) {
  const Vec3& n = hull.normals[0];
  std::vector<std::array<std::uint32_t, 2>> open;
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const auto c = shape.faces[f];
    const bool forward = areaVector(shape.vertices, c).dot(n) > 0.0;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const std::uint32_t a = c[k], b = c[(k + 1) % c.size()];
      if (a != b) open.push_back(forward ? std::array{a, b} : std::array{b, a});
    }
  }
  std::sort(open.begin(), open.end());
  const auto outline = hull.faces[0];
  const double within = 1e-9 * detail::boxAround(hull.points).halfSize().norm();
  for (const auto& [a, b] : open) {
    if (std::binary_search(open.begin(), open.end(), std::array{b, a})) continue;
    bool onRim = false;
    for (std::size_t k = 0; k < outline.size() && !onRim; ++k) {
      const Vec3 &p = hull.points[outline[k]], &q = hull.points[outline[(k + 1) % outline.size()]];
      const Vec3 out = (q - p).cross(n).normalized();
      onRim = std::abs(out.dot(shape.vertices[a] - p)) <= within &&
              std::abs(out.dot(shape.vertices[b] - p)) <= within;
    }
    if (!onRim) return false;
  }
  return true;
}

}  // namespace

double signedVolume(std::span<const Vec3> vertices, const Polygons& faces) {
  double sum = 0.0;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Vec3 origin = vertices[faces[0][0]];
    forEachTriangle(vertices, faces[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
      sum += (a - origin).dot((b - origin).cross(c - origin)) / 6.0;
    });
  }
  return sum;
}

bool encloses(std::span<const Vec3> vertices, const Polygons& faces, const Vec3& p) {
  double angle = 0.0;
  for (std::size_t f = 0; f < faces.size(); ++f)
    forEachTriangle(vertices, faces[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
      angle += solidAngle(a - p, b - p, c - p);
    });
  return angle > 2.0 * pi;
}

std::string whyNoSolid(const Core& core) {
  if (core.hull.rank < 3) return "it is flat and encloses no volume";
  if (core.crowded) return "too many of its faces lie close together to find out what they bound";
  if (core.oneSided) return "its faces form a surface with one side, which encloses nothing";
  if (core.openEdges == 0)
    return "its faces lie back to back (to 1e-7 of its size) and enclose no volume";
  return fmt::format("the mesh is open ({} edge{} without a second face)", core.openEdges,
                     core.openEdges == 1 ? "" : "s");
}

Core coreOf(const Shape& shape) {
  Core core;
  checkMagnitude(shape);
  core.hull = convexHull(shape.vertices);
  core.vertices = shape.vertices;
  core.faces = shape.faces;
  double area = 0.0;
  const std::vector<std::uint32_t> first = detail::firstAlike(shape.faces);
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const Vec3 vector = areaVector(shape.vertices, shape.faces[f]);
    if (first[f] == f) area += vector.norm();
    if (shape.faces[f].size() == 3 || !(vector.norm() > 0.0)) continue;
    const Vec3 normal = vector.normalized(), m = middle(shape.vertices, shape.faces[f]);
    for (const std::uint32_t v : shape.faces[f])
      core.flatness = std::max(core.flatness, std::abs(normal.dot(shape.vertices[v] - m)));
  }
  if (core.hull.rank == 0) {
    core.convex = core.closed = true;
    return core;
  }
  if (core.hull.rank == 1) {
    core.convex = core.closed = coversSegment(shape, core.hull);
    return core;
  }
  const double size = 2.0 * detail::boxAround(core.hull.points).halfSize().norm();
  const double tolerance = std::clamp(10.0 * core.flatness / size, 1e-9, 1e-4);
  const auto near = [&](double a, double b) { return std::abs(a - b) <= tolerance * std::abs(b); };
  const double hullArea = core.hull.area();
  if (core.hull.rank == 2) {
    // A plate may be listed with one face or with both sides, and in pieces.
    core.convex = near(area, hullArea) && tilesHull(shape, core.hull);
    core.closed = core.convex;
    return core;
  }
  if (shape.isSurface || shape.faces.empty()) return core;
  const auto fillsHull = [&] {
    double sum = 0.0;
    for (std::size_t f = 0; f < core.faces.size(); ++f)
      sum += areaVector(core.vertices, core.faces[f]).norm();
    const double volume = signedVolume(core.vertices, core.faces), hull = core.hull.volume();
    core.hullExcess = std::abs(hull - volume) / hull;
    return near(sum, hullArea) && near(volume, hull);
  };
  core.faces = {};
  SolidFinder(shape.vertices, shape.faces, core).find([&] { return core.convex = fillsHull(); });
  if (core.closed)
    core.convex = core.convex || fillsHull();
  else
    core.faces = shape.faces;
  return core;
}

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/angles.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace scree::shape {
namespace {

using detail::areaVector;
using detail::forEachTriangle;
using detail::HalfEdge;
using detail::middle;

/// Faces of a file, wound so that they bound a solid, where they can.
struct WoundFaces {
  Polygons faces;  ///< closed: counter-clockwise seen from outside, cavities the other way about
  bool closed = false;
  bool turned = false;        ///< some had to be turned
  std::size_t openEdges = 0;  ///< of an open mesh: edges with an odd number of faces, 1 at least
};

/// Faces, their neighbours through edges, and the parts they form.
class Winding {
 public:
  Winding(std::span<const Vec3> vertices, const Polygons& faces)
      : vertices_(vertices),
        faces_(faces),
        half_(detail::sortedHalfEdges(faces)),
        turn_(faces.size(), 0),
        part_(faces.size(), 0) {}

  /// Closed as given, or closed once faces are turned? Then they are turned.
  bool close(std::size_t& openEdges) {
    std::size_t unbalanced = 0, lonely = 0;
    bool pairs = true;
    detail::forEachEdge(half_, [&](std::span<const HalfEdge> around) {
      std::ptrdiff_t balance = 0;
      for (const HalfEdge& h : around) balance += h.forward ? 1 : -1;
      unbalanced += balance != 0;
      lonely += around.size() % 2;
      pairs &= around.size() == 2;
    });
    findParts();
    openEdges = lonely;
    if (unbalanced == 0) return true;
    if (!pairs || detail::windAlike(half_, turn_)) {
      openEdges = std::max(lonely, std::size_t{1});
      return false;
    }
    return true;
  }

  /// Turns whole parts so that they are counter-clockwise seen from outside, and cavities the other
  /// way about. A part inside an odd number of others bounds a cavity, as rays would count it.
  void settle() {
    std::vector<double> volume(parts_, 0.0);
    std::vector<Aabb> box(parts_);
    std::vector<std::vector<std::uint32_t>> members(parts_);
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      const double sign = turn_[f] ? -1.0 : 1.0;
      const Vec3 origin = vertices_[faces_[0][0]];
      forEachTriangle(vertices_, faces_[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
        volume[part_[f]] += sign * (a - origin).dot((b - origin).cross(c - origin)) / 6.0;
      });
      for (const std::uint32_t v : faces_[f]) box[part_[f]].add(vertices_[v]);
      members[part_[f]].push_back(f);
    }
    const AabbTree tree(box, 4);
    std::vector<char> flip(parts_, 0);
    for (std::uint32_t p = 0; p < parts_; ++p) {
      bool cavity = false;
      tree.forEachNear(box[p], [&](std::uint32_t q) {
        if (p != q && (box[q].low.array() <= box[p].low.array()).all() &&
            (box[p].high.array() <= box[q].high.array()).all() &&
            std::abs(windingNumber(members[q], vertices_[faces_[members[p][0]][0]])) > 0.5)
          cavity = !cavity;
      });
      flip[p] = (volume[p] < 0.0) != cavity;
    }
    for (std::uint32_t f = 0; f < faces_.size(); ++f) turn_[f] ^= flip[part_[f]];
  }

  bool anyTurned() const {
    return std::ranges::any_of(turn_, [](char t) { return t != 0; });
  }

  Polygons result() const { return detail::turnedFaces(faces_, turn_); }

 private:
  void findParts() {
    detail::Groups groups(faces_.size());
    detail::forEachEdge(half_, [&](std::span<const HalfEdge> around) {
      for (const HalfEdge& h : around) groups.join(around[0].face, h.face);
    });
    for (std::uint32_t f = 0; f < faces_.size(); ++f)
      part_[f] = groups.of(f) == f ? parts_++ : part_[groups.of(f)];
  }

  double windingNumber(const std::vector<std::uint32_t>& part, const Vec3& p) const {
    double sum = 0.0;
    for (const std::uint32_t f : part) {
      const double sign = turn_[f] ? -1.0 : 1.0;
      forEachTriangle(vertices_, faces_[f], [&](const Vec3& a, const Vec3& b, const Vec3& c) {
        sum += sign * solidAngle(a - p, b - p, c - p);
      });
    }
    return sum / (4.0 * pi);
  }

  std::span<const Vec3> vertices_;
  const Polygons& faces_;
  std::vector<HalfEdge> half_;
  std::vector<char> turn_;
  std::vector<std::uint32_t> part_;
  std::uint32_t parts_ = 0;
};

/// Faces close where they run through each edge as often one way as the other. They may do so as
/// given or, where each edge has two faces, once some are turned. A part inside an odd number of
/// others bounds a cavity, as rays would count it.
WoundFaces woundFaces(std::span<const Vec3> vertices, const Polygons& faces) {
  WoundFaces out;
  Winding winding(vertices, faces);
  out.closed = winding.close(out.openEdges);
  if (out.closed) winding.settle();
  out.turned = out.closed && winding.anyTurned();
  out.faces = out.turned ? winding.result() : faces;
  return out;
}

/// Second moments are fifth powers of coordinates: beyond these limits they leave the range of
/// double.
void checkMagnitude(const Shape& shape) {
  constexpr double largest = 1e50, smallest = 1e-50;
  double extent = 0.0;
  for (const Vec3& v : shape.vertices) {
    if (!(v.cwiseAbs().maxCoeff() <= largest))
      throw GeometryError(
          fmt::format("shape '{}': a coordinate is beyond {:g}", shape.name, largest));
    extent = std::max(extent, (v - shape.vertices[0]).cwiseAbs().maxCoeff());
  }
  if (!(shape.radius <= largest))
    throw GeometryError(fmt::format("shape '{}': the radius is beyond {:g}", shape.name, largest));
  for (const double r : shape.radii)
    if (r < smallest)
      throw GeometryError(
          fmt::format("shape '{}': one of its radii is below {:g}", shape.name, smallest));
  if ((extent > 0.0 && extent < smallest) || (shape.radius > 0.0 && shape.radius < smallest))
    throw GeometryError(fmt::format("shape '{}': its size is below {:g}", shape.name, smallest));
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
  Aabb box;
  for (const Vec3& v : hull.points) box.add(v);
  const double within = 1e-9 * box.halfSize().norm();
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

Core coreOf(const Shape& shape) {
  Core core;
  checkMagnitude(shape);
  core.hull = convexHull(shape.vertices, shape.faces);
  core.faces = shape.faces;
  double area = 0.0;
  const std::vector<char> repeated = detail::repeatedFaces(shape.faces);
  for (std::size_t f = 0; f < shape.faces.size(); ++f) {
    const Vec3 vector = areaVector(shape.vertices, shape.faces[f]);
    if (!repeated[f]) area += vector.norm();
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
  Aabb box;
  for (const Vec3& v : core.hull.points) box.add(v);
  const double size = 2.0 * box.halfSize().norm();
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
  WoundFaces wound = woundFaces(shape.vertices, shape.faces);
  core.closed = wound.closed;
  core.turned = wound.turned;
  core.openEdges = wound.openEdges;
  core.faces = std::move(wound.faces);
  if (core.closed) {
    const double volume = signedVolume(shape.vertices, core.faces);
    core.convex = near(area, hullArea) && near(volume, core.hull.volume());
  } else {
    core.convex = core.closed = near(area, hullArea);
  }
  return core;
}

}  // namespace scree::shape

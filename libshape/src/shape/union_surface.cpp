// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/cgal.hpp"
#include "detail/cgal_arrangement.hpp"
#include "detail/crossings.hpp"
#include "detail/half_edges.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh_change.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace scree::shape {
namespace {

/// Coordinates become multiples of a step of about 1e-10 of the size. Then faces that lie in one
/// plane along the axes do so exactly, and their union has no slivers.
class Grid {
 public:
  explicit Grid(const Shape& shape) {
    double size = 0.0;
    for (std::size_t v = 0; v < shape.vertices.size(); ++v)
      size = std::max(size, shape.vertices[v].cwiseAbs().maxCoeff() + shape.radiusAt(v));
    int exponent = 0;
    std::frexp(size, &exponent);
    step_ = std::ldexp(1.0, exponent - 33);
  }
  Vec3 operator()(const Vec3& p) const {
    return {step_ * std::round(p.x() / step_), step_ * std::round(p.y() / step_),
            step_ * std::round(p.z() / step_)};
  }

 private:
  double step_ = 1.0;
};

using Key = std::array<double, 3>;
Key keyOf(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

class Pieces {
 public:
  Pieces(const Shape& shape, double fineness, std::size_t most)
      : shape_(shape), grid_(shape), fineness_(fineness), most_(most) {}

  /// False: there are too many.
  bool collect(const Core& core) {
    const bool inParts = core.closed && core.sheets.empty() && byParts(core);
    std::vector<char> used(shape_.vertices.size(), 0);
    for (std::size_t f = 0; f < shape_.faces.size(); ++f) {
      const auto corners = shape_.faces[f];
      std::vector<Vec3> points;
      for (const std::uint32_t v : corners) {
        used[v] = 1;
        points.push_back(shape_.vertices[v]);
      }
      if (inParts) continue;
      if (corners.size() == 3 || isConvex(points)) {
        if (!add(points, shape_.radius)) return false;
        continue;
      }
      std::vector<std::array<std::uint32_t, 3>> triangles;
      triangulate(shape_.vertices, corners, triangles);
      for (const auto& [a, b, c] : triangles)
        if (!add({shape_.vertices[a], shape_.vertices[b], shape_.vertices[c]}, shape_.radius))
          return false;
    }
    for (const auto& [a, b] : freeEdges(shape_.edges, shape_.faces)) {
      used[a] = used[b] = 1;
      if (!add({shape_.vertices[a], shape_.vertices[b]}, shape_.radius)) return false;
    }
    for (std::size_t v = 0; v < used.size(); ++v)
      if (!used[v] && !add({shape_.vertices[v]}, shape_.radiusAt(v))) return false;
    if (core.closed && !inParts) addSolid(core);
    return true;
  }

  std::vector<detail::TriangleSoup> solids;
  std::map<Key, Vec3> normals;  ///< of points on the rounding

 private:
  /// A closed core as few convex parts whose union it is.
  bool byParts(const Core& core) {
    SurfaceMesh mesh{core.vertices, core.faces};
    Decomposition parts;
    try {
      parts = convexParts(mesh, std::min<std::size_t>(most_, 16));
    } catch (const GeometryError&) {
      return false;
    }
    if (!(std::abs(parts.excess()) < 1e-9)) return false;
    for (const ConvexHull& part : parts.parts) add(part.points, shape_.radius);
    return true;
  }

  static bool isConvex(const std::vector<Vec3>& points) {
    const ConvexHull hull = convexHull(points, 1e-9);
    return hull.rank == 2 && hull.points.size() == points.size();
  }

  /// The points of the surface of all within `radius` of the hull of `points`.
  bool add(const std::vector<Vec3>& points, double radius) {
    if (solids.size() >= most_) return false;
    Shape piece;
    piece.radius = radius;
    const ConvexHull hull = convexHull(points, 1e-9);
    piece.vertices = hull.points;
    piece.faces = hull.faces;
    piece.edges = hull.rank == 1 ? std::vector<Edge>{{0, 1}} : edgesOf(hull.faces);
    const RoundedSurface surface = roundedSurface(piece, fineness_);
    std::vector<Vec3> onGrid;
    for (std::size_t k = 0; k < surface.points.size(); ++k) {
      onGrid.push_back(grid_(surface.points[k]));
      normals.emplace(keyOf(onGrid.back()), surface.normals[k]);
    }
    if (auto triangles = detail::hullTriangles(onGrid); !triangles.empty())
      solids.push_back({std::move(onGrid), std::move(triangles)});
    return true;
  }

  void addSolid(const Core& core) {
    detail::TriangleSoup& solid = solids.emplace_back();
    for (const Vec3& v : core.vertices) solid.points.push_back(grid_(v));
    solid.triangles = trianglesOf({core.vertices, core.faces});
  }

  const Shape& shape_;
  Grid grid_;
  double fineness_;
  std::size_t most_;
};

/// The boundary of the union of closed surfaces; without faces where it would take too long.
SurfaceMesh unionOf(const std::vector<detail::TriangleSoup>& solids) {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> part;
  for (const detail::TriangleSoup& soup : solids) {
    const auto first = static_cast<std::uint32_t>(points.size());
    points.insert(points.end(), soup.points.begin(), soup.points.end());
    for (const auto& t : soup.triangles)
      triangles.push_back({first + t[0], first + t[1], first + t[2]});
    part.resize(triangles.size(), static_cast<std::uint32_t>(&soup - solids.data()));
  }
  const std::vector<std::uint32_t> first = detail::firstEqual(points);
  for (auto& t : triangles)
    for (std::uint32_t& c : t) c = first[c];
  const std::vector<detail::ClosedPart> parts(solids.size(), {.volume = 1.0, .given = 1.0});
  const detail::Crossings crossing = detail::crossings(points, triangles);
  SurfaceMesh out;
  if (!crossing.complete) return out;
  detail::Arrangement found =
      detail::arranged({points, triangles, part, parts, crossing.pairs, false});
  out.vertices = std::move(found.points);
  for (const detail::ArrangedPiece& piece : found.pieces)
    if (piece.side > 0) out.faces.add(piece.corners);
  // Rounded points that fall together are one.
  const std::vector<std::uint32_t> same = detail::firstEqual(out.vertices);
  return withoutLooseVertices(detail::renumbered(std::move(out.vertices), out.faces, same));
}

}  // namespace

std::optional<RoundedSurface> unionSurface(const Shape& shape, double fineness,
                                           std::size_t mostPieces) {
  if (shape.isSurface || shape.vertices.empty() || !(shape.leastRadius() > 0.0))
    return std::nullopt;
  const Core core = coreOf(shape);
  if (shape.faces.size() > 20 * mostPieces) return std::nullopt;
  Pieces pieces(shape, fineness, mostPieces);
  if (!pieces.collect(core)) return std::nullopt;
  const SurfaceMesh surface = unionOf(pieces.solids);
  if (surface.faces.empty()) return std::nullopt;
  RoundedSurface out;
  out.points = surface.vertices;
  out.cells = surface.faces;
  std::vector<Vec3> mean(out.points.size(), Vec3::Zero());
  for (std::size_t f = 0; f < surface.faces.size(); ++f) {
    const auto t = surface.faces[f];
    const Vec3 area =
        (out.points[t[1]] - out.points[t[0]]).cross(out.points[t[2]] - out.points[t[0]]);
    for (const std::uint32_t corner : t) mean[corner] += area;
  }
  for (std::size_t k = 0; k < out.points.size(); ++k) {
    const auto known = pieces.normals.find(keyOf(out.points[k]));
    const Vec3 own = mean[k].norm() > 0.0 ? Vec3(mean[k].normalized()) : Vec3::UnitZ();
    out.normals.push_back(known == pieces.normals.end() ? own : known->second);
  }
  return out;
}

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#include "contact/shape_geometry.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace scree::sim {
namespace {

using shape::Aabb;

/// Unit normal of a polygon, from its first corner and the two sides there, as the format defines
/// it. From all sides (Newell) where these are in line. Zero for a polygon without area.
Vec3 polygonNormal(std::span<const std::uint32_t> corners, std::span<const Vec3> v) {
  const Vec3 first = v[corners[1]] - v[corners[0]], last = v[corners.back()] - v[corners[0]];
  Vec3 normal = first.cross(last);
  if (normal.norm() <= 1e-9 * first.norm() * last.norm()) {
    normal.setZero();
    double size2 = 0.0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const Vec3 a = v[corners[k]] - v[corners[0]],
                 b = v[corners[(k + 1) % corners.size()]] - v[corners[0]];
      normal += a.cross(b);
      size2 = std::max(size2, a.squaredNorm());
    }
    if (normal.norm() <= 1e-12 * size2) return Vec3::Zero();
  }
  return normal.normalized();
}

void addFace(ShapeGeometry& g, std::span<const std::uint32_t> corners) {
  ShapeGeometry::Face face;
  face.first = static_cast<std::uint32_t>(g.sides.size());
  face.normal = polygonNormal(corners, g.vertices);
  face.offset = face.normal.dot(g.vertices[corners[0]]);
  std::vector<ShapeGeometry::Side> sides;
  Vec3 middle = Vec3::Zero();
  for (const std::uint32_t c : corners)
    middle += g.vertices[c] / static_cast<double>(corners.size());
  double size = 0.0;
  for (const std::uint32_t c : corners) size = std::max(size, (g.vertices[c] - middle).norm());
  // Sides of the winding that turns left about the normal have the polygon on their inner side.
  double turning = 0.0;
  for (std::size_t k = 0; k < corners.size(); ++k)
    turning += face.normal.dot((g.vertices[corners[k]] - middle)
                                   .cross(g.vertices[corners[(k + 1) % corners.size()]] - middle));
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec3 &a = g.vertices[corners[k]], &b = g.vertices[corners[(k + 1) % corners.size()]];
    Vec3 out = (turning < 0.0 ? -1.0 : 1.0) * (b - a).cross(face.normal);
    const double length = out.norm();
    if (length > 1e-12 * size)
      out /= length;
    else
      out.setZero();
    sides.push_back({out, out.dot(a), corners[k]});
  }
  for (const ShapeGeometry::Side& s : sides)
    for (const std::uint32_t c : corners)
      if (s.normal.dot(g.vertices[c]) - s.offset > 1e-9 * size) face.convex = false;
  // A side without length bounds nothing; a convex face keeps the sides that do.
  if (face.convex)
    std::erase_if(sides, [](const ShapeGeometry::Side& s) { return s.normal.isZero(); });
  if (face.normal.isZero()) sides.clear();
  face.count = static_cast<std::uint32_t>(sides.size());
  if (!face.plain()) g.plainFaces = false;
  g.sides.insert(g.sides.end(), sides.begin(), sides.end());
  g.faces.push_back(face);
}

/// Brings the cells, and what they hold, into the order in which the tree has them.
void sortCells(ShapeGeometry& g, std::span<const std::uint32_t> order) {
  const auto cells = std::move(g.cells);
  const auto vertices = std::move(g.cellVertices), edges = std::move(g.cellEdges);
  g.cells.clear();
  g.cellVertices.clear();
  g.cellEdges.clear();
  for (const std::uint32_t c : order) {
    ShapeGeometry::Cell cell = cells[c];
    const auto v = vertices.begin() + cell.firstVertex, e = edges.begin() + cell.firstEdge;
    cell.firstVertex = static_cast<std::uint32_t>(g.cellVertices.size());
    cell.firstEdge = static_cast<std::uint32_t>(g.cellEdges.size());
    g.cellVertices.insert(g.cellVertices.end(), v, v + cell.vertexCount);
    g.cellEdges.insert(g.cellEdges.end(), e, e + cell.edgeCount);
    g.cells.push_back(cell);
  }
}

/// Assigns each vertex, edge and face to one cell: that of the first face it belongs to, else of
/// the first edge. Else it has a cell of its own.
void makeCells(ShapeGeometry& g, const shape::Shape& shape) {
  std::vector<char> vertexTaken(g.vertices.size(), 0);
  std::vector<std::uint32_t> faceOfEdge(g.edges.size(), ShapeGeometry::noFace);
  {
    using Key = std::array<std::uint32_t, 3>;  // lower end, higher end, face
    std::vector<Key> sidesOfFaces;
    for (std::size_t f = 0; f < shape.faces.size(); ++f) {
      const auto corners = shape.faces[f];
      for (std::size_t k = 0; k < corners.size(); ++k) {
        const std::uint32_t a = corners[k], b = corners[(k + 1) % corners.size()];
        sidesOfFaces.push_back({std::min(a, b), std::max(a, b), static_cast<std::uint32_t>(f)});
      }
    }
    std::sort(sidesOfFaces.begin(), sidesOfFaces.end());
    for (std::size_t e = 0; e < g.edges.size(); ++e) {
      const Key wanted{std::min(g.edges[e][0], g.edges[e][1]),
                       std::max(g.edges[e][0], g.edges[e][1]), 0};
      const auto at = std::lower_bound(sidesOfFaces.begin(), sidesOfFaces.end(), wanted);
      if (at != sidesOfFaces.end() && (*at)[0] == wanted[0] && (*at)[1] == wanted[1])
        faceOfEdge[e] = (*at)[2];
    }
  }
  g.faceOfEdge = faceOfEdge;
  for (std::size_t e = 0; e < g.edges.size(); ++e) {
    std::uint32_t& f = g.faceOfEdge[e];
    if (f == ShapeGeometry::noFace) continue;
    const auto off = [&](std::uint32_t v) {
      return std::abs(g.faces[f].normal.dot(g.vertices[v]) - g.faces[f].offset);
    };
    // Faces of many corners may be bent a little; one without area has no plane.
    if (g.faces[f].count == 0 || off(g.edges[e][0]) + off(g.edges[e][1]) > 1e-13 * g.boundingRadius)
      f = ShapeGeometry::noFace;
  }
  std::vector<std::vector<std::uint32_t>> edgesOfFace(g.faces.size());
  for (std::uint32_t e = 0; e < g.edges.size(); ++e)
    if (faceOfEdge[e] != ShapeGeometry::noFace) edgesOfFace[faceOfEdge[e]].push_back(e);

  std::vector<Aabb> boxes;
  Aabb box;
  ShapeGeometry::Cell cell{};
  const auto open = [&](std::uint32_t face) {
    box = Aabb();
    cell = {static_cast<std::uint32_t>(g.cellVertices.size()), 0,
            static_cast<std::uint32_t>(g.cellEdges.size()), 0, face};
  };
  const auto takeVertex = [&](std::uint32_t v) {
    box.add(g.vertices[v]);
    if (vertexTaken[v]) return;
    vertexTaken[v] = 1;
    g.cellVertices.push_back(v);
    ++cell.vertexCount;
  };
  const auto takeEdge = [&](std::uint32_t e) {
    g.cellEdges.push_back(e);
    ++cell.edgeCount;
  };
  const auto close = [&] {
    g.cells.push_back(cell);
    boxes.push_back(box);
  };
  for (std::uint32_t f = 0; f < g.faces.size(); ++f) {
    open(f);
    for (const std::uint32_t v : shape.faces[f]) takeVertex(v);
    for (const std::uint32_t e : edgesOfFace[f]) takeEdge(e);
    close();
  }
  for (std::uint32_t e = 0; e < g.edges.size(); ++e) {
    if (faceOfEdge[e] != ShapeGeometry::noFace) continue;
    open(ShapeGeometry::noFace);
    takeVertex(g.edges[e][0]);
    takeVertex(g.edges[e][1]);
    takeEdge(e);
    close();
  }
  for (std::uint32_t v = 0; v < g.vertices.size(); ++v) {
    if (vertexTaken[v]) continue;
    open(ShapeGeometry::noFace);
    takeVertex(v);
    close();
  }
  g.tree = shape::AabbTree(boxes, 1);
  sortCells(g, g.tree.renumber());
}

}  // namespace

ShapeGeometry shapeGeometry(const shape::Shape& shape) {
  if (std::max({shape.vertices.size(), shape.edges.size(), shape.faces.size()}) > mostSubElements)
    throw ModelError(fmt::format(
        "shape {}: has {} vertices, {} edges and {} faces; of each there may be {} at most",
        shape.name, shape.vertices.size(), shape.edges.size(), shape.faces.size(),
        mostSubElements));
  ShapeGeometry g;
  g.radius = shape.radius;
  for (const double r : shape.radii) g.thinner.push_back(shape.radius - r);
  if (std::all_of(g.thinner.begin(), g.thinner.end(), [](double by) { return by == 0.0; }))
    g.thinner.clear();
  g.vertices.assign(shape.vertices.begin(), shape.vertices.end());
  g.edges = shape.edges;
  for (const Vec3& v : g.vertices) {
    g.boundingRadius = std::max(g.boundingRadius, v.norm());
    g.ball = shape.vertices.size() == 1 && v.isZero(0.0);
    g.box.add(v);
  }
  for (const shape::Edge& e : g.edges)
    g.longestEdge = std::max(g.longestEdge, (g.vertices[e[1]] - g.vertices[e[0]]).norm());
  for (std::size_t f = 0; f < shape.faces.size(); ++f) addFace(g, shape.faces[f]);
  makeCells(g, shape);
  return g;
}

bool overFaceByParity(const ShapeGeometry& g, const ShapeGeometry::Face& f, const Vec3& p) {
  if (f.count < 3) return false;
  const auto sides = g.sidesOf(f);
  const Vec3& origin = g.vertices[sides[0].corner];
  Vec3 u = Vec3::Zero();
  for (const ShapeGeometry::Side& s : sides)
    if (u.isZero()) u = s.normal;
  const Vec3 w = f.normal.cross(u);
  const double pu = u.dot(p - origin), pw = w.dot(p - origin);
  bool inside = false;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const Vec3 a = g.vertices[sides[k].corner] - origin,
               b = g.vertices[sides[(k + 1) % sides.size()].corner] - origin;
    const double aw = w.dot(a), bw = w.dot(b);
    if ((aw < pw) == (bw < pw)) continue;
    if (u.dot(a) + (pw - aw) / (bw - aw) * u.dot(b - a) < pu) inside = !inside;
  }
  return inside;
}

std::uint32_t subElementCount(const ShapeGeometry& g, Pairing pairing, bool first) {
  const bool isVertex = pairing == Pairing::vertexVertex || (first && pairing != Pairing::edgeEdge);
  return static_cast<std::uint32_t>(isVertex                         ? g.vertices.size()
                                    : pairing == Pairing::vertexFace ? g.faces.size()
                                                                     : g.edges.size());
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <numeric>

namespace scree::shape {
namespace {

struct HalfEdge {
  std::uint32_t low, high;
  std::uint32_t face;
  bool forward;  ///< runs from low to high
  auto key() const { return std::pair(low, high); }
};

std::vector<HalfEdge> sortedHalfEdges(const Polygons& faces) {
  std::vector<HalfEdge> all;
  all.reserve(faces.cornerCount());
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto corners = faces[f];
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const std::uint32_t a = corners[k], b = corners[(k + 1) % corners.size()];
      if (a == b) continue;
      all.push_back({std::min(a, b), std::max(a, b), static_cast<std::uint32_t>(f), a < b});
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const HalfEdge& a, const HalfEdge& b) { return a.key() < b.key(); });
  return all;
}

}  // namespace

std::vector<Edge> edgesOf(const Polygons& faces) {
  std::vector<Edge> edges;
  for (const HalfEdge& h : sortedHalfEdges(faces))
    if (edges.empty() || edges.back() != Edge{h.low, h.high}) edges.push_back({h.low, h.high});
  return edges;
}

MeshTopology meshTopology(std::size_t, const Polygons& faces) {
  MeshTopology topology;
  std::vector<std::uint32_t> parent(faces.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t f) {
    while (parent[f] != f) f = parent[f] = parent[parent[f]];
    return f;
  };
  const std::vector<HalfEdge> all = sortedHalfEdges(faces);
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].key() == all[begin].key()) {
      parent[root(all[end].face)] = root(all[begin].face);
      ++end;
    }
    if (end - begin == 1)
      ++topology.openEdges;
    else if (end - begin > 2)
      ++topology.nonManifoldEdges;
    else if (all[begin].forward == all[begin + 1].forward)
      ++topology.wrongEdges;
    begin = end;
  }
  for (std::uint32_t f = 0; f < parent.size(); ++f) topology.components += root(f) == f;
  return topology;
}

namespace {

/// The mesh with vertex v of the old one as vertex newIndex[v] of the new one.
SurfaceMesh renumbered(std::vector<Vec3> vertices, const Polygons& faces,
                       const std::vector<std::uint32_t>& newIndex) {
  SurfaceMesh out;
  out.vertices = std::move(vertices);
  std::vector<std::uint32_t> corners;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    corners.clear();
    for (const std::uint32_t c : faces[f])
      if (corners.empty() || corners.back() != newIndex[c]) corners.push_back(newIndex[c]);
    while (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
    if (corners.size() >= 3) out.faces.add(corners);
  }
  return out;
}

}  // namespace

SurfaceMesh welded(const SurfaceMesh& mesh, double distance) {
  // Sweep along x: only vertices within `distance` in x can be near.
  std::vector<std::uint32_t> order(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return mesh.vertices[a].x() < mesh.vertices[b].x();
  });
  std::vector<std::uint32_t> keep(order.size());
  std::iota(keep.begin(), keep.end(), 0u);
  const auto root = [&](std::uint32_t v) {
    while (keep[v] != v) v = keep[v];
    return v;
  };
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const Vec3 &a = mesh.vertices[order[i]], &b = mesh.vertices[order[j]];
      if (b.x() - a.x() > distance) break;
      if ((b - a).norm() > distance) continue;
      const std::uint32_t ra = root(order[i]), rb = root(order[j]);
      keep[std::max(ra, rb)] = std::min(ra, rb);
    }
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> newIndex(keep.size());
  for (std::uint32_t v = 0; v < keep.size(); ++v) {
    if (root(v) == v) {
      newIndex[v] = static_cast<std::uint32_t>(vertices.size());
      vertices.push_back(mesh.vertices[v]);
    } else {
      newIndex[v] = newIndex[root(v)];  // lower, so numbered already
    }
  }
  return renumbered(std::move(vertices), mesh.faces, newIndex);
}

SurfaceMesh withoutLooseVertices(const SurfaceMesh& mesh) {
  std::vector<char> used(mesh.vertices.size(), 0);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f)
    for (const std::uint32_t c : mesh.faces[f]) used[c] = 1;
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t> newIndex(mesh.vertices.size(), 0);
  for (std::uint32_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    newIndex[v] = static_cast<std::uint32_t>(vertices.size());
    vertices.push_back(mesh.vertices[v]);
  }
  return renumbered(std::move(vertices), mesh.faces, newIndex);
}

}  // namespace scree::shape

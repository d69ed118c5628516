// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgal_union.hpp"

#include "scree/base/error.hpp"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Polygon_mesh_processing/triangulate_faces.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <algorithm>
#include <map>
#include <utility>

namespace scree::shape::detail {
namespace {

using Rounded = CGAL::Exact_predicates_inexact_constructions_kernel;
using Exact = CGAL::Exact_predicates_exact_constructions_kernel;
using ExactMesh = CGAL::Surface_mesh<Exact::Point_3>;
using Triple = std::array<double, 3>;

void addTo(ExactMesh& mesh, std::span<const Triple> points,
           std::span<const std::array<std::uint32_t, 3>> triangles) {
  std::vector<ExactMesh::Vertex_index> at;
  at.reserve(points.size());
  for (const Triple& p : points) at.push_back(mesh.add_vertex(Exact::Point_3(p[0], p[1], p[2])));
  for (const auto& t : triangles) mesh.add_face(at[t[0]], at[t[1]], at[t[2]]);
}

ExactMesh hullOf(const std::vector<Vec3>& points) {
  std::vector<Rounded::Point_3> input;
  for (const Vec3& p : points) input.emplace_back(p.x(), p.y(), p.z());
  CGAL::Surface_mesh<Rounded::Point_3> hull;
  CGAL::convex_hull_3(input.begin(), input.end(), hull);
  ExactMesh mesh;
  if (hull.num_faces() < 4) return mesh;
  CGAL::Polygon_mesh_processing::triangulate_faces(hull);
  std::vector<Triple> corners;
  for (const auto v : hull.vertices()) {
    const auto& p = hull.point(v);
    corners.push_back({p.x(), p.y(), p.z()});
  }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (const auto f : hull.faces()) {
    std::array<std::uint32_t, 3> t{};
    std::size_t k = 0;
    for (const auto v : CGAL::vertices_around_face(hull.halfedge(f), hull))
      if (k < 3) t[k++] = static_cast<std::uint32_t>(v);
    triangles.push_back(t);
  }
  addTo(mesh, corners, triangles);
  return mesh;
}

/// Rounded points, equal ones joined; triangles that fall together leave.
TriangleSoup soupOf(const ExactMesh& mesh) {
  TriangleSoup out;
  std::map<Triple, std::uint32_t> known;
  std::vector<std::uint32_t> number(mesh.num_vertices() + mesh.number_of_removed_vertices(), 0);
  for (const auto v : mesh.vertices()) {
    const auto& p = mesh.point(v);
    const Triple at{CGAL::to_double(p.x()), CGAL::to_double(p.y()), CGAL::to_double(p.z())};
    const auto [place, isNew] = known.emplace(at, static_cast<std::uint32_t>(out.points.size()));
    if (isNew) out.points.emplace_back(at[0], at[1], at[2]);
    number[v] = place->second;
  }
  for (const auto f : mesh.faces()) {
    std::array<std::uint32_t, 3> t{};
    std::size_t k = 0;
    for (const auto v : CGAL::vertices_around_face(mesh.halfedge(f), mesh))
      if (k < 3) t[k++] = number[v];
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) out.triangles.push_back(t);
  }
  return out;
}

}  // namespace

std::optional<TriangleSoup> solidUnion(std::span<const std::vector<Vec3>> convex,
                                       const TriangleSoup& solid) {
  std::vector<ExactMesh> parts;
  if (!solid.triangles.empty()) {
    std::vector<Triple> points;
    for (const Vec3& p : solid.points) points.push_back({p.x(), p.y(), p.z()});
    addTo(parts.emplace_back(), points, solid.triangles);
  }
  for (const std::vector<Vec3>& points : convex) {
    ExactMesh mesh = hullOf(points);
    if (mesh.num_faces() > 0) parts.push_back(std::move(mesh));
  }
  if (parts.empty()) return std::nullopt;
  try {
    // Two by two, so that most unions are of small surfaces.
    while (parts.size() > 1) {
      std::vector<ExactMesh> next;
      for (std::size_t k = 0; k + 1 < parts.size(); k += 2) {
        ExactMesh both;
        if (!CGAL::Polygon_mesh_processing::corefine_and_compute_union(parts[k], parts[k + 1],
                                                                       both))
          return std::nullopt;
        both.collect_garbage();
        next.push_back(std::move(both));
      }
      if (parts.size() % 2 == 1) next.push_back(std::move(parts.back()));
      parts = std::move(next);
    }
  } catch (const CGAL::Failure_exception&) {  // also of surfaces that cross themselves
    return std::nullopt;
  }
  return soupOf(parts.front());
}

}  // namespace scree::shape::detail

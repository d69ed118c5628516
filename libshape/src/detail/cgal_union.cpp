// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgal_union.hpp"

#include "cgal_hull.hpp"

#include "scree/base/error.hpp"

#include <CGAL/Exact_predicates_exact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/corefinement.h>
#include <CGAL/Surface_mesh.h>

#include <algorithm>
#include <map>
#include <utility>

namespace scree::shape::detail {
namespace {

using Exact = CGAL::Exact_predicates_exact_constructions_kernel;
using ExactMesh = CGAL::Surface_mesh<Exact::Point_3>;
using Triple = std::array<double, 3>;

ExactMesh exact(const TriangleSoup& soup) {
  ExactMesh mesh;
  std::vector<ExactMesh::Vertex_index> at;
  at.reserve(soup.points.size());
  for (const Vec3& p : soup.points)
    at.push_back(mesh.add_vertex(Exact::Point_3(p.x(), p.y(), p.z())));
  for (const auto& t : soup.triangles) mesh.add_face(at[t[0]], at[t[1]], at[t[2]]);
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
  if (!solid.triangles.empty()) parts.push_back(exact(solid));
  for (const std::vector<Vec3>& points : convex)
    if (const TriangleSoup hull = hullSurface(points); !hull.triangles.empty())
      parts.push_back(exact(hull));
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

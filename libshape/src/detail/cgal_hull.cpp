// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgal_hull.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <algorithm>
#include <numeric>

namespace scree::shape::detail {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;

std::vector<Point> cgalPoints(std::span<const Vec3> points) {
  std::vector<Point> out;
  out.reserve(points.size());
  for (const Vec3& p : points) out.emplace_back(p.x(), p.y(), p.z());
  return out;
}

}  // namespace

std::vector<Triangle> hullTriangles(std::span<const Vec3> points) {
  const std::vector<Point> input = cgalPoints(points);
  CGAL::Surface_mesh<Point> mesh;
  CGAL::convex_hull_3(input.begin(), input.end(), mesh);
  // CGAL copies the points; their coordinates find them again.
  std::vector<std::uint32_t> sorted(points.size());
  std::iota(sorted.begin(), sorted.end(), 0u);
  std::sort(sorted.begin(), sorted.end(),
            [&](std::uint32_t a, std::uint32_t b) { return input[a] < input[b]; });
  const auto indexOf = [&](const Point& p) {
    return *std::lower_bound(sorted.begin(), sorted.end(), p,
                             [&](std::uint32_t a, const Point& q) { return input[a] < q; });
  };
  std::vector<Triangle> triangles;
  triangles.reserve(mesh.number_of_faces());
  for (const auto face : mesh.faces()) {
    Triangle t{};
    std::size_t k = 0;
    for (const auto vertex : CGAL::vertices_around_face(mesh.halfedge(face), mesh))
      if (k < 3) t[k++] = indexOf(mesh.point(vertex));
    // Begin with the lowest corner, so that the result does not tell how CGAL went about it.
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    triangles.push_back(t);
  }
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

TriangleSoup hullSurface(std::span<const Vec3> points) {
  const std::vector<Point> input = cgalPoints(points);
  CGAL::Surface_mesh<Point> hull;
  CGAL::convex_hull_3(input.begin(), input.end(), hull);
  TriangleSoup out;
  if (hull.num_faces() < 4) return out;
  for (const auto v : hull.vertices()) {
    const Point& p = hull.point(v);
    out.points.emplace_back(p.x(), p.y(), p.z());
  }
  for (const auto f : hull.faces()) {
    std::array<std::uint32_t, 3> t{};
    std::size_t k = 0;
    for (const auto v : CGAL::vertices_around_face(hull.halfedge(f), hull))
      if (k < 3) t[k++] = static_cast<std::uint32_t>(v);
    out.triangles.push_back(t);
  }
  return out;
}

}  // namespace scree::shape::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgal.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/convex_hull_3.h>

#include <algorithm>
#include <numeric>

namespace scree::shape::detail {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;

std::vector<Triangle> hullTriangles(std::span<const Vec3> points) {
  std::vector<Point> input;
  for (const Vec3& p : points) input.emplace_back(p.x(), p.y(), p.z());
  CGAL::Surface_mesh<Point> mesh;
  CGAL::convex_hull_3(input.begin(), input.end(), mesh);
  if (mesh.num_faces() < 4) return {};
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

}  // namespace scree::shape::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgal.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/alpha_wrap_3.h>

#include <algorithm>

namespace scree::shape::detail {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;

TriangleSoup alphaWrap(std::span<const Vec3> points,
                       std::span<const std::array<std::uint32_t, 3>> triangles, double alpha,
                       double offset) {
  std::vector<Point> input;
  input.reserve(points.size());
  for (const Vec3& p : points) input.emplace_back(p.x(), p.y(), p.z());
  std::vector<std::array<std::size_t, 3>> faces;
  faces.reserve(triangles.size());
  for (const auto& t : triangles) faces.push_back({t[0], t[1], t[2]});
  CGAL::Surface_mesh<Point> wrap;
  CGAL::alpha_wrap_3(input, faces, alpha, offset, wrap);

  TriangleSoup out;
  std::vector<std::uint32_t> number(wrap.num_vertices(), 0);
  for (const auto v : wrap.vertices()) {
    number[v] = static_cast<std::uint32_t>(out.points.size());
    const Point& p = wrap.point(v);
    out.points.emplace_back(p.x(), p.y(), p.z());
  }
  for (const auto f : wrap.faces()) {
    std::array<std::uint32_t, 3> t{};
    std::size_t k = 0;
    for (const auto v : CGAL::vertices_around_face(wrap.halfedge(f), wrap))
      if (k < 3) t[k++] = number[v];
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    out.triangles.push_back(t);
  }
  return out;
}

}  // namespace scree::shape::detail

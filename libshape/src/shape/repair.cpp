// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/cgal.hpp"
#include "detail/half_edges.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_change.hpp"

#include <array>
#include <cmath>

namespace scree::shape {

HoleFilling filledHoles(const SurfaceMesh& mesh) {
  HoleFilling out{mesh};
  std::vector<Edge> open;  // sides of one face alone, run the way a face that closes them would
  detail::forEachEdge(detail::sortedHalfEdges(mesh.faces),
                      [&](std::span<const detail::HalfEdge> around) {
                        const auto& [low, high, face, forward] = around[0];
                        if (around.size() == 1)
                          open.push_back(forward ? Edge{high, low} : Edge{low, high});
                      });
  constexpr std::size_t longestRim = 300;
  for (const std::vector<std::uint32_t>& rim : detail::loopsOf(open)) {
    if (rim.size() > longestRim) {
      ++out.holesLeft;
      continue;
    }
    std::vector<std::array<std::uint32_t, 3>> triangles;
    triangulate(mesh.vertices, rim, triangles);
    ++out.holes;
    for (const auto& t : triangles) {
      out.mesh.faces.add(t);
      out.area += detail::areaVector(mesh.vertices, t).norm();
    }
  }
  return out;
}

SurfaceMesh wrapped(const SurfaceMesh& mesh, double alpha, double offset) {
  if (!(alpha > 0.0 && offset > 0.0 && std::isfinite(alpha) && std::isfinite(offset)))
    throw UsageError("wrap: alpha and offset must be above 0");
  // Lines and points have no inside and no outside for the wrap to find its way between.
  std::vector<std::array<std::uint32_t, 3>> triangles = trianglesOf(mesh);
  std::erase_if(triangles, [&](const auto& t) {
    return detail::onOneLine(mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
  });
  if (triangles.empty()) throw GeometryError("cannot be wrapped: no face has an area");
  detail::TriangleSoup wrap;
  try {
    wrap = detail::alphaWrap(mesh.vertices, triangles, alpha, offset);
  } catch (const std::exception& error) {
    throw GeometryError(std::string("cannot be wrapped: ") + error.what());
  }
  if (wrap.triangles.empty())
    throw GeometryError("cannot be wrapped: all parts are thinner than alpha");
  SurfaceMesh out{std::move(wrap.points), {}};
  for (const auto& t : wrap.triangles) out.faces.add(t);
  return out;
}

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/solid_distance.hpp"

#include "base/angles.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::clump {

SolidDistance::SolidDistance(const shape::SurfaceMesh& core, double radius)
    : core_(core), surface_(core), radius_(radius) {
  if (!(radius >= 0.0) || !std::isfinite(radius))
    throw GeometryError(fmt::format("radius {}: expected a finite number of at least 0", radius));
  const shape::Aabb box = shape::detail::boxAround(core_.vertices);
  low_ = box.low - Vec3::Constant(radius);
  high_ = box.high + Vec3::Constant(radius);

  const auto corners = shape::trianglesOf(core_);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Vec3> edges;
  std::vector<Vec3> vertices(core_.vertices.size(), Vec3::Zero());
  const auto edgeOf = [&](const auto& t, std::size_t k) {
    return std::minmax<std::uint32_t>(t[k], t[(k + 1) % 3]);
  };
  for (const auto& t : corners) {
    const std::array<Vec3, 3> at{core_.vertices[t[0]], core_.vertices[t[1]], core_.vertices[t[2]]};
    const Vec3 normal = (at[1] - at[0]).cross(at[2] - at[0]).normalized();
    if (!normal.allFinite()) continue;  // a triangle without area has no side
    for (std::size_t k = 0; k < 3; ++k) {
      const auto edge = edgeOf(t, k);
      edges.try_emplace({edge.first, edge.second}, Vec3::Zero()).first->second += normal;
      vertices[t[k]] += angleBetween(at[(k + 1) % 3] - at[k], at[(k + 2) % 3] - at[k]) * normal;
    }
  }
  for (const auto& t : corners) {
    Normals n;
    n.face = (core_.vertices[t[1]] - core_.vertices[t[0]])
                 .cross(core_.vertices[t[2]] - core_.vertices[t[0]]);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto edge = edgeOf(t, k);
      n.edge[k] = edges.try_emplace({edge.first, edge.second}, Vec3::Zero()).first->second;
      n.corner[k] = vertices[t[k]];
    }
    normals_.push_back(n);
  }
}

SolidDistance::Nearest SolidDistance::nearest(const Vec3& p, std::uint32_t guess) const {
  const auto [distance, triangle] = surface_.nearest(p, guess);
  const auto place = shape::detail::fromTriangle(surface_.triangles()[triangle], p);
  const Normals& n = normals_[triangle];
  const Vec3& normal = place.corner >= 0 ? n.corner[static_cast<std::size_t>(place.corner)]
                       : place.edge >= 0 ? n.edge[static_cast<std::size_t>(place.edge)]
                                         : n.face;
  const bool outside = normal.dot(place.off) > 0.0;
  return {p - place.off, radius_ + (outside ? -distance : distance), triangle};
}

Vec3 SolidDistance::nearestOnTriangle(std::uint32_t triangle, const Vec3& p) const {
  return p - shape::detail::fromTriangle(surface_.triangles()[triangle], p).off;
}

shape::Shape SolidDistance::asShape() const {
  shape::Shape shape;
  shape.vertices = core_.vertices;
  shape.faces = core_.faces;
  shape.radius = radius_;
  return shape;
}

namespace {

/// Whether a vertex, an edge or a sheet is outside of the solid: rounded, it has volume.
bool hasRods(const shape::Shape& shape, const shape::Core& core, const SolidDistance& solid) {
  std::vector<char> used(shape.vertices.size(), 0);
  for (std::size_t f = 0; f < shape.faces.size(); ++f)
    for (const std::uint32_t v : shape.faces[f]) used[v] = 1;
  if (std::ranges::count(used, 0) > 0 || !core.sheets.empty()) return true;
  const auto sticksOut = [&](const shape::Edge& e) {
    const Vec3 &a = shape.vertices[e[0]], &b = shape.vertices[e[1]];
    return solid.depth(0.5 * (a + b)) < solid.radius() - 1e-6 * (b - a).norm();
  };
  return std::ranges::any_of(shape::freeEdges(shape.edges, shape.faces), sticksOut);
}

}  // namespace

SolidDistance solidOf(const shape::Shape& shape) {
  if (shape.isSurface)
    throw GeometryError(
        fmt::format("shape '{}' is open and has no inside (shapeSurvey import --wrap "
                    "closes a mesh)",
                    shape.name));
  const shape::Core core = shape::coreOf(shape);
  const bool flat = core.convex && core.hull.rank < 3;
  if (!shape.faces.empty() && core.closed && !core.faces.empty() && !flat) {
    SolidDistance solid({core.vertices, core.faces}, shape.radius);
    if (shape.radius == 0.0 || core.convex || !hasRods(shape, core, solid)) return solid;
  }
  throw GeometryError(
      fmt::format("shape '{}' has balls, rods or plates, or faces that enclose no volume; covers "
                  "need a solid with faces (shapeSurvey export --rounded 6 writes its surface as a "
                  "mesh)",
                  shape.name));
}

}  // namespace scree::clump

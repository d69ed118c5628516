// SPDX-License-Identifier: GPL-3.0-or-later
#include "shape_body.hpp"

#include "detail/polygon_math.hpp"

#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <cmath>

namespace scree::mass::detail {
namespace {

using Corners = std::span<const std::uint32_t>;

/// Triangles of one face. Plane polygons are cut along diagonals; others are fans about their mean
/// point, as for the closed form of meshes.
void addFace(RoundedPart& part, Corners face, double flat) {
  if (face.size() == 3) {
    part.triangles.push_back({face[0], face[1], face[2]});
    return;
  }
  const Vec3 area = shape::detail::areaVector(part.vertices, face);
  const Vec3 middle = shape::detail::middle(part.vertices, face);
  double off = 0.0;
  if (area.norm() > 0.0)
    for (const std::uint32_t v : face)
      off = std::max(off, std::fabs(area.normalized().dot(part.vertices[v] - middle)));
  if (area.norm() > 0.0 && off <= flat) {
    shape::triangulate(part.vertices, face, part.triangles);
    return;
  }
  const auto centre = static_cast<std::uint32_t>(part.vertices.size());
  part.vertices.push_back(middle);
  for (std::size_t k = 0; k < face.size(); ++k)
    part.triangles.push_back({centre, face[k], face[(k + 1) % face.size()]});
}

}  // namespace

CertifiedBody bodyOf(const shape::Shape& shape, const shape::Core& core) {
  CertifiedBody body;
  if (!shape.radii.empty()) {
    for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
      RoundedPart& ball = body.parts.emplace_back();
      ball.vertices = {shape.vertices[v]};
      ball.points = {0};
      ball.radius = shape.radii[v];
    }
    return body;
  }
  RoundedPart& part = body.parts.emplace_back();
  part.radius = shape.radius;
  if (core.convex && core.hull.rank == 3) {  // whatever faces the file lists, it fills its hull
    part.vertices = core.hull.points;
    for (std::size_t f = 0; f < core.hull.faces.size(); ++f)
      addFace(part, core.hull.faces[f], 1e300);
    part.solid = true;
    return body;
  }
  part.vertices = core.vertices;
  part.solid = core.closed && !shape.isSurface && core.hull.rank == 3;
  double size = 0.0;
  for (const Vec3& v : shape.vertices) size = std::max(size, (v - shape.vertices[0]).norm());
  for (std::size_t f = 0; f < core.faces.size(); ++f) addFace(part, core.faces[f], 1e-12 * size);
  for (const shape::Edge& e : shape.edges) part.segments.push_back({e[0], e[1]});
  for (std::uint32_t v = 0; v < shape.vertices.size(); ++v) part.points.push_back(v);
  if (part.solid && shape.radius > 0.0 && !core.sheets.empty()) {
    RoundedPart& sheets = body.parts.emplace_back();
    sheets.vertices = core.vertices;
    sheets.radius = shape.radius;
    for (std::size_t f = 0; f < core.sheets.size(); ++f)
      addFace(sheets, core.sheets[f], 1e-12 * size);
  }
  return body;
}

}  // namespace scree::mass::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#include "shape_body.hpp"

#include "detail/polygon_math.hpp"

#include <algorithm>
#include <cmath>

namespace scree::mass::detail {
namespace {

using Corners = std::span<const std::uint32_t>;
using Triangle = std::array<std::uint32_t, 3>;

double cross2(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// Ears cut off a plane polygon one after the other; false where none is left to cut.
bool cutEars(std::span<const Vec3> vertices, Corners face, const Vec3& normal,
             std::vector<Triangle>& out) {
  const Vec3 e1 = normal.unitOrthogonal(), e2 = normal.cross(e1);
  std::vector<std::uint32_t> left(face.begin(), face.end());
  std::vector<Vec2> at;
  for (const std::uint32_t v : face) {
    const Vec3 d = vertices[v] - vertices[face[0]];
    at.emplace_back(d.dot(e1), d.dot(e2));
  }
  std::size_t tried = 0;
  for (std::size_t k = 0; left.size() > 3;) {
    const std::size_t n = left.size(), i = k % n, before = (i + n - 1) % n, after = (i + 1) % n;
    const Vec2 &a = at[before], &b = at[i], &c = at[after];
    bool ear = cross2(a, b, c) >= 0.0;
    for (std::size_t j = 0; j < n && ear; ++j) {
      if (j == before || j == i || j == after || at[j] == a || at[j] == b || at[j] == c) continue;
      ear =
          !(cross2(a, b, at[j]) >= 0.0 && cross2(b, c, at[j]) >= 0.0 && cross2(c, a, at[j]) >= 0.0);
    }
    if (!ear) {
      if (++tried > n) return false;
      ++k;
      continue;
    }
    out.push_back({left[before], left[i], left[after]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
    at.erase(at.begin() + static_cast<std::ptrdiff_t>(i));
    tried = 0;
    k = i;
  }
  out.push_back({left[0], left[1], left[2]});
  return true;
}

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
  const std::size_t before = part.triangles.size();
  if (area.norm() > 0.0 && off <= flat &&
      cutEars(part.vertices, face, area.normalized(), part.triangles))
    return;
  part.triangles.resize(before);
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

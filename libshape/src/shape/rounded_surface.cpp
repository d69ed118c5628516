// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/rounded_surface.hpp"

#include "base/angles.hpp"
#include "base/elementary.hpp"
#include "detail/patches.hpp"
#include "detail/pieces.hpp"
#include "detail/polygon_math.hpp"

#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace scree::shape {
namespace {

using detail::Ids;
using detail::Patches;

/// A ball or a stick: rows around the axis from the low pole to the high one.
void drawStick(Patches& out, const Vec3& low, const Vec3& high, const Vec3& axis) {
  const Mat3 frame = axesAlong(axis);
  const int quarter = out.segments(0.5 * pi), around = 4 * quarter;
  std::vector<Ids> rows;
  const auto addRow = [&](const Vec3& centre, int latitude) {
    const double polar = 0.5 * pi * latitude / quarter;
    if (std::abs(latitude) == quarter) {
      rows.emplace_back(static_cast<std::size_t>(around),
                        out.point(centre, latitude < 0 ? Vec3(-axis) : axis));
      return;
    }
    Ids row;
    for (int k = 0; k < around; ++k) {
      const double angle = 2.0 * pi * k / around;
      row.push_back(
          out.point(centre, elementary::sin(polar) * axis +
                                elementary::cos(polar) * (elementary::cos(angle) * frame.col(1) +
                                                          elementary::sin(angle) * frame.col(2))));
    }
    rows.push_back(std::move(row));
  };
  for (int k = -quarter; k <= 0; ++k) addRow(low, k);
  for (int k = low == high ? 1 : 0; k <= quarter; ++k) addRow(high, k);
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    for (std::size_t k = 0, n = rows[i].size(); k < n; ++k)
      out.cell({rows[i][k], rows[i][(k + 1) % n], rows[i + 1][(k + 1) % n], rows[i + 1][k]});
}

/// A plate: both sides, half a tube along each edge, a lune of the sphere at each corner.
void drawPlate(Patches& out, const ConvexHull& hull) {
  const Vec3 n = hull.normals[0];
  const auto outline = hull.faces[0];
  const std::size_t count = outline.size();
  const int half = out.segments(pi);
  Ids top, bottom;
  for (const std::uint32_t v : outline) {
    top.push_back(out.point(hull.points[v], n));
    bottom.push_back(out.point(hull.points[v], -n));
  }
  out.cell(top);
  out.cell(Ids(bottom.rbegin(), bottom.rend()));
  const auto meridian = [&](std::size_t k, const Vec3& outward) {
    Ids ids{top[k]};
    for (int i = 1; i < half; ++i)
      ids.push_back(
          out.point(hull.points[outline[k]],
                    elementary::cos(pi * i / half) * n + elementary::sin(pi * i / half) * outward));
    ids.push_back(bottom[k]);
    return ids;
  };
  std::vector<Vec3> rim;
  std::vector<Ids> from, to;  // meridians at the two ends of the edge from corner k
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t next = (k + 1) % count;
    rim.push_back((hull.points[outline[next]] - hull.points[outline[k]]).cross(n).normalized());
    from.push_back(meridian(k, rim[k]));
    to.push_back(meridian(next, rim[k]));
    out.strip(from[k], to[k]);
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t before = (k + count - 1) % count;
    const int turns = out.segments(angleBetween(rim[before], rim[k]));
    Ids left = to[before];
    for (int i = 1; i <= turns; ++i) {
      Ids right =
          i == turns
              ? from[k]
              : meridian(k, detail::onArc(rim[before], rim[k], static_cast<double>(i) / turns));
      out.strip(left, right);
      left = std::move(right);
    }
  }
}

/// A convex solid: faces, edges and corners that share their points.
void drawSolid(Patches& out, const ConvexHull& hull) {
  const Polygons& faces = hull.faces;
  // For the directed edge a -> b: the face on its left and its point above a.
  struct Side {
    std::uint32_t face = 0, pointAtStart = 0;
    Ids arcAtStart;  ///< from this face to the one on the right, above a
  };
  std::map<std::array<std::uint32_t, 2>, Side> sides;
  for (std::uint32_t f = 0; f < faces.size(); ++f) {
    Ids ids;
    for (const std::uint32_t v : faces[f])
      ids.push_back(out.point(hull.points[v], hull.normals[f]));
    out.cell(ids);
    for (std::size_t k = 0; k < ids.size(); ++k)
      sides[{faces[f][k], faces[f][(k + 1) % ids.size()]}] = {f, ids[k], {}};
  }
  // The point of a face above one of its corners.
  std::map<std::array<std::uint32_t, 2>, std::uint32_t> above;
  for (const auto& [edge, side] : sides) above[{side.face, edge[0]}] = side.pointAtStart;
  for (auto& [edge, side] : sides) {
    const auto [a, b] = edge;
    if (a > b) continue;
    Side& other = sides.at({b, a});
    const int s = out.segments(angleBetween(hull.normals[side.face], hull.normals[other.face]));
    side.arcAtStart = out.arc(hull.points[a], side.pointAtStart, above.at({other.face, a}), s);
    const Ids atB = out.arc(hull.points[b], above.at({side.face, b}), other.pointAtStart, s);
    out.strip(side.arcAtStart, atB);
    other.arcAtStart.assign(atB.rbegin(), atB.rend());
  }
  std::vector<char> done(hull.points.size(), 0);
  for (const auto& [edge, start] : sides) {
    const std::uint32_t v = edge[0];
    if (done[v]) continue;
    done[v] = 1;
    // Counter-clockwise around v: across the edge of each face that ends in v.
    std::vector<Ids> arcs;
    std::uint32_t f = start.face;
    do {
      const auto corners = faces[f];
      const std::size_t k =
          static_cast<std::size_t>(std::find(corners.begin(), corners.end(), v) - corners.begin());
      const Side& next = sides.at({v, corners[(k + corners.size() - 1) % corners.size()]});
      arcs.emplace_back(next.arcAtStart.rbegin(), next.arcAtStart.rend());
      f = next.face;
    } while (f != start.face && arcs.size() <= faces.size());
    out.spherePatch(hull.points[v], arcs);
  }
}

void drawSharp(Patches& out, std::span<const Vec3> points, const Polygons& faces) {
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const Vec3 area = detail::areaVector(points, faces[f]);
    if (!(area.norm() > 0.0)) continue;
    Ids ids;
    for (const std::uint32_t v : faces[f]) ids.push_back(out.point(points[v], area.normalized()));
    out.cell(ids);
  }
}

}  // namespace

RoundedSurface roundedSurface(const Shape& shape, double fineness) {
  Patches out(shape.radius, fineness);
  if (shape.vertices.empty()) return out.take();
  Core core = coreOf(shape);
  if (core.convex && core.hull.rank == 3 && core.flatness > 0.0) {
    // Faces written with few digits are bent a little, and the hull splits them into triangles.
    // Drawn as one they need half of the points.
    Vec3 low = core.hull.points[0], high = low;
    for (const Vec3& p : core.hull.points) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    const double bend = 4.0 * core.flatness / (high - low).maxCoeff();
    if (bend < 1e-5) core.hull = convexHull(shape.vertices, shape.faces, bend);
  }
  if (shape.radius == 0.0) {
    if (core.convex && core.hull.rank == 3)
      drawSharp(out, core.hull.points, core.hull.faces);
    else
      drawSharp(out, shape.vertices, core.faces);
  } else if (!core.convex) {
    detail::drawPieces(out, shape, core);
  } else if (core.hull.rank == 3) {
    drawSolid(out, core.hull);
  } else if (core.hull.rank == 2) {
    drawPlate(out, core.hull);
  } else {
    const Vec3 low = core.hull.points.front(), high = core.hull.points.back();
    drawStick(out, low, high,
              core.hull.rank == 1 ? Vec3((high - low).normalized()) : Vec3(Vec3::UnitZ()));
  }
  return out.take();
}

}  // namespace scree::shape

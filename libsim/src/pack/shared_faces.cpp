// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared_faces.hpp"

#include "detect/broad_phase.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

double turnOf(const Vec2& o, const Vec2& a, const Vec2& b) {
  return (a.x() - o.x()) * (b.y() - o.y()) - (a.y() - o.y()) * (b.x() - o.x());
}

double areaOf(const Polygon2& p) {
  double twice = 0.0;
  for (std::size_t k = 2; k < p.size(); ++k) twice += turnOf(p[0], p[k - 1], p[k]);
  return 0.5 * twice;
}

/// Area that two convex polygons, both counter-clockwise, have in common.
double commonConvex(Polygon2 left, const Polygon2& by) {
  for (std::size_t k = 0; k < by.size() && !left.empty(); ++k) {
    const Vec2 &a = by[k], &b = by[(k + 1) % by.size()];
    Polygon2 next;
    for (std::size_t m = 0; m < left.size(); ++m) {
      const Vec2 &p = left[m], &q = left[(m + 1) % left.size()];
      const double tp = turnOf(a, b, p), tq = turnOf(a, b, q);
      if (tp >= 0.0) next.push_back(p);
      if ((tp > 0.0 && tq < 0.0) || (tp < 0.0 && tq > 0.0))
        next.push_back(p + tp / (tp - tq) * (q - p));
    }
    left = std::move(next);
  }
  return left.size() < 3 ? 0.0 : areaOf(left);
}

/// Convex parts of a face of a cell: itself, or triangles.
std::vector<Polygon2> partsOf(const Cell& cell, std::uint32_t face, const FacePlane& plane,
                              const Vec3& shift) {
  std::vector<Polygon2> parts;
  const auto add = [&](std::span<const std::uint32_t> corners) {
    Polygon2& part = parts.emplace_back();
    for (const std::uint32_t c : corners) part.push_back(plane.flat(cell.mesh.vertices[c] + shift));
    if (areaOf(part) < 0.0) std::ranges::reverse(part);
  };
  if (cell.convex) {
    add(cell.mesh.faces[face]);
    return parts;
  }
  std::vector<std::array<std::uint32_t, 3>> triangles;
  shape::triangulate(cell.mesh.vertices, cell.mesh.faces[face], triangles);
  for (const auto& t : triangles) add(t);
  return parts;
}

/// Distance of a point from a segment.
double fromSegment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Vec2 along = b - a;
  const double length2 = along.squaredNorm();
  const double t = length2 > 0.0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0.0;
  return (p - a - t * along).norm();
}

/// Whether a simple polygon has a point in it, or nearer than `tolerance` to its border.
bool holds(const Polygon2& polygon, const Vec2& p, double tolerance) {
  bool inside = false;
  for (std::size_t k = 0, m = polygon.size() - 1; k < polygon.size(); m = k++) {
    const Vec2 &a = polygon[k], &b = polygon[m];
    if (fromSegment(p, a, b) <= tolerance) return true;
    if ((a.y() > p.y()) != (b.y() > p.y()) &&
        p.x() < a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x()))
      inside = !inside;
  }
  return inside;
}

/// Smaller moment of the points about their mean, per point.
double spreadOf(const std::vector<BondPoint>& points) {
  if (points.size() < 3) return 0.0;
  Vec2 mean = Vec2::Zero();
  for (const BondPoint& p : points) mean += p.at / static_cast<double>(points.size());
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (const BondPoint& p : points) {
    const Vec2 d = (p.at - mean) / std::sqrt(static_cast<double>(points.size()));
    xx += d.x() * d.x();
    xy += d.x() * d.y();
    yy += d.y() * d.y();
  }
  return 0.5 * (xx + yy - std::sqrt((xx - yy) * (xx - yy) + 4.0 * xy * xy));
}

/// Leaves out points nearer than `gap` to an earlier one, if what is left is no line.
std::vector<BondPoint> thinned(const std::vector<BondPoint>& points, double gap) {
  std::vector<BondPoint> kept;
  for (const BondPoint& p : points)
    if (std::ranges::none_of(kept, [&](const BondPoint& q) { return (p.at - q.at).norm() < gap; }))
      kept.push_back(p);
  return spreadOf(kept) > 0.5 * spreadOf(points) ? kept : points;
}

/// Corners of the common part of two faces that are a vertex of the first or where edges cross.
std::vector<BondPoint> cornersOf(const BodyFace& first, const BodyFace& second, double scale) {
  std::vector<BondPoint> points;
  const double near = 1e-6 * scale;
  for (std::size_t k = 0; k < first.flat.size(); ++k)
    if (holds(second.flat, first.flat[k], near))
      points.push_back({Pairing::vertexFace, first.corners[k], second.face, first.flat[k]});
  for (std::size_t k = 0; k < first.flat.size(); ++k)
    for (std::size_t m = 0; m < second.flat.size(); ++m) {
      const std::size_t k2 = (k + 1) % first.flat.size(), m2 = (m + 1) % second.flat.size();
      const Vec2 &a = first.flat[k], &b = second.flat[m];
      const Vec2 u = first.flat[k2] - a, v = second.flat[m2] - b, d = b - a;
      const double cross = u.x() * v.y() - u.y() * v.x();
      if (std::abs(cross) < 1e-3 * u.norm() * v.norm()) continue;
      const double s = (d.x() * v.y() - d.y() * v.x()) / cross,
                   t = (d.x() * u.y() - d.y() * u.x()) / cross;
      if (!(s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0)) continue;
      const Vec2 at = a + s * u;
      if (std::ranges::any_of(points,
                              [&](const BondPoint& p) { return (p.at - at).norm() < near; }))
        continue;
      points.push_back({Pairing::edgeEdge, first.edge(k, k2), second.edge(m, m2), at});
    }
  return points;
}

}  // namespace

FacePlane::FacePlane(const Vec3& normal) {
  const Mat3 axes = shape::axesAlong(normal);
  u_ = axes.col(1);
  v_ = axes.col(2);
}

BodyFace::BodyFace(const shape::Shape& shape, std::uint32_t number, const std::vector<Vec3>& points,
                   const FacePlane& plane, const Vec3& shift)
    : face(number),
      corners(shape.faces[number].begin(), shape.faces[number].end()),
      edges(&shape.edges) {
  for (const std::uint32_t c : corners) flat.push_back(plane.flat(points[c] + shift));
  if (areaOf(flat) > 0.0) return;
  std::ranges::reverse(corners);
  std::ranges::reverse(flat);
}

std::uint32_t BodyFace::edge(std::size_t from, std::size_t to) const {
  const auto [low, high] = std::minmax(corners[from], corners[to]);
  const auto at = std::ranges::lower_bound(*edges, shape::Edge{low, high});
  return static_cast<std::uint32_t>(at - edges->begin());
}

BondPoints bondPoints(const BodyFace& i, const BodyFace& j, double area,
                      std::optional<bool> settled) {
  const double scale = std::sqrt(area);
  BondPoints out;
  double best = 1e-4 * area;
  for (const bool swapped : {false, true}) {
    if (settled && swapped != *settled) continue;
    auto points = thinned(cornersOf(swapped ? j : i, swapped ? i : j, scale), 0.1 * scale);
    const double spread = spreadOf(points);
    if (spread > best * (swapped ? 1.0 + 1e-6 : 1.0)) {
      best = spread;
      out = {std::move(points), swapped};
    }
  }
  return out;
}

std::vector<SharedFace> sharedFaces(const std::vector<Cell>& cells, const PeriodicCell& period) {
  std::vector<shape::Aabb> boxes;
  std::vector<Vec3> centres;
  const Vec3 size = period.h.diagonal();
  for (const Cell& cell : cells) {
    shape::Aabb& box = boxes.emplace_back(boundingBox(cell));
    box = box.grown(1e-9 * box.halfSize().norm());
    const Vec3 centre = centres.emplace_back(box.centre());
    if (!period.used) continue;
    if (!((2.0 * box.halfSize()).array() < 0.5 * size.array()).all())
      throw UsageError("a cell is larger than half of the period: expected more cells");
    for (int k = 0; k < 3; ++k)
      box.move(-size[k] * std::floor(centre[k] / size[k]) * Vec3::Unit(k));
  }
  const auto pairs =
      period.used ? overlappingImages(boxes, period.h, 0, 1) : overlappingPairs(boxes, 0, 1);
  std::vector<SharedFace> out;
  for (const auto& [a, b] : pairs) {
    const Cell &i = cells[a], &j = cells[b];
    Vec3 shift = Vec3::Zero();
    if (period.used)
      for (int k = 0; k < 3; ++k)
        shift[k] = size[k] * std::round((centres[a] - centres[b])[k] / size[k]);
    const double length = boxes[a].halfSize().norm() + boxes[b].halfSize().norm();
    for (std::uint32_t f = 0; f < i.sides.size(); ++f)
      for (std::uint32_t g = 0; g < j.sides.size(); ++g) {
        const CellSide &s = i.sides[f], &t = j.sides[g];
        if (s.normal.dot(t.normal) > -1.0 + 1e-12 ||
            std::abs(s.offset + t.offset + t.normal.dot(shift)) > 1e-8 * length)
          continue;
        const FacePlane plane(s.normal);
        double area = 0.0;
        for (const Polygon2& p : partsOf(i, f, plane, Vec3::Zero()))
          for (const Polygon2& q : partsOf(j, g, plane, shift)) area += commonConvex(p, q);
        // Faces that meet along an edge share rounding alone.
        if (area > 1e-12 * length * length) out.push_back({a, b, f, g, area, shift});
      }
  }
  return out;
}

}  // namespace scree::sim

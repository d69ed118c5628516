// SPDX-License-Identifier: GPL-3.0-or-later
#include "detect/broad_phase.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/sim/pack/cell_bodies.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// Corners in a plane whose normal the functions below get.
using Polygon = std::vector<Vec3>;

double turnOf(const Vec3& normal, const Vec3& o, const Vec3& a, const Vec3& b) {
  return normal.dot((a - o).cross(b - o));
}

double areaOf(const Vec3& normal, const Polygon& p) {
  double twice = 0.0;
  for (std::size_t k = 2; k < p.size(); ++k) twice += turnOf(normal, p[0], p[k - 1], p[k]);
  return 0.5 * twice;
}

/// Area that two convex polygons, both counter-clockwise, have in common.
double commonConvex(const Vec3& normal, Polygon left, const Polygon& by) {
  for (std::size_t k = 0; k < by.size() && !left.empty(); ++k) {
    const Vec3 &a = by[k], &b = by[(k + 1) % by.size()];
    Polygon next;
    for (std::size_t m = 0; m < left.size(); ++m) {
      const Vec3 &p = left[m], &q = left[(m + 1) % left.size()];
      const double tp = turnOf(normal, a, b, p), tq = turnOf(normal, a, b, q);
      if (tp >= 0.0) next.push_back(p);
      if ((tp > 0.0 && tq < 0.0) || (tp < 0.0 && tq > 0.0))
        next.push_back(p + tp / (tp - tq) * (q - p));
    }
    left = std::move(next);
  }
  return left.size() < 3 ? 0.0 : areaOf(normal, left);
}

/// Convex parts of a face of a cell, itself or triangles, counter-clockwise.
std::vector<Polygon> partsOf(const Cell& cell, std::uint32_t face, const Vec3& normal,
                             const Vec3& shift) {
  std::vector<Polygon> parts;
  const auto add = [&](std::span<const std::uint32_t> corners) {
    Polygon& part = parts.emplace_back();
    for (const std::uint32_t c : corners) part.push_back(cell.mesh.vertices[c] + shift);
    if (areaOf(normal, part) < 0.0) std::ranges::reverse(part);
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

}  // namespace

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
        double area = 0.0;
        for (const Polygon& p : partsOf(i, f, s.normal, Vec3::Zero()))
          for (const Polygon& q : partsOf(j, g, s.normal, shift))
            area += commonConvex(s.normal, p, q);
        // Faces that meet along an edge share rounding alone.
        if (area > 1e-12 * length * length) out.push_back({a, b, f, g, area, shift});
      }
  }
  return out;
}

}  // namespace scree::sim

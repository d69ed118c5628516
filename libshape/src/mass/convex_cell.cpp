// SPDX-License-Identifier: GPL-3.0-or-later
#include "convex_cell.hpp"

#include <algorithm>

namespace scree::mass::detail {

Sums boxSums(const Vec3& h) {
  Sums s;
  s.m0 = 8.0 * h.x() * h.y() * h.z();
  for (int k = 0; k < 3; ++k) s.m2[k] = s.m0 * h[k] * h[k] / 3.0;
  return s;
}

ConvexCell& ConvexCell::operator=(const ConvexCell& other) {
  vertexCount = other.vertexCount;
  faceCount = other.faceCount;
  std::copy_n(other.vertex.begin(), vertexCount, vertex.begin());
  std::copy_n(other.normal.begin(), faceCount, normal.begin());
  std::copy_n(other.offset.begin(), faceCount, offset.begin());
  std::copy_n(other.start.begin(), faceCount + 1, start.begin());
  std::copy_n(other.corner.begin(), start[static_cast<std::size_t>(faceCount)], corner.begin());
  return *this;
}

ConvexCell ConvexCell::box(const Vec3& centre, const Vec3& h) {
  ConvexCell cell;
  cell.vertexCount = 8;
  for (unsigned k = 0; k < 8; ++k)
    cell.vertex[k] =
        centre + Vec3(k & 1 ? h.x() : -h.x(), k & 2 ? h.y() : -h.y(), k & 4 ? h.z() : -h.z());
  cell.faceCount = 6;
  constexpr std::uint8_t loops[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (std::size_t f = 0; f < 6; ++f) {
    const auto axis = static_cast<Eigen::Index>(f / 2);
    const double sign = f % 2 ? 1.0 : -1.0;
    cell.normal[f] = sign * Vec3::Unit(axis);
    cell.offset[f] = sign * centre[axis] + h[axis];
    cell.start[f] = static_cast<std::uint16_t>(4 * f);
    std::copy_n(loops[f], 4, cell.corner.begin() + 4 * f);
  }
  cell.start[6] = 24;
  return cell;
}

Vec3 ConvexCell::middle() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < static_cast<std::size_t>(vertexCount); ++k) sum += vertex[k];
  return sum / vertexCount;
}

Sums ConvexCell::sums() const {
  // Tetrahedra seen from the first vertex: faces that have it as a corner add nothing.
  const Vec3 o = vertex[0];
  Sums s;
  for (std::size_t f = 0; f < static_cast<std::size_t>(faceCount); ++f) {
    const std::size_t first = start[f], last = start[f + 1];
    const Vec3 a = vertex[corner[first]] - o;
    Vec3 b = vertex[corner[first + 1]] - o;
    for (std::size_t k = first + 2; k < last; ++k) {
      const Vec3 c = vertex[corner[k]] - o;
      const double w = a.dot(b.cross(c));
      const Vec3 t = a + b + c;
      s.m0 += w;
      for (int i = 0; i < 3; ++i) {
        s.m1[i] += w * t[i];
        s.m2[i] += w * (t[i] * t[i] + a[i] * a[i] + b[i] * b[i] + c[i] * c[i]);
      }
      s.m2[3] += w * (t.x() * t.y() + a.x() * a.y() + b.x() * b.y() + c.x() * c.y());
      s.m2[4] += w * (t.x() * t.z() + a.x() * a.z() + b.x() * b.z() + c.x() * c.z());
      s.m2[5] += w * (t.y() * t.z() + a.y() * a.z() + b.y() * b.z() + c.y() * c.z());
      b = c;
    }
  }
  s.m0 /= 6.0;
  for (double& m : s.m1) m /= 24.0;
  for (double& m : s.m2) m /= 120.0;
  Sums out;
  out.add(s, o);
  return out;
}

double ConvexCell::volume() const {
  const Vec3 o = vertex[0];
  double sum = 0.0;
  for (std::size_t f = 0; f < static_cast<std::size_t>(faceCount); ++f) {
    const Vec3 a = vertex[corner[start[f]]] - o;
    for (std::size_t k = start[f] + 2u; k < start[f + 1]; ++k)
      sum += a.dot((vertex[corner[k - 1]] - o).cross(vertex[corner[k]] - o));
  }
  return sum / 6.0;
}

namespace {

/// A point where the plane cuts an edge; the same for both parts and both faces of the edge.
struct Crossing {
  std::uint8_t low, high;
  Vec3 point;
};

struct Cutter {
  const ConvexCell& cell;
  std::array<signed char, ConvexCell::maxVertices> side{};
  std::array<Crossing, 64> crossing;
  std::size_t crossings = 0;

  std::size_t crossingOn(std::uint8_t a, std::uint8_t b) const {
    const std::uint8_t low = std::min(a, b), high = std::max(a, b);
    std::size_t k = 0;
    while (k < crossings && (crossing[k].low != low || crossing[k].high != high)) ++k;
    return k;
  }

  /// The part on the side `sign` of the plane, whose outward normal is `n` there.
  bool part(signed char sign, const Vec3& n, double offset, ConvexCell& out) const {
    constexpr std::uint8_t none = 255;
    std::array<std::uint8_t, ConvexCell::maxVertices> place;
    const auto count = static_cast<std::size_t>(cell.vertexCount);
    std::size_t vertices = 0;
    for (std::size_t k = 0; k < count; ++k) {
      place[k] = none;
      if (side[k] == -sign) continue;
      place[k] = static_cast<std::uint8_t>(vertices);
      out.vertex[vertices++] = cell.vertex[k];
    }
    if (vertices + crossings > ConvexCell::maxVertices) return false;
    const std::size_t firstCrossing = vertices;
    for (std::size_t k = 0; k < crossings; ++k) out.vertex[vertices++] = crossing[k].point;

    // Along the cut each vertex on the plane is followed by one other.
    std::array<std::uint8_t, ConvexCell::maxVertices> next;
    std::fill_n(next.begin(), vertices, none);
    std::size_t faces = 0, corners = 0, links = 0;
    std::uint8_t any = none;
    for (std::size_t f = 0; f < static_cast<std::size_t>(cell.faceCount); ++f) {
      const std::size_t first = cell.start[f], last = cell.start[f + 1], begin = corners;
      bool strict = false;
      if (corners + 2 * (last - first) > ConvexCell::maxCorners) return false;
      std::array<bool, ConvexCell::maxCorners> onPlane;
      for (std::size_t k = first; k < last; ++k) {
        const std::uint8_t a = cell.corner[k], b = cell.corner[k + 1 < last ? k + 1 : first];
        if (place[a] != none) {
          strict |= side[a] == sign;
          onPlane[corners - begin] = side[a] == 0;
          out.corner[corners++] = place[a];
        }
        if (side[a] * side[b] < 0) {
          onPlane[corners - begin] = true;
          out.corner[corners++] = static_cast<std::uint8_t>(firstCrossing + crossingOn(a, b));
        }
      }
      if (!strict || corners - begin < 3) {
        corners = begin;
        continue;
      }
      const std::size_t length = corners - begin;
      for (std::size_t k = 0; k < length; ++k) {
        const std::size_t l = k + 1 < length ? k + 1 : 0;
        if (!onPlane[k] || !onPlane[l]) continue;
        const std::uint8_t p = out.corner[begin + k], q = out.corner[begin + l];
        if (next[q] != none) return false;
        next[q] = p;
        any = q;
        ++links;
      }
      if (faces + 1 >= ConvexCell::maxFaces) return false;
      out.normal[faces] = cell.normal[f];
      out.offset[faces] = cell.offset[f];
      out.start[faces++] = static_cast<std::uint16_t>(begin);
    }
    if (links < 3 || corners + links > ConvexCell::maxCorners) return false;
    out.normal[faces] = n;
    out.offset[faces] = offset;
    out.start[faces++] = static_cast<std::uint16_t>(corners);
    std::uint8_t at = any;
    for (std::size_t k = 0; k < links; ++k) {
      if (at == none) return false;
      out.corner[corners++] = at;
      at = next[at];
    }
    if (at != any) return false;
    out.start[faces] = static_cast<std::uint16_t>(corners);
    out.faceCount = static_cast<int>(faces);
    // Vertices on the plane that no face kept would hang in the air.
    std::array<bool, ConvexCell::maxVertices> used{};
    for (std::size_t k = 0; k < corners; ++k) used[out.corner[k]] = true;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < vertices; ++k)
      if (used[k]) {
        place[k] = static_cast<std::uint8_t>(kept);
        out.vertex[kept++] = out.vertex[k];
      }
    if (kept < vertices)
      for (std::size_t k = 0; k < corners; ++k) out.corner[k] = place[out.corner[k]];
    out.vertexCount = static_cast<int>(kept);
    return true;
  }
};

}  // namespace

Side split(const ConvexCell& cell, const Vec3& n, double offset, double touch, ConvexCell& above,
           ConvexCell& below) {
  std::array<double, ConvexCell::maxVertices> s;
  Cutter cut{cell, {}, {}, 0};
  bool up = false, down = false;
  for (std::size_t k = 0; k < static_cast<std::size_t>(cell.vertexCount); ++k) {
    s[k] = n.dot(cell.vertex[k]) - offset;
    cut.side[k] = static_cast<signed char>(s[k] > touch ? 1 : s[k] < -touch ? -1 : 0);
    up |= cut.side[k] > 0;
    down |= cut.side[k] < 0;
  }
  if (!up) return Side::below;
  if (!down) return Side::above;
  for (std::size_t f = 0; f < static_cast<std::size_t>(cell.faceCount); ++f) {
    const std::size_t first = cell.start[f], last = cell.start[f + 1];
    for (std::size_t k = first; k < last; ++k) {
      const std::uint8_t a = cell.corner[k], b = cell.corner[k + 1 < last ? k + 1 : first];
      // Each edge is met twice, once in each direction.
      if (a > b || cut.side[a] * cut.side[b] >= 0) continue;
      if (cut.crossings == cut.crossing.size()) return Side::unsure;
      const double t = s[a] / (s[a] - s[b]);
      cut.crossing[cut.crossings++] = {a, b,
                                       cell.vertex[a] + t * (cell.vertex[b] - cell.vertex[a])};
    }
  }
  if (!cut.part(1, -n, -offset, above) || !cut.part(-1, n, offset, below)) return Side::unsure;
  return Side::cut;
}

}  // namespace scree::mass::detail

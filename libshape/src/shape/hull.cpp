// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/hull.hpp"

#include "detail/cgal_hull.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace scree::shape {
namespace {

using detail::Triangle;

constexpr double largestCoordinate = 1e150;  ///< [L] squares of larger ones overflow

/// Indices of the points that differ from all before them, in the order of the input.
std::vector<std::uint32_t> distinctPoints(std::span<const Vec3> points) {
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    for (int k = 0; k < 3; ++k)
      if (points[a][k] != points[b][k]) return points[a][k] < points[b][k];
    return a < b;
  };
  std::vector<std::uint32_t> all(points.size());
  std::iota(all.begin(), all.end(), 0u);
  std::sort(all.begin(), all.end(), less);
  all.erase(std::unique(all.begin(), all.end(),
                        [&](std::uint32_t a, std::uint32_t b) { return points[a] == points[b]; }),
            all.end());
  std::sort(all.begin(), all.end());
  return all;
}

template <class Measure>
std::uint32_t farthest(std::span<const Vec3> points, Measure&& measure) {
  std::uint32_t best = 0;
  double most = -1.0;
  for (std::uint32_t k = 0; k < points.size(); ++k)
    if (const double d = measure(points[k]); d > most) {
      most = d;
      best = k;
    }
  return best;
}

/// Corners of the hull of points in a plane, counter-clockwise about `normal`.
std::vector<std::uint32_t> flatHull(std::span<const Vec3> points, const Vec3& normal,
                                    double tolerance) {
  const Mat3 axes = axesAlong(normal);
  std::vector<Vec2> projected;
  projected.reserve(points.size());
  for (const Vec3& p : points) projected.emplace_back(p.dot(axes.col(1)), p.dot(axes.col(2)));
  return detail::hull2(projected, tolerance);
}

/// Triangles that lie in one plane, as polygons.
class FaceMerger {
 public:
  FaceMerger(std::span<const Vec3> points, std::vector<Triangle> triangles, double tolerance)
      : points_(points), triangles_(std::move(triangles)), tolerance_(tolerance) {
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k)
        half_.push_back({triangles_[t][k], triangles_[t][(k + 1) % 3], t});
    std::sort(half_.begin(), half_.end());
  }

  std::vector<std::vector<std::uint32_t>> polygons() {
    std::vector<std::uint32_t> order(triangles_.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<double> area(triangles_.size());
    for (std::uint32_t t = 0; t < area.size(); ++t) area[t] = areaVector(t).norm();
    // The largest triangle of a plane knows the plane best.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return area[a] > area[b]; });
    region_.assign(triangles_.size(), none);
    std::vector<std::vector<std::uint32_t>> out;
    for (const std::uint32_t seed : order) {
      if (region_[seed] != none) continue;
      const std::vector<std::uint32_t> members = grow(seed);
      std::vector<std::uint32_t> loop = boundary(members);
      if (!loop.empty()) {
        out.push_back(std::move(loop));
      } else {
        for (const std::uint32_t t : members)
          out.emplace_back(triangles_[t].begin(), triangles_[t].end());
      }
    }
    dropFlatCorners(out);
    for (auto& polygon : out)
      std::rotate(polygon.begin(), std::min_element(polygon.begin(), polygon.end()), polygon.end());
    std::sort(out.begin(), out.end());
    return out;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;
  struct Half {
    std::uint32_t from, to, triangle;
    auto operator<=>(const Half&) const = default;
  };

  Vec3 areaVector(std::uint32_t t) const {
    const auto& [a, b, c] = triangles_[t];
    return 0.5 * (points_[b] - points_[a]).cross(points_[c] - points_[a]);
  }
  std::uint32_t across(std::uint32_t from, std::uint32_t to) const {
    const auto found = std::lower_bound(half_.begin(), half_.end(), Half{to, from, 0});
    if (found == half_.end() || found->from != to || found->to != from) return none;
    return found->triangle;
  }

  std::vector<std::uint32_t> grow(std::uint32_t seed) {
    const Vec3 normal = areaVector(seed).normalized();
    const Vec3 origin = points_[triangles_[seed][0]];
    region_[seed] = seed;
    std::vector<std::uint32_t> members{seed};
    for (std::size_t at = 0; at < members.size(); ++at) {
      const Triangle t = triangles_[members[at]];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t other = across(t[k], t[(k + 1) % 3]);
        if (other == none || region_[other] != none) continue;
        const bool inPlane = std::ranges::all_of(triangles_[other], [&](std::uint32_t v) {
          return std::abs(normal.dot(points_[v] - origin)) <= tolerance_;
        });
        if (!inPlane) continue;
        region_[other] = seed;
        members.push_back(other);
      }
    }
    return members;
  }

  /// The one closed line around a region; empty where there is no such line.
  std::vector<std::uint32_t> boundary(const std::vector<std::uint32_t>& members) const {
    std::vector<std::array<std::uint32_t, 2>> next;
    for (const std::uint32_t t : members)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::uint32_t a = triangles_[t][k], b = triangles_[t][(k + 1) % 3];
        const std::uint32_t other = across(a, b);
        if (other == none || region_[other] != region_[t]) next.push_back({a, b});
      }
    std::sort(next.begin(), next.end());
    for (std::size_t k = 1; k < next.size(); ++k)
      if (next[k][0] == next[k - 1][0]) return {};
    std::vector<std::uint32_t> loop;
    std::uint32_t at = next.front()[0];
    do {
      loop.push_back(at);
      const auto found = std::lower_bound(next.begin(), next.end(), std::array{at, 0u});
      if (found == next.end() || (*found)[0] != at || loop.size() > next.size()) return {};
      at = (*found)[1];
    } while (at != loop.front());
    return loop.size() == next.size() ? loop : std::vector<std::uint32_t>{};
  }

  /// A corner that two faces alone share lies on their common edge.
  void dropFlatCorners(std::vector<std::vector<std::uint32_t>>& polygons) const {
    std::vector<std::uint32_t> uses(points_.size(), 0);
    for (const auto& polygon : polygons)
      for (const std::uint32_t v : polygon) ++uses[v];
    std::vector<char> drop(points_.size(), 0);
    for (const auto& polygon : polygons)
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        const std::uint32_t v = polygon[k];
        if (uses[v] != 2 || drop[v]) continue;
        const Vec3& a = points_[polygon[(k + polygon.size() - 1) % polygon.size()]];
        const Vec3& b = points_[polygon[(k + 1) % polygon.size()]];
        const Vec3 along = (b - a).normalized();
        drop[v] = (points_[v] - a).cross(along).norm() <= 1e3 * tolerance_;
      }
    for (auto& polygon : polygons)
      std::erase_if(polygon, [&](std::uint32_t v) { return drop[v] != 0; });
    std::erase_if(polygons, [](const auto& polygon) { return polygon.size() < 3; });
  }

  std::span<const Vec3> points_;
  std::vector<Triangle> triangles_;
  double tolerance_;
  std::vector<Half> half_;
  std::vector<std::uint32_t> region_;
};

/// Whether faces are those of the hull of all points, beyond doubt. Each must be a convex polygon
/// with all other points clearly below its plane. Each edge must have its opposite, and three or
/// more must meet in each point. Such facets close only where none is missing.
bool areFacets(std::span<const Vec3> points, const Polygons& faces, double tolerance) {
  if (faces.size() * points.size() > 500'000) return false;  // then the hull itself is no dearer
  std::vector<std::uint32_t> uses(points.size(), 0);
  std::vector<std::array<std::uint32_t, 2>> half;
  std::vector<char> own(points.size(), 0);
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto face = faces[f];
    const Vec3 area = detail::areaVector(points, face);
    const double length = area.norm();
    if (face.size() < 3 || !(length > 0.0)) return false;
    const Vec3 n = area / length;
    for (const std::uint32_t v : face) {
      if (own[v]++) return false;
      ++uses[v];
    }
    const double height = n.dot(points[face[0]]);
    for (std::size_t v = 0; v < points.size(); ++v) {
      const double above = n.dot(points[v]) - height;
      if (own[v] ? std::abs(above) > 0.25 * tolerance : above > -100.0 * tolerance) return false;
    }
    for (std::size_t k = 0; k < face.size(); ++k) {
      const std::uint32_t a = face[k], b = face[(k + 1) % face.size()];
      half.push_back({a, b});
      const Vec3 inward = n.cross(points[b] - points[a]).normalized();
      for (const std::uint32_t v : face)
        if (v != a && v != b && !(inward.dot(points[v] - points[a]) > 1e4 * tolerance))
          return false;
    }
    for (const std::uint32_t v : face) own[v] = 0;
  }
  if (std::ranges::any_of(uses, [](std::uint32_t n) { return n < 3; })) return false;
  std::sort(half.begin(), half.end());
  if (std::adjacent_find(half.begin(), half.end()) != half.end()) return false;
  return std::ranges::all_of(half, [&](const auto& h) {
    return std::binary_search(half.begin(), half.end(), std::array{h[1], h[0]});
  });
}

/// As FaceMerger orders them.
std::vector<std::vector<std::uint32_t>> ordered(const Polygons& faces) {
  std::vector<std::vector<std::uint32_t>> out;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    out.emplace_back(faces[f].begin(), faces[f].end());
    std::rotate(out.back().begin(), std::min_element(out.back().begin(), out.back().end()),
                out.back().end());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

double ConvexHull::area() const {
  double sum = 0.0;
  for (std::size_t f = 0; f < faces.size(); ++f) sum += detail::areaVector(points, faces[f]).norm();
  return sum;
}

double ConvexHull::volume() const {
  if (rank < 3) return 0.0;
  double sum = 0.0;
  for (std::size_t f = 0; f < faces.size(); ++f)
    sum += detail::areaVector(points, faces[f]).dot(points[faces[f][0]] - points[0]) / 3.0;
  return sum;
}

ConvexHull convexHull(std::span<const Vec3> points, double flatness) {
  return convexHull(points, Polygons(), flatness);
}

ConvexHull convexHull(std::span<const Vec3> points, const Polygons& likely, double flatness) {
  ConvexHull hull;
  const std::vector<std::uint32_t> index = distinctPoints(points);
  if (index.empty()) return hull;
  std::vector<Vec3> distinct;
  Aabb box;
  for (const std::uint32_t k : index) {
    distinct.push_back(points[k]);
    box.add(points[k]);
  }
  const double farOff = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).maxCoeff();
  if (!(farOff <= largestCoordinate))
    throw GeometryError(
        fmt::format("the hull of points with a coordinate of {:g} is not computed, "
                    "only up to {:g}",
                    farOff, largestCoordinate));
  const double size = 2.0 * box.halfSize().norm();
  const double tolerance =
      std::max(flatness * size, 4.0 * std::numeric_limits<double>::epsilon() * farOff);
  for (Vec3& p : distinct) p -= box.centre();

  std::vector<std::uint32_t> corners;  // of the hull, indices into distinct
  std::vector<std::vector<std::uint32_t>> faces;
  const std::uint32_t a = farthest(distinct, [&](const Vec3& p) { return p.squaredNorm(); });
  const std::uint32_t b =
      farthest(distinct, [&](const Vec3& p) { return (p - distinct[a]).squaredNorm(); });
  const Vec3 along = distinct[b] - distinct[a];
  if (along.norm() <= tolerance) {
    hull.rank = 0;
    corners = {0};
  } else {
    const Vec3 u = along.normalized();
    const auto fromLine = [&](const Vec3& p) { return (p - distinct[a]).cross(u).norm(); };
    const std::uint32_t c = farthest(distinct, fromLine);
    if (fromLine(distinct[c]) <= tolerance) {
      hull.rank = 1;
      corners = {std::min(a, b), std::max(a, b)};
    } else {
      Vec3 normal = u.cross(distinct[c] - distinct[a]).normalized();
      const auto fromPlane = [&](const Vec3& p) { return std::abs(normal.dot(p - distinct[a])); };
      const std::uint32_t d = farthest(distinct, fromPlane);
      if (fromPlane(distinct[d]) <= tolerance) {
        hull.rank = 2;
        int largest = 0;
        normal.cwiseAbs().maxCoeff(&largest);
        if (normal[largest] < 0.0) normal = -normal;
        faces.push_back(flatHull(distinct, normal, tolerance));
      } else {
        hull.rank = 3;
        const bool known = likely.size() > 3 && distinct.size() == points.size() &&
                           areFacets(distinct, likely, tolerance);
        faces = known ? ordered(likely)
                      : FaceMerger(distinct, detail::hullTriangles(distinct), tolerance).polygons();
      }
      for (const auto& face : faces) corners.insert(corners.end(), face.begin(), face.end());
      std::sort(corners.begin(), corners.end());
      corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    }
  }
  for (const std::uint32_t corner : corners) {
    hull.points.push_back(points[index[corner]]);
    hull.source.push_back(index[corner]);
  }
  for (auto& face : faces) {
    for (std::uint32_t& v : face)
      v = static_cast<std::uint32_t>(std::lower_bound(corners.begin(), corners.end(), v) -
                                     corners.begin());
    hull.faces.add(face);
    hull.normals.push_back(
        detail::areaVector(hull.points, hull.faces[hull.faces.size() - 1]).normalized());
  }
  return hull;
}

}  // namespace scree::shape

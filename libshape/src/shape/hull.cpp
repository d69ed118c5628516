// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/hull.hpp"

#include "detail/cgal.hpp"
#include "detail/half_edges.hpp"
#include "detail/merged_faces.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"

#include <Eigen/LU>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace scree::shape {
namespace {

constexpr double largestCoordinate = 1e150;  ///< [L] squares of larger ones overflow

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

/// Faces of the hull of distinct points that do not lie in one plane: triangles in one plane are
/// one. Each begins with its lowest corner; sorted.
std::vector<std::vector<std::uint32_t>> solidHull(std::span<const Vec3> points, double tolerance) {
  Polygons triangles;
  for (const detail::Triangle& t : detail::hullTriangles(points)) triangles.add(t);
  auto faces =
      detail::mergedFaces(points, triangles, {.fromPlane = tolerance, .fromLine = 1e3 * tolerance})
          .polygons;
  for (auto& face : faces) std::ranges::rotate(face, std::ranges::min_element(face));
  std::ranges::sort(faces);
  return faces;
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
  ConvexHull hull;
  std::vector<std::uint32_t> index;  // of points that differ from all before them
  std::vector<Vec3> distinct;
  Aabb box;
  const std::vector<std::uint32_t> first = detail::firstEqual(points);
  for (std::uint32_t k = 0; k < first.size(); ++k) {
    if (first[k] != k) continue;
    index.push_back(k);
    distinct.push_back(points[k]);
    box.add(points[k]);
  }
  if (index.empty()) return hull;
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
        faces = solidHull(distinct, tolerance);
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
      v = static_cast<std::uint32_t>(std::ranges::lower_bound(corners, v) - corners.begin());
    hull.faces.add(face);
    hull.normals.push_back(
        detail::areaVector(hull.points, hull.faces[hull.faces.size() - 1]).normalized());
  }
  return hull;
}

InscribedBall inscribedBall(const ConvexHull& hull) {
  if (hull.rank < 3) return {};
  // Largest rho with n·x + rho <= d for each face. The four active planes begin as those of a
  // tetrahedron around everything. A violated plane enters, and the one leaves that keeps the
  // multipliers from going below 0 (the dual simplex method).
  using Row = Eigen::Vector4d;
  using Matrix = Eigen::Matrix4d;
  const Aabb box = detail::boxAround(hull.points);
  const Vec3 origin = box.centre();
  const double size = box.halfSize().norm();
  std::vector<Row> rows;
  std::vector<double> offset;
  const double s = 1.0 / std::sqrt(3.0);
  for (const Vec3& n : {Vec3(s, s, s), Vec3(s, -s, -s), Vec3(-s, s, -s), Vec3(-s, -s, s)}) {
    rows.emplace_back(n.x(), n.y(), n.z(), 1.0);
    offset.push_back(10.0 * size);
  }
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const Vec3& n = hull.normals[f];
    double d = -1e300;
    for (const std::uint32_t v : hull.faces[f]) d = std::max(d, n.dot(hull.points[v] - origin));
    rows.emplace_back(n.x(), n.y(), n.z(), 1.0);
    offset.push_back(d);
  }
  std::array<std::size_t, 4> active{0, 1, 2, 3};
  Row multipliers = Row::Constant(0.25);
  InscribedBall ball;
  for (std::size_t step = 0; step < 20 * rows.size() + 100; ++step) {
    Matrix a;
    Row d;
    for (int k = 0; k < 4; ++k) {
      a.row(k) = rows[active[static_cast<std::size_t>(k)]].transpose();
      d[k] = offset[active[static_cast<std::size_t>(k)]];
    }
    const Eigen::PartialPivLU<Matrix> planes(a);
    const Row at = planes.solve(d);
    ball = {origin + at.head<3>(), std::max(at[3], 0.0)};
    std::size_t worst = rows.size();
    double most = 1e-14 * size;
    for (std::size_t k = 4; k < rows.size(); ++k)
      if (const double excess = rows[k].dot(at) - offset[k]; excess > most) {
        most = excess;
        worst = k;
      }
    if (worst == rows.size()) break;
    const Row share = a.transpose().partialPivLu().solve(rows[worst]);
    int leaves = -1;
    for (int k = 0; k < 4; ++k)
      if (share[k] > 1e-14 &&
          (leaves < 0 || multipliers[k] * share[leaves] < multipliers[leaves] * share[k]))
        leaves = k;
    if (leaves < 0) break;  // planes of a hull always leave room: rounding alone
    const double step2 = multipliers[leaves] / share[leaves];
    multipliers -= step2 * share;
    multipliers[leaves] = step2;
    active[static_cast<std::size_t>(leaves)] = worst;
  }
  return ball;
}

}  // namespace scree::shape

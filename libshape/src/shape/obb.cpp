// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/obb.hpp"

#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace scree::shape {
namespace {

/// Balls around which a box goes.
struct Balls {
  std::span<const Vec3> centres;
  double radius;                  ///< [L] of all
  std::span<const double> radii;  ///< [L] of each; empty: they have one radius
};

Obb boxAlong(const Balls& balls, const Mat3& axes) {
  Obb box;
  box.axes = axes;
  if (balls.centres.empty()) return box;
  const double least = balls.radii.empty() ? balls.radius : std::ranges::min(balls.radii);
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  const Vec3 origin = balls.centres[0];
  for (std::size_t k = 0; k < balls.centres.size(); ++k) {
    const Vec3 p = axes.transpose() * (balls.centres[k] - origin),
               beyond = Vec3::Constant(balls.radii.empty() ? 0.0 : balls.radii[k] - least);
    low = low.cwiseMin(p - beyond);
    high = high.cwiseMax(p + beyond);
  }
  box.extent = 0.5 * (high - low) + Vec3::Constant(least);
  box.centre = origin + axes * (0.5 * (low + high));
  return box;
}

constexpr double notSmaller = 1e-9;  ///< boxes that differ by less are equal: the first one stays

/// Normals of planes that a side of a least box may lie in: those of faces (of many the largest),
/// and of a small hull those that contain two of its edges.
std::vector<Vec3> sideNormals(const ConvexHull& hull) {
  constexpr std::size_t fewFaces = 200, largest = 12, fewEdges = 30;
  std::vector<std::pair<double, std::size_t>> byArea;
  for (std::size_t f = 0; f < hull.faces.size(); ++f)
    byArea.emplace_back(-detail::areaVector(hull.points, hull.faces[f]).norm(), f);
  if (byArea.size() > fewFaces) {
    std::ranges::sort(byArea);
    byArea.resize(largest);
  }
  std::vector<Vec3> normals;
  for (const auto& [area, f] : byArea) normals.push_back(hull.normals[f]);
  const std::vector<Edge> edges = edgesOf(hull.faces);
  if (edges.size() > fewEdges) return normals;
  const auto along = [&](const Edge& e) { return Vec3(hull.points[e[1]] - hull.points[e[0]]); };
  for (const Edge& a : edges)
    for (const Edge& b : edges) {
      const Vec3 normal = along(a).cross(along(b));
      if (a < b && normal.norm() > 1e-6 * along(a).norm() * along(b).norm())
        normals.push_back(normal.normalized());
    }
  return normals;
}

/// Turns the axes about column `k` to the least padded area across it. Exact: the padded area is
/// log-concave between the angles at which a side lies on an edge of the shadow.
/// @param equal  relative: areas that differ by less are equal, and the first stays
Mat3 bestTurnAbout(std::span<const Vec3> points, double radius, const Mat3& axes, int k,
                   double equal = 1e-14) {
  const Vec3 u = axes.col((k + 1) % 3), v = axes.col((k + 2) % 3);
  std::vector<Vec2> shadow;
  shadow.reserve(points.size());
  for (const Vec3& p : points) shadow.emplace_back(p.dot(u), p.dot(v));
  const std::vector<std::uint32_t> outline = detail::hull2(shadow, 0.0);
  const auto paddedArea = [&](const Vec2& along) {
    const Vec2 across(-along.y(), along.x());
    double low0 = 1e300, high0 = -1e300, low1 = 1e300, high1 = -1e300;
    for (const std::uint32_t c : outline) {
      const double a = shadow[c].dot(along), b = shadow[c].dot(across);
      low0 = std::min(low0, a), high0 = std::max(high0, a);
      low1 = std::min(low1, b), high1 = std::max(high1, b);
    }
    return (high0 - low0 + 2.0 * radius) * (high1 - low1 + 2.0 * radius);
  };
  Vec2 best(1.0, 0.0);
  double least = paddedArea(best) * (1.0 - equal);
  for (std::size_t e = 0; e < outline.size(); ++e) {
    const Vec2 side = shadow[outline[(e + 1) % outline.size()]] - shadow[outline[e]];
    if (!(side.norm() > 0.0)) continue;
    const Vec2 along = side.normalized();
    const double area = paddedArea(along);
    if (area < least) {
      least = area * (1.0 - equal);
      best = along;
    }
  }
  Mat3 turned = axes;
  turned.col((k + 1) % 3) = (best.x() * u + best.y() * v).normalized();
  turned.col((k + 2) % 3) = axes.col(k).cross(turned.col((k + 1) % 3)).normalized();
  return turned;
}

/// Turns the axes of a box around balls of different radii by less and less about one after the
/// other, as long as the box becomes smaller.
Mat3 turnedSmaller(const Balls& balls, Mat3 axes) {
  double least = boxAlong(balls, axes).volume();
  for (double tangent = 0.25; tangent > 1e-8;) {  // of half the angle
    bool any = false;
    for (const double t : {tangent, -tangent})
      for (int k = 0; k < 3; ++k) {
        const double c = (1.0 - t * t) / (1.0 + t * t), s = 2.0 * t / (1.0 + t * t);
        Mat3 turned = axes;
        turned.col((k + 1) % 3) =
            (c * axes.col((k + 1) % 3) + s * axes.col((k + 2) % 3)).normalized();
        turned.col((k + 2) % 3) = axes.col(k).cross(turned.col((k + 1) % 3)).normalized();
        const double volume = boxAlong(balls, turned).volume();
        if (!(volume < least * (1.0 - 1e-13))) continue;
        least = volume;
        axes = turned;
        any = true;
      }
    if (!any) tangent *= 0.5;
  }
  return axes;
}

Mat3 polished(const Balls& balls, Mat3 axes) {
  double volume = boxAlong(balls, axes).volume();
  for (int round = 0; round < 10; ++round) {
    for (int k = 0; k < 3; ++k) axes = bestTurnAbout(balls.centres, balls.radius, axes, k);
    const double now = boxAlong(balls, axes).volume();
    if (!(now < volume * (1.0 - 1e-13))) break;
    volume = now;
  }
  return axes;
}

/// Principal axes of points, weighted by the volume of balls where there are radii.
Mat3 pcaAxes(std::span<const Vec3> points, std::span<const double> radii) {
  const auto weight = [&](std::size_t k) {
    return radii.empty() ? 1.0 : radii[k] * radii[k] * radii[k];
  };
  Vec3 mean = Vec3::Zero();
  double sum = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    mean += weight(k) * points[k];
    sum += weight(k);
  }
  if (!(sum > 0.0)) return Mat3::Identity();
  mean /= sum;
  Mat3 spread = Mat3::Zero();
  for (std::size_t k = 0; k < points.size(); ++k)
    spread += weight(k) * (points[k] - mean) * (points[k] - mean).transpose();
  // Axes that are principal already stay, and those of a cube are not taken from rounding.
  Mat3 off = spread;
  off.diagonal().setZero();
  if (off.cwiseAbs().maxCoeff() <= 1e-9 * spread.diagonal().maxCoeff()) return Mat3::Identity();
  Mat3 axes = Eigen::SelfAdjointEigenSolver<Mat3>(spread).eigenvectors();
  if (axes.determinant() < 0.0) axes.col(2) *= -1.0;
  return axes;
}

/// Axes of the least box found.
/// @param source  axes of another frame that is tried, too
Mat3 leastAxes(const Balls& given, const Mat3& source) {
  const auto& [centres, radius, radii] = given;
  const ConvexHull hull = convexHull(centres);
  if (hull.rank == 0 && radii.empty()) return Mat3::Identity();
  if (hull.rank == 1 && radii.empty())
    return axesAlong((hull.points[1] - hull.points[0]).normalized());
  // Seen from a point of the body, so that no digits are lost far from the origin.
  std::vector<Vec3> points(centres.begin(), centres.end());
  if (radii.empty()) points = hull.points;
  const Vec3 origin = points[0];
  for (Vec3& p : points) p -= origin;
  const Balls balls{points, radius, radii};
  Mat3 best = Mat3::Identity();
  double least = boxAlong(balls, best).volume();
  const auto offer = [&](const Mat3& axes) {
    const double volume = boxAlong(balls, axes).volume();
    if (!(volume < least * (1.0 - notSmaller))) return;
    least = volume;
    best = axes;
  };
  if (hull.rank == 2 && radii.empty()) {
    // Without rounding any box that holds the plane is flat: the area decides, not the volume.
    // Several sides of an acute triangle may be as good: rounding must not choose.
    const Mat3 turned = bestTurnAbout(points, radius, axesAlong(hull.normals[0]), 0, notSmaller);
    if (!(radius > 0.0)) return turned;
    offer(turned);
    return best;
  }
  std::vector<Mat3> starts{Mat3::Identity(), source, pcaAxes(centres, radii)};
  for (const Vec3& n : hull.rank > 1 ? sideNormals(hull) : std::vector<Vec3>())
    starts.push_back(axesAlong(n));
  if (hull.rank == 1) starts.push_back(axesAlong((hull.points[1] - hull.points[0]).normalized()));
  // Boxes along the frames are improved, and of the others the smallest ones.
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t k = 3; k < starts.size(); ++k) {
    if (radii.empty()) starts[k] = bestTurnAbout(points, radius, starts[k], 0);
    order.emplace_back(boxAlong(balls, starts[k]).volume(), k);
  }
  std::ranges::sort(order);
  order.resize(std::min<std::size_t>(order.size(), 8));
  for (const std::size_t k : {0u, 1u, 2u}) order.emplace_back(0.0, k);
  for (const auto& [volume, k] : order)
    offer(radii.empty() ? polished(balls, starts[k]) : turnedSmaller(balls, starts[k]));
  return best;
}

}  // namespace

Obb boxAlong(const Shape& shape, const Mat3& axes) {
  return boxAlong(Balls{shape.vertices, shape.radius, shape.radii}, axes);
}

Obb orientedBox(const Shape& shape, BoxMethod method) {
  Mat3 axes = Mat3::Identity();
  if (method == BoxMethod::minimum)
    axes = leastAxes({shape.vertices, shape.radius, shape.radii},
                     rotationMatrix(shape.orientation.normalized()).transpose());
  if (method == BoxMethod::pca) axes = pcaAxes(shape.vertices, shape.radii);
  if (axes != Mat3::Identity()) axes = closestToFrame(axes).axes;
  return boxAlong(shape, axes);
}

double sieveOpening(Vec3 sides) {
  std::sort(sides.begin(), sides.end());
  return std::min(sides[1], (sides[0] + sides[1]) / std::sqrt(2.0));
}

Aabb boundsOf(const Shape& shape) {
  Aabb box;
  for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
    const Vec3 r = Vec3::Constant(shape.radiusAt(v));
    box.add(shape.vertices[v] - r);
    box.add(shape.vertices[v] + r);
  }
  return box;
}

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/obb.hpp"

#include "detail/cgal_hull.hpp"
#include "detail/polygon_math.hpp"

#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace scree::shape {
namespace {

constexpr double notSmaller = 1e-9;  ///< boxes that differ by less are equal: the first one stays
constexpr std::size_t fewFaces = 200, largestFaces = 12;  ///< all of a few, else the largest

double areaOf(const ConvexHull& hull, std::size_t face) {
  const auto corners = hull.faces[face];
  Vec3 twice = Vec3::Zero();
  for (std::size_t k = 1; k + 1 < corners.size(); ++k)
    twice += (hull.points[corners[k]] - hull.points[corners[0]])
                 .cross(hull.points[corners[k + 1]] - hull.points[corners[0]]);
  return 0.5 * twice.norm();
}

/// Normals of the faces that a least box may be flush with, in the order of the faces.
std::vector<Vec3> flushNormals(const ConvexHull& hull) {
  if (hull.faces.size() <= fewFaces) return {hull.normals.begin(), hull.normals.end()};
  std::vector<std::pair<double, std::size_t>> byArea;
  for (std::size_t f = 0; f < hull.faces.size(); ++f) byArea.emplace_back(-areaOf(hull, f), f);
  std::partial_sort(byArea.begin(), byArea.begin() + largestFaces, byArea.end());
  std::vector<Vec3> normals;
  for (std::size_t k = 0; k < largestFaces; ++k) normals.push_back(hull.normals[byArea[k].second]);
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

Mat3 polished(std::span<const Vec3> points, double radius, Mat3 axes) {
  double volume = boxAlong(points, radius, axes).volume();
  for (int round = 0; round < 10; ++round) {
    for (int k = 0; k < 3; ++k) axes = bestTurnAbout(points, radius, axes, k);
    const double now = boxAlong(points, radius, axes).volume();
    if (!(now < volume * (1.0 - 1e-13))) break;
    volume = now;
  }
  return axes;
}

Mat3 rightHanded(Mat3 axes) {
  if (axes.determinant() < 0.0) axes.col(2) *= -1.0;
  return axes;
}

Mat3 pcaAxes(std::span<const Vec3> vertices) {
  Vec3 mean = Vec3::Zero();
  if (vertices.empty()) return Mat3::Identity();
  for (const Vec3& v : vertices) mean += v;
  mean /= static_cast<double>(vertices.size());
  Mat3 covariance = Mat3::Zero();
  for (const Vec3& v : vertices) covariance += (v - mean) * (v - mean).transpose();
  // Axes that are principal already stay, and those of a cube are not taken from rounding.
  Mat3 off = covariance;
  off.diagonal().setZero();
  if (off.cwiseAbs().maxCoeff() <= 1e-9 * covariance.diagonal().maxCoeff()) return Mat3::Identity();
  return Eigen::SelfAdjointEigenSolver<Mat3>(covariance).eigenvectors();
}

/// @param source  axes of another frame that is tried, too
Mat3 leastAxes(std::span<const Vec3> vertices, double radius, const Mat3& source) {
  const ConvexHull hull = convexHull(vertices);
  if (hull.rank == 0) return Mat3::Identity();
  if (hull.rank == 1) return axesAlong((hull.points[1] - hull.points[0]).normalized());
  // Seen from the middle of the body, so that no digits are lost far from the origin.
  std::vector<Vec3> points = hull.points;
  const Vec3 origin = hull.points[0];
  for (Vec3& p : points) p -= origin;

  Mat3 best = Mat3::Identity();
  double least = boxAlong(points, radius, best).volume();
  const auto offer = [&](const Mat3& axes) {
    const double volume = boxAlong(points, radius, axes).volume();
    if (!(volume < least * (1.0 - notSmaller))) return;
    least = volume;
    best = axes;
  };
  if (hull.rank == 2) {
    // Without rounding any box that holds the plane is flat: the area decides, not the volume.
    const Mat3 axes = axesAlong(hull.normals[0]);
    // Several sides of an acute triangle may be as good: rounding must not choose.
    const Mat3 turned = bestTurnAbout(points, radius, axes, 0, notSmaller);
    if (radius > 0.0) {
      offer(turned);
      return best;
    }
    return turned;
  }
  offer(polished(points, radius, Mat3::Identity()));
  for (const Vec3& normal : flushNormals(hull))
    offer(polished(points, radius, bestTurnAbout(points, radius, axesAlong(normal), 0)));
  offer(polished(points, radius, rightHanded(detail::smallBoxAxes(points))));
  offer(polished(points, radius, rightHanded(pcaAxes(vertices))));
  offer(polished(points, radius, source));
  return best;
}

}  // namespace

Obb boxAlong(std::span<const Vec3> vertices, double radius, const Mat3& axes) {
  Obb box;
  box.axes = axes;
  if (vertices.empty()) return box;
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  const Vec3 origin = vertices[0];
  for (const Vec3& v : vertices) {
    const Vec3 p = axes.transpose() * (v - origin);
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  box.extent = 0.5 * (high - low) + Vec3::Constant(radius);
  box.centre = origin + axes * (0.5 * (low + high));
  return box;
}

Obb orientedBox(std::span<const Vec3> vertices, double radius, BoxMethod method) {
  Mat3 axes = Mat3::Identity();
  if (method == BoxMethod::minimum) axes = leastAxes(vertices, radius, Mat3::Identity());
  if (method == BoxMethod::pca) axes = pcaAxes(vertices);
  if (method != BoxMethod::aabb && axes != Mat3::Identity()) axes = closestToFrame(axes).axes;
  return boxAlong(vertices, radius, axes);
}

Obb boxAlong(const Shape& shape, const Mat3& axes) {
  return shape.radii.empty() ? boxAlong(shape.vertices, shape.radius, axes)
                             : boxAlong(shape.vertices, shape.radii, axes);
}

Obb orientedBox(const Shape& shape, BoxMethod method) {
  const Mat3 source = rotationMatrix(shape.orientation.normalized()).transpose();
  if (method != BoxMethod::minimum || source == Mat3::Identity())
    return shape.radii.empty() ? orientedBox(shape.vertices, shape.radius, method)
                               : orientedBox(shape.vertices, shape.radii, method);
  if (shape.radii.empty()) {
    const Mat3 axes = leastAxes(shape.vertices, shape.radius, source);
    return boxAlong(shape, axes == Mat3::Identity() ? axes : closestToFrame(axes).axes);
  }
  const Obb least = orientedBox(shape.vertices, shape.radii, method),
            other = boxAlong(shape, closestToFrame(source).axes);
  return other.volume() < least.volume() * (1.0 - notSmaller) ? other : least;
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

BoxChoices boxChoices(const Shape& shape) {
  return {orientedBox(shape, BoxMethod::minimum), orientedBox(shape, BoxMethod::pca),
          orientedBox(shape, BoxMethod::aabb), boxAlong(shape, shape.obb.axes)};
}

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/obb.hpp"

#include "base/elementary.hpp"
#include "detail/cgal_hull.hpp"
#include "detail/polygon_math.hpp"

#include "scree/base/error.hpp"
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

namespace {

struct Disc {
  Vec2 centre;
  double radius;
};

double support(const std::vector<Disc>& discs, const Vec2& n) {
  double most = -1e300;
  for (const Disc& d : discs) most = std::max(most, d.centre.dot(n) + d.radius);
  return most;
}

/// Outward normals of the lines that touch two discs and have all others behind them. They come in
/// the order in which a line rolls around (gift wrapping).
std::vector<Vec2> tangentNormals(const std::vector<Disc>& discs) {
  std::vector<Vec2> normals;
  std::size_t at = 0;
  Vec2 n(1.0, 0.0);
  for (std::size_t k = 1; k < discs.size(); ++k)
    if (discs[k].centre.dot(n) + discs[k].radius > discs[at].centre.dot(n) + discs[at].radius)
      at = k;
  double turned = 0.0;
  // Each disc shows at most once per other disc; the count guards against rounding.
  for (std::size_t step = 0; step < 4 * discs.size() + 8; ++step) {
    std::size_t next = discs.size();
    double least = 1e300;
    Vec2 best = n;
    for (std::size_t k = 0; k < discs.size(); ++k) {
      const Vec2 d = discs[k].centre - discs[at].centre;
      const double shrink = discs[at].radius - discs[k].radius;
      const double root2 = d.squaredNorm() - shrink * shrink;
      if (k == at || !(root2 > 0.0)) continue;  // one within the other
      // d.m = shrink, on the side where disc k overtakes as the normal turns left.
      const Vec2 m = (shrink * d - std::sqrt(root2) * Vec2(-d.y(), d.x())) / d.squaredNorm();
      double angle = elementary::atan2(n.x() * m.y() - n.y() * m.x(), n.dot(m));
      if (angle < -1e-12) angle += 2.0 * pi;
      if (angle < least) least = angle, best = m, next = k;
    }
    if (next == discs.size()) break;
    turned += std::max(least, 0.0);
    if (turned > 2.0 * pi) break;
    normals.push_back(best.normalized());
    n = best.normalized();
    at = next;
  }
  return normals;
}

class BallBox {
 public:
  BallBox(std::span<const Vec3> centres, std::span<const double> radii)
      : centres_(centres), radii_(radii) {}

  double volume(const Mat3& axes) const { return boxAlong(centres_, radii_, axes).volume(); }

  /// Best turn about column `k`. With supports i and j on opposite sides the width is a cosine plus
  /// Ri + Rj, and never less than that. Such a width is log-concave, like the product of two of
  /// them. So the minimum is where a support changes.
  Mat3 bestTurnAbout(const Mat3& axes, int k) const {
    const Vec3 u = axes.col((k + 1) % 3), v = axes.col((k + 2) % 3);
    std::vector<Disc> discs;
    for (std::size_t i = 0; i < centres_.size(); ++i)
      discs.push_back({Vec2(centres_[i].dot(u), centres_[i].dot(v)), radii_[i]});
    const auto area = [&](const Vec2& n) {
      const Vec2 m(-n.y(), n.x());
      return (support(discs, n) + support(discs, -n)) * (support(discs, m) + support(discs, -m));
    };
    Vec2 best(1.0, 0.0);
    double least = area(best) * (1.0 - 1e-14);
    for (const Vec2& n : tangentNormals(discs))
      if (const double a = area(n); a < least) least = a, best = n;
    Mat3 turned = axes;
    turned.col((k + 1) % 3) = (best.x() * u + best.y() * v).normalized();
    turned.col((k + 2) % 3) = axes.col(k).cross(turned.col((k + 1) % 3)).normalized();
    return turned;
  }

  Mat3 polished(Mat3 axes) const {
    double before = volume(axes);
    for (int round = 0; round < 10; ++round) {
      for (int k = 0; k < 3; ++k) axes = bestTurnAbout(axes, k);
      const double now = volume(axes);
      if (!(now < before * (1.0 - 1e-13))) break;
      before = now;
    }
    return axes;
  }

 private:
  std::span<const Vec3> centres_;
  std::span<const double> radii_;
};

Mat3 massAxes(std::span<const Vec3> centres, std::span<const double> radii) {
  Vec3 mean = Vec3::Zero();
  double sum = 0.0;
  for (std::size_t k = 0; k < centres.size(); ++k) {
    const double weight = radii[k] * radii[k] * radii[k];
    mean += weight * centres[k];
    sum += weight;
  }
  if (!(sum > 0.0)) return Mat3::Identity();
  mean /= sum;
  Mat3 spread = Mat3::Zero();
  for (std::size_t k = 0; k < centres.size(); ++k)
    spread +=
        radii[k] * radii[k] * radii[k] * (centres[k] - mean) * (centres[k] - mean).transpose();
  Mat3 off = spread;
  off.diagonal().setZero();
  if (off.cwiseAbs().maxCoeff() <= 1e-9 * spread.diagonal().maxCoeff()) return Mat3::Identity();
  return Eigen::SelfAdjointEigenSolver<Mat3>(spread).eigenvectors();
}

/// Drops balls that lie within one of the largest others: they touch no box.
void dropCovered(std::vector<Vec3>& centres, std::vector<double>& radii) {
  std::vector<std::size_t> order(centres.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return radii[a] > radii[b]; });
  std::vector<Vec3> keptCentres;
  std::vector<double> keptRadii;
  for (const std::size_t k : order) {
    bool covered = false;
    for (std::size_t j = 0; j < std::min<std::size_t>(keptRadii.size(), 64) && !covered; ++j)
      covered = (centres[k] - keptCentres[j]).norm() + radii[k] <= keptRadii[j];
    if (covered) continue;
    keptCentres.push_back(centres[k]);
    keptRadii.push_back(radii[k]);
  }
  centres = std::move(keptCentres);
  radii = std::move(keptRadii);
}

Mat3 leastAxes(std::span<const Vec3> given, std::span<const double> givenRadii) {
  std::vector<Vec3> centres(given.begin(), given.end());
  std::vector<double> radii(givenRadii.begin(), givenRadii.end());
  dropCovered(centres, radii);
  const Vec3 origin = centres[0];
  for (Vec3& c : centres) c -= origin;
  const BallBox box(centres, radii);
  Mat3 best = Mat3::Identity();
  double least = box.volume(best);
  const auto offer = [&](const Mat3& axes) {
    const double volume = box.volume(axes);
    if (volume < least * (1.0 - notSmaller)) least = volume, best = axes;
  };
  offer(box.polished(best));
  offer(box.polished(rightHanded(massAxes(centres, radii))));
  // The body as points: each ball by the corners of an octahedron and a cube around it.
  std::vector<Vec3> points;
  const double s = 1.0 / std::sqrt(3.0);
  for (std::size_t k = 0; k < centres.size(); ++k) {
    for (int a = 0; a < 3; ++a)
      for (const double sign : {-1.0, 1.0})
        points.push_back(centres[k] + sign * radii[k] * Vec3::Unit(a));
    for (const double x : {-s, s})
      for (const double y : {-s, s})
        for (const double z : {-s, s}) points.push_back(centres[k] + radii[k] * Vec3(x, y, z));
  }
  const ConvexHull hull = convexHull(points);
  if (hull.rank == 3) offer(box.polished(rightHanded(detail::smallBoxAxes(hull.points))));
  const ConvexHull skeleton = convexHull(centres);
  if (skeleton.rank == 1)
    offer(box.polished(axesAlong((skeleton.points[1] - skeleton.points[0]).normalized())));
  if (skeleton.rank >= 2 && skeleton.faces.size() <= 60)
    for (const Vec3& normal : skeleton.normals) offer(box.polished(axesAlong(normal)));
  return best;
}

void check(std::span<const Vec3> centres, std::span<const double> radii) {
  if (centres.size() != radii.size())
    throw GeometryError("box of balls: one radius per centre is needed");
  if (!std::ranges::all_of(radii, [](double r) { return r >= 0.0; }))
    throw GeometryError("box of balls: a radius is below 0");
}

}  // namespace

Obb boxAlong(std::span<const Vec3> centres, std::span<const double> radii, const Mat3& axes) {
  check(centres, radii);
  Obb box;
  box.axes = axes;
  if (centres.empty()) return box;
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
  const Vec3& origin = centres[0];
  for (std::size_t k = 0; k < centres.size(); ++k) {
    const Vec3 p = axes.transpose() * (centres[k] - origin);
    low = low.cwiseMin(p - Vec3::Constant(radii[k]));
    high = high.cwiseMax(p + Vec3::Constant(radii[k]));
  }
  box.extent = 0.5 * (high - low);
  box.centre = origin + axes * (0.5 * (low + high));
  return box;
}

Obb orientedBox(std::span<const Vec3> centres, std::span<const double> radii, BoxMethod method) {
  check(centres, radii);
  if (centres.empty()) return {};
  if (std::ranges::all_of(radii, [&](double r) { return r == radii[0]; }))
    return orientedBox(centres, radii[0], method);
  Mat3 axes = Mat3::Identity();
  if (method == BoxMethod::minimum) axes = leastAxes(centres, radii);
  if (method == BoxMethod::pca) axes = massAxes(centres, radii);
  if (method != BoxMethod::aabb && axes != Mat3::Identity()) axes = closestToFrame(axes).axes;
  return boxAlong(centres, radii, axes);
}

}  // namespace scree::shape

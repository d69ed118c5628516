// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "detail/cgal_hull.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/obb.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <vector>

namespace scree::shape {
namespace {

constexpr double equalVolumes = 1e-9;  ///< as notSmaller in obb.cpp

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
    if (volume < least * (1.0 - equalVolumes)) least = volume, best = axes;
  };
  const auto rightHanded = [](Mat3 axes) {
    if (axes.determinant() < 0.0) axes.col(2) *= -1.0;
    return axes;
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/mesh.hpp"

#include <cmath>

namespace scree::shape {
namespace {

constexpr double tie = 1e-9;  // components closer than this count as equal, and the index decides

/// +1 or -1: the sign that makes the diagonal entry positive or, where that is next to nothing, the
/// largest component.
double settledSign(const Vec3& axis, int k) {
  if (std::abs(axis[k]) >= tie) return axis[k] < 0.0 ? -1.0 : 1.0;
  int largest = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(axis[i]) > std::abs(axis[largest]) + tie) largest = i;
  return axis[largest] < 0.0 ? -1.0 : 1.0;
}

}  // namespace

SettledAxes closestToFrame(const Mat3& axes) {
  constexpr std::array<std::array<int, 3>, 6> orders{
      {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
  SettledAxes settled;
  double best = -1.0;
  for (const auto& order : orders) {
    double trace = 0.0;
    for (int k = 0; k < 3; ++k) trace += std::abs(axes(k, order[static_cast<std::size_t>(k)]));
    if (trace > best + tie) {
      best = trace;
      settled.source = order;
    }
  }
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = axes.col(settled.source[static_cast<std::size_t>(k)]);
    settled.axes.col(k) = settledSign(axis, k) * axis;
  }
  if (settled.axes.determinant() < 0.0) {
    int weakest = 0;
    for (int k = 1; k < 3; ++k)
      if (std::abs(settled.axes(k, k)) < std::abs(settled.axes(weakest, weakest)) - tie)
        weakest = k;
    settled.axes.col(weakest) *= -1.0;
  }
  return settled;
}

Mat3 axesAlong(const Vec3& direction) {
  int across = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(direction[k]) < std::abs(direction[across]) - tie) across = k;
  Mat3 axes;
  axes.col(0) = direction;
  const Vec3 e = Vec3::Unit(across);
  axes.col(1) = (e - direction.dot(e) * direction).normalized();
  axes.col(2) = direction.cross(axes.col(1));
  return axes;
}

Quat quaternionOf(const Mat3& rotation) {
  Quat q(rotation);  // by the largest component
  q.normalize();
  for (const double c : {q.w(), q.x(), q.y(), q.z()}) {
    if (c == 0.0) continue;
    if (c < 0.0) q.coeffs() *= -1.0;
    break;
  }
  q.coeffs().array() += 0.0;  // no negative zeros in files
  return q;
}

}  // namespace scree::shape

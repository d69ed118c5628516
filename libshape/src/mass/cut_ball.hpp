// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of balls cut by planes, whether the planes bound a cell or are given one by one.
#pragma once

#include "base/elementary.hpp"

#include "scree/mass/moments.hpp"

#include <cmath>

namespace scree::mass::detail {

/// Solid angle under which the centre of a ball sees a triangle. The triangle joins the middle of a
/// disc to a stretch of a line in the plane of the disc.
///
/// @param delta     [L] distance of the line from the middle of the disc, signed
/// @param low,high  [L] ends of the stretch, from the foot of the perpendicular on
/// @param height    [L] distance of the centre of the ball from the plane, signed.
///
/// Two arc tangents, not the usual one of a triangle. Where the centre lies in two planes at once,
/// delta and height are rounding noise, and only this form keeps their ratio.
inline double angleOfStretch(double delta, double low, double high, double height) {
  const double d = std::fabs(delta), h = std::fabs(height);
  const auto upTo = [&](double t) {
    return elementary::atan2(t, d) - elementary::atan2(h * t, d * std::sqrt(d * d + t * t + h * h));
  };
  const double seen = upTo(high) - upTo(low);
  return delta < 0.0 ? -seen : seen;
}

/// Moments of a cut ball about its centre, from its flat faces alone. These and the remaining solid
/// angle give the contribution of the curved part, by the divergence theorem.
/// It yields ∮ n dA = 0 and ∮ y nᵀ dA = V 1.
class CutBall {
 public:
  /// @param radius  [L]
  /// @param angle   solid angle of the ball that no face takes away: 4π where the centre is inside
  CutBall(double radius, double angle) : radius_(radius), angle_(angle) {}

  /// A flat face with the outward normal n, at the signed distance h from the centre. `area`,
  /// `first` and `second` are its moments about the foot of the centre; `angle` is the solid angle
  /// under which the centre sees it.
  void addFace(const Vec3& n, double h, double area, double angle, const Vec3& first,
               const Mat3& second) {
    const Vec3 p1 = h * area * n + first;
    const Mat3 p2 = second + (h * h * area * n * n.transpose() +
                              h * (n * first.transpose() + first * n.transpose()));
    if (h != 0.0) angle_ -= h < 0.0 ? -angle : angle;
    area_ += area * n;
    flux_ += p1 * n.transpose();
    m0_ += h * area / 3.0;
    m1_ += 0.25 * h * p1;
    m2_ += 0.2 * h * p2;
  }

  Moments moments() const {
    const double r = radius_, m0 = m0_ + r * r * r * angle_ / 3.0;
    const Mat3 m2 = m2_ + 0.2 * r * r * (m0 * Mat3::Identity() - flux_);
    return {m0, m1_ - 0.25 * r * r * area_, 0.5 * (m2 + m2.transpose())};
  }

 private:
  double radius_, angle_, m0_ = 0.0;
  Vec3 area_ = Vec3::Zero(), m1_ = Vec3::Zero();
  Mat3 m2_ = Mat3::Zero(), flux_ = Mat3::Zero();
};

}  // namespace scree::mass::detail

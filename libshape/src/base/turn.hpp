// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cmath>

namespace scree {

/// A rotation about an axis of the frame through the origin, right-handed.
///
/// Quarter turns only exchange and negate numbers, so four of them give the same bits. A zero keeps
/// its sign, so that no `-0` appears.
class Turn {
 public:
  /// @param axis     0, 1 or 2 for x, y or z
  /// @param degrees  finite
  Turn(int axis, double degrees) {
    const double rest = std::fmod(degrees, 360.0), turns = rest / 360.0;  // exact
    quarter_ = std::fmod(rest, 90.0) == 0.0;
    identity_ = rest == 0.0;
    const Eigen::Index a = (axis + 1) % 3, b = (axis + 2) % 3;
    matrix_(a, a) = matrix_(b, b) = cosOfTurns(turns);
    matrix_(b, a) = sinOfTurns(turns);
    matrix_(a, b) = -matrix_(b, a);
    orientation_.w() = cosOfTurns(0.5 * turns);
    orientation_.vec()[axis] = sinOfTurns(0.5 * turns);
  }

  bool quarter() const { return quarter_; }    ///< a multiple of 90 degrees
  bool identity() const { return identity_; }  ///< a multiple of 360 degrees
  const Mat3& matrix() const { return matrix_; }
  const Quat& orientation() const { return orientation_; }

  Vec3 operator()(const Vec3& v) const {
    if (!quarter_) return matrix_ * v + Vec3::Zero();
    Vec3 turned = Vec3::Zero();
    for (Eigen::Index row = 0; row < 3; ++row)
      for (Eigen::Index from = 0; from < 3; ++from)
        if (const double sign = matrix_(row, from); sign != 0.0)
          turned[row] = sign < 0.0 && v[from] != 0.0 ? -v[from] : v[from];
    return turned;
  }
  /// Lengths along the axes, where they stand after quarter turns.
  Vec3 lengths(const Vec3& v) const { return matrix_.cwiseAbs() * v; }
  /// R T R^-1 of a tensor T.
  Mat3 tensor(const Mat3& t) const { return columns(columns(t).transpose()).transpose(); }
  /// R T: each column of T turned.
  Mat3 columns(const Mat3& t) const {
    Mat3 turned;
    for (Eigen::Index c = 0; c < 3; ++c) turned.col(c) = (*this)(t.col(c));
    return turned;
  }

 private:
  Mat3 matrix_ = Mat3::Identity();
  Quat orientation_ = Quat::Identity();
  bool quarter_ = false, identity_ = false;
};

}  // namespace scree

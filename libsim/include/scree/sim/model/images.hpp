// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

/// How many cells along each of its vectors the image of a body stands away from the body.
using CellShift = Eigen::Vector3i;

/// The images of bodies in a periodic cell. Bodies are so small (see `leastWidth`) that of all
/// images of one body another can touch the nearest alone.
struct Images {
  Mat3 h = Mat3::Identity();        ///< [L] vectors of the cell as columns
  Mat3 inverse = Mat3::Identity();  ///< [1/L]
  Mat3 velocity = Mat3::Zero();     ///< [L/T] of h

  void set(const Mat3& cell) {
    h = cell;
    inverse = cell.inverse();
  }
  double volume() const { return std::abs(h.determinant()); }
  /// [L] distance of opposite sides of the cell, for each vector.
  double width(int k) const { return 1.0 / inverse.row(k).norm(); }
  double leastWidth() const { return std::min({width(0), width(1), width(2)}); }

  Vec3 offset(const CellShift& n) const { return h * n.cast<double>(); }
  /// The image of b that stands nearest to a; `branch` = centre of a minus centre of b. It is the
  /// one that may touch, wherever |branch - offset| is below half the least width.
  CellShift nearest(const Vec3& branch) const {
    const Vec3 s = inverse * branch;
    return CellShift(whole(s[0]), whole(s[1]), whole(s[2]));
  }
  /// [L] lower bound on the distance of all images but the one at `d` = a minus image of b.
  double othersBeyond(const Vec3& d) const {
    const Vec3 s = inverse * d;
    double least = HUGE_VAL;
    for (int k = 0; k < 3; ++k) least = std::min(least, (1.0 - std::abs(s[k])) * width(k));
    return least;
  }
  /// Cells that a point stands away from the cell at the origin.
  CellShift cellsOff(const Vec3& x) const {
    const Vec3 s = inverse * x;
    return CellShift(floored(s[0]), floored(s[1]), floored(s[2]));
  }

 private:
  // Far off or not a number: the run ends for that reason elsewhere, not by an overflow here.
  static int bounded(double s) { return s > -1e9 && s < 1e9 ? static_cast<int>(s) : 0; }
  static int whole(double s) { return bounded(std::floor(s + 0.5)); }
  static int floored(double s) { return bounded(std::floor(s)); }
};

}  // namespace scree::sim

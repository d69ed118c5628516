// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cstdint>

namespace scree::sim {

/// The periodic cell of a conf-file and how it moves. A point x and x + h n are the same place for
/// every n of whole numbers; the second moves faster by vh n.
struct PeriodicCell {
  bool used = false;
  Mat3 h = Mat3::Zero();   ///< [L] vectors of the cell as columns
  Mat3 vh = Mat3::Zero();  ///< [L/T]
  Mat3 ah = Mat3::Zero();  ///< [L/T²]
  double mh = -1.0;  ///< mass of the cell over that of all bodies; 0 or less: the cell has mass 1
  double dh = 0.0;   ///< [M/T] viscous damping of the motion of the cell
  double momentumCorrection = 0.0;  ///< [T] period at which mean momentum is removed; 0: never
  double velocityCorrection = 0.0;  ///< [T] period at which mean velocity is removed; 0: never
  bool kineticStress = true;        ///< fluctuations of velocity press on the cell
};

/// What moves the cell: the line `PeriodicLoading` of drivingSystem.txt. Components follow a stress
/// or a velocity; without a loading all velocities are zero.
struct CellLoading {
  enum class Kind : std::uint8_t { isotropic, triaxial, simpleShear };
  Kind kind = Kind::isotropic;
  double pressure = 0.0;  ///< [F/L²] > 0: compression, wanted along the diagonal
  double rate = 0.0;      ///< [1/T] triaxial: of the strain along `row`; shear: of the angle
  int row = 0, column = 0;

  bool byStress(int r, int c) const { return r == c && !(kind == Kind::triaxial && r == row); }
  /// [L/T] of a component that follows a velocity, in a cell `h`.
  double velocity(int r, int c, const Mat3& h) const {
    if (kind == Kind::triaxial && r == row && c == row) return rate * h(row, row);
    if (kind == Kind::simpleShear && r == row && c == column) return rate * h(column, column);
    return 0.0;
  }
};

}  // namespace scree::sim

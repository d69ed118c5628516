// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace scree::sim {

/// What acts on a body: [F], and [F L] about its centre of mass.
struct ForceAndMoment {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
};

// Forces on all bodies that are not driven: keyword BodyForce. Of several lines the last one
// counts.

/// Pulls towards a point with an acceleration of constant size: force m a along unit(point - x).
struct AttractingPoint {
  Vec3 point = Vec3::Zero();  ///< [L]
  double acceleration = 0.0;  ///< [L/T²] > 0: towards the point
};
/// Turns the axis `bodyAxis` of each body into the line of `axis`, whichever way round is nearer: a
/// moment in proportion to the angle between them, `maxMoment` at a right angle.
struct PreferredDirection {
  Vec3 bodyAxis = Vec3::UnitX(), axis = Vec3::UnitX();  ///< of any length; body frame, global
  double maxMoment = 0.0;                               ///< [F L]
};
/// Drag of a fluid at rest: -1/2 ρ C A |v| v with C = 0.47 and A = V^(2/3), V the body's volume.
struct ViscousFluid {
  double density = 0.0;  ///< [M/L³]
};
using BodyForce = std::variant<AttractingPoint, PreferredDirection, ViscousFluid>;

/// A spring between a point of one body and a point of another: keyword initSpringJoint. It pulls
/// and pushes along the line between the two points.
struct SpringJoint {
  std::uint32_t i = 0, j = 0;
  Vec3 onI = Vec3::Zero(), onJ = Vec3::Zero();  ///< [L] in the body frames, without homothety
  double stiffness = 0.0;                       ///< [F/L] >= 0
  double restLength = -1.0;                     ///< [L]; < 0: the length at the start
};

/// A round wall around all bodies: a ball or an endless cylinder, at rest.
struct Boundary {
  enum class Kind : std::uint8_t { ball, cylinder };
  Kind kind = Kind::ball;
  Vec3 centre = Vec3::Zero();  ///< [L]; of a cylinder, a point of its axis
  Vec3 axis = Vec3::UnitZ();   ///< unit, of a cylinder
  double radius = 0.0;         ///< [L]
  std::uint32_t group = 0;     ///< row and column of the parameter tables

  /// From the centre, or from the axis, to a point.
  Vec3 outwards(const Vec3& x) const {
    const Vec3 d = x - centre;
    return kind == Kind::ball ? d : Vec3(d - d.dot(axis) * axis);
  }
};

/// A vertex that touches a boundary, with what its contact carries from step to step.
struct BoundaryTouch {
  std::uint32_t boundary = 0, body = 0, vertex = 0;
  double dn = 0.0;          ///< [L] gap, < 0
  double fn = 0.0;          ///< [F] on the body along the inward normal
  Vec3 ft = Vec3::Zero();   ///< [F] on the body, across it
  Vec3 mom = Vec3::Zero();  ///< [F L] on the body
  Vec3 vel = Vec3::Zero();  ///< [L/T] of the boundary relative to the body
};

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

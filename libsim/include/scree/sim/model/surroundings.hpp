// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>

namespace scree::sim {

/// Force on a body [F], and moment about its centre of mass [F L].
struct ForceAndMoment {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
};

// Forces on all bodies that are not driven: keyword BodyForce, of which the last line counts.

/// Pulls towards a point with an acceleration of constant size: force m a along unit(point - x).
struct AttractingPoint {
  Vec3 point = Vec3::Zero();  ///< [L]
  double acceleration = 0.0;  ///< [L/T²] > 0: towards the point
};
/// Turns the axis `bodyAxis` of each body into the line of `axis`, by the smaller of both angles.
/// The moment is proportional to the angle between them, `maxMoment` at a right angle.
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

/// A wall around all bodies: a ball, an endless cylinder, a cone that opens along its axis without
/// end, or an endless plane. It may move with a constant velocity and turn with a constant spin;
/// contacts see the velocity of its surface.
struct Boundary {
  enum class Kind : std::uint8_t { ball, cylinder, cone, plane };
  static constexpr std::array<std::string_view, 4> names{"ball", "cylinder", "cone", "plane"};
  Kind kind = Kind::ball;
  Vec3 centre = Vec3::Zero();  ///< [L]; of a cylinder, a point of its axis; of a cone, its apex
  /// Unit, but for a ball; of a cone, from its apex inwards; of a plane, towards the bodies.
  Vec3 axis = Vec3::UnitZ();
  double radius = 0.0;              ///< [L]; of a cone, that of its outlet, 0 where it is closed
  std::uint32_t group = 0;          ///< row and column of the parameter tables
  double angle = 0.0;               ///< [degrees] of a cone, between axis and wall; see setAngle
  double sine = 0.0, cosine = 1.0;  ///< of `angle`
  Vec3 vel = Vec3::Zero();          ///< [L/T] of `centre`
  Vec3 spin = Vec3::Zero();         ///< [1/T] about `centre`; along `axis`, but for a ball
  double power = 0.0;  ///< [F L/T] that a moving wall puts into bodies, at the end of the last step

  /// Sets `angle`, `sine` and `cosine`. The same bits on every machine.
  void setAngle(double degrees);
  std::string_view name() const { return names[static_cast<std::size_t>(kind)]; }  ///< of `kind`
  bool moves() const { return vel != Vec3::Zero() || spin != Vec3::Zero(); }
  /// [L/T] Velocity of the wall at a point.
  Vec3 velocityAt(const Vec3& x) const { return vel + spin.cross(x - centre); }

  /// From the centre, or from the axis, to a point.
  Vec3 outwards(const Vec3& x) const {
    const Vec3 d = x - centre;
    return kind == Kind::ball ? d : Vec3(d - d.dot(axis) * axis);
  }
  /// [L] Distance of a point from the wall, above 0 where bodies may be.
  /// @param inwards  unit normal at the nearest point of the wall. Unchanged at the centre of a
  /// ball and on the axis of a cylinder; along the axis on that of a cone.
  double distance(const Vec3& x, Vec3& inwards) const {
    if (kind == Kind::cone) return coneDistance(x, inwards);
    if (kind == Kind::plane) {
      inwards = axis;
      return (x - centre).dot(axis);
    }
    const Vec3 out = outwards(x);
    const double far = out.norm();
    if (far > 0.0) inwards = out * (-1.0 / far);
    return radius - far;
  }

 private:
  double coneDistance(const Vec3& x, Vec3& inwards) const;
};

/// [L] Distance of a point from the side of a cone across the axis, as Boundary::distance gives it
/// for the near side. Infinite on the axis.
/// @param inwards  unit normal at the nearest point of that side; unchanged on the axis
double farSideOfCone(const Boundary& cone, const Vec3& x, Vec3& inwards);

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
  /// Whole numbers: the vectors are those that have moved with the bodies, times these columns. A
  /// run changes them where it replaces a vector by a shorter one of the same lattice.
  Mat3 flips = Mat3::Identity();
  double mh = -1.0;  ///< mass of the cell over that of all bodies; 0 or less: the cell has mass 1
  double dh = 0.0;   ///< [M/T] viscous damping of the motion of the cell
  double momentumCorrection = 0.0;  ///< [T] period at which mean momentum is removed; 0: never
  double velocityCorrection = 0.0;  ///< [T] period at which mean velocity is removed; 0: never
  bool kineticStress = true;        ///< fluctuations of velocity press on the cell
};

/// Loading of the cell: the line `PeriodicLoading` of drivingSystem.txt. Components follow a stress
/// or a velocity; without a loading all velocities are zero.
struct CellLoading {
  enum class Kind : std::uint8_t { isotropic, triaxial, simpleShear, uniaxial };
  Kind kind = Kind::isotropic;
  double pressure = 0.0;    ///< [F/L²] > 0: compression, wanted along the diagonal
  double rate = 0.0;        ///< [1/T] triaxial: of the strain along `row`; shear: of the angle
  int row = 0, column = 0;  ///< axes; uniaxial: `row` alone follows the pressure

  bool byStress(int r, int c) const {
    if (kind == Kind::uniaxial) return r == row && c == row;
    return r == c && !(kind == Kind::triaxial && r == row);
  }
  /// [L/T] of a component that follows a velocity, in a cell `h`.
  double velocity(int r, int c, const Mat3& h) const {
    if (kind == Kind::triaxial && r == row && c == row) return rate * h(row, row);
    if (kind == Kind::simpleShear && r == row && c == column) return rate * h(column, column);
    return 0.0;
  }
};

}  // namespace scree::sim

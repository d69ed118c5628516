// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/pack/complete.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// A loading that packgen writes drivingSystem.txt for. What is absent, or empty between commas, is
/// chosen.
///
///     isotropic[:P]                pressure P [F/L²] on all sides
///     triaxial[:P[,RATE[,STRAIN]]] P along x and z; y shortens by RATE [1/T] until STRAIN [-]
///     oedometer[:P]                P along y, nothing else moves
///     shear[:P[,RATE[,STRAIN]]]    P on the sides of a periodic cell, x slides over y
///     drum[:SPIN]                  the walls turn by SPIN [1/T] about their axis
///     vibration[:A,F]              all driven bodies shake along gravity: A sin(2πFt)
///
/// P is 1e4, RATE gives the inertial number 1e-3, STRAIN is 0.1, SPIN the Froude number ω²R/g
/// 0.005, A a twentieth of the mean size, F an acceleration of 2 g.
struct DrivePlan {
  enum class Kind { isotropic, triaxial, oedometer, shear, drum, vibration };
  Kind kind = Kind::isotropic;
  std::string text;  ///< as it was given
  double pressure = 1e4;
  std::optional<double> rate, spin, amplitude, frequency;
  double strain = 0.1;

  /// @throws UsageError for another word, too many numbers, or numbers out of range
  static DrivePlan parse(const std::string& text);
  bool hasPressure() const { return kind <= Kind::shear; }
};

/// Sides that a pressure acts on, by axis.
using PressedAxes = std::array<bool, 3>;
/// Reads "xyz", "x", "xz" and so on. @throws UsageError for anything else
PressedAxes pressedAxes(const std::string& text);

/// Lines of drivingSystem.txt by which the walls or the periodic cell of `conf` hold `pressure`
/// along the axes that are pressed, and stay along the others: six flat walls, two across the axis
/// of a cylinder, or a cell. A cell that has no mass gets that of its bodies, and a damping of a
/// quarter of the critical one.
/// @throws ModelError where there is no wall to press with
std::string pressureLines(Conf& conf, std::span<const shape::Shape> shapes, double pressure,
                          const PressedAxes& axes);

/// The files that go with a drive.
struct DriveFiles {
  std::string driving, extractors;   ///< texts of drivingSystem.txt and dataExtractors.txt
  std::vector<std::string> reasons;  ///< how what was chosen came about
};
/// Writes the drive into `conf` as far as that is its place: the spin of round walls, the mass of a
/// cell, the duration (strain over rate) with interConf, unless `keepDuration`.
/// @param shapes  as shapesOf(conf) gives them
/// @throws ModelError where the scene cannot be driven so
DriveFiles driveFiles(const DrivePlan& plan, Conf& conf, std::span<const shape::Shape> shapes,
                      bool keepDuration);
/// What the stiffness has to carry because of the drive.
DriveLoad driveLoad(const DrivePlan& plan, const Conf& conf, std::span<const shape::Shape> shapes);

}  // namespace scree::sim

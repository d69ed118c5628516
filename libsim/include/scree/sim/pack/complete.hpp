// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"
#include "scree/sim/pack/packing.hpp"
#include "scree/sim/simulation.hpp"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// A parameter of a force law: one value for all pairs of groups, and exceptions. An exception of a
/// parameter of one group names that group twice.
struct PairSetting {
  std::optional<double> general;  ///< empty: pairs without an exception keep what they have
  std::vector<PairValue> special;
};
/// A parameter of laws that has an option of its own.
struct LawOption {
  const char *option, *keyword, *unit, *help;
  std::optional<double> value;  ///< default; empty: completed() chooses it
  double most = HUGE_VAL;       ///< largest value
  bool positive = false;        ///< 0 is refused
  bool ofGroup = false;         ///< it belongs to one group
};
const std::vector<LawOption>& lawOptions();

struct DriveLoad {
  double pressure = 0.0;  ///< [F/L²]
  double speed = 0.0;     ///< [L/T] of walls
};
/// A loading for which packgen writes drivingSystem.txt. Absent or empty numbers get these values.
///
///     `isotropic[:P]`                 Pressure P [F/L²] on all sides.
///     `triaxial[:P[,RATE[,STRAIN]]]`  P along x and z; y shortens by RATE [1/T] until STRAIN < 1.
///     `oedometer[:P]`                 P along y, nothing else moves.
///     `shear[:P[,RATE[,STRAIN]]]`     P on the sides of a periodic cell, x slides over y.
///     `drum[:SPIN]`                   The walls turn by SPIN [1/T] about their axis.
///     `vibration[:A,F]`               All driven bodies shake along gravity: A sin(2πFt).
///
/// P is 1e4, and STRAIN is 0.1. RATE gives the inertial number 1e-3, and SPIN the Froude number
/// ω²R/g 0.005. A is a twentieth of the mean size, and F gives an acceleration of 2 g.
struct DrivePlan {
  enum class Kind { isotropic, triaxial, oedometer, shear, drum, vibration };
  Kind kind = Kind::isotropic;
  double pressure = 1e4;
  bool pressureGiven = false;
  std::optional<double> rate, spin, amplitude, frequency;
  double strain = 0.1;

  /// @throws UsageError for another word, too many numbers, or numbers out of range
  static DrivePlan parse(const std::string& text);
  bool hasPressure() const { return kind <= Kind::shear; }
  /// Takes the pressure under which a packing is made, unless one was given.
  void follow(double packed) {
    if (!pressureGiven) pressure = packed;
  }
};

struct PackSettings {
  std::string source;                             ///< of the packing, for messages
  std::string law = "Default";                    ///< one of allLaws()
  PairSetting density{2700.0, {}};                ///< [M/L³]
  std::map<std::string, PairSetting> parameters;  ///< of the law and its bonds, by keyword
  std::optional<DrivePlan> drive;
  DriveLoad load;                       ///< beside that of `drive`
  std::optional<Vec3> gravity;          ///< [L/T²]; absent: 0 -9.81 0, in a periodic cell 0
  std::optional<double> duration;       ///< [T]; absent: 1
  std::optional<double> dt, interConf;  ///< [T]; absent: chosen
  /// [-] Overlap over the size of a body that the chosen stiffness allows; empty: 0.005.
  std::optional<double> overlap;
  double allowedOverlap() const { return overlap.value_or(0.005); }
  int threads = 1;
};

/// Sides that a pressure acts on, by axis.
using PressedAxes = std::array<bool, 3>;
/// Reads "xyz", "x", "xz" and so on. @throws UsageError for anything else
PressedAxes pressedAxes(const std::string& text);

/// Lines of drivingSystem.txt by which the walls or the periodic cell of `conf` hold `pressure`
/// along the pressed axes, and stay along the others. The walls are six flat ones, or two across
/// the axis of a cylinder. A cell that has no mass gets that of its bodies, and a damping of a
/// quarter of the critical one.
/// @throws ModelError where there is no wall to press with
std::string pressureLines(Conf& conf, std::span<const shape::Shape> shapes, double pressure,
                          const PressedAxes& axes);

struct DriveFiles {
  std::string driving, extractors;   ///< texts of drivingSystem.txt and dataExtractors.txt
  std::vector<std::string> reasons;  ///< for each chosen value, a line
};
/// Writes into `conf` the parts of the drive that belong there: the spin of round walls and the
/// mass of a cell. Unless `keepDuration`, also the duration (strain over rate) with interConf.
/// @param shapes  as shapesOf(conf) gives them
/// @throws ModelError if walls, cell or driven bodies of the scene do not suit the plan
DriveFiles driveFiles(const DrivePlan& plan, Conf& conf, std::span<const shape::Shape> shapes,
                      bool keepDuration);
/// Loads that the stiffness has to carry because of the drive.
DriveLoad driveLoad(const DrivePlan& plan, const Conf& conf, std::span<const shape::Shape> shapes);

struct CompletedConf {
  Conf conf;
  std::vector<shape::Shape> shapes;  ///< one for each shape name of the conf-file, in its order
  std::vector<std::string> reasons;  ///< for each chosen value, a line
};
/// Makes a conf-file of bodies and surroundings. @throws ModelError if driven bodies are not first
CompletedConf withBodies(const Packing& packing);

/// A conf-file that lacks nothing: masses, law, time step, neighbour distances, driven bodies
/// first. `shapeFile` stays empty. The sizes and masses of the free bodies determine these values:
///     `knContact`     By two bounds on overlaps, see below; 1e6 without gravity, pressure, speeds.
///     `youngModulus`  By the same rule, with the law HertzMindlin, which has no knContact.
///     `viscTContact`  `2 sqrt(0.8 kn m)`, with the law GeoVisc: critical for a spring of 0.8 kn.
///     `dt`            A 25th of the shortest contact of two bodies (shortestContactTime), or of
///                     `π √(I/kr)` if shorter. At most a tenth of a half period of the stiffest
///                     body on its contacts and bonds, also once bonds are broken:
///                     criticalStep().dt π/20. Rounded down to two digits.
///     `interConf`     `duration / 50`.
///     `dVerlet`       0.05 of the smallest body's thickness. DVerlet: 0.1 of it.
///     `interVerlet`   The time in which the fastest body expected moves half dVerlet.
/// The stiffness meets two bounds. Contacts at the bottom, which carry the weight above and the
/// pressure of the drive, overlap by at most `overlap` of the smallest size. The heaviest body,
/// after a fall over the free height, overlaps by at most `overlap` of the largest size. Heights
/// and loads are those of the bodies as they stand; the duration has no influence.
/// Loads and speeds of the drive count, too. Where it presses by six walls, isotropic or triaxial,
/// they have no friction unless `settings` names their groups: bodies would jam between them.
/// @param diagnostics  gets a warning of a stiffness too low, and of sizes that are probably wrong
/// @throws ModelError for an unknown law, a parameter that the law does not have, or a value out of
/// range. Also for a group that no body has, a free body without mass, or no bodies.
CompletedConf completed(const Packing& packing, const PackSettings& settings,
                        Diagnostics& diagnostics);

/// Sets parameters of contacts of a complete conf-file, by keywords of its law such as muContact.
/// @throws UsageError for a keyword, a group or a value that completed() would refuse
void changeContacts(Conf& conf, const std::map<std::string, PairSetting>& settings);

}  // namespace scree::sim

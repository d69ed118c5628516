// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/model/conf.hpp"
#include "scree/sim/pack/complete.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree::sim {

/// The numbers of a value such as "box:1,2,3" of the option `option`, all finite and above 0, or
/// just not 0 at the places that `mayBeNegative` names. Empty where nothing stands between commas.
/// @param form  the value as help writes it, "box:LX,LY,LZ", for the message
/// @throws UsageError for another word, or where there are more than `most` of them
std::vector<std::optional<double>> numbersOf(std::string_view option, const std::string& text,
                                             std::size_t most, std::string_view form,
                                             std::optional<std::size_t> mayBeNegative = {});
/// The same where all of them are needed.
std::vector<double> positiveNumbers(std::string_view option, const std::string& text,
                                    std::size_t count, std::string_view form);

/// `value` rounded up to one digit.
double roundedUp(double value);
/// `value` rounded down to two digits, as the decimal number that files then show.
double roundedDown(double value);

/// Sizes and masses that decide the choice of stiffness, steps and distances.
struct Scales {
  std::size_t free = 0;      ///< bodies that are not driven
  double mass = 1e300;       ///< [M] smallest
  double heaviest = 0.0;     ///< [M]
  double inertia = 1e300;    ///< [M L²] smallest principal moment
  double thickness = 1e300;  ///< [L] smallest
  double smallest = 1e300;   ///< [L] least size, the diameter of the ball about the centre
  double largest = 0.0;      ///< [L] likewise
  double rounding = 0.0;     ///< [L] largest rounding radius
  double least = 1e300;      ///< [L] least rounding radius
  double speed = 0.0;        ///< [L/T] largest, driven bodies included
};
/// @throws ModelError for a free body without mass or inertia
Scales scalesOf(const Conf& conf, std::span<const shape::Shape> shapes);

/// Loads that the stiffness has to carry, from places and motions at the start.
struct Load {
  double force = 0.0;     ///< [F] on a contact at the bottom, at rest
  double impact = 0.0;    ///< [M L²/T²] energy of the heaviest body at the fastest speed expected
  double drop = 0.0;      ///< [L] that bodies can fall
  double given = 0.0;     ///< [L/T] speed at the start
  double speed = 0.0;     ///< [L/T] after the fall
  double pressure = 0.0;  ///< [F/L²] of the drive
};

/// The load of a scene under the gravity of `conf`.
///
/// The free bodies spread their weight W over the base A of their box. The largest body carries
/// twice its share, 2 W D² / A, since contact forces in packings vary. A drive presses by p on few
/// bodies at a time, by chains: eight times its share, 8 p D², on a contact. A body falls by the
/// height above the lowest surface, less what the bodies below fill when they are packed to 0.6.
/// Walls that move add their speed.
Load loadOf(const Conf& conf, std::span<const shape::Shape> shapes, const Scales& scales,
            const DriveLoad& drive);

/// [F/L] The least stiffness that keeps overlaps below the share `allowed` of the size of a body,
/// with the reason. 0 where nothing presses or falls.
double leastStiffness(const Scales& scales, const Load& load, double allowed, std::string& reason);

/// [F/L²] The least Young's modulus of that kind for elastic bodies of Poisson ratio `poisson`.
/// From Hertz's force 4/3 E* √R* δ^(3/2) at δ = `allowed` sizes, with the R* of the least rounding.
/// Also from his impact, δ^(5/2) = 15 m v² / (16 E* √R*).
double leastModulus(const Scales& scales, const Load& load, double allowed, double poisson,
                    std::string& reason);

/// Pairs of groups, that of a wall first, whose contacts have friction where the drive presses by
/// six walls, isotropic or triaxial. Bodies then jam between the walls, and one wall may carry many
/// times the pressure. Empty where all walls are smooth.
std::vector<PairValue> roughWalls(const DrivePlan& plan, const Conf& conf,
                                  std::span<const shape::Shape> shapes);

}  // namespace scree::sim

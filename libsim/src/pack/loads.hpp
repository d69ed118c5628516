// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of options, and the loads that decide on the stiffness of contacts.
#pragma once

#include "scree/sim/model/conf.hpp"
#include "scree/sim/pack/complete.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::sim {

/// The form of an option such as "box:1,2,3".
struct OptionForm {
  std::string_view name, arguments;
  std::size_t numbers;
};
/// Place of the form that `text` begins with. @throws UsageError naming all forms
std::size_t formOf(std::string_view option, const std::string& text,
                   std::span<const OptionForm> forms);
/// The numbers of `text`, all finite and above 0, or just not 0 at the place `mayBeNegative`. Empty
/// where nothing stands between commas.
/// @throws UsageError for another word, or more numbers than the form has
std::vector<std::optional<double>> numbersOf(std::string_view option, const std::string& text,
                                             const OptionForm& form,
                                             std::optional<std::size_t> mayBeNegative = {});
/// The same where all of them are needed.
std::vector<double> positiveNumbers(std::string_view option, const std::string& text,
                                    const OptionForm& form);
/// Name and number of a word `NAME=V`; NaN where V is no finite number.
std::pair<std::string, double> namedNumber(const std::string& word);

/// Groups that bodies and boundaries have.
std::set<std::uint32_t> groupsInUse(const Conf& conf);

/// `value` rounded up to one digit.
double roundedUp(double value);
/// `value` rounded down to two digits, as the decimal number that files then show.
double roundedDown(double value);

/// Sizes, masses and loads of a scene that decide the choice of stiffness, steps and distances.
///
/// The free bodies spread their weight W over the base A of their box. The largest body carries
/// twice its share, 2 W D² / A, since contact forces in packings vary. A drive presses by p on few
/// bodies at a time, by chains: eight times its share, 8 p D², on a contact. A body falls by the
/// height above the lowest surface, less what the bodies below fill when they are packed to 0.6.
/// Walls that move add their speed.
struct Load {
  std::size_t free = 0;      ///< bodies that are not driven
  double mass = 1e300;       ///< [M] smallest
  double heaviest = 0.0;     ///< [M]
  double thickness = 1e300;  ///< [L] smallest
  double smallest = 1e300;   ///< [L] least size, the diameter of the ball about the centre
  double largest = 0.0;      ///< [L] likewise
  double rounding = 1e300;   ///< [L] least rounding radius
  double given = 0.0;        ///< [L/T] speed at the start
  double force = 0.0;        ///< [F] on a contact at the bottom, at rest
  double impact = 0.0;       ///< [M L²/T²] energy of the heaviest body at `speed`
  double drop = 0.0;         ///< [L] that bodies can fall
  double speed = 0.0;        ///< [L/T] after the fall
};
/// The load of a scene under the gravity of `conf`.
/// @throws ModelError for a free body without mass or inertia
Load loadOf(const Conf& conf, std::span<const shape::Shape> shapes, const DriveLoad& drive = {});

struct Stiffness {
  double value = 0.0;
  std::string reason;
};
/// The least knContact [F/L] that keeps overlaps below the share `allowed` of the size of a body,
/// or the least youngModulus [F/L²] for HertzMindlin. 0 where nothing presses or falls.
///
/// The modulus follows from Hertz's force 4/3 E* √R* δ^(3/2) at δ = `allowed` sizes, with the R* of
/// the least rounding, and from his impact, δ^(5/2) = 15 m v² / (16 E* √R*).
Stiffness leastStiffness(const Conf& conf, const Load& load, double allowed);

/// Means over the free bodies.
struct Grains {
  double size = 0.0;     ///< [L] diameter of a ball of the mean volume
  double density = 0.0;  ///< [M/L³]
  double mass = 0.0;     ///< [M] of all
};
/// @throws ModelError where no body is free
Grains grainsOf(const Conf& conf, std::span<const shape::Shape> shapes);

}  // namespace scree::sim

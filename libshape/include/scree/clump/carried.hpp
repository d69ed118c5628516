// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scree::clump {

/// A group name in a slot, as PFC has them.
struct PackGroup {
  std::string name;
  std::string slot = "Default";
};

/// Mass properties that the user gives instead of those of the geometry.
struct GivenMass {
  double volume = 0.0;          ///< [L³] mass over density
  Vec3 centre = Vec3::Zero();   ///< [L] frame of the pack
  Mat3 inertia = Mat3::Zero();  ///< [M L²] about `centre`, axes of the pack, mass included
};

/// What a ShapePack line has no place for. It stands in comment lines in front of a particle:
/// `#@ id=7 density=2600 group=rock:Default`.
struct Carried {
  std::optional<double> density;  ///< [M/L³]
  std::optional<GivenMass> given;
  std::vector<PackGroup> groups, pebbleGroups;
  std::vector<std::string> others;  ///< `key=value` words of other programs, kept as they are

  bool empty() const {
    return !density && !given && groups.empty() && pebbleGroups.empty() && others.empty();
  }
};

/// A group from `NAME` or `NAME:SLOT`; nothing if a part is empty or holds a blank, '#', '=' or a
/// second ':'.
std::optional<PackGroup> parsedGroup(std::string_view text);

/// Why six numbers e11 e22 e33 e12 e13 e23 are no tensor of inertia, as the end of a sentence;
/// empty if they are one: positive definite, principal moments I1 + I2 >= I3.
std::string inertiaProblem(const Mat3& tensor);

/// e11 e22 e33 e12 e13 e23 as a symmetric tensor.
Mat3 symmetricTensor(const std::vector<double>& six);

}  // namespace scree::clump

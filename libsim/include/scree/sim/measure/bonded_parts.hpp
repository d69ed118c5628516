// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/model/conf.hpp"

#include <span>
#include <vector>

namespace scree::sim {

/// Sets of bodies that unbroken bonds connect.
struct BondedParts {
  std::vector<std::vector<BodyId>> bodies;  ///< of each part, ascending; a single body is one, too
  /// [L] what to add to the position of a body so that its part is in one piece: images along bonds
  /// in a periodic cell, else 0. One entry a body.
  std::vector<Vec3> shift;
};

/// Parts by the interfaces of the file, in the order of their first bodies.
/// O((bodies + interfaces) log).
/// @param chosen  one flag a body: others belong to no part and connect nothing
BondedParts bondedParts(const Conf& conf, std::span<const char> chosen);

/// The lowest body of its part, for each body; all bodies count.
std::vector<BodyId> fragmentLabels(const Conf& conf);

}  // namespace scree::sim

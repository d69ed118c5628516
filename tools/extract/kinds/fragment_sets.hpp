// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kind.hpp"

#include <vector>

namespace scree::tools {

/// Bodies that unbroken bonds hold together, and what they measure.
struct Fragment {
  std::vector<sim::BodyId> bodies;  ///< ascending
  double mass = 0.0, volume = 0.0;  ///< [M], [L³]
  double diameter = 0.0;            ///< [L] of the ball of this volume
  /// [L] of the least box, rounding included, descending; of a single body that of its shape.
  Vec3 sides = Vec3::Zero();

  double sieve() const { return sides[1]; }  ///< [L] the square mesh it passes
};

/// Connected parts of the chosen bodies by the interfaces of the file, in the order of their first
/// bodies; a body without bonds is one. In a periodic cell parts are put together by the nearest
/// images along bonds. O((bodies + interfaces) log), plus the hull of each fragment.
std::vector<Fragment> fragmentsOf(const sim::Instant& instant, const std::vector<char>& chosen);

}  // namespace scree::tools

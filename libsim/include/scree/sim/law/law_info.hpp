// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace scree::sim {

// Properties of a law before any pair of bodies is known.

/// How the bonds of a law break; see bond_law.hpp.
enum class Breakage : std::uint8_t { noBonds, yieldSurface, fractureEnergy };

struct LawInfo {
  std::string_view name, help;
  bool needsRadius = false;  ///< bodies without rounding are refused
  bool hysteresis = false;   ///< loses energy along n without viscosity
  bool inRockable = false;   ///< Rockable has it, too
  Breakage bonds = Breakage::noBonds;
};

/// Every law there is, in the order of `rockable --list laws`.
const std::vector<LawInfo>& allLaws();

/// The law a conf-file names; "Avalanches", of older files, is Avalanche.
/// @throws ModelError naming the laws there are
const LawInfo& lawNamed(std::string_view name);

/// Restitution coefficient e of a head-on collision with a linear spring and a dashpot, for the
/// nominal √en2. The force is never attractive: the collision ends where it would change sign. So e
/// is larger than √en2 (0.253 for en2 = 0.01). Even critical damping (en2 <= 0) leaves exp(-2) =
/// 0.135. In the limit of dt -> 0 and without other forces.
/// Source: T. Schwager & T. Pöschel, Granular Matter 9, 465-469, 2007.
double springDashpotRestitution(double en2);

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
// What a law is before any pair of bodies is known. Light: whoever runs laws needs no more.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace scree::sim {

/// How the bonds of a law break; see bond_law.hpp.
enum class Breakage : std::uint8_t { noBonds, yieldSurface, fractureEnergy };

struct LawInfo {
  std::string_view name, help;
  bool needsRadius = false;  ///< bodies without rounding are refused
  bool hysteresis = false;   ///< loses energy along n without viscosity
  bool asRockable = false;   ///< runs with `--compat rockable`
  Breakage bonds = Breakage::noBonds;
};

/// Every law there is, in the order of `rockable --list laws`.
const std::vector<LawInfo>& allLaws();

/// The law a conf-file names; "Avalanches", of older files, is Avalanche.
/// @throws ModelError naming the laws there are
const LawInfo& lawNamed(std::string_view name);

}  // namespace scree::sim

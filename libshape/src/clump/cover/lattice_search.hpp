// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cover_work.hpp"

#include <vector>

namespace scree::clump::detail {

/// Equal balls without overlap. For a number of balls: as many at most, as large as that allows. If
/// all lattices of allowed radii have fewer, the fullest of them. For a share of the volume: the
/// largest balls that reach it.
/// @throws GeometryError where the share is not reached, or no lattice has so few balls
std::vector<Ball> bestLattice(const CoverWork& work);

}  // namespace scree::clump::detail

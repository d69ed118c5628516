// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/cover.hpp"

#include <vector>

namespace scree::clump::detail {

/// Equal balls within a solid that touch and do not overlap, on the lattice that places most.
///
/// Lattices are face-centred cubic, hexagonal, body-centred or simple cubic, each shifted by parts
/// of its cell. They stand along the axes of the file. The radius is found by halving: the smallest
/// that leaves no more balls than requested, or the largest whose balls have the volume ratio.
/// @param volume   [L³] of the solid. @param largest  [L] radius of the largest ball inside
/// @param least    [L] radius
std::vector<Ball> latticeCover(const SolidDistance& solid, double volume,
                               const CoverOptions& options, double largest, double least);

}  // namespace scree::clump::detail

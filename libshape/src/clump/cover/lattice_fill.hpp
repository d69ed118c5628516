// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"
#include "scree/mass/unions.hpp"

#include <vector>

namespace scree::clump::detail {

using mass::Ball;

/// Equal balls within a solid that touch and do not overlap, on the lattice that places most.
/// Lattices are face-centred cubic, hexagonal, body-centred or simple cubic, each shifted by parts
/// of its cell. They stand along the axes of the file. O(n log m) for n places and a mesh of m
/// triangles.
std::vector<Ball> latticeFill(const SolidDistance& solid, double radius, int threads);

}  // namespace scree::clump::detail

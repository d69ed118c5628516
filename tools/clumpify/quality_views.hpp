// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "input.hpp"
#include "vtk/poly_piece.hpp"

#include <span>
#include <string>

namespace scree::tools {

/// The surface of a solid in triangles no wider than 0.04 of the cube root of its volume. Each
/// point has its distance from the balls as `distance`: negative within one. For ParaView.
vtp::PolyPiece distancePiece(const SolidInput& solid, std::span<const mass::Ball> balls);

/// PNG of the solid and, beside it at the same scale, of the balls.
std::string qualityPicture(const SolidInput& solid, std::span<const mass::Ball> balls, int threads);

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "patches.hpp"

#include "scree/shape/hull.hpp"

namespace scree::shape::detail {

/// Any skeleton, piece by piece: of the sphere around a vertex what looks away from its edges, of
/// the tube around an edge what looks away from its faces, of a face its outer side or both.
void drawPieces(Patches& out, const Shape& shape, const Core& core);

}  // namespace scree::shape::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "patches.hpp"

#include "scree/shape/hull.hpp"

namespace scree::shape::detail {

/// Any skeleton, piece by piece. Of the sphere around a vertex it draws what faces away from its
/// edges. Of the tube around an edge it draws what faces away from its faces. Of a face it draws
/// its outer side or both.
void drawPieces(Patches& out, const Shape& shape, const Core& core);

}  // namespace scree::shape::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/certified.hpp"
#include "scree/shape/hull.hpp"

namespace scree::mass::detail {

/// A shape as points, edges and triangles; the inside of closed faces counts unless it is a
/// surface.
CertifiedBody bodyOf(const shape::Shape& shape, const shape::Core& core);

}  // namespace scree::mass::detail

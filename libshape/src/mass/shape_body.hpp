// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "self_intersection.hpp"

#include "scree/mass/certified.hpp"
#include "scree/shape/hull.hpp"

namespace scree::mass::detail {

/// A shape as points, edges and triangles; the inside of closed faces counts unless it is a
/// surface.
CertifiedBody bodyOf(const shape::Shape& shape, const shape::Core& core);

/// Whether the surface of a body made by bodyOf crosses itself: signed tetrahedra would then
/// count some of it twice.
Crossing crossesItself(const CertifiedBody& body);

}  // namespace scree::mass::detail

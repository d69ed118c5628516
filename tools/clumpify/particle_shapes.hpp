// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"
#include "scree/shape/shape.hpp"

namespace scree::tools {

/// A particle as one shape of a shape-file, surveyed, with `position` and `orientation` as it
/// stands in the pack; named `particle<id>`. Spheres and capsules of one radius become vertices and
/// edges; tetrahedra that fill a convex body become that polyhedron with their rounding.
/// @throws GeometryError naming the particle for an ellipsoid, a facet, spheres or capsules of
/// different radii, or tetrahedra of another body: one shape has one radius
shape::Shape particleShape(const clump::PackParticle& particle);

}  // namespace scree::tools

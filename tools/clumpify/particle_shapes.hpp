// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"
#include "scree/shape/shape.hpp"

#include <string>
#include <string_view>

namespace scree::tools {

/// The name of a type as sentences have it: `an Ellipsoid`.
std::string withArticle(std::string_view type);

/// A particle as one shape of a shape-file, surveyed, with `position` and `orientation` as it
/// stands in the pack; named `particle<id>`. Spheres, and capsules without a shaft, become
/// vertices, with a radius each where they differ. Capsules of one radius become edges. Tetrahedra
/// and facets, as prisms, that fill a convex body become that polyhedron with their rounding. Flat
/// tetrahedra with a rounding become a plate. Volume, centre and inertia are the given ones where
/// the particle carries any.
/// @param ownRadii  whether whoever reads the shape knows vertices of different radii
/// @throws GeometryError naming the particle for an ellipsoid, a facet without thickness, capsules
/// of different radii, or polyhedra that fill no convex body
shape::Shape particleShape(const clump::PackParticle& particle, bool ownRadii = true);

}  // namespace scree::tools

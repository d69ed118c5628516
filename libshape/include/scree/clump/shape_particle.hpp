// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"
#include "scree/shape/shape.hpp"

namespace scree::clump {

/// Where a shape stands: its vertex v is at position + orientation * (scale v).
struct ShapePose {
  Vec3 position = Vec3::Zero();         ///< [L]
  Quat orientation = Quat::Identity();  ///< body frame -> global frame
  double scale = 1.0;                   ///< of vertices and rounding
};

/// A shape as members of a ShapePack particle, of the same solid.
///
/// A shape without faces becomes a Capsule for each edge and a Sphere for each vertex that no edge
/// has. A clump whose stated mass is not that of its balls carries it, at unit density. A convex
/// polyhedron becomes Tetra members that fill it, with the rounding of the shape.
/// @throws GeometryError naming the shape if it is not convex, is a sheet, or has no volume
PackParticle shapeParticle(const shape::Shape& shape, const ShapePose& pose, std::int64_t id);

}  // namespace scree::clump

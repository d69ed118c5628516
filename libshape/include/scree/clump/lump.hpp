// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/shape_pack.hpp"
#include "scree/mass/moments.hpp"

#include <vector>

namespace scree::clump {

/// The share of one corner in a tetrahedron or facet of unit density, about that corner.
///
/// A corner owns the points whose largest barycentric coordinate is its own: a quarter of a
/// tetrahedron (six of the 24 pieces that corners, edge middles, face centroids and the centroid
/// span), a third of a facet, which is a prism of its thickness. The shares of all corners, moved
/// to a common origin, add up to the element.
/// @throws GeometryError for a shape without corners
mass::Moments cornerMoments(const PackMember& element, std::size_t corner);

/// Mass and inertia collected at one node.
struct LumpedNode {
  std::int64_t id = 0;              ///< of the first particle that has the node
  Vec3 position = Vec3::Zero();     ///< [L]
  double mass = 0.0;                ///< [M] 0 where only facets without thickness meet
  Vec3 firstMoment = Vec3::Zero();  ///< [M L] about the node: the mass is not centred there
  Mat3 inertia = Mat3::Zero();      ///< [M L²] about the node, axes of the pack
  mass::PrincipalFrame principal;   ///< of that tensor
  std::size_t shapes = 0;           ///< that share the node
};

struct LumpOptions {
  double density = 1.0;  ///< [M/L³] of particles that carry none
  /// Corners at the same coordinates are one node within a particle, or within the whole pack.
  enum class Share { particle, pack } share = Share::particle;
};

/// Mass and inertia of all shapes lumped to nodes, in the order in which nodes appear. Facets and
/// tetrahedra give each corner its share; the node of any other shape is its centre.
///
/// A node takes the principal axes of its tensor as its orientation. A capsule or ellipsoid that
/// shares its node forbids that unless it is alone with shapes that leave its own axes principal.
/// @throws GeometryError naming particle and node where a shape forbids the turn, and for rounded
/// tetrahedra, whose rounding belongs to no corner
/// Source: the lumping of Woo (woo.dem.Shape.lumpMassInertia), with a quarter of the volume a
/// corner, where Woo counts 3/16.
std::vector<LumpedNode> lumpedNodes(const ShapePack& pack, const LumpOptions& options = {});

}  // namespace scree::clump

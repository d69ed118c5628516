// SPDX-License-Identifier: GPL-3.0-or-later
// Contact points of two bodies that count for a packing at rest.
#pragma once

#include "contact/kinematics.hpp"
#include "model/contacts.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::sim {

/// Weights that make the force between two bodies a continuous function of where they stand.
///
/// The contact geometry of runs finds every pair of sub-elements that is near, and neighbouring
/// ones at once. A vertex over a face, close to its side, is also near the edge of that side. When
/// the vertex crosses the side one of the two contacts ends suddenly, and a packing cannot come to
/// balance there. Each vertex therefore counts against the nearest feature of the other body alone:
/// the face, edge or vertex whose Voronoi region it stands in. So the sum of the vertices is a
/// smooth function. Two edges count less where the feet of their common perpendicular come near the
/// end of an edge, where a vertex contact replaces theirs.
class ContactRegions {
 public:
  explicit ContactRegions(const ShapeGeometry& geometry);

  /// Whether a point at direction `n` [unit, body frame] of an edge or vertex is nearest to it.
  bool ofEdge(std::uint32_t edge, const Vec3& n) const;
  bool ofVertex(std::uint32_t vertex, const Vec3& n) const;

 private:
  std::span<const Vec3> of(const std::vector<std::uint32_t>& starts, const std::vector<Vec3>& all,
                           std::uint32_t k) const {
    return {all.data() + starts[k], starts[k + 1] - starts[k]};
  }
  std::vector<std::uint32_t> edgeStart_, vertexStart_;
  std::vector<Vec3> outOfFace_;   ///< of each edge: in the plane of each face beside it, out of it
  std::vector<Vec3> alongEdges_;  ///< of each vertex: along its edges, away from it
};

/// Weight of a contact of bodies i and j, 0 to 2 [-]. It is above 0 for the nearest sub-elements of
/// two bodies.
/// @param branch  [L] centre of i minus centre of j
double contactWeight(const Candidate& candidate, const BodyPose& i, const ContactRegions& ofI,
                     const BodyPose& j, const ContactRegions& ofJ, const Vec3& branch,
                     const Touch& touch);

}  // namespace scree::sim

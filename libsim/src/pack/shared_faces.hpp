// SPDX-License-Identifier: GPL-3.0-or-later
// Faces of two bodies against each other, in their plane.
#pragma once

#include "scree/sim/model/contact_key.hpp"
#include "scree/sim/pack/cell_bodies.hpp"

#include <optional>
#include <vector>

namespace scree::sim {

using Polygon2 = std::vector<Vec2>;

/// Coordinates in a plane across a normal.
class FacePlane {
 public:
  explicit FacePlane(const Vec3& normal);
  Vec2 flat(const Vec3& x) const { return {u_.dot(x), v_.dot(x)}; }

 private:
  Vec3 u_, v_;
};

/// A face of a body in the plane of a shared one.
struct BodyFace {
  /// @param points  [L] places of the vertices of the shape
  BodyFace(const shape::Shape& shape, std::uint32_t number, const std::vector<Vec3>& points,
           const FacePlane& plane, const Vec3& shift);
  std::uint32_t face;                     ///< of the shape
  std::vector<std::uint32_t> corners;     ///< vertices of the shape
  Polygon2 flat;                          ///< their places, counter-clockwise
  const std::vector<shape::Edge>* edges;  ///< of the shape, sorted
  /// The edge of the shape between two corners.
  std::uint32_t edge(std::size_t from, std::size_t to) const;
};

/// A place where two faces can be bonded, and the sub-elements of both that meet there.
struct BondPoint {
  Pairing pairing = Pairing::vertexFace;
  std::uint32_t iSub = 0, jSub = 0;
  Vec2 at = Vec2::Zero();
};
struct BondPoints {
  std::vector<BondPoint> points;  ///< empty: there are no three that are not on a line
  bool swapped = false;           ///< j is the first body
};
/// Bonds of two faces, where they are spread more widely: with the vertices of i, or those of j.
/// @param area  [L²] that the faces share
/// @param swapped  which of both, where that is settled
BondPoints bondPoints(const BodyFace& i, const BodyFace& j, double area,
                      std::optional<bool> swapped = {});

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scree::shape {

/// Polygons of any number of corners in two flat arrays; a corner is the index of a vertex.
class Polygons {
 public:
  std::size_t size() const noexcept { return start_.size() - 1; }
  bool empty() const noexcept { return start_.size() == 1; }
  /// Number of corners of all polygons together.
  std::size_t cornerCount() const noexcept { return corner_.size(); }

  std::span<const std::uint32_t> operator[](std::size_t f) const {
    return {corner_.data() + start_[f], corner_.data() + start_[f + 1]};
  }
  std::span<std::uint32_t> operator[](std::size_t f) {
    return {corner_.data() + start_[f], corner_.data() + start_[f + 1]};
  }
  void add(std::span<const std::uint32_t> corners) {
    corner_.insert(corner_.end(), corners.begin(), corners.end());
    start_.push_back(corner_.size());
  }
  void add(std::initializer_list<std::uint32_t> corners) {
    add(std::span<const std::uint32_t>(corners.begin(), corners.size()));
  }
  bool operator==(const Polygons&) const = default;

 private:
  std::vector<std::size_t> start_{0};
  std::vector<std::uint32_t> corner_;
};

using Edge = std::array<std::uint32_t, 2>;

/// Oriented box.
struct Obb {
  Vec3 extent = Vec3::Zero();    ///< [L] half side lengths along `axes`, rounding included
  Vec3 centre = Vec3::Zero();    ///< [L] in the frame of the shape
  Mat3 axes = Mat3::Identity();  ///< unit vectors e1, e2, e3 as columns
  double volume() const { return 8.0 * extent.prod(); }
};

/// A sphero-polyhedron: all points within `radius` of a skeleton of vertices, edges and faces, and,
/// unless `isSurface`, of the interior that closed faces bound. Members hold the values of a
/// shape-file unchanged.
///
/// Where `preCompDone`, the vertices stand in the body frame: the origin is the centre of mass and
/// the axes are principal. A point p of the body frame is `position + orientation * p` in the frame
/// that the shape was modelled or scanned in.
///
/// A clump is a shape of vertices alone with a radius for each: the union of balls.
struct Shape {
  std::string name;
  double radius = 0.0;  ///< [L] Minkowski radius of the rounding, >= 0; the largest of any `radii`
  std::vector<double> radii;  ///< [L] of a clump: one per vertex, positive. Empty: all are `radius`
  bool preCompDone = false;
  bool isSurface = false;  ///< the faces bound no volume: a terrain, a wall

  std::vector<Vec3> vertices;  ///< [L] centres of the rounding balls
  std::vector<Edge> edges;
  Polygons faces;            ///< no winding is implied
  double uncertainty = 0.0;  ///< [L] rounding error of vertices at which faces of a mesh crossed

  double volume = 0.0;                 ///< [L³]
  Vec3 inertiaPerMass = Vec3::Zero();  ///< [L²] principal moments over mass
  Obb obb;
  bool obbGiven = false;  ///< whether the file had any `obb.` line
  bool ofBody = false;    ///< volume, inertia and frame are of a body for which the balls stand
  Vec3 position = Vec3::Zero();         ///< [L] centre of mass in the original frame
  Quat orientation = Quat::Identity();  ///< body frame -> original frame

  double radiusAt(std::size_t vertex) const { return radii.empty() ? radius : radii[vertex]; }
  double leastRadius() const {
    return radii.empty() ? radius : *std::min_element(radii.begin(), radii.end());
  }

  // Kept for other programs. Scree uses only `monteCarloSteps`, for --method montecarlo.
  int obbTreeLevel = 0;
  int monteCarloSteps = 10000;
  int obbOption = 2;
};

/// Whether a shape has vertices alone: a ball, or a union of balls.
inline bool isOfBalls(const Shape& s) { return s.edges.empty() && s.faces.empty(); }

/// Clause that says why `name` cannot name a shape in a file; empty if it can. A name is one word
/// that does not begin with '#', '/' or '!', as comments do, and is not '<' or '>'.
std::string nameProblem(std::string_view name);

/// The shape of this name, or null.
const Shape* findShape(const std::vector<Shape>& shapes, std::string_view name);

}  // namespace scree::shape

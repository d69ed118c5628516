// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/rng.hpp"
#include "scree/clump/solid_distance.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/sim/pack/packing.hpp"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace scree::sim {

/// Puts all bodies into a closed box of six driven walls, `margin` [L] away from them. The walls
/// are rounded plates of three new shapes, WallX WallY WallZ, of group 0 and cluster 0. They become
/// the bodies 0 to 5 in the order low x, high x, low y, high y, low z, high z. Plates meet edge to
/// edge, so the box has no slit. Each side is as thick as a quarter of the mean free body.
/// @throws ModelError without bodies, or if the margin is negative
void addWalls(Packing& packing, double margin);

/// The space that a packing fills. Lengths in [L].
///
///     `box:LX,LY,LZ`        From the origin to (LX, LY, LZ), six flat walls.
///     `periodic:LX,LY,LZ`   The same cell, repeated along each axis; no walls.
///     `cylinder:R,H`        About the y axis, from y = 0 to H, flat ends.
///     `drum:R,L`            About the z axis, from z = 0 to L, flat ends.
///     `sphere:R`            About the origin.
///     `hopper:R,r,ANGLE,H`  About the y axis: outlet of radius r at y = 0, a cone with ANGLE
///                           degrees from the vertical. A bin of radius R reaches up to y = H.
///                           Outlet and top are closed.
///     `mesh:FILE`           Inside a closed mesh (STL, OBJ, PLY, OFF), in its coordinates.
class Container {
 public:
  enum class Kind { box, periodic, cylinder, drum, sphere, hopper, mesh };

  /// Reads a container as the command line gives it.
  /// @throws UsageError for an unknown kind, a wrong count of numbers, numbers out of range, an
  /// open mesh; IoError, ParseError as the mesh reader
  static Container parse(const std::string& text);

  Kind kind() const { return kind_; }
  const std::string& text() const { return text_; }  ///< as it was given
  bool periodic() const { return kind_ == Kind::periodic; }
  bool convex() const { return kind_ != Kind::mesh; }
  double volume() const { return volume_; }        ///< [L³]
  const shape::Aabb& box() const { return box_; }  ///< smallest around it, along the axes
  /// [L] distance of a point from the wall, above 0 inside; infinite in a periodic cell. Exact
  /// inside; outside, where several walls meet, a lower bound on the distance (in absolute value).
  double depth(const Vec3& x) const;
  /// The smooth parts of the wall of a convex container; none in a periodic cell.
  const std::vector<Boundary>& walls() const { return walls_; }
  /// Axes along which the walls, or the periodic cell, can press.
  /// @throws UsageError where there is none
  std::array<bool, 3> pressedAxes() const;
  /// The mesh of that kind, else null.
  const shape::SurfaceMesh* mesh() const { return mesh_.get(); }
  /// Uniform in the volume; draws as many numbers as it takes.
  Vec3 randomPoint(Rng& rng) const;
  /// Whether the rounded vertices of a body are inside. In a convex container so is all of the
  /// body, since the depth is a concave function there. In a mesh, its wall must be tested too.
  bool holds(const shape::Shape& shape, const PlacedBody& body) const;

  /// Adds the walls to a packing. Flat ones become driven bodies in front of the others (group 0,
  /// cluster 0), round ones exact boundaries, and a periodic cell `cell`. The cone of a hopper ends
  /// at its outlet, which a plate closes. The faces of a mesh are one driven body, rounded by a
  /// hundredth of the mean size of the bodies.
  void addWalls(Packing& packing) const;
  /// Returns `shapes` and, for a mesh, the shape of its wall, whose body goes before `bodies`.
  std::vector<shape::Shape> withMeshWall(const std::vector<shape::Shape>& shapes,
                                         std::vector<PlacedBody>& bodies) const;

 private:
  void readMesh(const std::string& file);

  Kind kind_ = Kind::box;
  std::string text_;
  double volume_ = 0.0;
  shape::Aabb box_;
  std::vector<Boundary> walls_;
  std::shared_ptr<const shape::SurfaceMesh> mesh_;
  std::shared_ptr<const clump::SolidDistance> solid_;  ///< inside of the mesh
};

}  // namespace scree::sim

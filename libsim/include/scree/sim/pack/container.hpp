// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/rng.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/sim/pack/arrangement.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace scree::sim {

/// The space that a packing fills. Lengths in [L].
///
///     box:LX,LY,LZ        from the origin to (LX, LY, LZ), six flat walls
///     periodic:LX,LY,LZ   the same cell, repeated along each axis; no walls
///     cylinder:R,H        about the y axis, from y = 0 to H, flat ends
///     drum:R,L            about the z axis, from z = 0 to L, flat ends
///     sphere:R            about the origin
///     hopper:R,r,ANGLE,H  about the y axis: outlet of radius r at y = 0, a cone with ANGLE degrees
///                         from the vertical, a bin of radius R up to y = H; outlet and top closed
///     mesh:FILE           inside a closed mesh (STL, OBJ, PLY, OFF), in its coordinates
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
  /// One smooth part of the wall as a point sees it.
  struct Wall {
    double depth;  ///< [L] distance, above 0 inside
    Vec3 inwards;  ///< unit normal
  };
  /// The parts of the wall of a convex container. @returns how many; none in a periodic cell
  int wallsAt(const Vec3& x, std::array<Wall, 6>& walls) const;
  /// Uniform in the volume; draws as many numbers as it takes.
  Vec3 randomPoint(Rng& rng) const;
  /// Whether the rounded vertices of a body are inside. In a convex container so is all of the
  /// body, since the depth is a concave function there; in a mesh, its wall has to be tested too.
  bool holds(const shape::Shape& shape, const PlacedBody& body) const;

  /// Adds the walls to a packing: flat ones as driven bodies in front of the others (group 0,
  /// cluster 0), round ones as exact boundaries, a periodic cell as `cell`. The cone of a hopper
  /// ends at its outlet, which a plate closes; the faces of a mesh are one driven body, rounded by
  /// a hundredth of the mean size of the bodies.
  void addWalls(Arrangement& arrangement) const;

 private:
  bool insideMesh(const Vec3& x) const;

  Kind kind_ = Kind::box;
  std::string text_;
  Vec3 size_ = Vec3::Zero();                                         ///< of box and cell
  double radius_ = 0.0, outlet_ = 0.0, slope_ = 0.0, height_ = 0.0;  ///< slope: tan of the angle
  double angle_ = 0.0;                                               ///< [degrees]
  double volume_ = 0.0;
  shape::Aabb box_;
  std::shared_ptr<const shape::SurfaceMesh> mesh_;
  std::shared_ptr<const shape::SurfaceDistance> distance_;
};

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of space that measures refer to, and what they hold of bodies.
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace scree::sim {

class Instant;

/// The space that the bodies fill.
struct Domain {
  enum class Kind { cell, walls, hull };
  Kind kind = Kind::hull;
  double volume = 0.0;                           ///< [L³]
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< [L] box around it, or its sides
};

std::string_view nameOf(Domain::Kind kind);  ///< "cell", "walls", "hull"

/// The inner side of a driven body that is a flat wall square to an axis.
struct WallFace {
  BodyId body = 0;
  int axis = 0;           ///< 0, 1, 2: x, y, z
  int side = 1;           ///< 1: the wall stands on the high side, -1: on the low side
  double position = 0.0;  ///< [L] along the axis
};
/// The innermost flat wall of each side that has one, by axis, low side first; see wallDomain.
std::vector<WallFace> wallFaces(const Instant& instant);

/// The periodic cell; nothing where there is none.
std::optional<Domain> cellDomain(const Instant& instant);

/// Space that walls enclose: six flat faces of driven bodies square to the axes, or a ball without
/// such faces. Also a cylinder along x, y or z with two such faces across its axis; not a cone. A
/// face is the inner side of a driven body that lies wholly beyond the middle of the free bodies.
/// It has three vertices or more in one plane (1e-9 of its size) around the middle. Where these
/// leave a side open, plates of any direction count: driven shapes with one face, alone or across
/// the axis of a cylinder. Nothing where a side is still open. Needs shapes.
std::optional<Domain> wallDomain(const Instant& instant);

/// The convex hull of all free bodies, rounding included. Exact where all have one rounding radius.
/// Else the hull of 2000 support points, which is smaller by less than 0.5 % for balls. NaN without
/// shapes. O(vertices log vertices), else 2000 times the number of bodies.
Domain hullDomain(const Instant& instant);

/// A part of space to measure in: a box along the axes, a cylinder, a ball.
struct Region {
  enum class Kind { box, cylinder, sphere };
  Kind kind = Kind::box;
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< [L] of a box
  Vec3 centre = Vec3::Zero();                    ///< [L] of a sphere; of a cylinder's low end
  Vec3 axis = Vec3::UnitZ();                     ///< unit, of a cylinder
  double length = 0.0, radius = 0.0;             ///< [L]

  double volume() const;  ///< [L³]
  bool contains(const Vec3& point) const;
  /// Whether a ball lies wholly inside (1), wholly outside (-1), or neither or not surely (0).
  int side(const Vec3& centreOfBall, double radiusOfBall) const;
};

/// `box:x,y,z,X,Y,Z` (two corners), `sphere:x,y,z,R` or `cylinder:x,y,z,X,Y,Z,R` (the centres of
/// both ends). @throws UsageError that names what was expected
Region parseRegion(std::string_view text);

/// [L³] of a ball inside a region, to 1e-12 of the ball's volume. A closed form for a sphere; for a
/// box and a cylinder, the integral of the exact areas of slices.
double ballInside(const Region& region, const Vec3& centre, double radius);

/// [L³] that two balls share, `distance` between their centres.
double sharedByBalls(double radius1, double radius2, double distance);

/// [L²] of a disc of this radius about the origin with x <= a and y <= b.
double discBelow(double radius, double a, double b);
/// [L²] that two discs share.
double sharedByDiscs(double radius1, double radius2, double distance);

/// A shape as a set of points: within its radius of vertices, edges and faces, and, where these
/// bound a volume, inside. For questions that other programs answer by sampling.
class SolidShape {
 public:
  explicit SolidShape(const shape::Shape& shape);

  bool isBall() const { return shape_.vertices.size() == 1; }
  double boundingRadius() const {
    return boundingRadius_;
  }  ///< [L] of the farthest point from the origin
  /// Whether a point of the body frame (of homothety 1) belongs to it. O(faces).
  bool contains(const Vec3& point) const;
  /// Points of the Sobol sequence in its box that it contains, in the body frame: those of the
  /// first `tries`.
  std::vector<Vec3> samples(std::size_t tries) const;

  /// Whether placed() has a hull: sharp convex shapes alone, which are cut exactly.
  bool cutsExactly() const { return convex_ && shape_.radius == 0.0 && hull_.rank == 3; }
  /// Its corners and faces at a place in space.
  shape::ConvexHull placed(const Vec3& pos, const Quat& q, double homothety) const;

 private:
  const shape::Shape& shape_;
  shape::ConvexHull hull_;
  bool convex_ = false, closed_ = false;
  shape::Polygons faces_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;  ///< of faces_
  Vec3 low_ = Vec3::Zero(), high_ = Vec3::Zero();        ///< [L] its box
  double boundingRadius_ = 0.0;
};

/// The points that two convex polyhedra of rank 3 share; of rank below 3 where these have no
/// volume.
shape::ConvexHull sharedBy(const shape::ConvexHull& a, const shape::ConvexHull& b);
/// [L³] of a convex polyhedron of rank 3 inside a region: exact in a box, to about 1e-13 in a
/// sphere or a cylinder.
double polyhedronIn(const Region& region, const shape::ConvexHull& hull);

/// A shape at a place in space.
struct PlacedShape {
  const shape::Shape* shape = nullptr;
  Vec3 pos = Vec3::Zero();
  Quat q = Quat::Identity();
  double homothety = 1.0;

  double cubed() const { return homothety * homothety * homothety; }
};

/// [L³] a volume that differs from the true one by `bound` at most.
struct BoundedVolume {
  double volume = 0.0, bound = 0.0;
  bool limited = false;  ///< the limit of work came before the tolerance
};

/// Volume that a region holds of bodies of any shape, overlaps once, with a proven bound.
///
/// A box is searched as mass::certifiedVolume does. For a sphere or a cylinder R the box around it
/// is searched, with and without the region filled: A∩R = A + R - A∪R. Same bits on any number of
/// threads.
/// @param tolerance  wanted share of the volume of the region, above 0
BoundedVolume unionIn(const Region& region, const std::vector<PlacedShape>& bodies,
                      double tolerance, int threads);
/// As unionIn() in the cell with these vectors as columns; `bodies` with all images that
/// reach it.
BoundedVolume unionInCell(const Mat3& vectors, const std::vector<PlacedShape>& bodies,
                          double tolerance, int threads);

/// The volume of the union of whole bodies: of each by its shape, less what pairs of them share.
///
/// Each shape is measured once. A pair is searched in a box along the direction in which it
/// overlaps least. Where three boxes meet, the bodies may share something, which counts as an
/// error: bodies that overlap little are measured fast, others end as `limited`. In a periodic cell
/// `images` are those that may touch `bodies`; else it is empty. O(n log n) for n bodies with few
/// neighbours.
/// @param bound  [L³] wanted
BoundedVolume unionByPairs(const std::vector<PlacedShape>& bodies,
                           const std::vector<PlacedShape>& images, double bound);

/// A region without the one inside it, where there is one; without a region, all of space.
struct Space {
  std::optional<Region> region, hole;

  double volume() const { return region->volume() - (hole ? hole->volume() : 0.0); }
  /// [L³] of a convex polyhedron of rank 3 in it.
  double holds(const shape::ConvexHull& hull) const;
};
/// Volume that pairs of bodies share inside a space, for balls and for sharp convex bodies: closed
/// forms. The bound covers what three bodies may share, and lenses that a border cuts. Nothing
/// where a pair that may overlap has no closed form. `bodies` and `images` as for unionByPairs.
std::optional<BoundedVolume> sharedByPairs(const std::vector<PlacedShape>& bodies,
                                           const std::vector<PlacedShape>& images,
                                           const Space& space);

}  // namespace scree::sim

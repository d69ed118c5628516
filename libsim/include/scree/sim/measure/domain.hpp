// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of space that measures refer to, and what they hold of bodies.
#pragma once

#include "scree/base/math.hpp"
#include "scree/mass/certified.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::sim {

class Instant;

/// [L] Exact box of a body, rounding included.
shape::Aabb boundingBox(const shape::Shape& shape, const Vec3& pos, const Quat& q,
                        double homothety);
/// [L] Farthest point of a shape from its origin, or from another point, rounding included.
double boundingRadius(const shape::Shape& shape, const Vec3& about = Vec3::Zero());

/// Points x with normal·x <= offset.
struct HalfSpace {
  Vec3 normal = Vec3::UnitZ();  ///< unit
  double offset = 0.0;          ///< [L]

  double over(const Vec3& x) const { return normal.dot(x) - offset; }  ///< [L] beyond the plane
};

/// A sphere, or a cylinder without ends.
struct Round {
  bool isSphere = false;
  Vec3 centre = Vec3::Zero();  ///< [L] of a cylinder: a point of its axis
  Vec3 axis = Vec3::UnitZ();   ///< unit, of a cylinder
  double radius = 0.0;         ///< [L]

  double over(const Vec3& x) const {  ///< [L] beyond the surface
    const Vec3 d = x - centre;
    return (isSphere ? d : Vec3(d - d.dot(axis) * axis)).norm() - radius;
  }
};

/// A convex part of space: what half-spaces have in common, inside a round surface where there is
/// one. It may be open, as a slice is.
struct Region {
  std::vector<HalfSpace> planes;
  std::optional<Round> round;
  shape::ConvexHull hull;  ///< what the planes enclose, of rank 3; of rank 0 where this is open
  Vec3 low = Vec3::Constant(-HUGE_VAL), high = Vec3::Constant(HUGE_VAL);  ///< [L] box around it
  double volume = std::nan("");  ///< [L³] nan where it is open

  bool contains(const Vec3& point) const;
  /// Whether a ball lies wholly inside (1), wholly outside (-1), or neither or not surely (0).
  int side(const Vec3& centreOfBall, double radiusOfBall) const;
  /// [L] from one end to the other along the axis of its cylinder, where all planes are square to
  /// the axis or do not cut the cylinder; nothing else.
  std::optional<std::pair<double, double>> squareEnds() const;
  /// [L³] between two planes across the unit vector n, at `from` and `to` along it. To 1e-12 of the
  /// whole; nan where the region is open.
  double between(const Vec3& n, double from, double to) const;
  /// [L³] inside a cylinder. Nan where the region is open, or round about another axis.
  double inCylinder(const Round& cylinder) const;
};
/// Rows: two unit vectors across `axis`, and the axis.
Mat3 frameAlong(const Vec3& axis);
Region boxRegion(const Vec3& low, const Vec3& high);
/// The parallelepiped with these vectors as columns.
Region cellRegion(const Mat3& vectors, const Vec3& corner = Vec3::Zero());
/// Space that planes and a round surface enclose around `inside`; nothing where a side is open,
/// or `inside` lies outside.
std::optional<Region> enclosed(std::vector<HalfSpace> planes, const std::optional<Round>& round,
                               const Vec3& inside);

/// `box:x,y,z,X,Y,Z`, two corners. @throws UsageError that names what was expected
Region parseRegion(std::string_view text);

/// Calls f(shift) for each vector of a periodic cell that may bring a ball into the box from low to
/// high; without a cell for 0 alone.
void forEachImage(const PeriodicCell& cell, const Vec3& centre, double radius, const Vec3& low,
                  const Vec3& high, const std::function<void(const Vec3&)>& f);

/// The lattice of a periodic cell by its shortest vectors, whatever vectors the file names it by.
class Lattice {
 public:
  explicit Lattice(const Mat3& vectors);

  /// [L] columns: three shortest vectors that span it (reduced after Minkowski).
  const Mat3& vectors() const { return vectors_; }
  /// [L] the vector of the lattice that is nearest to d, so that d less it is the shortest image.
  Vec3 nearest(const Vec3& d) const;

 private:
  Mat3 vectors_, inverse_;
};

/// The inner side of a driven body, or of a plane boundary.
struct WallSide {
  static constexpr BodyId plane = UINT32_MAX;
  BodyId body = 0;             ///< `plane`: a boundary
  std::uint32_t face = 0;      ///< of the shape of the body, or the number of the boundary
  HalfSpace space;             ///< that it leaves to the others, which ends at the rounded surface
  bool covers = true;          ///< the middle of the free bodies lies over the face itself
  double area = std::nan("");  ///< [L²] that borders on the domain; nan where it is not known
};

/// The space that the bodies fill: the periodic cell, or what plane boundaries leave of it; the
/// space that walls enclose; or the convex hull of the free bodies. Cell and walls are cut exactly
/// (Region); of a hull, which is open as a region, the volume and the box are known.
struct Domain : Region {
  enum class Kind { cell, walls, hull };
  Kind kind = Kind::hull;
  bool isGiven = false;         ///< the volume is a number that the user gave
  Mat3 vectors = Mat3::Zero();  ///< [L] of a cell, columns
  Mat3 edges = Mat3::Zero();    ///< [L] of what planes leave of a cell, columns
  Vec3 corner = Vec3::Zero();   ///< [L] where these edges begin
  Mat3 carried = Mat3::Zero();  ///< [L] these edges, not flipped in the run
  std::vector<WallSide> sides;  ///< of walls, those that border on it
};

constexpr std::string_view nameOf(Domain::Kind kind) {
  constexpr std::array<std::string_view, 3> names{"cell", "walls", "hull"};
  return names[static_cast<std::size_t>(kind)];
}

/// The gradient F of the homogeneous deformation from one state of a sample to another: x -> F x.
///
/// A cell is compared by its vectors, without the flips of the run (PeriodicCell::flips). For walls
/// it is the affine map that takes the plane of each wall to that of the same wall, by least
/// squares: exact for prisms that lean or turn. Of a cylinder or a ball it follows from lengths and
/// radii. Nan where the walls of the two differ, or no affine map joins them.
Mat3 deformationGradient(const Domain& before, const Domain& now);

/// Slices of a domain along x, y or z, of equal width.
///
/// In walls and hulls they lie between planes square to the axis. In a periodic cell they lie
/// between planes of the lattice, those nearest to square, so that slices repeat with the lattice;
/// their places are those where the planes meet the axis. Along the normal of a plane boundary they
/// begin and end with the domain.
class Slices {
 public:
  Slices(const Domain& domain, int axis, std::int64_t count);

  std::size_t count() const { return count_; }
  double low(std::size_t b) const { return low_ + width_ * static_cast<double>(b); }  ///< [L]
  double high(std::size_t b) const { return low(b + 1); }
  /// [L³] of the domain; in a cell as much as the slice holds of one image. Nan in a hull.
  double volume(std::size_t b) const;
  Region region(std::size_t b) const;  ///< without sides
  /// Number of the slice of a point, of whatever image of it; nothing where it is in none.
  std::optional<std::size_t> at(const Vec3& x) const;
  /// Calls f(slice, shift) for each slice that a ball reaches, and each image of it. `shift` counts
  /// `step`, the vector of the cell from one image to the next.
  void reached(const Vec3& centre, double radius,
               const std::function<void(std::size_t, int)>& f) const;
  const Vec3& step() const { return step_; }

 private:
  double place(const Vec3& x) const { return normal_.dot(x) * stretch_; }
  const Domain& domain_;
  std::size_t count_;
  double low_ = 0.0, width_ = 0.0;
  Vec3 normal_ = Vec3::Zero(), step_ = Vec3::Zero();
  double stretch_ = 1.0;  ///< from distances along the normal to places on the axis
  double period_ = 0.0;   ///< [L] along the axis; 0: none
};

/// Number of the axis that a unit vector is parallel to, up to rounding; -1: to none.
int axisOf(const Vec3& n);

/// The inner sides of driven bodies, as wallDomain() counts them.
/// @param inside  empty: the mean position of the free bodies
std::vector<WallSide> wallSides(const Instant& instant, const std::optional<Vec3>& inside = {});

/// The inner side of a driven body that is a flat wall square to an axis.
struct WallFace {
  BodyId body = 0;
  int axis = 0;           ///< 0, 1, 2: x, y, z
  int side = 1;           ///< 1: the wall stands on the high side, -1: on the low side
  double position = 0.0;  ///< [L] along the axis
};
/// The innermost flat wall of each side that has one, by axis, low side first.
std::vector<WallFace> wallFaces(const Instant& instant);

/// The periodic cell, between the plane boundaries in it; nothing where there is no cell, or a
/// plane is not parallel to two vectors of it.
std::optional<Domain> cellDomain(const Instant& instant);

/// Convex space that driven bodies and plane boundaries leave to the free bodies, inside a ball or
/// a cylinder where there is one; not in a cone. A driven body counts with each face that it lies
/// wholly behind, as seen from the mean position of the free bodies, and that stands over this
/// position, with at most a twentieth of them behind; a plate, a shape of one face, need not stand
/// over it. The space ends at the rounded surfaces. Nothing where a side is open. Needs shapes.
std::optional<Domain> wallDomain(const Instant& instant);

/// The convex hull of all free bodies, rounding included. Exact where all have one rounding radius.
/// Else the hull of 2000 support points, which is smaller by less than 0.5 % for balls. NaN without
/// shapes. O(vertices log vertices), else 2000 times the number of bodies.
Domain hullDomain(const Instant& instant);

/// [L³] of a ball inside a region, to 1e-12 of the ball's volume. Nan where a sphere and a plane,
/// or a cylinder and an oblique plane, cut the ball both.
double ballInside(const Region& region, const Vec3& centre, double radius);

/// [L³] that two balls share, `distance` between their centres.
double sharedByBalls(double radius1, double radius2, double distance);

/// [L²] that two discs share.
double sharedByDiscs(double radius1, double radius2, double distance);

/// A shape as a set of points: within its radius of its skeleton and, where closed, inside.
class SolidShape {
 public:
  explicit SolidShape(const shape::Shape& shape);

  const shape::Shape& shape() const { return shape_; }
  bool isBall() const { return shape_.vertices.size() == 1; }
  /// [L] of the farthest point from the origin
  double boundingRadius() const { return boundingRadius_; }
  /// Its pieces, in the body frame at homothety 1.
  const mass::CertifiedBody& pieces() const { return body_; }
  /// Normals of the faces of the hull of its vertices, in the body frame.
  const std::vector<Vec3>& normals() const { return hull_.normals; }
  /// Points of the Sobol sequence in its box that belong to it, in the body frame: those of the
  /// first `tries`. O(tries * faces).
  std::vector<Vec3> samples(std::size_t tries) const;
  /// Whether it is sharp and convex: its hull, which is cut exactly.
  bool isSharp() const { return sharp_; }

 private:
  friend struct PlacedShape;
  const shape::Shape& shape_;
  shape::ConvexHull hull_;  ///< of the vertices
  bool sharp_ = false;
  mass::CertifiedBody body_;
  double boundingRadius_ = 0.0;
};

/// The points that two convex polyhedra of rank 3 share; of lower rank if they have no volume.
shape::ConvexHull sharedBy(const shape::ConvexHull& a, const shape::ConvexHull& b);
/// [L³] of a convex polyhedron of rank 3 inside a region: exact between planes, else to 1e-13.
double polyhedronIn(const Region& region, const shape::ConvexHull& hull);

struct PlacedShape {
  const SolidShape* solid = nullptr;
  Vec3 pos = Vec3::Zero();
  Quat q = Quat::Identity();
  double homothety = 1.0;

  double cubed() const { return homothety * homothety * homothety; }
  bool isBall() const { return solid->isBall(); }
  Vec3 place(const Vec3& own) const { return pos + rotated(q, homothety * own); }
  Vec3 centre() const { return isBall() ? place(solid->shape().vertices[0]) : pos; }
  /// [L] of a ball its radius, else the farthest point from its centre.
  double reach() const {
    return homothety * (isBall() ? solid->shape().radius : solid->boundingRadius());
  }
  shape::ConvexHull hull() const;  ///< of a sharp convex shape
  /// [L³] inside a region, of balls and sharp convex shapes; nan for others.
  double inside(const Region& region) const;
};

/// The volume of a union of bodies. [L³]
struct UnionVolume {
  double volume = 0.0;
  double bound = 0.0;  ///< differs from the true one by this at most
  double sum = 0.0;    ///< of the volumes of the bodies, what they share as often as it occurs
};

/// Volume that a box along the axes holds of bodies of any shape, with a proven bound: by one
/// search, as mass::certifiedVolume does.
/// @param bodies  of a periodic cell, with all images that reach the box
/// @param bound   [L³] wanted, above 0
UnionVolume unionIn(const Region& box, const std::vector<PlacedShape>& bodies, double bound);

/// Volume of the union of bodies, whole or inside a box: of each, less what pairs share.
///
/// Volumes and overlaps of balls and sharp convex bodies are exact. Other shapes are measured once,
/// and their overlap is searched in a box along the direction in which they overlap least. The
/// smallest overlaps count by half, within the bound. Where three boxes meet, the bodies may share
/// something, which counts as an error. In a periodic cell `images` are those that may touch
/// `bodies`; else it is empty. O(n log n) for n bodies with few neighbours.
/// @param bound  [L³] wanted; the result may have a larger one
UnionVolume unionByPairs(const std::vector<PlacedShape>& bodies,
                         const std::vector<PlacedShape>& images, const Region* box, double bound);

}  // namespace scree::sim

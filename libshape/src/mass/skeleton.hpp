// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "detail/polygon_math.hpp"

#include "scree/mass/certified.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <algorithm>
#include <vector>

namespace scree::mass::detail {

constexpr std::uint32_t nothing = UINT32_MAX;

/// The column over a triangle between two planes parallel to it, one radius below and above.
struct Slab {
  Vec3 n;                    ///< unit
  double low, high;          ///< of n·x
  std::array<Vec3, 3> side;  ///< unit, into the column
  std::array<double, 3> at;  ///< offsets of the sides
};
/// A cylinder with flat ends.
struct Tube {
  Vec3 p, t;  ///< one end of the axis; unit vector along it
  double length, radius;
};
struct Ball {
  Vec3 c;
  double radius;
};
struct Ellipsoid {
  Vec3 c;
  Mat3 stretch, toUnit;
  double smallest;  ///< semi-axis

  /// At most the distance of the surface from x, negative inside: convex, with slope at most 1.
  double distance(const Vec3& x, Vec3& slope) const {
    const Vec3 y = toUnit * (x - c);
    const double length = y.norm();
    slope = length > 0.0 ? Vec3(smallest / length * (toUnit.transpose() * y)) : Vec3(Vec3::Zero());
    return smallest * (length - 1.0);
  }
};

/// A convex piece of a skeleton, for distances.
struct Element {
  enum class Kind : std::uint8_t { triangle, segment, point, ellipsoid };
  Kind kind;
  std::uint32_t solid;  ///< which closed surface it bounds, or nothing
  double radius;
  std::array<Vec3, 3> corner;
  std::uint32_t slab = nothing;  ///< or nothing: the triangle has no area
  std::array<std::uint32_t, 3> tube{nothing, nothing, nothing}, ball{nothing, nothing, nothing};
  std::uint32_t ellipsoid = nothing;
};

/// A closed surface: asks whether it winds about a point.
class Solid {
 public:
  Solid() = default;
  explicit Solid(std::vector<std::array<Vec3, 3>> triangles);
  /// Signed crossings along a ray; p must not be on the surface.
  bool contains(const Vec3& p) const;

 private:
  std::vector<std::array<Vec3, 3>> triangles_;
  shape::AabbTree tree_;
};

/// A body, moved and scaled to a size near 1, as elements for distances and as slabs, tubes and
/// balls for cutting.
struct Skeleton {
  Vec3 origin = Vec3::Zero();
  double scale = 1.0;  ///< a power of two: body = origin + scale * skeleton
  std::vector<Slab> slabs;
  std::vector<Tube> tubes;
  std::vector<Ball> balls;
  std::vector<Ellipsoid> ellipsoids;
  std::vector<Element> elements;  ///< those of one solid stand together
  std::vector<Solid> solids;
  shape::Aabb box;  ///< of the rounded body
};
/// @throws GeometryError if there is nothing, or a number that is not finite
Skeleton skeletonOf(const CertifiedBody& body);

/// Result for the skeleton, in the units and the frame of its body.
inline SolidProperties inBodyUnits(const Skeleton& skeleton, SolidProperties unit) {
  const double s = skeleton.scale;
  unit.volume *= s * s * s;
  unit.centre = skeleton.origin + s * unit.centre;
  unit.inertiaPerMass *= s * s;
  return unit;
}

/// Distance of an element's surface from x, negative inside: convex, with slope at most 1. Sets
/// the slope where there is one.
inline double distanceTo(const Skeleton& skeleton, const Element& e, const Vec3& x, Vec3& slope) {
  Vec3 off = Vec3::Zero();
  switch (e.kind) {
    case Element::Kind::point:
      off = x - e.corner[0];
      break;
    case Element::Kind::segment: {
      const Vec3 way = e.corner[1] - e.corner[0], d = x - e.corner[0];
      off = d - std::clamp(d.dot(way) / way.squaredNorm(), 0.0, 1.0) * way;
      break;
    }
    case Element::Kind::triangle:
      off = shape::detail::fromTriangle(e.corner, x).off;
      break;
    case Element::Kind::ellipsoid:
      return skeleton.ellipsoids[e.ellipsoid].distance(x, slope);
  }
  const double distance = off.norm();
  slope = distance > 0.0 ? Vec3(off / distance) : Vec3(Vec3::Zero());
  return distance - e.radius;
}

}  // namespace scree::mass::detail

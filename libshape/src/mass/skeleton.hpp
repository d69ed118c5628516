// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mass/certified.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace scree::mass::detail {

constexpr std::uint32_t nothing = UINT32_MAX;

/// The column over a triangle between two planes parallel to it, one radius below and above.
struct Slab {
  Vec3 n;                    ///< unit
  double low, high;          ///< of n·x
  std::array<Vec3, 3> side;  ///< unit, into the column
  std::array<double, 3> at;  ///< offsets of the sides
  std::array<std::uint32_t, 3> tube{nothing, nothing, nothing}, ball{nothing, nothing, nothing};
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
    case Element::Kind::triangle: {
      // Regions of the closest point after C. Ericson, Real-Time Collision Detection, 5.1.5.
      const Vec3 &a = e.corner[0], &b = e.corner[1], &c = e.corner[2];
      const Vec3 ab = b - a, ac = c - a, ap = x - a;
      const double d1 = ab.dot(ap), d2 = ac.dot(ap);
      if (d1 <= 0.0 && d2 <= 0.0) {
        off = ap;
        break;
      }
      const Vec3 bp = x - b;
      const double d3 = ab.dot(bp), d4 = ac.dot(bp);
      if (d3 >= 0.0 && d4 <= d3) {
        off = bp;
        break;
      }
      const double vc = d1 * d4 - d3 * d2;
      if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        off = ap - d1 / (d1 - d3) * ab;
        break;
      }
      const Vec3 cp = x - c;
      const double d5 = ab.dot(cp), d6 = ac.dot(cp);
      if (d6 >= 0.0 && d5 <= d6) {
        off = cp;
        break;
      }
      const double vb = d5 * d2 - d1 * d6;
      if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        off = ap - d2 / (d2 - d6) * ac;
        break;
      }
      const double va = d3 * d6 - d5 * d4;
      if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        off = bp - (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b);
        break;
      }
      const double sum = va + vb + vc;
      off = ap - vb / sum * ab - vc / sum * ac;
      break;
    }
    case Element::Kind::ellipsoid: {
      const Ellipsoid& ball = skeleton.ellipsoids[e.ellipsoid];
      const Vec3 y = ball.toUnit * (x - ball.c);
      const double length = y.norm();
      slope = length > 0.0 ? Vec3(ball.smallest / length * (ball.toUnit.transpose() * y))
                           : Vec3(Vec3::Zero());
      return ball.smallest * (length - 1.0);
    }
  }
  const double distance = off.norm();
  slope = distance > 0.0 ? Vec3(off / distance) : Vec3(Vec3::Zero());
  return distance - e.radius;
}

}  // namespace scree::mass::detail

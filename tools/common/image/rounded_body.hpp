// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/shape.hpp"

#include <cstdint>
#include <vector>

namespace scree::tools::image {

struct Ray {
  Vec3 origin = Vec3::Zero(), direction = Vec3::UnitX();  ///< direction: unit
};

struct Hit {
  double t = 1e300;  ///< [L] along the ray; 1e300: none
  Vec3 normal = Vec3::Zero();
  double faceSize = 0.0;       ///< [L] root of the area of the face that was hit
  bool edgeNear = false;       ///< on a plane part that has a sharp side
  Vec3 toEdge = Vec3::Zero();  ///< [L] from the point of the skeleton below to the nearest of them
  bool any() const { return t < 1e300; }
};

/// A sphero-polyhedron for rays that come from outside of it: exact, whatever its form. Its parts
/// are the faces moved out by the radius on both sides, capsules around the edges and balls around
/// lone vertices. The first of all their entries is the first point of their union.
class RoundedBody {
 public:
  /// @throws GeometryError as shape::coreOf
  explicit RoundedBody(const shape::Shape& shape);

  const shape::Aabb& box() const { return box_; }
  bool convex() const { return convex_; }
  /// How far the body reaches from the origin along a unit vector. O(n).
  double reach(const Vec3& direction) const;
  /// The first point between t = `from` and `to`. O(log n + parts near the ray).
  Hit first(const Ray& ray, double from = 0.0, double to = 1e300) const;
  bool blocks(const Ray& ray, double from, double to) const;

 private:
  struct Side {
    Vec3 a, b, outward;  ///< outward: unit, in the plane
    bool sharp;
  };
  struct Face {
    Vec3 normal;
    double offset, size;
    std::uint32_t begin, end;  ///< of sides_
    bool convex;
  };
  struct Rod {
    Vec3 a, b;  ///< equal: a ball
    double radius;
  };

  void addFace(const std::vector<Vec3>& corners, const std::vector<char>& sharp);
  double entryOfFace(const Face& face, const Ray& ray) const;
  static double entryOfRod(const Rod& rod, const Ray& ray);
  bool holds(const Face& face, const Vec3& p) const;
  template <class Visit>
  void walk(const Ray& ray, double from, double& to, Visit&& visit) const;

  double r_ = 0.0;
  bool convex_ = false;
  shape::Aabb box_;
  std::vector<Face> faces_;
  std::vector<Side> sides_;
  std::vector<Rod> rods_;
  shape::AabbTree tree_;  ///< of faces_, then rods_
};

}  // namespace scree::tools::image

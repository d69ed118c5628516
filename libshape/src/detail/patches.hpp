// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/rounded_surface.hpp"

#include <span>
#include <vector>

namespace scree::shape::detail {

using Ids = std::vector<std::uint32_t>;

/// The point at fraction s of the way from unit vector a to unit vector b on the sphere.
Vec3 onArc(const Vec3& a, const Vec3& b, double s);

/// Collects the patches of a rounded surface: points with normals, and polygons between them.
class Patches {
 public:
  Patches(double radius, double fineness)
      : radius_(radius), step_(0.5 * pi / std::max(fineness, 1.0)) {}

  void setRadius(double radius) { radius_ = radius; }  ///< of the points that follow
  int segments(double angle) const;                    ///< of an arc, at least 1
  /// The point of the surface above `centre` in direction `normal`.
  std::uint32_t point(const Vec3& centre, const Vec3& normal);
  const Vec3& normal(std::uint32_t id) const { return surface_.normals[id]; }

  /// A polygon; corners that are named twice in a row count once, fewer than three draw nothing.
  void cell(std::span<const std::uint32_t> ids);
  void cell(std::initializer_list<std::uint32_t> ids) { cell({ids.begin(), ids.size()}); }
  /// Quads between two rows of points; the second row lies to the right, seen from outside, where
  /// the rows run downwards.
  void strip(const Ids& left, const Ids& right);
  /// Points from `first` to `last`, both given, along the arc between their normals.
  Ids arc(const Vec3& centre, std::uint32_t first, std::uint32_t last, int segmentCount);
  /// Part of the sphere around `centre` within arcs that follow each other counter-clockwise; the
  /// last point of each is the first of the next.
  void spherePatch(const Vec3& centre, const std::vector<Ids>& arcs);
  /// The same for a convex spherical polygon given by its corners.
  void spherePolygon(const Vec3& centre, const std::vector<Vec3>& corners);

  RoundedSurface take() { return std::move(surface_); }

 private:
  double radius_, step_;
  RoundedSurface surface_;
};

}  // namespace scree::shape::detail

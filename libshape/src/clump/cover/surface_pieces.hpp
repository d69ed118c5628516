// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace scree::clump::detail {

/// A part of the surface of a rounded solid. Halves of it are again such parts, and together they
/// are it exactly.
struct SurfacePiece {
  enum class Kind : std::uint8_t {
    flat,  ///< a triangle, moved outward by the radius
    tube,  ///< around an edge: points p + radius n, p from core[0] to core[1], n from normal[0] to
           ///< normal[1] by at most a right angle
    cap    ///< around the vertex core[0]: a spherical triangle within an octant
  };
  Kind kind = Kind::flat;
  std::array<Vec3, 3> core;    ///< [L] flat: the corners on the surface itself
  std::array<Vec3, 3> normal;  ///< of unit length; flat: the first alone

  std::size_t cornerCount() const { return kind == Kind::tube ? 4 : 3; }
  /// [L] on the surface, in order around the piece.
  Vec3 corner(std::size_t k, double radius) const;
  Vec3 middle(double radius) const;   ///< [L] on the surface
  double reach(double radius) const;  ///< [L] no point of it is farther from its middle
  double area(double radius) const;   ///< [L²]
  /// Calls f(part) for the two or four parts of which it consists.
  template <class F>
  void split(double radius, F&& f) const;
};

/// The surface of a solid, in pieces that come from its faces, edges and vertices one by one.
struct SurfacePieces {
  std::vector<SurfacePiece> pieces;
  bool mayHide = false;   ///< some may lie in the solid, whole or in part: it is not surely convex
  double rounding = 0.0;  ///< [L] of distances from the core
};
/// O(n log n).
SurfacePieces surfacePieces(const SolidDistance& solid);

template <class F>
void SurfacePiece::split(double radius, F&& f) const {
  const auto half = [](const Vec3& a, const Vec3& b) { return Vec3(0.5 * (a + b)); };
  const auto between = [](const Vec3& a, const Vec3& b) { return Vec3((a + b).normalized()); };
  if (kind == Kind::tube) {
    SurfacePiece first = *this, second = *this;
    if ((core[1] - core[0]).norm() > radius * (normal[1] - normal[0]).norm())
      first.core[1] = second.core[0] = half(core[0], core[1]);
    else
      first.normal[1] = second.normal[0] = between(normal[0], normal[1]);
    f(first);
    f(second);
    return;
  }
  const bool flat = kind == Kind::flat;
  const auto& c = flat ? core : normal;
  std::array<Vec3, 3> middles;
  for (std::size_t k = 0; k < 3; ++k)
    middles[k] = flat ? half(c[k], c[(k + 1) % 3]) : between(c[k], c[(k + 1) % 3]);
  for (const auto& corners : {std::array<Vec3, 3>{c[0], middles[0], middles[2]},
                              std::array<Vec3, 3>{middles[0], c[1], middles[1]},
                              std::array<Vec3, 3>{middles[2], middles[1], c[2]},
                              std::array<Vec3, 3>{middles[0], middles[1], middles[2]}}) {
    SurfacePiece part = *this;
    (flat ? part.core : part.normal) = corners;
    f(part);
  }
}

}  // namespace scree::clump::detail

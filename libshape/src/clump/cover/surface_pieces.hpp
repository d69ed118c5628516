// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/solid_distance.hpp"

#include <array>
#include <cstdint>
#include <optional>
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
  /// [L] no point is farther from the one of the plane polygon of the corners that it covers,
  /// seen from the edge or vertex.
  double bulge(double radius) const;
  /// Calls f(part) for the two or four parts of which it consists.
  template <class F>
  void split(double radius, F&& f) const;
};

/// The surface of a solid, in pieces that come from its faces, edges and vertices one by one.
struct SurfacePieces {
  std::vector<SurfacePiece> pieces;
  bool mayHide = false;    ///< some may lie in the solid, whole or in part: it is not surely convex
  bool mayRepeat = false;  ///< some may cover others: an edge has not two triangles with an area
  double rounding = 0.0;   ///< [L] of distances from the core
};
/// O(n log n).
SurfacePieces surfacePieces(const SolidDistance& solid);

enum class Visibility : std::uint8_t {
  none,   ///< all of a piece lies in the solid, its rim at most on the surface
  whole,  ///< no point of it lies in the solid
  open    ///< neither is sure
};
struct Seen {
  Visibility visibility = Visibility::open;
  /// Of an open flat piece: a triangle of the core whose plane, moved outward by the radius, cuts
  /// it. The line of the cut is likely the crease where the surface leaves the piece.
  std::optional<std::uint32_t> cutBy;
};
/// Both answers are proven, by each triangle of the core that comes near. It hides the piece where
/// all corners are within the radius of it. It hides nothing if the piece is beyond the plane at
/// the radius from it. Nor does it if it is below the planes through the core of the piece.
Seen seen(const SolidDistance& solid, const SurfacePiece& piece);

/// The parts of a flat piece on both sides of the plane of `seen`.
std::vector<SurfacePiece> cut(const SolidDistance& solid, const SurfacePiece& piece,
                              std::uint32_t triangle);

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

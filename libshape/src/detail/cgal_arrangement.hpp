// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape::detail {

/// A set of triangles without boundary, which encloses space on its own.
struct ClosedPart {
  enum class Kind {
    manifold,  ///< its triangles are wound alike: its winding numbers count, positive on the whole
    given,     ///< balanced as given: winding numbers count if they have one sign, else `enclosed`
    enclosed,  ///< the windings tell nothing: all space that it separates from infinity counts
  };
  Kind kind = Kind::manifold;
  double volume = 0.0;  ///< [L³] signed, by the windings of its triangles
  double given = 0.0;   ///< [L³] the same, by the windings of the file
};

/// Triangles, each of one part, and which of them cross.
struct PartTriangles {
  std::span<const Vec3> points;  ///< [L] no two equal
  std::span<const std::array<std::uint32_t, 3>> triangles;
  std::span<const std::uint32_t> part;  ///< of each triangle
  std::span<const ClosedPart> parts;
  std::span<const std::array<std::uint32_t, 2>> crossing;
  bool cavities = true;  ///< what would change nothing inside the solid is a cavity
};

/// A triangle, or a part of it that others cut off.
struct ArrangedPiece {
  std::array<std::uint32_t, 3> corners{};  ///< wound as its triangle
  std::uint32_t triangle = 0;              ///< the first one that it lies in
  /// +1: on the boundary of the solid, counter-clockwise seen from outside; -1: clockwise;
  /// 0: the solid, or no solid, is on both sides.
  int side = 0;
  bool covered = false;  ///< the solid is on both sides
};
struct Arrangement {
  std::vector<Vec3> points;           ///< the given ones, then those where triangles cross
  std::vector<ArrangedPiece> pieces;  ///< in the order of the triangles; no two have the same place
  std::vector<char> cut;              ///< of each triangle: whether it is in several pieces
  std::size_t reversedParts = 0;      ///< that count against the winding of their triangles
};

/// Cuts triangles along each other and finds the solid that they bound: the points that parts wind
/// around more often than zero times, as they are wound. Read the other way round are: parts that
/// touch or cross, if their volumes sum to less than zero; one of them that is inward and has no
/// point in common with those that are outward; and, with `cavities`, those inside the solid,
/// without contact to its boundary, that would change nothing. Decided with exact numbers; only the
/// points of the result are rounded.
Arrangement arranged(const PartTriangles& input);

}  // namespace scree::shape::detail

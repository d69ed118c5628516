// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "convex_cell.hpp"
#include "skeleton.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace scree::mass::detail {

/// Lengths of a skeleton of size 1 below this are rounding.
constexpr double touchLength = 1e-14;

struct Plane {
  Vec3 n;
  double offset = 0.0;
};

struct Range {
  double low = 1e300, high = -1e300;
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
};
/// Where a cell begins and ends along a direction.
inline Range along(const ConvexCell& cell, const Vec3& n) {
  Range r;
  for (std::size_t k = 0; k < static_cast<std::size_t>(cell.vertexCount); ++k)
    r.add(n.dot(cell.vertex[k]));
  return r;
}
/// Whether a plane has vertices of the cell on both sides.
inline bool cuts(const ConvexCell& cell, const Vec3& n, double offset) {
  const Range r = along(cell, n);
  return r.low < offset - touchLength && r.high > offset + touchLength;
}

/// The simple convex sets, up to 64, that make the body up near one cell, and how they stand to
/// parts of it: slabs over triangles, tubes about edges, balls about vertices, and ellipsoids.
class LeafPieces {
 public:
  using Mask = std::uint64_t;  ///< a set of pieces
  static constexpr std::size_t most = 64;

  struct Piece {
    enum class Kind : std::uint8_t { slab, tube, ball, ellipsoid } kind;
    std::uint32_t index;
    Mask family = 0;  ///< of a slab: itself and what lies within its two planes
  };

  explicit LeafPieces(const Skeleton& skeleton) : skeleton_(skeleton) {}

  /// Collects the pieces of some elements. @returns false where there are more than `most`
  bool gather(std::span<const std::uint32_t> elements);

  Mask all() const { return count_ == most ? ~Mask{0} : (Mask{1} << count_) - 1; }
  bool isSlab(unsigned k) const { return piece_[k].kind == Piece::Kind::slab; }

  /// Distance from the surface of a curved piece, negative inside: convex, slope at most 1.
  double distance(unsigned k, const Vec3& x, Vec3* slope = nullptr) const {
    const Piece& piece = piece_[k];
    Vec3 off;
    double radius;
    if (piece.kind == Piece::Kind::tube) {
      const Tube& tube = skeleton_.tubes[piece.index];
      const Vec3 d = x - tube.p;
      off = d - d.dot(tube.t) * tube.t;
      radius = tube.radius;
    } else if (piece.kind == Piece::Kind::ball) {
      const Ball& ball = skeleton_.balls[piece.index];
      off = x - ball.c;
      radius = ball.radius;
    } else {
      Vec3 unused;
      return skeleton_.ellipsoids[piece.index].distance(x, slope ? *slope : unused);
    }
    const double length = off.norm();
    if (slope) *slope = length > 0.0 ? Vec3(off / length) : Vec3(Vec3::Zero());
    return length - radius;
  }

  enum class Fate { stays, goes, covers };
  /// Whether a piece covers a part of the cell, or has nothing in it. Takes with a slab from `mask`
  /// what cannot be there without it.
  Fate fate(unsigned k, const ConvexCell& cell, const Vec3& middle, Mask& mask) const {
    return isSlab(k) ? fateOfSlab(k, cell, mask) : fateOfCurved(k, cell, middle);
  }

  /// A plane that the part should be cut along for this piece, if any. It is a face or side of a
  /// slab, or an end of a tube.
  std::optional<Plane> cutFor(unsigned k, const ConvexCell& cell) const;

  /// Two curved pieces against each other. One may be hidden by the other all over the cell, or a
  /// plane separates the regions where each of them is the nearer one.
  struct Verdict {
    int hidden = -1;  ///< piece that adds nothing
    std::optional<Plane> cut;
  };
  Verdict compare(const ConvexCell& cell, unsigned i, unsigned j) const;

  /// Ten integrals of a curved piece within the part, as if tubes had no ends.
  Sums within(const ConvexCell& cell, unsigned k) const;

 private:
  Fate fateOfSlab(unsigned k, const ConvexCell& cell, Mask& mask) const;
  Fate fateOfCurved(unsigned k, const ConvexCell& cell, const Vec3& middle) const;
  Verdict compareBalls(const ConvexCell& cell, unsigned i, unsigned j, const Vec3& ci,
                       const Vec3& cj, double ri, double rj) const;

  const Skeleton& skeleton_;
  std::array<Piece, most> piece_;
  std::size_t count_ = 0;
};

/// Knowledge of the body within one cell.
struct LeafResult {
  Sums body;                      ///< about the origin of the skeleton
  double more = 0.0, less = 0.0;  ///< the volume may be larger or smaller by this at most
  std::size_t parts = 0;          ///< of the cell that were looked at
  bool complete = true;           ///< false: too many pieces or parts, nothing else is set
};

struct LeafLimits {
  double part = 0.0;          ///< volume that may stay uncertain in one part
  std::size_t parts = 1000;   ///< give up beyond
  std::size_t elements = 12;  ///< give up at once with more
};

/// The body within a box that no element but those of `elements` reaches. `crossing` lists solids
/// whose surface may pass through the box; outside all others is known.
///
/// The box is cut along the planes of slabs, the ends of tubes, and the planes where two balls, or
/// two tubes that meet, change places as the nearer one. Parts left with one ball, tube or
/// ellipsoid are exact. Of two others each is held between two planes; only where both layers meet
/// is anything unknown.
LeafResult solveLeaf(const Skeleton& skeleton, const Vec3& centre, const Vec3& halfSize,
                     std::span<const std::uint32_t> elements,
                     std::span<const std::uint32_t> crossing, const LeafLimits& limits);

}  // namespace scree::mass::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/packing.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace scree::sim {

enum class LatticeType { sc, bcc, fcc, hcp };
/// @throws UsageError naming the types there are
LatticeType latticeType(std::string_view name);

/// A rectangular cell that repeats, and where bodies stand in it: sc 1, bcc 2, fcc 4 bodies. The
/// cell of hcp has 4 bodies and measures 1 by sqrt(3) by sqrt(8/3) distances of nearest neighbours,
/// with close-packed layers across z.
struct LatticeCell {
  Vec3 size = Vec3::Zero();  ///< [L] edges along x, y, z
  std::vector<Vec3> sites;   ///< [L] from the low corner, inside the cell
};

struct LatticeOptions {
  LatticeType type = LatticeType::sc;
  std::array<std::uint32_t, 3> cells{1, 1, 1};  ///< along x, y, z
  std::optional<double> spacing;  ///< [L] between centres of nearest neighbours; empty: touching
  bool randomOrientation = false;
  /// [-] 0 to 1: random distance of bodies from their sites, at most this share of the largest at
  /// which neighbours cannot overlap. Needs a spacing above that of touching bodies.
  double jitter = 0.0;
  std::uint64_t seed = 1;
  std::uint32_t group = 1;
};

struct LatticeResult {
  Packing packing;
  LatticeCell cell;
  double solidFraction = 0.0;  ///< solid volume over that of the cells
};
/// Bodies of the given shapes, in turn, on a lattice whose cells fill a box from the origin. Each
/// is centred on its site by its box, or by its centre of mass where it is turned at random. It is
/// a cluster of its own, counted from 1.
/// @throws ModelError if there are no shapes, no cells, or more than 10^8 bodies
LatticeResult lattice(std::vector<shape::Shape> shapes, const LatticeOptions& options);

/// Bodies read from a table, one a row, columns by name in any order.
/// - Needed: `x y z`, and `shape` unless the library has one shape.
/// - Optional, with the default: `group` (1), `cluster` (number of the row, from 1), `homothety`
///   (1), `driven` (0).
/// - Optional: `qw qx qy qz`, `vx vy vz`, `wx wy wz`.
///
/// Positions and quaternions are poses of the frame in which each shape was modelled. The velocity
/// v is that of the centre of mass, and w is in the global frame. Shapes in use that are not
/// surveyed yet are surveyed, the others are dropped. Rows with `driven` 1 come first; the order
/// stays otherwise. An unknown column warns, with the nearest known one. A quaternion off unit
/// length warns and is normalised.
/// @throws ParseError with line and column on a bad value, an unknown shape, a missing column
struct PoseTable {
  Packing packing;
  std::vector<std::string> surveyed;  ///< names of shapes that were surveyed
};
PoseTable readPoseTable(TextReader in, std::vector<shape::Shape> library, Diagnostics& diagnostics);

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/sim/pack/arrangement.hpp"

#include <vector>

namespace scree::sim {

/// Bodies as a table lists them, one a row, columns by name in any order: `x y z`, `shape` (may be
/// absent where the library has one shape), and where given `group` (1) `cluster` (number of the
/// row, from 1) `homothety` (1) `qw qx qy qz` `vx vy vz` `wx wy wz` `driven` (0).
///
/// Positions and quaternions are poses of the frame that each shape was modelled in; v is that of
/// the centre of mass, w in the global frame. Shapes in use that are not surveyed yet are surveyed,
/// the others are dropped. Rows with `driven` 1 come first; the order stays otherwise. An unknown
/// column warns, with the nearest known one; a quaternion off unit length warns and is normalised.
/// @throws ParseError with line and column on a bad value, an unknown shape, a missing column
struct PoseTable {
  Arrangement arrangement;
  std::vector<std::string> surveyed;  ///< names of shapes that were surveyed
};
PoseTable readPoseTable(TextReader in, std::vector<shape::Shape> library, Diagnostics& diagnostics);

}  // namespace scree::sim

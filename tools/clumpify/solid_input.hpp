// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/clump/solid_distance.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/unions.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// A solid from a file, and its mass properties.
struct SolidInput {
  std::string name;  ///< of the shape, or of the file
  clump::SolidDistance solid;
  mass::SolidProperties body;  ///< unit density, frame of the file
};

/// A mesh (STL, OBJ, PLY, OFF) or one shape of a shape-file.
/// @param path   "-": a shape-file on standard input
/// @param shape  the name of a shape; empty where the file holds one alone
/// @throws GeometryError, ParseError or ModelError naming the file; UsageError where several shapes
/// leave the choice open
SolidInput solidFrom(const std::string& path, const std::string& shape, int threads,
                     Diagnostics& diagnostics);

/// The balls of a file that holds one clump of spheres, in a format that blocksFrom reads.
/// Those that swallowedBalls() names do not count, with a warning.
/// @throws ModelError for several particles, other members than spheres, or spheres not clumped
std::vector<mass::Ball> ballsFrom(const std::string& path, Diagnostics& diagnostics);

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/compose.hpp"
#include "scree/clump/formats.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace scree::sim {

struct BlockOptions {
  /// shapepack, conf, shp, yade, csv, or auto: as the file shows. Sphere tables are csv; in yade,
  /// rows without a clump number are spheres alone.
  std::string format = "auto";
  clump::SharedNodes sharedNodes = clump::SharedNodes::particle;
  /// Whether the block of that number may be left out, with a warning; empty: none may.
  std::function<bool(std::int64_t)> mayLose{};
  std::string remedy{};  ///< the end of messages about a shape that no pebble can be
};

/// Particles from a file, as blocks of clumps.
struct Blocks {
  clump::ShapePack pack;
  std::map<std::int64_t, std::string> names;  ///< of the shapes of a shape-file, by ID
  double placing = 0.0;  ///< [L] by which rounding may move points of shapes that are placed
};

/// Blocks from a file; "-" is standard input:
/// - of a ShapePack its particles.
/// - of a conf-file its bodies, by number; each carries its group as `group=NUMBER:conf`.
/// - of a shape-file each shape where its `position` and `orientation` place it, by number.
/// - of a sphere table (clump::readSphereTable) the spheres.
/// Settings of a conf-file beside bodies and a cell along the axes are left out, with a note.
/// @throws ParseError with the line of the body or the shape where no pebble can be it
Blocks blocksFrom(const std::string& path, const BlockOptions& options, Diagnostics& diagnostics);

/// A pack as bodies at rest, for clump::written; a single sphere is a scaled unit ball. Bodies have
/// the group that they carry, or else one for their density.
std::vector<clump::FormatFile> confFiles(const clump::ShapePack& pack,
                                         const clump::WriteOptions& options, clump::Losses& losses,
                                         Diagnostics& diagnostics);

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/clump/compose.hpp"
#include "scree/clump/shape_pack.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace scree::tools {

struct BlockExtras {
  clump::ShapeForms forms;  ///< of pebbles
  /// The end of messages about a shape that no pebble can be.
  std::string remedy;
  /// Becomes the names of the shapes of a shape-file, by the IDs of their particles.
  std::map<std::int64_t, std::string>* names = nullptr;
  /// [L] Becomes the most by which rounding may move points of shapes that are placed.
  double* placing = nullptr;
};

/// Blocks from a file; "-" is standard input:
/// - of a ShapePack its particles.
/// - of a conf-file its bodies, by number; each carries its group as `group=NUMBER:conf`.
/// - of a shape-file each shape where its `position` and `orientation` place it, by number.
/// - of the sphere tables of YADE and CSV the spheres.
/// What a conf-file says of motion is warned about.
/// @param extras  what else pebbles may be, and how messages end
/// @param format  shapepack, conf, shp, yade, csv, or auto: as the file itself shows
/// @param mayLose  whether the block of that number may be left out, with a warning, if no pebble
///                 can be it; empty: none may
/// @throws ParseError with the line of the body or the shape where no pebble can be it
clump::ShapePack blocksFrom(const std::string& path, const std::string& fromNan,
                            Diagnostics& diagnostics, const std::string& format = "auto",
                            const std::function<bool(std::int64_t)>& mayLose = {},
                            const BlockExtras& extras = {});

/// Numbers of a list such as `0-3,7`. @throws UsageError naming `option`
std::vector<std::pair<std::int64_t, std::int64_t>> idRanges(const std::string& text,
                                                            const std::string& option);

}  // namespace scree::tools

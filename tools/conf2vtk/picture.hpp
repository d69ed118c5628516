// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "view_data.hpp"

#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

struct PictureOptions {
  std::string path;      ///< FILE.png; of a series FILE_0000.png and on, in the order of times
  std::string colourBy;  ///< array; empty: speed
  bool chains = false;   ///< force chains, over bodies that are paler
  int width = 1200, height = 900;
  int threads = 1;
};

/// Draws a series without a display: bodies by a colour, driven ones grey, the periodic cell,
/// force chains on request, and the time. Flat walls, and driven bodies that would hide the others,
/// are a haze. A colour bar shows its range over the series. All pictures share one camera, with
/// gravity downwards.
/// @param drawn  called with the share done
/// @return the paths written, and the bytes
struct Pictures {
  std::vector<std::string> paths;
  std::size_t bytes = 0;
};
Pictures drawPictures(const ViewSeries& series, const PictureOptions& options,
                      const std::function<void(double)>& drawn);

/// The paths that `drawPictures` writes.
std::vector<std::string> picturePaths(const std::string& path, std::size_t count);

}  // namespace scree::tools

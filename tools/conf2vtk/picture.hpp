// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "conf2vtk.hpp"
#include "view_data.hpp"

#include "scree/base/parallel.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// Draws a series without a display, one picture a frame: bodies by a colour, driven ones grey, the
/// periodic cell, round walls, the time, and on request force chains and the tracks up to that
/// time. What moves is drawn over driven bodies; translucent ones are a haze. All pictures
/// share one camera, with gravity downwards, and one range of colours.
/// @param options  `colourBy`, `contacts`, `tracks`, `size`, `zoom`, `threads`
/// @param paths    as picturePaths has them
/// @return the bytes written
std::size_t drawPictures(const ViewSeries& series, const Conf2vtkOptions& options,
                         const std::vector<std::string>& paths, const Progress& progress);

/// FILE.png; of a series FILE_0000.png and on. None where `path` is empty.
std::vector<std::string> picturePaths(const std::string& path, std::size_t count);

}  // namespace scree::tools

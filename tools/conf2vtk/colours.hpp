// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "image/canvas.hpp"

namespace scree::tools {

// Colours in linear light, as pictures take them; tools/conf2vtk/page/page.js has the same ones.

/// Viridis (matplotlib, CC0): 0 is dark violet, 1 is yellow; the same for those who see no red.
image::Colour scaleColour(double share);
/// For names that are numbers: neighbours get hues far from each other.
image::Colour categoryColour(double value);
/// Of force chains: 0 pale yellow, 1 dark red.
image::Colour forceColour(double share);

}  // namespace scree::tools

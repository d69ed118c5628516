// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// A Python script that ParaView opens ready to look at: `paraview --script=view.py`. It names the
/// collections relative to itself, so the folder may move.
/// @param kinds    collections beside it, "particles" for particles.pvd
/// @param gravity  the picture's down; z is up where it is zero
std::string viewScript(const std::vector<std::string>& kinds, const Vec3& gravity,
                       const std::string& colourBy);

}  // namespace scree::tools

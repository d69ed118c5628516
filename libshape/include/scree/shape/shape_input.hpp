// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/shape/shape.hpp"

#include <string>
#include <vector>

namespace scree::shape {

/// Whether a file name ends as those of meshes do: .stl, .obj, .ply, .off, also with .zst behind.
bool namesMesh(const std::string& path);

/// The shapes of a shape-file; or a mesh as one shape without rounding, a surface where it is open,
/// named after the file. Coordinates in the unit and the frame of the file.
/// @throws ParseError with line and column, IoError, or GeometryError for a coordinate beyond 1e50
std::vector<Shape> readShapesOrMesh(const std::string& path, Diagnostics& diagnostics);

}  // namespace scree::shape

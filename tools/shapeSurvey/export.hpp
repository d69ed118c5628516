// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/shape/shape.hpp"

#include <string>
#include <vector>

namespace scree::tools {

struct ExportOptions {
  std::string shapes, shape;  ///< file; name of one shape, or empty for all
  std::string output;         ///< file, folder, or "-"
  std::string format;         ///< stl, obj, ply, off or vtp; empty: by the ending of `output`
  int fineness = 0;           ///< segments of an arc of 90 degrees; 0: the skeleton
  bool original = false;      ///< in the frame of the source, by position and orientation
  bool ascii = false;         ///< STL, PLY and VTP as text
  int threads = 1;
  Existing existing = Existing::refuse;
};

struct ExportedFile {
  std::string file, shape;
  std::size_t vertices = 0, faces = 0, bytes = 0;
};

/// Writes the mesh of one shape to a file, or of several to a folder, one file each.
/// @throws UsageError where several shapes meet one file, or the format is unknown
/// @throws GeometryError where a shape has nothing that the format holds
std::vector<ExportedFile> exported(const ExportOptions& options, Diagnostics& diagnostics);
std::string exportJson(const std::vector<ExportedFile>& files);

/// The shapes of a file, or the one of this name, as shapeNamed()
std::vector<shape::Shape> chosenShapes(const std::string& path, const std::string& name,
                                       Diagnostics& diagnostics);

/// The one of this name. @throws ModelError naming `path`, and the nearest name or all
const shape::Shape& shapeNamed(const std::vector<shape::Shape>& shapes, const std::string& name,
                               const std::string& path);

/// Names for files of shapes: letters that every file system takes, no two alike.
std::vector<std::string> fileNames(const std::vector<shape::Shape>& shapes);

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "vtk/write_vtp.hpp"

#include "scree/base/error.hpp"
#include "scree/base/progress.hpp"

#include <functional>
#include <string>
#include <vector>

namespace scree::tools {

enum class Geometry { automatic, rounded, skeleton, boxes, glyphs };
enum class ContactDrawing { points, chains, none };

struct Conf2vtkOptions {
  std::vector<std::string> confs;  ///< files, folders; "-" is standard input
  std::string output = "vtk";      ///< folder
  Geometry geometry = Geometry::automatic;
  int fineness = 3;  ///< segments of each rounded arc
  ContactDrawing contacts = ContactDrawing::points;
  std::vector<std::string> arrays;  ///< names, or "all"; empty: the default ones
  bool bonds = false;               ///< kind `bonds`
  bool images = false;              ///< images of bodies that reach into the periodic cell
  bool normals = false;             ///< exact normals at the points of surfaces
  bool doubles = false;             ///< 64-bit numbers everywhere
  int every = 1;
  vtp::VtpOptions encoding;
  bool view = false;  ///< write view.py, too
  int threads = 1;
  bool remake = false;  ///< pieces that exist are made again
};

/// What was done, for the closing line.
struct Conf2vtkReport {
  std::size_t converted = 0, kept = 0;   ///< conf-files
  std::size_t bytes = 0;                 ///< written
  std::vector<std::string> collections;  ///< names of the .pvd files
};

/// Turns a series of conf-files into ParaView files (docs/tools/conf2vtk.md).
///
/// Pieces that are complete, newer than their conf-file and shape-file and made with the same
/// options are kept. Where the first conf-file cannot be used, nothing is written; a later one does
/// not keep the others from being converted, and its error is thrown at the end.
/// @param announce  called once, with the estimated size, before anything is written
/// @throws UsageError for an unknown array, IoError, ParseError, ModelError
Conf2vtkReport conf2vtk(const Conf2vtkOptions& options, Diagnostics& diagnostics,
                        const std::function<void(const std::string&)>& announce,
                        const Progress& progress);

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run_tool.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/mass/morphology.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/scan/grains.hpp"
#include "scree/shape/shape.hpp"

#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

/// The one of `shapes` with this name; all for an empty name.
/// @param path  of their file. @throws ModelError naming it, and the nearest name
std::vector<shape::Shape> chosenShapes(std::vector<shape::Shape> shapes, const std::string& name,
                                       const std::string& path);

/// Warns of a work limit that was reached, a large sheet and faces that are not plane.
void warnOfSurvey(const shape::Shape& shape, const mass::MassReport& report,
                  Diagnostics& diagnostics);

/// Refuses, before the work, an output that exists, is an input, or that a report is printed to.
void checkOutput(const std::string& output, const CommonOptions& common,
                 const std::vector<std::string>& inputs = {});
/// Prints the warnings, writes the result and prints its report where --json asks for one.
/// @returns 0
int deliver(const std::string& output, const std::string& result, const std::string& report,
            const Diagnostics& diagnostics, const CommonOptions& common);

void addForm(nlohmann::ordered_json& out, const mass::Morphology& form);
/// CSV with one row of form and size an object of `rows`, for statistics: the columns of info, and
/// `more`, each a place in the object.
std::string formTable(const nlohmann::ordered_json& rows, const std::vector<std::string>& more);

struct ImageOptions {
  std::string shapes, shape;             ///< file; name of one shape, or empty for all
  std::string output;                    ///< PNG, or "-"
  std::vector<int> size{800, 600};       ///< pixels of the whole picture
  std::vector<double> view{35.0, 22.0};  ///< degrees: azimuth, elevation
  int threads = 1;
};
/// The bytes of a PNG picture of one shape, or of a sheet of several with their names.
/// @throws UsageError for sizes that are no picture, GeometryError as shape::coreOf
std::string pictureOf(const ImageOptions& options, Diagnostics& diagnostics);

/// Import of the grains of one image: its options, as typed where they are words.
struct ImageImport {
  std::string path, voxel, size, type = "uint16", border;
  scan::GrainOptions grains;
  std::string output, conf, table;
  bool walls = false;  ///< six walls around the packing of the conf-file
};
/// Adds the options that only images have. @returns them
std::vector<CLI::Option*> addImageOptions(CLI::App& verb, ImageImport& options);
/// Reads, imports, reports and writes. @returns the exit code
int importImage(ImageImport options, const CommonOptions& common);

AddVerb addMakeVerb, addImportVerb, addComputeVerb, addInfoVerb, addListVerb, addExportVerb;
AddVerb addImageVerb, addCheckVerb;

}  // namespace scree::tools

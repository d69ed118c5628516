// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "verb.hpp"

#include "scree/base/json_writer.hpp"
#include "scree/mass/morphology.hpp"
#include "scree/mass/shape_mass.hpp"
#include "scree/mesh/audit.hpp"
#include "scree/mesh/import.hpp"
#include "scree/shape/shape.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::tools {

struct MakeOptions {
  std::string kind;
  std::vector<double> size;  ///< outer sizes; empty: the kind's own
  std::optional<double> radius;
  std::optional<int> faces, steps;
  std::uint64_t seed = 1;
  std::optional<std::string> name;  ///< none: the kind's own
  std::string output = "-";
};
shape::Shape madeShape(const MakeOptions& options);
/// A shape-file with `shape`, the options that made it in a line above it.
std::string madeText(const MakeOptions& options, const shape::Shape& shape);

struct ComputeOptions {
  std::string shapes, output = "-";
  std::string method = "auto", box = "min";
  double tolerance = 1e-5;  ///< of certified volumes
  bool keepFrame = false, recompute = false;
  int threads = 1;
};
/// The result for one shape.
struct ComputeReport {
  std::optional<mass::MassReport> mass;  ///< none: it had been computed already
  shape::Shape shape;                    ///< as it is written
};
/// The shapes of a file, each in its body frame, and what was done.
std::vector<ComputeReport> computed(const ComputeOptions& options, Diagnostics& diagnostics);
std::vector<std::string> computeLines(const std::vector<ComputeReport>& reports);
/// Adds {volume, centre, inertia}, or null.
void addBound(JsonWriter& json, const std::optional<mass::MassBound>& bound);
std::string computeJson(const std::vector<ComputeReport>& reports, const ComputeOptions& options);

/// Warns of a work limit that was reached, a large sheet and faces that are not plane.
void warnOfSurvey(const shape::Shape& shape, const mass::MassReport& report,
                  Diagnostics& diagnostics);

struct InfoOptions {
  std::string shapes, shape;  ///< file, of shapes or of a mesh; name of one shape, or empty for all
  std::optional<double> density;  ///< [M/L³] prints masses
  bool force = false;             ///< read a mesh that announces another number of facets
  int threads = 1;
};
/// Properties of one shape, in the frame of its file.
struct ShapeInfo {
  shape::Shape given;
  bool known = false;  ///< whether volume, centre and inertia are known
  bool closed = false, convex = false;
  std::string method = "none";
  std::optional<mass::MassBound> bound;
  double volume = 0.0;                                 ///< [L³]
  Vec3 centre = Vec3::Zero(), moments = Vec3::Zero();  ///< [L]; [L²] principal, over mass
  Mat3 tensor = Mat3::Zero();                          ///< [L²] about the centre, over mass
  Quat orientation = Quat::Identity();                 ///< principal frame -> frame of the file
  shape::Obb box;
  mass::Morphology morphology;
  std::optional<double> density;  ///< [M/L³]
  /// Edges without a second face of a mesh that bounds no volume; none for other shapes.
  std::optional<std::size_t> openEdges;
  std::string noSolid;  ///< why such a mesh bounds no volume
};
std::vector<ShapeInfo> infoOf(const InfoOptions& options, Diagnostics& diagnostics);
std::string infoTable(const std::vector<ShapeInfo>& shapes);
std::string infoCsv(const std::vector<ShapeInfo>& shapes);   ///< one row a shape, for statistics
std::string infoJson(const std::vector<ShapeInfo>& shapes);  ///< schema: docs/tools/shapeSurvey.md

/// The report of an import for people, one line each.
std::vector<std::string> importLines(const std::vector<mesh::ImportReport>& reports);
std::string importJson(
    const std::vector<mesh::ImportReport>& reports);  ///< docs/tools/shapeSurvey.md

struct ExportOptions {
  std::string shapes, shape;  ///< file; name of one shape, or empty for the only one
  std::string output;         ///< file, its format by its ending
  int fineness = 0;           ///< segments of an arc of 90 degrees; 0: the skeleton
  Existing existing = Existing::refuse;
};
struct ExportedFile {
  std::string shape;
  std::size_t vertices = 0, faces = 0, bytes = 0;
};
/// Writes the mesh of one shape.
/// @throws UsageError for several shapes or an unknown ending, GeometryError where the shape has
/// nothing that the format holds
ExportedFile exported(const ExportOptions& options, Diagnostics& diagnostics);

/// The shapes of a file, or the one of this name, as shapeNamed()
std::vector<shape::Shape> chosenShapes(const std::string& path, const std::string& name,
                                       Diagnostics& diagnostics);

/// The one of this name. @throws ModelError naming `path`, and the nearest name or all
const shape::Shape& shapeNamed(const std::vector<shape::Shape>& shapes, const std::string& name,
                               const std::string& path);

struct CheckOptions {
  std::vector<std::string> files;
  std::string output;  ///< with `fix`: file, or "-"
  bool fix = false, json = false, strict = false;
  int threads = 1;
  Existing existing = Existing::refuse;
};

struct CheckResult {
  std::string text;   ///< table, or JSON as docs/tools/shapeSurvey.md describes it
  bool sound = true;  ///< no error is left; where strict, no warning either
};
/// Audits all shapes of all files and, with `fix`, writes a repaired copy.
CheckResult checked(const CheckOptions& options, Diagnostics& diagnostics);

/// Warns of a density that no solid has in kg/m³: below 100 or above 25,000.
void warnOfDensity(const std::optional<double>& density, Diagnostics& diagnostics);

/// A check of an option: a number from `least` to `most`, not NaN.
std::function<std::string(const std::string&)> numberFrom(double least, double most);

/// Refuses, before the work, an output that exists, is an input, or that a report is printed to.
void checkOutput(const std::string& output, const CommonOptions& common,
                 const std::vector<std::string>& inputs = {});
/// Prints the warnings, writes the result and prints its report where --json asks for one.
/// @returns 0
int deliver(const std::string& output, const std::string& result, const std::string& report,
            const Diagnostics& diagnostics, const CommonOptions& common);

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

Verb addMakeVerb(CLI::App& app, const CommonOptions& common);
Verb addImportVerb(CLI::App& app, const CommonOptions& common);
Verb addComputeVerb(CLI::App& app, const CommonOptions& common);
Verb addInfoVerb(CLI::App& app, const CommonOptions& common);
Verb addListVerb(CLI::App& app, const CommonOptions& common);
Verb addExportVerb(CLI::App& app, const CommonOptions& common);
Verb addImageVerb(CLI::App& app, const CommonOptions& common);
Verb addCheckVerb(CLI::App& app, const CommonOptions& common);

}  // namespace scree::tools

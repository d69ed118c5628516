// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "import.hpp"

#include "scree/base/error.hpp"
#include "scree/base/json_writer.hpp"
#include "scree/mass/morphology.hpp"
#include "scree/mass/shape_mass.hpp"
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
/// The shape-file of the made shape.
std::string made(const MakeOptions& options);
std::string madeJson(const MakeOptions& options, const shape::Shape& shape);

struct ComputeOptions {
  std::string shapes, output = "-";
  std::string method = "auto", box = "min";
  double tolerance = 1e-5;        ///< of certified volumes
  std::size_t work = 60'000'000;  ///< cells, at most
  int divisions = 100;            ///< of the longest side, for the grid
  bool keepFrame = false, recompute = false;
  int threads = 1;
};
/// What became of one shape.
struct ComputeReport {
  std::string name;
  std::optional<mass::MassReport> mass;  ///< none: it had been computed already
  shape::Shape shape;                    ///< as it is written.
  /// [L³] of the box by each method, in the frame of the result. Imposed: along the axes of the
  /// file's own box, where it gave one.
  double leastBox = 0.0, pcaBox = 0.0, alignedBox = 0.0;
  std::optional<double> imposedBox;
};
/// The shapes of a file, each in its body frame, and what was done.
std::vector<ComputeReport> computed(const ComputeOptions& options, Diagnostics& diagnostics);
std::vector<std::string> computeLines(const std::vector<ComputeReport>& reports);
/// Adds {volume, centre, inertia}, or null.
void addBound(JsonWriter& json, const std::optional<mass::MassBound>& bound);
std::string computeJson(const std::vector<ComputeReport>& reports, const ComputeOptions& options);

struct InfoOptions {
  std::string shapes, shape;  ///< file, of shapes or of a mesh; name of one shape, or empty for all
  std::string box = "min";    ///< for shapes without one: min, pca or aabb
  std::optional<double> density;  ///< [M/L³] prints masses
  int threads = 1;
};
/// What is known of one shape, in the frame its file is written in.
struct ShapeInfo {
  shape::Shape given;
  std::optional<mass::MassReport> report;  ///< of the vertices as they stand; empty: no solid
  shape::Shape surveyed;  ///< as `compute` would write it; as given where there is no solid
  mass::Morphology morphology;
  shape::BoxMethod box = shape::BoxMethod::minimum;  ///< of the box, where the file gives none
  std::optional<double> density;                     ///< [M/L³]
  /// Edges without a second face of a mesh that bounds no volume, so that volume and mass are
  /// unknown; none for other shapes.
  std::optional<std::size_t> openEdges;
};
/// Fills in `morphology` from the rest. @throws GeometryError as shape::coreOf
void measureForm(ShapeInfo& info);
/// Why a mesh with so many open edges has no volume that is known.
std::string whyUnknown(std::size_t openEdges);
std::vector<ShapeInfo> infoOf(const InfoOptions& options, Diagnostics& diagnostics);
std::string infoTable(const std::vector<ShapeInfo>& shapes);
std::string infoJson(const std::vector<ShapeInfo>& shapes);  ///< schema: docs/tools/shapeSurvey.md
std::string listTable(const std::vector<shape::Shape>& shapes);
std::string listJson(const std::vector<shape::Shape>& shapes);

/// Warns of a density that no solid has in kg/m³: below 100 or above 25,000.
void warnOfDensity(const std::optional<double>& density, Diagnostics& diagnostics);

/// The keywords of shape-files as the Markdown table of docs/formats/shape.md.
std::string keywordTable();
std::string keywordJson();  ///< {"schema":1,"keywords":[{name, arguments, unit, default, help}]}

}  // namespace scree::tools

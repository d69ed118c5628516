// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/shape.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace scree::tools {

struct ImportOptions {
  std::vector<std::string> meshes;
  double radius = 0.0;
  std::optional<std::string> name;  ///< none: the name of the file without its ending
  std::optional<double> scale, size, volume, mass, density;
  std::optional<double> weld;  ///< [L of the mesh] vertices closer than this become one
  bool fillHoles = false;
  bool wrap = false;
  std::optional<double> wrapAlpha;   ///< of the diagonal of the mesh
  std::optional<double> wrapOffset;  ///< of alpha
  bool hull = false;                 ///< the convex hull of the mesh instead of the mesh
  std::optional<int> simplify;       ///< vertices
  bool inset = false;                ///< the rounded surface, not the skeleton, is the mesh
  std::optional<double> coplanar;    ///< [degrees]
  std::optional<int> decompose;      ///< most parts
  bool surface = false;              ///< the mesh bounds no volume
  std::string output = "-";
  int threads = 1;
};

/// What one step made of a mesh, and what it cost.
struct ImportStep {
  std::string step;  ///< the option's name
  std::size_t vertices = 0, faces = 0;
  std::optional<double> volume;            ///< [L³] of the mesh after it; none where it is open
  std::optional<shape::Bracket> distance;  ///< [L] between the surfaces before and after
  std::vector<std::pair<std::string, double>> figures;
  std::string text;  ///< one line for people
};
struct ImportReport {
  std::string file;
  std::vector<std::string> shapes;  ///< names
  shape::MeshCheck found, left;     ///< the mesh as read (equal vertices joined), and as it became
  Vec3 sides = Vec3::Zero(), sidesLeft = Vec3::Zero();  ///< [L] of the box of the mesh; of the
                                                        ///< body it became, rounding included
  std::vector<ImportStep> steps;
};

/// Meshes as shapes, in the order of the files.
/// @param reports  one per mesh
/// @throws UsageError for options that cannot be meant; GeometryError for what cannot be done with
/// a mesh, such as an open one without `surface`
std::vector<shape::Shape> imported(const ImportOptions& options, Diagnostics& diagnostics,
                                   std::vector<ImportReport>& reports);
std::vector<std::string> importLines(const std::vector<ImportReport>& reports);
std::string importJson(const std::vector<ImportReport>& reports);  ///< docs/tools/shapeSurvey.md

/// Adds the verb `import` to the tool.
CLI::App& addImport(CLI::App& app, ImportOptions& options);

}  // namespace scree::tools

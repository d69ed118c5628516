// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/error.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/shape.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace scree::mesh {

/// Steps on the way from a mesh file to a shape; those that are set run in the order of
/// docs/tools/shapeSurvey.md. Sizes, masses and the radius lie within 1e-50 to 1e50.
struct ImportOptions {
  std::vector<std::string> meshes;
  double radius = 0.0;
  std::optional<std::string> name;  ///< none: the name of the file without its ending
  std::optional<double> scale, size, volume, mass, density;
  std::optional<double> weld;  ///< [L of the mesh] vertices closer than this become one
  bool fillHoles = false;
  bool wrap = false;
  bool hull = false;               ///< the convex hull of the mesh instead of the mesh
  std::optional<int> simplify;     ///< vertices
  bool inset = false;              ///< the rounded surface, not the skeleton, is the mesh
  std::optional<double> coplanar;  ///< [degrees]
  std::optional<int> decompose;    ///< most parts
  bool split = false;              ///< one shape for each connected solid
  bool surface = false;            ///< the mesh bounds no volume
  bool force = false;              ///< read files that announce another number of facets
  int threads = 1;
};

/// The mesh after a step, and what the step cost.
struct ImportStep {
  std::string step;  ///< the option's name
  std::size_t vertices = 0, faces = 0;
  std::optional<double> volume;            ///< [L³] of the mesh after it; none where it is open
  std::optional<shape::Bracket> distance;  ///< [L] between the surfaces before and after
  std::vector<std::pair<std::string, double>> figures;  ///< others, by name
};
/// Everything an import did to one mesh.
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
/// @throws UsageError where the rounding alone is larger than the size or volume requested;
/// GeometryError for what cannot be done with
/// a mesh, such as an open one without `surface`
std::vector<shape::Shape> imported(const ImportOptions& options, Diagnostics& diagnostics,
                                   std::vector<ImportReport>& reports);

/// The same for a mesh in memory; the steps that read, join, fill, wrap and scale do not run.
/// @param options   with a name
/// @param warnings  are added to
std::vector<shape::Shape> imported(const shape::SurfaceMesh& mesh, const ImportOptions& options,
                                   ImportReport& report, std::vector<std::string>& warnings);

/// Volume [L³] of a closed mesh with a layer of thickness r [L], by Steiner's formula: exact for
/// convex bodies; where edges or corners are reflex, an estimate. O(triangles).
double roundedVolume(const shape::SurfaceMesh& mesh, double r);

}  // namespace scree::mesh

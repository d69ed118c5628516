// SPDX-License-Identifier: GPL-3.0-or-later
// From a labelled image of grains, as of a CT scan, to shapes.
#pragma once

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/mass/morphology.hpp"
#include "scree/mesh/import.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/mesh_check.hpp"
#include "scree/shape/shape.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace scree::scan {

/// A labelled image: one number a voxel, that of the grain or 0 for void. The x axis is fastest.
/// Voxel (i, j, k) reaches from (i, j, k) to (i + 1, j + 1, k + 1) times `voxel`.
struct LabelVolume {
  std::array<std::size_t, 3> size{};  ///< voxels along x, y, z
  Vec3 voxel = Vec3::Ones();          ///< [L] sides of a voxel
  std::vector<std::uint32_t> labels;
};

/// Form of a body with a closed surface; docs/tools/shapeSurvey.md has the formulas.
struct Form : mass::Morphology {
  double inscribed = 0.0;  ///< [L] radius of the largest ball inside
};

struct GrainOptions {
  std::optional<std::size_t> faces;  ///< most triangles of a grain
  std::optional<double> error;       ///< [L] most distance that simplification may cause. Neither
                                     ///< given: half the smallest side of a voxel
  std::size_t leastVoxels = 64;      ///< smaller grains are left out
  bool keepBorder = false;           ///< grains at the border of the image are taken, cut off there
  mesh::ImportOptions import;        ///< steps after the surface; `name` begins the names of shapes
  Progress progress;
};

/// A grain of the image, and what became of it.
struct Grain {
  std::uint32_t label = 0;
  std::size_t voxels = 0;       ///< of this label
  bool border = false;          ///< touches the border of the image
  std::size_t pieces = 1;       ///< connected through faces of voxels; the largest is the grain
  std::size_t strayVoxels = 0;  ///< of the other pieces, left out
  std::size_t holes = 0, holeVoxels = 0;     ///< cavities, and their voxels: filled
  std::size_t tunnels = 0;                   ///< ways through the grain
  std::string refusal;                       ///< why there is no shape; empty: there is one
  double voxelVolume = 0.0;                  ///< [L³] of the largest piece, cavities filled
  double volume = 0.0;                       ///< [L³] of the shapes, with their rounding
  std::size_t faces = 0;                     ///< triangles after simplification
  std::optional<shape::Bracket> simplified;  ///< [L] distance of the two surfaces
  double toVoxels = 0.0;             ///< [L] bound on the distance of the corners of its voxels
  Form form;                         ///< of the surface before simplification
  std::vector<shape::Shape> shapes;  ///< surveyed; `position` is that in the image
  std::vector<std::string> warnings;
};

/// The grains of an image, sorted by label.
///
/// The surface of a grain runs within half a voxel of the faces of its voxels and encloses their
/// volume. Simplified, it is scaled to that volume again. Then the steps of the import follow.
/// Needs memory for the image and, on each thread, for one grain. The same result for any number
/// of threads.
/// @throws ModelError for an image without labels
std::vector<Grain> grainsOf(const LabelVolume& image, const GrainOptions& options);

}  // namespace scree::scan

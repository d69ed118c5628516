// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "import.hpp"

#include "scree/shape/mesh.hpp"

#include <string>

namespace scree::tools {

/// The mesh at the size that the options ask for. Sizes, volumes and masses are those of the body
/// that becomes of it: rounded by the radius, or moved in by it first (--inset).
/// @param warning  set where a volume could be met only roughly
/// @throws UsageError where the rounding alone is larger
shape::SurfaceMesh scaledMesh(const shape::SurfaceMesh& mesh, const ImportOptions& options,
                              std::string& warning);

}  // namespace scree::tools

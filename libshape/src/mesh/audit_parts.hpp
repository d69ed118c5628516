// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/mesh/audit.hpp"

#include <span>

namespace scree::mesh {

/// "3 faces"
std::string times(std::size_t n, const char* what);
/// " (face 2)", " (faces 2, 5)", or nothing.
std::string places(const char* what, std::span<const std::uint32_t> which);

/// Examines vertices, edges and faces one by one. Finds twins, what nothing uses, what has no
/// length or area, what is listed twice or not at all, and faces that are not plane. O(n log n).
void auditSkeleton(const shape::Shape& shape, std::vector<Finding>& found);

/// Faces together: edges with more than two of them, surfaces that close, surfaces that cross
/// themselves. Decided exactly (shape::checkMesh), O(n log n); crossings are not looked for in
/// meshes of more than 200,000 faces.
void auditMesh(const shape::Shape& shape, std::vector<Finding>& found);

}  // namespace scree::mesh

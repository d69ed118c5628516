// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/surface_mesh.hpp"

#include <cstddef>

namespace scree::shape {

struct CoplanarMerge {
  SurfaceMesh mesh;          ///< polygons; vertices inside a face or on a straight side are gone
  double flatness = 0.0;     ///< [L] farthest vertex, dropped ones too, from the plane of its face
  std::size_t pieces = 0;    ///< faces more than there are planes: what had holes, cut up
  std::size_t unmerged = 0;  ///< faces left as they were, since no simple polygon came of them
};

/// Neighbouring faces in one plane become one polygon: a wall of 1,200 triangles one face.
///
/// A face joins the plane of the largest one it is connected with where their normals are within
/// `degrees` of each other, or where all its corners are within 1e-7 of the size of that plane
/// (what single-precision coordinates leave uncertain) and it does not fold back. Edges inside a
/// plane vanish, corners that two faces or one share along a straight side too (to the same 1e-7),
/// the others stay where they are, so a closed mesh stays closed and no gap opens.
///
/// Each face of the result is a simple polygon (isSimple, exact) bounded by one line: a plane with
/// a hole is cut into pieces without one. With more than a few degrees faces are polygons whose
/// corners are off their plane by up to `flatness`.
/// O(n log n).
/// @param degrees  in [0, 60)
CoplanarMerge mergedCoplanar(const SurfaceMesh& mesh, double degrees);

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "vtk/poly_piece.hpp"

#include "scree/shape/shape.hpp"

#include <vector>

namespace scree::tools {

/// What is drawn of one shape, in the body frame at homothety 1. Cells count from its first point.
struct Outline {
  std::vector<Vec3> points;   ///< [L]
  std::vector<Vec3> normals;  ///< unit, outwards, one per point; empty where there are none
  vtp::Cells vertices, lines, polygons;
};

/// The rounded surface. That of a convex solid encloses the exact volume. Points inside the arcs
/// move outwards by a few percent of the radius, to restore what chords cut off. Points of faces
/// stay where they are. A ball or a rod gets finer arcs and keeps its radius at every point, for a
/// volume within 1 % from fineness 3 on.
/// @param fineness  segments of an arc of 90 degrees; one of 64 degrees or less gets a third fewer
Outline roundedOutline(const shape::Shape& shape, int fineness);
/// The skeleton: faces; edges that bound no face as lines; vertices of neither as vertices.
Outline skeletonOutline(const shape::Shape& shape);
/// The six faces of its oriented box.
Outline boxOutline(const shape::Shape& shape);

}  // namespace scree::tools

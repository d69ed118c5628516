// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <cstddef>
#include <span>

namespace scree::shape::detail {

/// Faces of a file, wound so that they bound a solid, where they can.
struct WoundFaces {
  Polygons faces;  ///< closed: counter-clockwise seen from outside, cavities the other way about
  bool closed = false;
  bool turned = false;        ///< some had to be turned
  std::size_t openEdges = 0;  ///< of an open mesh: edges with an odd number of faces, 1 at least
};

/// Faces close where they run through each edge as often one way as the other. They may do so as
/// given or, where each edge has two faces, once some are turned. A part inside an odd number of
/// others bounds a cavity, as rays would count it.
WoundFaces woundFaces(std::span<const Vec3> vertices, const Polygons& faces);

}  // namespace scree::shape::detail

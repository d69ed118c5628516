// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arrays.hpp"
#include "outline.hpp"
#include "scene.hpp"
#include "vtk/poly_piece.hpp"

#include <span>

namespace scree::tools {

/// One body as it is drawn, possibly an image of it in a periodic cell.
struct DrawnBody {
  std::size_t body = 0;
  Vec3 shift = Vec3::Zero();  ///< [L] of the image; 0: the body itself
};

/// Whether 32-bit coordinates, good to 6e-8 of themselves, are too coarse for bodies so small.
bool farFromOrigin(const Scene& scene);

struct BodyDrawing {
  Outline DrawnShape::*outline = &DrawnShape::rounded;
  bool images = false;         ///< with what reaches into the periodic cell
  bool normals = false;        ///< with point normals, where the outline has them
  bool doublePoints = false;   ///< else 32-bit coordinates, unless the bodies stand too far away
  bool faceLoads = false;      ///< with the loads on faces; the outline is then the skeleton
  bool sumsOfContacts = true;  ///< with the array `coordination`, where it is there by default
};

/// Bodies as cells, each with the arrays of its body.
///
/// The same cells draw bodies of one shape, some dozens of bodies to a part of the piece. So a file
/// holds those cells once. Bodies whose shape few others have share the first part. Order of the
/// bodies: those of the first part as given, then shape by shape. The other parts are made when
/// they are written: `scene` and `arrays` must live until then.
vtp::PolyPiece bodyCells(const Scene& scene, std::span<const DrawnBody> bodies,
                         const ArrayChoice& arrays, const BodyDrawing& drawing);

}  // namespace scree::tools

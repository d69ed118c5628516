// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arrays.hpp"
#include "body_cells.hpp"
#include "scene.hpp"
#include "vtk/poly_piece.hpp"

#include <string>

namespace scree::tools {

enum class Bodies { unbound, driven };  ///< which of them: those that move by forces, or the others

/// One point a body, all bodies in the order of the conf-file.
vtp::PolyPiece centresPiece(const Scene& scene, const ArrayChoice& arrays);
/// Surfaces, skeletons or boxes of the bodies, as `drawing` says.
vtp::PolyPiece bodiesPiece(const Scene& scene, const ArrayChoice& arrays, Bodies which,
                           const BodyDrawing& drawing);
/// One point a contact, in the order of the conf-file.
vtp::PolyPiece contactsPiece(const Scene& scene, const ArrayChoice& arrays);
/// One line a pair of touching bodies, with points of its own, so that tubes may vary in radius.
vtp::PolyPiece chainsPiece(const Scene& scene, const ArrayChoice& arrays);
/// One shape in its body frame at homothety 1, for glyphs.
/// @param doubles  coordinates with 64 bits
vtp::PolyPiece shapePiece(const DrawnShape& shape, std::size_t index, bool doubles);

/// Adds what is true of the file as a whole: TimeValue, conf_index, source, program, units,
/// shape_names.
/// @param source  name of the conf-file, without folders
void addFileFields(vtp::PolyPiece& piece, const sim::Conf& conf, const std::string& source);

}  // namespace scree::tools

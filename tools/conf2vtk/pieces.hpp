// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arrays.hpp"
#include "scene.hpp"
#include "vtk/poly_piece.hpp"

#include <string>
#include <vector>

namespace scree::tools {

/// One body as it is drawn, possibly an image of it in a periodic cell.
struct DrawnBody {
  std::size_t body = 0;
  Vec3 shift = Vec3::Zero();  ///< [L] of the image; 0: the body itself
};

/// Bodies in the order of the conf-file, without those that a selection leaves out.
/// @param withImages  moves those that are not driven into the periodic cell, if there is one; all
/// of their images that reach into it follow each
std::vector<DrawnBody> drawnBodies(const Scene& scene, bool withImages);

/// Surfaces, skeletons or boxes of bodies, each with the arrays of its body.
///
/// Bodies of one shape share their cells, some dozens of bodies to a part of the piece. So a file
/// holds those cells once. Bodies whose shape few others have share the first part. Order of the
/// bodies: those of the first part as given, then shape by shape. The other parts are made when
/// they are written: `scene` and `arrays` must live until then.
/// @param unbound  bodies that move by forces; else driven ones, without `coordination` by default
/// @param images   with what reaches into the periodic cell
vtp::PolyPiece bodiesPiece(const Scene& scene, const ArrayChoice& arrays, bool unbound,
                           Outline DrawnShape::*outline, bool images = false);
/// One point a body, all bodies in the order of the conf-file.
vtp::PolyPiece centresPiece(const Scene& scene, const ArrayChoice& arrays);
/// One point a contact, in the order of the conf-file.
vtp::PolyPiece contactsPiece(const Scene& scene, const ArrayChoice& arrays);
/// One line a pair of touching bodies, with points of its own, so that tubes may vary in radius.
vtp::PolyPiece chainsPiece(const Scene& scene, const ArrayChoice& arrays);
/// A line a bond: centre, bond, centre.
vtp::PolyPiece bondsPiece(const Scene& scene, const ArrayChoice& arrays);
/// One shape in its body frame at homothety 1, for glyphs.
/// @param doubles  coordinates with 64 bits
vtp::PolyPiece shapePiece(const DrawnShape& shape, std::size_t index, bool doubles);
/// The twelve edges of the periodic cell.
vtp::PolyPiece cellPiece(const Scene& scene);

/// Adds what holds for the whole file: TimeValue, conf_index, source, program, units, shape_names.
/// @param source  name of the conf-file, without folders
void addFileFields(vtp::PolyPiece& piece, const sim::Conf& conf, const std::string& source);

/// A flat or round wall as it is drawn.
struct Wall {
  std::int32_t id = 0;    ///< of the driven body; -1 - k for the round wall k
  std::int32_t kind = 0;  ///< 0 flat, 1 ball, 2 cylinder, 3 cone, 4 plane
  std::uint32_t group = 0;
  double radius = 0.0;       ///< [L] of the round wall, or of the rounding of a flat one
  std::vector<Vec3> points;  ///< [L] global; of a round wall at its radius
  shape::Polygons polygons;  ///< of a round wall seen from inside, of a flat one its faces
};

/// Whether there is any: a round wall, or a driven body whose skeleton is flat.
bool hasWalls(const sim::Conf& conf, const DrawnShapes& shapes);
/// Flat ones in the order of the bodies, then round ones. A cylinder without ends is drawn along
/// all bodies, as long as they reach.
std::vector<Wall> wallsOf(const Scene& scene);
vtp::PolyPiece wallsPiece(const Scene& scene);

}  // namespace scree::tools

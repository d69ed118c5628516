// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scene.hpp"
#include "vtk/poly_piece.hpp"

namespace scree::tools {

/// A flat or round wall: what bodies do to it, and how it is drawn.
struct Wall {
  std::int32_t id = 0;    ///< of the driven body; -1 - k for the round wall k
  std::int32_t kind = 0;  ///< 0 flat, 1 ball, 2 cylinder, 3 cone, 4 plane
  std::uint32_t group = 0;
  double radius = 0.0;  ///< [L] of the round wall, or of the rounding of a flat one
  double area = 0.0;    ///< [L²] between the other walls (sim::WallPressure), else as it is drawn
  Vec3 force = Vec3::Zero();  ///< [F] of all contacts on the wall
  double normalForce = 0.0;   ///< [F] sum of the normal forces
  double pressure = 0.0;      ///< [F/L²] normal force over `area`
  std::vector<Vec3> points;   ///< [L] global; of a round wall at its radius
  shape::Polygons polygons;   ///< of a round wall seen from inside, of a flat one its faces
};

/// Whether a body is driven and its skeleton is flat.
bool isFlatWall(const sim::Conf& conf, const DrawnShapes& shapes, std::size_t body);
/// Whether there is any: a round wall, or a driven body whose skeleton is flat.
bool hasWalls(const sim::Conf& conf, const DrawnShapes& shapes);
/// Flat ones in the order of the bodies, then round ones. A cylinder without ends is drawn along
/// all bodies, as long as they reach.
std::vector<Wall> wallsOf(const Scene& scene);

vtp::PolyPiece wallsPiece(const Scene& scene);
/// The twelve edges of the periodic cell.
vtp::PolyPiece cellPiece(const Scene& scene);
/// Corner k of the cell: bits of k choose the vectors.
Vec3 cellCorner(const sim::PeriodicCell& cell, int k);

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
// Solids cut into cells that fill them: Voronoi tessellations and blocks between joints.
#pragma once

#include "scree/base/parallel.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/sim/model/surroundings.hpp"
#include "scree/sim/pack/body_plan.hpp"
#include "scree/sim/pack/container.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// The plane of a face of a cell: `normal . x = offset`.
struct CellSide {
  Vec3 normal = Vec3::Zero();  ///< unit, outward
  double offset = 0.0;         ///< [L]
  int set = -1;                ///< index of the joint set that it belongs to; below 0: none
};

/// One cell: a closed polyhedron. Two cells that share a face hold the same plane for it.
struct Cell {
  std::vector<CellSide> sides;  ///< one for each face
  shape::SurfaceMesh mesh;      ///< polygons, counter-clockwise seen from outside
  bool convex = true;
  std::vector<CellSide> cuts;    ///< planes that cut it out of a solid, where that is not convex
  shape::SurfaceMesh skeleton;   ///< of its rounded body, once that is made
  double volume = 0.0;           ///< [L³]
  Vec3 centroid = Vec3::Zero();  ///< [L]
};

/// The polyhedron where `normal . x <= offset` for all sides, or none where that is empty,
/// unbounded, or has no volume to rounding (1e-12 of that of `around`). Sides that do not bound it
/// are left out. Corners lie on their planes to rounding. A few microseconds (voro++).
/// @param around  encloses it
std::optional<Cell> convexCell(std::span<const CellSide> sides, const shape::Aabb& around);

/// A convex cell with its sides moved in by a radius; none where no ball of it fits.
std::optional<Cell> insetCell(const Cell& cell, double radius);
/// Whether such a ball fits; of a cell that is not convex nothing is known, and true.
bool hasRoom(const Cell& cell, double radius);

/// The parts of a solid that planes cut out, largest first.
/// @param triangles  closed mesh of the solid
/// @param known  planes of its faces
std::vector<Cell> partsBehind(const shape::SurfaceMesh& triangles, std::span<const CellSide> cuts,
                              std::span<const CellSide> known);

shape::Aabb boundingBox(const Cell& cell);

/// The space in a container as one cell. A cylinder is a prism of 36 sides and a ball a polyhedron
/// of 300, each of the volume of the round one.
/// @throws UsageError for a hopper
Cell cellOf(const Container& container);

/// The rounded body of a shape, or of its skeleton where that is not convex, as one cell.
/// @throws GeometryError where the shape bounds no solid
Cell cellOf(const shape::Shape& shape);

struct Tessellation {
  std::vector<Cell> cells;
  std::optional<Cell> solid;       ///< the whole, where it is not convex
  PeriodicCell period;             ///< of a tessellation that repeats
  double volume = 0.0;             ///< [L³] of the solid
  std::size_t merged = 0;          ///< cells without room that went into their neighbours
  std::vector<std::string> notes;  ///< what came of the options, a line each
};

struct VoronoiOptions {
  std::size_t cells = 0;
  int relax = 0;  ///< rounds in which each seed moves to the centre of its cell
  std::optional<SizeGrading> grading{};  ///< of cells, as diameters of balls of their volume
  Measure gradingBy = Measure::mass;
  Vec3 stretch = Vec3::Ones();  ///< cells are so much longer along x, y, z
  double radius = 0.0;          ///< [L] of the ball that fits into each cell
  std::uint64_t seed = 1;
  Progress progress{};
};

/// Voronoi cells of points that are uniform in the container (voro++). With a grading they are
/// radical cells, whose weights are adjusted until each has its share of the volume. Of a cell
/// without room for a ball of the radius the seed is taken out: its neighbours fill its place. A
/// cell that a mesh cuts becomes several. O(n); each cell on a mesh costs O(triangles).
/// @throws UsageError for options that cannot be met; where half of the cells have no room
Tessellation voronoi(const Container& container, const VoronoiOptions& options);

/// Reads a tessellation of Neper (`.tess`, in three dimensions).
/// @throws ParseError with the line of what is wrong
Tessellation readTess(TextReader text);

/// Parallel or scattered joints. Angles are those of geologists, in degrees; y is up, x is east and
/// -z is north.
struct JointSet {
  double dip = 0.0;        ///< below the horizontal, 0 to 90
  double direction = 0.0;  ///< of the dip, clockwise from north
  double spacing = 0.0;    ///< [L] mean distance of neighbours, along the mean normal
  double spread = 0.0;  ///< [degrees] angular standard deviation of normals (Fisher); 0: parallel
  bool exponential = false;                     ///< spacings have an exponential distribution
  std::vector<std::size_t> ends{};              ///< earlier sets (from 1) at which its joints end
  std::optional<double> tensile{}, cohesion{};  ///< [F/L²] of the bonds across it

  /// Reads `DIP,DIPDIR,SPACING[,SPREAD][:WORD,...]`; words are exponential, ends=K[+K...],
  /// tensile=S and cohesion=C. @throws UsageError
  static JointSet parse(const std::string& text);
};

struct Joint {
  Vec3 normal = Vec3::UnitY();  ///< unit
  Vec3 point = Vec3::Zero();    ///< [L]
  double radius = HUGE_VAL;     ///< [L] of a disc about `point`
  int set = 0;
};
/// Unit normal, upwards, of a plane of this dip and direction [degrees].
Vec3 jointNormal(double dip, double direction);
/// Reads a table with the columns x,y,z,dip,dipdir and, where given, radius and set (from 1).
std::vector<Joint> readJoints(TextReader text);

/// Cuts a solid along joints, one set after the other. The first joint of a set is one spacing
/// above the lowest point of the solid along the mean normal. A set that ends at others gets
/// joints of its own in each region between those. A disc cuts the blocks whose section it covers
/// the centre of. A joint passes over a convex block where it would leave a part without room for a
/// ball of `radius` [L]: that part stays with the one behind the joint. O(joints x blocks).
/// @throws UsageError where a set cuts nothing
Tessellation cutByJoints(const Cell& solid, std::span<const JointSet> sets,
                         std::span<const Joint> joints, double radius, std::uint64_t seed,
                         const Progress& progress = {});

}  // namespace scree::sim

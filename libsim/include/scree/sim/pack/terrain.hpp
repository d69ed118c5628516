// SPDX-License-Identifier: GPL-3.0-or-later
// Terrains: surfaces on which bodies fall, and their heights. Axis y is up, x is east, -z is north.
#pragma once

#include "scree/base/error.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/sim/pack/packing.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace scree::sim {

/// Values at the centres of the cells of a raster, as ESRI ASCII grids hold them.
struct HeightGrid {
  std::size_t columns = 0, rows = 0;
  double west = 0.0, south = 0.0;  ///< [L] x and -z of the outer corner of the cells
  double cell = 0.0;               ///< [L] side of a cell
  std::vector<double> values;      ///< [L] row by row, the northernmost first; nan: unknown

  double x(std::size_t column) const { return west + (static_cast<double>(column) + 0.5) * cell; }
  double z(std::size_t row) const {
    return -south - (static_cast<double>(rows - row) - 0.5) * cell;
  }
};
/// A grid of unknown values. @throws ModelError for more than 1e8 cells
HeightGrid unknownGrid(double columns, double rows, double west, double south, double cell);
/// Reads a grid whose header has, in any order and case: `ncols`, `nrows`, `xllcorner` or
/// `xllcenter`, `yllcorner` or `yllcenter`, `cellsize`, and `nodata_value` (-9999). Unknown heights
/// may be `nan`, too.
HeightGrid readGrid(TextReader in);
std::string gridText(const HeightGrid& grid);

/// A surface of a terrain, whose faces belong to one group of driven bodies.
struct TerrainSource {
  std::string name;
  shape::SurfaceMesh mesh;
  std::uint32_t group = 0;
};
/// Reads a mesh, or a grid as two triangles for each four neighbours that are all known.
/// @param force  also a mesh with bytes or elements that nothing explains
shape::SurfaceMesh readTerrain(const std::string& path, bool force, Diagnostics& diagnostics);

/// Points in plan: a table with the columns x and z.
std::vector<Vec2> readPoints(const std::string& path);

/// A part of a terrain that is a group of its own: faces whose middle is inside an outline in plan.
struct TerrainZone {
  std::vector<Vec2> outline;  ///< [L] x, z of its corners, in order
  std::uint32_t group = 0;
};

struct TerrainOptions {
  double radius = 0.0;           ///< [L] of the rounding, above 0
  std::optional<double> tile{};  ///< [L] side of a square of each body; empty: one for each group
  std::vector<TerrainZone> zones{};  ///< of a later one the faces that both have
  int threads = 1;
};
/// Driven bodies that are surfaces: one for each group and tile, which has the faces whose middle
/// is in it. Neighbouring faces in one plane, but for rounding errors, become one. An edge between
/// two bodies belongs to one of them, but both have its ends.
/// @throws ModelError for a zone without faces
Packing terrainOf(std::span<const TerrainSource> sources, const TerrainOptions& options);

/// A triangle of a terrain with its rounding. A segment or a point where corners coincide.
struct TerrainTriangle {
  Vec3 a, b, c;         ///< [L]
  double radius = 0.0;  ///< [L]
};
/// Adds the faces of a placed shape; without faces its edges, and without those its vertices.
/// @param body  its pose in the frame of `shape`; its index of a shape does not count
void addTriangles(const shape::Shape& shape, const PlacedBody& body,
                  std::vector<TerrainTriangle>& triangles);

/// The surfaces of driven bodies, seen from above. O(n log n) to make; several threads may call it.
class HeightField {
 public:
  explicit HeightField(std::vector<TerrainTriangle> triangles);

  const shape::Aabb& box() const { return box_; }  ///< [L] of the triangles, without rounding
  std::span<const TerrainTriangle> triangles() const { return triangles_; }

  /// [L] y of the highest point of the triangles, without their rounding, on the vertical through
  /// x, z; none where there is no triangle. Triangles that share an edge leave no gap. O(log n)
  std::optional<double> heightAt(double x, double z) const;

  /// [L] The least y from which on the shape touches nothing, all the way up, with its origin at
  /// (x, y, z): where it would first touch when let down from above. Roundings of both count.
  /// Exact but for rounding errors, some 1e-15 of the sizes; faces that are not flat count as their
  /// triangles. None where nothing is below. O(log n) and, for each near triangle, O(sub-elements).
  /// @param shape  in its body frame, if q is an orientation of a conf-file
  std::optional<double> clearHeight(const shape::Shape& shape, double homothety, const Quat& q,
                                    double x, double z) const;

 private:
  std::vector<TerrainTriangle> triangles_;
  shape::AabbTree tree_;
  shape::Aabb box_;
  double mostRadius_ = 0.0;
};

/// The heights of a field on a raster whose cells have their centres from its south-west corner on.
HeightGrid gridOf(const HeightField& field, double cell);

}  // namespace scree::sim

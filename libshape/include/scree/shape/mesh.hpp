// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::shape {

/// Vertices and polygonal faces, as mesh files hold them.
struct SurfaceMesh {
  std::vector<Vec3> vertices;  ///< [L]
  Polygons faces;  ///< wound as in the file: by convention counter-clockwise seen from outside
};

/// Each edge of the faces once, lower index first, sorted.
std::vector<Edge> edgesOf(const Polygons& faces);
/// The edges that are not sides of a face, in their order. O(n log n)
std::vector<Edge> freeEdges(std::span<const Edge> edges, const Polygons& faces);

/// Vertices within `distance` of each other become one (the first); 0 joins equal ones alone. Faces
/// left with fewer than three corners are dropped.
SurfaceMesh welded(const SurfaceMesh& mesh, double distance);

/// Drops the vertices that no face uses; the others keep their order.
SurfaceMesh withoutLooseVertices(const SurfaceMesh& mesh);

enum class MeshFormat { guess, stl, obj, ply, off };

/// Format by the ending of a file name; `guess` for an unknown one.
MeshFormat meshFormatOf(std::string_view name);

/// Tolerance of a reader, and the deviations from the format that it met.
struct MeshReading {
  bool force = false;  ///< read the facets that a file has, even if it announces another number
  std::vector<std::string> deviations;  ///< each kind once
  void add(std::string what) {
    if (std::ranges::find(deviations, what) == deviations.end())
      deviations.push_back(std::move(what));
  }
  /// One warning of all deviations; empty if there are none.
  std::string warning() const;
};

/// Reads a mesh from the bytes of a file: STL (ASCII, binary), OBJ, PLY (ASCII, binary of either
/// byte order), OFF. Normals, colours, textures and groups are passed over.
///
/// Equal vertices become one, in order of first appearance, and vertices that no face uses are left
/// out. A face that names one vertex twice in a row loses it. A face left with fewer than three
/// corners is dropped. None of this opens a closed mesh.
///
/// @param name     as messages should call the file. Its ending tells the format, or else the
///                 content does. Whether an STL file is binary follows from its size alone.
/// @param reading  gets the deviations from the format that were tolerated; may be null
/// @throws ParseError with line and column, or the byte in a binary file. Refused are a broken
/// record, a number that is not finite, a vertex that is not there, another number of facets than
/// announced (without `force`), and no face.
SurfaceMesh readMesh(const std::string& name, std::string_view bytes,
                     MeshReading* reading = nullptr);
/// @param path  "-" is standard input. @throws also IoError
SurfaceMesh readMeshFromFile(const std::string& path, MeshReading* reading = nullptr);

/// The bytes of a mesh file that `readMesh` takes back. OBJ, PLY and OFF hold vertices to the bit
/// and faces as polygons. STL holds triangles, in single precision.
/// @param name   of the body, as the file may tell it; one word
/// @param edges  lines beside the faces; written to OBJ
/// @throws GeometryError where single precision cannot hold a coordinate
std::string meshBytes(const SurfaceMesh& mesh, MeshFormat format, const std::string& name = "mesh",
                      std::span<const Edge> edges = {});

/// Appends the triangles of a polygon, on its own corners and with its winding. Ears are cut off in
/// the projection along the axis nearest to its normal, with exact predicates. A polygon that
/// crosses itself there is cut into a fan, which is bounded by the same edges.
/// O(n) for convex polygons, O(n r) with r reflex corners, O(n² r) at worst.
void triangulate(std::span<const Vec3> vertices, std::span<const std::uint32_t> polygon,
                 std::vector<std::array<std::uint32_t, 3>>& triangles);

/// All faces as triangles. If the corners of a face are not in one plane, this is one of several
/// possible surfaces; mass and core use another one, the fan about the mean of the corners.
std::vector<std::array<std::uint32_t, 3>> trianglesOf(const SurfaceMesh& mesh);
SurfaceMesh triangulated(const SurfaceMesh& mesh);

/// Whether a polygon, seen along the axis nearest to its normal, neither crosses nor touches itself
/// nor runs back along itself. Exact. O(n log n) as a rule.
bool isSimple(std::span<const Vec3> vertices, std::span<const std::uint32_t> polygon);

/// Three axes in a settled order and with settled signs.
struct SettledAxes {
  Mat3 axes = Mat3::Identity();        ///< columns; right-handed
  std::array<int, 3> source{0, 1, 2};  ///< column k came from column source[k]
};

/// Axes of a body are known up to their order and signs. Of all right-handed choices, this takes
/// the one closest to the frame they are written in. So a body turned a little has axes turned a
/// little. Ties are broken by index, never by rounding.
SettledAxes closestToFrame(const Mat3& axes);

/// Right-handed axes with a given unit vector as first column. The second is the axis of the frame
/// that is closest to perpendicular to it, projected.
Mat3 axesAlong(const Vec3& direction);

/// Unit quaternion, w >= 0, of a proper rotation matrix; exact identity for the identity.
Quat quaternionOf(const Mat3& rotation);

}  // namespace scree::shape

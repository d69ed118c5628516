// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/surface_mesh.hpp"

#include <span>
#include <string>
#include <string_view>

namespace scree::shape {

enum class MeshFormat { guess, stl, obj, ply, off };

/// Reads a mesh from the bytes of a file: STL (ASCII, binary), OBJ, PLY (ASCII, binary of either
/// byte order), OFF. Normals, colours, textures and groups are passed over.
///
/// STL repeats its vertices: equal ones (to the bit) become one, in order of first appearance. A
/// face that names one vertex twice in a row loses it, one left with fewer than three corners is
/// dropped; neither opens a closed mesh.
///
/// @param name    as messages should call the file
/// @param format  guess: by the ending of `name`, else by the content; whether an STL file is
/// binary
///                is told by its size, not by its first word
/// @throws ParseError with line and column, or the byte in a binary file: a broken record, a number
/// that is not finite, a vertex that is not there, more announced than the file holds, no face
SurfaceMesh readMesh(const std::string& name, std::string_view bytes,
                     MeshFormat format = MeshFormat::guess);
/// @param path  "-" is standard input. @throws also IoError
SurfaceMesh readMeshFromFile(const std::string& path, MeshFormat format = MeshFormat::guess);

struct MeshWriteOptions {
  std::string name = "mesh";        ///< of the body, as the file may tell it; one word
  bool ascii = false;               ///< STL and PLY as text; OBJ and OFF always are
  std::span<const Vec3> normals{};  ///< one a vertex, or none; written to OBJ and PLY
  std::span<const Edge> edges{};    ///< lines beside the faces; written to OBJ
};
/// The bytes of a mesh file that `readMesh` takes back: vertices to the bit and faces as polygons
/// in OBJ, PLY and OFF; triangles in STL, to the bit where it is text, in single precision where it
/// is binary.
/// @throws GeometryError where single precision cannot hold a coordinate
std::string meshBytes(const SurfaceMesh& mesh, MeshFormat format,
                      const MeshWriteOptions& options = {});

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/shape/surface_mesh.hpp"

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

}  // namespace scree::shape

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/text_reader.hpp"
#include "scree/shape/mesh.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace scree::shape::detail {

SurfaceMesh readStl(const std::string& name, std::string_view bytes, MeshReading& notes);
SurfaceMesh readObj(const std::string& name, std::string_view bytes, MeshReading& notes);
SurfaceMesh readPly(const std::string& name, std::string_view bytes, MeshReading& notes);
SurfaceMesh readOff(const std::string& name, std::string_view bytes, MeshReading& notes);

/// Adds a face, or notes that it has fewer than three corners.
void addFace(SurfaceMesh& mesh, std::span<const std::uint32_t> corners, MeshReading& notes);
/// The text from its first letter on, without byte-order mark.
std::string_view withoutMark(std::string_view bytes);
/// Whether the size of a file is the one that a binary STL file of its triangle count has.
bool isBinaryStl(std::string_view bytes);

/// A complaint about a place in a binary file.
ParseError errorAtByte(const std::string& name, std::size_t byte, const std::string& message);

}  // namespace scree::shape::detail

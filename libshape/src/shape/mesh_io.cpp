// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/mesh_readers.hpp"

#include "scree/base/files.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace scree::shape {
namespace {

std::string lowCase(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

MeshFormat formatOf(const std::string& name, std::string_view bytes) {
  const std::string low = lowCase(name);
  if (low.ends_with(".stl")) return MeshFormat::stl;
  if (low.ends_with(".obj")) return MeshFormat::obj;
  if (low.ends_with(".ply")) return MeshFormat::ply;
  if (low.ends_with(".off")) return MeshFormat::off;
  if (detail::isBinaryStl(bytes)) return MeshFormat::stl;
  const std::size_t first = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  const std::string head = lowCase(bytes.substr(first, 64));
  if (head.starts_with("solid")) return MeshFormat::stl;
  if (head.starts_with("ply")) return MeshFormat::ply;
  if (head.substr(0, head.find_first_of(" \t\r\n")).ends_with("off")) return MeshFormat::off;
  for (const char* word : {"v ", "vn ", "vt ", "#", "o ", "g ", "mtllib ", "s "})
    if (head.starts_with(word)) return MeshFormat::obj;
  throw ParseError({name, 0, 0}, "unknown mesh format: expected STL, OBJ, PLY or OFF");
}

}  // namespace

namespace detail {

ParseError errorAtByte(const std::string& name, std::size_t byte, const std::string& message) {
  return ParseError({name, 0, 0}, fmt::format("at byte {}: {}", byte, message));
}

}  // namespace detail

SurfaceMesh readMesh(const std::string& name, std::string_view bytes, MeshFormat format) {
  if (format == MeshFormat::guess) format = formatOf(name, bytes);
  SurfaceMesh mesh;
  switch (format) {
    case MeshFormat::stl:
      mesh = detail::readStl(name, bytes);
      break;
    case MeshFormat::obj:
      mesh = detail::readObj(name, bytes);
      break;
    case MeshFormat::ply:
      mesh = detail::readPly(name, bytes);
      break;
    case MeshFormat::off:
      mesh = detail::readOff(name, bytes);
      break;
    case MeshFormat::guess:
      break;
  }
  Polygons faces;
  std::vector<std::uint32_t> corners;
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    corners.clear();
    for (const std::uint32_t c : mesh.faces[f])
      if (corners.empty() || corners.back() != c) corners.push_back(c);
    while (corners.size() > 1 && corners.back() == corners.front()) corners.pop_back();
    if (corners.size() >= 3) faces.add(corners);
  }
  mesh.faces = std::move(faces);
  if (mesh.faces.empty()) throw ParseError({name, 0, 0}, "the mesh has no face");
  return mesh;
}

SurfaceMesh readMeshFromFile(const std::string& path, MeshFormat format) {
  return readMesh(inputName(path), readFile(path), format);
}

}  // namespace scree::shape

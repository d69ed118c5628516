// SPDX-License-Identifier: GPL-3.0-or-later
// OBJ and OFF.
#include "detail/mesh_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace scree::shape::detail {
namespace {

/// The vertex of "v", "v/vt", "v//vn" or "v/vt/vn", counted from 1, or from the end where negative.
std::uint32_t objCorner(TextReader& in, std::size_t vertexCount) {
  const std::string_view word = in.word("corner of a face");
  const auto index = parseInteger(word.substr(0, word.find('/')));
  if (!index)
    throw in.error(fmt::format("corner of a face: expected v, v/vt, v//vn or v/vt/vn, found '{}'",
                               word.substr(0, 40)));
  const auto count = static_cast<std::int64_t>(vertexCount);
  const std::int64_t from0 = *index < 0 ? count + *index : *index - 1;
  if (*index == 0 || from0 < 0 || from0 >= count)
    throw in.error(fmt::format("a face names vertex {}, there are {} so far", *index, count));
  return static_cast<std::uint32_t>(from0);
}

/// Moves over '#' comments to the next word.
void skipComments(TextReader& in) {
  while (!in.atEnd() && in.peek()[0] == '#') {
    in.word("comment");
    in.skipLine();
  }
}

void skipRestOfRecord(TextReader& in) {
  while (in.nextOnSameLine()) in.word("");
}

}  // namespace

SurfaceMesh readObj(const std::string& name, std::string_view bytes) {
  TextReader in(name, std::string(bytes));
  SurfaceMesh mesh;
  std::vector<std::uint32_t> corners;
  while (!in.atEnd()) {
    const std::string_view word = in.word("statement");
    if (word == "v") {
      Vec3 p;
      for (int k = 0; k < 3; ++k) {
        if (!in.nextOnSameLine()) throw in.error("v: expected three numbers on the line");
        p[k] = in.number("v");
      }
      mesh.vertices.push_back(p);
      skipRestOfRecord(in);  // a weight or a colour
    } else if (word == "f") {
      corners.clear();
      while (in.nextOnSameLine()) {
        if (in.peek()[0] == '#') break;
        corners.push_back(objCorner(in, mesh.vertices.size()));
      }
      if (corners.size() < 3)
        throw in.error(fmt::format("a face needs at least 3 corners, found {}", corners.size()));
      mesh.faces.add(corners);
      skipRestOfRecord(in);
    } else {
      skipRestOfRecord(in);
    }
  }
  return mesh;
}

SurfaceMesh readOff(const std::string& name, std::string_view bytes) {
  TextReader in(name, std::string(bytes));
  skipComments(in);
  const std::string_view magic = in.word("OFF");
  if (!magic.ends_with("OFF"))
    throw in.error(fmt::format("expected 'OFF', found '{}'", magic.substr(0, 40)));
  const bool extras = magic != "OFF";  // COFF, NOFF, STOFF: more numbers after x y z
  if (magic.find('4') != std::string_view::npos || magic.find('n') != std::string_view::npos)
    throw in.error(fmt::format("expected points in three dimensions, found '{}'", magic));
  skipComments(in);
  if (in.peek() == "BINARY") throw in.errorAtNext("binary OFF cannot be read; write it as text");
  const std::size_t vertexCount = in.count("number of vertices", 6);
  const std::size_t faceCount = in.count("number of faces", 8);
  in.integer("number of edges", 0, INT64_MAX);
  SurfaceMesh mesh;
  mesh.vertices.reserve(vertexCount);
  for (std::size_t k = 0; k < vertexCount; ++k) {
    skipComments(in);
    mesh.vertices.push_back(in.vec3("vertex"));
    if (extras) skipRestOfRecord(in);
  }
  std::vector<std::uint32_t> corners;
  const auto last = static_cast<std::int64_t>(vertexCount) - 1;
  for (std::size_t f = 0; f < faceCount; ++f) {
    skipComments(in);
    const std::size_t size = in.count("number of corners of a face", 2);
    if (size < 3) throw in.error(fmt::format("a face needs at least 3 corners, found {}", size));
    corners.clear();
    for (std::size_t c = 0; c < size; ++c)
      corners.push_back(static_cast<std::uint32_t>(in.integer("corner of a face", 0, last)));
    mesh.faces.add(corners);
    skipRestOfRecord(in);  // a colour
  }
  return mesh;
}

}  // namespace scree::shape::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/half_edges.hpp"
#include "detail/mesh_readers.hpp"

#include "scree/base/files.hpp"
#include "scree/base/text_reader.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace scree::shape {
namespace {

MeshFormat formatOf(const std::string& name, std::string_view bytes) {
  if (const MeshFormat byName = meshFormatOf(name); byName != MeshFormat::guess) return byName;
  if (detail::isBinaryStl(bytes)) return MeshFormat::stl;
  const std::string head = lowerCase(detail::withoutMark(bytes).substr(0, 64));
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> others{
      {{"# vtk", "VTK"}, {"<?xml", "VTK or another XML"}, {"<vtkfile", "VTK"}, {"$mesh", "Gmsh"}}};
  for (const auto& [begin, what] : others)
    if (head.starts_with(begin))
      throw ParseError({name, 1, 1},
                       fmt::format("a {} file: expected STL, OBJ, PLY or OFF; ParaView and meshio "
                                   "convert it",
                                   what));
  if (head.starts_with("solid") || head.starts_with("facet")) return MeshFormat::stl;
  if (head.starts_with("ply")) return MeshFormat::ply;
  if (head.substr(0, head.find_first_of(" \t\r\n0123456789")).ends_with("off"))
    return MeshFormat::off;
  for (const char* word : {"v ", "vn ", "vt ", "#", "o ", "g ", "mtllib ", "s "})
    if (head.starts_with(word)) return MeshFormat::obj;
  throw ParseError({name, 0, 0}, "unknown mesh format: expected STL, OBJ, PLY or OFF");
}

}  // namespace

namespace detail {

ParseError errorAtByte(const std::string& name, std::size_t byte, const std::string& message) {
  return ParseError({name, 0, 0}, fmt::format("at byte {}: {}", byte, message));
}

std::string_view withoutMark(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  return bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
}

void addFace(SurfaceMesh& mesh, std::span<const std::uint32_t> corners, MeshReading& notes) {
  if (corners.size() < 3)
    notes.add("faces of fewer than three corners, which were left out");
  else
    mesh.faces.add(corners);
}

}  // namespace detail

MeshFormat meshFormatOf(std::string_view name) {
  const std::string low = lowerCase(name);
  if (low.ends_with(".stl")) return MeshFormat::stl;
  if (low.ends_with(".obj")) return MeshFormat::obj;
  if (low.ends_with(".ply")) return MeshFormat::ply;
  return low.ends_with(".off") ? MeshFormat::off : MeshFormat::guess;
}

std::string MeshReading::warning() const {
  if (deviations.empty()) return {};
  return fmt::format("the file deviates from its format and was read all the same: {}",
                     fmt::join(deviations, "; "));
}

SurfaceMesh readMesh(const std::string& name, std::string_view bytes, MeshReading* reading) {
  MeshReading own;
  MeshReading& notes = reading ? *reading : own;
  if ((bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) &&
      !detail::isBinaryStl(bytes))
    throw ParseError({name, 1, 1}, "the text is UTF-16; save it as UTF-8");
  const MeshFormat format = formatOf(name, bytes);
  SurfaceMesh mesh = format == MeshFormat::stl   ? detail::readStl(name, bytes, notes)
                     : format == MeshFormat::obj ? detail::readObj(name, bytes, notes)
                     : format == MeshFormat::ply ? detail::readPly(name, bytes, notes)
                                                 : detail::readOff(name, bytes, notes);
  const std::vector<std::uint32_t> first = detail::firstEqual(mesh.vertices);
  mesh = withoutLooseVertices(detail::renumbered(std::move(mesh.vertices), mesh.faces, first));
  if (mesh.faces.empty()) throw ParseError({name, 0, 0}, "the mesh has no face");
  return mesh;
}

SurfaceMesh readMeshFromFile(const std::string& path, MeshReading* reading) {
  return readMesh(inputName(path), readFile(path), reading);
}

}  // namespace scree::shape

namespace scree::shape::detail {
namespace {

constexpr std::size_t headBytes = 84, triangleBytes = 50;
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

std::uint32_t littleEndian32(const char* p) {
  std::uint32_t value = 0;
  for (int k = 3; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(p[k]);
  return value;
}

/// Adds a face on vertices of its own.
void addFacet(SurfaceMesh& mesh, std::span<const Vec3> corners) {
  std::vector<std::uint32_t> indices(corners.size());
  std::iota(indices.begin(), indices.end(), static_cast<std::uint32_t>(mesh.vertices.size()));
  for (const Vec3& p : corners) mesh.vertices.push_back(p + Vec3::Zero());  // no negative zeros
  mesh.faces.add(indices);
}

SurfaceMesh readBinary(const std::string& name, std::string_view bytes, MeshReading& notes) {
  SurfaceMesh mesh;
  const std::size_t announced = littleEndian32(bytes.data() + 80);
  const std::size_t n = (bytes.size() - headBytes) / triangleBytes;
  if (!isBinaryStl(bytes)) {
    const std::size_t rest = bytes.size() - headBytes - n * triangleBytes;
    const std::string what =
        fmt::format("binary STL: {} triangles announced, the file holds {}{}", announced, n,
                    rest > 0 ? fmt::format(" and {} bytes more", rest) : "");
    if (!notes.force) throw errorAtByte(name, 80, what + "; --force reads these");
    notes.add(what);
  }
  for (std::size_t t = 0; t < n; ++t) {
    std::array<Vec3, 3> corners;
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = headBytes + triangleBytes * t + 12 + 12 * c + 4 * k;
        const auto value = std::bit_cast<float>(littleEndian32(bytes.data() + at));
        if (!std::isfinite(value))
          throw errorAtByte(name, at,
                            fmt::format("triangle {}: expected a finite coordinate, found {}", t,
                                        std::isnan(value) ? "nan" : "inf"));
        corners[c][static_cast<Eigen::Index>(k)] = static_cast<double>(value);
      }
    addFacet(mesh, corners);
  }
  return mesh;
}

Vec3 coordinates(TextReader& in) {
  if (in.peek().find(',') != std::string_view::npos)
    throw in.errorAtNext(
        fmt::format("vertex: expected a number, found '{}'; numbers need a "
                    "decimal point, not a comma",
                    in.peek().substr(0, 40)));
  return in.vec3("vertex");
}

/// Reads text STL in the dialects of all exporters. Of a facet only the loop of its vertices
/// counts; other words, such as names, normals and colours, are passed over.
SurfaceMesh readText(const std::string& name, std::string_view bytes, MeshReading& notes) {
  TextReader in(name, std::string(bytes));
  SurfaceMesh mesh;
  std::vector<Vec3> corners;
  bool inLoop = false, ended = true;
  std::string before;
  while (!in.atEnd()) {
    const std::string word = lowerCase(in.word("facet").substr(0, 40));
    if (word[0] == '#') {
      in.skipLine();
    } else if (!inLoop) {
      inLoop = word == "loop" && before == "outer";
      ended = !inLoop && (ended || word == "endsolid" || (word == "solid" && before == "end"));
    } else if (word == "vertex") {
      corners.push_back(coordinates(in));
    } else if (corners.size() >= 3 && (word == "endloop" || word == "end")) {
      addFacet(mesh, corners);
      corners.clear();
      inLoop = false;
    } else {
      throw in.error(fmt::format("expected 'vertex'{}, found '{}'",
                                 corners.size() < 3 ? "" : " or 'endloop'", word));
    }
    before = word;
  }
  if (inLoop) throw in.errorAtNext("expected 'vertex' or 'endloop', found the end of the file");
  if (!ended) notes.add("no 'endsolid'");
  return mesh;
}

}  // namespace

bool isBinaryStl(std::string_view bytes) {
  return bytes.size() >= headBytes &&
         bytes.size() == headBytes + triangleBytes * std::size_t{littleEndian32(bytes.data() + 80)};
}

SurfaceMesh readStl(const std::string& name, std::string_view bytes, MeshReading& notes) {
  if (isBinaryStl(bytes)) return readBinary(name, bytes, notes);
  if (bytes.starts_with(byteOrderMark) && isBinaryStl(bytes.substr(byteOrderMark.size()))) {
    notes.add("a byte-order mark in front of binary data");
    return readBinary(name, bytes.substr(byteOrderMark.size()), notes);
  }
  const std::size_t last = bytes.find_last_not_of(std::string_view("\0\x1a \t\r\n", 6));
  const std::string_view text = bytes.substr(0, last == std::string_view::npos ? 0 : last + 1);
  if (text.find('\0') == std::string_view::npos) return readText(name, text, notes);
  if (bytes.size() < headBytes)
    throw ParseError({name, 0, 0},
                     fmt::format("not an STL file: neither text nor the {} bytes of a binary "
                                 "header (the file has {})",
                                 headBytes, bytes.size()));
  return readBinary(name, bytes, notes);
}

// OBJ and OFF.
namespace {

/// A reader of the text, comments blanked out.
TextReader withoutComments(const std::string& name, std::string_view bytes) {
  std::string text(bytes);
  for (std::size_t at = 0; (at = text.find('#', at)) != std::string::npos;)
    while (at < text.size() && text[at] != '\n' && text[at] != '\r') text[at++] = ' ';
  return {name, std::move(text)};
}

/// Whether the record goes on: on the line, or behind a backslash at its end.
bool goesOn(TextReader& in) {
  if (!in.nextOnSameLine()) return false;
  if (in.peek() != "\\") return true;
  in.word("");
  return !in.atEnd();
}
void skipRestOfRecord(TextReader& in) {
  while (goesOn(in)) in.word("");
}

}  // namespace

SurfaceMesh readObj(const std::string& name, std::string_view bytes, MeshReading& notes) {
  TextReader in = withoutComments(name, bytes);
  SurfaceMesh mesh;
  std::vector<std::uint32_t> corners;
  std::vector<std::pair<std::string_view, std::int64_t>>
      ahead;  // corners named before their vertex
  const auto missing = [&](std::string_view word, std::int64_t index) {
    return in.errorAt(
        word, fmt::format("a face names vertex {}, there are {}", index, mesh.vertices.size()));
  };
  while (!in.atEnd()) {
    const std::string_view word = in.word("statement");
    if (word == "V" || word == "F") notes.add("statements in upper case");
    if (word == "v" || word == "V") {
      Vec3 p;
      for (int k = 0; k < 3; ++k) {
        if (!goesOn(in)) throw in.error("v: expected three numbers on the line");
        p[k] = in.number("v");
      }
      mesh.vertices.push_back(p);
    } else if (word == "f" || word == "F" || word == "fo") {  // fo: a face, in old files
      corners.clear();
      while (goesOn(in)) {
        // v, v/vt, v//vn or v/vt/vn, counted from 1, or from the end where negative.
        const std::string_view corner = in.word("corner of a face");
        const auto index = parseInteger(corner.substr(0, corner.find('/')));
        if (!index)
          throw in.error(
              fmt::format("corner of a face: expected v, v/vt, v//vn or v/vt/vn, found '{}'",
                          corner.substr(0, 40)));
        const auto count = static_cast<std::int64_t>(mesh.vertices.size());
        const std::int64_t from0 = *index < 0 ? count + *index : *index - 1;
        if (from0 < 0 || from0 > UINT32_MAX - 1) throw missing(corner, *index);
        if (from0 >= count) ahead.emplace_back(corner, *index);
        corners.push_back(static_cast<std::uint32_t>(from0));
      }
      addFace(mesh, corners, notes);
    }
    skipRestOfRecord(in);  // a weight, a colour, or what is not needed
  }
  for (const auto& [word, index] : ahead)
    if (index > static_cast<std::int64_t>(mesh.vertices.size())) throw missing(word, index);
  return mesh;
}

SurfaceMesh readOff(const std::string& name, std::string_view bytes, MeshReading& notes) {
  TextReader in = withoutComments(name, bytes);
  const std::string word(in.peek().substr(0, 40)), magic = lowerCase(word);
  const std::size_t off = magic.find("off");
  bool extras = off != std::string::npos && off > 0;  // COFF, NOFF, STOFF: more than x y z
  std::optional<std::int64_t> glued;
  if (off == std::string::npos) {
    if (!parseInteger(magic)) throw in.errorAtNext(fmt::format("expected 'OFF', found '{}'", word));
    notes.add("no 'OFF' in front");
  } else {
    in.word("OFF");
    if (word.substr(0, off).find_first_of("4n") != std::string::npos)
      throw in.error(fmt::format("expected points in three dimensions, found '{}'", word));
    if (magic.size() > off + 3) {
      glued = parseInteger(magic.substr(off + 3));
      if (!glued || *glued < 0) throw in.error(fmt::format("expected 'OFF', found '{}'", word));
      notes.add("'OFF' and the number of vertices in one word");
    }
    if (lowerCase(in.peek().substr(0, 7)) == "binary")
      throw in.errorAtNext("binary OFF cannot be read; write it as text");
  }
  if (glued && static_cast<std::size_t>(*glued) > bytes.size() / 6)
    throw in.error(fmt::format("number of vertices: {} are more than the file can hold", *glued));
  const std::size_t vertexCount =
      glued ? static_cast<std::size_t>(*glued) : in.count("number of vertices", 6);
  const std::size_t faceCount = in.count("number of faces", 4);
  if (in.nextOnSameLine() || in.valuesOnLine() == 1)
    in.integer("number of edges", 0, INT64_MAX);
  else
    notes.add("no number of edges");
  SurfaceMesh mesh;
  mesh.vertices.reserve(vertexCount);
  for (std::size_t k = 0; k < vertexCount; ++k) {
    if (const std::size_t values = k == 0 ? in.valuesOnLine() : 0;
        !extras && values > 3 && values < 11 && values != 9) {
      extras = true;
      notes.add("more than three numbers for a vertex");
    }
    mesh.vertices.push_back(coordinates(in));
    if (extras) skipRestOfRecord(in);
  }
  std::vector<std::uint32_t> corners;
  const auto last = static_cast<std::int64_t>(vertexCount) - 1;
  for (std::size_t f = 0; f < faceCount; ++f) {
    const std::size_t size = in.count("number of corners of a face", 2);
    corners.clear();
    for (std::size_t c = 0; c < size; ++c)
      corners.push_back(static_cast<std::uint32_t>(in.integer("corner of a face", 0, last)));
    addFace(mesh, corners, notes);
    skipRestOfRecord(in);  // a colour
  }
  if (!in.atEnd()) {
    const std::string what =
        fmt::format("OFF: {} faces announced, and more behind them", faceCount);
    if (!notes.force) throw in.error(what + "; --force reads what was announced");
    notes.add(what);
  }
  return mesh;
}

}  // namespace scree::shape::detail

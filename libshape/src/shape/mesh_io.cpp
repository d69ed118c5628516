// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/half_edges.hpp"
#include "detail/mesh_readers.hpp"

#include "scree/base/files.hpp"
#include "scree/shape/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <vector>

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
  std::vector<std::uint32_t> same(mesh.vertices.size());
  std::iota(same.begin(), same.end(), 0u);
  mesh = detail::renumbered(std::move(mesh.vertices), mesh.faces, same);
  if (mesh.faces.empty()) throw ParseError({name, 0, 0}, "the mesh has no face");
  return mesh;
}

SurfaceMesh readMeshFromFile(const std::string& path, MeshFormat format) {
  return readMesh(inputName(path), readFile(path), format);
}

}  // namespace scree::shape

namespace scree::shape::detail {
namespace {

constexpr std::size_t headBytes = 84, triangleBytes = 50;

/// Gives equal points the same index, in order of first appearance.
class Welder {
 public:
  explicit Welder(std::vector<Vec3>& points) : points_(points) {}
  std::uint32_t operator()(Vec3 p) {
    p.array() += 0.0;  // -0 and 0 are one place
    const auto [found, isNew] = index_.emplace(
        std::array{std::bit_cast<std::uint64_t>(p.x()), std::bit_cast<std::uint64_t>(p.y()),
                   std::bit_cast<std::uint64_t>(p.z())},
        static_cast<std::uint32_t>(points_.size()));
    if (isNew) points_.push_back(p);
    return found->second;
  }

 private:
  using Key = std::array<std::uint64_t, 3>;
  struct Hash {
    std::size_t operator()(const Key& k) const {
      std::uint64_t h = 0;
      for (const std::uint64_t word : k) {
        h = (h ^ word) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
      }
      return static_cast<std::size_t>(h);
    }
  };
  std::vector<Vec3>& points_;
  std::unordered_map<Key, std::uint32_t, Hash> index_;  // looked up only, never walked through
};

std::uint32_t littleEndian32(const char* p) {
  std::uint32_t value = 0;
  for (int k = 3; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(p[k]);
  return value;
}

SurfaceMesh readBinary(const std::string& name, std::string_view bytes) {
  SurfaceMesh mesh;
  Welder weld(mesh.vertices);
  const std::size_t n = littleEndian32(bytes.data() + 80);
  for (std::size_t t = 0; t < n; ++t) {
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t c = 0; c < 3; ++c) {
      Vec3 p;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = headBytes + triangleBytes * t + 12 + 12 * c + 4 * k;
        const auto value = std::bit_cast<float>(littleEndian32(bytes.data() + at));
        if (!std::isfinite(value))
          throw errorAtByte(name, at,
                            fmt::format("triangle {}: expected a finite coordinate, found {}", t,
                                        std::isnan(value) ? "nan" : "inf"));
        p[static_cast<Eigen::Index>(k)] = static_cast<double>(value);
      }
      corners[c] = weld(p);
    }
    mesh.faces.add(corners);
  }
  return mesh;
}

SurfaceMesh readAscii(const std::string& name, std::string_view bytes) {
  TextReader in(name, std::string(bytes));
  SurfaceMesh mesh;
  Welder weld(mesh.vertices);
  const auto expect = [&](const char* wanted) {
    const std::string_view word = in.word(wanted);
    if (lowCase(word.substr(0, 16)) != wanted)
      throw in.error(fmt::format("expected '{}', found '{}'", wanted, word.substr(0, 40)));
  };
  while (!in.atEnd()) {
    expect("solid");
    in.skipLine();  // the name of the solid
    for (;;) {
      const std::string word = lowCase(in.word("facet or endsolid").substr(0, 16));
      if (word == "endsolid") {
        in.skipLine();
        break;
      }
      if (word != "facet")
        throw in.error(fmt::format("expected 'facet' or 'endsolid', found '{}'", word));
      expect("normal");
      for (int k = 0; k < 3; ++k) in.word("normal");  // not used, and nan in some files
      expect("outer");
      expect("loop");
      std::array<std::uint32_t, 3> corners{};
      for (auto& corner : corners) {
        expect("vertex");
        corner = weld(in.vec3("vertex"));
      }
      expect("endloop");
      expect("endfacet");
      mesh.faces.add(corners);
    }
  }
  return mesh;
}

}  // namespace

bool isBinaryStl(std::string_view bytes) {
  return bytes.size() >= headBytes &&
         bytes.size() == headBytes + triangleBytes * std::size_t{littleEndian32(bytes.data() + 80)};
}

SurfaceMesh readStl(const std::string& name, std::string_view bytes) {
  if (isBinaryStl(bytes)) return readBinary(name, bytes);
  const std::size_t first = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  const bool solid = lowCase(bytes.substr(first, 5)) == "solid";
  if (solid && bytes.find('\0') == std::string_view::npos) return readAscii(name, bytes);
  if (bytes.size() < headBytes)
    throw ParseError({name, 0, 0},
                     fmt::format("not an STL file: neither 'solid' nor the {} bytes of a binary "
                                 "header (the file has {})",
                                 headBytes, bytes.size()));
  const std::size_t n = littleEndian32(bytes.data() + 80);
  throw errorAtByte(name, 80,
                    fmt::format("binary STL: {} triangles announced need {} bytes, the file has {}",
                                n, headBytes + triangleBytes * n, bytes.size()));
}

// OBJ and OFF.
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

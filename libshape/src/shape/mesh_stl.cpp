// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/mesh_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstring>
#include <unordered_map>

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

std::string lowCase(std::string_view word) {
  std::string out(word.substr(0, 16));
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

SurfaceMesh readAscii(const std::string& name, std::string_view bytes) {
  TextReader in(name, std::string(bytes));
  SurfaceMesh mesh;
  Welder weld(mesh.vertices);
  const auto expect = [&](const char* wanted) {
    const std::string_view word = in.word(wanted);
    if (lowCase(word) != wanted)
      throw in.error(fmt::format("expected '{}', found '{}'", wanted, word.substr(0, 40)));
  };
  while (!in.atEnd()) {
    expect("solid");
    in.skipLine();  // the name of the solid
    for (;;) {
      const std::string word = lowCase(in.word("facet or endsolid"));
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

}  // namespace scree::shape::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#include "detail/mesh_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>

namespace scree::shape::detail {
namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t bytesOf(Type type) {
  constexpr std::array<std::size_t, 8> bytes{1, 1, 2, 2, 4, 4, 4, 8};
  return bytes[static_cast<std::size_t>(type)];
}

struct Property {
  std::string name;
  Type type = Type::float32;
  std::optional<Type> countType;  ///< of a list
};
struct Element {
  std::string name;
  std::size_t count = 0;
  std::vector<Property> properties;
};
struct Header {
  enum class Encoding { ascii, little, big } encoding = Encoding::ascii;
  std::vector<Element> elements;
};

Type readType(TextReader& in) {
  // Two names of each type, in the order of Type.
  constexpr std::array<std::string_view, 16> names{
      "char", "int8",  "uchar", "uint8",  "short", "int16",   "ushort", "uint16",
      "int",  "int32", "uint",  "uint32", "float", "float32", "double", "float64"};
  const std::string_view word = in.word("type of a property");
  if (const auto* found = std::ranges::find(names, word); found != names.end())
    return static_cast<Type>((found - names.begin()) / 2);
  throw in.error(fmt::format("unknown type '{}' of a property", word.substr(0, 40)));
}

Header readHeader(TextReader& in) {
  Header header;
  if (in.word("ply") != "ply") throw in.error("expected 'ply'");
  bool formatSeen = false;
  for (;;) {
    const std::string_view word = in.word("end_header");
    if (word == "end_header") break;
    if (word == "comment" || word == "obj_info") {
      in.skipLine();
    } else if (word == "format") {
      const std::string_view format = in.word("format");
      if (format == "ascii")
        header.encoding = Header::Encoding::ascii;
      else if (format == "binary_little_endian")
        header.encoding = Header::Encoding::little;
      else if (format == "binary_big_endian")
        header.encoding = Header::Encoding::big;
      else
        throw in.error(
            fmt::format("format: expected ascii, binary_little_endian or "
                        "binary_big_endian, found '{}'",
                        format.substr(0, 40)));
      in.word("version");
      formatSeen = true;
    } else if (word == "element") {
      Element element;
      element.name = in.word("name of an element");
      element.count = static_cast<std::size_t>(in.integer("count of an element", 0, INT64_MAX));
      header.elements.push_back(std::move(element));
    } else if (word == "property") {
      if (header.elements.empty()) throw in.error("property: no element before it");
      Property property;
      if (in.peek() == "list") {
        in.word("list");
        property.countType = readType(in);
        if (*property.countType >= Type::float32)
          throw in.error("a list is counted by whole numbers");
      }
      property.type = readType(in);
      property.name = in.word("name of a property");
      header.elements.back().properties.push_back(std::move(property));
    } else {
      throw in.error(fmt::format("unknown word '{}' in a PLY header", word.substr(0, 40)));
    }
  }
  if (!formatSeen) throw in.error("the header names no format");
  return header;
}

/// The values behind the header, as text or binary.
class Body {
 public:
  Body(TextReader& in, std::string_view bytes) : in_(&in), bytes_(bytes) {}
  Body(const std::string& name, std::string_view bytes, std::size_t at, bool big)
      : name_(name), bytes_(bytes), at_(at), big_(big) {}

  double number(Type type, std::string_view what) {
    if (in_) return in_->number(what);
    const double value = take(type);
    if (!std::isfinite(value))
      throw error(fmt::format("{}: expected a finite number, found {}", what,
                              std::isnan(value) ? "nan" : "inf"));
    return value;
  }
  std::int64_t whole(Type type, std::string_view what) {
    if (in_) return in_->integer(what, INT64_MIN, INT64_MAX);
    const double value = take(type);
    if (!(std::abs(value) < 9e15) || value != std::floor(value))
      throw error(fmt::format("{}: expected a whole number", what));
    return static_cast<std::int64_t>(value);
  }
  void skip(Type type) {
    if (in_)
      in_->word("property");
    else
      take(type);
  }
  std::size_t listCount(Type type, std::size_t itemBytes) {
    if (in_) return in_->count("length of a list", 2);
    const std::int64_t n = whole(type, "length of a list");
    if (n < 0 || static_cast<std::size_t>(n) > (bytes_.size() - at_) / itemBytes)
      throw error(fmt::format("a list of {} items, the rest of the file holds {} bytes", n,
                              bytes_.size() - at_));
    return static_cast<std::size_t>(n);
  }
  bool endsBefore(std::size_t bytesPerItem) {
    return in_ ? in_->atEnd() : bytes_.size() - at_ < bytesPerItem;
  }
  /// A vertex that face `f` names.
  std::uint32_t corner(Type type, std::size_t f, std::size_t vertexCount) {
    const std::int64_t v = whole(type, "corner of a face");
    if (v < 0 || static_cast<std::uint64_t>(v) >= std::min<std::uint64_t>(vertexCount, UINT32_MAX))
      throw error(fmt::format("face {} names vertex {}, there are {}", f, v, vertexCount));
    return static_cast<std::uint32_t>(v);
  }
  void checkRoom(const Element& element, std::size_t bytesPerItem) {
    // In text a digit and a blank for each value at least.
    if (in_) bytesPerItem = 2 * element.properties.size();
    const std::size_t room =
        (bytes_.size() - at_) / std::max<std::size_t>(bytesPerItem, 1) + (in_ ? 1 : 0);
    if (bytesPerItem > 0 && element.count > room)
      throw error(fmt::format("{}: {} items announced, the file holds at most {}", element.name,
                              element.count, room));
  }
  ParseError error(const std::string& message) const {
    return in_ ? in_->error(message) : errorAtByte(name_, last_, message);
  }

 private:
  double take(Type type) {
    const std::size_t n = bytesOf(type);
    last_ = at_;
    if (bytes_.size() - at_ < n) throw error("the file ends within a record");
    std::uint64_t raw = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t from = at_ + (big_ ? k : n - 1 - k);
      raw = raw << 8 | static_cast<unsigned char>(bytes_[from]);
    }
    at_ += n;
    if (type == Type::float64) return std::bit_cast<double>(raw);
    if (type == Type::float32)
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
    const bool isSigned = type == Type::int8 || type == Type::int16 || type == Type::int32;
    const bool negative = isSigned && (raw >> (8 * n - 1)) != 0;
    return static_cast<double>(raw) - (negative ? std::ldexp(1.0, static_cast<int>(8 * n)) : 0.0);
  }

  TextReader* in_ = nullptr;  ///< of text; null: the bytes are binary
  std::string name_;
  std::string_view bytes_;
  std::size_t at_ = 0, last_ = 0;  ///< of the next value, and of the last one
  bool big_ = false;
};

bool isCorners(const Property& p) {
  return p.countType && (p.name == "vertex_indices" || p.name == "vertex_index");
}
/// 0 to 2 for a coordinate, else -1.
int axisOf(const Property& p) {
  return p.countType || p.name.size() != 1 || p.name < "x" || p.name > "z" ? -1 : p.name[0] - 'x';
}

/// Refuses an element that lacks what it needs, or that the file cannot hold.
void check(Body& body, const Element& element, std::size_t leastBytes) {
  const auto has = [&](auto&& is) { return std::ranges::any_of(element.properties, is); };
  if (element.name == "tristrips" && element.count > 0)
    throw body.error("PLY: strips of triangles (tristrips) cannot be read; write single faces");
  if (element.properties.empty() && element.count > 0)
    throw body.error(fmt::format("{}: an element without properties", element.name));
  for (int k = 0; element.name == "vertex" && k < 3; ++k)
    if (!has([&](const Property& p) { return axisOf(p) == k; }))
      throw body.error(fmt::format("vertex: property {} is missing", "xyz"[k]));
  if (element.name == "face" && element.count > 0 && !has(isCorners))
    throw body.error("face: the list vertex_indices is missing");
  if (element.name != "face") body.checkRoom(element, leastBytes);
}

SurfaceMesh readBody(Body& body, const Header& header, MeshReading& notes) {
  std::size_t vertexCount = 0;
  for (const Element& element : header.elements)
    if (element.name == "vertex") vertexCount = element.count;
  SurfaceMesh mesh;
  std::vector<std::uint32_t> corners;
  for (const Element& element : header.elements) {
    const bool isVertex = element.name == "vertex", isFace = element.name == "face";
    std::size_t least = 0;  // bytes; a face has three corners
    for (const Property& p : element.properties)
      least += bytesOf(p.countType.value_or(p.type)) +
               (isFace && isCorners(p) ? 3 * bytesOf(p.type) : 0);
    check(body, element, least);
    for (std::size_t k = 0; k < element.count; ++k) {
      if (isFace && body.endsBefore(least)) {
        const std::string what =
            fmt::format("PLY: {} faces announced, the file holds {}", element.count, k);
        if (!notes.force) throw body.error(what + "; --force reads these");
        notes.add(what);
        return mesh;
      }
      Vec3 p = Vec3::Zero();
      for (const Property& property : element.properties) {
        const int axis = isVertex ? axisOf(property) : -1;
        const bool areCorners = isFace && isCorners(property);
        const std::size_t n =
            property.countType ? body.listCount(*property.countType, bytesOf(property.type)) : 1;
        if (areCorners) corners.clear();
        for (std::size_t c = 0; c < n; ++c) {
          if (axis >= 0)
            p[axis] = body.number(property.type, "vertex");
          else if (areCorners)
            corners.push_back(body.corner(property.type, k, vertexCount));
          else
            body.skip(property.type);
        }
      }
      if (isVertex) mesh.vertices.push_back(p);
      if (isFace) addFace(mesh, corners, notes);
    }
  }
  if (!body.endsBefore(1)) {
    if (!notes.force)
      throw body.error("PLY: the file holds more than was announced; --force reads what was");
    notes.add("something behind the last element");
  }
  return mesh;
}

}  // namespace

SurfaceMesh readPly(const std::string& name, std::string_view bytes, MeshReading& notes) {
  constexpr std::string_view end = "end_header";
  std::size_t headEnd = bytes.find(end);
  if (headEnd == std::string_view::npos)
    throw ParseError({name, 0, 0}, "PLY: the header has no end (end_header)");
  headEnd += end.size();
  TextReader head(name, std::string(bytes.substr(0, headEnd)));
  const Header header = readHeader(head);
  if (header.encoding == Header::Encoding::ascii) {
    TextReader in(name, std::string(bytes));
    readHeader(in);
    Body body(in, bytes.substr(headEnd));
    return readBody(body, header, notes);
  }
  if (headEnd < bytes.size() && bytes[headEnd] == '\r') ++headEnd;
  if (headEnd < bytes.size() && bytes[headEnd] == '\n') ++headEnd;
  Body body(name, bytes, headEnd, header.encoding == Header::Encoding::big);
  return readBody(body, header, notes);
}

}  // namespace scree::shape::detail

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
  switch (type) {
    case Type::int8:
    case Type::uint8:
      return 1;
    case Type::int16:
    case Type::uint16:
      return 2;
    case Type::float64:
      return 8;
    default:
      return 4;
  }
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
  constexpr std::array<std::pair<std::string_view, Type>, 16> names{{{"char", Type::int8},
                                                                     {"int8", Type::int8},
                                                                     {"uchar", Type::uint8},
                                                                     {"uint8", Type::uint8},
                                                                     {"short", Type::int16},
                                                                     {"int16", Type::int16},
                                                                     {"ushort", Type::uint16},
                                                                     {"uint16", Type::uint16},
                                                                     {"int", Type::int32},
                                                                     {"int32", Type::int32},
                                                                     {"uint", Type::uint32},
                                                                     {"uint32", Type::uint32},
                                                                     {"float", Type::float32},
                                                                     {"float32", Type::float32},
                                                                     {"double", Type::float64},
                                                                     {"float64", Type::float64}}};
  const std::string_view word = in.word("type of a property");
  for (const auto& [name, type] : names)
    if (name == word) return type;
  throw in.error(fmt::format("unknown type '{}' of a property", word.substr(0, 40)));
}

Type readWholeType(TextReader& in) {
  const Type type = readType(in);
  if (type == Type::float32 || type == Type::float64)
    throw in.error("a list is counted by whole numbers");
  return type;
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
        property.countType = readWholeType(in);
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

/// The values of an ASCII body.
class TextBody {
 public:
  TextBody(TextReader& in, std::size_t bytes) : in_(in), bytes_(bytes) {}
  double number(Type, std::string_view what) { return in_.number(what); }
  std::int64_t whole(Type, std::string_view what) {
    return in_.integer(what, INT64_MIN, INT64_MAX);
  }
  void skip(Type) { in_.word("property"); }
  std::size_t listCount(Type, std::size_t) { return in_.count("length of a list", 2); }
  bool endsBefore(std::size_t) { return in_.atEnd(); }
  void checkRoom(const Element& element, std::size_t) {
    // A digit and a blank for each value at least.
    const std::size_t room = bytes_ / (2 * std::max<std::size_t>(element.properties.size(), 1)) + 1;
    if (element.count > room)
      throw in_.error(fmt::format("{}: {} items announced, the file holds at most {}", element.name,
                                  element.count, room));
  }
  ParseError error(const std::string& message) { return in_.error(message); }

 private:
  TextReader& in_;
  std::size_t bytes_;
};

/// The values of a binary body.
class BinaryBody {
 public:
  BinaryBody(const std::string& name, std::string_view bytes, std::size_t at, bool big)
      : name_(name), bytes_(bytes), at_(at), big_(big) {}

  double number(Type type, std::string_view what) {
    const double value = take(type);
    if (!std::isfinite(value))
      throw error(fmt::format("{}: expected a finite number, found {}", what,
                              std::isnan(value) ? "nan" : "inf"));
    return value;
  }
  std::int64_t whole(Type type, std::string_view what) {
    const double value = take(type);
    if (!(std::abs(value) < 9e15) || value != std::floor(value))
      throw error(fmt::format("{}: expected a whole number", what));
    return static_cast<std::int64_t>(value);
  }
  void skip(Type type) { take(type); }
  std::size_t listCount(Type type, std::size_t itemBytes) {
    const std::int64_t n = whole(type, "length of a list");
    if (n < 0 || static_cast<std::size_t>(n) > (bytes_.size() - at_) / itemBytes)
      throw error(fmt::format("a list of {} items, the rest of the file holds {} bytes", n,
                              bytes_.size() - at_));
    return static_cast<std::size_t>(n);
  }
  bool endsBefore(std::size_t bytesPerItem) const { return bytes_.size() - at_ < bytesPerItem; }
  void checkRoom(const Element& element, std::size_t bytesPerItem) {
    if (bytesPerItem > 0 && element.count > (bytes_.size() - at_) / bytesPerItem)
      throw error(fmt::format("{}: {} items announced, the rest of the file holds at most {}",
                              element.name, element.count, (bytes_.size() - at_) / bytesPerItem));
  }
  ParseError error(const std::string& message) const { return errorAtByte(name_, last_, message); }
  std::size_t at() const { return at_; }

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
    switch (type) {
      case Type::int8:
        return static_cast<double>(static_cast<std::int8_t>(raw));
      case Type::uint8:
        return static_cast<double>(raw);
      case Type::int16:
        return static_cast<double>(static_cast<std::int16_t>(raw));
      case Type::uint16:
        return static_cast<double>(raw);
      case Type::int32:
        return static_cast<double>(static_cast<std::int32_t>(raw));
      case Type::uint32:
        return static_cast<double>(raw);
      case Type::float32:
        return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
      case Type::float64:
        return std::bit_cast<double>(raw);
    }
    return 0.0;
  }

  const std::string& name_;
  std::string_view bytes_;
  std::size_t at_, last_ = 0;
  bool big_;
};

template <class Body>
void skipProperty(Body& body, const Property& property) {
  const std::size_t n =
      property.countType ? body.listCount(*property.countType, bytesOf(property.type)) : 1;
  for (std::size_t k = 0; k < n; ++k) body.skip(property.type);
}

template <class Body>
void readVertices(Body& body, const Element& element, SurfaceMesh& mesh) {
  for (const char* axis : {"x", "y", "z"})
    if (std::ranges::none_of(element.properties,
                             [&](const Property& p) { return p.name == axis && !p.countType; }))
      throw body.error(fmt::format("vertex: property {} is missing", axis));
  mesh.vertices.reserve(element.count);
  for (std::size_t k = 0; k < element.count; ++k) {
    Vec3 p = Vec3::Zero();
    for (const Property& property : element.properties) {
      const bool coordinate = !property.countType && property.name.size() == 1 &&
                              property.name[0] >= 'x' && property.name[0] <= 'z';
      if (coordinate)
        p[property.name[0] - 'x'] = body.number(property.type, "vertex");
      else
        skipProperty(body, property);
    }
    mesh.vertices.push_back(p);
  }
}

/// @returns false where the file ends before
template <class Body>
bool readFaces(Body& body, const Element& element, std::size_t vertexCount, SurfaceMesh& mesh,
               MeshReading& notes) {
  const auto isCorners = [](const Property& p) {
    return p.countType && (p.name == "vertex_indices" || p.name == "vertex_index");
  };
  if (element.count > 0 && std::ranges::none_of(element.properties, isCorners))
    throw body.error("face: the list vertex_indices is missing");
  std::vector<std::uint32_t> corners;
  std::size_t least = 0;
  for (const Property& p : element.properties)
    least += p.countType ? bytesOf(*p.countType) + (isCorners(p) ? 3 * bytesOf(p.type) : 0)
                         : bytesOf(p.type);
  for (std::size_t f = 0; f < element.count; ++f) {
    if (body.endsBefore(least)) {
      const std::string what =
          fmt::format("PLY: {} faces announced, the file holds {}", element.count, f);
      if (!notes.force) throw body.error(what + "; --force reads these");
      notes.add(what);
      return false;
    }
    for (const Property& property : element.properties) {
      if (!isCorners(property)) {
        skipProperty(body, property);
        continue;
      }
      const std::size_t size = body.listCount(*property.countType, bytesOf(property.type));
      corners.clear();
      for (std::size_t c = 0; c < size; ++c) {
        const std::int64_t v = body.whole(property.type, "corner of a face");
        if (v < 0 || static_cast<std::uint64_t>(v) >= vertexCount)
          throw body.error(fmt::format("face {} names vertex {}, there are {}", f, v, vertexCount));
        corners.push_back(static_cast<std::uint32_t>(v));
      }
      if (size < 3)
        notes.add("faces of fewer than three corners, which were left out");
      else
        mesh.faces.add(corners);
    }
  }
  return true;
}

template <class Body>
SurfaceMesh readBody(Body& body, const Header& header, MeshReading& notes) {
  std::size_t vertexCount = 0;
  for (const Element& element : header.elements)
    if (element.name == "vertex") vertexCount = element.count;
  SurfaceMesh mesh;
  for (const Element& element : header.elements) {
    std::size_t least = 0;
    for (const Property& p : element.properties) least += bytesOf(p.countType.value_or(p.type));
    if (element.name != "face") body.checkRoom(element, least);
    if (element.name == "vertex" && element.count > UINT32_MAX - 1)
      throw body.error("vertex: more than indices of 32 bits can name");
    if (element.properties.empty() && element.count > 0)
      throw body.error(fmt::format("{}: an element without properties", element.name));
    if (element.name == "vertex") {
      readVertices(body, element, mesh);
    } else if (element.name == "face") {
      if (!readFaces(body, element, vertexCount, mesh, notes)) return mesh;
    } else {
      for (std::size_t k = 0; k < element.count; ++k)
        for (const Property& property : element.properties) skipProperty(body, property);
    }
  }
  if (!body.endsBefore(1)) notes.add("something behind the last element");
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
    TextBody body(in, bytes.size() - headEnd);
    return readBody(body, header, notes);
  }
  if (headEnd < bytes.size() && bytes[headEnd] == '\r') ++headEnd;
  if (headEnd < bytes.size() && bytes[headEnd] == '\n') ++headEnd;
  BinaryBody body(name, bytes, headEnd, header.encoding == Header::Encoding::big);
  return readBody(body, header, notes);
}

}  // namespace scree::shape::detail

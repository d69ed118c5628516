// SPDX-License-Identifier: GPL-3.0-or-later
#include "sphere_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace scree::tools {
namespace {

/// Adds a sphere to the last particle where it has this ID, else to a new one.
void addSphere(clump::ShapePack& pack, std::int64_t id, const Vec3& centre, double radius,
               bool apart) {
  if (apart || pack.particles.empty() || pack.particles.back().id != id) {
    pack.particles.emplace_back();
    pack.particles.back().id = id;
  }
  // By halves: doubling takes three times the memory of a large clump.
  auto& members = pack.particles.back().members;
  if (members.size() == members.capacity())
    members.reserve(members.size() + members.size() / 2 + 1);
  members.push_back(sphereMember(centre, radius));
}

std::vector<std::string_view> cells(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const auto comma = line.find(',');
    std::string_view cell = line.substr(0, comma);
    while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
    while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
    out.push_back(cell);
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

/// Lines of `text` that are neither blank nor comments, which hold one particle each at most. Room
/// is reserved for so many: growing would take three times the memory.
/// @param bytesPerLine  a line has so many bytes or more
std::size_t dataLines(std::string_view text, std::size_t bytesPerLine) {
  const std::size_t most = text.size() / bytesPerLine + 1;
  std::size_t lines = 0;
  bool begins = true;
  for (const char c : text)
    if (c == '\n' || c == '\r') {
      begins = true;
    } else if (begins && c != ' ' && c != '\t') {
      begins = false;
      if (c != '#') ++lines;
    }
  return std::min(lines, most);
}

void warnIfEmpty(const clump::ShapePack& pack, const TextReader& in, Diagnostics& diagnostics) {
  if (pack.particles.empty())
    diagnostics.warn(ParseError({in.name(), 0, 0}, "no sphere in this table"));
}

constexpr std::array<std::string_view, 5> columnNames{"x", "y", "z", "r", "id"};

}  // namespace

clump::PackMember sphereMember(const Vec3& centre, double radius) {
  clump::PackMember m;
  m.type = &clump::memberTypes().front();  // Sphere
  m.centre = centre;
  m.radius = radius;
  return m;
}

clump::ShapePack yadePack(TextReader& in, Diagnostics& diagnostics) {
  clump::ShapePack pack;
  // At least "0 0 0 1": a particle for each line, though lines may also join to clumps.
  pack.particles.reserve(dataLines(in.rest(), 8));
  std::int64_t row = 0;
  bool material = false;
  std::string_view format;  // empty: four or five values a row
  while (!in.atEnd()) {
    if (in.peek() == "#format") {
      in.word("#format");
      format = in.restOfLine();
      material = format == "x_y_z_r_matId";
      if (!material && format != "x_y_z_r" && format != "x_y_z_r_clumpId")
        throw in.errorAt(format, fmt::format("expected #format x_y_z_r, x_y_z_r_clumpId or "
                                             "x_y_z_r_matId, found '{}'",
                                             shown(format)));
      if (material)
        diagnostics.warn(in.errorAt(format, "materials have no place in a pack and are left out"));
      continue;
    }
    if (in.peek().starts_with('#')) {
      in.skipLine();
      continue;
    }
    const std::size_t n = in.valuesOnLine();
    if (n != 4 && n != 5)
      throw in.errorAtNext(fmt::format("expected x y z r, or x y z r clumpId; found {} values", n));
    if (!format.empty() && n != (format == "x_y_z_r" ? 4 : 5))
      throw in.errorAtNext(fmt::format("#format {}: expected {} values, found {}", shown(format),
                                       format == "x_y_z_r" ? 4 : 5, n));
    const Vec3 centre = in.vec3("centre");
    const double radius = in.positive("radius");
    std::int64_t id = row;
    if (n == 5) {
      const std::int64_t number =
          in.integer(material ? "matId" : "clumpId", 0, std::numeric_limits<std::int64_t>::max());
      if (!material) id = number;
    }
    addSphere(pack, id, centre, radius, n == 4 || material);
    ++row;
  }
  warnIfEmpty(pack, in, diagnostics);
  return pack;
}

bool isCsvHeader(std::string_view line) {
  const auto heads = cells(line);
  return heads.size() > 1 && std::any_of(heads.begin(), heads.end(), [](std::string_view head) {
           return std::find(columnNames.begin(), columnNames.end(), head) != columnNames.end();
         });
}

clump::ShapePack csvPack(TextReader& in, Diagnostics& diagnostics) {
  constexpr auto& names = columnNames;
  std::array<std::optional<std::size_t>, names.size()> column;
  while (in.peek().starts_with('#')) in.skipLine();
  const std::string_view header = in.restOfLine();
  const auto heads = cells(header);
  for (std::size_t k = 0; k < heads.size(); ++k) {
    bool known = false;
    for (std::size_t n = 0; n < names.size(); ++n)
      if (heads[k] == names[n]) {
        if (column[n]) throw in.errorAt(heads[k], fmt::format("column {} twice", names[n]));
        column[n] = k;
        known = true;
      }
    if (!known)
      throw in.errorAt(heads[k], fmt::format("unknown column '{}'; expected x, y, z, r and id",
                                             shown(heads[k])));
  }
  for (std::size_t n = 0; n < 4; ++n)
    if (!column[n]) throw in.errorAt(header, fmt::format("no column {}", names[n]));
  clump::ShapePack pack;
  if (column[4]) pack.particles.reserve(dataLines(in.rest(), 10));  // at least "0,0,0,1,0"
  while (!in.atEnd()) {
    const std::string_view line = in.restOfLine();
    if (line.starts_with('#')) continue;
    const auto row = cells(line);
    if (row.size() != heads.size())
      throw in.errorAt(line, fmt::format("expected {} cells, found {}", heads.size(), row.size()));
    const auto number = [&](std::size_t n) {
      const std::string_view cell = row[*column[n]];
      const auto value = parseNumber(cell);
      if (!value || !std::isfinite(*value))
        throw in.errorAt(
            cell, fmt::format("{}: expected a finite number, found '{}'", names[n], shown(cell)));
      return *value;
    };
    const Vec3 centre(number(0), number(1), number(2));
    const double radius = number(3);
    if (!(radius > 0.0))
      throw in.errorAt(row[*column[3]], fmt::format("r: expected a number above 0, found '{}'",
                                                    shown(row[*column[3]])));
    std::int64_t id = 0;
    if (column[4]) {
      const auto value = parseInteger(row[*column[4]]);
      if (!value || *value < 0)
        throw in.errorAt(row[*column[4]],
                         fmt::format("id: expected a whole number of at least 0, found '{}'",
                                     shown(row[*column[4]])));
      id = *value;
    }
    addSphere(pack, id, centre, radius, false);
  }
  warnIfEmpty(pack, in, diagnostics);
  return pack;
}

}  // namespace scree::tools

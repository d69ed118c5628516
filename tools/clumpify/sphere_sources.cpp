// SPDX-License-Identifier: GPL-3.0-or-later
#include "sphere_sources.hpp"

#include "scree/base/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace scree::tools {
namespace {

constexpr std::int64_t largestId = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t alone = -1;  ///< ID of a sphere that belongs to no clump

/// A comment of a table as one of a ShapePack: `##` and `#@` begin lines that mean something there.
std::string packComment(std::string_view comment) {
  if (comment.starts_with("##") || comment.starts_with("#@"))
    return fmt::format("# {}", comment.substr(1));
  return std::string(comment);
}

/// Adds a sphere to the last particle where it has this ID, else to a new one. Takes the comments
/// in front of it.
void addSphere(clump::ShapePack& pack, std::int64_t id, const Vec3& centre, double radius,
               std::vector<std::string_view>& comments) {
  if (id == alone || pack.particles.empty() || pack.particles.back().id != id) {
    pack.particles.emplace_back();
    pack.particles.back().id = id;
  }
  // By halves: doubling takes three times the memory of a large clump.
  auto& members = pack.particles.back().members;
  if (members.size() == members.capacity())
    members.reserve(members.size() + members.size() / 2 + 1);
  members.push_back(sphereMember(centre, radius));
  for (const std::string_view comment : comments)
    members.back().before().push_back(packComment(comment));
  comments.clear();
}

/// What follows the last sphere.
void addTrailing(clump::ShapePack& pack, const std::vector<std::string_view>& comments) {
  for (const std::string_view comment : comments) pack.trailing.push_back(packComment(comment));
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

/// As for a ShapePack. Numbers of a table mark clumps, so a clump in two pieces is likely a
/// mistake.
void warnIfReturning(const clump::ShapePack& pack, const TextReader& in, Diagnostics& diagnostics) {
  std::vector<std::int64_t> ids;
  for (const clump::PackParticle& p : pack.particles)
    if (p.id != alone) ids.push_back(p.id);
  if (std::ranges::is_sorted(ids, std::ranges::less_equal{})) return;
  std::ranges::sort(ids);
  std::size_t pieces = 0;
  std::optional<std::int64_t> first;
  for (std::size_t k = 1; k < ids.size(); ++k)
    if (ids[k] == ids[k - 1]) {
      ++pieces;
      if (!first) first = ids[k];
    }
  if (first)
    diagnostics.warn(ParseError(
        {in.name(), 0, 0},
        fmt::format("ID {} returns after other IDs; its rows become another particle of that ID. "
                    "{} particles begin so; sort the rows by ID to join them",
                    *first, pieces)));
}

/// Spheres that belong to no clump get the IDs behind the largest, in their order.
void numberAlone(clump::ShapePack& pack) {
  std::int64_t last = -1;
  for (const clump::PackParticle& p : pack.particles) last = std::max(last, p.id);
  for (clump::PackParticle& p : pack.particles) {
    if (p.id != alone) continue;
    if (last == largestId)
      throw ModelError("no IDs are free above the largest for spheres that belong to no clump");
    p.id = ++last;
  }
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
  bool material = false;
  std::string_view format;  // empty: four or five values a row
  std::vector<std::string_view> comments;
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
    if (in.peek().starts_with(clump::periodicPrefix)) {
      pack.cell = clump::periodicCell(in, in.restOfLine());
      continue;
    }
    if (in.peek().starts_with('#')) {
      comments.push_back(in.restOfLine());
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
    std::int64_t id = alone;
    if (n == 5) {
      const std::int64_t number =
          in.integer(material ? "matId" : "clumpId", material ? 0 : alone, largestId);
      if (!material) id = number;
    }
    addSphere(pack, id, centre, radius, comments);
  }
  addTrailing(pack, comments);
  warnIfReturning(pack, in, diagnostics);
  numberAlone(pack);
  warnIfEmpty(pack, in, diagnostics);
  return pack;
}

bool isSphereRow(std::string_view line) {
  constexpr std::string_view blanks = " \t";
  std::size_t values = 0;
  for (;;) {
    const auto from = line.find_first_not_of(blanks);
    if (from == std::string_view::npos) return values == 4 || values == 5;
    const auto to = std::min(line.find_first_of(blanks, from), line.size());
    if (!parseNumber(line.substr(from, to - from)) || ++values > 5) return false;
    line.remove_prefix(to);
  }
}

bool isCsvHeader(std::string_view line) {
  std::size_t columns = 0;
  bool known = false;
  for (;;) {
    const auto end = std::min(line.find_first_of(",;\t"), line.size());
    std::string_view name = line.substr(0, end);
    const auto inside = [](char c) { return c != ' ' && c != '"'; };
    while (!name.empty() && !inside(name.front())) name.remove_prefix(1);
    while (!name.empty() && !inside(name.back())) name.remove_suffix(1);
    known = known || std::ranges::find(columnNames, name) != columnNames.end();
    ++columns;
    if (end == line.size()) return known && columns > 1;
    line.remove_prefix(end + 1);
  }
}

clump::ShapePack csvPack(TextReader& in, Diagnostics& diagnostics) {
  CsvReader table(in);
  for (std::size_t k = 0; k < table.columns().size(); ++k)
    if (std::ranges::find(columnNames, table.columns()[k]) == columnNames.end())
      throw table.headerError(
          fmt::format("unknown column '{}'; expected x, y, z, r and id", shown(table.columns()[k])),
          k);
  std::array<std::size_t, 4> column{};
  for (std::size_t n = 0; n < column.size(); ++n) {
    const auto found = table.column(columnNames[n]);
    if (!found) throw table.headerError(fmt::format("no column {}", columnNames[n]));
    column[n] = *found;
  }
  const auto id = table.column(columnNames[4]);
  clump::ShapePack pack;
  if (id) pack.particles.reserve(table.rowsLeft(10));  // at least "0,0,0,1,0"
  std::vector<std::string_view> comments;
  for (;;) {
    const bool row = table.next();
    comments.assign(table.comments().begin(), table.comments().end());
    if (!row) break;
    addSphere(pack, id ? table.integer(*id, 0, largestId) : 0,
              Vec3(table.number(column[0]), table.number(column[1]), table.number(column[2])),
              table.positive(column[3]), comments);
  }
  addTrailing(pack, comments);
  warnIfReturning(pack, in, diagnostics);
  warnIfEmpty(pack, in, diagnostics);
  return pack;
}

}  // namespace scree::tools

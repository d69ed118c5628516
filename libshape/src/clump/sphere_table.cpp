// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

namespace scree::clump {
namespace {

/// Cells of a line of a table, parted by semicolons, commas or blanks, without quotes around them.
std::vector<std::string_view> cellsOf(std::string_view line) {
  constexpr std::string_view around = " \t\"";
  std::vector<std::string_view> cells;
  const bool blanks = line.find_first_of(";,") == std::string_view::npos;
  const std::string_view separator = blanks                         ? around
                                     : line.find(';') < line.size() ? std::string_view(";")
                                                                    : std::string_view(",");
  for (;;) {
    const auto end = std::min(line.find_first_of(separator), line.size());
    std::string_view cell = line.substr(0, end);
    cell.remove_prefix(std::min(cell.find_first_not_of(around), cell.size()));
    cell = cell.substr(0, cell.find_last_not_of(around) + 1);
    if (!blanks || !cell.empty()) cells.push_back(cell);
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
  }
}

bool isComment(std::string_view line) { return line[0] == '#' || line[0] == '!' || line[0] == '/'; }

/// The columns of a table of spheres, by number.
struct SphereColumns {
  static constexpr std::size_t none = std::string_view::npos;
  std::array<std::size_t, 5> at{none, none, none, none, none};  ///< of x, y, z, the radius, the ID
  std::size_t count = 0;
  double perRadius = 1.0;           ///< 0.5 where the column holds diameters
  std::vector<std::string> unused;  ///< names of other columns
};

/// The columns of a header line. None unless x, y and z are among them, in upper or lower case.
std::optional<SphereColumns> columnsOf(const std::vector<std::string_view>& names) {
  constexpr std::array<std::pair<std::string_view, std::size_t>, 14> known{{{"x", 0},
                                                                            {"y", 1},
                                                                            {"z", 2},
                                                                            {"r", 3},
                                                                            {"radius", 3},
                                                                            {"rad", 3},
                                                                            {"d", 3},
                                                                            {"diameter", 3},
                                                                            {"clumpid", 4},
                                                                            {"clump_id", 4},
                                                                            {"clump", 4},
                                                                            {"mol", 4},
                                                                            {"molecule", 4},
                                                                            {"id", 4}}};
  SphereColumns columns;
  columns.count = names.size();
  std::array<std::size_t, 5> rank{99, 99, 99, 99, 99};  // of several names the first known counts
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::string lower(names[k]);
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const auto found = std::ranges::find(known, std::string_view(lower),
                                         &std::pair<std::string_view, std::size_t>::first);
    const auto place = static_cast<std::size_t>(found - known.begin());
    if (found == known.end() || place >= rank[found->second]) continue;
    rank[found->second] = place;
    columns.at[found->second] = k;
    if (found->second == 3) columns.perRadius = lower.starts_with('d') ? 0.5 : 1.0;
  }
  if (std::count(columns.at.begin(), columns.at.begin() + 3, SphereColumns::none) > 0) return {};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::ranges::find(columns.at, k) == columns.at.end()) columns.unused.emplace_back(names[k]);
  return columns;
}

/// Reads a table of spheres line by line.
class SphereTable {
 public:
  SphereTable(TextReader& in, Diagnostics& diagnostics, bool apart)
      : in_(in), diagnostics_(diagnostics), apart_(apart) {}

  ShapePack read() {
    while (!in_.atEnd()) {
      const std::string_view line = in_.restOfLine();
      if (line.starts_with(periodicPrefix)) {
        pack_.cell = periodicCell(in_, line);
        apart_ = true;  // as Woo writes packs
      } else if (line.starts_with("#format ")) {
        readFormat(line.substr(8));
      } else if (line.starts_with("ITEM:")) {
        readItem(line);
      } else if (isComment(line)) {
        comment_ = line.substr(1);
      } else {
        readLine(line.substr(0, line.find('#')));
      }
    }
    return finished();
  }

 private:
  static constexpr std::int64_t alone = -1;  ///< ID of a sphere that belongs to no clump

  void use(const SphereColumns& columns, std::string_view header) {
    columns_ = columns;
    if (columns_->at[3] == SphereColumns::none)
      throw in_.errorAt(header, "the table has no column r, radius or diameter");
    if (!columns_->unused.empty())
      diagnostics_.warn(in_.errorAt(
          header, fmt::format("lost: the columns {}", fmt::join(columns_->unused, ", "))));
  }

  /// A line of YADE, such as `x_y_z_r_clumpId`. Its `id` counts spheres.
  void readFormat(std::string_view format) {
    std::vector<std::string_view> names;
    for (const auto name : std::views::split(format, '_'))
      names.emplace_back(name.begin(), name.end());
    auto columns = columnsOf(names);
    if (!columns)
      throw in_.errorAt(format, fmt::format("expected #format x_y_z_r, x_y_z_r_clumpId or "
                                            "x_y_z_r_matId, found '{}'",
                                            shown(format)));
    if (std::ranges::find(names, "clumpId") == names.end()) {
      columns->at[4] = SphereColumns::none;
      apart_ = true;
    }
    use(*columns, format);
  }

  /// A line of a dump of LAMMPS or LIGGGHTS, of one state. Atoms without a molecule stand alone.
  void readItem(std::string_view line) {
    if (line.starts_with("ITEM: ATOMS")) {
      const auto names = cellsOf(line.substr(11));
      auto columns = columnsOf(names);
      if (!columns || columns_)
        throw in_.errorAt(line, "expected a dump of one state with x, y, z and radius");
      if (std::ranges::find(names, "mol") == names.end()) columns->at[4] = SphereColumns::none;
      apart_ = zeroIsAlone_ = true;
      return use(*columns, line);
    }
    const int lines = line.starts_with("ITEM: BOX") ? 3 : 1;
    for (int k = 0; k < lines && !in_.atEnd(); ++k) in_.skipLine();
  }

  void readLine(std::string_view line) {
    const std::vector<std::string_view> cells = cellsOf(line);
    if (!columns_) {
      if (const auto header = columnsOf(cells)) return use(*header, line);
      // Names may stand in the comment before the first row.
      const auto named = columnsOf(cellsOf(comment_));
      if (named && named->count == cells.size()) {
        use(*named, comment_);
      } else if (cells.size() == 4 || cells.size() == 5) {
        columns_.emplace();
        columns_->count = cells.size();
        columns_->at = {0, 1, 2, 3, cells.size() == 5 ? 4 : SphereColumns::none};
      } else {
        throw in_.errorAt(line,
                          fmt::format("expected x y z r, or x y z r clumpId, or a line with the "
                                      "names of the columns; found {} values",
                                      cells.size()));
      }
    }
    const auto& at = columns_->at;
    if (cells.size() != columns_->count)
      throw in_.errorAt(line,
                        fmt::format("expected {} values, found {}", columns_->count, cells.size()));
    const Vec3 centre(number(cells[at[0]], 'x'), number(cells[at[1]], 'y'),
                      number(cells[at[2]], 'z'));
    const double radius = columns_->perRadius * number(cells[at[3]], 'r');
    if (!(radius > 0.0))
      throw in_.errorAt(cells[at[3]], fmt::format("r: expected a number above 0, found '{}'",
                                                  shown(cells[at[3]])));
    add(at[4] == SphereColumns::none ? (apart_ ? alone : 0) : idIn(cells[at[4]]), centre, radius);
  }

  double number(std::string_view cell, char name) const {
    const auto value = parseNumber(cell);
    if (!value || !std::isfinite(*value))
      throw in_.errorAt(cell, fmt::format("{}: expected a number, found '{}'", name, shown(cell)));
    return *value;
  }

  std::int64_t idIn(std::string_view cell) const {
    const auto id = parseInteger(cell);
    if (!id || *id < alone || *id > mostId)
      throw in_.errorAt(cell, fmt::format("clumpId: expected a whole number of at least -1, found "
                                          "'{}'",
                                          shown(cell)));
    return zeroIsAlone_ && *id == 0 ? alone : *id;
  }

  /// Rows of one ID in sequence are a clump.
  void add(std::int64_t id, const Vec3& centre, double radius) {
    if (id == alone || pack_.particles.empty() || pack_.particles.back().id != id) {
      pack_.particles.emplace_back();
      pack_.particles.back().id = id;
      if (id != alone && !ids_.insert(id).second) ++returned_;
    }
    pack_.particles.back().members.push_back(sphereMember(centre, radius));
  }

  ShapePack finished() {
    const auto warn = [&](const std::string& what) {
      diagnostics_.warn(ParseError({in_.name(), 0, 0}, what));
    };
    if (returned_ > 0)
      warn(
          fmt::format("an ID returns after other IDs {} time(s), and its rows become another "
                      "particle; sort the rows by ID to join them",
                      returned_));
    if (pack_.particles.empty()) warn("no sphere in this table");
    std::int64_t last = ids_.empty() ? -1 : *ids_.rbegin();
    for (PackParticle& p : pack_.particles)
      if (p.id == alone) p.id = ++last;
    return std::move(pack_);
  }

  TextReader& in_;
  Diagnostics& diagnostics_;
  bool apart_;                ///< rows without an ID are spheres alone, not one clump
  bool zeroIsAlone_ = false;  ///< an ID 0 is none
  std::optional<SphereColumns> columns_;
  std::string_view comment_;  ///< the last
  ShapePack pack_;
  std::set<std::int64_t> ids_;
  std::size_t returned_ = 0;
};

}  // namespace

bool isSphereTable(const TextReader& in) {
  for (TextReader text = in; !text.atEnd();) {
    const std::string_view line = text.restOfLine();
    if (line.starts_with("#format ") || line.starts_with("ITEM: ")) return true;
    if (isComment(line)) continue;
    const std::vector<std::string_view> cells = cellsOf(line.substr(0, line.find('#')));
    return columnsOf(cells) || std::ranges::all_of(cells, [](std::string_view cell) {
             return parseNumber(cell).has_value();
           });
  }
  return false;
}

ShapePack readSphereTable(TextReader& in, Diagnostics& diagnostics, bool apart) {
  return SphereTable(in, diagnostics, apart).read();
}

}  // namespace scree::clump

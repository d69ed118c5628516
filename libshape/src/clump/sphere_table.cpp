// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump {
namespace {

/// Cells of a line of a table, parted by semicolons, commas or blanks, without quotes around them.
std::vector<std::string_view> cellsOf(std::string_view line) {
  constexpr std::string_view around = " \t\"";
  std::vector<std::string_view> cells;
  const bool byBlanks = line.find_first_of(";,") == std::string_view::npos;
  const std::string_view separator = byBlanks                       ? around
                                     : line.find(';') < line.size() ? std::string_view(";")
                                                                    : std::string_view(",");
  for (;;) {
    const auto end = std::min(line.find_first_of(separator), line.size());
    std::string_view cell = line.substr(0, end);
    cell.remove_prefix(std::min(cell.find_first_not_of(around), cell.size()));
    cell = cell.substr(0, cell.find_last_not_of(around) + 1);
    if (!byBlanks || !cell.empty()) cells.push_back(cell);
    if (end == line.size()) return cells;
    line.remove_prefix(end + 1);
  }
}

bool isComment(std::string_view line) { return line[0] == '#' || line[0] == '!' || line[0] == '/'; }

/// Whether a text is a data file of LAMMPS: a title, then the number of atoms.
bool isLammpsData(TextReader in) {
  for (int line = 0; line < 3 && !in.atEnd(); ++line)
    if (const auto cells = cellsOf(in.restOfLine());
        cells.size() == 2 && cells[1] == "atoms" && parseInteger(cells[0]))
      return true;
  return false;
}

struct SphereColumns {
  static constexpr std::size_t none = std::string_view::npos;
  /// Places of x, y, z, the radius, the ID, and the numbers of periodic images along x, y, z.
  std::array<std::size_t, 8> at{none, none, none, none, none, none, none, none};
  std::size_t count = 0;
  double perRadius = 1.0;           ///< 0.5 where the column holds diameters
  std::vector<std::string> unused;  ///< names of other columns
};

/// The columns of a header line. None unless x, y and z are among them, in upper or lower case.
std::optional<SphereColumns> columnsOf(const std::vector<std::string_view>& names) {
  static const std::array<std::vector<std::string>, 8> known{
      // the first that is there counts
      {{"x"},
       {"y"},
       {"z"},
       {"r", "radius", "rad", "d", "diameter"},
       {"clumpid", "clump_id", "clump", "mol", "molecule", "id"},
       {"ix"},
       {"iy"},
       {"iz"}}};
  std::vector<std::string> lower;
  for (const std::string_view name : names) lower.push_back(lowerCase(name));
  SphereColumns columns;
  columns.count = names.size();
  for (std::size_t k = 0; k < known.size(); ++k)
    for (const std::string& name : known[k]) {
      const auto found = std::ranges::find(lower, name);
      if (found == lower.end() || columns.at[k] != SphereColumns::none) continue;
      columns.at[k] = static_cast<std::size_t>(found - lower.begin());
      if (k == 3 && name[0] == 'd') columns.perRadius = 0.5;
    }
  if (std::count(columns.at.begin(), columns.at.begin() + 3, SphereColumns::none) > 0) return {};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::ranges::find(columns.at, k) == columns.at.end()) columns.unused.emplace_back(names[k]);
  return columns;
}

class SphereTable {
 public:
  SphereTable(TextReader& in, Diagnostics& diagnostics, bool apart)
      : in_(in), diagnostics_(diagnostics), apart_(apart) {}

  ShapePack read() {
    if (isLammpsData(in_)) readLammpsData();
    while (!in_.atEnd()) {
      const std::string_view line = in_.restOfLine();
      if (line.starts_with(periodicPrefix)) {
        pack_.cell = periodicCell(in_, line);
        apart_ = true;                            // as Woo writes packs
      } else if (line.starts_with("#format ")) {  // YADE: x_y_z_r_clumpId
        std::string names(line.substr(8));
        std::ranges::replace(names, '_', ' ');
        useNamed(line, cellsOf(names), "clumpId");
      } else if (line.starts_with("ITEM: ATOMS")) {  // a dump of LAMMPS or LIGGGHTS
        if (columns_) throw in_.errorAt(line, "expected a dump of one state");
        useNamed(line, cellsOf(line.substr(11)), "mol");
        zeroIsAlone_ = true;
      } else if (line.starts_with("ITEM: BOX BOUNDS")) {
        const auto ends = cellsOf(line.substr(16));
        for (std::size_t k = 0; k < 3 && !in_.atEnd(); ++k) {
          // The line of a leaning box names xy xz yz before the three kinds of sides.
          periodic_[k] = ends.size() >= 3 && ends[ends.size() - 3 + k] == "pp";
          takeSide(k, cellsOf(in_.restOfLine()));
        }
      } else if (line.starts_with("ITEM:")) {
        const std::string_view value = in_.atEnd() ? "" : in_.restOfLine();
        if (line.starts_with("ITEM: NUMBER OF ATOMS")) announced_ = parseInteger(value);
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

  /// The header of a program whose clumps have the column `clump`; its `id` counts spheres.
  void useNamed(std::string_view line, const std::vector<std::string_view>& names,
                std::string_view clump) {
    auto columns = columnsOf(names);
    if (!columns) throw in_.errorAt(line, "expected names of columns, x, y, z and r among them");
    if (std::ranges::find(names, clump) == names.end()) {
      columns->at[4] = SphereColumns::none;
      apart_ = true;
    }
    use(*columns, line);
  }

  /// Reads the section of atoms and leaves out the rest.
  void readLammpsData() {
    std::string_view line = in_.restOfLine();
    for (; !line.starts_with("Atoms") && !in_.atEnd(); line = in_.restOfLine()) {
      const auto head = cellsOf(line);
      if (head.size() == 2 && head[1] == "atoms") announced_ = parseInteger(head[0]);
      for (std::size_t k = 0; k < 3; ++k)
        if (head.size() >= 4 && head[3].size() == 3 && head[3].ends_with("hi") &&
            head[3][0] == "xyz"[k]) {
          periodic_[k] = line.ends_with("# periodic");  // as lammpsData() marks it
          takeSide(k, {head[0], head[1]});
        }
    }
    const auto words = cellsOf(line);
    const std::string_view style = words.empty() ? "" : words.back();
    if (style != "sphere" && style != "hybrid")
      throw in_.errorAt(line,
                        "expected Atoms # sphere (id type diameter density x y z) or # hybrid (id "
                        "type x y z diameter density mol)");
    useNamed(line,
             cellsOf(style == "sphere" ? "id type diameter density x y z"
                                       : "id type x y z diameter density mol"),
             "mol");
    zeroIsAlone_ = countsImages_ = true;
    while (!in_.atEnd()) {
      line = in_.restOfLine();
      if (line[0] >= 'A' && line[0] <= 'Z') break;  // the next section
      readLine(line.substr(0, line.find('#')));
    }
    while (!in_.atEnd()) in_.skipLine();
  }

  /// Takes the ends of the box along an axis; of a box that leans nothing.
  void takeSide(std::size_t axis, const std::vector<std::string_view>& ends) {
    if (ends.size() != 2) return;
    const double low = number(ends[0], "low"), high = number(ends[1], "high");
    length_[axis] = high - low;
    if (periodic_[axis] && low == 0.0) pack_.cell[static_cast<Eigen::Index>(axis)] = high;
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
        for (std::size_t k = 0; k < cells.size(); ++k) columns_->at[k] = k;
      } else {
        throw in_.errorAt(line,
                          fmt::format("expected x y z r, or x y z r clumpId, or a line with the "
                                      "names of the columns; found {} values",
                                      cells.size()));
      }
    }
    const auto& at = columns_->at;
    if (cells.size() != columns_->count && !(countsImages_ && cells.size() == columns_->count + 3))
      throw in_.errorAt(line,
                        fmt::format("expected {} values, found {}", columns_->count, cells.size()));
    Vec3 centre(number(cells[at[0]], "x"), number(cells[at[1]], "y"), number(cells[at[2]], "z"));
    ++rows_;
    bool places = false;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t column =
          cells.size() == columns_->count + 3 ? columns_->count + k : at[5 + k];
      if (column == SphereColumns::none) continue;
      const auto image = parseInteger(cells[column]);
      if (!image || (*image != 0 && !(length_[k] > 0.0)))
        throw unexpected(in_, cells[column], "image", "a number of images of a box along the axes");
      centre[static_cast<Eigen::Index>(k)] += static_cast<double>(*image) * length_[k];
      places = true;
    }
    const double radius = columns_->perRadius * number(cells[at[3]], "r");
    if (!(radius > 0.0)) throw unexpected(in_, cells[at[3]], "r", "a number above 0");
    add(at[4] == SphereColumns::none ? (apart_ ? alone : 0) : idIn(cells[at[4]]), centre, radius,
        places);
  }

  double number(std::string_view cell, std::string_view name) const {
    const auto value = parseNumber(cell);
    if (!value || !std::isfinite(*value)) throw unexpected(in_, cell, name, "a number");
    return *value;
  }

  std::int64_t idIn(std::string_view cell) const {
    const auto id = parseInteger(cell);
    if (!id || *id < alone || *id > mostId)
      throw unexpected(in_, cell, "clumpId", "a whole number of at least -1");
    return zeroIsAlone_ && *id == 0 ? alone : *id;
  }

  /// Rows of one ID in sequence are a clump, which stands together in a periodic box.
  /// @param isWhole  whether the centre is that of the right image
  void add(std::int64_t id, Vec3 centre, double radius, bool isWhole) {
    if (id == alone || pack_.particles.empty() || pack_.particles.back().id != id) {
      pack_.particles.emplace_back().id = id;
      if (id != alone && !ids_.insert(id).second) ++returned_;
    }
    auto& members = pack_.particles.back().members;
    const bool movable = !isWhole && std::ranges::count(periodic_, true) > 0;
    // Beside the latest one that it touches, or the nearest: a clump may exceed half the box.
    Vec3 place = centre;
    double least = HUGE_VAL;
    for (auto other = members.rbegin(); other != members.rend() && movable && least > 0.0;
         ++other) {
      Vec3 at = centre;
      for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<Eigen::Index>(k);
        if (periodic_[k] && length_[k] > 0.0)
          at[axis] -= length_[k] * std::round((at[axis] - other->centre[axis]) / length_[k]);
      }
      const double gap = std::max((at - other->centre).norm() - radius - other->radius, 0.0);
      if (gap >= least) continue;
      least = gap;
      place = at;
    }
    members.push_back(sphereMember(place, radius));
  }

  ShapePack finished() {
    const SourcePlace whole{in_.name(), 0, 0};
    if (announced_ && *announced_ != rows_)
      throw ParseError(whole,
                       fmt::format("{} atoms announced, the table has {}", *announced_, rows_));
    if (returned_ > 0)
      diagnostics_.warn(ParseError(
          whole, fmt::format("an ID returns after other IDs {} time(s), and its rows become "
                             "another particle; sort the rows by ID to join them",
                             returned_)));
    if (pack_.particles.empty()) diagnostics_.warn(ParseError(whole, "no sphere in this table"));
    if (std::ranges::count(periodic_, true) > (pack_.cell.array() > 0.0).count())
      diagnostics_.warn(
          ParseError(whole,
                     "lost: the periodic cell, which leans or has no corner at the origin; clumps "
                     "across sides that lean stay apart"));
    std::int64_t last = ids_.empty() ? -1 : *ids_.rbegin();
    for (PackParticle& p : pack_.particles)
      if (p.id == alone) p.id = ++last;
    return std::move(pack_);
  }

  TextReader& in_;
  Diagnostics& diagnostics_;
  bool apart_;                 ///< rows without an ID are spheres alone, not one clump
  bool zeroIsAlone_ = false;   ///< an ID 0 is none
  bool countsImages_ = false;  ///< three numbers may follow: periodic images
  std::optional<SphereColumns> columns_;
  std::string_view comment_;  ///< the last
  ShapePack pack_;
  std::set<std::int64_t> ids_;
  std::size_t returned_ = 0;
  std::array<bool, 3> periodic_{};         ///< axes of the box of a dump
  std::array<double, 3> length_{};         ///< [L] of that box; 0: not known
  std::optional<std::int64_t> announced_;  ///< rows, where the file says so
  std::int64_t rows_ = 0;
};

}  // namespace

bool isSphereTable(const TextReader& in) {
  if (isLammpsData(in)) return true;
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

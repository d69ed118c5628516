// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/sphere_formats.hpp"

#include "clump/member_geometry.hpp"

#include "scree/base/text_writer.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/mass/moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <set>
#include <utility>

namespace scree::clump {
namespace {

std::string sphere(const PackMember& m, std::string_view between) {
  return fmt::format("{}{}{}{}{}{}{}", shortest(m.centre.x()), between, shortest(m.centre.y()),
                     between, shortest(m.centre.z()), between, shortest(m.radius));
}

std::string list(std::initializer_list<double> numbers) {
  std::string out;
  for (const double n : numbers) out += (out.empty() ? "" : " ") + shortest(n);
  return out;
}

/// A molecule file: a template for `fix rigid/small mol`, `fix pour`, `fix deposit`. It stands
/// about its centre in principal axes, so that its products of inertia are 0. LAMMPS reads them in
/// another order than its manual states.
std::string molecule(const SphereBody& b) {
  const mass::PrincipalFrame frame = mass::principalFrame(b.inertia());
  const Vec3 &c = b.mass.solid.centre, &i = frame.moments;
  const Quat& q = frame.orientation;
  const auto& members = b.particle->members;
  double volumes = 0.0;
  for (const PackMember& m : members) volumes += m.radius * m.radius * m.radius;
  std::string out = fmt::format(
      "clump {} about its centre, in principal axes; in the pack the centre is {} and the "
      "quaternion (w x y z) {}\n\n{} atoms\n{} mass\n0 0 0 com\n{} 0 0 0 inertia\n\n"
      "Coords\n\n",
      b.particle->id, list({c.x(), c.y(), c.z()}), list({q.w(), q.x(), q.y(), q.z()}),
      members.size(), shortest(b.totalMass()), list({i.x(), i.y(), i.z()}));
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Vec3 p = turnedBack(q, members[k].centre - c);
    out += fmt::format("{} {}\n", k + 1, list({p.x(), p.y(), p.z()}));
  }
  out += "\nTypes\n\n";
  for (std::size_t k = 0; k < members.size(); ++k) out += fmt::format("{} 1\n", k + 1);
  out += "\nDiameters\n\n";
  for (std::size_t k = 0; k < members.size(); ++k)
    out += fmt::format("{} {}\n", k + 1, shortest(2.0 * members[k].radius));
  out += "\nMasses\n\n";  // shares of the mass by the volumes of the spheres
  for (std::size_t k = 0; k < members.size(); ++k) {
    const double r = members[k].radius;
    out += fmt::format("{} {}\n", k + 1, shortest(b.totalMass() * (r * r * r / volumes)));
  }
  return out;
}

/// Different primes above 10000, as LIGGGHTS requires of the seeds of its templates.
class PrimeSeeds {
 public:
  int next() {
    do last_ += 2;
    while (!isPrime(last_));
    return last_;
  }

 private:
  static bool isPrime(int odd) {
    for (int k = 3; k <= odd / k; k += 2)
      if (odd % k == 0) return false;
    return true;
  }
  int last_ = 15485861;
};

/// A comment of a table as one of a ShapePack: `##` and `#@` begin lines that mean something there.
std::string packComment(std::string_view comment) {
  if (comment.starts_with("##") || comment.starts_with("#@"))
    return fmt::format("# {}", comment.substr(1));
  return std::string(comment);
}

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

/// The columns of a table of spheres, by number.
struct SphereColumns {
  static constexpr std::size_t none = std::string_view::npos;
  std::array<std::size_t, 5> at{none, none, none, none, none};  ///< of x, y, z, the radius, the ID
  std::size_t count = 0;
  double perRadius = 1.0;           ///< 0.5 where the column holds diameters
  std::vector<std::string> unused;  ///< names of other columns
};

/// The columns of a header line. None unless x, y and z are among them, in upper or lower case. Of
/// several names for one column the first in the table counts.
std::optional<SphereColumns> columnsOf(const std::vector<std::string_view>& names) {
  struct Known {
    std::string_view name;
    std::size_t column;
  };
  constexpr std::array known{Known{"x", 0},        Known{"y", 1},        Known{"z", 2},
                             Known{"r", 3},        Known{"radius", 3},   Known{"rad", 3},
                             Known{"d", 3},        Known{"diameter", 3}, Known{"clumpid", 4},
                             Known{"clump_id", 4}, Known{"clump", 4},    Known{"mol", 4},
                             Known{"molecule", 4}, Known{"id", 4}};
  std::vector<std::string> lower;
  for (const std::string_view name : names) {
    lower.emplace_back(name);
    for (char& c : lower.back())
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  SphereColumns columns;
  columns.count = names.size();
  for (const auto& [name, column] : known) {
    const auto found = std::ranges::find(lower, name);
    if (found == lower.end() || columns.at[column] != SphereColumns::none) continue;
    columns.at[column] = static_cast<std::size_t>(found - lower.begin());
    if (name.starts_with('d')) columns.perRadius = 0.5;
  }
  if (std::ranges::count(columns.at | std::views::take(3), SphereColumns::none) > 0) return {};
  for (std::size_t k = 0; k < names.size(); ++k)
    if (std::ranges::find(columns.at, k) == columns.at.end()) columns.unused.emplace_back(names[k]);
  return columns;
}

bool isComment(std::string_view line) { return line[0] == '#' || line[0] == '!' || line[0] == '/'; }

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
        comments_.push_back(line);
      } else {
        if (const auto hash = line.find('#'); hash < line.size())
          comments_.push_back(line.substr(hash));
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
      auto names = cellsOf(line.substr(11));
      auto columns = columnsOf(names);
      if (!columns || columns_)
        throw in_.errorAt(line, "expected a dump of one state with x, y, z and radius");
      if (std::ranges::find(names, "mol") == names.end()) columns->at[4] = SphereColumns::none;
      apart_ = zeroIsAlone_ = true;
      use(*columns, line);
      return;
    }
    const int lines = line.starts_with("ITEM: BOX") ? 3 : 1;
    for (int k = 0; k < lines && !in_.atEnd(); ++k) in_.skipLine();
  }

  void readLine(std::string_view line) {
    const std::vector<std::string_view> cells = cellsOf(line);
    if (!columns_) {
      if (const auto header = columnsOf(cells)) return use(*header, line);
      if (cells.size() == 1 && !count_ && (count_ = parseInteger(cells[0]))) return;
      // Names may stand in the comment before the first row.
      const auto named =
          comments_.empty() ? std::nullopt : columnsOf(cellsOf(comments_.back().substr(1)));
      if (named && named->count == cells.size()) {
        use(*named, comments_.back());
        comments_.pop_back();
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
    if (cells.size() != columns_->count)
      throw in_.errorAt(line,
                        fmt::format("expected {} values, found {}", columns_->count, cells.size()));
    Vec3 centre;
    for (std::size_t k = 0; k < 3; ++k)
      centre[static_cast<Eigen::Index>(k)] = number(cells[columns_->at[k]], "xyz"[k]);
    const std::string_view width = cells[columns_->at[3]];
    const double radius = columns_->perRadius * number(width, 'r');
    if (!(radius > 0.0))
      throw in_.errorAt(width,
                        fmt::format("r: expected a number above 0, found '{}'", shown(width)));
    add(columns_->at[4] == SphereColumns::none ? (apart_ ? alone : 0)
                                               : idIn(cells[columns_->at[4]]),
        centre, radius);
  }

  double number(std::string_view cell, char name) const {
    const auto value = parseNumber(cell);
    if (!value || !std::isfinite(*value))
      throw in_.errorAt(
          cell, cell.empty() ? fmt::format("{}: expected a number, found nothing", name)
                             : fmt::format("{}: expected a number, found '{}'", name, shown(cell)));
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
      if (id != alone && !ids_.insert(id).second && returned_++ == 0) firstReturned_ = id;
    }
    auto& members = pack_.particles.back().members;
    members.push_back(sphereMember(centre, radius));
    for (const std::string_view comment : std::exchange(comments_, {}))
      members.back().before().push_back(packComment(comment));
    ++rows_;
  }

  ParseError about(const std::string& message) const { return {{in_.name(), 0, 0}, message}; }

  ShapePack finished() {
    for (const std::string_view comment : comments_) pack_.trailing.push_back(packComment(comment));
    if (returned_ > 0)
      diagnostics_.warn(
          about(fmt::format("ID {} returns after other IDs; its rows become another particle of "
                            "that ID. {} particles "
                            "begin so; sort the rows by ID to join them",
                            firstReturned_, returned_)));
    if (count_ && rows_ == 0) throw about("a number alone: expected rows x y z r behind it");
    if (count_ && *count_ != rows_)
      diagnostics_.warn(about(
          fmt::format("the first line announces {} spheres, the table has {}", *count_, rows_)));
    if (rows_ == 0) diagnostics_.warn(about("no sphere in this table"));
    // Where all overlap the search takes the square of their number.
    if (rows_ > 1 && rows_ <= 5000 && !apart_ && columns_->at[4] == SphereColumns::none)
      if (const std::size_t groups = groupsApart(pack_.particles.front()); groups > 1)
        diagnostics_.warn(
            about(fmt::format("without a column clumpId its {} spheres are one clump, though they "
                              "form {} groups that "
                              "do not touch; a first line '#format x_y_z_r' makes each a particle",
                              rows_, groups)));
    std::int64_t last = ids_.empty() ? -1 : *ids_.rbegin();
    for (PackParticle& p : pack_.particles) {
      if (p.id != alone) continue;
      p.id = ++last;
    }
    return std::move(pack_);
  }

  TextReader& in_;
  Diagnostics& diagnostics_;
  bool apart_;                ///< rows without an ID are spheres alone, not one clump
  bool zeroIsAlone_ = false;  ///< an ID 0 is none
  std::optional<SphereColumns> columns_;
  std::optional<std::int64_t> count_;  ///< of spheres, by the first line
  std::vector<std::string_view> comments_;
  ShapePack pack_;
  std::set<std::int64_t> ids_;
  std::int64_t rows_ = 0, firstReturned_ = 0;
  std::size_t returned_ = 0;
};

}  // namespace

/// A clump has one number for all its spheres; a sphere alone has its own.
std::vector<FormatFile> yadeFiles(const std::vector<SphereBody>& bodies,
                                  const WriteOptions& options) {
  std::string out = "#format x_y_z_r_clumpId\n";
  std::int64_t id = -1;
  for (const SphereBody& b : bodies)
    for (const PackMember& m : b.particle->members) {
      if (&m == &b.particle->members.front() || !b.isClump()) ++id;
      out += fmt::format("{} {}\n", sphere(m, " "), id);
    }
  const std::string snippet = fmt::format(
      "# YADE: clumps of {0}. discretization > 0 counts shared volume once; 50 is good to a "
      "thousandth.\n"
      "from yade import ymport\n"
      "ymport.textClumps('{0}', discretization=50)\n",
      options.name);
  return {{"", out}, {".py", snippet}};
}

std::vector<FormatFile> csvFiles(const std::vector<SphereBody>& bodies) {
  // Members that are not clumped get IDs above the largest, each its own. So does a particle with
  // the ID of the one before it, because the table would tie the two together.
  std::size_t apart = 0;
  std::int64_t last = -1;
  const PackParticle* before = nullptr;
  for (const SphereBody& b : bodies) {
    last = std::max(last, b.particle->id);
    if (b.particle->unclumped) apart += b.particle->members.size() - 1;
    apart += before && before->id == b.particle->id;
    before = b.particle;
  }
  const bool several =
      bodies.size() + apart > 1 || (!bodies.empty() && bodies.front().particle->id != 0);
  std::string out = several ? "x,y,z,r,id\n" : "x,y,z,r\n";
  before = nullptr;
  for (const SphereBody& b : bodies) {
    const bool again = before && before->id == b.particle->id;
    std::int64_t id = again ? ++last : b.particle->id;
    for (const PackMember& m : b.particle->members) {
      if (b.particle->unclumped && &m != &b.particle->members.front()) id = ++last;
      out += sphere(m, ",") + (several ? fmt::format(",{}", id) : "") + "\n";
    }
    before = b.particle;
  }
  return {{"", out}};
}

std::vector<FormatFile> lammpsFiles(const std::vector<SphereBody>& bodies, const ShapePack& pack,
                                    const WriteOptions& options) {
  std::size_t atoms = 0, clumps = 0, count = 0;
  Vec3 least = Vec3::Constant(1e300), most = Vec3::Constant(-1e300);
  for (const SphereBody& b : bodies) {
    atoms += b.particle->members.size();
    clumps += b.isClump();
    count += b.count();
    const ParticleBox box = boxOf(*b.particle);
    least = least.cwiseMin(box.least);
    most = most.cwiseMax(box.most);
  }
  std::string data = fmt::format(
      "LAMMPS data: {} bodies, {} of them clumps; atom_style hybrid sphere molecular\n\n{} "
      "atoms\n1 atom types\n\n",
      count, clumps, atoms);
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double margin = 0.1 * (most[k] - least[k]);
    const bool periodic = pack.cell[k] > 0.0;
    data += fmt::format(
        "{} {}lo {}hi\n",
        list({periodic ? 0.0 : least[k] - margin, periodic ? pack.cell[k] : most[k] + margin}),
        "xyz"[k], "xyz"[k]);
  }
  data += "\nAtoms # hybrid\n\n";  // id type x y z diameter density molecule
  std::string infile = fmt::format("{}\n", clumps);
  std::size_t atom = 0, mol = 0;
  for (const SphereBody& b : bodies) {
    if (b.isClump()) ++mol;
    for (const PackMember& m : b.particle->members)
      data +=
          fmt::format("{} 1 {} {}\n", ++atom,
                      list({m.centre.x(), m.centre.y(), m.centre.z(), 2.0 * m.radius, b.density}),
                      b.isClump() ? mol : 0);
    if (!b.isClump()) continue;
    const Mat3 i = b.inertia();
    const Vec3& c = b.mass.solid.centre;
    infile += fmt::format("{} {} 0 0 0 0 0 0 0 0 0\n", mol,
                          list({b.totalMass(), c.x(), c.y(), c.z(), i(0, 0), i(1, 1), i(2, 2),
                                i(0, 1), i(0, 2), i(1, 2)}));
  }
  const auto edge = [&](Eigen::Index k) { return pack.cell[k] > 0.0 ? 'p' : 'f'; };
  std::string script = fmt::format(
      "# LAMMPS commands for {0}{4}.\n"
      "atom_style hybrid sphere molecular\nboundary {1} {2} {3}\nread_data {0}\n",
      options.name, edge(0), edge(1), edge(2),
      clumps > 0 ? fmt::format(": clumps keep the mass and inertia of {}.infile", options.name)
                 : std::string());
  if (clumps > 0)
    script += fmt::format(
        "group clumps molecule > 0\nneigh_modify exclude molecule/intra clumps\n"
        "# Spheres that overlap would weigh too much under fix gravity: give it to fix "
        "rigid/small\n"
        "# by its keyword `gravity`, and leave the clumps out of fix gravity.\n"
        "fix clumps clumps rigid/small molecule infile {}.infile\n",
        options.name);
  if (clumps < bodies.size())
    script += "group singles molecule 0\nfix singles singles nve/sphere\n";
  std::vector<FormatFile> files{{"", data}, {".in", script}};
  if (clumps > 0) files.push_back({".infile", infile});
  if (bodies.size() == 1 && clumps == 1) files.push_back({".mol", molecule(bodies.front())});
  return files;
}

std::vector<FormatFile> liggghtsFiles(const std::vector<SphereBody>& bodies,
                                      const WriteOptions& options) {
  std::vector<FormatFile> files;
  std::string script =
      "# LIGGGHTS templates. Each command needs another prime above 10000 as its seed.\n";
  PrimeSeeds seeds;
  std::size_t type = 0, number = 0;
  for (const SphereBody& b : bodies) {
    const std::string fix = fmt::format("pt{}", ++number);
    const auto& members = b.particle->members;
    if (!b.isClump()) {
      for (const PackMember& m : members)
        script += fmt::format(
            "fix {}{} all particletemplate/sphere {} atom_type 1 density constant {} radius "
            "constant {}\n",
            fix, members.size() > 1 ? fmt::format("_{}", &m - members.data()) : "", seeds.next(),
            shortest(b.density), shortest(m.radius));
      continue;
    }
    // Templates stand about their centre of mass, which the program expects at the origin.
    std::string text;
    for (const PackMember& m : members) {
      PackMember moved = m;
      moved.centre -= b.mass.solid.centre;
      text += sphere(moved, " ") + "\n";
    }
    const std::string suffix = fmt::format(".{}.multisphere", ++type);
    const Mat3 i = b.inertia();
    script += fmt::format(
        "fix {} all particletemplate/multisphere {} atom_type 1 density constant {} nspheres {} "
        "ntry 1000000 spheres file {}{} scale 1.0 type {} mass {} inertia_tensor {} use_density\n",
        fix, seeds.next(), shortest(b.density), members.size(), options.name, suffix, type,
        shortest(b.totalMass()), list({i(0, 0), i(0, 1), i(0, 2), i(1, 1), i(1, 2), i(2, 2)}));
    files.push_back({suffix, text});
  }
  files.insert(files.begin(), {"", script});
  return files;
}

PackMember sphereMember(const Vec3& centre, double radius) {
  PackMember m;
  m.type = &memberTypes().front();  // Sphere
  m.centre = centre;
  m.radius = radius;
  return m;
}

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

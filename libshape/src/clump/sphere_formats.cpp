// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/sphere_formats.hpp"

#include "scree/base/text_writer.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/mass/moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

namespace scree::clump {
namespace {

constexpr std::int64_t mostId = std::numeric_limits<std::int64_t>::max();
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

/// As for a ShapePack. Numbers of a table mark clumps, so a clump in two pieces is likely a
/// mistake.
void warnIfReturning(const ShapePack& pack, const TextReader& in, Diagnostics& diagnostics) {
  std::vector<std::int64_t> ids;
  for (const PackParticle& p : pack.particles)
    if (p.id != SphereRows::alone) ids.push_back(p.id);
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
  if (apart > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() - last))
    throw ModelError("csv: no IDs are free above the largest for members that are not clumped");
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

void SphereRows::add(std::int64_t id, const Vec3& centre, double radius,
                     std::vector<std::string_view>& comments) {
  if (id == alone || pack_.particles.empty() || pack_.particles.back().id != id) {
    pack_.particles.emplace_back();
    pack_.particles.back().id = id;
  }
  // By halves: doubling takes three times the memory of a large clump.
  auto& members = pack_.particles.back().members;
  if (members.size() == members.capacity())
    members.reserve(members.size() + members.size() / 2 + 1);
  members.push_back(sphereMember(centre, radius));
  for (const std::string_view comment : comments)
    members.back().before().push_back(packComment(comment));
  comments.clear();
}

ShapePack SphereRows::finish(const TextReader& in, const std::vector<std::string_view>& comments,
                             Diagnostics& diagnostics) {
  for (const std::string_view comment : comments) pack_.trailing.push_back(packComment(comment));
  warnIfReturning(pack_, in, diagnostics);
  std::int64_t last = -1;
  for (const PackParticle& p : pack_.particles) last = std::max(last, p.id);
  for (PackParticle& p : pack_.particles) {
    if (p.id != alone) continue;
    if (last == mostId)
      throw ModelError("no IDs are free above the largest for spheres that belong to no clump");
    p.id = ++last;
  }
  if (pack_.particles.empty())
    diagnostics.warn(ParseError({in.name(), 0, 0}, "no sphere in this table"));
  return std::move(pack_);
}

ShapePack readYadeSpheres(TextReader& in, Diagnostics& diagnostics) {
  SphereRows rows;
  // At least "0 0 0 1": a particle for each line, though lines may also join to clumps.
  rows.pack().particles.reserve(dataLines(in.rest(), 8));
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
    if (in.peek().starts_with(periodicPrefix)) {
      rows.pack().cell = periodicCell(in, in.restOfLine());
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
    std::int64_t id = SphereRows::alone;
    if (n == 5) {
      const std::int64_t number =
          in.integer(material ? "matId" : "clumpId", material ? 0 : SphereRows::alone, mostId);
      if (!material) id = number;
    }
    rows.add(id, centre, radius, comments);
  }
  return rows.finish(in, comments, diagnostics);
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

}  // namespace scree::clump

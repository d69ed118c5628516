// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/text_writer.hpp"
#include "scree/clump/clump_mass.hpp"
#include "scree/clump/formats.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/mass/moments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace scree::clump {
namespace {

/// A particle made of balls alone, as programs for spheres know it.
struct SphereBody {
  const PackParticle* particle = nullptr;
  ParticleMass mass;
  double density = 1.0;  ///< [M/L³]
  double totalMass() const { return density * mass.solid.volume; }
  Mat3 inertia() const { return totalMass() * mass.solid.inertiaPerMass; }
  bool isClump() const { return particle->members.size() > 1 && !particle->unclumped; }
  /// Number of bodies that it is: each member is one if they are not clumped.
  std::size_t count() const { return isClump() ? 1 : particle->members.size(); }
};

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
  std::string types, diameters, masses;  // masses: shares by the volumes of the spheres
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Vec3 p = turnedBack(q, members[k].centre - c);
    const double r = members[k].radius;
    out += fmt::format("{} {}\n", k + 1, list({p.x(), p.y(), p.z()}));
    types += fmt::format("{} 1\n", k + 1);
    diameters += fmt::format("{} {}\n", k + 1, shortest(2.0 * r));
    masses += fmt::format("{} {}\n", k + 1, shortest(b.totalMass() * (r * r * r / volumes)));
  }
  out += "\nTypes\n\n" + types + "\nDiameters\n\n" + diameters + "\nMasses\n\n" + masses;
  return out;
}

/// The next prime: LIGGGHTS requires different ones above 10000 as seeds of its templates.
int primeAfter(int number) {
  const auto isPrime = [](int n) {
    for (int k = 2; k <= n / k; ++k)
      if (n % k == 0) return false;
    return true;
  };
  do ++number;
  while (!isPrime(number));
  return number;
}

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
  const bool several =
      bodies.size() > 1 || bodies.front().particle->unclumped || bodies.front().particle->id != 0;
  std::int64_t largest = 0;
  for (const SphereBody& b : bodies) largest = std::max(largest, b.particle->id);
  std::string out = several ? "x,y,z,r,id\n" : "x,y,z,r\n";
  const PackParticle* before = nullptr;
  for (const SphereBody& b : bodies) {
    const bool again = before && before->id == b.particle->id;  // would be read as one
    const std::int64_t id = b.particle->unclumped ? -1 : again ? ++largest : b.particle->id;
    for (const PackMember& m : b.particle->members)
      out += sphere(m, ",") + (several ? fmt::format(",{}", id) : "") + "\n";
    before = b.particle;
  }
  return {{"", out}};
}

std::vector<FormatFile> lammpsFiles(const std::vector<SphereBody>& bodies, const ShapePack& pack,
                                    const WriteOptions& options) {
  std::size_t clumps = 0, count = 0;
  shape::Aabb box;
  LammpsSystem system;
  for (const SphereBody& b : bodies) {
    clumps += b.isClump();
    count += b.count();
    box.add(boxOf(*b.particle));
    for (const PackMember& m : b.particle->members)
      system.atoms.push_back({1, b.isClump() ? clumps : 0, m.centre, 2.0 * m.radius, b.density,
                              Vec3::Zero(), Vec3::Zero()});
    if (b.isClump())
      system.rigid.push_back(
          {clumps, b.totalMass(), b.mass.solid.centre, b.inertia(), Vec3::Zero(), Vec3::Zero()});
  }
  system.title =
      fmt::format("LAMMPS data: {} bodies, {} of them clumps; atom_style hybrid sphere molecular",
                  count, clumps);
  for (Eigen::Index k = 0; k < 3; ++k) {
    const double margin = 0.1 * (box.high[k] - box.low[k]);
    const bool periodic = system.periodic[static_cast<std::size_t>(k)] = pack.cell[k] > 0.0;
    system.low[k] = periodic ? 0.0 : box.low[k] - margin;
    system.high[k] = periodic ? pack.cell[k] : box.high[k] + margin;
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
  std::vector<FormatFile> files{{"", lammpsData(system)}, {".in", script}};
  if (clumps > 0) files.push_back({".infile", lammpsInfile(system)});
  if (bodies.size() == 1 && clumps == 1) files.push_back({".mol", molecule(bodies.front())});
  return files;
}

std::vector<FormatFile> liggghtsFiles(const std::vector<SphereBody>& bodies,
                                      const WriteOptions& options) {
  std::vector<FormatFile> files;
  std::string script =
      "# LIGGGHTS templates. Each command needs another prime above 10000 as its seed.\n";
  int seed = 15485862;
  std::size_t type = 0, number = 0;
  for (const SphereBody& b : bodies) {
    const std::string fix = fmt::format("pt{}", ++number);
    const auto& members = b.particle->members;
    if (!b.isClump()) {
      for (const PackMember& m : members) {
        seed = primeAfter(seed);
        script += fmt::format(
            "fix {}{} all particletemplate/sphere {} atom_type 1 density constant {} radius "
            "constant {}\n",
            fix, members.size() > 1 ? fmt::format("_{}", &m - members.data()) : "", seed,
            shortest(b.density), shortest(m.radius));
      }
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
    seed = primeAfter(seed);
    script += fmt::format(
        "fix {} all particletemplate/multisphere {} atom_type 1 density constant {} nspheres {} "
        "ntry 1000000 spheres file {}{} scale 1.0 type {} mass {} inertia_tensor {} use_density\n",
        fix, seed, shortest(b.density), members.size(), options.name, suffix, type,
        shortest(b.totalMass()), list({i(0, 0), i(0, 1), i(0, 2), i(1, 1), i(1, 2), i(2, 2)}));
    files.push_back({suffix, text});
  }
  files.insert(files.begin(), {"", script});
  return files;
}

}  // namespace

std::string lammpsData(const LammpsSystem& system) {
  std::string data = fmt::format("{}\n\n{} atoms\n{} atom types\n\n", system.title,
                                 system.atoms.size(), system.types);
  for (Eigen::Index k = 0; k < 3; ++k)
    data +=
        fmt::format("{} {}lo {}hi{}\n", list({system.low[k], system.high[k]}), "xyz"[k], "xyz"[k],
                    system.periodic[static_cast<std::size_t>(k)] ? " # periodic" : "");
  if (system.tilt != Vec3::Zero())
    data += list({system.tilt.x(), system.tilt.y(), system.tilt.z()}) + " xy xz yz\n";
  data += "\nMasses\n\n";  // a dummy: spheres have masses of their own
  for (std::size_t type = 1; type <= system.types; ++type) data += fmt::format("{} 1\n", type);
  data += "\nAtoms # hybrid\n\n";  // id type x y z diameter density molecule
  std::string velocities;
  bool moves = false;
  for (std::size_t k = 0; k < system.atoms.size(); ++k) {
    const LammpsSystem::Atom& a = system.atoms[k];
    const Vec3 &c = a.centre, &v = a.vel, &w = a.vrot;
    data += fmt::format("{} {} {} {}\n", k + 1, a.type,
                        list({c.x(), c.y(), c.z(), a.diameter, a.density}), a.molecule);
    velocities += fmt::format("{} {}\n", k + 1, list({v.x(), v.y(), v.z(), w.x(), w.y(), w.z()}));
    moves |= v != Vec3::Zero() || w != Vec3::Zero();
  }
  return moves ? data + "\nVelocities\n\n" + velocities : data;
}

std::string lammpsInfile(const LammpsSystem& system) {
  std::string infile = fmt::format("{}\n", system.rigid.size());
  for (const LammpsSystem::Rigid& r : system.rigid) {
    const Vec3 &c = r.centre, &v = r.vel, &l = r.spin;
    const Mat3& i = r.inertia;
    infile += fmt::format("{} {} 0 0 0\n", r.molecule,
                          list({r.mass, c.x(), c.y(), c.z(), i(0, 0), i(1, 1), i(2, 2), i(0, 1),
                                i(0, 2), i(1, 2), v.x(), v.y(), v.z(), l.x(), l.y(), l.z()}));
  }
  return infile;
}

std::vector<FormatFile> sphereFiles(const ShapePack& pack, const Format& format,
                                    const WriteOptions& options, Losses& losses) {
  std::vector<SphereBody> bodies;
  std::size_t number = 0;  // of the next body, as formats without IDs count
  for (const PackParticle& p : pack.particles) {
    const auto other = std::ranges::find_if_not(p.members, isBall);
    if (other != p.members.end()) {
      losses.serious(
          fmt::format("particle {} has a member of type {}, and this format knows "
                      "spheres only",
                      p.id, other->type->name));
      continue;
    }
    losses.ofParticle(p, format);
    losses.minor("the mark u", p.unclumped && p.members.size() > 1);
    losses.minor("IDs", format.has(holdsIds) ? !bodies.empty() && bodies.back().particle->id == p.id
                                             : p.id != static_cast<std::int64_t>(number));
    SphereBody b{&p, massOf(p, {.density = options.density, .threads = options.threads}),
                 p.carried().density.value_or(options.density)};
    losses.minor("given mass and inertia of single spheres",
                 p.carried().given && format.has(holdsMass) && !b.isClump());
    number += b.count();
    bodies.push_back(std::move(b));
  }
  if (bodies.empty()) return {};
  for (const SphereBody& b : bodies)
    losses.minor("positions", !format.has(holdsPlaces) &&
                                  (b.mass.solid.centre.norm() > 0.0 || b.particle->unclumped));
  if (format.name == "yade") return yadeFiles(bodies, options);
  if (format.name == "csv") return csvFiles(bodies);
  return format.name == "lammps" ? lammpsFiles(bodies, pack, options)
                                 : liggghtsFiles(bodies, options);
}

PackMember sphereMember(const Vec3& centre, double radius) {
  PackMember m;
  m.type = &memberTypes().front();  // Sphere
  m.centre = centre;
  m.radius = radius;
  return m;
}

}  // namespace scree::clump

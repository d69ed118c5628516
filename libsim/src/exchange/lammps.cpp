// SPDX-License-Identifier: GPL-3.0-or-later
// Cases for LAMMPS (29 Sep 2021): spheres and rigid clumps of spheres, walls as regions.
#include "exchange/targets.hpp"

#include "scree/clump/formats.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {
namespace {

using Atom = clump::LammpsSystem::Atom;

std::string words(const Vec3& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

/// The number E for which `damping tsuji` gives the dashpot 2 a √(kn m): alpha(E) = 2 a. It is a
/// root of the polynomial that LAMMPS has for the restitution, not the restitution itself.
double tsujiNumber(double a) {
  const auto alpha = [](double e) {
    return 1.2728 +
           e * (-4.2783 + e * (11.087 + e * (-22.348 + e * (27.467 + e * (-18.022 + e * 4.8218)))));
  };
  double low = -1.0, high = 1.01;  // it falls in between
  for (double middle = 0.0; middle = 0.5 * (low + high), low < middle && middle < high;)
    (alpha(middle) > 2.0 * a ? low : high) = middle;
  return low;
}

std::string contactWords(const LinearContact& c) {
  const std::string friction =
      c.kt > 0.0 && c.mu > 0.0 ? fmt::format("linear_history {} 0.0 {}", c.kt, c.mu)
                               : "linear_nohistory 0.0 0.0";  // the other one would divide by kt
  return fmt::format("hooke {} {} tangential {} damping tsuji limit_damping", c.kn,
                     tsujiNumber(c.damping), friction);
}

/// Shares of the mass of a clump for its spheres whose centre is that of the clump: `fix gravity`
/// acts on spheres, so the clump would turn otherwise; `rigid/small ... gravity` leaves out half of
/// the first step. Of all such shares they are nearest to those v of the volumes in relative
/// entropy, v exp(λ·x), so none is 0, which LAMMPS refuses. λ is where a convex function is least;
/// damped Newton steps.
/// @returns empty where the centre is outside the hull of the spheres
std::vector<double> massShares(const shape::Shape& s) {
  std::vector<double> shares(s.vertices.size());
  double size = 0.0;
  for (const Vec3& v : s.vertices) size = std::max(size, v.norm());
  Vec3 lambda = Vec3::Zero(), centre = Vec3::Ones();
  for (int round = 0; round < 200 && centre.norm() > 1e-16; ++round) {
    double sum = 0.0;
    centre.setZero();
    Mat3 spread = Mat3::Zero();
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const Vec3 x = s.vertices[k] / size;
      const double r = s.radiusAt(k);
      sum += shares[k] = r * r * r * portableExp(lambda.dot(x));
      centre += shares[k] * x;
      spread += shares[k] * x * x.transpose();
    }
    centre /= sum;
    spread = spread / sum - centre * centre.transpose() + 1e-13 * Mat3::Identity();
    for (double& share : shares) share /= sum;
    const Vec3 step = spread.ldlt().solve(centre);
    lambda -= step / (1.0 + step.norm());
  }
  return centre.norm() < 1e-12 ? shares : std::vector<double>();
}

/// The shares of the mass of a shape for its spheres: 1 for a single one.
std::vector<double> sharesOf(const shape::Shape& s) {
  std::string why;
  std::vector<double> shares{1.0};
  const Vec3 full = Vec3::Constant(0.4 * s.radiusAt(0) * s.radiusAt(0));
  if (!shape::isOfBalls(s))
    why = "has edges or faces; clumpify cover makes spheres of it, for transform --replace-shape";
  else if (s.vertices.size() > 1 && (shares = massShares(s)).empty())
    why = "has its centre of mass outside the hull of its spheres";
  else if (s.vertices.size() == 1 && (s.vertices[0].norm() > 1e-9 * s.radiusAt(0) ||
                                      (s.inertiaPerMass - full).norm() > 1e-6 * full[0]))
    why = "is one sphere with another centre or inertia than a full one";
  if (!why.empty()) throw ModelError(fmt::format("shape '{}' {}", s.name, why));
  return shares;
}

/// Commands that make the walls: a region each, and a fix for each type that it meets.
std::string wallCommands(const ExportCase& given) {
  std::string text;
  std::size_t count = 0;
  const auto add = [&](const std::string& region, std::uint32_t group) {
    text += fmt::format("region w{} {}\n", count, region);
    std::size_t type = 0;
    for (const std::uint32_t g : given.groups)
      text += fmt::format("fix w{0}t{1} type{1} wall/gran/region granular {2} region w{0}\n", count,
                          ++type, contactWords(linearContact(given.conf, g, group)));
    ++count;
  };
  for (const auto& [body, face, space, covers, area] : platesOf(given.instant))
    add(fmt::format("plane {} {}", words(space.offset * space.normal), words(-space.normal)),
        given.conf.particles[body].group);
  for (const Boundary& b : given.conf.boundaries) {
    if (b.kind == Boundary::Kind::plane)
      add(fmt::format("plane {} {}", words(b.centre), words(b.axis)), b.group);
    if (b.kind == Boundary::Kind::ball)
      add(fmt::format("sphere {} {}", words(b.centre), b.radius), b.group);
    if (b.kind != Boundary::Kind::cylinder) continue;
    const int axis = cylinderAxis(b);
    text += fmt::format("variable turn{} equal {}*time\n", count, b.spin[axis]);
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    add(fmt::format("cylinder {} {} {} {} INF INF open 1 open 2 rotate v_turn{} {} {}", "xyz"[axis],
                    b.centre[first], b.centre[second], b.radius, count, words(b.centre),
                    words(Vec3::Unit(axis))),
        b.group);
  }
  return text;
}

/// The spheres and clumps. Molecules are numbers of bodies, from 1. Single spheres come first.
/// @param singles  gets how many there are
clump::LammpsSystem systemOf(const ExportCase& given, std::size_t& singles) {
  const Conf& conf = given.conf;
  const Mat3& h = conf.cell.h;
  clump::LammpsSystem system;
  system.title = given.remark;
  system.types = given.groups.size();
  std::vector<std::vector<double>> shares(given.scene.shapes.size());
  const Mat3 inverse = conf.cell.used ? Mat3(h.inverse()) : Mat3(Mat3::Zero());
  shape::Aabb box;
  for (const bool areClumps : {false, true}) {
    for (std::size_t k = conf.nDriven; k < conf.particles.size(); ++k) {
      const ParticleRecord& p = conf.particles[k];
      const shape::Shape& shape = given.instant.shapeOf(k);
      if ((shape.vertices.size() > 1) != areClumps) continue;
      std::vector<double>& own = shares[p.shapeName];
      if (own.empty()) own = sharesOf(shape);
      const Vec3 pos = p.pos - h * Vec3((inverse * p.pos).array().floor());
      const double mass = given.instant.masses()[k];
      const auto type = std::distance(given.groups.begin(), given.groups.find(p.group)) + 1;
      for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
        const double d = 2.0 * p.homothety * shape.radiusAt(v);
        system.atoms.push_back({static_cast<std::size_t>(type), k + 1,
                                pos + rotated(p.q, p.homothety * shape.vertices[v]), d,
                                own[v] * mass / (pi / 6.0 * d * d * d), p.vel, p.vrot});
        box.add(system.atoms.back().centre);
      }
      if (!areClumps) continue;
      const Mat3 turn = rotationMatrix(p.q),
                 inertia = turn * given.instant.inertias()[k].asDiagonal() * turn.transpose();
      system.rigid.push_back({k + 1, mass, pos, inertia, p.vel, inertia * p.vrot});
    }
    if (!areClumps) singles = system.atoms.size();
  }
  box = box.grown(given.reach);
  system.low = conf.cell.used ? Vec3(Vec3::Zero()) : box.low;
  system.high = conf.cell.used ? Vec3(h.diagonal()) : box.high;
  system.periodic = {conf.cell.used, conf.cell.used, conf.cell.used};
  if (conf.cell.used && !(h.isDiagonal(0.0) && h.diagonal().minCoeff() > 0.0))
    throw ModelError(fmt::format("{}: LAMMPS gets periodic cells along the axes", conf.source));
  return system;
}

}  // namespace

std::map<std::string, std::string> lammpsFiles(const ExportCase& given) {
  const Conf& conf = given.conf;
  std::size_t singles = 0;
  const clump::LammpsSystem system = systemOf(given, singles);
  const double skin = 0.05 * std::ranges::max(system.atoms, {}, &Atom::diameter).diameter;
  std::string run = fmt::format(
      R"(# {0}
# lmp -in case.in, or mpirun -np 8 lmp -in case.in
# One `run` only: LAMMPS of 2021 converts the damping of walls once more at each.
units si
newton off
atom_style hybrid sphere molecular
boundary {1} {1} {1}
read_data case.data
comm_modify vel yes cutoff {2}
neighbor {3} bin
neigh_modify delay 0 every 1 check yes
pair_style granular
)",
      given.remark, conf.cell.used ? 'p' : 'm', 2.0 * given.reach + skin, skin);
  std::size_t first = 0;
  for (const std::uint32_t g : given.groups) {
    std::size_t second = first++;
    run += fmt::format("group type{0} type {0} # group {1}\n", first, g);
    for (auto h = given.groups.find(g); h != given.groups.end(); ++h)
      run += fmt::format("pair_coeff {} {} {}\n", first, ++second,
                         contactWords(linearContact(conf, g, *h)));
  }
  if (const double g = conf.gravity.norm(); g > 0.0)
    run += fmt::format("fix gravity all gravity {} vector {}\n", g, words(conf.gravity));
  if (singles > 0)
    run += fmt::format(R"(group singles id 1:{}
fix singles singles nve/sphere
dump atoms singles custom {} atoms.dump mol mass xu yu zu vx vy vz omegax omegay omegaz
dump_modify atoms sort id time yes format float %.17g
)",
                       singles, given.every);
  std::map<std::string, std::string> files{{"case.data", clump::lammpsData(system)}};
  if (singles < system.atoms.size()) {
    files["case.infile"] = clump::lammpsInfile(system);
    run += fmt::format(R"(group clumps id {}:{}
neigh_modify exclude molecule/intra clumps
fix clumps clumps rigid/small molecule infile case.infile
compute bodies clumps rigid/local clumps mol mass xu yu zu vx vy vz quatw quati quatj quatk omegax omegay omegaz
dump bodies clumps local {} bodies.dump index c_bodies[*]
dump_modify bodies sort 2 time yes format float %.17g
)",
                       singles + 1, system.atoms.size(), given.every);
  }
  run += wallCommands(given) +
         fmt::format("timestep {}\nthermo_style custom step\nthermo {}\nrun {}\n", conf.dt,
                     given.every, given.steps);
  files["case.in"] = run;
  return files;
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
// Rock of glued cells: stiffness, strength, bending and energy, known in closed form.
#include "bond_scenes.hpp"
#include "catch.hpp"

#include "scree/sim/pack/cell_bodies.hpp"
#include "scree/sim/pack/complete.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace scree;
using namespace scree::scenes;

namespace {

constexpr double rockYoung = 1e9, rockPoisson = 0.25, rockTensile = 1e6, rockCohesion = 2e6;
constexpr double rockShear = rockYoung / (2.0 * (1.0 + rockPoisson));

sim::CellBodyOptions rockOptions(const std::string& law, double radius,
                                 const std::string& driven = "") {
  sim::CellBodyOptions options;
  options.radius = radius;
  options.bond = sim::BondStrength::parse("young=1e9,poisson=0.25,tensile=1e6,cohesion=2e6");
  options.byEnergy = law == "BCM";
  if (!driven.empty()) options.driven = sim::Selection(driven);
  return options;
}

/// The conf-file of cells without gravity, whose bonds have no viscosity.
sim::CompletedConf rockFile(const sim::CellBodies& made, const std::string& law) {
  sim::PackSettings settings;
  settings.law = law;
  settings.gravity = Vec3::Zero();
  settings.parameters["en2InnerBond"] = {1.0, {}};
  settings.parameters["knContact"] = {rockYoung, {}};
  Diagnostics quiet;
  return sim::completed(made.packing, settings, quiet);
}

std::unique_ptr<sim::Simulation> startedRock(const sim::CompletedConf& file,
                                             const sim::Drives& drives = {}) {
  Diagnostics quiet;
  return std::make_unique<sim::Simulation>(file.conf, file.shapes, drives,
                                           sim::SimulationOptions(1), quiet);
}

/// A bar of unit cubes along x.
sim::CellBodies rockBar(int n, const sim::CellBodyOptions& options) {
  const std::vector<sim::JointSet> sets{sim::JointSet::parse("90,90,1")};
  const auto box = sim::Container::parse("box:" + std::to_string(n) + ",1,1");
  return sim::bodiesOf(sim::cutByJoints(sim::cellOf(box), sets, {}, options.radius, 1), options);
}

/// Behaviour of a bar of n cubes, one end held and the other moved until the bar breaks. All cubes
/// begin with the velocities of a homogeneous strain, so that there are no waves.
Rupture pulledRock(int n, const std::string& law, const Vec3& direction) {
  const double length = n - 1.0, speed = 0.01 * n;  // a step: 1e-4 of the strain of rupture
  const auto made = rockBar(n, rockOptions(law, 0.05, "x < 1 || x > " + std::to_string(n - 1)));
  sim::CompletedConf file = rockFile(made, law);
  REQUIRE(file.conf.particles[0].pos.x() == Approx(0.5));
  REQUIRE(file.conf.particles[1].pos.x() == Approx(n - 0.5));
  for (sim::ParticleRecord& p : file.conf.particles)
    p.vel = (p.pos.x() - 0.5) / length * speed * direction;
  file.conf.dt = 1e-5;
  auto s = startedRock(file, pull(1, speed * direction));
  REQUIRE(s->bonds().interfaces.size() == static_cast<std::size_t>(n - 1));
  const Vec3 start = s->bodies().pos[1];
  Rupture r;
  while (s->bonds().brokenInterfaces == 0 && s->stepIndex() < 50000) {
    s->step();
    const double force = -s->bodies().force[1].dot(direction);
    r.at = (s->bodies().pos[1] - start).dot(direction);
    r.peak = std::max(r.peak, force);
    if (s->stepIndex() == 2000) r.stiffness = force / r.at;
  }
  r.bonds = s->bonds().brokenBonds;
  r.lost = s->energyBudget().breakage / static_cast<double>(s->bonds().brokenInterfaces);
  return r;
}

/// Deflection of a Timoshenko beam of bending stiffness b and shear stiffness s that is clamped at
/// 0, at x = n, under a weight w per length on 1/2 < x < n + 1/2.
double timoshenkoTip(double n, double w, double b, double s) {
  // A load w dx at x < n moves x = n by x² (3n - x)/(6b) + x/s. What is beyond n loads it by the
  // force w/2 and the moment w/8.
  const double beforeHalf = n / 48.0 - 1.0 / 384.0;
  return w / b * (std::pow(n, 4) / 8.0 + std::pow(n, 3) / 6.0 + n * n / 16.0 - beforeHalf) +
         w / s * (0.5 * n * n - 0.125 + 0.5 * n);
}

/// Number of fragments: bodies that bonds connect.
std::size_t fragmentsOf(const sim::Simulation& s) {
  std::vector<std::size_t> root(s.bodies().size());
  for (std::size_t k = 0; k < root.size(); ++k) root[k] = k;
  const auto find = [&](std::size_t k) {
    while (root[k] != k) k = root[k] = root[root[k]];
    return k;
  };
  for (const sim::Interface& face : s.bonds().interfaces) root[find(face.i)] = find(face.j);
  std::size_t count = 0;
  for (std::size_t k = 0; k < root.size(); ++k) count += root[k] == k ? 1 : 0;
  return count;
}

/// The conf-file of a block of 200 cells over a plane, all of one velocity.
sim::CompletedConf rockBlock(const std::string& law, const Vec3& velocity) {
  sim::CellBodyOptions options = rockOptions(law, 5e-3);
  if (law == "BCM") options.bond->gc = 20.0;
  sim::CellBodies made = sim::bodiesOf(
      sim::voronoi(sim::Container::parse("box:1,1,1"), {.cells = 200, .radius = options.radius}),
      options);
  double kn = 0.0, bonds = 0.0;
  for (const sim::InterfaceRecord& r : made.packing.interfaces) {
    const auto n = static_cast<double>(r.bonds.size());
    kn += r.params->kn * (law == "BCM" ? 1.0 : n);
    bonds += n;
  }
  for (sim::PlacedBody& body : made.packing.bodies) body.vel = velocity;
  sim::Boundary plane;
  plane.kind = sim::Boundary::Kind::plane;
  plane.centre = Vec3(0, -1e-6, 0);
  plane.axis = Vec3::UnitY();
  plane.group = 1;
  made.packing.boundaries.push_back(plane);
  sim::PackSettings settings;
  settings.law = law;
  settings.gravity = Vec3::Zero();
  settings.parameters["en2InnerBond"] = {0.8, {}};
  settings.parameters["knContact"] = {kn / bonds, {}};  // as packgen chooses it
  Diagnostics quiet;
  return sim::completed(made.packing, settings, quiet);
}

/// Two cells, the first of them held: halves of a unit cube on either side of a plane askew.
sim::CellBodies askewPair(const std::string& law) {
  return sim::bodiesOf(
      sim::voronoi(sim::Container::parse("box:1,1,1"), {.cells = 2, .radius = 0.01}),
      rockOptions(law, 0.01, "id < 1"));
}

/// Outward normal of the first cell where the second begins.
Vec3 normalBetween(const sim::CellBodies& made) {
  const sim::SharedFace face = sim::sharedFaces(made.cells, {}).at(0);
  return made.cells[face.i].sides[face.sideOfI].normal;
}

}  // namespace

TEST_CASE("a face that breaks under pressure hands its load and its energy over to contacts",
          "[physics][rock]") {
  // Bonds of a face between cells act where edges cross, too. Pressed by 1e-4 and sheared, until
  // the face breaks; the other body is too heavy for these forces to move it.
  const std::string law = GENERATE("StickedLinks", "BCM");
  INFO(law);
  sim::CellBodies made = askewPair(law);
  const sim::InterfaceRecord face = made.packing.interfaces.at(0);
  REQUIRE(std::ranges::count(face.bonds, sim::Pairing::edgeEdge, &sim::BondRecord::pairing) == 4);
  const auto bonds = static_cast<double>(face.bonds.size());
  const double press = 1e-4, kn = face.params->kn * (law == "BCM" ? 1.0 : bonds);
  const Vec3 normal = normalBetween(made), across = normal.cross(Vec3(0.3, 0.5, 0.8)).normalized();
  made.packing.bodies[1].pos -= press * normal;
  made.packing.bodies[1].vel = 0.5 * across;
  sim::CompletedConf file = rockFile(made, law);
  file.conf.setDensity(1, 1e12);
  file.conf.setLawParameter("knContact", 1, 1, kn / bonds);
  file.conf.setLawParameter("ktContact", 1, 1, 0.8 * kn / bonds);
  file.conf.setLawParameter("en2Contact", 1, 1, 1.0);
  file.conf.dt = 1e-5;
  auto s = startedRock(file);
  while (s->bonds().brokenInterfaces == 0 && s->stepIndex() < 5000) s->step();
  REQUIRE(s->bonds().brokenInterfaces == 1);
  s->step();
  const sim::EnergyBudget e = s->energyBudget();
  CHECK(-s->bodies().force[0].dot(normal) == Approx(kn * press).epsilon(1e-6));
  // Friction holds the bound mu fn, from the first step on.
  CHECK(std::abs(s->bodies().force[0].dot(across)) == Approx(0.5 * kn * press).epsilon(1e-6));
  CHECK(s->contactCount() == face.bonds.size());
  CHECK(e.normal == Approx(0.5 * kn * press * press).epsilon(1e-6));
  // The kinetic energy of 1e11 J has rounding errors of 1e-5 J.
  CHECK(std::abs(e.residual) < 1e-3 * e.normal);
}

TEST_CASE("a bar of glued cubes has the stiffness E A/L and the strength S A, by either law",
          "[physics][rock]") {
  const std::string law = GENERATE("StickedLinks", "BCM");
  INFO(law);
  const Rupture r = pulledRock(10, law, Vec3::UnitX());
  CHECK(r.stiffness == Approx(rockYoung / 9.0).epsilon(1e-8));
  // It breaks in the first step beyond, 1.1e-4 of the strain at most.
  CHECK(r.peak == Approx(rockTensile).epsilon(1.2e-4));
  CHECK(r.at == Approx(9.0 * rockTensile / rockYoung).epsilon(1.2e-4));
  CHECK(r.lost == Approx(0.5 * rockTensile * rockTensile / rockYoung).epsilon(2.4e-4));
}

TEST_CASE(
    "glued cubes that are sheared without turning have the stiffness G A/d and the cohesion "
    "C A, or break by energy with law BCM",
    "[physics][rock]") {
  const std::string law = GENERATE("StickedLinks", "BCM");
  INFO(law);
  const Rupture r = pulledRock(2, law, GENERATE(Vec3(0, 1, 0), Vec3(0, 0.6, -0.8)));
  CHECK(r.stiffness == Approx(rockShear).epsilon(1e-8));
  // By energy a sheared face holds as much as a pulled one, whatever C is: S A √(kt/kn).
  const double strength =
      law == "BCM" ? rockTensile * std::sqrt(rockShear / rockYoung) : rockCohesion;
  CHECK(r.peak == Approx(strength).epsilon(2e-4));
  CHECK(r.bonds == 4);
}

TEST_CASE(
    "a cantilever of glued cubes sags as the chain of its springs, and as a beam of the "
    "bending stiffness of its corners",
    "[physics][rock]") {
  const double radius = GENERATE(0.05, 0.15);
  INFO("radius " << radius);
  const int n = 20;
  const sim::CellBodies made = rockBar(n + 1, rockOptions("StickedLinks", radius, "x < 1"));
  Cantilever chain;
  chain.n = n;
  chain.kn = rockYoung / 4.0;
  chain.kt = rockShear / 4.0;
  chain.c = 0.5 - radius;
  chain.g = 1.0 / 1350.0;  // it sags by 1e-5 of its length, so that geometry stays linear
  chain.m = 2700.0 * made.packing.shapes[0].volume;
  sim::CompletedConf file = rockFile(made, "StickedLinks");
  file.conf.gravity = Vec3(0, -chain.g, 0);
  file.conf.setLawParameter("en2InnerBond", 1, 1, 0.8);
  file.conf.numericalDampingCoeff = 0.7;
  file.conf.dt = 8e-4;
  auto s = startedRock(file);
  s->steps(40000);
  const sim::Conf now = s->conf();
  const auto last = std::ranges::max_element(
      now.particles, {}, [](const sim::ParticleRecord& p) { return p.pos.x(); });
  const double tip = 0.5 - last->pos.y();
  CHECK(last->vel.norm() < 1e-6 * tip);  // a period lasts 3 s
  CHECK(tip == Approx(chain.tip()).epsilon(1e-6));

  // Four corners at (a - 2R)/2 are stiffer in bending than a beam by 3 (1 - 2R/a)²; shear acts on
  // all of the face. The chain is the midpoint rule of that beam: off by 1/(2 n²) of it.
  const double w = chain.m * chain.g, corners = rockYoung * chain.c * chain.c;
  CHECK(tip == Approx(timoshenkoTip(n, w, corners, rockShear)).epsilon(0.5 / (n * n)));
  // Against a beam of the same E and nu, with 5/6 for its shear, which is 0.2 % of the deflection.
  const double beam = timoshenkoTip(n, w, rockYoung / 12.0, 5.0 / 6.0 * rockShear);
  const double ratio = 1.0 / (3.0 * std::pow(1.0 - 2.0 * radius, 2));
  CHECK(tip / beam == Approx(ratio).epsilon(3e-3));
}

TEST_CASE("a glued block at rest stays as it is to rounding", "[physics][rock]") {
  sim::CompletedConf file = rockBlock("StickedLinks", Vec3::Zero());
  double kn = 0.0;
  for (const sim::InterfaceRecord& r : file.conf.interfaces)
    kn += r.params->kn * static_cast<double>(r.bonds.size());
  auto s = startedRock(file);
  s->steps(2000);
  const sim::EnergyBudget e = s->energyBudget();
  CHECK(s->bonds().brokenInterfaces == 0);
  // Places round to 1e-16: no more than what all bonds hold at 1e-14.
  const double rounding = 0.5 * kn * 1e-28;
  CHECK(e.held() < rounding);
  CHECK(std::abs(e.lost()) < rounding);
  CHECK(std::abs(e.residual) < rounding);
  for (std::size_t k = 0; k < s->bodies().size(); ++k)
    CHECK((s->bodies().pos[k] - file.conf.particles[k].pos).norm() < 1e-13);
}

TEST_CASE("a glued block that hits a plane breaks within its energy", "[physics][rock]") {
  const std::string law = GENERATE("StickedLinks", "BCM");
  INFO(law);
  auto s = startedRock(rockBlock(law, Vec3(0, -4, 0)));
  const double start = s->energyBudget().held();
  s->steps(1000);
  const sim::EnergyBudget e = s->energyBudget();
  const sim::BondedArea area = s->bonds().area;
  CHECK(fragmentsOf(*s) > 5);
  CHECK(area.broken > 0.2 * area.all);
  CHECK(e.breakage > 0.02 * start);
  if (law == "BCM") {  // 2 Gc of the area, and the excess of the last step of each face
    CHECK(e.breakage >= 40.0 * area.broken);
    CHECK(e.breakage < 1.05 * 40.0 * area.broken);
  }
  CHECK(e.held() + e.lost() == Approx(start).epsilon(1e-4));
  CHECK(std::abs(e.residual) < 1e-4 * e.exchanged);  // the bound of docs/tools/rockable.md
}

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
#include <utility>
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

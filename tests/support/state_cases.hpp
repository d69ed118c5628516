// SPDX-License-Identifier: GPL-3.0-or-later
// Small runs of all kinds, whose last states are kept as hashes in tests/golden/states.txt. The
// hashes hold whatever the number of threads, the compiler and the stops on the way.
#pragma once

#include "../bench/scenes_at_scale.hpp"
#include "bond_scenes.hpp"
#include "cell_scenes.hpp"
#include "heap_scenes.hpp"

#include "scree/sim/io/commands.hpp"
#include "scree/sim/law/law_info.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scree::scenes {

struct StateCase {
  std::string name;
  Scene scene;
  int steps = 0;
  std::string drives;   ///< text of drivingSystem.txt
  bool compat = false;  ///< as Rockable does
};

/// Four balls of radius 0.1 that overlap: a clump of one body.
inline shape::Shape fourBalls(const std::string& name) {
  shape::Shape s;
  s.name = name;
  s.radius = 0.1;
  s.vertices = {
      {0.05, 0.05, 0.05}, {0.05, -0.05, -0.05}, {-0.05, 0.05, -0.05}, {-0.05, -0.05, 0.05}};
  s.preCompDone = true;  // rounded: what matters here is that the clump moves as one
  s.volume = 0.0085;
  s.inertiaPerMass = Vec3::Constant(0.0052);
  return s;
}

namespace detail {

inline constexpr const char* integrators[] = {"velocityVerlet", "Euler", "Beeman", "RungeKutta4"};
inline constexpr const char* shaker = "Servo shaker 0 0 1 0 0.005 12\n";

inline Scene heapOfClumps(int n) {
  Scene scene = heap("Default", {0});
  Rng rng(6);
  for (int k = 0; k < n; ++k) {
    const auto body =
        scene.add(fourBalls("clump"),
                  Vec3(0.35 * (k % 4 - 1.5), 0.2 + 0.35 * (k / 16), 0.35 * (k / 4 % 4 - 1.5)), 1,
                  rng.orientation());
    scene.conf.particles[body].vrot = 5 * rng.direction();
  }
  return scene;
}

/// A heap with all that can hold bodies back or push them, and courses of parameters in time.
inline Scene heldBackHeap() {
  Scene scene = heap("Default", {32});
  sim::Conf& c = scene.conf;
  c.numericalDampingCoeff = 0.2;
  c.velocityBarrier = 3.0;
  c.velocityBarrierExponent = 2.0;
  c.angularVelocityBarrier = 20.0;
  c.bodyForce = sim::ViscousFluid{1000.0};
  c.joints = {
      {1, 2, Vec3(0.05, 0, 0), Vec3(0, 0.02, 0.01), 2000.0, -1.0},
      {3, 8, Vec3::Zero(), Vec3(0.03, 0, 0), 500.0, -1.0}};  // a file has no other length at rest
  using sim::Tempo;
  c.tempos = {{Tempo::What::pair, "muContact", 0, 1, Tempo::Course::ramp, 0.02, 0.1, 0.1, 0.6},
              {Tempo::What::pair, "en2Contact", 1, 1, Tempo::Course::range, 0.03, 0.09, 0.6, 0.2},
              {Tempo::What::density, "", 1, 1, Tempo::Course::ramp, 0.0, 0.1, 2500.0, 2700.0}};
  return scene;
}

inline Scene roundHeap(sim::Boundary::Kind kind) {
  Scene scene = heap("Default", {27});
  scene.conf.boundaries = {{kind, Vec3(0, 0.4, 0), Vec3(1, 0.2, 0).normalized(), 0.85, 1}};
  scene.conf.particles[0].pos.y() = -10;  // the plate is out of the way
  return scene;
}

/// Each servo on the walls of a box, by name.
inline std::vector<std::pair<std::string, std::string>> servos() {
  const std::string walls = " 0 1 2 3 4 5 ";
  return {{"ramp",
           "Servo ramp _y_Vel_ 3 0 -0.5 0.01 0.07\nServo ramp _x_For_ 1 0 -300 0.01 0.07\n"
           "Servo ramp _xyzrot_Vel_ 5 0 0 0 0 0.3 0.4 0.01 0.07\n"},
          {"shaker", "Servo shaker 3 0 1 0 0.01 17\n"},
          {"triangle", "Servo triangle_shaker 3 1 1 0 0.01 17\n"},
          {"sawtooth", "Servo sawtooth_shaker 3 0 1 0 0.01 17 0.013\n"},
          {"isostatic", "Servo tritriIsostaticCompression" + walls + "3000\n"},
          {"biaxial", "Servo tritriBiaxialCompression" + walls + "3000 0.2\n"},
          {"custom", "Servo tritriCustom" + walls + "1 3000 1 3000 0 0.1 0 0.1 1 2000 1 2000\n"},
          {"lode", "Servo tritriLodeAngle" + walls + "3000 20 9000\n"}};
}

}  // namespace detail

/// All cases; commands of their conf-files have been carried out.
inline std::vector<StateCase> stateCases() {
  using namespace detail;
  std::vector<StateCase> cases;
  const auto add = [&](const std::string& name, Scene scene, int steps,
                       const std::string& drives = "", bool compat = false) {
    Diagnostics quiet;
    sim::runCommands(scene.conf, scene.shapes, quiet);
    cases.push_back({name, std::move(scene), steps, drives, compat});
  };
  for (const sim::LawInfo& info : sim::allLaws()) {
    const std::string law(info.name);
    for (const char* integrator : integrators) {
      Scene scene = heap(law, {32});
      scene.conf.integrator = integrator;
      add("heap-" + law + "-" + integrator, scene, 1200, shaker);
    }
    add("many-" + law, heap(law, {480}), 300, shaker);
    Scene cell = soup(aslant(2.1), 0.5, 0.4, 6);
    cell.conf.forceLaw = law;
    cell.conf.cell.mh = 5;
    cell.conf.setLawParameter("viscTContact", 1, 1, 300);
    cell.elastic(1, 1e8, 0.25);
    add("cell-" + law, cell, 500, "PeriodicLoading IsotropicCompression 20000\n");
    if (!info.inRockable) continue;
    Scene compat = heap(law, {32});
    compat.conf.interVerlet = 10 * compat.conf.dt;
    compat.conf.DVerlet = 0.05;
    compat.conf.dVerlet = 0.02;
    add("asRockable-" + law, compat, 1000, shaker, true);
  }
  for (const char* weights : {"NumberWeight", "OverlapWeight"}) {
    Scene scene = heap("StickedLinks", {32});
    scene.conf.contactPartnership = weights;
    add(std::string("heap-") + weights, scene, 1200, shaker);
  }
  for (const std::string law : {"StickedLinks", "BCM"}) {
    for (const char* integrator : integrators) {
      Scene scene = thrown(law, 4);
      scene.conf.integrator = integrator;
      add("breaking-" + law + "-" + integrator, scene, 3000);
    }
    add("breakingMany-" + law, thrown(law, 48), 2000);
    add("breakingAsRockable-" + law, thrown(law, 4), 3000, "", true);
    add("breakingInCell-" + law, rowAcrossCell(law), 1500,
        "PeriodicLoading SimpleShearDeformable XZ 20000 2\n");
  }
  Scene cell = soup(aslant(1.05));
  cell.conf.cell.mh = 5;
  add("triaxialCell", cell, 2000, "PeriodicLoading TriaxialCompression X 20000 -0.5\n");
  add("shearedCell", cell, 2000, "PeriodicLoading SimpleShearDeformable XZ 20000 1\n");
  add("inBall", roundHeap(sim::Boundary::Kind::ball), 3000);
  add("inCylinder", roundHeap(sim::Boundary::Kind::cylinder), 3000);
  for (const auto& [name, text] : servos()) add("servo-" + name, boxOfWalls(27), 800, text);
  add("heldBack", heldBackHeap(), 1500, shaker);
  add("clumps", heapOfClumps(48), 1500, shaker);
  add("glued", gluedBlock(64, 0.0), 300);
  add("broken", gluedBlock(64, 6.0), 500);
  add("dodecahedra", dodecahedra(100), 1000);
  add("mixed", mixed(100), 1000);
  Scene terrain = boulderOnTerrain(40);
  terrain.conf.particles[1].vel = Vec3(2, -9, 0.5);
  add("terrain", terrain, 4000);
  return cases;
}

inline std::unique_ptr<sim::Simulation> started(const StateCase& c, int threads = 1) {
  return c.scene.start(sim::SimulationOptions(threads, c.compat),
                       drivesOf(c.drives, c.scene.conf.nDriven));
}

/// A case after its steps.
inline std::unique_ptr<sim::Simulation> lastState(const StateCase& c, int threads) {
  auto s = started(c, threads);
  s->steps(static_cast<std::uint64_t>(c.steps));
  return s;
}

/// The hash of the last state.
inline std::uint64_t lastHash(const StateCase& c, int threads) {
  return lastState(c, threads)->stateHash();
}

/// Cases whose last state is kept as numbers in tests/golden/state_values.txt: one of each kind,
/// with few bodies.
inline constexpr const char* casesWithValues[] = {"heap-Default-velocityVerlet",
                                                  "heap-HertzMindlin-Beeman",
                                                  "cell-Avalanche",
                                                  "asRockable-Default",
                                                  "breaking-StickedLinks-Euler",
                                                  "breakingInCell-BCM",
                                                  "triaxialCell",
                                                  "inCylinder",
                                                  "servo-triangle",
                                                  "clumps"};

/// One number of a state, and the size of its kind: the largest magnitude among all bodies or
/// contacts.
struct StateValue {
  std::string name;
  double value = 0.0, size = 0.0;
};

/// Positions, orientations, velocities and spins of all bodies, in their order in conf-files, then
/// the number of contacts and the sums of their forces.
inline std::vector<StateValue> valuesOf(const sim::Simulation& s) {
  std::vector<StateValue> values;
  const sim::Bodies& b = s.bodies();
  const auto block = [&](const std::string& what, const char* axes, auto component) {
    const std::size_t begin = values.size(), count = std::string_view(axes).size();
    double size = 0.0;
    for (std::size_t number = 0; number < b.size(); ++number)
      for (std::size_t c = 0; c < count; ++c) {
        const std::size_t k = s.bodyOrder().body(static_cast<sim::BodyId>(number));
        const double value = component(k, static_cast<Eigen::Index>(c));
        size = std::max(size, std::abs(value));
        values.push_back({what + axes[c] + std::to_string(number), value, 0.0});
      }
    for (std::size_t k = begin; k < values.size(); ++k) values[k].size = size;
  };
  block("", "xyz", [&](std::size_t k, Eigen::Index c) { return b.pos[k][c]; });
  block("q", "xyzw", [&](std::size_t k, Eigen::Index c) { return b.q[k].coeffs()[c]; });
  block("v", "xyz", [&](std::size_t k, Eigen::Index c) { return b.vel[k][c]; });
  block("w", "xyz", [&](std::size_t k, Eigen::Index c) { return b.spin[k][c]; });
  const auto contacts = s.interactions();
  double fn = 0.0;
  Vec3 ft = Vec3::Zero();
  for (const sim::InteractionRecord& r : contacts) {
    fn += r.fn;
    ft += r.ft.cwiseAbs();
  }
  values.push_back({"contacts", static_cast<double>(contacts.size()), 0.0});
  for (const auto& [name, value] : {std::pair("fn", fn), std::pair("ftx", ft.x()),
                                    std::pair("fty", ft.y()), std::pair("ftz", ft.z())})
    values.push_back({name, value, fn});
  return values;
}

}  // namespace scree::scenes

// SPDX-License-Identifier: GPL-3.0-or-later
// Small runs of many kinds, whose last states are kept as hashes in tests/golden/states.txt.
#pragma once

#include "bond_scenes.hpp"
#include "cell_scenes.hpp"
#include "heap_scenes.hpp"

#include "scree/sim/commands/commands.hpp"
#include "scree/sim/law/all_laws.hpp"

#include <string>
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

namespace detail {

inline constexpr const char* integrators[] = {"velocityVerlet", "Euler", "Beeman", "RungeKutta4"};
inline constexpr const char* shaker = "Servo shaker 0 0 1 0 0.005 12\n";

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
    add("cell-" + law, cell, 500, "PeriodicLoading IsotropicCompression 20000\n");
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
  return cases;
}

/// The hash of the last state, on so many threads.
inline std::uint64_t lastHash(const StateCase& c, int threads) {
  Diagnostics quiet;
  sim::Simulation s(c.scene.conf, c.scene.shapes, drivesOf(c.drives, c.scene.conf.nDriven),
                    sim::SimulationOptions(threads, c.compat), quiet);
  for (int k = 0; k < c.steps; ++k) s.step();
  return s.stateHash();
}

}  // namespace scree::scenes

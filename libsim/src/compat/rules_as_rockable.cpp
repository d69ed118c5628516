// SPDX-License-Identifier: GPL-3.0-or-later
#include "compat/rules_as_rockable.hpp"

#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

namespace scree::sim::asRockable {

Rules rules() {
  Rules r;
  r.byList = true;
  r.summedClock = true;
  r.orderOfFile = true;
  r.anyRestitution = true;
  r.drag = Drag::components;
  r.bonds = {.turningSprings = false,
             .innerGaps = false,
             .energyOfTables = true,
             .viscosityOfBonds = false,
             .completed = false,
             .looseStayListed = true};
  r.drives = {.allServos = false,
              .meanMotion = false,
              .addsUp = false,
              .releases = false,
              .phaseFromStart = false};
  return r;
}

void refuse(const Conf& conf, std::span<const shape::Shape> shapes) {
  for (const Boundary& boundary : conf.boundaries)
    if (boundary.moves())
      throw conf.errorAt("",
                         "#scree boundaryMotion: boundaries that move or turn are unknown to "
                         "Rockable; run without --compat rockable");
  for (std::size_t k = 0; k < conf.particles.size(); ++k)
    if (const shape::Shape& s = shapes[conf.particles[k].shapeName]; !s.radii.empty())
      throw conf.errorAtParticle(
          k, fmt::format("body {}: shape '{}' has a radius for each ball (radii), which Rockable "
                         "does not know; run it without --compat rockable",
                         k, s.name));
  if (conf.cell.used && conf.addOrRemoveInteractions == "OBBtree")
    throw conf.errorAt(
        "AddOrRemoveInteractions",
        "AddOrRemoveInteractions OBBtree: in Rockable this search finds no contacts across the "
        "sides of a periodic cell; use bruteForce, or run without --compat");
}

void refuse(const std::string& source, bool cell, const Drives& drives) {
  if (drives.cell && drives.cell->kind == CellLoading::Kind::uniaxial)
    throw ModelError(fmt::format(
        "{}: PeriodicLoading UniaxialCompression is unknown to Rockable; run without --compat",
        source));
  if (cell && !drives.controls.empty())
    throw ModelError(fmt::format(
        "{}: body {} is driven by a control or a servo in a periodic cell, for which the behaviour "
        "of Rockable is unknown; run without --compat, or remove the control",
        source, drives.controls.front().body));
}

void chooseLaw(Conf& conf, Diagnostics& diagnostics) {
  if (conf.forceLaw.empty() || conf.forceLaw == "Avalanches") {
    diagnostics.warn(conf.errorAt(
        conf.forceLaw.empty() ? "" : "forceLaw",
        fmt::format("{}: Default is used, as in Rockable",
                    conf.forceLaw.empty() ? "no forceLaw is given" : "forceLaw Avalanches")));
    conf.forceLaw = "Default";
  }
  for (const LawInfo& law : allLaws())
    if (law.name == conf.forceLaw && !law.inRockable)
      throw conf.errorAt("forceLaw",
                         fmt::format("forceLaw {}: Rockable has no such law; run it without "
                                     "--compat, or choose another law",
                                     law.name));
}

}  // namespace scree::sim::asRockable

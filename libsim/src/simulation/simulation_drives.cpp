// SPDX-License-Identifier: GPL-3.0-or-later
// Which drives a simulation can follow.
#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {

void Simulation::takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const {
  const std::vector<Control>& controls = drives_.controls;
  for (auto at = controls.begin(); at != controls.end(); ++at) {
    const Control& c = *at;
    const auto again = [&](const Control& d) {
      return d.what == c.what && d.body == c.body && d.axis == c.axis;
    };
    // There, the last one for a component counts.
    if (compat_ && std::any_of(at + 1, controls.end(), again)) continue;
    if (c.what == Imposed::force) force[c.body] -= c.value;
    if (c.what == Imposed::moment) moment[c.body] -= c.value;
  }
}

void Simulation::checkDrives(const Drives& drives) const {
  if (drives.cell && !conf_.cell.used)
    throw ModelError(fmt::format(
        "{}: PeriodicLoading needs a periodic cell: usePeriodicCell 1, and its vectors h",
        conf_.source));
  if (compat_ && conf_.cell.used && !drives.controls.empty())
    throw ModelError(fmt::format(
        "{}: body {} is driven by a control or a servo, which moves it in the reduced coordinates "
        "of the periodic cell there: what that does is not known, so --compat rockable does not do "
        "it; run without --compat, or leave the body to the cell",
        conf_.source, drives.controls.front().body));
  for (const Control& c : drives.controls)
    for (const Control& d : drives.controls)
      if (c.body == d.body && c.axis == d.axis && c.what == Imposed::velocity &&
          d.what == Imposed::force)
        throw ModelError(
            fmt::format("{}: component {} of body {} is driven both by a velocity and by a force; "
                        "it can follow one",
                        conf_.source, "xyz"[c.axis], c.body));
      else if (c.body == d.body && c.what == Imposed::spin && d.what == Imposed::moment &&
               (c.axis == d.axis || c.axis == 3 || d.axis == 3))
        throw ModelError(
            fmt::format("{}: body {} is turned both by a spin and by a moment about the same axis; "
                        "it can follow one",
                        conf_.source, c.body));
  for (const Control& c : drives.controls) {
    const bool needsMass = c.what == Imposed::force || c.what == Imposed::moment;
    if (!needsMass) continue;
    if (!(bodies_.mass[c.body] > 0.0) ||
        (c.what == Imposed::moment && !(bodies_.inertia[c.body].minCoeff() > 0.0)))
      throw ModelError(fmt::format(
          "{}: body {} is driven by a force or moment, so it needs a mass: a density for group {}, "
          "and volume and I/m of shape '{}'",
          conf_.source, c.body, bodies_.group[c.body], shapes_[bodies_.shape[c.body]].name));
  }
}

void Simulation::setDrives(Drives drives) {
  checkDrives(drives);
  drives.asRockable = compat_;
  markTurns(drives);
  setServos(drives, time(), time(), bodies_, radius_);
  if (!compat_) releaseDriven(drives_, drives, bodies_);
  const double before = cellEnergy();  // of the components that follow a stress
  drives_ = std::move(drives);
  ledger_.cell += cellEnergy() - before;
}

}  // namespace scree::sim

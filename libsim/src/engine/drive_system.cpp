// SPDX-License-Identifier: GPL-3.0-or-later
#include "drive_system.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {

void DriveSystem::check(const World& world, const Drives& drives) {
  if (drives.cell && !world.images)
    throw ModelError(fmt::format(
        "{}: PeriodicLoading needs a periodic cell: usePeriodicCell 1, and its vectors h",
        world.model.source));
  for (const Control& c : drives.controls)
    for (const Control& d : drives.controls)
      if (c.body == d.body && c.axis == d.axis && c.what == Imposed::velocity &&
          d.what == Imposed::force)
        throw ModelError(fmt::format(
            "{}: component {} of body {} is driven both by a velocity and by a force; remove one",
            world.model.source, "xyz"[c.axis], c.body));
      else if (c.body == d.body && c.what == Imposed::spin && d.what == Imposed::moment &&
               (c.axis == d.axis || c.axis == 3 || d.axis == 3))
        throw ModelError(fmt::format(
            "{}: body {} is driven both by a spin and by a moment about the same axis; remove one",
            world.model.source, c.body));
  for (const Control& c : drives.controls) {
    const bool needsMass = c.what == Imposed::force || c.what == Imposed::moment;
    if (!needsMass) continue;
    if (!(world.bodies.mass[c.body] > 0.0) ||
        (c.what == Imposed::moment && !(world.bodies.inertia[c.body].minCoeff() > 0.0)))
      throw ModelError(fmt::format(
          "{}: body {} is driven by a force or moment, so it needs a mass: a density for group {}, "
          "and volume and I/m of shape '{}'",
          world.model.source, c.body, world.bodies.group[c.body],
          world.model.shapes[world.bodies.shape[c.body]].name));
  }
}

void DriveSystem::start(const World& world) {
  drives_.rules = world.model.rules.drives;
  markTurns(drives_);
  setDegreesOfFreedom(drives_, world.bodies.driven, degreesOfFreedom_);
  set(world, world.time);
}

void DriveSystem::replace(const World& world, Drives drives, Bodies& bodies) {
  drives.rules = world.model.rules.drives;
  markTurns(drives);
  setServos(drives, world.time, world.time, bodies, world.bodies.radius);
  if (drives.rules.releases) releaseDriven(drives_, drives, bodies);
  drives_ = std::move(drives);
  setDegreesOfFreedom(drives_, bodies.driven, degreesOfFreedom_);
}

void DriveSystem::set(const World& world, double before) {
  setServos(drives_, before, world.time, world.bodies, world.bodies.radius);
}

void DriveSystem::remember(const Bodies& bodies) {
  startPos_.resize(bodies.driven);
  startQ_.resize(bodies.driven);
  std::copy_n(bodies.pos.begin(), bodies.driven, startPos_.begin());
  std::copy_n(bodies.q.begin(), bodies.driven, startQ_.begin());
}

void DriveSystem::takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const {
  const std::vector<Control>& controls = drives_.controls;
  for (auto at = controls.begin(); at != controls.end(); ++at) {
    const Control& c = *at;
    const auto again = [&](const Control& d) {
      return d.what == c.what && d.body == c.body && d.axis == c.axis;
    };
    if (!drives_.rules.addsUp && std::any_of(at + 1, controls.end(), again)) continue;
    if (c.what == Imposed::force) force[c.body] -= c.value;
    if (c.what == Imposed::moment) moment[c.body] -= c.value;
  }
}

bool DriveSystem::hasBelts(const Bodies& bodies) const {
  for (std::size_t k = 0; k < bodies.driven; ++k) {
    const DegreesOfFreedom& f = degreesOfFreedom_[k];
    if (f.moves.cwiseProduct(bodies.vel[k]) != bodies.vel[k] ||
        f.turns.cwiseProduct(bodies.spin[k]) != bodies.spin[k])
      return true;
  }
  return false;
}

}  // namespace scree::sim

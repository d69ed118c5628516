// SPDX-License-Identifier: GPL-3.0-or-later
#include "force_field.hpp"

#include "step/drives_as_rockable.hpp"

#include "scree/base/parallel.hpp"

namespace scree::sim {

ContactPower ForceField::evaluate(const World& world, const Growth& growth,
                                  const RangeWork& afterwards, const DriveSystem& drives,
                                  BondSystem& bonds, NeighbourList& lists, Bodies& bodies,
                                  StageTimes& times) {
  for (std::size_t k = 0; k < bodies.driven; ++k) bodies.force[k] = bodies.moment[k] = Vec3::Zero();
  if (world.compat)
    asRockable::setImposedForces(drives.drives(), bodies);
  else
    drives.addForces(bodies);
  // Lists that have run out are made again on the way.
  const auto renew = [&](std::uint32_t row, NearSubElements& found) {
    lists.renew(row, world.bodies, world.placed, world.images, found);
  };
  ContactPower power = kernel_->add({lists.contacts, world.placed, weights_, growth, world.threads,
                                     bodies, sums_, world.compat ? RowRenewal() : RowRenewal(renew),
                                     world.images, afterwards, world.compat});
  times.reassign(StageTimes::contacts, StageTimes::detect, sums_.takeSearchTime());
  addBodyForces(world, bodies);
  bonds.addForces(world, growth, bodies);
  if (hasWalls()) {
    walls_.moveTo(growth.dt);
    power += kernel_->add(walls_, world.placed, weights_, growth, world.threads, !world.images,
                          bodies, wallPowers_);
  }
  addJointForces(world.conf.joints, bodies);
  return power;
}

void ForceField::restore(const World& world, const DriveSystem& drives, const BondSystem& bonds,
                         const Contacts& contacts, Bodies& bodies) const {
  drives.addForces(bodies);
  addRememberedForces(contacts, world.placed, world.images, world.compat, bodies);
  addBodyForces(world, bodies);
  bonds.addRememberedForces(world, bodies);
  addJointForces(world.conf.joints, bodies);
}

ContactEnergy ForceField::energy(const World& world, const Contacts& contacts) const {
  ContactEnergy held = kernel_->energy(contacts, world.placed, weights_);
  held += kernel_->energy(walls_, world.placed, weights_);
  return held;
}

void ForceField::addBodyForces(const World& world, Bodies& bodies) {
  if (!world.conf.bodyForce) return;
  parallelFor(
      world.threads, world.freeBodies(),
      [&](std::size_t m) {
        const std::size_t k = bodies.driven + m;
        const ForceAndMoment f =
            bodyForceOn(*world.conf.bodyForce, bodies, k,
                        world.dragArea.empty() ? 0.0 : world.dragArea[k], world.compat);
        bodies.force[k] += f.force;
        bodies.moment[k] += f.moment;
      },
      bodyGrain);
}

}  // namespace scree::sim

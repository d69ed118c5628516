// SPDX-License-Identifier: GPL-3.0-or-later
#include "force_field.hpp"

#include "scree/base/parallel.hpp"

namespace scree::sim {

ContactPower ForceField::evaluate(const World& world, const HistoryUpdate& update,
                                  const Calls& calls, Contacts& contacts, BondSystem& bonds,
                                  BoundaryContacts& walls, Bodies& bodies, StageTimes& times) {
  for (std::size_t k = 0; k < bodies.driven; ++k) bodies.force[k] = bodies.moment[k] = Vec3::Zero();
  calls.impose(bodies);
  ContactPower power =
      kernel_->add({contacts, world.poses, weights_, update, world.model.threads, bodies, sums_,
                    calls.renewal, world.images, calls.afterwards, world.model.rules.byList});
  times.reassign(StageTimes::contacts, StageTimes::detect, sums_.takeSearchTime());
  addBodyForces(world, bodies);
  bonds.addForces(world, update, bodies);
  if (!walls.empty()) {
    walls.moveTo(update.dt);
    power += kernel_->add(walls, world.poses, weights_, update, world.model.threads, !world.images,
                          bodies, wallPowers_);
  }
  addJointForces(world.model.joints, bodies);
  return power;
}

void ForceField::restore(const World& world, const DriveSystem& drives, const BondSystem& bonds,
                         const Contacts& contacts, Bodies& bodies) const {
  drives.addForces(bodies);
  addRememberedForces(contacts, world.poses, world.images, world.model.rules.byList, bodies);
  addBodyForces(world, bodies);
  bonds.addRememberedForces(world, bodies);
  addJointForces(world.model.joints, bodies);
}

ContactEnergy ForceField::energy(const World& world, const Contacts& contacts,
                                 const BoundaryContacts& walls) const {
  ContactEnergy held = kernel_->energy(contacts, world.poses, weights_);
  held += kernel_->energy(walls, world.poses, weights_);
  return held;
}

void ForceField::addBodyForces(const World& world, Bodies& bodies) {
  if (!world.model.bodyForce) return;
  parallelFor(
      world.model.threads, world.freeBodies(),
      [&](std::size_t m) {
        const std::size_t k = bodies.driven + m;
        const ForceAndMoment f = bodyForceOn(*world.model.bodyForce, bodies, k, bodies.dragArea[k],
                                             world.model.rules.drag);
        bodies.force[k] += f.force;
        bodies.moment[k] += f.moment;
      },
      bodyGrain);
}

}  // namespace scree::sim

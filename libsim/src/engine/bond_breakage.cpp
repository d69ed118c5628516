// SPDX-License-Identifier: GPL-3.0-or-later
// The end of interfaces: what their bonds go on as, and where their energy goes.
#include "bond_system.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// [F L] that `force`, of j on i, takes from the bodies over the first half of the next step.
double takenInHalfStep(const World& world, const Interface& face, const PairForce& force) {
  const Bodies& bodies = world.bodies;
  const double half = 0.5 * world.model.dt;
  const BodyPose j = besideFirst(face, world.poses, world.images);
  const auto later = [&](const Vec3& now, const Vec3& acc, BodyId k) {
    return k < bodies.driven ? now : Vec3(now + half * acc);
  };
  const Vec3 relative = later(world.poses[face.i].vel, bodies.acc[face.i], face.i) -
                        later(j.vel, bodies.acc[face.j], face.j);
  return -half * (force.force.dot(relative) +
                  force.momentA.dot(later(bodies.spin[face.i], bodies.spinAcc[face.i], face.i)) +
                  force.momentB.dot(later(bodies.spin[face.j], bodies.spinAcc[face.j], face.j)));
}

}  // namespace

BrokenInterfaces BondSystem::releaseBroken(const World& world, EnergyLedger& ledger) {
  const BondRules& rules = world.model.rules.bonds;
  bonds_.breaking = 0;
  double taken = 0.0;
  // Bonds that are pressed together go on as contacts, with what friction lets them keep.
  BrokenInterfaces left;
  std::size_t facesLeft = 0, bondsLeft = 0;  // they close up
  for (std::size_t m = 0; m < bonds_.interfaces.size(); ++m) {
    Interface face = bonds_.interfaces[m];
    const auto begin = bonds_.bonds.begin() + face.first, end = begin + face.count;
    if (!face.breaks) {
      if (facesLeft < m) {
        std::copy(begin, end, bonds_.bonds.begin() + static_cast<std::ptrdiff_t>(bondsLeft));
        face.first = static_cast<std::uint32_t>(bondsLeft);
        bonds_.interfaces[facesLeft] = face;
        records_[facesLeft] = std::move(records_[m]);
      }
      ++facesLeft;
      bondsLeft += face.count;
      continue;
    }
    if (face.pair().second >= world.bodies.driven) left.released.push_back(face.pair());
    ++bonds_.brokenInterfaces;
    bonds_.brokenBonds += face.count;
    PairForce last = forces_[m];  // acts for another half step
    const Vec3 branch = world.poses[face.i].pos - besideFirst(face, world.poses, world.images).pos;
    bonds_.area.broken += std::max(face.area, 0.0);
    const std::uint32_t gi = world.bodies.group[face.i], gj = world.bodies.group[face.j];
    const double mu = world.parameters.lawParameter("muContact", gi, gj),
                 mur = world.parameters.lawParameter("murContact", gi, gj);
    BondParameters contact;
    contact.kn = world.parameters.lawParameter("knContact", gi, gj);
    contact.kt = world.parameters.lawParameter("ktContact", gi, gj);
    contact.kr = world.parameters.lawParameter("krContact", gi, gj);
    for (auto bond = begin; bond != end; ++bond) {
      const bool pressed = bond->dn < 0.0;
      if (!pressed && !rules.looseStayListed) continue;
      InteractionRecord r;
      r.key = {face.i, face.j, bond->pairing, bond->iSub, bond->jSub};
      r.dn = bond->dn;
      r.damp = face.damp;
      r.vel = bond->vel;
      if (pressed) r.fn = rules.looseStayListed ? bond->fn : std::max(bond->fn, 0.0);
      r.ft = clamped(bond->ft, std::abs(mu * r.fn));
      r.mom = rules.looseStayListed ? bond->mom : clamped(bond->mom, std::abs(mur * r.fn));
      if (pressed) {
        bonds_.energies.broken -= elasticEnergy(contact, r.dn, r.ft, r.mom);
        // A contact holds this from the start, without having absorbed it.
        ledger.tangential += elasticEnergy(contact, 0.0, r.ft, Vec3::Zero());
        ledger.rolling += elasticEnergy(contact, 0.0, Vec3::Zero(), r.mom);
        // What it absorbs in that half step counts as a contact's.
        const Vec3 force = r.fn * bond->n + r.ft;
        last.force -= force;
        last.momentA -= bond->arm.cross(force) + r.mom;
        last.momentB += (bond->arm + branch).cross(force) + r.mom;
      }
      left.contacts.push_back(r);
    }
    taken += takenInHalfStep(world, face, last);
  }
  bonds_.interfaces.erase(bonds_.interfaces.begin() + static_cast<std::ptrdiff_t>(facesLeft),
                          bonds_.interfaces.end());
  bonds_.bonds.erase(bonds_.bonds.begin() + static_cast<std::ptrdiff_t>(bondsLeft),
                     bonds_.bonds.end());
  records_.resize(facesLeft);
  index(world.bodies.size());
  ledger.breakage += bonds_.energies.broken + taken;
  ledger.exchanged += std::abs(bonds_.energies.broken) + std::abs(taken);
  return left;
}

}  // namespace scree::sim

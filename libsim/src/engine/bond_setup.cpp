// SPDX-License-Identifier: GPL-3.0-or-later
// How interfaces begin, and how they break.
#include "engine/bond_system.hpp"
#include "law/contact_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree::sim {

namespace {

void checkInterface(const Conf& file, const World& world, const InterfaceRecord& r, std::size_t k) {
  for (const BondRecord& b : r.bonds)
    for (const bool first : {true, false}) {
      const BodyId body = first ? r.i : r.j;
      const std::uint32_t sub = first ? b.iSub : b.jSub,
                          n = subElementCount(*world.poses[body].shape, b.pairing, first);
      if (sub >= n)
        throw file.errorAtInterface(
            k,
            fmt::format("Interfaces: body {} has {} sub-elements of this kind (from 0), found {}",
                        body, n, sub));
    }
}

}  // namespace

BondSystem::AddForces BondSystem::forcesOf(Breakage breakage, const World& world) {
  const bool ownRadii =
      std::ranges::any_of(world.poses, [](const BodyPose& p) { return !p.shape->thinner.empty(); });
  const auto of = [&]<class Criterion>(const Criterion&) -> AddForces {
    if (!world.model.rules.bonds.turningSprings)
      return addBondForces<Criterion, FixedSprings, false>;
    return ownRadii ? addBondForces<Criterion, TurningSprings, true>
                    : addBondForces<Criterion, TurningSprings, false>;
  };
  if (breakage == Breakage::yieldSurface) return of(YieldSurface());
  return breakage == Breakage::fractureEnergy ? of(FractureEnergy()) : nullptr;
}

void BondSystem::make(const Conf& file, std::vector<InterfaceRecord> records, const World& world,
                      Diagnostics& diagnostics) {
  if (file.state().bondedArea) bonds_.area = *file.state().bondedArea;
  if (records.empty()) return;
  breakage_ = lawNamed(file.forceLaw).bonds;
  addForces_ = forcesOf(breakage_, world);
  if (!addForces_)
    throw file.errorAt(
        "Interfaces", fmt::format("Interfaces: forceLaw {} has no bonds; StickedLinks and BCM have",
                                  file.forceLaw));
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto pairOf = [&](std::size_t k) { return bodyPair(records[k].i, records[k].j); };
  std::ranges::stable_sort(order, {}, pairOf);
  for (std::size_t m = 0; m < order.size(); ++m) {
    checkInterface(file, world, records[order[m]], order[m]);
    if (m > 0 && pairOf(order[m]) == pairOf(order[m - 1]))
      throw file.errorAtInterface(
          order[m], fmt::format("Interfaces: bodies {} and {} are glued twice", records[order[m]].i,
                                records[order[m]].j));
  }
  for (const std::size_t k : order) records_.push_back(std::move(records[k]));
  ownParameters_ = file.paramsInInterfaces != 0;
  addInterfaces(file, world, diagnostics);
  setParameters(file, world, diagnostics);
  if (!file.state().bondedArea)
    for (const Interface& face : bonds_.interfaces) bonds_.area.all += std::max(face.area, 0.0);
  bonds_.energies.elastic = held();
  index(world.bodies.size());
}

void BondSystem::addInterfaces(const Conf& file, const World& world, Diagnostics& diagnostics) {
  // The contact that each bond names holds its state.
  std::vector<std::size_t> byKey(file.interactions.size());
  std::iota(byKey.begin(), byKey.end(), std::size_t{0});
  const auto keyOf = [&](std::size_t k) { return file.interactions[k].key; };
  std::ranges::sort(byKey, {}, keyOf);
  std::size_t missing = 0;
  for (const InterfaceRecord& r : records_) {
    Interface face;
    face.i = r.i;
    face.j = r.j;
    face.inner = file.particles[r.i].cluster == file.particles[r.j].cluster;
    std::vector<Bond> bonds;
    const bool noGaps = !world.model.rules.bonds.innerGaps && face.inner && !ownParameters_;
    for (const BondRecord& b : r.bonds) {
      Bond bond{b.iSub, b.jSub, b.pairing, noGaps ? 0.0 : r.dn0 + b.extraGap};
      bond.slip = b.slip;
      const ContactKey key{r.i, r.j, b.pairing, b.iSub, b.jSub};
      const auto at = std::ranges::lower_bound(byKey, key, {}, keyOf);
      if (at != byKey.end() && keyOf(*at) == key) {
        const InteractionRecord& state = file.interactions[*at];
        bond.dn = state.dn;
        bond.fn = state.fn;
        bond.ft = state.ft;
        bond.mom = state.mom;
        bond.vel = state.vel;
        bond.arm = state.pos - world.poses[r.i].pos;
        if (std::abs(state.n.norm() - 1.0) < 1e-6) bond.n = state.n;
      } else {
        ++missing;
      }
      bonds.push_back(bond);
    }
    bonds_.add(face, bonds);
  }
  if (missing > 0)
    diagnostics.warn(
        file.errorAt("Interfaces",
                     fmt::format("{} bond{} without a contact in Interactions: they start unloaded",
                                 missing, missing > 1 ? "s" : "")));
}

void BondSystem::setParameters(const Conf& file, const World& world, Diagnostics& diagnostics) {
  const BondRules& rules = world.model.rules.bonds;
  const bool bcm = breakage_ == Breakage::fractureEnergy;
  std::size_t withoutPower = 0, withoutEnergy = 0, withoutOwn = 0;
  for (std::size_t k = 0; k < bonds_.interfaces.size(); ++k) {
    Interface& face = bonds_.interfaces[k];
    InterfaceRecord& record = records_[k];
    const std::uint32_t gi = world.bodies.group[face.i], gj = world.bodies.group[face.j];
    const BondParameters table = bondParameters(world.parameters, face.inner, gi, gj);
    // Readers of a saved file expect them there.
    if (ownParameters_ && !record.params) {
      record.params = table;
      ++withoutOwn;
    }
    BondParameters p = ownParameters_ ? *record.params : table;
    face.energy = rules.energyOfTables ? table : p;

    const double* en2 =
        world.parameters.findLawParameter(face.inner ? "en2InnerBond" : "en2OuterBond", gi, gj);
    if (face.inner && !rules.viscosityOfBonds) {
      const double mi = world.bodies.mass[face.i], mj = world.bodies.mass[face.j];
      face.damp = normalViscosity(table.kn, en2 ? *en2 : 0.0, mi * mj / (mi + mj));
    } else if (!face.inner && (!rules.viscosityOfBonds || !en2)) {
      face.damp = normalViscosity(world.parameters.lawParameter("knContact", gi, gj),
                                  world.parameters.lawParameter("en2Contact", gi, gj),
                                  effectiveMass(world.bodies, face.i, face.j));
    } else {
      face.damp =
          normalViscosity(p.kn, en2 ? *en2 : 0.0, effectiveMass(world.bodies, face.i, face.j));
    }
    if (!record.area && face.inner) {  // of a file or a command without it
      std::vector<Vec3> points;
      const BodyPose &first = world.poses[face.i],
                     second = besideFirst(face, world.poses, world.images);
      for (const BondRecord& b : record.bonds)
        points.push_back(
            bondGeometry(b.pairing, first, second, first.pos - second.pos, b.iSub, b.jSub).arm);
      record.area = bondArea(points);
    }
    face.area = record.area.value_or(-1.0);
    if (bcm) {
      p.kn /= std::max<double>(face.count, 1.0);
      p.kt /= std::max<double>(face.count, 1.0);
      p.kr = 0.0;
      if (!rules.energyOfTables) {
        face.energy.kn = p.kn;
        face.energy.kt = p.kt;
      }
      withoutEnergy += !(face.energy.gc > 0.0);
    } else if (p.power <= 0.0 && (p.ft0 > 0.0 || p.mom0 > 0.0)) {
      ++withoutPower;
      if (rules.completed) p.power = 2.0;
    }
    face.own = p;
  }
  const auto warn = [&](std::size_t count, const char* keyword, const char* what) {
    if (count > 0)
      diagnostics.warn(file.errorAt(keyword, fmt::format("{} interfaces without {}", count, what)));
  };
  warn(withoutOwn, "ParamsInInterfaces", "parameters of their own: those of the tables are used");
  if (!rules.completed) return;
  warn(withoutPower, "Interfaces",
       "an exponent of the yield surface (powInnerBond, powOuterBond): 2 is used");
  warn(withoutEnergy, "Interfaces",
       "fracture energy (gcInnerBond, gcOuterBond): they do not break");
}

void BondSystem::refresh(const World& world) {
  Diagnostics quiet;  // what is odd was reported at the start
  setParameters(world.model.file, world, quiet);
  bonds_.energies.elastic = held();
}

void BondSystem::index(std::size_t bodies) {
  bonds_.incidenceStart.assign(bodies + 1, 0);
  for (const Interface& face : bonds_.interfaces) {
    ++bonds_.incidenceStart[face.i + 1];
    ++bonds_.incidenceStart[face.j + 1];
  }
  std::partial_sum(bonds_.incidenceStart.begin(), bonds_.incidenceStart.end(),
                   bonds_.incidenceStart.begin());
  bonds_.incidence.resize(2 * bonds_.interfaces.size());
  std::vector<std::uint32_t> next(bonds_.incidenceStart.begin(), bonds_.incidenceStart.end() - 1);
  for (std::uint32_t k = 0; k < bonds_.interfaces.size(); ++k) {
    bonds_.incidence[next[bonds_.interfaces[k].i]++] = k;
    bonds_.incidence[next[bonds_.interfaces[k].j]++] = k;
  }
}

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
  double switched = bonds_.energies.pressed;
  // Bonds that are pressed together go on as contacts, with what friction lets them keep.
  BrokenInterfaces left;
  std::size_t facesLeft = 0, lanesLeft = 0;  // they close up
  for (std::size_t m = 0; m < bonds_.interfaces.size(); ++m) {
    Interface face = bonds_.interfaces[m];
    if (!face.breaks) {
      if (facesLeft < m) {
        const auto lanes = bonds_.lanes.begin();
        std::copy(lanes + face.first, lanes + static_cast<std::ptrdiff_t>(face.end()),
                  lanes + static_cast<std::ptrdiff_t>(lanesLeft));
        face.first = static_cast<std::uint32_t>(lanesLeft);
        bonds_.interfaces[facesLeft] = face;
        records_[facesLeft] = std::move(records_[m]);
      }
      ++facesLeft;
      lanesLeft = face.end();
      continue;
    }
    if (face.pair().second >= world.bodies.driven) left.released.push_back(face.pair());
    ++bonds_.brokenInterfaces;
    bonds_.brokenBonds += face.count;
    PairForce last = forces_[m];  // acts for another half step
    const Vec3 branch = world.poses[face.i].pos - besideFirst(face, world.poses, world.images).pos;
    bonds_.area.broken += std::max(face.area, 0.0);
    const std::uint32_t gi = world.bodies.group[face.i], gj = world.bodies.group[face.j];
    const auto value = [&](const char* k) { return world.parameters.lawParameter(k, gi, gj); };
    const double mu = value("muContact"), mur = value("murContact");
    const BondParameters contact{value("knContact"), value("ktContact"), value("krContact")};
    bonds_.forEachOf(face, [&](const Bond& bond) {
      const bool pressed = bond.dn < 0.0;
      if (!pressed && !rules.looseStayListed) return;
      InteractionRecord r;
      r.key = {face.i, face.j, bond.pairing, bond.iSub, bond.jSub};
      r.dn = bond.dn;
      r.damp = face.damp;
      r.vel = bond.vel;
      if (pressed) r.fn = rules.looseStayListed ? bond.fn : std::max(bond.fn, 0.0);
      r.ft = clamped(bond.ft, std::abs(mu * r.fn));
      r.mom = rules.looseStayListed ? bond.mom : clamped(bond.mom, std::abs(mur * r.fn));
      if (pressed) {
        const Vec3 none = Vec3::Zero();
        switched -= elasticEnergy(contact, r.dn, r.ft, r.mom);
        // A contact holds this from the start, without having absorbed it.
        ledger.tangential += elasticEnergy(contact, 0.0, r.ft, none);
        ledger.rolling += elasticEnergy(contact, 0.0, none, r.mom);
        // Energy that it absorbs in that half step counts as that of a contact.
        const Vec3 force = r.fn * bond.n + r.ft;
        last.force -= force;
        last.momentA -= bond.arm.cross(force) + r.mom;
        last.momentB += (bond.arm + branch).cross(force) + r.mom;
      }
      if (!rules.looseStayListed) r.putLowerFirst();  // as contacts are listed
      left.contacts.push_back(r);
    });
    switched += takenInHalfStep(world, face, last);
  }
  bonds_.interfaces.erase(bonds_.interfaces.begin() + static_cast<std::ptrdiff_t>(facesLeft),
                          bonds_.interfaces.end());
  bonds_.lanes.resize(lanesLeft);
  records_.resize(facesLeft);
  index(world.bodies.size());
  ledger.breakage += bonds_.energies.broken;
  ledger.switched += switched;
  ledger.exchanged += bonds_.energies.broken + std::abs(switched);
  return left;
}

}  // namespace scree::sim

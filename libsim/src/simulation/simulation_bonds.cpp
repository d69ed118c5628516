// SPDX-License-Identifier: GPL-3.0-or-later
// Interfaces of a run: from the file, to the file, and their end.
#include "scree/sim/contact/bond_area.hpp"
#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace scree::sim {
namespace {

std::pair<BodyId, BodyId> pairOf(const InterfaceRecord& r) { return bodyPair(r.i, r.j); }

}  // namespace

void Simulation::checkInterface(std::size_t k) const {
  const InterfaceRecord& r = conf_.interfaces[k];
  for (const BondRecord& b : r.bonds)
    for (const bool first : {true, false}) {
      const BodyId body = first ? r.i : r.j;
      const std::uint32_t sub = first ? b.iSub : b.jSub,
                          n = subElementCount(*placed_[body].shape, b.pairing, first);
      if (sub >= n)
        throw conf_.errorAtInterface(
            k,
            fmt::format("Interfaces: body {} has {} sub-elements of this kind (from 0), found {}",
                        body, n, sub));
    }
}

void Simulation::makeBonds(Diagnostics& diagnostics) {
  std::vector<InterfaceRecord>& records = conf_.interfaces;
  if (conf_.bondedArea) bonds_.area = *conf_.bondedArea;
  if (records.empty()) return;
  if (kernel_->law().bonds == Breakage::noBonds)
    throw conf_.errorAt(
        "Interfaces", fmt::format("Interfaces: forceLaw {} has no bonds; StickedLinks and BCM have",
                                  conf_.forceLaw));
  std::vector<std::size_t> order(records.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return pairOf(records[x]) < pairOf(records[y]);
  });
  for (std::size_t m = 0; m < order.size(); ++m) {
    checkInterface(order[m]);
    if (m > 0 && pairOf(records[order[m]]) == pairOf(records[order[m - 1]]))
      throw conf_.errorAtInterface(
          order[m], fmt::format("Interfaces: bodies {} and {} are glued twice", records[order[m]].i,
                                records[order[m]].j));
  }
  std::vector<InterfaceRecord> sorted;
  for (const std::size_t k : order) sorted.push_back(std::move(records[k]));
  records = std::move(sorted);
  conf_.interfaceLines.clear();

  // The contact that each bond names holds its state.
  std::vector<std::size_t> byKey(conf_.interactions.size());
  std::iota(byKey.begin(), byKey.end(), std::size_t{0});
  const auto keyOf = [this](std::size_t k) { return conf_.interactions[k].key; };
  std::sort(byKey.begin(), byKey.end(),
            [&](std::size_t x, std::size_t y) { return keyOf(x) < keyOf(y); });
  std::size_t missing = 0;
  for (const InterfaceRecord& r : records) {
    Interface face;
    face.i = r.i;
    face.j = r.j;
    face.first = static_cast<std::uint32_t>(bonds_.bonds.size());
    face.count = static_cast<std::uint32_t>(r.bonds.size());
    face.dn0 = r.dn0;
    face.inner = conf_.particles[r.i].cluster == conf_.particles[r.j].cluster;
    if (compat_ && face.inner && !conf_.paramsInInterfaces) face.dn0 = 0.0;
    for (const BondRecord& b : r.bonds) {
      Bond bond;
      bond.pairing = b.pairing;
      bond.iSub = b.iSub;
      bond.jSub = b.jSub;
      bond.slip = b.slip;
      const ContactKey key{r.i, r.j, b.pairing, b.iSub, b.jSub};
      const auto at =
          std::lower_bound(byKey.begin(), byKey.end(), key,
                           [&](std::size_t k, const ContactKey& x) { return keyOf(k) < x; });
      if (at != byKey.end() && keyOf(*at) == key) {
        const InteractionRecord& state = conf_.interactions[*at];
        bond.dn = state.dn;
        bond.fn = state.fn;
        bond.ft = state.ft;
        bond.mom = state.mom;
        bond.vel = state.vel;
        bond.arm = state.pos - placed_[r.i].pos;
        if (std::abs(state.n.norm() - 1.0) < 1e-6) bond.n = state.n;
      } else {
        ++missing;
      }
      bonds_.bonds.push_back(bond);
    }
    bonds_.interfaces.push_back(face);
  }
  if (missing > 0)
    diagnostics.warn(conf_.errorAt(
        "Interfaces",
        fmt::format("{} bond{} name no contact of Interactions: they begin without force", missing,
                    missing > 1 ? "s" : "")));
  setBondParameters(diagnostics);
  if (!conf_.bondedArea)
    for (const Interface& face : bonds_.interfaces) bonds_.area.all += std::max(face.area, 0.0);
  indexBonds();
}

void Simulation::setBondParameters(Diagnostics& diagnostics) {
  const bool bcm = kernel_->law().bonds == Breakage::fractureEnergy;
  std::size_t withoutPower = 0, withoutEnergy = 0, withoutOwn = 0;
  for (std::size_t k = 0; k < bonds_.interfaces.size(); ++k) {
    Interface& face = bonds_.interfaces[k];
    InterfaceRecord& record = conf_.interfaces[k];
    const std::uint32_t gi = bodies_.group[face.i], gj = bodies_.group[face.j];
    const BondParameters table = bondParameters(conf_, face.inner, gi, gj);
    // Whoever reads the file that is saved expects them there.
    if (conf_.paramsInInterfaces && !record.params) {
      record.params = table;
      ++withoutOwn;
    }
    BondParameters p = conf_.paramsInInterfaces ? *record.params : table;
    face.energy = compat_ ? table : p;

    const double* en2 =
        conf_.findLawParameter(face.inner ? "en2InnerBond" : "en2OuterBond", gi, gj);
    if (face.inner && compat_) {
      const double mi = bodies_.mass[face.i], mj = bodies_.mass[face.j];
      face.damp = normalViscosity(table.kn, en2 ? *en2 : 0.0, mi * mj / (mi + mj));
    } else if (!face.inner && (compat_ || !en2)) {
      face.damp =
          normalViscosity(conf_.lawParameter("knContact", gi, gj),
                          conf_.lawParameter("en2Contact", gi, gj), effectiveMass(face.i, face.j));
    } else {
      face.damp = normalViscosity(p.kn, en2 ? *en2 : 0.0, effectiveMass(face.i, face.j));
    }
    if (!record.area && face.inner) {  // of a file or a command that does not tell it
      std::vector<Vec3> points;
      const Placed &first = placed_[face.i], second = besideFirst(face, placed_, images());
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
      if (!compat_) {
        face.energy.kn = p.kn;
        face.energy.kt = p.kt;
      }
      withoutEnergy += !(face.energy.gc > 0.0);
    } else if (p.power <= 0.0 && (p.ft0 > 0.0 || p.mom0 > 0.0)) {
      ++withoutPower;
      if (!compat_) p.power = 2.0;
    }
    face.own = p;
  }
  if (withoutOwn > 0)
    diagnostics.warn(conf_.errorAt(
        "ParamsInInterfaces",
        fmt::format("ParamsInInterfaces 1, but {} line{} of Interfaces hold{} no parameters: those "
                    "of the tables are taken",
                    withoutOwn, withoutOwn > 1 ? "s" : "", withoutOwn > 1 ? "" : "s")));
  if (withoutPower > 0 && !compat_)
    diagnostics.warn(conf_.errorAt(
        "Interfaces", fmt::format("{} interfaces have no exponent of the yield surface "
                                  "(powInnerBond, powOuterBond): 2 is taken",
                                  withoutPower)));
  if (withoutEnergy > 0 && !compat_)
    diagnostics.warn(conf_.errorAt(
        "Interfaces", fmt::format("{} interfaces have no fracture energy (gcInnerBond, "
                                  "gcOuterBond): they do not break",
                                  withoutEnergy)));
}

void Simulation::refreshBonds() {
  Diagnostics quiet;  // what is odd was said at the start
  setBondParameters(quiet);
}

void Simulation::indexBonds() {
  lists_.bonded.clear();
  bonds_.incidenceStart.assign(bodies_.size() + 1, 0);
  for (const Interface& face : bonds_.interfaces) {
    lists_.bonded.push_back(face.pair());
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

void Simulation::addBonds(const Growth& growth) {
  const auto sumsBy = [&]<class Criterion>(Criterion) {
    const auto add = compat_ ? addBondForces<Criterion, true> : addBondForces<Criterion, false>;
    return add(bonds_, placed_, growth, images(), threads_, bodies_, interfaceForces_, bondSums_);
  };
  const BondSums sums = kernel_->law().bonds == Breakage::fractureEnergy ? sumsBy(FractureEnergy())
                                                                         : sumsBy(YieldSurface());
  if (conf_.cell.used)
    cell_.bondStress =
        orderedSum(threads_, bonds_.interfaces.size(), Mat3(Mat3::Zero()), [&](std::size_t m) {
          const Interface& face = bonds_.interfaces[m];
          const Vec3 branch = besideFirst(face, placed_, images()).pos - placed_[face.i].pos;
          return Mat3(interfaceForces_[m].force * branch.transpose());
        });
  if (!growth.keep) return;
  bonds_.energies = {sums.elastic, sums.dissipated, sums.broken};
  bonds_.breaking = sums.breaking;
}

void Simulation::addRememberedBonds() {
  std::vector<RowForce> forces(bonds_.interfaces.size());
  for (std::size_t m = 0; m < forces.size(); ++m) {
    const Interface& face = bonds_.interfaces[m];
    const Placed &i = placed_[face.i], j = besideFirst(face, placed_, images());
    for (std::uint32_t k = face.first; k < face.first + face.count; ++k) {
      const Bond& bond = bonds_.bonds[k];
      const Vec3 between = i.pos - j.pos;
      const Touch touch = bondGeometry(bond.pairing, i, j, between, bond.iSub, bond.jSub);
      const Vec3 sliding = bond.vel - bond.vel.dot(touch.n) * touch.n;
      Vec3 force = bond.fn * touch.n + bond.ft;
      if (!compat_) force += face.damp * sliding;  // there, it stands in ft
      forces[m].force += force;
      forces[m].momentA += touch.arm.cross(force) + bond.mom;
      forces[m].momentB -= (touch.arm + between).cross(force) + bond.mom;
      if (compat_) {
        const Vec3 more = astray(face, bond.pairing, placed_, images()).cross(force);
        forces[m].momentA -= more;
        forces[m].momentB += more;
      }
    }
  }
  for (std::size_t k = 0; k < bodies_.size() && !forces.empty(); ++k)
    for (std::uint32_t m = bonds_.incidenceStart[k]; m < bonds_.incidenceStart[k + 1]; ++m) {
      const std::uint32_t at = bonds_.incidence[m];
      const bool first = bonds_.interfaces[at].i == k;
      bodies_.force[k] += first ? forces[at].force : Vec3(-forces[at].force);
      bodies_.moment[k] += first ? forces[at].momentA : forces[at].momentB;
    }
}

double Simulation::takenInHalfStep(const Interface& face, const RowForce& force) const {
  const double half = 0.5 * conf_.dt;
  const Placed j = besideFirst(face, placed_, images());
  const auto later = [&](const Vec3& now, const Vec3& acc, BodyId k) {
    return k < bodies_.driven ? now : Vec3(now + half * acc);
  };
  const Vec3 relative = later(placed_[face.i].vel, bodies_.acc[face.i], face.i) -
                        later(j.vel, bodies_.acc[face.j], face.j);
  return -half * (force.force.dot(relative) +
                  force.momentA.dot(later(bodies_.spin[face.i], bodies_.spinAcc[face.i], face.i)) +
                  force.momentB.dot(later(bodies_.spin[face.j], bodies_.spinAcc[face.j], face.j)));
}

void Simulation::breakInterfaces() {
  bonds_.breaking = 0;
  place();  // the last stage of a step may have moved bodies on
  double taken = 0.0;
  // Bonds that are pressed together go on as contacts, with what friction lets them keep.
  std::vector<InteractionRecord> touching;
  std::vector<std::pair<BodyId, BodyId>> unglued;
  std::size_t facesLeft = 0, bondsLeft = 0;  // they close up
  for (std::size_t m = 0; m < bonds_.interfaces.size(); ++m) {
    Interface face = bonds_.interfaces[m];
    const auto begin = bonds_.bonds.begin() + face.first, end = begin + face.count;
    if (!face.breaks) {
      if (facesLeft < m) {
        std::copy(begin, end, bonds_.bonds.begin() + static_cast<std::ptrdiff_t>(bondsLeft));
        face.first = static_cast<std::uint32_t>(bondsLeft);
        bonds_.interfaces[facesLeft] = face;
        conf_.interfaces[facesLeft] = std::move(conf_.interfaces[m]);
      }
      ++facesLeft;
      bondsLeft += face.count;
      continue;
    }
    if (face.pair().second >= bodies_.driven) unglued.push_back(face.pair());
    ++bonds_.brokenInterfaces;
    bonds_.brokenBonds += face.count;
    RowForce last = interfaceForces_[m];  // acts for another half step
    const Vec3 between = placed_[face.i].pos - besideFirst(face, placed_, images()).pos;
    bonds_.area.broken += std::max(face.area, 0.0);
    const std::uint32_t gi = bodies_.group[face.i], gj = bodies_.group[face.j];
    const double mu = conf_.lawParameter("muContact", gi, gj),
                 mur = conf_.lawParameter("murContact", gi, gj);
    BondParameters contact;
    contact.kn = conf_.lawParameter("knContact", gi, gj);
    contact.kt = conf_.lawParameter("ktContact", gi, gj);
    contact.kr = conf_.lawParameter("krContact", gi, gj);
    for (auto bond = begin; bond != end; ++bond) {
      const bool pressed = bond->dn < 0.0;
      if (!pressed && !compat_) continue;
      InteractionRecord r;
      r.key = {face.i, face.j, bond->pairing, bond->iSub, bond->jSub};
      r.dn = bond->dn;
      r.damp = face.damp;
      r.vel = bond->vel;
      if (pressed) r.fn = compat_ ? bond->fn : std::max(bond->fn, 0.0);
      r.ft = clamped(bond->ft, std::abs(mu * r.fn));
      // There, what was a bond stays listed, pressed or not, with its moment.
      r.mom = compat_ ? bond->mom : clamped(bond->mom, std::abs(mur * r.fn));
      if (pressed) {
        bonds_.energies.broken -= elasticEnergy(contact, r.dn, r.ft, r.mom);
        // A contact holds this from the start, without having taken it up.
        ledger_.tangential += elasticEnergy(contact, 0.0, r.ft, Vec3::Zero());
        ledger_.rolling += elasticEnergy(contact, 0.0, Vec3::Zero(), r.mom);
        // What it takes up in that half step counts as a contact's.
        const Vec3 force = r.fn * bond->n + r.ft;
        last.force -= force;
        last.momentA -= bond->arm.cross(force) + r.mom;
        last.momentB += (bond->arm + between).cross(force) + r.mom;
      }
      touching.push_back(r);
    }
    taken += takenInHalfStep(face, last);
  }
  bonds_.interfaces.erase(bonds_.interfaces.begin() + static_cast<std::ptrdiff_t>(facesLeft),
                          bonds_.interfaces.end());
  bonds_.bonds.erase(bonds_.bonds.begin() + static_cast<std::ptrdiff_t>(bondsLeft),
                     bonds_.bonds.end());
  conf_.interfaces.resize(facesLeft);
  indexBonds();
  if (compat_) {
    relistAsRockable(touching);
  } else {
    lists_.admit(unglued, conf_.cell.used);
    lists_.update(bodies_, placed_, threads_, images());
    for (const InteractionRecord& r : touching) loadContact(r);
  }
  ledger_.breakage += bonds_.energies.broken + taken;
  ledger_.exchanged += std::abs(bonds_.energies.broken) + std::abs(taken);
}

std::vector<InterfaceRecord> Simulation::interfaceRecords() const {
  std::vector<InterfaceRecord> records = conf_.interfaces;
  for (std::size_t m = 0; m < records.size(); ++m)
    for (std::size_t k = 0; k < records[m].bonds.size(); ++k)
      records[m].bonds[k].slip = bonds_.bonds[bonds_.interfaces[m].first + k].slip;
  return records;
}

}  // namespace scree::sim

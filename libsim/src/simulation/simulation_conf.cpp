// SPDX-License-Identifier: GPL-3.0-or-later
// From the state that runs back to what a conf-file says, and figures about the state.
#include "../bonds/bond_system.hpp"
#include "../cell/cell_motion.hpp"
#include "../drives/drive_system.hpp"
#include "../energy/energy_account.hpp"
#include "../forces/force_field.hpp"
#include "../state/world.hpp"
#include "integrators.hpp"

#include "scree/sim/simulation.hpp"
#include "scree/sim/step/row_forces.hpp"

#include <xxhash.h>

#include <algorithm>
#include <optional>

namespace scree::sim {

Placed Simulation::beside(const PairRow& row) const {
  if (!images()) return placed_[row.b];
  const auto r = static_cast<std::size_t>(&row - lists_.contacts.rows.data());
  Images seen = cell_->images;
  seen.velocity = cell_->velocityOfContacts;
  return seen.image(placed_[row.b], lists_.contacts.shifts[r]);
}

std::vector<InteractionRecord> Simulation::interactions() const {
  std::vector<InteractionRecord> records;
  const Contacts& contacts = lists_.contacts;
  // Until the first evaluation the velocities of contacts are those of the file.
  std::vector<InteractionRecord> ofFile = conf_.interactions;
  for (InteractionRecord& r : ofFile) r.putLowerFirst();
  const auto byKey = [](const InteractionRecord& x, const InteractionRecord& y) {
    return x.key < y.key;
  };
  std::stable_sort(ofFile.begin(), ofFile.end(), byKey);
  const auto setVelocity = [&](InteractionRecord& r, const PairRow& row, const Candidate& candidate,
                               std::uint32_t k, const Touch& touch, const Placed& b) {
    if (compat_) {
      r.vel = contacts.asRockableOf(row)[k].vel;
    } else if (!ofFile.empty()) {
      const auto after = std::upper_bound(ofFile.begin(), ofFile.end(), r, byKey);
      if (after != ofFile.begin() && std::prev(after)->key == r.key) r.vel = std::prev(after)->vel;
    } else {
      const Placed& a = placed_[row.a];
      const Vec3 between = a.pos - b.pos;
      r.vel = RelativeMotion(a, b, between, candidate.swapped ? -1.0 : 1.0)
                  .at(candidate.swapped ? touch.arm : Vec3(touch.arm + between));
    }
  };
  for (const PairRow& row : contacts.rows) {
    std::optional<Placed> b;  // made for rows that touch alone
    contacts.forEachTouching(
        row, [&](std::uint32_t k, const Candidate& candidate, const ContactState& state) {
          if (!b) b = beside(row);
          const BodyId i = candidate.swapped ? row.b : row.a, j = candidate.swapped ? row.a : row.b;
          InteractionRecord r;
          r.key = {i, j, candidate.pairing, candidate.iSub, candidate.jSub};
          Touch touch;
          double rest = 0.0;
          const Placed &placedI = candidate.swapped ? *b : placed_[i],
                       &placedJ = candidate.swapped ? placed_[j] : *b;
          if (touches(candidate, placedI, placedJ, placedI.pos - placedJ.pos, touch, rest)) {
            r.n = touch.n;
            r.pos = placed_[i].pos + touch.arm;
          }
          setVelocity(r, row, candidate, k, touch, *b);
          r.dn = state.dn;
          r.fn = state.fn;
          r.ft = state.ft;
          r.mom = state.mom;
          r.damp = compat_ ? contacts.asRockableOf(row)[k].damp
                           : field_->kernel().viscosity(
                                 row.parameters, row.damp, state.dn,
                                 contactRadius(candidate.pairing, placedI.radius, placedJ.radius));
          records.push_back(r);
        });
  }
  bonds_->appendContacts(placed_, records);
  order_.renumberForFile(records);
  std::sort(records.begin(), records.end(), byKey);
  return records;
}

std::vector<InteractionRecord> Simulation::listedContacts() const {
  std::vector<InteractionRecord> records;
  const Contacts& contacts = lists_.contacts;
  for (const PairRow& row : contacts.rows)
    for (std::uint32_t k = 0; k < row.count; ++k) {
      const ContactAsRockable& contact = contacts.asRockableOf(row)[k];
      const ContactState& state = contact.state;
      const Candidate& c = contacts.candidatesOf(row)[k];
      InteractionRecord r;
      r.key = {c.swapped ? row.b : row.a, c.swapped ? row.a : row.b, c.pairing, c.iSub, c.jSub};
      r.dn = state.dn;
      r.vel = contact.vel;
      r.fn = state.fn;
      r.ft = state.ft;
      r.mom = state.mom;
      r.damp = contact.damp;
      records.push_back(r);
    }
  std::sort(records.begin(), records.end(),
            [](const InteractionRecord& x, const InteractionRecord& y) { return x.key < y.key; });
  return records;
}

Conf Simulation::conf() const {
  Conf conf = conf_;
  conf.t = time();
  conf.cell = cell_->cell;
  conf.runState = RunState{t0_, step_};
  for (std::size_t k = 0; k < bodies_.size(); ++k) {
    ParticleRecord& p = conf.particles[k];
    p.pos = bodies_.pos[k];
    p.vel = bodies_.vel[k];
    p.acc = bodies_.acc[k];
    p.q = bodies_.q[k];
    p.vrot = bodies_.spin[k];
    p.arot = bodies_.spinAcc[k];
  }
  conf.particles = order_.toFile(conf.particles);
  conf.earlierMotion = order_.toFile(integrators_->earlier(compat_));
  conf.energy = energy_->ledger;
  conf.interactions = interactions();
  conf.boundaryTouches = boundaryTouches();
  conf.interfaces = bonds_->records();
  conf.bondedArea = bonds_->area();
  conf.idle.clear();
  if (compat_) {
    conf.idle = listedContacts();
    std::erase_if(conf.idle, [](const InteractionRecord& r) { return r.dn < 0.0; });
  }
  conf.particleLines.clear();
  conf.interactionLines.clear();
  conf.interfaceLines.clear();
  return conf;
}

std::size_t Simulation::contactCount() const {
  std::size_t n = 0;
  const Contacts& contacts = lists_.contacts;
  for (const PairRow& row : contacts.rows) contacts.forEachTouching(row, [&n](auto&&...) { ++n; });
  return n;
}

std::uint64_t Simulation::stateHash() const {
  XXH64_state_t* state = XXH64_createState();
  XXH64_reset(state, 0);
  const auto add = [state](const auto& value) { XXH64_update(state, &value, sizeof value); };
  const auto addVector = [&](const Vec3& v) {
    for (int k = 0; k < 3; ++k) add(v[k]);
  };
  for (std::size_t number = 0; number < bodies_.size(); ++number) {
    const BodyId k = order_.body(number);
    addVector(bodies_.pos[k]);
    add(bodies_.q[k].w());
    addVector(bodies_.q[k].vec());
    addVector(bodies_.vel[k]);
    addVector(bodies_.spin[k]);
  }
  if (cell_->used())
    for (const Mat3* m : {&cell_->cell.h, &cell_->cell.vh})
      for (int k = 0; k < 9; ++k) add((*m)(k / 3, k % 3));
  for (const InteractionRecord& r : interactions()) {
    for (const std::uint32_t index :
         {r.key.i, r.key.j, static_cast<std::uint32_t>(r.key.pairing), r.key.iSub, r.key.jSub})
      add(index);
    add(r.fn);
    addVector(r.ft);
    addVector(r.mom);
  }
  for (const BoundaryTouch& t : boundaryTouches()) {
    for (const std::uint32_t index : {t.boundary, t.body, t.vertex}) add(index);
    add(t.fn);
    addVector(t.ft);
    addVector(t.mom);
  }
  const std::uint64_t hash = XXH64_digest(state);
  XXH64_freeState(state);
  return hash;
}

std::size_t Simulation::memoryBytes() const {
  const auto bytes = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  std::size_t sum = 0;
  for (const auto* v : {&bodies_.pos, &bodies_.vel, &bodies_.acc, &bodies_.spin, &bodies_.spinAcc,
                        &bodies_.force, &bodies_.moment, &bodies_.inertia})
    sum += bytes(*v);
  for (const auto* v : {&bodies_.mass, &bodies_.homothety, &bodies_.reach, &bodies_.path,
                        &bodies_.lastMove, &radius_})
    sum += bytes(*v);
  sum += bytes(bodies_.q) + bytes(bodies_.shape) + bytes(bodies_.group) + bytes(placed_);
  sum += lists_.memoryBytes() + field_->sums().memoryBytes();
  sum += bonds_->memoryBytes();
  return sum;
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
// From the state that runs back to what a conf-file says, and figures about the state.
#include "engine.hpp"
#include "state/contact_records.hpp"
#include "step/row_forces.hpp"

#include <xxhash.h>

#include <algorithm>
#include <optional>

namespace scree::sim {

std::vector<InteractionRecord> Engine::interactions() const {
  std::optional<Images> seen;
  if (images()) {
    seen = cell_.images;
    seen->velocity = cell_.velocityOfContacts;
  }
  std::vector<InteractionRecord> records = touchingContacts(
      world(), lists_.contacts, field_.kernel(), seen ? &*seen : nullptr, conf_.interactions);
  bonds_.appendContacts(placed_, records);
  order_.renumberForFile(records);
  std::sort(records.begin(), records.end(),
            [](const InteractionRecord& x, const InteractionRecord& y) { return x.key < y.key; });
  return records;
}

Conf Engine::conf() const {
  Conf conf = conf_;
  conf.t = time();
  conf.cell = cell_.cell;
  conf.boundaries = field_.walls();
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
  conf.earlierMotion = order_.toFile(integrators_.earlier(compat_));
  conf.energy = energy_.ledger;
  conf.interactions = interactions();
  conf.boundaryTouches = boundaryTouches();
  conf.interfaces = bonds_.records();
  conf.bondedArea = bonds_.area();
  conf.idle.clear();
  if (compat_) {
    conf.idle = listedContacts(lists_.contacts);
    std::erase_if(conf.idle, [](const InteractionRecord& r) { return r.dn < 0.0; });
  }
  conf.particleLines.clear();
  conf.interactionLines.clear();
  conf.interfaceLines.clear();
  return conf;
}

std::size_t Engine::contactCount() const {
  std::size_t n = 0;
  const Contacts& contacts = lists_.contacts;
  for (const PairRow& row : contacts.rows) contacts.forEachTouching(row, [&n](auto&&...) { ++n; });
  return n;
}

std::uint64_t Engine::stateHash() const {
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
  if (cell_.used())
    for (const Mat3* m : {&cell_.cell.h, &cell_.cell.vh})
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

std::size_t Engine::memoryBytes() const {
  const auto bytes = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  std::size_t sum = 0;
  for (const auto* v : {&bodies_.pos, &bodies_.vel, &bodies_.acc, &bodies_.spin, &bodies_.spinAcc,
                        &bodies_.force, &bodies_.moment, &bodies_.inertia})
    sum += bytes(*v);
  for (const auto* v :
       {&bodies_.mass, &bodies_.homothety, &bodies_.reach, &bodies_.path, &bodies_.lastMove})
    sum += bytes(*v);
  sum += bytes(model_.radius) + bytes(bodies_.q) + bytes(bodies_.shape) + bytes(bodies_.group) +
         bytes(placed_);
  sum += lists_.memoryBytes() + field_.sums().memoryBytes();
  sum += bonds_.memoryBytes();
  return sum;
}

}  // namespace scree::sim

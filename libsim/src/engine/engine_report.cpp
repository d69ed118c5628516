// SPDX-License-Identifier: GPL-3.0-or-later
// Figures about the state of a run: hash, memory, energy, and checks for NaN.
#include "engine/bridges.hpp"
#include "engine/engine.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <new>

namespace scree::sim {

std::size_t Engine::contactCount() const {
  std::size_t n = 0;
  const Contacts& contacts = state_.lists.contacts;
  for (const NeighbourPair& pair : contacts.pairs)
    contacts.forEachTouching(pair, [&n](auto&&...) { ++n; });
  return n;
}

std::uint64_t Engine::stateHash() const {
  const std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state(XXH64_createState(),
                                                                         XXH64_freeState);
  if (!state) throw std::bad_alloc();
  XXH64_reset(state.get(), 0);
  const auto add = [&state](const auto& value) { XXH64_update(state.get(), &value, sizeof value); };
  const auto addVector = [&](const Vec3& v) {
    for (int k = 0; k < 3; ++k) add(v[k]);
  };
  for (std::size_t number = 0; number < state_.bodies.size(); ++number) {
    const BodyId k = state_.order.body(number);
    addVector(state_.bodies.pos[k]);
    add(state_.bodies.q[k].w());
    addVector(state_.bodies.q[k].vec());
    addVector(state_.bodies.vel[k]);
    addVector(state_.bodies.spin[k]);
  }
  if (state_.cell.used())
    for (const Mat3* m : {&state_.cell.cell.h, &state_.cell.cell.vh})
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
  return XXH64_digest(state.get());
}

std::size_t Engine::memoryBytes() const {
  const auto bytes = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  std::size_t sum = 0;
  for (const auto* v : {&state_.bodies.pos, &state_.bodies.vel, &state_.bodies.acc,
                        &state_.bodies.spin, &state_.bodies.spinAcc, &state_.bodies.force,
                        &state_.bodies.moment, &state_.bodies.inertia})
    sum += bytes(*v);
  for (const auto* v :
       {&state_.bodies.mass, &state_.bodies.homothety, &state_.bodies.boundingRadius,
        &state_.bodies.displacement, &state_.bodies.lastMove})
    sum += bytes(*v);
  sum += bytes(state_.bodies.radius) + bytes(state_.bodies.q) + bytes(state_.bodies.shape) +
         bytes(state_.bodies.group) + bytes(poses_);
  sum += state_.lists.memoryBytes() + field_.sums().memoryBytes();
  sum += state_.bonds.memoryBytes();
  return sum;
}

std::uint64_t Engine::pairSearches() const {
  return state_.lists.pairSearches + field_.sums().searchCount();
}

HeldEnergy Engine::heldEnergy() const {
  HeldEnergy held;
  held.contacts = field_.energy(world(), state_.lists.contacts, state_.walls);
  held.bonds = state_.bonds.bonds().energies.elastic;
  held.cell = state_.cell.energy();
  held.hysteresis = field_.kernel().law().hysteresis;
  return held;
}

EnergyBudget Engine::energyBudget() const {
  return state_.energy.budget(world(), state_.cell.flow(), heldEnergy());
}

void Engine::keepDrivenForces() {
  state_.energy.keepDrivenForces(state_.bodies, state_.drives.drives().controls);
}

void Engine::startEnergy(const std::optional<EnergyLedger>& ledger, Diagnostics& diagnostics) {
  if (model_.complete) {
    // A file holds the forces of its contacts, not their sums.
    field_.restore(world(), state_.drives, state_.bonds, state_.lists.contacts, state_.bodies);
  }
  keepDrivenForces();
  if (!ledger) {
    state_.energy.start(world(), state_.cell.flow(), heldEnergy());
    return;
  }
  state_.energy.ledger = *ledger;
  const double work = state_.energy.takeUp(world(), state_.cell.flow(), heldEnergy());
  if (work != 0.0)
    diagnostics.note(
        fmt::format("the file was edited after it was saved: its energy differs by {:.4g} from "
                    "what '#scree held' states; the balance takes this as work",
                    work));
}

std::string Engine::describeLargestForce(std::size_t body) const {
  const Contacts& contacts = state_.lists.contacts;
  double largest = -1.0;
  std::string text;
  for (const NeighbourPair& pair : contacts.pairs) {
    if (pair.a != body && pair.b != body) continue;
    contacts.forEachTouching(pair, [&](std::uint32_t, const Candidate& c, const ContactState& s) {
      const double force = (Vec3(s.fn, 0, 0) + s.ft).norm();
      const bool broken = !std::isfinite(force) || !std::isfinite(s.dn);
      if (largest == HUGE_VAL || !(force > largest || broken)) return;  // the first broken one
      largest = broken ? HUGE_VAL : force;
      InteractionRecord r;
      r.key = {c.swapped ? pair.b : pair.a, c.swapped ? pair.a : pair.b, c.pairing, c.iSub, c.jSub};
      state_.order.renumberForFile({&r, 1});
      text = fmt::format(
          "; its largest contact is {} {} {} {} {} (i j type isub jsub): gap {:.3g}, fn {:.3g}, "
          "|ft| {:.3g}",
          r.key.i, r.key.j, static_cast<int>(r.key.pairing), r.key.iSub, r.key.jSub, s.dn, s.fn,
          s.ft.norm());
    });
    if (largest == HUGE_VAL) break;
  }
  return text.empty() ? "; it touches nothing" : text;
}

ModelError Engine::notFinite(std::size_t k) const {
  return ModelError(fmt::format(
      "body {} ({}) has a NaN or infinite state at t = {} (step {}){}. The time step may be too "
      "long for the stiffness, or bodies may overlap too much at the start",
      state_.order.number(k), model_.shapes[state_.bodies.shape[k]].name, time(), state_.clock.step,
      describeLargestForce(k)));
}

void Engine::checkFinite() const {
  // A NaN velocity yields a NaN displacement in the next step.
  for (std::size_t k = 0; k < state_.bodies.size(); ++k)
    if (!std::isfinite(state_.bodies.displacement[k])) throw notFinite(k);
}

void Engine::requireFinite() const {
  for (std::size_t k = 0; k < state_.bodies.size(); ++k)
    if (!std::isfinite(state_.bodies.displacement[k] + state_.bodies.vel[k].sum() +
                       state_.bodies.spin[k].sum()))
      throw notFinite(k);
}

}  // namespace scree::sim

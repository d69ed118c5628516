// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.hpp"

#include "engine/body_forces.hpp"

#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace scree::sim {

World Engine::world() const {
  return {model_, state_.parameters, state_.restraint, state_.order,     state_.bodies,
          poses_, images(),          time(),           state_.clock.step};
}

void Engine::load(Conf file, Drives drives, Diagnostics& diagnostics) {
  const SavedState& saved = file.state();
  state_.summedClock = saved.summedClock;
  state_.iconf = file.iconf;
  state_.clock = model_.complete ? *saved.runState : RunState{file.t, 0};
  state_.order =
      startOrder(file, model_.mayOrder && file.interfaces.empty(), model_.complete, diagnostics);
  if (!model_.complete) startClock(file);
  state_.parameters = static_cast<const Parameters&>(file);
  state_.restraint = restraintOf(file);
  state_.bodies =
      makeBodies(file, model_, state_.order, model_.complete && keepsLengths(), diagnostics);
  poses_ = initialPoses(model_, state_.bodies);
  if (model_.complete && model_.integrator == Integrator::Beeman &&
      saved.earlierMotion.size() == state_.bodies.size())
    state_.earlier = state_.order.toRun(saved.earlierMotion);
  file.forceLaw = field_.makeLaw(file, world(), diagnostics);
  state_.cell = CellMotion(file.cell);
  state_.cell.loading = drives.cell;
  state_.cell.start(file, world());
  DriveSystem::check(world(), drives);
  state_.drives = DriveSystem(std::move(drives));
  state_.drives.start(world());
  startCourses();
  place();
  state_.bonds.make(file, std::move(file.interfaces), world(), diagnostics);
  state_.lists.bonded = state_.bonds.pairs();
  loadContacts(file, diagnostics);
  setRestLengths(model_.joints, state_.bodies);
  for (BoundaryTouch& t : file.boundaryTouches) t.body = state_.order.body(t.body);
  state_.atBoundaries = field_.makeBoundaries(file, world(), file.boundaryTouches);
  if (!model_.complete) evaluateStart();
  startEnergy(model_.complete ? saved.energy : std::nullopt, diagnostics);
  // From here on the state is in `state_` alone.
  file.interactions = {};
  file.interfaces = {};
  file.boundaryTouches = {};
  file.saved.reset();
  model_.file = std::move(file);
}

void Engine::restore(const State& state) {
  state_ = state;
  poses_ = initialPoses(model_, state_.bodies);
  place();
  field_.setParameters(state_.parameters);
  ++reorderings_;  // whoever has values for each body has to look again
}

std::uint64_t Engine::steps(std::uint64_t most, const StepWatch& watch) {
  std::uint64_t made = 0;
  for (bool last = most == 0; !last; ++made) {
    last = made + 1 >= most || (watch.stop && watch.stop->load(std::memory_order_relaxed));
    const std::uint64_t orders = reorderings_;
    advance(!last, watch);
    // After a reordering the watch is one of other bodies.
    if ((reorderings_ != orders && !watch.moves.empty()) || movedTooFar()) last = true;
  }
  return made;
}

void Engine::place() {
  parallelFor(
      model_.threads, state_.bodies.size(),
      [&](std::size_t k) { placeBody(state_.bodies, k, poses_[k]); }, bodyGrain);
}

void Engine::evaluateForces(const World& now, const HistoryUpdate& update,
                            const ForceField::Calls& calls) {
  if (!state_.velOfFile.empty()) state_.velOfFile = {};  // they hold no longer
  if (images()) state_.cell.velocityOfContacts = state_.cell.images.velocity;
  const ContactPower power =
      field_.evaluate(now, update, calls, state_.lists.contacts, state_.bonds, state_.atBoundaries,
                      state_.bodies, times_);
  if (!update.keep || !update.counted || !(update.dt > 0.0)) return;
  state_.energy.add(now, state_.cell.flow(), power, state_.bonds.bonds().energies, update.dt,
                    state_.drives, model_.integrator == Integrator::velocityVerlet);
  state_.energy.addWork(update.dt * state_.atBoundaries.meanPower());
}

void Engine::breakInterfaces() {
  place();  // the last stage of a step may have moved bodies on
  const BrokenInterfaces broken = state_.bonds.releaseBroken(world(), state_.energy.ledger);
  state_.lists.bonded = state_.bonds.pairs();
  admit(broken);
}

void Engine::applyTempo() {
  const double t = time();
  Parameters& now = state_.parameters;
  for (const Tempo& tempo : model_.tempos) {
    const double value = tempo.at(t);
    const std::uint32_t g1 = tempo.group1, g2 = tempo.group2;
    switch (tempo.what) {
      case Tempo::What::damping:
        now.numericalDampingCoeff = state_.restraint.damping = value;
        break;
      case Tempo::What::pair:
        if (now.lawParameter(tempo.parameter, g1, g2) == value) break;
        now.setLawParameter(tempo.parameter, g1, g2, value);
        if (!field_.knows(g1, g2)) break;  // no body has this group
        field_.setParameters(now, g1, g2);
        state_.bonds.refresh(world());
        parametersChanged(g1, g2);
        break;
      case Tempo::What::density: {
        if (now.densityOf(g1) == value) break;
        const Mat3 flow = state_.cell.flow();
        const double before = energyOfBodies(world(), flow) + state_.cell.energy();
        now.setDensity(g1, value);
        densityChanged(g1);
        state_.energy.addWork(energyOfBodies(world(), flow) + state_.cell.energy() - before);
        break;
      }
    }
  }
}

Conf Engine::conf() const {
  Conf conf = confFrom(model_, state_, world(), field_.kernel());
  const EnergyBudget e = energyBudget();
  conf.saved->energy->saved = {e.heldInFile(), e.potential};
  return conf;
}
std::vector<InteractionRecord> Engine::interactions(std::optional<BodyId> body) const {
  if (body) body = state_.order.body(*body);
  return interactionsOf(state_, world(), field_.kernel(), body);
}
std::vector<BoundaryTouch> Engine::boundaryTouches() const {
  return touchesOf(world(), state_.atBoundaries);
}

void Engine::setDrives(Drives drives) {
  DriveSystem::check(world(), drives);
  const double before = state_.cell.energy();  // of the components that follow a stress
  state_.cell.loading = drives.cell;
  state_.drives.replace(world(), std::move(drives), state_.bodies);
  state_.energy.ledger.cell += state_.cell.energy() - before;
}

std::size_t Engine::contactCount() const {
  std::size_t n = 0;
  const Contacts& contacts = state_.lists.contacts;
  for (const NeighbourPair& pair : contacts.pairs)
    contacts.forEachTouching(pair, [&n](auto&&...) { ++n; });
  return n;
}

std::uint64_t Engine::pairSearches() const {
  return state_.lists.pairSearches + field_.sums().searchCount();
}

HeldEnergy Engine::heldEnergy() const {
  return {field_.energy(world(), state_.lists.contacts, state_.atBoundaries),
          state_.bonds.bonds().energies.elastic, state_.cell.energy(),
          field_.kernel().law().hysteresis};
}

EnergyBudget Engine::energyBudget() const {
  return state_.energy.budget(world(), state_.cell.flow(), heldEnergy());
}

void Engine::keepDrivenForces() {
  state_.energy.keepDrivenForces(state_.bodies, state_.drives.drives().controls);
}

void Engine::startEnergy(const std::optional<EnergyLedger>& ledger, Diagnostics& diagnostics) {
  if (model_.complete)  // a file holds the forces of its contacts, not their sums
    field_.restore(world(), state_.drives, state_.bonds, state_.lists.contacts, state_.bodies);
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

ModelError Engine::notFinite(std::size_t k) const {
  return ModelError(fmt::format(
      "body {} ({}) has a NaN or infinite state at t = {} (step {}). The time step may be too long "
      "for the stiffness, or bodies may overlap too much at the start",
      state_.order.number(k), model_.shapes[state_.bodies.shape[k]].name, time(),
      state_.clock.step));
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/standard_engine.hpp"

#include "scree/base/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace scree::sim {

StandardEngine::StandardEngine(Model model, Conf file, Drives drives, Diagnostics& diagnostics)
    : Engine(std::move(model)) {
  load(std::move(file), std::move(drives), diagnostics);
}

void StandardEngine::loadContacts(const Conf& file, Diagnostics& diagnostics) {
  updateAllLists();
  Contacts& contacts = state_.lists.contacts;
  const std::size_t n = file.interactions.size();
  if (n == 0) return;
  std::vector<std::size_t> poolOf(n);
  std::vector<std::uint8_t> isAgain(n);
  parallelFor(model_.threads, n, [&](std::size_t m) {
    const InteractionRecord r = interactionInRun(file, m, world());
    const auto [a, b] = bodyPair(r.key.i, r.key.j);
    poolOf[m] = contacts.poolNumber(a, b);
  });
  std::vector<std::vector<std::size_t>> ofPool(contacts.pools.size());
  for (std::size_t m = 0; m < n; ++m) ofPool[poolOf[m]].push_back(m);
  state_.velOfFile.resize(ofPool.size());
  // A thread fills a pool in the order of the file; from the last pool down, as they are read.
  parallelFor(model_.threads, ofPool.size(), [&](std::size_t k) {
    const std::size_t pool = ofPool.size() - 1 - k;
    auto& velocities = state_.velOfFile[pool];
    velocities.reserve(ofPool[pool].size());
    for (const std::size_t m : ofPool[pool]) {
      const InteractionRecord r = interactionInRun(file, m, world());
      velocities.emplace_back(r.key, r.vel);
      isAgain[m] = !loadContact(r, contacts);
    }
    std::ranges::stable_sort(velocities, {}, &std::pair<ContactKey, Vec3>::first);
  });
  if (const auto again = std::ranges::count(isAgain, 1); again > 0)
    diagnostics.warn(file.errorAtInteraction(
        static_cast<std::size_t>(std::ranges::find(isAgain, 1) - isAgain.begin()),
        fmt::format("Interactions: contact given twice; {} such line{}, the last one counts", again,
                    again > 1 ? "s" : "")));
}

void StandardEngine::evaluateStart() {
  evaluate(world(), {});  // accelerations of the start; history does not grow
  setAccelerations();
  if (images())
    state_.cell.finish(world(), state_.lists.contacts, field_.sums(), state_.bonds.virial(), 0.0,
                       state_.bodies, state_.energy.ledger);
}

void StandardEngine::advance(bool more, const StepWatch& watch) {
  times_.beginStep(state_.clock.step);
  const double before = time();
  ++state_.clock.step;
  const World now = world();
  state_.drives.set(now, before);
  const auto forces = [this](const HistoryUpdate& update) { evaluateAll(update); };
  Bodies& bodies = state_.bodies;
  switch (model_.integrator) {
    case Integrator::velocityVerlet:
      stepVelocityVerlet(now, more, watch);
      break;
    case Integrator::Euler:
      euler_.step(now, state_.drives, bodies, forces);
      break;
    case Integrator::Beeman:
      beeman_.step(now, state_.drives, bodies, state_.earlier, forces);
      break;
    case Integrator::RungeKutta4:
      rungeKutta4_.step(now, state_.drives, bodies, forces);
      break;
  }
  if (model_.integrator != Integrator::velocityVerlet) velocityVerlet_.watch(bodies, watch.moves);
  if (state_.bonds.breaking()) breakInterfaces();
  applyTempo();
  times_.end(StageTimes::finish);
  if (state_.clock.step % orderPeriod == 0) {
    reorder();
    times_.end(StageTimes::detect);
  }
}

void StandardEngine::stepVelocityVerlet(const World& now, bool more, const StepWatch& watch) {
  CellMotion& cell = state_.cell;
  Bodies& bodies = state_.bodies;
  Contacts& contacts = state_.lists.contacts;
  EnergyLedger& ledger = state_.energy.ledger;
  const VelocityVerlet::Scene scene{
      now,        bodies, poses_, cell.used() ? &cell : nullptr, state_.lists, field_.sums().shares,
      watch.moves};
  if (images()) cell.begin(now, bodies, contacts, ledger);
  velocityVerlet_.begin(scene, state_.drives);
  if (images()) {
    cell.wrap(now, bodies, contacts, ledger);
    place();
  }
  updateLists(images() ? state_.lists.expired(bodies) : velocityVerlet_.expired());
  // Threads take their bodies on while forces are at hand, where nothing but contacts and gravity
  // acts. Stages are measured as if each step were alone.
  const bool atOnce = !model_.bodyForce && state_.bonds.empty() && state_.atBoundaries.empty() &&
                      model_.joints.empty() && !state_.restraint.acts();
  const std::uint64_t step = state_.clock.step;
  const bool ahead = more && atOnce && !velocityVerlet_.tooFar() && model_.tempos.empty() &&
                     !images() && !times_.measures(step - 1) && !times_.measures(step) &&
                     step % orderPeriod != 0;
  VelocityVerlet::AfterForces afterwards(velocityVerlet_, scene, ahead);
  if (ahead) velocityVerlet_.beginAhead();
  evaluate(now, HistoryUpdate{model_.dt}, atOnce ? RangeWork(afterwards) : RangeWork());
  velocityVerlet_.endForces(ahead);
  times_.end(StageTimes::contacts);
  if (!atOnce) velocityVerlet_.finish(scene);
  state_.drives.setVelocities(false, bodies);
  state_.drives.finish(state_.restraint, bodies, model_.dt);
  if (images())
    cell.finish(now, contacts, field_.sums(), state_.bonds.virial(), model_.dt, bodies, ledger);
}

bool StandardEngine::movedTooFar() const {
  // Where bodies are ahead already, these are moves of the step to come, which then goes alone.
  return velocityVerlet_.tooFar() && !velocityVerlet_.ahead();
}

void StandardEngine::updateLists(bool expired) {
  if (expired) checkFinite();  // a NaN displacement counts as expired
  times_.end(StageTimes::move);
  if (expired) state_.lists.rebuild(state_.bodies, poses_, model_.threads, images(), pairSetup());
  times_.end(StageTimes::detect);
}

void StandardEngine::updateAllLists() {
  state_.lists.update(state_.bodies, poses_, model_.threads, images(), pairSetup());
}

void StandardEngine::evaluate(const World& now, const HistoryUpdate& update,
                              const RangeWork& afterwards) {
  const bool middle = update.dt > 0.0 && update.dt < model_.dt;  // a stage of Runge-Kutta
  const auto impose = [&](Bodies& bodies) { state_.drives.addForces(bodies, middle); };
  const auto renew = [this](std::uint32_t pair, NearSubElements& found) {
    state_.lists.renew(pair, state_.bodies, poses_, images(), found);
  };
  evaluateForces(now, update, {impose, renew, afterwards});
}

void StandardEngine::evaluateAll(const HistoryUpdate& update) {
  place();
  updateLists(state_.lists.expired(state_.bodies));
  evaluate(world(), update);
  times_.end(StageTimes::contacts);
  setAccelerations();
}

void StandardEngine::setAccelerations() {
  const World now = world();
  Bodies& bodies = state_.bodies;
  forFreeBodies(now, [&](std::size_t k) {
    const BodyLoad load = loadOn(now, k);
    bodies.acc[k] = load.acc;
    bodies.spinAcc[k] =
        angularAcceleration(bodies.q[k], bodies.spin[k], load.moment, bodies.inertia[k]);
  });
  state_.drives.finish(state_.restraint, bodies, 0.0);
}

void StandardEngine::admit(const BrokenInterfaces& broken) {
  state_.lists.admit(broken.released, state_.cell.used(), pairSetup());
  updateAllLists();
  for (const InteractionRecord& r : broken.contacts) loadContact(r, state_.lists.contacts);
}

void StandardEngine::parametersChanged(std::uint32_t group1, std::uint32_t group2) {
  const std::uint32_t index = field_.index(group1, group2);
  for (NeighbourPair& pair : state_.lists.contacts.pairs)
    if (pair.parameters == index) field_.setUp(state_.bodies, pair);
  field_.setUpBoundaries(state_.bodies, state_.atBoundaries);
}

void StandardEngine::densityChanged(std::uint32_t group) {
  Bodies& bodies = state_.bodies;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (bodies.group[k] == group) setMass(state_.parameters, model_, bodies, k);
  state_.cell.setMass(world());
  state_.bonds.refresh(world());
  for (NeighbourPair& pair : state_.lists.contacts.pairs)
    if (bodies.group[pair.a] == group || bodies.group[pair.b] == group) field_.setUp(bodies, pair);
  field_.setUpBoundaries(bodies, state_.atBoundaries);
}

void StandardEngine::reorder() {
  if (!model_.mayOrder || !state_.bonds.empty()) return;
  auto better = betterOrder(state_.order, state_.bodies, state_.lists.contacts);
  if (better) take(std::move(*better));
}

void StandardEngine::take(BodyOrder order) {
  std::vector<InteractionRecord> contacts = interactions();
  std::vector<BoundaryTouch> touches = boundaryTouches();
  Bodies& bodies = state_.bodies;
  const auto move = [&](auto& ofBodies) { ofBodies = order.toRun(state_.order.toFile(ofBodies)); };
  bodies.forEachArray(move);
  move(poses_);
  move(state_.earlier);
  for (BodyId* body : {&state_.cell.first, &state_.cell.second})
    if (*body != CellMotion::noBody) *body = order.body(state_.order.number(*body));
  state_.order = std::move(order);
  ++reorderings_;

  for (BoundaryTouch& t : touches) t.body = state_.order.body(t.body);
  state_.atBoundaries =
      field_.placeBoundaries(model_.file, world(), state_.atBoundaries.boundaries(), touches);
  state_.lists.contacts = Contacts();
  state_.lists.expire();
  updateAllLists();
  state_.order.renumberForRun(contacts);
  for (const InteractionRecord& r : contacts) loadContact(r, state_.lists.contacts);

  // Sums over contacts in their new order, as a run that is resumed here makes them.
  const std::vector<Vec3> force = bodies.force, moment = bodies.moment;
  std::fill(bodies.force.begin(), bodies.force.end(), Vec3::Zero());
  std::fill(bodies.moment.begin(), bodies.moment.end(), Vec3::Zero());
  state_.drives.addForces(bodies);
  addRememberedForces(state_.lists.contacts, poses_, images(), false, bodies);
  keepDrivenForces();
  bodies.force = force;
  bodies.moment = moment;
}

}  // namespace scree::sim

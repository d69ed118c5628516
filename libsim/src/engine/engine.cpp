// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.hpp"

#include "engine/body_forces.hpp"
#include "engine/bridges.hpp"
#include "engine/placement.hpp"

#include "scree/base/parallel.hpp"

#include <atomic>
#include <utility>

namespace scree::sim {

World Engine::world() const {
  return {model_, state_.parameters, state_.restraint, state_.order,     state_.bodies,
          poses_, images(),          time(),           state_.clock.step};
}

void Engine::load(Conf file, Drives drives, Diagnostics& diagnostics) {
  state_.summedClock = file.summedClock;
  state_.iconf = file.iconf;
  state_.clock = model_.complete ? *file.runState : RunState{file.t, 0};
  state_.order =
      startOrder(file, model_.mayOrder && file.interfaces.empty(), model_.complete, diagnostics);
  if (!model_.complete) startClock(file);
  state_.parameters = static_cast<const Parameters&>(file);
  state_.restraint = restraintOf(file);
  state_.bodies =
      makeBodies(file, model_, state_.order, model_.complete && keepsLengths(), diagnostics);
  poses_ = initialPoses(model_, state_.bodies);
  if (model_.complete && model_.integrator == Integrator::Beeman &&
      file.earlierMotion.size() == state_.bodies.size())
    state_.earlier = state_.order.toRun(file.earlierMotion);
  file.forceLaw = field_.makeLaw(file, world(), diagnostics);
  state_.cell = CellMotion(file.cell);
  state_.cell.loading = drives.cell;
  state_.cell.start(file, world());
  DriveSystem::check(world(), drives);
  refuse(drives);
  state_.drives = DriveSystem(std::move(drives));
  state_.drives.start(world());
  startCourses();
  place();
  state_.bonds.make(file, std::move(file.interfaces), world(), diagnostics);
  state_.lists.bonded = state_.bonds.pairs();
  loadContacts(file, diagnostics);
  state_.ofFile = std::move(file.interactions);
  state_.order.renumberForRun(state_.ofFile);
  setRestLengths(model_.joints, state_.bodies);
  for (BoundaryTouch& t : file.boundaryTouches) t.body = state_.order.body(t.body);
  state_.walls = field_.makeWalls(file, world(), file.boundaryTouches);
  if (!model_.complete) evaluateStart();
  startEnergy(model_.complete ? file.energy : std::nullopt, diagnostics);
  // From here on the state is in `state_` alone.
  file.interactions = {};
  file.interfaces = {};
  static_cast<SavedState&>(file) = {};
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
    if (reorderings_ != orders && !watch.moves.empty())
      last = true;  // they are of other bodies now
    if (movedTooFar()) last = true;
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
  if (!state_.ofFile.empty()) state_.ofFile = {};  // they hold no longer
  if (images()) state_.cell.velocityOfContacts = state_.cell.images.velocity;
  const ContactPower power = field_.evaluate(now, update, calls, state_.lists.contacts,
                                             state_.bonds, state_.walls, state_.bodies, times_);
  if (!update.keep || !update.counted || !(update.dt > 0.0)) return;
  state_.energy.add(now, state_.cell.flow(), power, state_.bonds.bonds().energies.dissipated,
                    update.dt, state_.drives.motion(),
                    model_.integrator == Integrator::velocityVerlet);
  state_.energy.addWallWork(update.dt * state_.walls.meanPower());
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
        const double before = energyOfBodies(world(), flow);
        now.setDensity(g1, value);
        densityChanged(g1);
        state_.energy.addMassWork(energyOfBodies(world(), flow) - before);
        break;
      }
    }
  }
}

Conf Engine::conf() const {
  Conf conf = confFrom(model_, state_, world(), field_.kernel());
  const EnergyBudget e = energyBudget();
  conf.energy->saved = {e.heldInFile(), e.potential};
  return conf;
}
std::vector<InteractionRecord> Engine::interactions() const {
  return interactionsOf(state_, world(), field_.kernel());
}
std::vector<BoundaryTouch> Engine::boundaryTouches() const {
  return wallTouches(world(), state_.walls);
}

void Engine::setDrives(Drives drives) {
  DriveSystem::check(world(), drives);
  refuse(drives);
  const double before = state_.cell.energy();  // of the components that follow a stress
  state_.cell.loading = drives.cell;
  state_.drives.replace(world(), std::move(drives), state_.bodies);
  state_.energy.ledger.cell += state_.cell.energy() - before;
}

void Engine::takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const {
  state_.drives.takeOffImposed(force, moment);
}

bool Engine::hasBelts() const { return state_.drives.hasBelts(state_.bodies); }

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/engine.hpp"

#include "engine/bridges.hpp"
#include "state/placement.hpp"
#include "step/body_forces.hpp"

#include "scree/base/parallel.hpp"

#include <atomic>
#include <utility>

namespace scree::sim {

World Engine::world() const {
  const Bodies& bodies = state_.bodies;
  return {model_.conf,       state_.parameters, state_.order,     bodies,   poses_,
          bodies.radius,     bodies.dragArea,   state_.restraint, images(), time(),
          state_.clock.step, model_.threads,    model_.rules};
}

void Engine::load(Diagnostics& diagnostics) {
  Conf& conf = model_.conf;
  state_.summedClock = conf.summedClock;
  state_.iconf = conf.iconf;
  state_.clock = model_.complete ? *conf.runState : RunState{conf.t, 0};
  state_.order = startOrder(model_, mayOrder(), diagnostics);
  if (!model_.complete) startClock();
  state_.parameters = conf;
  state_.restraint = restraintOf(conf);
  state_.bodies = makeBodies(model_, state_.order, model_.complete && keepsLengths(), diagnostics);
  poses_ = initialPoses(model_, state_.bodies);
  if (model_.complete && model_.integrator == Integrator::Beeman &&
      conf.earlierMotion.size() == state_.bodies.size())
    state_.earlier = state_.order.toRun(conf.earlierMotion);
  conf.forceLaw = field_.makeLaw(world(), diagnostics);
  state_.cell = CellMotion(conf.cell);
  state_.cell.loading = drives_.drives().cell;
  state_.cell.start(world());
  DriveSystem::check(world(), conf.shapeNames, drives_.drives());
  refuse(drives_.drives());
  drives_.start(world());
  startCourses();
  place();
  state_.bonds.make(world(), std::move(conf.interfaces), diagnostics);
  state_.lists.bonded = state_.bonds.pairs();
  loadContacts(diagnostics);
  state_.ofFile = conf.interactions;
  state_.order.renumberForRun(state_.ofFile);
  setRestLengths(conf.joints, state_.bodies);
  for (BoundaryTouch& t : conf.boundaryTouches) t.body = state_.order.body(t.body);
  state_.walls = field_.makeWalls(world(), conf.boundaryTouches);
  if (!model_.complete) evaluateStart();
  startEnergy();
  // From here on the state is in `state_` alone.
  conf.interactions = {};
  conf.interfaces = {};
  conf.idle = {};
  conf.boundaryTouches = {};
  conf.earlierMotion = {};
  conf.energy.reset();
  conf.summedClock.reset();
  conf.runState.reset();
  conf.bondedArea.reset();
  conf.order = {};
}

void Engine::restore(const State& state) {
  state_ = state;
  poses_ = initialPoses(model_, state_.bodies);
  place();
  field_.setParameters(state_.parameters);
  drives_.set(world(), time());
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
                    update.dt, drives_.motion(), model_.integrator == Integrator::velocityVerlet);
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
  for (const Tempo& tempo : model_.conf.tempos) {
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
      case Tempo::What::density:
        if (now.densityOf(g1) == value) break;
        now.setDensity(g1, value);
        densityChanged(g1);
        break;
    }
  }
}

Conf Engine::conf() const { return confFrom(model_, state_, world(), field_.kernel()); }
std::vector<InteractionRecord> Engine::interactions() const {
  return interactionsOf(state_, world(), field_.kernel());
}
std::vector<BoundaryTouch> Engine::boundaryTouches() const {
  return wallTouches(world(), state_.walls);
}

void Engine::setDrives(Drives drives) {
  DriveSystem::check(world(), model_.conf.shapeNames, drives);
  refuse(drives);
  const double before = state_.cell.energy();  // of the components that follow a stress
  state_.cell.loading = drives.cell;
  drives_.replace(world(), std::move(drives), state_.bodies);
  state_.energy.ledger.cell += state_.cell.energy() - before;
}

void Engine::takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const {
  drives_.takeOffImposed(force, moment);
}

bool Engine::hasBelts() const { return drives_.hasBelts(state_.bodies); }

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
// A step in the manner of Rockable, for `--compat rockable` alone: its clock and counters and
// its start; integrators_as_rockable.cpp has the motion. docs/compatibility.md says what departs
// from right physics here.
#include "engine.hpp"
#include "state/contact_records.hpp"
#include "step/drives_as_rockable.hpp"

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {

void Engine::setClockAsRockable() {
  CompatState& state = conf_.compatState.emplace();
  conf_.idle.clear();
  // There, the restitution coefficient is taken where its square is meant (Q20).
  for (const PairValue& v : conf_.en2FromRate)
    if (conf_.lawParameter("en2Contact", v.group1, v.group2) == v.value)
      conf_.setLawParameter("en2Contact", v.group1, v.group2, std::sqrt(v.value));
  conf_.en2FromRate.clear();
  state.t = conf_.t;
  state.dt = conf_.dt;
  step_ = static_cast<std::uint64_t>(std::clamp(std::trunc(conf_.t / conf_.dt), 0.0, 1e18));
}

void Engine::startAsRockable() {
  // Forces of the contacts that the file lists: history grows by a step, and no drive acts yet.
  Drives later;
  std::optional<CellLoading> loading;
  drives_.swap(later);
  std::swap(loading, cell_.loading);
  evaluateAsRockable(conf_.dt);
  if (images()) integrators_.cellAsRockable.finish(world(), 0.0, cell_, bodies_, energy_.ledger);
  drives_.swap(later);
  std::swap(loading, cell_.loading);
}

void Engine::stepAsRockable() {
  CompatState& state = *conf_.compatState;
  times_.beginStep(step_);
  if (state.listsDue) updateListsAsRockable();
  ++step_;
  const double dt = conf_.dt, before = time();
  state.t += dt;
  state.sinceConf += dt;
  state.sinceLists += dt;
  drives_.set(world(), before);
  if (images()) {
    CellAsRockable& cell = integrators_.cellAsRockable;
    integrators_.motionAsRockable.begin(world(), drives_, bodies_);
    cell.drift(world(), cell_, bodies_, energy_.ledger);
    checkFinite();
    cell_.wrap(world(), bodies_, lists_.contacts, energy_.ledger);
    evaluateAsRockable(dt);
    cell.finish(world(), dt, cell_, bodies_, energy_.ledger);
    cell.account(world(), cell_, energy_.ledger);
  } else {
    integrators_.motionAsRockable.step(
        integrator_, world(), drives_, bodies_,
        {[&](bool counted) { evaluateAsRockable(dt, counted); }, [&] { checkFinite(); }});
    // Forces stay those of the fourth stage; a file has normals and points of the end.
    if (integrator_ == Integrator::RungeKutta4) place();
  }

  confIsDue_ = state.sinceConf >= conf_.interConf - 0.5 * dt;
  if (confIsDue_) state.sinceConf = 0.0;
  // Made before the next step, for where the bodies stand now. A request leaves the period as it
  // runs.
  if (state.listsRequested) {
    state.listsRequested = false;
    state.listsDue = true;
  } else if (state.sinceLists >= conf_.interVerlet - 0.5 * dt) {
    state.sinceLists = 0.0;
    state.listsDue = true;
  }
  applyTempo();
  if (conf_.dynamicUpdateNL != 0) requestListsByMotion();
  times_.end(StageTimes::finish);
}

void Engine::relistAsRockable(const std::vector<InteractionRecord>& added) {
  std::vector<InteractionRecord> listed = listedContacts(lists_.contacts);
  listed.insert(listed.end(), added.begin(), added.end());
  ReferenceList::adopt(std::move(listed), bodies_, field_.pairSetup(bodies_), lists_.contacts);
  if (images()) CellAsRockable::findImages(world(), lists_.contacts);
  conf_.compatState->listsRequested = true;
}

void Engine::requestListsByMotion() {
  std::vector<CompatState::Moved>& moved = conf_.compatState->moved;
  if (moved.size() != bodies_.size()) moved.assign(bodies_.size(), {});
  // The angle there is 2 acos of the scalar part, which is none above 1: that asks for nothing
  // (Q22). The same by cosines, which are the same on every machine.
  const double mostAngle = conf_.angleUpdateNL ? *conf_.angleUpdateNL * (pi / 180.0) : 1.0;
  const double least = cosOfTurns(0.25 * mostAngle / pi);
  bool far = false;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    CompatState::Moved& m = moved[k];
    m.way += conf_.dt * bodies_.vel[k];
    m.turn =
        asRockable::advanced(m.turn, conf_.dt, asRockable::rate(bodies_.q[k], bodies_.spin[k]));
    far = far || m.way.norm() >= conf_.dispUpdateNL || (m.turn.w() <= least && m.turn.w() >= -1.0);
  }
  if (!far) return;
  conf_.compatState->listsRequested = true;
  moved.assign(bodies_.size(), {});
}

void Engine::updateListsAsRockable() {
  place();
  referenceList_->update(bodies_, placed_, conf_.DVerlet, conf_.dVerlet,
                         conf_.interVerlet / conf_.dt + 1.0, lists_.bonded, images(), threads_,
                         field_.pairSetup(bodies_), lists_.contacts);
  if (images()) CellAsRockable::findImages(world(), lists_.contacts);
  conf_.compatState->listsDue = false;
  ++lists_.bodyUpdates;
  times_.end(StageTimes::detect);
}

void Engine::evaluateAsRockable(double dt, bool counted) {
  place();
  if (images()) CellAsRockable::findImages(world(), lists_.contacts);
  times_.end(StageTimes::move);
  Growth growth{dt, nullptr, true};
  growth.counted = counted;
  evaluateForces(growth);
  times_.end(StageTimes::contacts);
  const std::uint32_t driven = bodies_.driven;
  for (std::size_t k = 0; k < driven; ++k) {
    bodies_.acc[k].setZero();
    bodies_.spinAcc[k].setZero();
  }
  asRockable::accelerateDriven(drives_.drives(), model_.restraint, bodies_);
  parallelFor(
      threads_, bodies_.size() - driven,
      [&](std::size_t m) {
        const std::size_t k = driven + m;
        const Vec3 &vel = bodies_.vel[k], &spin = bodies_.spin[k];
        Pull pull{bodies_.force[k] / bodies_.mass[k], bodies_.moment[k]};
        if (model_.restraint.damping > 0.0)
          pull = asRockable::damped(pull, model_.restraint.damping, vel, spin);
        pull.acc += conf_.gravity;  // which damping does not see (Q8)
        if (model_.restraint.acts())
          pull =
              behindBarriers(pull, model_.restraint, vel, bodies_.q[k], spin, bodies_.inertia[k]);
        bodies_.acc[k] = pull.acc;
        bodies_.spinAcc[k] =
            angularAcceleration(bodies_.q[k], spin, pull.moment, bodies_.inertia[k]);
      },
      bodyGrain);
  if (images())
    integrators_.cellAsRockable.setVirial(
        cell_.virial(world(), lists_.contacts, field_.sums(), bonds_.virial()));
  if (bonds_.breaking()) breakInterfaces();
}

}  // namespace scree::sim

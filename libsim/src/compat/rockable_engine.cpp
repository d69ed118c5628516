// SPDX-License-Identifier: GPL-3.0-or-later
// docs/compatibility.md lists what departs from correct physics here.
#include "compat/rockable_engine.hpp"

#include "compat/rigid_motion_as_rockable.hpp"
#include "engine/state.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace scree::sim {

RockableEngine::RockableEngine(Model model, Conf file, Drives drives, Diagnostics& diagnostics)
    : Engine(std::move(model)), referenceList_(model_.shapes, model_.geometries), periods_(file) {
  asRockable::refuse(file, model_.shapes);
  asRockable::chooseLaw(file, diagnostics);
  load(std::move(file), std::move(drives), diagnostics);
}

RockableEngine::Periods::Periods(const Conf& file)
    : conf(file.interConf),
      lists(file.interVerlet),
      bodyMargin(file.DVerlet),
      pairMargin(file.dVerlet),
      byMotion(file.dynamicUpdateNL != 0),
      mostWay(file.dispUpdateNL),
      mostAngle(file.angleUpdateNL ? *file.angleUpdateNL * (pi / 180.0) : 1.0) {}

void RockableEngine::startClock(Conf& conf) {
  SummedClock& state = state_.summedClock.emplace();
  if (conf.saved) conf.saved->idle.clear();
  // Rockable takes the restitution coefficient where its square is meant (Q20).
  for (const PairValue& v : conf.en2FromRate)
    if (conf.lawParameter("en2Contact", v.group1, v.group2) == v.value)
      conf.setLawParameter("en2Contact", v.group1, v.group2, std::sqrt(v.value));
  conf.en2FromRate.clear();
  state.t = conf.t;
  state.dt = conf.dt;
  state_.clock.step =
      static_cast<std::uint64_t>(std::clamp(std::trunc(conf.t / conf.dt), 0.0, 1e18));
}

void RockableEngine::place() {
  Engine::place();
  if (model_.integrator != Integrator::RungeKutta4) return;
  // RungeKutta4 does not normalise orientations; contacts use normalised ones.
  parallelFor(
      model_.threads, state_.bodies.size(),
      [&](std::size_t k) {
        poses_[k].turn =
            state_.bodies.homothety[k] * rotationMatrix(asRockable::normalised(state_.bodies.q[k]));
      },
      bodyGrain);
}

void RockableEngine::loadContacts(const Conf& file, Diagnostics&) {
  std::vector<InteractionRecord> listed = checkedInteractions(file, world());
  // A file lists bonds among its interactions. Others between bonded bodies are contacts.
  std::vector<ContactKey> glued;
  for (const Interface& face : state_.bonds.bonds().interfaces)
    state_.bonds.bonds().forEachOf(face, [&](const Bond& b) {
      glued.push_back({face.i, face.j, b.pairing, b.iSub, b.jSub});
    });
  std::sort(glued.begin(), glued.end());
  std::erase_if(listed, [&](const InteractionRecord& r) {
    return std::binary_search(glued.begin(), glued.end(), r.key);
  });
  for (const InteractionRecord& r : file.state().idle)
    listed.push_back(checkedContact(world(), r, [&](const std::string& message) {
      return file.errorAt("", "#scree idle: " + message);
    }));
  ReferenceList::adopt(std::move(listed), state_.bodies, pairSetup(), state_.lists.contacts);
}

void RockableEngine::evaluateStart() {
  // Forces of the contacts that the file lists: history grows by a step, and no drive acts yet.
  Drives later;
  state_.drives.swap(later);
  evaluate(model_.dt);
  state_.drives.swap(later);
}

void RockableEngine::advance(bool, const StepWatch& watch) {
  step();
  tooFar_ = state_.bodies.movedFurther(watch.moves, 0,
                                       std::min(state_.bodies.size(), watch.moves.size()));
}

void RockableEngine::step() {
  SummedClock& state = *state_.summedClock;
  times_.beginStep(state_.clock.step);
  if (state.listsDue) updateLists();
  ++state_.clock.step;
  const double dt = model_.dt, before = time();
  state.t += dt;
  state.sinceConf += dt;
  state.sinceLists += dt;
  state_.drives.set(world(), before);
  motion_.step(model_.integrator, world(), state_.drives, state_.bodies, state_.earlier,
               {[&](bool counted) { evaluate(dt, counted); }, [&] { checkFinite(); }});
  // Forces stay those of the fourth stage; files have normals and contact points of the end.
  if (model_.integrator == Integrator::RungeKutta4) place();

  confIsDue_ = state.sinceConf >= periods_.conf - 0.5 * dt;
  if (confIsDue_) state.sinceConf = 0.0;
  // Lists are made before the next step, for present positions. That restarts no period.
  if (state.listsRequested) {
    state.listsRequested = false;
    state.listsDue = true;
  } else if (state.sinceLists >= periods_.lists - 0.5 * dt) {
    state.sinceLists = 0.0;
    state.listsDue = true;
  }
  applyTempo();
  if (periods_.byMotion) requestLists();
  times_.end(StageTimes::finish);
}

void RockableEngine::admit(const BrokenInterfaces& broken) {
  std::vector<InteractionRecord> listed = listedContacts(state_.lists.contacts);
  listed.insert(listed.end(), broken.contacts.begin(), broken.contacts.end());
  ReferenceList::adopt(std::move(listed), state_.bodies, pairSetup(), state_.lists.contacts);
  state_.summedClock->listsRequested = true;
}

void RockableEngine::requestLists() {
  std::vector<SummedClock::Moved>& moved = state_.summedClock->moved;
  if (moved.size() != state_.bodies.size()) moved.assign(state_.bodies.size(), {});
  // Rockable compares the angle 2 acos(w). It is NaN for |w| > 1, and then no lists are requested
  // (Q22). Cosines decide the same, with the same bits on every machine.
  const double least = cosOfTurns(0.25 * periods_.mostAngle / pi);
  bool far = false;
  for (std::size_t k = 0; k < moved.size(); ++k) {
    SummedClock::Moved& m = moved[k];
    m.way += model_.dt * state_.bodies.vel[k];
    m.turn = asRockable::advanced(m.turn, model_.dt,
                                  asRockable::rate(state_.bodies.q[k], state_.bodies.spin[k]));
    far = far || m.way.norm() >= periods_.mostWay || (m.turn.w() <= least && m.turn.w() >= -1.0);
  }
  if (!far) return;
  state_.summedClock->listsRequested = true;
  moved.assign(state_.bodies.size(), {});
}

void RockableEngine::updateLists() {
  place();
  referenceList_.update(state_.bodies, poses_, periods_.bodyMargin, periods_.pairMargin,
                        periods_.lists / model_.dt + 1.0, state_.lists.bonded, model_.threads,
                        pairSetup(), state_.lists.contacts);
  state_.summedClock->listsDue = false;
  ++state_.lists.bodyUpdates;
  times_.end(StageTimes::detect);
}

void RockableEngine::evaluate(double dt, bool counted) {
  place();
  times_.end(StageTimes::move);
  HistoryUpdate update{dt, nullptr, true};
  update.counted = counted;
  const auto impose = [this](Bodies& bodies) {
    asRockable::setImposedForces(state_.drives.drives(), bodies);
  };
  evaluateForces(world(), update, {impose});
  times_.end(StageTimes::contacts);
  const std::uint32_t driven = state_.bodies.driven;
  for (std::size_t k = 0; k < driven; ++k) {
    state_.bodies.acc[k].setZero();
    state_.bodies.spinAcc[k].setZero();
  }
  asRockable::accelerateDriven(state_.drives.drives(), state_.restraint, state_.bodies);
  parallelFor(
      model_.threads, state_.bodies.size() - driven,
      [&](std::size_t m) {
        const std::size_t k = driven + m;
        const Vec3 &vel = state_.bodies.vel[k], &spin = state_.bodies.spin[k];
        BodyLoad load{state_.bodies.force[k] / state_.bodies.mass[k], state_.bodies.moment[k]};
        if (state_.restraint.damping > 0.0)
          load = asRockable::damped(load, state_.restraint.damping, vel, spin);
        load.acc += model_.gravity;  // not damped (Q8)
        if (state_.restraint.acts())
          load = behindBarriers(load, state_.restraint, vel, state_.bodies.q[k], spin,
                                state_.bodies.inertia[k]);
        state_.bodies.acc[k] = load.acc;
        state_.bodies.spinAcc[k] =
            angularAcceleration(state_.bodies.q[k], spin, load.moment, state_.bodies.inertia[k]);
      },
      bodyGrain);
  if (state_.bonds.breaking()) breakInterfaces();
}

}  // namespace scree::sim

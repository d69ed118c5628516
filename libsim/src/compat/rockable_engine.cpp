// SPDX-License-Identifier: GPL-3.0-or-later
// docs/compatibility.md lists what departs from correct physics here.
#include "compat/rockable_engine.hpp"

#include "engine/state.hpp"
#include "model/thread_shares.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::sim {

Rules RockableEngine::ownRules() {
  Rules r;
  r.byList = true;
  r.summedClock = true;
  r.orderOfFile = true;
  r.anyRestitution = true;
  r.drag = Drag::components;
  r.bonds = {.turningSprings = false,
             .innerGaps = false,
             .energyOfTables = true,
             .viscosityOfBonds = false,
             .completed = false,
             .looseStayListed = true};
  r.drives = {.allServos = false,
              .meanMotion = false,
              .addsUp = false,
              .releases = false,
              .phaseFromStart = false};
  return r;
}

namespace {

/// @throws ParseError for what Rockable lacks (boundaries that move, clumps with a radius for each
/// ball), and for a periodic cell, since there is no published run of Rockable to compare with
void refuse(const Conf& conf, std::span<const shape::Shape> shapes) {
  for (const Boundary& boundary : conf.boundaries)
    if (boundary.moves())
      throw conf.errorAt("",
                         "#scree boundaryMotion: boundaries that move or turn are unknown to "
                         "Rockable; run without --compat rockable");
  for (std::size_t k = 0; k < conf.particles.size(); ++k)
    if (const shape::Shape& s = shapes[conf.particles[k].shapeName]; !s.radii.empty())
      throw conf.errorAtParticle(
          k, fmt::format("body {}: shape '{}' has a radius for each ball (radii), which Rockable "
                         "does not know; run it without --compat rockable",
                         k, s.name));
  if (conf.cell.used)
    throw conf.errorAt("usePeriodicCell",
                       "usePeriodicCell: no state of a run of Rockable in a periodic cell is "
                       "published; run without --compat rockable");
}

/// Sets the law that Rockable uses if a file names none. @throws ParseError for a law it lacks
void chooseLaw(Conf& conf, Diagnostics& diagnostics) {
  if (conf.forceLaw.empty() || conf.forceLaw == "Avalanches") {
    diagnostics.warn(conf.errorAt(
        conf.forceLaw.empty() ? "" : "forceLaw",
        fmt::format("{}: Default is used, as in Rockable",
                    conf.forceLaw.empty() ? "no forceLaw is given" : "forceLaw Avalanches")));
    conf.forceLaw = "Default";
  }
  for (const LawInfo& law : allLaws())
    if (law.name == conf.forceLaw && !law.inRockable)
      throw conf.errorAt("forceLaw",
                         fmt::format("forceLaw {}: Rockable has no such law; run it without "
                                     "--compat, or choose another law",
                                     law.name));
}

// Driven bodies as Rockable moves them. Controls act one by one, in the order of the file. One of
// rotation turns its body, but contacts see no spin (Q10).

void turn(Bodies& bodies, BodyId k, const Vec3& spin, double dt) {
  bodies.q[k] = asRockable::normalised(
      asRockable::advanced(bodies.q[k], dt, asRockable::rate(bodies.q[k], spin)));
}

/// Imposed velocities and spins, over one step.
void moveImposed(const Drives& drives, Bodies& bodies, double dt) {
  for (const Control& c : drives.controls) {
    if (c.what == Imposed::velocity) {
      bodies.vel[c.body][c.axis] = c.value[c.axis];
      bodies.pos[c.body][c.axis] += dt * c.value[c.axis];
    } else if (c.what == Imposed::spin) {
      turn(bodies, c.body, c.value, dt);
    }
  }
}

/// Moves components under an imposed force or moment. Positions change by `dt` [T] times velocity
/// and, under a force, `bend` [T²] times acceleration; velocities by `kick` [T] times acceleration.
void advanceDriven(const Drives& drives, Bodies& bodies, double dt, double bend, double kick) {
  for (const Control& c : drives.controls) {
    const BodyId k = c.body;
    const int x = c.axis;
    if (c.what == Imposed::force) {
      bodies.pos[k][x] += dt * bodies.vel[k][x] + bend * bodies.acc[k][x];
      bodies.vel[k][x] += kick * bodies.acc[k][x];
    } else if (c.what == Imposed::moment) {
      const Vec3& spin = bodies.spin[k];
      if (dt > 0.0) turn(bodies, k, x == 3 ? spin : Vec3(spin[x] * Vec3::Unit(x)), dt);
      if (x == 3)
        bodies.spin[k] += kick * bodies.spinAcc[k];
      else
        bodies.spin[k][x] += kick * bodies.spinAcc[k][x];
    }
  }
}

/// Replaces sums of forces and moments by the imposed ones, of several by the last.
void setImposedForces(const Drives& drives, Bodies& bodies) {
  for (const Control& c : drives.controls) {
    if (c.what != Imposed::force && c.what != Imposed::moment) continue;
    Vec3& sum = c.what == Imposed::force ? bodies.force[c.body] : bodies.moment[c.body];
    if (c.axis == 3)
      sum = c.value;
    else
      sum[c.axis] = c.value[c.axis];
  }
}

/// Accelerations of force- and moment-controlled components; gravity does not act on them. Damping
/// acts on forces alone, by component; velocity barriers act on forces and moments.
void accelerateDriven(const Drives& drives, const Restraint& restraint, Bodies& bodies) {
  for (const Control& c : drives.controls) {
    const BodyId k = c.body;
    const int x = c.axis;
    if (c.what == Imposed::force) {
      const double force = bodies.force[k][x], vel = bodies.vel[k][x];
      double acc = force / bodies.mass[k];
      if (restraint.damping > 0.0) acc *= asRockable::dampingFactor(restraint.damping, force * vel);
      if (restraint.barrier > 0.0) acc *= barrierFactor(vel, restraint.barrier, restraint.exponent);
      bodies.acc[k][x] = acc;
    } else if (c.what == Imposed::moment) {
      const Vec3 spin = x == 3 ? bodies.spin[k] : Vec3(bodies.spin[k][x] * Vec3::Unit(x));
      Vec3 acc = angularAcceleration(bodies.q[k], spin, bodies.moment[k], bodies.inertia[k]);
      if (restraint.angularBarrier > 0.0)
        acc = barrierFactors(bodies.spin[k], restraint.angularBarrier, restraint.angularExponent)
                  .cwiseProduct(acc);
      if (x == 3)
        bodies.spinAcc[k] = acc;
      else
        bodies.spinAcc[k][x] = acc[x];
    }
  }
}

}  // namespace

void MotionAsRockable::step(Integrator integrator, const World& world, DriveSystem& drives,
                            Bodies& bodies, std::vector<EarlierMotion>& earlier,
                            const Calls& calls) {
  const double dt = world.model.dt;
  // Calls move(k, state, what of it moves) for the bodies from `first` on.
  const auto moveFrom = [&](std::size_t first, auto&& move) {
    parallelFor(
        world.model.threads, bodies.size() - first,
        [&](std::size_t m) {
          const std::size_t k = first + m;
          RigidState s = stateOf(bodies, k);
          asRockable::Moved moved;
          if (k < bodies.driven) moved = {drives.degreesOfFreedom(k).pushed, false};
          move(k, s, moved);
          setMotion(bodies, k, s);
        },
        bodyGrain);
  };
  const auto moveFree = [&](void (*move)(RigidState&, double)) {
    moveFrom(bodies.driven, [&](std::size_t, RigidState& s, auto&) { move(s, dt); });
  };
  // Adds the moves of all bodies in this step to their accumulated displacements.
  const auto account = [&] {
    parallelFor(
        world.model.threads, bodies.size(),
        [&](std::size_t k) {
          accountMotion(bodies, k, startPos_[k], startQ_[k], nullptr, world.bodies.radius[k]);
        },
        bodyGrain);
    calls.moved();
  };

  startPos_ = bodies.pos;
  startQ_ = bodies.q;
  drives.remember(bodies);
  moveImposed(drives.drives(), bodies, dt);
  switch (integrator) {
    case Integrator::velocityVerlet:
      advanceDriven(drives.drives(), bodies, dt, 0.5 * dt * dt, 0.5 * dt);
      moveFree(asRockable::drift);
      account();
      calls.evaluate(true);
      advanceDriven(drives.drives(), bodies, 0.0, 0.0, 0.5 * dt);
      moveFree(asRockable::kick);
      return;
    case Integrator::Euler:
      advanceDriven(drives.drives(), bodies, dt, 0.0, dt);
      moveFree(asRockable::stepEuler);
      account();
      calls.evaluate(true);
      return;
    case Integrator::Beeman:
      earlier.resize(bodies.size());  // as if at rest before the first step
      stageStart_.resize(bodies.size());
      calls.evaluate(false);
      moveFrom(0, [&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
        stageStart_[k] = s;
        asRockable::predictBeeman(s, earlier[k], moved, dt);
      });
      account();
      calls.evaluate(true);
      moveFrom(0, [&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
        asRockable::correctBeeman(stageStart_[k], earlier[k], s, moved, dt);
        earlier[k] = {stageStart_[k].acc, stageStart_[k].spinAcc, Vec3::Zero()};
      });
      return;
    case Integrator::RungeKutta4:
      rungeKutta_.resize(bodies.size());
      for (int stage = 1; stage <= 4; ++stage) {
        calls.evaluate(stage == 4);
        moveFrom(0, [&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
          rungeKutta_[k].next(stage, s, moved, dt);
        });
      }
      account();
      return;
  }
}

RockableEngine::RockableEngine(Model model, Conf file, Drives drives, Diagnostics& diagnostics)
    : Engine(std::move(model)), referenceList_(model_.shapes, model_.geometries), periods_(file) {
  refuse(file, model_.shapes);
  chooseLaw(file, diagnostics);
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
  std::vector<InteractionRecord> listed;
  for (std::size_t m = 0; m < file.interactions.size(); ++m)
    listed.push_back(interactionInRun(file, m, world()));
  // A file lists bonds among its interactions. Others between bonded bodies are contacts.
  std::vector<ContactKey> glued;
  for (const Interface& face : state_.bonds.bonds().interfaces)
    state_.bonds.bonds().forEachOf(face, [&](const Bond& b) {
      glued.push_back({face.i, face.j, b.pairing, b.iSub, b.jSub});
    });
  std::ranges::sort(glued);
  std::erase_if(
      listed, [&](const InteractionRecord& r) { return std::ranges::binary_search(glued, r.key); });
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
  const auto impose = [this](Bodies& bodies) { setImposedForces(state_.drives.drives(), bodies); };
  evaluateForces(world(), update, {impose});
  times_.end(StageTimes::contacts);
  const std::uint32_t driven = state_.bodies.driven;
  for (std::size_t k = 0; k < driven; ++k) {
    state_.bodies.acc[k].setZero();
    state_.bodies.spinAcc[k].setZero();
  }
  accelerateDriven(state_.drives.drives(), state_.restraint, state_.bodies);
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

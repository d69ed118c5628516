// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/simulation.hpp"

#include "../bonds/bond_system.hpp"
#include "../cell/cell_motion.hpp"
#include "../drives/drive_system.hpp"
#include "../energy/energy_account.hpp"
#include "../forces/force_field.hpp"
#include "../motion/account_motion.hpp"
#include "../state/world.hpp"
#include "integrators.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/commands/commands.hpp"
#include "scree/sim/step/drives_as_rockable.hpp"
#include "scree/sim/step/rigid_motion.hpp"
#include "scree/sim/step/rigid_motion_as_rockable.hpp"
#include "scree/sim/step/rigid_motion_lanes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

namespace scree::sim {
namespace {

/// lanes(k) for bodies k, k+1, k+2, k+3 at once, one(k) for those that are left over at the end.
template <class Lanes, class One>
void forLanes(std::size_t begin, std::size_t end, Lanes&& lanes, One&& one) {
  std::size_t k = begin;
  for (; k + laneCount <= end; k += laneCount) lanes(k);
  for (; k < end; ++k) one(k);
}

RigidLanes lanesAt(const Bodies& b, std::size_t k) {
  return {gather(&b.pos[k]), gather(&b.vel[k]),  gather(&b.acc[k]),
          gather(&b.q[k]),   gather(&b.spin[k]), gather(&b.spinAcc[k])};
}

}  // namespace

const Images* Simulation::images() const { return cell_->imagesOrNull(); }

World Simulation::world() const {
  return {conf_,      order_,   bodies_, placed_, radius_,  dragArea_,
          restraint_, images(), time(),  step_,   threads_, compat_};
}

Simulation::Simulation(Conf conf, std::vector<shape::Shape> shapes, Drives drives,
                       const SimulationOptions& options, Diagnostics& diagnostics)
    : conf_(std::move(conf)),
      shapes_(std::move(shapes)),
      drives_(std::make_unique<DriveSystem>(std::move(drives))),
      threads_(std::max(options.threads, 1)),
      compat_(options.compat || conf_.compatState),
      lists_(setUpRowOf, this),
      cell_(std::make_unique<CellMotion>()),
      bonds_(std::make_unique<BondSystem>()),
      field_(std::make_unique<ForceField>()),
      energy_(std::make_unique<EnergyAccount>()),
      integrators_(std::make_unique<Integrators>()) {
  runCommands(conf_, shapes_, diagnostics);
  refuseWhatIsMissing();
  t0_ = conf_.t;
  // A file of our own, at full precision, is a state to the bit; but only while its clock still
  // tells the time, that is, while nobody has changed t or dt.
  bool complete = false;
  if (conf_.runState && conf_.precision < 0) {
    const auto& compat = conf_.compatState;
    complete =
        compat_
            ? compat && compat->t == conf_.t && compat->dt == conf_.dt
            : conf_.runState->t0 + static_cast<double>(conf_.runState->step) * conf_.dt == conf_.t;
    if (complete) {
      t0_ = conf_.runState->t0;
      step_ = conf_.runState->step;
    }
  }
  integrator_ = integratorNamed(conf_.integrator);
  orderBodies(complete, diagnostics);
  if (compat_ && !complete) setClockAsRockable();
  makeBodies(complete, diagnostics);
  if (complete && integrator_ == Integrator::Beeman && conf_.earlierMotion.size() == bodies_.size())
    integrators_->earlier(compat_) = conf_.earlierMotion;
  conf_.forceLaw = field_->makeLaw(world(), diagnostics);
  *cell_ = CellMotion(conf_.cell);
  cell_->loading = drives_->drives().cell;
  cell_->start(world());
  if (compat_ && images())
    diagnostics.note(
        "usePeriodicCell with --compat rockable: the cell moves as that program is described to "
        "do (docs/compatibility.md); no state of one of its runs was there to compare with");
  DriveSystem::check(world(), conf_.shapeNames, drives_->drives());
  drives_->start(world());
  // A course in time holds from the first step on; there, from the second.
  if (!compat_) applyTempo();
  place();
  bonds_->make(world(), std::move(conf_.interfaces), diagnostics);
  lists_.bonded = bonds_->pairs();
  if (!compat_) lists_.update(bodies_, placed_, threads_, images());
  loadContacts(diagnostics);
  if (compat_ && images()) CellAsRockable::findImages(world(), lists_.contacts);
  setRestLengths(conf_.joints, bodies_);
  field_->makeWalls(world(), std::move(conf_.boundaryTouches));
  if (compat_ && !complete) {
    startAsRockable();
  } else if (!complete) {
    evaluateForces(0.0);  // accelerations of the start, without letting history grow
    setAccelerations();
    if (images())
      cell_->finish(world(), lists_.contacts, field_->sums(), bonds_->virial(), 0.0, bodies_,
                    energy_->ledger);
  }
  startEnergy(complete);
}

Simulation::~Simulation() = default;

std::vector<BoundaryTouch> Simulation::boundaryTouches() const {
  return field_->wallTouches(world());
}
std::uint64_t Simulation::pairSearches() const {
  return lists_.pairSearches + field_->sums().searchCount();
}
const ContactKernel& Simulation::contactKernel() const { return field_->kernel(); }
const Bonds& Simulation::bonds() const { return bonds_->bonds(); }
const Mat3& Simulation::cellStress() const { return cell_->stress; }
const PeriodicCell& Simulation::cell() const { return cell_->cell; }

void Simulation::setUpRowOf(const void* self, PairRow& row) {
  const auto& s = *static_cast<const Simulation*>(self);
  s.field_->setUp(s.bodies_, row);
}

std::uint64_t Simulation::steps(std::uint64_t most, const StepWatch& watch) {
  std::uint64_t made = 0;
  for (bool last = most == 0; !last; ++made) {
    last = made + 1 >= most || (watch.stop && watch.stop->load(std::memory_order_relaxed));
    const std::uint64_t orders = reorderings_;
    advance(!last, watch);
    if (reorderings_ != orders && !watch.moves.empty())
      last = true;  // they are of other bodies now
    // Where bodies are ahead already, these are moves of the step to come, which then goes alone.
    if (moves_.tooFar && !moves_.made) last = true;
  }
  return made;
}

void Simulation::advance(bool more, const StepWatch& watch) {
  if (compat_) {
    stepAsRockable();
    moves_.tooFar = false;
    watchMoves(0, bodies_.size(), watch.moves);
    return;
  }
  times_.beginStep(step_);
  const double before = time();
  ++step_;
  drives_->set(world(), before);
  const auto evaluate = [this](const Growth& growth) { evaluateAll(growth); };
  switch (integrator_) {
    case Integrator::velocityVerlet:
      stepVelocityVerlet(more, watch);
      break;
    case Integrator::Euler:
      integrators_->euler.step(world(), *drives_, bodies_, evaluate);
      break;
    case Integrator::Beeman:
      integrators_->beeman.step(world(), *drives_, bodies_, evaluate);
      break;
    case Integrator::RungeKutta4:
      integrators_->rungeKutta4.step(world(), *drives_, bodies_, evaluate);
      break;
  }
  if (integrator_ != Integrator::velocityVerlet) {
    moves_.tooFar = false;
    watchMoves(0, bodies_.size(), watch.moves);
  }
  if (bonds_->breaking()) breakInterfaces();
  applyTempo();
  times_.end(StageTimes::finish);
  if (step_ % orderPeriod == 0) {
    reorder();
    times_.end(StageTimes::detect);
  }
}

void Simulation::accountMotion(std::size_t k, const Vec3& pos, const Quat& q) {
  sim::accountMotion(bodies_, k, pos, q, cell_->used() ? cell_.get() : nullptr, radius_[k]);
}

void Simulation::moveDrivenBodies() {
  const std::uint32_t driven = bodies_.driven;
  drives_->remember(bodies_);
  drives_->move(bodies_, conf_.dt);
  for (std::size_t k = 0; k < driven; ++k)
    accountMotion(k, drives_->startPos(k), drives_->startQ(k));
}

template <bool ends, bool begins>
void Simulation::moveRange(std::size_t begin, std::size_t end) {
  const double dt = conf_.dt;
  const bool shared = begin >= field_->sums().shares.cuts()[1];
  forLanes(
      begin, end,
      [&](std::size_t k) {
        if (begins && shared && k + 2 * laneCount <= end)  // a lower thread may have read these
          prefetchToWrite(placed_.data() + k + laneCount, laneCount * sizeof(Placed));
        RigidLanes s = lanesAt(bodies_, k);
        const Lane3 inertia = gather(&bodies_.inertia[k]);
        if constexpr (ends) {
          std::array<Vec3, laneCount> acc, moment;
          for (std::size_t m = 0; m < laneCount; ++m) {
            const Pull pull = pullOn(k + m);
            acc[m] = pull.acc;
            moment[m] = pull.moment;
          }
          kick(s, inertia, gather(acc.data()), gather(moment.data()), dt);
        }
        if constexpr (begins) {
          kickAndDrift(s, inertia, dt);
          std::array<Vec3, laneCount> pos;
          std::array<Quat, laneCount> q;
          std::copy_n(&bodies_.pos[k], laneCount, pos.begin());
          std::copy_n(&bodies_.q[k], laneCount, q.begin());
          scatter(s.pos, &bodies_.pos[k]);
          scatter(s.vel, &bodies_.vel[k]);
          scatter(s.q, &bodies_.q[k]);
          scatter(s.spin, &bodies_.spin[k]);
          for (std::size_t m = 0; m < laneCount; ++m) {
            accountMotion(k + m, pos[m], q[m]);
            placeBody(k + m);
          }
          // Accelerations are made anew at the end of the step that begins.
        } else {
          scatter(s.vel, &bodies_.vel[k]);
          scatter(s.acc, &bodies_.acc[k]);
          scatter(s.spin, &bodies_.spin[k]);
          scatter(s.spinAcc, &bodies_.spinAcc[k]);
        }
      },
      [&](std::size_t k) {
        RigidState s = stateOf(bodies_, k);
        if constexpr (ends) {
          const Pull pull = pullOn(k);
          kick(s, bodies_.inertia[k], pull.acc, pull.moment, dt);
        }
        if constexpr (begins) kickAndDrift(s, bodies_.inertia[k], dt);
        const Vec3 pos = bodies_.pos[k];
        const Quat q = bodies_.q[k];
        setState(bodies_, k, s);
        if constexpr (begins) {
          accountMotion(k, pos, q);
          placeBody(k);
        }
      });
}

void Simulation::watchMoves(std::size_t begin, std::size_t end, std::span<const double> most) {
  if (bodies_.movedFurther(most, begin, std::min(end, most.size()))) moves_.tooFar = true;
}

bool Simulation::mayRunAhead() const {
  // Stages are measured as if each step were alone.
  return conf_.tempos.empty() && !images() && !times_.measures(step_ - 1) &&
         !times_.measures(step_) && step_ % orderPeriod != 0;
}

void Simulation::stepVelocityVerlet(bool more, const StepWatch& watch) {
  const double dt = conf_.dt;
  const std::uint32_t driven = bodies_.driven;
  if (images()) cell_->begin(world(), bodies_, energy_->ledger);
  moveDrivenBodies();
  if (!moves_.made) {
    moves_.expired = moves_.tooFar = false;
    field_->sums().shares.cover(driven, bodies_.size(), threads_);
    parallelRanges(field_->sums().shares.cuts(), [&](std::size_t begin, std::size_t end) {
      moveRange<false, true>(begin, end);
      if (lists_.pairsExpired(bodies_, begin, end)) moves_.expired = true;
      watchMoves(begin, end, watch.moves);
    });
  }
  moves_.made = false;
  for (std::size_t k = 0; k < driven; ++k)
    if (!isPlaced(k)) placeBody(k);  // else other threads keep what they have read
  if (lists_.pairsExpired(bodies_, 0, driven)) moves_.expired = true;
  watchMoves(0, driven, watch.moves);
  if (images()) {
    cell_->wrap(world(), bodies_, lists_.contacts, energy_->ledger);
    place();
  }
  updateLists(images() ? lists_.pairsExpired(bodies_) : moves_.expired.load());
  // While its forces are at hand, where nothing but contacts and gravity acts.
  const bool atOnce = !conf_.bodyForce && bonds_->empty() && !field_->hasWalls() &&
                      conf_.joints.empty() && !restraint_.acts();
  const bool ahead = more && atOnce && !moves_.tooFar && mayRunAhead();
  struct Afterwards {
    Simulation& simulation;
    std::span<const double> moves;
  } context{*this, watch.moves};
  RangeWork afterwards;
  if (atOnce) {
    afterwards.context = &context;
    afterwards.run = [](void* c, std::size_t begin, std::size_t end) {
      static_cast<Afterwards*>(c)->simulation.moveRange<true, false>(begin, end);
    };
    if (ahead) {
      // All lower threads, who alone read where these bodies stand, have done so.
      moves_.expired = false;
      afterwards.run = [](void* c, std::size_t begin, std::size_t end) {
        const auto& [simulation, moves] = *static_cast<Afterwards*>(c);
        simulation.moveRange<true, true>(begin, end);
        if (simulation.lists_.pairsExpired(simulation.bodies_, begin, end))
          simulation.moves_.expired = true;
        simulation.watchMoves(begin, end, moves);
      };
    }
  }
  evaluateForces(Growth{dt, nullptr, true}, afterwards);
  moves_.made = ahead;
  times_.end(StageTimes::contacts);
  if (!atOnce)
    parallelRanges(field_->sums().shares.cuts(),
                   [&](std::size_t begin, std::size_t end) { moveRange<true, false>(begin, end); });
  drives_->setVelocities(false, bodies_);
  drives_->finish(restraint_, bodies_, dt);
  if (images())
    cell_->finish(world(), lists_.contacts, field_->sums(), bonds_->virial(), dt, bodies_,
                  energy_->ledger);
}

void Simulation::evaluateAll(const Growth& growth) {
  place();
  updateLists(lists_.pairsExpired(bodies_));
  evaluateForces(growth);
  times_.end(StageTimes::contacts);
  setAccelerations();
}

void Simulation::updateLists(bool expired) {
  if (expired) checkFinite();  // a path that is no number is among those that have run out
  times_.end(StageTimes::move);
  if (expired) lists_.updatePairs(bodies_, placed_, threads_, images());
  times_.end(StageTimes::detect);
}

void Simulation::placeBody(std::size_t k) {
  Placed& p = placed_[k];
  p.pos = bodies_.pos[k];
  // A ball looks the same from all sides.
  if (!p.shape->ball) p.turn = bodies_.homothety[k] * rotationMatrix(bodies_.q[k]);
  p.vel = bodies_.vel[k];
  p.spin = bodies_.spin[k];
}

bool Simulation::isPlaced(std::size_t k) const {
  const Placed& p = placed_[k];
  return bodies_.lastMove[k] == 0.0 && p.pos == bodies_.pos[k] && p.vel == bodies_.vel[k] &&
         p.spin == bodies_.spin[k];
}

void Simulation::place() {
  const bool stretched = staysStretched();
  parallelFor(
      threads_, bodies_.size(),
      [&](std::size_t k) {
        placeBody(k);
        if (stretched)
          placed_[k].turn =
              bodies_.homothety[k] * rotationMatrix(asRockable::normalised(bodies_.q[k]));
      },
      bodyGrain);
}

void Simulation::evaluateForces(const Growth& growth, const RangeWork& afterwards) {
  conf_.interactions = {};  // they hold no longer, and have been taken over
  if (images()) cell_->velocityOfContacts = cell_->images.velocity;
  const ContactPower power =
      field_->evaluate(world(), growth, afterwards, *drives_, *bonds_, lists_, bodies_, times_);
  if (growth.keep && growth.counted && growth.dt > 0.0)
    energy_->add(world(), cell_->flow(), power, bonds_->bonds().energies.dissipated, growth.dt,
                 drives_->motion(), integrator_ == Integrator::velocityVerlet);
}

Pull Simulation::pullOn(std::size_t k) const {
  Pull pull{bodies_.force[k] / bodies_.mass[k] + conf_.gravity, bodies_.moment[k]};
  if (!restraint_.acts()) return pull;
  const Vec3 &vel = bodies_.vel[k], &spin = bodies_.spin[k];
  if (restraint_.damping > 0.0) pull = damped(pull, restraint_.damping, vel, spin);
  return behindBarriers(pull, restraint_, vel, bodies_.q[k], spin, bodies_.inertia[k]);
}

void Simulation::setAccelerations() {
  parallelFor(
      threads_, bodies_.size() - bodies_.driven,
      [&](std::size_t m) {
        const std::size_t k = bodies_.driven + m;
        const Pull pull = pullOn(k);
        bodies_.acc[k] = pull.acc;
        bodies_.spinAcc[k] =
            angularAcceleration(bodies_.q[k], bodies_.spin[k], pull.moment, bodies_.inertia[k]);
      },
      bodyGrain);
  drives_->finish(restraint_, bodies_, 0.0);
}

std::string Simulation::describeLargestForce(std::size_t body) const {
  const Contacts& contacts = lists_.contacts;
  double largest = -1.0;
  std::string text;
  for (const PairRow& row : contacts.rows) {
    if (row.a != body && row.b != body) continue;
    contacts.forEachTouching(row, [&](std::uint32_t, const Candidate& c, const ContactState& s) {
      const double force = (Vec3(s.fn, 0, 0) + s.ft).norm();
      const bool broken = !std::isfinite(force) || !std::isfinite(s.dn);
      if (largest == HUGE_VAL || !(force > largest || broken)) return;  // the first broken one
      largest = broken ? HUGE_VAL : force;
      InteractionRecord r;
      r.key = {c.swapped ? row.b : row.a, c.swapped ? row.a : row.b, c.pairing, c.iSub, c.jSub};
      order_.renumberForFile({&r, 1});
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

ModelError Simulation::notFinite(std::size_t k) const {
  return ModelError(fmt::format(
      "body {} ({}) has left all bounds at t = {} (step {}): its state is no longer a "
      "number{}. The time step may be too long for the stiffness, or bodies may overlap "
      "too much at the start",
      order_.number(k), conf_.shapeNameOf(conf_.particles[k]), time(), step_,
      describeLargestForce(k)));
}

void Simulation::checkFinite() const {
  // A velocity that is no number makes a path that is none in the next step.
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (!std::isfinite(bodies_.path[k])) throw notFinite(k);
}

void Simulation::requireFinite() const {
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (!std::isfinite(bodies_.path[k] + bodies_.vel[k].sum() + bodies_.spin[k].sum()))
      throw notFinite(k);
}

}  // namespace scree::sim

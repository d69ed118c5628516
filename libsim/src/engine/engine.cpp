// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine.hpp"

#include "motion/pull_on.hpp"
#include "state/placement.hpp"
#include "step/drives_as_rockable.hpp"
#include "step/rigid_motion.hpp"
#include "step/rigid_motion_as_rockable.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/commands/commands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace scree::sim {
const Images* Engine::images() const { return cell_.imagesOrNull(); }

World Engine::world() const {
  return {conf_,    order_, bodies_, placed_,  model_.radius, model_.dragArea, model_.restraint,
          images(), time(), step_,   threads_, compat_};
}

Engine::Engine(Conf conf, std::vector<shape::Shape> shapes, Drives drives,
               const SimulationOptions& options, Diagnostics& diagnostics)
    : conf_(std::move(conf)),
      drives_(std::move(drives)),
      threads_(std::max(options.threads, 1)),
      compat_(options.compat || conf_.compatState) {
  model_.shapes = std::move(shapes);
  runCommands(conf_, model_.shapes, diagnostics);
  refuseWhatIsMissing(conf_);
  if (compat_) refuseAsRockable(conf_, model_.shapes);
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
  order_ = startOrder(conf_, complete, mayOrder(), diagnostics);
  if (compat_ && !complete) setClockAsRockable();
  bodies_ = makeBodies(conf_, order_, complete && staysStretched(), model_, placed_, diagnostics);
  if (complete && integrator_ == Integrator::Beeman && conf_.earlierMotion.size() == bodies_.size())
    integrators_.earlier(compat_) = conf_.earlierMotion;
  conf_.forceLaw = field_.makeLaw(world(), diagnostics);
  cell_ = CellMotion(conf_.cell);
  cell_.loading = drives_.drives().cell;
  cell_.start(world());
  if (compat_ && images())
    diagnostics.note(
        "usePeriodicCell with --compat rockable: the cell moves as that program is described to "
        "do (docs/compatibility.md); no state of one of its runs was there to compare with");
  DriveSystem::check(world(), conf_.shapeNames, drives_.drives());
  drives_.start(world());
  // A course in time holds from the first step on; there, from the second.
  if (!compat_) applyTempo();
  place();
  bonds_.make(world(), std::move(conf_.interfaces), diagnostics);
  lists_.bonded = bonds_.pairs();
  if (!compat_) lists_.update(bodies_, placed_, threads_, images(), field_.pairSetup(bodies_));
  loadContacts(diagnostics);
  if (compat_ && images()) CellAsRockable::findImages(world(), lists_.contacts);
  setRestLengths(conf_.joints, bodies_);
  field_.makeWalls(world(), std::move(conf_.boundaryTouches));
  if (compat_ && !complete) {
    startAsRockable();
  } else if (!complete) {
    evaluateForces(0.0);  // accelerations of the start, without letting history grow
    setAccelerations();
    if (images())
      cell_.finish(world(), lists_.contacts, field_.sums(), bonds_.virial(), 0.0, bodies_,
                   energy_.ledger);
  }
  startEnergy(complete);
}

std::vector<BoundaryTouch> Engine::boundaryTouches() const { return field_.wallTouches(world()); }
std::uint64_t Engine::pairSearches() const {
  return lists_.pairSearches + field_.sums().searchCount();
}

std::uint64_t Engine::steps(std::uint64_t most, const StepWatch& watch) {
  std::uint64_t made = 0;
  for (bool last = most == 0; !last; ++made) {
    last = made + 1 >= most || (watch.stop && watch.stop->load(std::memory_order_relaxed));
    const std::uint64_t orders = reorderings_;
    advance(!last, watch);
    if (reorderings_ != orders && !watch.moves.empty())
      last = true;  // they are of other bodies now
    // Where bodies are ahead already, these are moves of the step to come, which then goes alone.
    if (integrators_.velocityVerlet.tooFar() && !integrators_.velocityVerlet.ahead()) last = true;
  }
  return made;
}

void Engine::advance(bool more, const StepWatch& watch) {
  if (compat_) {
    stepAsRockable();
    integrators_.velocityVerlet.watch(bodies_, watch.moves);
    return;
  }
  times_.beginStep(step_);
  const double before = time();
  ++step_;
  drives_.set(world(), before);
  field_.beginStep();
  const auto evaluate = [this](const Growth& growth) { evaluateAll(growth); };
  switch (integrator_) {
    case Integrator::velocityVerlet:
      stepVelocityVerlet(more, watch);
      break;
    case Integrator::Euler:
      integrators_.euler.step(world(), drives_, bodies_, evaluate);
      break;
    case Integrator::Beeman:
      integrators_.beeman.step(world(), drives_, bodies_, evaluate);
      break;
    case Integrator::RungeKutta4:
      integrators_.rungeKutta4.step(world(), drives_, bodies_, evaluate);
      break;
  }
  if (integrator_ != Integrator::velocityVerlet)
    integrators_.velocityVerlet.watch(bodies_, watch.moves);
  if (bonds_.breaking()) breakInterfaces();
  applyTempo();
  times_.end(StageTimes::finish);
  if (step_ % orderPeriod == 0) {
    reorder();
    times_.end(StageTimes::detect);
  }
}

void Engine::stepVelocityVerlet(bool more, const StepWatch& watch) {
  const World now = world();
  VelocityVerlet& verlet = integrators_.velocityVerlet;
  const VelocityVerlet::Scene scene{
      now,        bodies_, placed_, cell_.used() ? &cell_ : nullptr, lists_, field_.sums().shares,
      watch.moves};
  if (images()) cell_.begin(now, bodies_, energy_.ledger);
  verlet.begin(scene, drives_);
  if (images()) {
    cell_.wrap(now, bodies_, lists_.contacts, energy_.ledger);
    place();
  }
  updateLists(images() ? lists_.expired(bodies_) : verlet.expired());
  // Threads take their bodies on while forces are at hand, where nothing but contacts and gravity
  // acts. Stages are measured as if each step were alone.
  const bool atOnce = !conf_.bodyForce && bonds_.empty() && !field_.hasWalls() &&
                      conf_.joints.empty() && !model_.restraint.acts();
  const bool ahead = more && atOnce && !verlet.tooFar() && conf_.tempos.empty() && !images() &&
                     !times_.measures(step_ - 1) && !times_.measures(step_) &&
                     step_ % orderPeriod != 0;
  VelocityVerlet::AfterForces afterwards(verlet, scene, ahead);
  if (ahead) verlet.beginAhead();
  evaluateForces(Growth{conf_.dt, nullptr, true}, atOnce ? RangeWork(afterwards) : RangeWork());
  verlet.endForces(ahead);
  times_.end(StageTimes::contacts);
  if (!atOnce) verlet.finish(scene);
  drives_.setVelocities(false, bodies_);
  drives_.finish(model_.restraint, bodies_, conf_.dt);
  if (images())
    cell_.finish(now, lists_.contacts, field_.sums(), bonds_.virial(), conf_.dt, bodies_,
                 energy_.ledger);
}

void Engine::evaluateAll(const Growth& growth) {
  place();
  updateLists(lists_.expired(bodies_));
  evaluateForces(growth);
  times_.end(StageTimes::contacts);
  setAccelerations();
}

void Engine::updateLists(bool expired) {
  if (expired) checkFinite();  // a path that is no number is among those that have run out
  times_.end(StageTimes::move);
  if (expired) lists_.rebuild(bodies_, placed_, threads_, images(), field_.pairSetup(bodies_));
  times_.end(StageTimes::detect);
}

void Engine::place() {
  const bool stretched = staysStretched();
  parallelFor(
      threads_, bodies_.size(),
      [&](std::size_t k) {
        placeBody(bodies_, k, placed_[k]);
        if (stretched)
          placed_[k].turn =
              bodies_.homothety[k] * rotationMatrix(asRockable::normalised(bodies_.q[k]));
      },
      bodyGrain);
}

void Engine::evaluateForces(const Growth& growth, const RangeWork& afterwards) {
  conf_.interactions = {};  // they hold no longer, and have been taken over
  if (images()) cell_.velocityOfContacts = cell_.images.velocity;
  const ContactPower power =
      field_.evaluate(world(), growth, afterwards, drives_, bonds_, lists_, bodies_, times_);
  if (!growth.keep || !growth.counted || !(growth.dt > 0.0)) return;
  energy_.add(world(), cell_.flow(), power, bonds_.bonds().energies.dissipated, growth.dt,
              drives_.motion(), integrator_ == Integrator::velocityVerlet);
  energy_.addWallWork(0.5 * growth.dt * field_.wallPower());
}

void Engine::setAccelerations() {
  const World now = world();
  parallelFor(
      threads_, bodies_.size() - bodies_.driven,
      [&](std::size_t m) {
        const std::size_t k = bodies_.driven + m;
        const Pull pull = pullOn(now, k);
        bodies_.acc[k] = pull.acc;
        bodies_.spinAcc[k] =
            angularAcceleration(bodies_.q[k], bodies_.spin[k], pull.moment, bodies_.inertia[k]);
      },
      bodyGrain);
  drives_.finish(model_.restraint, bodies_, 0.0);
}

std::string Engine::describeLargestForce(std::size_t body) const {
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

ModelError Engine::notFinite(std::size_t k) const {
  return ModelError(fmt::format(
      "body {} ({}) has left all bounds at t = {} (step {}): its state is no longer a "
      "number{}. The time step may be too long for the stiffness, or bodies may overlap "
      "too much at the start",
      order_.number(k), conf_.shapeNameOf(conf_.particles[k]), time(), step_,
      describeLargestForce(k)));
}

void Engine::checkFinite() const {
  // A velocity that is no number makes a path that is none in the next step.
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (!std::isfinite(bodies_.path[k])) throw notFinite(k);
}

void Engine::requireFinite() const {
  for (std::size_t k = 0; k < bodies_.size(); ++k)
    if (!std::isfinite(bodies_.path[k] + bodies_.vel[k].sum() + bodies_.spin[k].sum()))
      throw notFinite(k);
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
// The public face of a run; Engine does the work.
#include "scree/sim/simulation.hpp"

#include "compat/rockable_engine.hpp"
#include "engine/standard_engine.hpp"
#include "engine/state.hpp"

#include <xxhash.h>

#include <new>
#include <utility>

namespace scree::sim {

namespace {

/// The only place that chooses: parts depend on the rules of the model.
std::unique_ptr<Engine> engineFor(Conf conf, std::vector<shape::Shape> shapes, Drives drives,
                                  const SimulationOptions& options, Diagnostics& diagnostics) {
  const bool compat = options.compat || conf.state().summedClock;
  Model model = modelFrom(conf, std::move(shapes), options.threads,
                          compat ? RockableEngine::ownRules() : Rules(), diagnostics);
  if (compat)
    return std::make_unique<RockableEngine>(std::move(model), std::move(conf), std::move(drives),
                                            diagnostics);
  return std::make_unique<StandardEngine>(std::move(model), std::move(conf), std::move(drives),
                                          diagnostics);
}

}  // namespace

Simulation::Simulation(Conf conf, std::vector<shape::Shape> shapes, Drives drives,
                       const SimulationOptions& options, Diagnostics& diagnostics)
    : engine_(
          engineFor(std::move(conf), std::move(shapes), std::move(drives), options, diagnostics)) {}
Simulation::~Simulation() = default;

const Engine& engineOf(const Simulation& simulation) { return *simulation.engine_; }

std::uint64_t Simulation::steps(std::uint64_t most, const StepWatch& watch) {
  return engine_->steps(most, watch);
}
double Simulation::time() const { return engine_->time(); }
std::uint64_t Simulation::stepIndex() const { return engine_->state().clock.step; }
double Simulation::startTime() const { return engine_->state().clock.t0; }
double Simulation::timeStep() const { return engine_->model().dt; }

Conf Simulation::conf() const { return engine_->conf(); }
std::vector<InteractionRecord> Simulation::interactions() const { return engine_->interactions(); }
std::vector<InteractionRecord> Simulation::interactions(BodyId body) const {
  return engine_->interactions(body);
}
std::vector<BoundaryTouch> Simulation::boundaryTouches() const {
  return engine_->boundaryTouches();
}
const Conf& Simulation::input() const { return engine_->model().file; }
int Simulation::iconf() const { return engine_->state().iconf; }
void Simulation::setIconf(int iconf) { engine_->setIconf(iconf); }
std::shared_ptr<const State> Simulation::state() const {
  return std::make_shared<const State>(engine_->state());
}
void Simulation::restore(const State& state) { engine_->restore(state); }

void Simulation::setDrives(Drives drives) { engine_->setDrives(std::move(drives)); }

const std::vector<shape::Shape>& Simulation::shapes() const { return engine_->model().shapes; }
const Bodies& Simulation::bodies() const { return engine_->state().bodies; }
const BodyOrder& Simulation::bodyOrder() const { return engine_->state().order; }
std::uint64_t Simulation::reorderings() const { return engine_->reorderings(); }
const Mat3& Simulation::cellStress() const { return engine_->state().cell.stress; }
const PeriodicCell& Simulation::cell() const { return engine_->state().cell.cell; }
void Simulation::takeOffImposed(std::vector<Vec3>& force, std::vector<Vec3>& moment) const {
  engine_->state().drives.takeOffImposed(force, moment);
}
std::uint64_t Simulation::pairSearches() const { return engine_->pairSearches(); }
std::size_t Simulation::contactCount() const { return engine_->contactCount(); }
const Bonds& Simulation::bonds() const { return engine_->state().bonds.bonds(); }
int Simulation::threads() const { return engine_->model().threads; }
bool Simulation::compat() const { return engine_->model().rules.byList; }
bool Simulation::confIsDue() const { return engine_->confIsDue(); }

std::uint64_t Simulation::stateHash() const { return sim::stateHash(conf()); }
void Simulation::requireFinite() const { engine_->requireFinite(); }
EnergyBudget Simulation::energyBudget() const { return engine_->energyBudget(); }
bool Simulation::hasBelts() const { return engine_->state().drives.hasBelts(bodies()); }

std::uint64_t stateHash(const Conf& conf) {
  const std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state(XXH64_createState(),
                                                                         XXH64_freeState);
  if (!state) throw std::bad_alloc();
  XXH64_reset(state.get(), 0);
  const auto add = [&state](const auto&... values) {
    (XXH64_update(state.get(), &values, sizeof values), ...);
  };
  for (const ParticleRecord& p : conf.particles)
    add(p.pos, p.q.w(), Vec3(p.q.vec()), p.vel, p.vrot);
  if (conf.cell.used)
    for (const Mat3* m : {&conf.cell.h, &conf.cell.vh})
      for (int k = 0; k < 9; ++k) add((*m)(k / 3, k % 3));
  for (const InteractionRecord& r : conf.interactions)
    add(r.key.i, r.key.j, static_cast<std::uint32_t>(r.key.pairing), r.key.iSub, r.key.jSub, r.fn,
        r.ft, r.mom);
  for (const BoundaryTouch& t : conf.boundaryTouches)
    add(t.boundary, t.body, t.vertex, t.fn, t.ft, t.mom);
  return XXH64_digest(state.get());
}

}  // namespace scree::sim

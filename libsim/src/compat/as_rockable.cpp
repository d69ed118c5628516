// SPDX-License-Identifier: GPL-3.0-or-later
#include "compat/as_rockable.hpp"

#include "model/thread_shares.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/law/law_info.hpp"

#include <fmt/format.h>

namespace scree::sim {
namespace asRockable {

Rules rules() {
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

namespace {

void turn(Bodies& bodies, BodyId k, const Vec3& spin, double dt) {
  bodies.q[k] = normalised(advanced(bodies.q[k], dt, rate(bodies.q[k], spin)));
}

}  // namespace

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

void accelerateDriven(const Drives& drives, const Restraint& restraint, Bodies& bodies) {
  for (const Control& c : drives.controls) {
    const BodyId k = c.body;
    const int x = c.axis;
    if (c.what == Imposed::force) {
      const double force = bodies.force[k][x], vel = bodies.vel[k][x];
      double acc = force / bodies.mass[k];
      if (restraint.damping > 0.0) acc *= dampingFactor(restraint.damping, force * vel);
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

}  // namespace asRockable

namespace {

/// Calls move(k, state, what of it moves) for the bodies from `first` on.
template <class Move>
void moveFrom(std::size_t first, const World& world, const DriveSystem& drives, Bodies& bodies,
              Move&& move) {
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
}
template <class Move>
void moveFree(const World& world, const DriveSystem& drives, Bodies& bodies, Move&& move) {
  moveFrom(bodies.driven, world, drives, bodies,
           [&](std::size_t, RigidState& s, auto&) { move(s); });
}

}  // namespace

void MotionAsRockable::begin(const World& world, DriveSystem& drives, Bodies& bodies) {
  startPos_ = bodies.pos;
  startQ_ = bodies.q;
  drives.remember(bodies);
  asRockable::moveImposed(drives.drives(), bodies, world.model.dt);
}

void MotionAsRockable::account(const World& world, Bodies& bodies, const Calls& calls) const {
  parallelFor(
      world.model.threads, bodies.size(),
      [&](std::size_t k) {
        accountMotion(bodies, k, startPos_[k], startQ_[k], nullptr, world.bodies.radius[k]);
      },
      bodyGrain);
  calls.moved();
}

void MotionAsRockable::step(Integrator integrator, const World& world, DriveSystem& drives,
                            Bodies& bodies, std::vector<EarlierMotion>& earlier,
                            const Calls& calls) {
  begin(world, drives, bodies);
  switch (integrator) {
    case Integrator::velocityVerlet:
      return velocityVerlet(world, drives, bodies, calls);
    case Integrator::Euler:
      return euler(world, drives, bodies, calls);
    case Integrator::Beeman:
      return beeman(world, drives, bodies, earlier, calls);
    case Integrator::RungeKutta4:
      return rungeKutta4(world, drives, bodies, calls);
  }
}

void MotionAsRockable::velocityVerlet(const World& world, DriveSystem& drives, Bodies& bodies,
                                      const Calls& calls) {
  const double dt = world.model.dt;
  asRockable::advanceDriven(drives.drives(), bodies, dt, 0.5 * dt * dt, 0.5 * dt);
  moveFree(world, drives, bodies, [dt](RigidState& s) { asRockable::drift(s, dt); });
  account(world, bodies, calls);
  calls.evaluate(true);
  asRockable::advanceDriven(drives.drives(), bodies, 0.0, 0.0, 0.5 * dt);
  moveFree(world, drives, bodies, [dt](RigidState& s) { asRockable::kick(s, dt); });
}

void MotionAsRockable::euler(const World& world, DriveSystem& drives, Bodies& bodies,
                             const Calls& calls) {
  const double dt = world.model.dt;
  asRockable::advanceDriven(drives.drives(), bodies, dt, 0.0, dt);
  moveFree(world, drives, bodies, [dt](RigidState& s) { asRockable::stepEuler(s, dt); });
  account(world, bodies, calls);
  calls.evaluate(true);
}

void MotionAsRockable::beeman(const World& world, DriveSystem& drives, Bodies& bodies,
                              std::vector<EarlierMotion>& earlier, const Calls& calls) {
  const double dt = world.model.dt;
  earlier.resize(bodies.size());  // as if at rest before the first step
  stageStart_.resize(bodies.size());
  calls.evaluate(false);
  moveFrom(0, world, drives, bodies,
           [&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
             stageStart_[k] = s;
             asRockable::predictBeeman(s, earlier[k], moved, dt);
           });
  account(world, bodies, calls);
  calls.evaluate(true);
  moveFrom(0, world, drives, bodies,
           [&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
             asRockable::correctBeeman(stageStart_[k], earlier[k], s, moved, dt);
             earlier[k] = {stageStart_[k].acc, stageStart_[k].spinAcc, Vec3::Zero()};
           });
}

void MotionAsRockable::rungeKutta4(const World& world, DriveSystem& drives, Bodies& bodies,
                                   const Calls& calls) {
  rungeKutta_.resize(bodies.size());
  for (int stage = 1; stage <= 4; ++stage) {
    calls.evaluate(stage == 4);
    moveFrom(0, world, drives, bodies,
             [&](std::size_t k, RigidState& s, const asRockable::Moved& moved) {
               rungeKutta_[k].next(stage, s, moved, world.model.dt);
             });
  }
  account(world, bodies, calls);
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of a run. Work is that of the forces at both ends of a step over the motion between
// them, which is exact for springs; for velocity Verlet it adds up to the kinetic energy but for
// dt² m a²/8, which does not grow. Nothing here changes the state.
#include "scree/base/parallel.hpp"
#include "scree/sim/simulation.hpp"

#include <cmath>

namespace scree::sim {
namespace {

/// Powers of damping, barriers and body forces at the two velocities of a body that its forces of
/// one instant act over: before and after their kick.
struct HeldBack {
  double damping = 0.0, barriers = 0.0, bodyForces = 0.0;
  double nextDamping = 0.0, nextBarriers = 0.0, nextBodyForces = 0.0;

  HeldBack& operator+=(const HeldBack& h) {
    damping += h.damping;
    barriers += h.barriers;
    bodyForces += h.bodyForces;
    nextDamping += h.nextDamping;
    nextBarriers += h.nextBarriers;
    nextBodyForces += h.nextBodyForces;
    return *this;
  }
};

struct Kinetic {
  double translation = 0.0, rotation = 0.0, potential = 0.0;
  Kinetic& operator+=(const Kinetic& k) {
    translation += k.translation;
    rotation += k.rotation;
    potential += k.potential;
    return *this;
  }
};

}  // namespace

EnergyBudget Simulation::energyBudget() const {
  EnergyBudget e;
  const Bodies& b = bodies_;
  const Mat3 flow = cellFlow();
  const Kinetic kinetic = orderedSum(threads_, b.size() - b.driven, Kinetic(), [&](std::size_t m) {
    const std::size_t k = b.driven + m;
    const Vec3 spin = turnedBack(b.q[k], b.spin[k]);
    const Vec3 vel = images() ? Vec3(b.vel[k] - flow * b.pos[k]) : b.vel[k];
    return Kinetic{0.5 * b.mass[k] * vel.squaredNorm(),
                   0.5 * spin.dot(b.inertia[k].cwiseProduct(spin)),
                   -b.mass[k] * conf_.gravity.dot(b.pos[k])};
  });
  e.translation = kinetic.translation;
  e.rotation = kinetic.rotation;
  e.potential = kinetic.potential;
  ContactEnergy held = kernel_->energy(lists_.contacts, placed_, weights_);
  held += kernel_->energy(boundaries_, placed_, weights_);
  e.normal = held.normal;
  e.tangential = held.tangential;
  e.rolling = held.rolling;
  e.bonds = bonds_.energies.elastic;
  e.joints = jointEnergy(conf_.joints, b);
  e.cell = cellEnergy();
  e.friction = ledger_.tangential - (held.tangential - ledger_.startTangential);
  e.rollingLoss = ledger_.rolling - (held.rolling - ledger_.startRolling);
  (kernel_->law().hysteresis ? e.hysteresis : e.viscosity) = ledger_.normalLoss;
  e.switching = ledger_.switched;
  e.damping = ledger_.damping;
  e.barriers = ledger_.barriers;
  e.breakage = ledger_.breakage;
  e.bodyForces = ledger_.bodyForces;
  e.drives = ledger_.drives;
  e.cellWork = ledger_.cell;
  e.residual = e.held() + e.lost() - e.putIn() - ledger_.start;
  e.exchanged = ledger_.exchanged + std::abs(e.potential - ledger_.startPotential);
  return e;
}

bool Simulation::hasBelts() const {
  for (std::size_t k = 0; k < bodies_.driven; ++k) {
    const Freedom& f = freedoms_[k];
    if (f.moves.cwiseProduct(bodies_.vel[k]) != bodies_.vel[k] ||
        f.turns.cwiseProduct(bodies_.spin[k]) != bodies_.spin[k])
      return true;
  }
  return false;
}

void Simulation::beginLedger(bool complete) {
  if (complete) {
    // A file holds the forces of its contacts, not their sums.
    addImposedForces(drives_, bodies_);
    addRememberedForces(lists_.contacts, placed_, images(), compat_, bodies_);
    addBodyForces();
    addRememberedBonds();
    addJointForces(conf_.joints, bodies_);
  }
  keepDrivenForces();
  if (complete && conf_.energy) {
    ledger_ = *conf_.energy;
    return;
  }
  const Mat3 pull = ledger_.cellPull;
  ledger_ = EnergyLedger();
  ledger_.cellPull = pull;
  const EnergyBudget e = energyBudget();
  ledger_.start = e.held();
  ledger_.startPotential = e.potential;
  ledger_.startTangential = e.tangential;
  ledger_.startRolling = e.rolling;
}

void Simulation::keepDrivenForces() {
  drivenForce_.resize(bodies_.driven);
  for (std::size_t k = 0; k < bodies_.driven; ++k)
    drivenForce_[k] = {bodies_.force[k], bodies_.moment[k]};
  for (const Control& c : drives_.controls) {
    if (c.what == Imposed::force) drivenForce_[c.body].force -= c.value;
    if (c.what == Imposed::moment) drivenForce_[c.body].moment -= c.value;
  }
}

void Simulation::addToLedger(const ContactPower& power, const Growth& growth) {
  const double dt = growth.dt, half = 0.5 * dt;
  EnergyLedger& l = ledger_;
  l.normalLoss += half * power.lost + bonds_.energies.dissipated;
  l.switched += half * power.switched;
  l.tangential += half * power.tangential;
  l.rolling += half * power.rolling;
  l.exchanged += std::abs(half * (power.normal + power.tangential + power.rolling));

  if (startPos_.size() < bodies_.driven) return;
  // What contacts and joints do to driven bodies comes out of their drives.
  const Mat3 flow = cellFlow();
  const std::vector<ForceAndMoment> before = drivenForce_;
  keepDrivenForces();
  double drives = 0.0;
  for (std::size_t k = 0; k < bodies_.driven; ++k) {
    const Freedom& f = freedoms_[k];
    // The way it has gone; where it stays, the velocity that it shows its contacts, like a belt.
    Vec3 vel = bodies_.vel[k] +
               f.moves.cwiseProduct((bodies_.pos[k] - startPos_[k]) / dt - bodies_.vel[k]);
    if (images()) vel -= flow * (0.5 * (startPos_[k] + bodies_.pos[k]));
    const Vec3 spin =
        bodies_.spin[k] +
        f.turns.cwiseProduct(turnBetween(startQ_[k], bodies_.q[k]) / dt - bodies_.spin[k]);
    drives -= half * ((before[k].force + drivenForce_[k].force).dot(vel) +
                      (before[k].moment + drivenForce_[k].moment).dot(spin));
  }
  l.drives += drives;
  l.exchanged += std::abs(drives);

  if (!restraint_.acts() && !conf_.bodyForce) return;
  // Velocity Verlet: forces see the velocity of the half step before, and act on to that after it.
  const bool kicks = integrator_ == Integrator::velocityVerlet;
  const HeldBack h =
      orderedSum(threads_, bodies_.size() - bodies_.driven, HeldBack(), [&](std::size_t m) {
        const std::size_t k = bodies_.driven + m;
        const Vec3 &vel = bodies_.vel[k], &spin = bodies_.spin[k];
        Pull pull{bodies_.force[k] / bodies_.mass[k] + conf_.gravity, bodies_.moment[k]};
        const Pull raw = pull;
        if (restraint_.damping > 0.0) pull = damped(pull, restraint_.damping, vel, spin);
        const Pull slow =
            behindBarriers(pull, restraint_, vel, bodies_.q[k], spin, bodies_.inertia[k]);
        Vec3 velAfter = vel, spinAfter = spin;
        if (kicks) {
          velAfter += dt * slow.acc;
          spinAfter +=
              dt * angularAcceleration(bodies_.q[k], spin, slow.moment, bodies_.inertia[k]);
        }
        const Vec3 along = images() ? Vec3(flow * bodies_.pos[k]) : Vec3(Vec3::Zero());
        const auto work = [&](const Vec3& force, const Vec3& moment, double& now, double& next) {
          now = half * (force.dot(vel - along) + moment.dot(spin));
          next = half * (force.dot(velAfter - along) + moment.dot(spinAfter));
        };
        HeldBack own;
        const double mass = bodies_.mass[k];
        work(mass * (raw.acc - pull.acc), raw.moment - pull.moment, own.damping, own.nextDamping);
        work(mass * (pull.acc - slow.acc), pull.moment - slow.moment, own.barriers,
             own.nextBarriers);
        if (conf_.bodyForce) {
          const ForceAndMoment f = bodyForceOn(*conf_.bodyForce, bodies_, k,
                                               dragArea_.empty() ? 0.0 : dragArea_[k], compat_);
          work(f.force, f.moment, own.bodyForces, own.nextBodyForces);
        }
        return own;
      });
  const auto add = [&](double& sum, double now, double& next, double following) {
    sum += next + now;
    l.exchanged += std::abs(next + now);
    next = following;
  };
  add(l.damping, h.damping, l.nextDamping, h.nextDamping);
  add(l.barriers, h.barriers, l.nextBarriers, h.nextBarriers);
  add(l.bodyForces, h.bodyForces, l.nextBodyForces, h.nextBodyForces);
}

}  // namespace scree::sim

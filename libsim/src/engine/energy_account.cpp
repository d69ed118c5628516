// SPDX-License-Identifier: GPL-3.0-or-later
// The energy of a run. Work is that of the forces at both ends of a step over the motion between
// them, which is exact for springs. For velocity Verlet the works add up to the kinetic energy but
// for dt² m a²/8, which does not grow. Nothing here changes the state.
#include "energy_account.hpp"

#include <algorithm>
#include <utility>

namespace scree::sim {
namespace {

/// Powers of damping, barriers and body forces. The forces of one instant act over two velocities
/// of a body: before and after their kick.
struct HeldBack {
  Vec3 now = Vec3::Zero(), next = Vec3::Zero();
  HeldBack& operator+=(const HeldBack& h) {
    now += h.now;
    next += h.next;
    return *this;
  }
};

/// Energies of translation, of rotation and of place.
Vec3 ofBodies(const World& world, const Mat3& flow) {
  const Bodies& b = world.bodies;
  return sumOverFreeBodies(world, Vec3(Vec3::Zero()), [&](std::size_t k) {
    const Vec3 vel = world.images ? Vec3(b.vel[k] - flow * b.pos[k]) : b.vel[k];
    const KineticEnergy kinetic = kineticEnergy(b.mass[k], b.inertia[k], b.q[k], vel, b.spin[k]);
    return Vec3(kinetic.translation, kinetic.rotation,
                -b.mass[k] * world.model.gravity.dot(b.pos[k]));
  });
}

}  // namespace

double energyOfBodies(const World& world, const Mat3& flow) {
  const Vec3 sum = ofBodies(world, flow);
  return sum[0] + sum[1] + sum[2];
}

EnergyBudget EnergyAccount::budget(const World& world, const Mat3& flow,
                                   const HeldEnergy& held) const {
  const Vec3 sum = ofBodies(world, flow);
  EnergyBudget e{.translation = sum[0],
                 .rotation = sum[1],
                 .potential = sum[2],
                 .normal = held.contacts.normal,
                 .tangential = held.contacts.tangential,
                 .rolling = held.contacts.rolling,
                 .bonds = held.bonds,
                 .joints = jointEnergy(world.model.joints, world.bodies),
                 .cell = held.cell};
  e.add(ledger, held.hysteresis);
  return e;
}

void EnergyAccount::start(const World& world, const Mat3& flow, const HeldEnergy& held) {
  const Mat3 load = ledger.cellVirial;
  ledger = EnergyLedger();
  ledger.cellVirial = load;
  const EnergyBudget e = budget(world, flow, held);
  ledger.start = e.held();
  ledger.startPotential = e.potential;
  ledger.startTangential = e.tangential;
  ledger.startRolling = e.rolling;
}

double EnergyAccount::takeUp(const World& world, const Mat3& flow, const HeldEnergy& held) {
  if (!ledger.saved) return 0.0;
  // Bounds on differences of restarts to the bit, and of files with six digits.
  constexpr double rounding = 1e-9, fewDigits = 1e-4;
  const EnergyLedger::Saved then = *std::exchange(ledger.saved, std::nullopt);
  const EnergyBudget e = budget(world, flow, held);
  const double work = e.heldInFile() - then.held, potential = e.potential - then.potential;
  const double scale = std::abs(e.potential) + std::abs(then.potential) + e.translation +
                       e.rotation + std::abs(then.held - then.potential) + e.exchanged;
  if (!(std::abs(work) > rounding * scale) && !(std::abs(potential) > rounding * scale)) return 0.0;
  addWork(work);
  ledger.startPotential += potential;
  return std::max(std::abs(work), std::abs(potential)) > fewDigits * scale ? work : 0.0;
}

void EnergyAccount::keepDrivenForces(const Bodies& bodies, std::span<const Control> controls) {
  drivenForce_.resize(bodies.driven);
  for (std::size_t k = 0; k < bodies.driven; ++k)
    drivenForce_[k] = {bodies.force[k], bodies.moment[k]};
  for (const Control& c : controls) {
    if (c.what == Imposed::force) drivenForce_[c.body].force -= c.value;
    if (c.what == Imposed::moment) drivenForce_[c.body].moment -= c.value;
  }
}

void EnergyAccount::add(const World& world, const Mat3& flow, const ContactPower& power,
                        const BondEnergies& bonds, double dt, const DriveSystem& drives,
                        bool kicks) {
  const double half = 0.5 * dt;
  EnergyLedger& l = ledger;
  l.normalLoss += half * power.lost + bonds.dissipated;
  l.switched += half * power.switched;
  l.tangential += half * power.tangential;
  l.rolling += half * power.rolling;
  l.exchanged += std::abs(half * (power.normal + power.tangential + power.rolling)) +
                 std::abs(bonds.absorbed) + std::abs(bonds.dissipated);
  if (!drives.hasBegun()) return;
  addDrives(world, flow, dt, drives);
  if (world.restraint.acts() || world.model.bodyForce) addHeldBack(world, dt, kicks);
}

/// Work of contacts and joints on driven bodies comes out of their drives.
void EnergyAccount::addDrives(const World& world, const Mat3& flow, double dt,
                              const DriveSystem& drives) {
  const double half = 0.5 * dt;
  const Bodies& bodies = world.bodies;
  before_.swap(drivenForce_);
  keepDrivenForces(bodies, drives.drives().controls);
  double work = 0.0;
  for (std::size_t k = 0; k < bodies.driven; ++k) {
    const DegreesOfFreedom& f = drives.degreesOfFreedom(k);
    // The way it has gone; where it stays, the velocity that it shows its contacts, like a belt.
    Vec3 vel = bodies.vel[k] +
               f.moves.cwiseProduct((bodies.pos[k] - drives.startPos(k)) / dt - bodies.vel[k]);
    if (world.images) vel -= flow * (0.5 * (drives.startPos(k) + bodies.pos[k]));
    const Vec3 spin =
        bodies.spin[k] +
        f.turns.cwiseProduct(turnBetween(drives.startQ(k), bodies.q[k]) / dt - bodies.spin[k]);
    work -= half * ((before_[k].force + drivenForce_[k].force).dot(vel) +
                    (before_[k].moment + drivenForce_[k].moment).dot(spin));
  }
  addWork(work);
}

/// Adds the energy that damping and barriers take, and that body forces put in. With velocity
/// Verlet, forces see the velocity of the half step before, and act on to that after it.
void EnergyAccount::addHeldBack(const World& world, double dt, bool kicks) {
  const double half = 0.5 * dt;
  const Bodies& bodies = world.bodies;
  const Restraint& restraint = world.restraint;
  const HeldBack h = sumOverFreeBodies(world, HeldBack(), [&](std::size_t k) {
    const Vec3 vel = velocityInCell(world, k), &spin = bodies.spin[k];
    BodyLoad load{bodies.force[k] / bodies.mass[k] + world.model.gravity, bodies.moment[k]};
    const BodyLoad raw = load;
    if (restraint.damping > 0.0) load = damped(load, restraint.damping, vel, spin);
    const BodyLoad slow =
        behindBarriers(load, restraint, vel, bodies.q[k], spin, bodies.inertia[k]);
    Vec3 velAfter = vel, spinAfter = spin;
    if (kicks) {
      velAfter += dt * slow.acc;
      spinAfter += dt * angularAcceleration(bodies.q[k], spin, slow.moment, bodies.inertia[k]);
    }
    HeldBack own;
    const auto work = [&](int what, const Vec3& force, const Vec3& moment) {
      own.now[what] = half * (force.dot(vel) + moment.dot(spin));
      own.next[what] = half * (force.dot(velAfter) + moment.dot(spinAfter));
    };
    const double mass = bodies.mass[k];
    work(0, mass * (raw.acc - load.acc), raw.moment - load.moment);
    work(1, mass * (load.acc - slow.acc), load.moment - slow.moment);
    if (world.model.bodyForce) {
      const ForceAndMoment f = bodyForceOn(*world.model.bodyForce, bodies, k, bodies.dragArea[k],
                                           world.model.rules.drag);
      work(2, f.force, f.moment);
    }
    return own;
  });
  EnergyLedger& l = ledger;
  int what = 0;
  for (const auto& [sum, next] : {std::pair(&l.damping, &l.nextDamping),
                                  {&l.barriers, &l.nextBarriers},
                                  {&l.bodyForces, &l.nextBodyForces}}) {
    *sum += *next + h.now[what];
    l.exchanged += std::abs(*next + h.now[what]);
    *next = h.next[what++];
  }
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/contact_sums.hpp"
#include "engine/world.hpp"
#include "law/bond_law.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/sim/law/law_info.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/bonds.hpp"
#include "scree/sim/model/energy.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace scree::sim {

// From bonds to forces on bodies, one interface after the other.
/// Sums over the bonds of one interface, or of many.
struct BondSums {
  BondEnergies energies;
  std::uint64_t breaking = 0;  ///< interfaces that are to break
  BondSums& operator+=(const BondSums& o) {
    energies.elastic += o.energies.elastic;
    energies.dissipated += o.energies.dissipated;
    energies.broken += o.energies.broken;
    energies.pressed += o.energies.pressed;
    breaking += o.breaking;
    return *this;
  }
};

/// Velocity of a point of a body over a step at whose end it stands `arm` from the centre.
/// @param lag  [T] by how much the velocities are older than the positions: half a step where they
///   are means over the step. A pair that turns as a whole then does not seem to slip.
inline Vec3 velocityAt(const Vec3& vel, const Vec3& spin, const Vec3& arm, double lag) {
  const Vec3 turned = spin.cross(arm);
  return vel + turned - lag * spin.cross(turned);
}

/// Body j of an interface as i sees it: itself, or in a periodic cell (else null) the nearest
/// image.
inline BodyPose besideFirst(const Interface& face, std::span<const BodyPose> poses,
                            const Images* images) {
  const BodyPose& j = poses[face.j];
  return images ? imageOf(j, *images, images->nearest(poses[face.i].pos - j.pos)) : j;
}

/// [F L] held by the springs of a bond at the last evaluation.
/// @param opened  without what compression holds
inline double heldBy(const Bond& bond, const Interface& face, bool opened = false) {
  const double stretch = bond.dn - bond.dn0;
  return elasticEnergy(face.own, opened ? std::max(stretch, 0.0) : stretch, bond.ft, bond.mom);
}

/// Geometry, force and load of the bonds of one interface; the force on i and both moments in
/// `sum`.
/// @tparam Springs   TurningSprings or FixedSprings
/// @tparam ownRadii  as roundingOf
template <class Criterion, class Springs, bool ownRadii>
[[gnu::flatten]] BondSums evaluateInterface(Interface& face, std::span<Bond> bonds,
                                            const BodyPose& i, const BodyPose& j,
                                            const HistoryUpdate& update, PairForce& sum) {
  const double dt = update.dt;
  const Vec3 branch = i.pos - j.pos;
  const MeanMotion mi = update.mean ? update.mean[face.i] : MeanMotion{i.vel, i.spin};
  const MeanMotion mj = update.mean ? update.mean[face.j] : MeanMotion{j.vel, j.spin};
  const double lag = Springs::turn ? 0.5 * dt : 0.0;
  BondSums sums;
  BondEnergies& energies = sums.energies;
  double load = Criterion::start;
  for (Bond& bond : bonds) {
    const Touch touch = bondGeometry<ownRadii>(bond.pairing, i, j, branch, bond.iSub, bond.jSub,
                                               false, Springs::turn ? bond.n : Vec3::Zero());
    const Vec3 armI = touch.arm, armJ = touch.arm + branch;
    BondKinematics k;
    k.stretch = touch.dn - bond.dn0;
    k.n = touch.n;
    k.nBefore = bond.n;
    k.twist = 0.5 * dt * (mi.spin + mj.spin).dot(touch.n);
    k.slip = velocityAt(mj.vel, mj.spin, armJ, lag) - velocityAt(mi.vel, mi.spin, armI, lag);
    k.vel =
        update.mean ? Vec3((j.vel + j.spin.cross(armJ)) - (i.vel + i.spin.cross(armI))) : k.slip;
    k.spin = mj.spin - mi.spin;
    k.damp = face.damp;
    const BondForce f = bondForce<Springs>(k, face.own, bond.ft, bond.mom, dt);

    Vec3 slip = bond.slip;
    if constexpr (!Springs::turn) slip += dt * (k.slip - k.slip.dot(k.n) * k.n);
    load = Criterion::joined(load, Criterion::template of<Springs>(f, k, slip, face));
    energies.elastic += elasticEnergy(face.own, k.stretch, f.ft, f.mom);
    // Viscous forces of both ends of the step, over the motion between them.
    energies.dissipated += 0.5 * dt * face.damp * (bond.vel + k.vel).dot(k.slip);
    if (update.keep) {
      bond.dn = touch.dn;
      bond.n = touch.n;
      bond.arm = touch.arm;
      bond.fn = f.fn;
      bond.ft = f.ft;
      bond.mom = f.mom;
      bond.vel = k.vel;
      bond.slip = slip;
    }

    const Vec3 force = f.fn * touch.n + f.ft + f.viscous;
    sum.force += force;
    sum.momentA += armI.cross(force) + f.mom;
    sum.momentB -= armJ.cross(force) + f.mom;
  }
  face.breaks = update.keep && dt > 0.0 && Criterion::template breaks<Springs>(load, face);
  if (face.breaks) {
    for (const Bond& bond : bonds) energies.broken += heldBy(bond, face, true);
    energies.pressed = energies.elastic - energies.broken;
    energies.elastic = 0.0;
    sums.breaking = 1;
  }
  return sums;
}

/// Adds the forces of interfaces to body k, in their order. @param forces  of each interface
inline void gatherBondForces(const Bonds& bonds, std::span<const PairForce> forces, std::size_t k,
                             Bodies& bodies) {
  for (std::uint32_t m = bonds.incidenceStart[k]; m < bonds.incidenceStart[k + 1]; ++m) {
    const std::uint32_t at = bonds.incidence[m];
    if (bonds.interfaces[at].i == k) {
      bodies.force[k] += forces[at].force;
      bodies.moment[k] += forces[at].momentA;
    } else {
      bodies.force[k] -= forces[at].force;
      bodies.moment[k] += forces[at].momentB;
    }
  }
}

/// Adds the forces and moments of all bonds to `bodies` and marks the interfaces that are to break.
/// With update.dt = 0 no memory grows, and nothing breaks then or in a stage within a step. Each
/// body's sum runs over its interfaces in their order, whatever the number of threads.
template <class Criterion, class Springs, bool ownRadii>
BondSums addBondForces(Bonds& bonds, std::span<const BodyPose> poses, const HistoryUpdate& update,
                       const Images* images, int threads, Bodies& bodies,
                       std::vector<PairForce>& forces, std::vector<BondSums>& sums) {
  constexpr std::size_t grain = 100;  // interfaces that are worth waking a thread for
  const std::size_t n = bonds.interfaces.size();
  forces.resize(n);
  sums.resize(n);
  parallelFor(
      threads, n,
      [&](std::size_t m) {
        Interface& face = bonds.interfaces[m];
        forces[m] = PairForce();
        sums[m] = evaluateInterface<Criterion, Springs, ownRadii>(
            face, {bonds.bonds.data() + face.first, face.count}, poses[face.i],
            besideFirst(face, poses, images), update, forces[m]);
      },
      grain);
  parallelFor(
      threads, bodies.size(), [&](std::size_t k) { gatherBondForces(bonds, forces, k, bodies); },
      4 * grain);
  return orderedSum(1, n, BondSums(), [&](std::size_t m) { return sums[m]; });
}

/// Remains of interfaces that have broken.
struct BrokenInterfaces {
  std::vector<InteractionRecord> contacts;          ///< that their bonds go on as
  std::vector<std::pair<BodyId, BodyId>> released;  ///< pairs that may touch from now on
};

/// Bonds of a run. Owns their state, the sums of each interface, and the records that files have of
/// them. How bonds break is chosen once, by the contact law.
///
/// Forces are summed up interface by interface, and for each body over its interfaces in their
/// order, for any number of threads.
class BondSystem {
 public:
  /// @param records  interfaces of the file; their bonds take their state from its contacts
  /// @throws ParseError for interfaces that name what is not there, or of a law without bonds
  void make(const Conf& file, std::vector<InterfaceRecord> records, const World& world,
            Diagnostics& diagnostics);
  /// After a change of parameters or masses.
  void refresh(const World& world);

  bool empty() const { return bonds_.empty(); }
  bool breaking() const { return bonds_.breaking > 0; }
  const Bonds& bonds() const { return bonds_; }
  /// Pairs that are bonded, lower body first and sorted.
  std::vector<std::pair<BodyId, BodyId>> pairs() const;

  /// Adds the forces and moments of all bonds to `bodies`, and marks the interfaces that break.
  void addForces(const World& world, const HistoryUpdate& update, Bodies& bodies);
  /// The forces of the last evaluation, from what bonds remember. One thread.
  void addRememberedForces(const World& world, Bodies& bodies) const;
  /// [F L] sum of force times branch vector at the last evaluation; none without bonds.
  std::optional<Mat3> virial() const {
    return empty() ? std::nullopt : std::optional<Mat3>(virial_);
  }
  /// Takes the interfaces out that are to break, where bodies stand at the end of a step. The
  /// energy that opened and sheared them counts as breakage. The rest of it, less what contacts
  /// hold from here on, counts as switched, as does the work of the half step that is left.
  BrokenInterfaces releaseBroken(const World& world, EnergyLedger& ledger);

  /// Adds a record for each bond, as a file has it, with the numbers of the run.
  void appendContacts(std::span<const BodyPose> poses, std::vector<InteractionRecord>& to,
                      std::optional<BodyId> ofBody) const;
  std::vector<InterfaceRecord> records() const;
  std::optional<BondedArea> area() const;

 private:
  using AddForces = BondSums (*)(Bonds&, std::span<const BodyPose>, const HistoryUpdate&,
                                 const Images*, int, Bodies&, std::vector<PairForce>&,
                                 std::vector<BondSums>&);
  static AddForces forcesOf(Breakage breakage, const World& world);  ///< null: no bonds
  void setParameters(const Conf& file, const World& world, Diagnostics& diagnostics);
  void index(std::size_t bodies);
  double held() const;  ///< [F L] by all bonds at the last evaluation
  /// One for each record.
  void addInterfaces(const Conf& file, const World& world, Diagnostics& diagnostics);

  Bonds bonds_;
  std::vector<InterfaceRecord> records_;  ///< in the same order
  bool ownParameters_ = false;            ///< of each interface, as its record has them
  Breakage breakage_ = Breakage::noBonds;
  AddForces addForces_ = nullptr;
  std::vector<PairForce> forces_;  ///< of each interface at the last evaluation
  std::vector<BondSums> sums_;
  Mat3 virial_ = Mat3::Zero();
};

}  // namespace scree::sim

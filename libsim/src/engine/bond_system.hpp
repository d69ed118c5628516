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

#include <algorithm>
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
template <class Number, class Vector>
SCREE_INLINE Vector velocityAt(const Vector& vel, const Vector& spin, const Vector& arm,
                               const Number& lag) {
  const Vector turned = spin.cross(arm);
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
/// `sum`. Bonds go side by side in lanes, and are summed one after the other.
/// @tparam Springs   TurningSprings or FixedSprings
/// @tparam ownRadii  as roundingOf
template <class Criterion, class Springs, bool ownRadii>
SCREE_IN_LANES BondSums evaluateInterface(Interface& face, Bonds& bonds, const BodyPose& i,
                                          const BodyPose& j, const HistoryUpdate& update,
                                          PairForce& sum) {
  const double dt = update.dt;
  const Vec3 branch = i.pos - j.pos;
  const MeanMotion mi = update.mean ? update.mean[face.i] : MeanMotion{i.vel, i.spin};
  const MeanMotion mj = update.mean ? update.mean[face.j] : MeanMotion{j.vel, j.spin};
  const Lane3 velI(mi.vel), spinI(mi.spin), velJ(mj.vel), spinJ(mj.spin), branches(branch);
  const Lane lag = Springs::turn ? 0.5 * dt : 0.0;
  BondSums sums;
  double load = Criterion::start;
  for (std::size_t at = face.first; at < face.end(); ++at) {
    BondLanes& lanes = bonds.lanes[at];
    const std::size_t count =
        std::min(laneCount, face.count - (at - face.first) * laneCount);  // bonds in these lanes
    const auto [foot, across, radiusI, radiusJ] =
        nearestPoints<ownRadii>(lanes.pairing, i, j, branch, lanes.iSub, lanes.jSub);
    BondKinematicsOf<Lane, Lane3> k;
    k.nBefore = loaded(lanes.n);
    const auto [dn, n, armI] = bondTouch(foot, across, radiusI, radiusJ,
                                         Springs::turn ? k.nBefore : Lane3(Vec3(Vec3::Zero())));
    const Lane3 armJ = armI + branches;
    k.stretch = dn - loaded(lanes.dn0);
    k.n = n;
    k.twist = Lane(0.5 * dt) * (spinI + spinJ).dot(k.n);
    k.slip = velocityAt(velJ, spinJ, armJ, lag) - velocityAt(velI, spinI, armI, lag);
    k.vel = k.slip;
    if (update.mean)
      k.vel =
          (Lane3(j.vel) + Lane3(j.spin).cross(armJ)) - (Lane3(i.vel) + Lane3(i.spin).cross(armI));
    k.spin = spinJ - spinI;
    k.damp = face.damp;
    const BondForceOf<Lane, Lane3> f =
        bondForce<Springs>(k, face.own, loaded(lanes.ft), loaded(lanes.mom), dt);

    Lane3 slip = zeroVector<Lane3>();
    if constexpr (!Springs::turn)
      slip = loaded(lanes.slip) + Lane(dt) * (k.slip - k.slip.dot(k.n) * k.n);
    const Lane loads = Criterion::template of<Springs>(f, k.stretch, slip, face);
    const Lane elastic = elasticEnergy(face.own, k.stretch, f.ft, f.mom);
    // Viscous forces of both ends of the step, over the motion between them.
    const Lane dissipated = Lane(0.5 * dt * face.damp) * (loaded(lanes.vel) + k.vel).dot(k.slip);
    const Lane3 force = f.fn * k.n + f.ft + f.viscous;
    const Lane3 momentI = armI.cross(force) + f.mom, momentJ = armJ.cross(force) + f.mom;
    for (std::size_t m = 0; m < count; ++m) {
      load = Criterion::joined(load, loads[m]);
      sums.energies.elastic += elastic[m];
      sums.energies.dissipated += dissipated[m];
      sum.force += force.of(m);
      sum.momentA += momentI.of(m);
      sum.momentB -= momentJ.of(m);
    }
    if (!update.keep) continue;
    store(dn, lanes.dn);
    store(n, lanes.n);
    store(armI, lanes.arm);
    store(f.fn, lanes.fn);
    store(f.ft, lanes.ft);
    store(f.mom, lanes.mom);
    store(k.vel, lanes.vel);
    if constexpr (!Springs::turn) store(slip, lanes.slip);
  }
  face.breaks = update.keep && dt > 0.0 && Criterion::template breaks<Springs>(load, face);
  if (face.breaks) {
    bonds.forEachOf(face,
                    [&](const Bond& bond) { sums.energies.broken += heldBy(bond, face, true); });
    sums.energies.pressed = sums.energies.elastic - sums.energies.broken;
    sums.energies.elastic = 0.0;
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
        const auto evaluate = [&](const BodyPose& j) {
          return evaluateInterface<Criterion, Springs, ownRadii>(face, bonds, poses[face.i], j,
                                                                 update, forces[m]);
        };
        sums[m] = images ? evaluate(besideFirst(face, poses, images)) : evaluate(poses[face.j]);
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

  /// Calls f(key, make) for each bond of a body; make() is its record. Numbers are those of the
  /// run.
  template <class F>
  void forEachContactOf(BodyId body, std::span<const BodyPose> poses, F&& f) const {
    if (bonds_.interfaces.empty()) return;
    for (std::uint32_t m = bonds_.incidenceStart[body]; m < bonds_.incidenceStart[body + 1]; ++m) {
      const Interface& face = bonds_.interfaces[bonds_.incidence[m]];
      bonds_.forEachOf(face, [&](const Bond& b) {
        const ContactKey key{face.i, face.j, b.pairing, b.iSub, b.jSub};
        f(key, [&]() -> InteractionRecord {
          const Vec3 pos = poses[face.i].pos + b.arm;
          return {key, b.n, b.dn, pos, b.vel, b.fn, b.ft, b.mom, face.damp};
        });
      });
    }
  }
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

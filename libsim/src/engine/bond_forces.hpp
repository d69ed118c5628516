// SPDX-License-Identifier: GPL-3.0-or-later
// From bonds to forces on bodies, one interface after the other.
#pragma once

#include "engine/contact_sums.hpp"
#include "law/bond_law.hpp"

#include "scree/base/parallel.hpp"
#include "scree/sim/model/bodies.hpp"

#include <span>
#include <vector>

namespace scree::sim {

/// Sums over the bonds of one interface, or of many.
struct BondSums {
  double elastic = 0.0, dissipated = 0.0;  ///< see BondEnergies
  double broken = 0.0;
  std::uint64_t breaking = 0;  ///< interfaces that are to break
  BondSums& operator+=(const BondSums& o) {
    elastic += o.elastic;
    dissipated += o.dissipated;
    broken += o.broken;
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

/// [L] by which arms that moments of a bond have are off in a cell, with FixedSprings; see
/// PairByList.
inline Vec3 astray(const Interface& face, Pairing pairing, std::span<const BodyPose> poses,
                   const Images* images) {
  if (!images || pairing == Pairing::vertexVertex) return Vec3::Zero();
  return images->offset(images->nearest(poses[face.i].pos - poses[face.j].pos));
}

/// Geometry, force and load of the bonds of one interface; the force on i and both moments in
/// `sum`.
/// @param astrayOf  `astray` of a pairing; called with FixedSprings alone
/// @tparam Springs   TurningSprings or FixedSprings
/// @tparam ownRadii  as roundingOf
template <class Criterion, class Springs, bool ownRadii, class Astray>
[[gnu::flatten]] BondSums evaluateInterface(Interface& face, std::span<Bond> bonds,
                                            const BodyPose& i, const BodyPose& j,
                                            const HistoryUpdate& update,
                                            [[maybe_unused]] Astray&& astrayOf, PairForce& sum) {
  const double dt = update.dt;
  const Vec3 branch = i.pos - j.pos;
  const MeanMotion mi = update.mean ? update.mean[face.i] : MeanMotion{i.vel, i.spin};
  const MeanMotion mj = update.mean ? update.mean[face.j] : MeanMotion{j.vel, j.spin};
  const double lag = Springs::turn ? 0.5 * dt : 0.0;
  BondSums sums;
  double load = Criterion::start;
  for (Bond& bond : bonds) {
    const Touch touch = bondGeometry<ownRadii>(bond.pairing, i, j, branch, bond.iSub, bond.jSub);
    const Vec3 armI = touch.arm, armJ = touch.arm + branch;
    BondKinematics k;
    k.stretch = touch.dn - face.dn0;
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
    sums.elastic += elasticEnergy(face.own, k.stretch, f.ft, f.mom);
    // Viscous forces of both ends of the step, over the motion between them.
    sums.dissipated += 0.5 * dt * face.damp * (bond.vel + k.vel).dot(k.slip);
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
    if constexpr (!Springs::turn) {
      const Vec3 more = astrayOf(bond.pairing).cross(force);
      sum.momentA -= more;
      sum.momentB += more;
    }
  }
  face.breaks = update.keep && dt > 0.0 && Criterion::template breaks<Springs>(load, face);
  if (face.breaks) {
    sums.broken = sums.elastic;
    sums.elastic = 0.0;
    sums.breaking = 1;
  }
  return sums;
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
            besideFirst(face, poses, images), update,
            [&](Pairing pairing) { return astray(face, pairing, poses, images); }, forces[m]);
      },
      grain);
  parallelFor(
      threads, bodies.size(),
      [&](std::size_t k) {
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
      },
      4 * grain);
  return orderedSum(1, n, BondSums(), [&](std::size_t m) { return sums[m]; });
}

}  // namespace scree::sim

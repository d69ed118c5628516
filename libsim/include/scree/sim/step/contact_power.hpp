// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/law/contact_law.hpp"
#include "scree/sim/model/contacts.hpp"

namespace scree::sim {

/// Twice the mean power that contacts take from the bodies over a step: forces of the step's two
/// ends times the motion between them. [F L/T]
struct ContactPower {
  double normal = 0.0, tangential = 0.0, rolling = 0.0;
  double lost = 0.0;  ///< of `normal`, what no spring stores: viscosity, or loading over unloading
  /// Of contacts that begin and end. Forces act over whole steps, so a touch takes more than its
  /// spring stores and a parting gives more; and contacts that hand over from one pair of
  /// sub-elements to another begin and end at a finite overlap.
  double switched = 0.0;

  /// A contact that touches, with the forces of both ends of the step of length dt.
  /// @param before, share  of the stiffness of its pair at the two ends; before = 0 or a dnBefore
  /// of 0 where it did not touch
  void touch(const ContactKinematics& k, const ElasticStiffness& elastic, double before,
             double share, const ContactForce& last, const ContactForce& now, double dt) {
    // Along n by what the gap has closed: n turns while the bodies slide along each other.
    const double approach =
        k.dnBefore < 0.0 && dt > 0.0 ? (k.dnBefore - k.dn) / dt : k.slip.dot(k.n);
    const double twiceFn = last.fn + now.fn;
    normal += twiceFn * approach;
    lost += (twiceFn + elastic.normal * (before * k.dnBefore + share * k.dn)) * approach;
    if (!(k.dnBefore < 0.0) && dt > 0.0)
      switched -= share * elastic.normal * k.dn * (k.dn / dt + approach);
    tangential += (last.ft + now.ft).dot(k.slip);
    if (elastic.rolling > 0.0) rolling += (last.mom + now.mom).dot(k.spin);
  }
  /// One that goes on with another share of the stiffness of its pair: its springs then hold
  /// another energy, which no force has moved.
  void reshare(const ContactKinematics& k, const ElasticStiffness& elastic, double before,
               double share, const ContactForce& last, double dt) {
    if (!(k.dnBefore < 0.0) || !(dt > 0.0)) return;
    switched -= elastic.normal * (share - before) * k.dnBefore * k.dn / dt;
    const auto springs = [&](double& sum, double force2, double stiffness) {
      if (!(stiffness > 0.0)) return;
      const double more = force2 * (1.0 / share - 1.0 / before) / (stiffness * dt);
      sum += more;  // from which what the springs hold more is taken off
      switched -= more;
    };
    springs(tangential, last.ft.squaredNorm(), elastic.tangential);
    springs(rolling, last.mom.squaredNorm(), elastic.rolling);
  }
  /// One that has ended: its last force acts until now.
  /// @param share  of the stiffness that it had
  /// @param now    its place, by lines and planes that go on beyond their ends
  void part(const ContactState& state, const ElasticStiffness& elastic, double share,
            const Touch& now, const Vec3& slip, const Vec3& spin, double dt) {
    if (!(dt > 0.0)) return;
    const double stiffness = share * elastic.normal, approach = (state.dn - now.dn) / dt;
    normal += state.fn * approach;
    tangential += state.ft.dot(slip);
    if (elastic.rolling > 0.0) rolling += state.mom.dot(spin);
    if (now.dn < 0.0) {  // handed over to other sub-elements: its spring has not run out
      lost += (state.fn + stiffness * state.dn) * approach;
      switched += stiffness * state.dn * (state.dn / dt - approach);
    } else {  // what the force fell short of the spring's is lost, and it acts over the gap
      lost += (state.fn + stiffness * state.dn) * state.dn / dt;
      switched -= state.fn * now.dn / dt;
    }
  }

  ContactPower& operator+=(const ContactPower& p) {
    normal += p.normal;
    tangential += p.tangential;
    rolling += p.rolling;
    lost += p.lost;
    switched += p.switched;
    return *this;
  }
};

/// Energy that touching contacts hold. [F L]
struct ContactEnergy {
  double normal = 0.0, tangential = 0.0, rolling = 0.0;

  /// 1/2 k dn², 1/2 ft²/kt and 1/2 mom²/kr. @param share  of the stiffness of its pair
  void add(const ContactState& state, const ElasticStiffness& elastic, double share) {
    normal += 0.5 * share * elastic.normal * state.dn * state.dn;
    if (elastic.tangential > 0.0)
      tangential += 0.5 * state.ft.squaredNorm() / (share * elastic.tangential);
    if (elastic.rolling > 0.0) rolling += 0.5 * state.mom.squaredNorm() / (share * elastic.rolling);
  }
};

}  // namespace scree::sim

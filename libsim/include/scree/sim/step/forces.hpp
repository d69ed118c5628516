// SPDX-License-Identifier: GPL-3.0-or-later
// From candidates to forces on bodies: geometry, law and sums, one row of candidates after the
// other.
#pragma once

#include "scree/base/parallel.hpp"
#include "scree/sim/contact/bond_geometry.hpp"
#include "scree/sim/contact/kinematics.hpp"
#include "scree/sim/contact/reach_as_rockable.hpp"
#include "scree/sim/detect/images.hpp"
#include "scree/sim/law/contact_law.hpp"
#include "scree/sim/model/bodies.hpp"
#include "scree/sim/model/contacts.hpp"
#include "scree/sim/model/pair_table.hpp"
#include "scree/sim/step/body_forces.hpp"
#include "scree/sim/step/crowded_row.hpp"
#include "scree/sim/step/thread_shares.hpp"

#include <chrono>
#include <span>
#include <vector>

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

/// What the contacts of a row sum up to: the force on a (its opposite acts on b) and both moments.
struct RowForce {
  Vec3 force = Vec3::Zero(), momentA = Vec3::Zero(), momentB = Vec3::Zero();
  ContactPower power;
  std::uint32_t looked = 0;  ///< candidates that were awake

  /// Adds what a contact does to a: a force at `armB` from the centre of b, and a moment.
  void add(const Vec3& onA, const Vec3& momentOnA, const Vec3& armB) {
    force += onA;
    momentB -= armB.cross(onA) + momentOnA;
  }
  /// The moment on a, once all is added. @param between  centre of a minus centre of b
  void finish(const Vec3& between) { momentA = -momentB - between.cross(force); }
};

/// How the contacts of one pair of bodies share its stiffness (`ContactPartnership`).
enum class ContactWeights : std::uint8_t {
  none,    ///< each has all of it
  number,  ///< equal parts
  overlap  ///< in proportion to the overlap
};

/// Mean velocity and spin of a body over the motion that its contacts remember.
struct MeanMotion {
  Vec3 vel = Vec3::Zero(), spin = Vec3::Zero();
};

/// By what the memory of contacts (tangential springs, rolling, loading paths) grows.
struct Growth {
  double dt = 0.0;  ///< [T] 0: not at all
  /// Mean motion of each body over dt. Null: the velocities that contacts see are the mean ones, as
  /// those of the half step of velocity Verlet are.
  const MeanMotion* mean = nullptr;
  /// False for a stage within a step: forces are those that the memory of the step's start and the
  /// motion since make, and nothing is kept. Needs `mean`.
  bool keep = true;
  bool counted = true;  ///< whether the energy budget takes up what is kept
};

/// Whether a candidate touches; see kinematics.hpp.
/// @tparam compat  with the bound of Rockable for parallel edges (Q1)
template <bool compat = false>
bool touches(const Candidate& c, const Placed& i, const Placed& j, const Vec3& between,
             Touch& touch, double& rest) {
  switch (c.pairing) {
    case Pairing::vertexVertex:
      return touchVertexVertex(i, j, between, c.iSub, c.jSub, touch, rest);
    case Pairing::vertexEdge:
      return touchVertexEdge(i, j, between, c.iSub, c.jSub, touch, rest);
    case Pairing::vertexFace:
      return touchVertexFace(i, j, between, c.iSub, c.jSub, touch, rest);
    default:
      return touchEdgeEdge<compat>(i, j, between, c.iSub, c.jSub, touch, rest);
  }
}

/// Distance of the contact point from the axis about which a body turns, or from its centre.
/// @tparam compat  no number for a body that does not turn, so that nothing bounds its rolling
/// (Q11)
template <bool compat = false>
double leverOf(const Vec3& arm, const Vec3& spin) {
  const double spin2 = spin.squaredNorm();
  if (spin2 == 0.0) return compat ? std::nan("") : arm.norm();
  return (arm - (arm.dot(spin) / spin2) * spin).norm();
}

/// Sum over the touching contacts of a row that makes their weights add up to 1: of 1 each, or of
/// the gaps (negative).
template <bool compat = false>
double sumOfWeights(ContactWeights weights, std::span<const Candidate> candidates, const Placed& a,
                    const Placed& b, double path) {
  const Vec3 between = a.pos - b.pos;
  double sum = 0.0;
  for (const Candidate& c : candidates) {
    if (!compat && c.wake > path) continue;
    Touch touch;
    double rest = 0.0;
    if (c.swapped ? touches<compat>(c, b, a, -between, touch, rest)
                  : touches<compat>(c, a, b, between, touch, rest))
      sum += weights == ContactWeights::number ? 1.0 : touch.dn;
  }
  return sum;
}

/// The same of the last evaluation, from what contacts remember of it.
inline double sumOfWeightsBefore(ContactWeights weights, std::span<const ContactState> states) {
  double sum = 0.0;
  for (const ContactState& s : states)
    if (s.dn < 0.0) sum += weights == ContactWeights::number ? 1.0 : s.dn;
  return sum;
}

/// How body j of a contact moves relative to i: at the point `arm` from the centre of j, and its
/// turning. `sign` = -1 where the velocities are those of i relative to j.
struct RelativeMotion {
  const Vec3 &vel, &spin;
  double sign;
  Vec3 at(const Vec3& arm) const { return sign * (vel + spin.cross(arm)); }
};

/// Counts the end of a contact of i and j; rare, so it stands outside of the loop over contacts.
[[gnu::noinline, gnu::cold]] inline void countEnd(ContactPower& power, const Candidate& c,
                                                  const ContactState& state, const Placed& i,
                                                  const Placed& j, const Vec3& between,
                                                  const RelativeMotion& motion,
                                                  const ElasticStiffness& elastic, double share,
                                                  double dt) {
  const Touch now = geometryBeyondEnds(c.pairing, i, j, between, c.iSub, c.jSub);
  const Vec3 armB = c.swapped ? now.arm : Vec3(now.arm + between);
  power.part(state, elastic, share, now, motion.at(armB), motion.sign * motion.spin, dt);
}

/// Geometry and law of the awake candidates of one row. @returns whether `sum` has got anything
/// @tparam weighted  contacts share the stiffness of their pair, which takes the geometry twice
/// @tparam byMean    whether `growth.mean` is given
/// @tparam crowded   there are very many candidates, and `crowd` knows which to look at
/// @tparam compat    as Rockable has it: every candidate is awake, one that is apart keeps its
/// history while it is listed, and viscosity is that of `damps`
///
/// `flatten`: everything in it is inlined. Calls that pass vectors through memory cost a tenth of a
/// step.
template <ContactLaw Law, bool weighted, bool byMean, bool compat, bool crowded = false>
[[gnu::flatten]] bool evaluateRow(PairRow& row, std::span<Candidate> candidates,
                                  std::span<ContactState> states,
                                  [[maybe_unused]] std::span<const double> damps, const Placed& a,
                                  const Placed& b, bool aDriven, double path,
                                  const typename Law::Params& parameters, ContactWeights weights,
                                  const Growth& growth, RowForce& sum,
                                  [[maybe_unused]] CrowdedRow* crowd = nullptr) {
  const Vec3 between = a.pos - b.pos;
  [[maybe_unused]] double weightSum = 0.0, weightSumBefore = 0.0;
  if constexpr (weighted) {
    weightSum = sumOfWeights<compat>(weights, candidates, a, b, path);
    weightSumBefore = sumOfWeightsBefore(weights, states);
  }
  const auto shareBefore = [&](const ContactState& state) {
    if constexpr (!weighted && !compat) return 1.0;
    if (!(state.dn < 0.0)) return 0.0;  // it did not touch
    if constexpr (!weighted) return 1.0;
    return (weights == ContactWeights::number ? 1.0 : state.dn) / weightSumBefore;
  };
  const ElasticStiffness elastic = Law::elastic(parameters);
  // How b moves relative to a: at the centre of b, and its turning.
  const Vec3 atB = b.vel - a.vel + a.spin.cross(between), turning = b.spin - a.spin;
  [[maybe_unused]] Vec3 meanAtB, meanTurning;
  if constexpr (byMean) {
    const MeanMotion &ma = growth.mean[row.a], &mb = growth.mean[row.b];
    meanAtB = mb.vel - ma.vel + ma.spin.cross(between);
    meanTurning = mb.spin - ma.spin;
  }
  ContactPower power;
  const auto countEndOf = [&](const Candidate& c, const ContactState& state, const Vec3& d) {
    const double sign = c.swapped ? -1.0 : 1.0, share = shareBefore(state);
    const Placed &i = c.swapped ? b : a, &j = c.swapped ? a : b;
    if constexpr (byMean)
      countEnd(power, c, state, i, j, d, {meanAtB, meanTurning, sign}, elastic, share, growth.dt);
    else
      countEnd(power, c, state, i, j, d, {atB, turning, sign}, elastic, share, growth.dt);
  };
  bool any = false, ended = false;
  double wakes = HUGE_VAL;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if constexpr (crowded) {
      k = crowd->next(k);
      if (k >= candidates.size()) break;
    }
    Candidate& candidate = candidates[k];
    if (!compat && candidate.wake > path) {
      wakes = std::min(wakes, candidate.wake);
      continue;
    }
    ++sum.looked;
    ContactState& state = states[k];
    const Placed &i = candidate.swapped ? b : a, &j = candidate.swapped ? a : b;
    const Vec3 d = candidate.swapped ? Vec3(-between) : between;
    Touch touch;
    double rest = 0.0;
    if (!touches<compat>(candidate, i, j, d, touch, rest)) {
      if constexpr (compat) {
        if (state.dn < 0.0) {
          countEndOf(candidate, state, d);
          ended = true;
        }
        const asRockable::Reach reach = asRockable::reachOf(candidate, i, j, d, 0.0);
        if (reach.over)
          state.dn = std::max(reach.gap, 0.0);
        else
          state = ContactState();
        continue;
      }
      if (state.dn < 0.0) {
        if constexpr (byMean) {
          if (!growth.keep) {
            any = true;  // awake until the step's end, which decides
            continue;
          }
        }
        countEndOf(candidate, state, d);
        ended = true;
        state = ContactState();  // history ends where touch ends
      }
      candidate.wake = path + std::max(rest - row.slack, 0.0);
      wakes = std::min(wakes, candidate.wake);
      continue;
    }
    any = true;
    // The law sees the contact from j: what it says of i holds for a, or with the other sign.
    const double sign = candidate.swapped ? -1.0 : 1.0;
    const Vec3 armB = candidate.swapped ? touch.arm : Vec3(touch.arm + between);
    ContactKinematics kinematics;
    kinematics.dn = touch.dn;
    kinematics.dnBefore = state.dn;
    kinematics.n = touch.n;
    kinematics.vel = sign * (atB + turning.cross(armB));
    if constexpr (byMean) {
      kinematics.slip = sign * (meanAtB + meanTurning.cross(armB));
      kinematics.spin = sign * meanTurning;
    } else {
      kinematics.slip = kinematics.vel;
      kinematics.spin = sign * turning;
    }
    kinematics.damp = compat ? damps[k] : row.damp;
    if constexpr (Law::needsLever) {
      const bool iDriven = aDriven && !candidate.swapped;
      kinematics.lever =
          iDriven ? leverOf<compat>(armB, j.spin) : leverOf<compat>(touch.arm, i.spin);
    }
    const ContactForce last{state.fn, state.ft, state.mom};
    ContactForce f;
    double share = 1.0;
    if constexpr (weighted) {
      share = (weights == ContactWeights::number ? 1.0 : touch.dn) / weightSum;
      kinematics.damp *= std::sqrt(share);
      f = Law::force(kinematics, parameters.weighted(share), last, growth.dt);
    } else {
      f = Law::force(kinematics, parameters, last, growth.dt);
    }
    if (!byMean || growth.keep) {
      if constexpr (crowded) {
        if (!(state.dn < 0.0)) crowd->begin(k);
      }
      const double before = shareBefore(state);
      power.touch(kinematics, elastic, before, share, last, f, growth.dt);
      if constexpr (weighted) power.reshare(kinematics, elastic, before, share, last, growth.dt);
      state = {touch.dn, f.fn, f.ft, f.mom, kinematics.vel};
    }

    sum.add(sign * (f.fn * touch.n + f.ft), sign * f.mom, armB);
  }
  sum.finish(between);
  sum.power = power;
  if constexpr (crowded) {
    if (!any) wakes = crowd->leastWake(candidates);
  }
  row.wakes = any ? path : wakes;
  return any || ended;
}

/// The same of a row that has planes: rare, large on the stack, and out of the way of all others.
template <ContactLaw Law, bool weighted, bool byMean>
[[gnu::noinline]] bool evaluateCrowdedRow(Contacts& contacts, PairRow& row, const Placed& a,
                                          const Placed& b, bool aDriven, double path,
                                          const typename Law::Params& parameters,
                                          ContactWeights weights, const Growth& growth,
                                          RowForce& sum) {
  const std::span<Candidate> candidates(contacts.candidates.data() + row.first, row.count);
  const std::span<ContactState> states(contacts.states.data() + row.first, row.count);
  CrowdedRow crowd(contacts.planes[row.planes], row, candidates, states, a, b, path);
  return evaluateRow<Law, weighted, byMean, false, true>(
      row, candidates, states, {}, a, b, aDriven, path, parameters, weights, growth, sum, &crowd);
}

/// What a body gets from rows as their first body.
struct FirstBodySum {
  BodyId body = 0;
  ForceAndMoment sum;
  ContactPower power;

  void add(const Vec3& force, const Vec3& moment, const ContactPower& more) {
    sum.force += force;
    sum.moment += moment;
    power += more;
  }
};

/// A driven body sums its rows in parts, each of second bodies whose numbers agree above this many
/// bits: so the rows of a wall may be shared out among threads, and where they are cut depends on
/// no thread and on no list. Other bodies sum theirs in one part.
inline constexpr unsigned partBits = 12;
inline bool samePart(const PairRow& x, const PairRow& y, BodyId driven) {
  return x.a == y.a && (x.a >= driven || (x.b >> partBits) == (y.b >> partBits));
}

/// Where sums stand until every body has gathered its own; kept from step to step for its memory.
struct ContactSums {
  std::vector<ForceAndMoment> onSecond;  ///< for each row what its second body gets
  std::vector<char> acts;                ///< for each row whether it has got anything
  struct OnDriven {
    Vec3 moment = Vec3::Zero();
    ContactPower power;
  };
  std::vector<OnDriven> onDriven;  ///< for each row of a driven body what that gets, but its force
  std::vector<std::vector<FirstBodySum>> parts;  ///< of driven bodies, by range
  std::vector<ContactPower> powers;              ///< of bodies, by block
  ThreadShares shares;
  std::size_t memoryBytes() const;

  void resize(const Contacts& contacts, const Bodies& bodies);
  /// Adds up what the rows as second body of the bodies from `begin` to `end` have written, then
  /// what their rows as first body have left in `bodies`.
  void gather(std::size_t begin, std::size_t end, const Contacts& contacts, Bodies& bodies) const;
  /// Adds up the parts of driven bodies that begin in a share of the rows of such bodies.
  void sumParts(std::size_t range, const Contacts& contacts, BodyId driven);
};

/// Adds up the power of contacts: of driven bodies each by itself, of others in blocks.
class PowerSum {
 public:
  explicit PowerSum(BodyId driven) : driven_(driven) {}
  /// Bodies come in order.
  void add(BodyId body, const ContactPower& power) {
    const std::size_t group = body < driven_ ? body : driven_ + body / bodyBlock;
    if (group != group_) {
      total_ += ofGroup_;
      ofGroup_ = ContactPower();
      group_ = group;
    }
    ofGroup_ += power;
  }
  ContactPower total() const {
    ContactPower sum = total_;
    return sum += ofGroup_;
  }

 private:
  BodyId driven_;
  std::size_t group_ = 0;
  ContactPower ofGroup_, total_;
};

/// Asks for what is read later. Always inlined: GCC takes a function that does nothing else for one
/// without effect, and drops the call.
[[gnu::always_inline]] inline void prefetch(const void* data, std::size_t size) {
  for (std::size_t byte = 0; byte < size; byte += 64)
    __builtin_prefetch(static_cast<const char*>(data) + byte);
}
[[gnu::always_inline]] inline void prefetchRow(const Contacts& contacts, const PairRow& row,
                                               std::span<const Placed> placed) {
  prefetch(&placed[row.b], sizeof(Placed));
  prefetch(&contacts.candidates[row.first], sizeof(Candidate));
  prefetch(&contacts.states[row.first], sizeof(ContactState));
}

/// The forces and moments of all contacts: driven bodies add them to what they have, those of
/// others begin with them. @returns the power that contacts take up, where memory grows. A body
/// first gets what its rows as second body give, row by row, then the sum of each part of its rows
/// as first body: the same bits for any number of threads. Rows that do not act leave no trace. One
/// thread adds as it goes; several write sums that each body then gathers.
/// `periodic`: b stands where its image beside a does, and sums per row are always written.
/// `compat`: as Rockable has it, see evaluateRow.
template <ContactLaw Law, bool weighted, bool byMean, bool periodic = false, bool compat = false>
ContactPower addContactForces(Contacts& contacts, std::span<const Placed> placed,
                              const PairTable<typename Law::Params>& parameters,
                              ContactWeights weights, const Growth& growth, int threads,
                              Bodies& bodies, ContactSums& sums, const Images* images = nullptr) {
  const BodyId driven = bodies.driven;
  // By value, so that each thread reads from its own stack.
  const auto evaluate = [=, &contacts, &parameters, &bodies, growth = Growth(growth)](
                            PairRow& row, RowForce& sum) {
    const double path = bodies.path[row.a] + bodies.path[row.b];
    if (!compat && row.wakes > path) return false;
    const auto beside = [&](const Placed& b) {
      if constexpr (!compat)
        if (row.planes != PairRow::noPlanes)
          return evaluateCrowdedRow<Law, weighted, byMean>(
              contacts, row, placed[row.a], b, row.a < driven, path, parameters[row.parameters],
              weights, growth, sum);
      return evaluateRow<Law, weighted, byMean, compat>(
          row, {contacts.candidates.data() + row.first, row.count},
          {contacts.states.data() + row.first, row.count},
          compat ? std::span<const double>(contacts.damps.data() + row.first, row.count)
                 : std::span<const double>(),
          placed[row.a], b, row.a < driven, path, parameters[row.parameters], weights, growth, sum);
    };
    if constexpr (periodic) {
      const CellShift& n = contacts.shifts[static_cast<std::size_t>(&row - contacts.rows.data())];
      if (!n.isZero()) return beside(images->image(placed[row.b], n));
    }
    return beside(placed[row.b]);
  };

  const std::size_t rows = contacts.rows.size();
  // Rows, the time that memory or another core takes to answer; and how many do not fit a core.
  constexpr std::size_t ahead = 6, tooMany = 8192;
  const bool many = rows > tooMany;
  constexpr std::size_t rowGrain = 100;  // rows that are worth waking a thread for
  sums.shares.cover(driven, bodies.size(), threads);
  if (!periodic && (sums.shares.ranges() == 1 || rows < 2 * rowGrain)) {
    for (std::size_t k = driven; k < bodies.size(); ++k)
      bodies.force[k] = bodies.moment[k] = Vec3::Zero();
    PowerSum power(driven);
    FirstBodySum part;
    bool acts = false;
    const auto endPart = [&] {
      if (!acts) return;
      bodies.force[part.body] += part.sum.force;
      bodies.moment[part.body] += part.sum.moment;
      power.add(part.body, part.power);
      acts = false;
    };
    for (std::size_t r = 0; r < rows; ++r) {
      PairRow& row = contacts.rows[r];
      if (r > 0 && !samePart(contacts.rows[r - 1], row, driven)) endPart();
      if (many && r + ahead < rows) prefetchRow(contacts, contacts.rows[r + ahead], placed);
      RowForce sum;
      if (!evaluate(row, sum)) continue;
      bodies.force[row.b] -= sum.force;
      bodies.moment[row.b] += sum.momentB;
      if (!acts) part = {row.a, {}, {}};
      acts = true;
      part.add(sum.force, sum.momentA, sum.power);
    }
    endPart();
    return power.total();
  }

  sums.resize(contacts, bodies);
  sums.shares.balance();
  const std::span<const std::size_t> cuts = sums.shares.cuts();
  const std::size_t ranges = sums.shares.ranges();
  // A row belongs to its first body, or to its second one where the first is driven.
  parallelFor(threads, ranges, [&](std::size_t range) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const auto evaluateOwn = evaluate;
    std::uint32_t work = 0;
    const auto actsIn = [&](std::size_t r, RowForce& sum) {
      const bool acts = evaluateOwn(contacts.rows[r], sum);
      work += ThreadShares::workOf(sum.looked);
      sums.acts[r] = acts;
      if (acts) sums.onSecond[r] = {-sum.force, sum.momentB};
      return acts;
    };
    ContactPower ofBlock;
    for (std::size_t k = cuts[range], end = cuts[range + 1]; k < end; ++k) {
      for (const std::uint32_t r : contacts.rowsAsSecond(static_cast<BodyId>(k))) {
        if (contacts.rows[r].a >= driven) break;
        RowForce sum;
        if (actsIn(r, sum)) sums.onDriven[r] = {sum.momentA, sum.power};
      }
      FirstBodySum own;
      for (std::uint32_t r = contacts.firstStart[k]; r < contacts.firstStart[k + 1]; ++r) {
        if (r + ahead < rows) {
          const PairRow& next = contacts.rows[r + ahead];
          many ? prefetchRow(contacts, next, placed) : prefetch(&placed[next.b], sizeof(Placed));
        }
        RowForce sum;
        if (actsIn(r, sum)) own.add(sum.force, sum.momentA, sum.power);
      }
      bodies.force[k] = own.sum.force;
      bodies.moment[k] = own.sum.moment;
      ofBlock += own.power;
      if ((k + 1) % bodyBlock == 0 || k + 1 == end) {
        sums.powers[k / bodyBlock] = ofBlock;
        sums.shares.setWork(k / bodyBlock, work);
        ofBlock = ContactPower();
        work = 0;
      }
    }
    sums.shares.setTime(range, std::chrono::duration<double>(Clock::now() - start).count());
  });
  parallelFor(threads, ranges, [&](std::size_t range) {
    sums.gather(cuts[range], cuts[range + 1], contacts, bodies);
    sums.sumParts(range, contacts, driven);
  });
  PowerSum power(driven);
  for (std::size_t range = 0; range < ranges; ++range)
    for (const FirstBodySum& part : sums.parts[range]) {
      bodies.force[part.body] += part.sum.force;
      bodies.moment[part.body] += part.sum.moment;
      power.add(part.body, part.power);
    }
  for (std::size_t k = driven; k < bodies.size(); k = (k / bodyBlock + 1) * bodyBlock)
    power.add(static_cast<BodyId>(k), sums.powers[k / bodyBlock]);
  return power.total();
}

/// Adds the contact forces of the last evaluation to `bodies` again, from what contacts remember,
/// in the same order, for bodies that stand where they stood then. One thread.
void addRememberedForces(const Contacts& contacts, std::span<const Placed> placed,
                         const Images* images, Bodies& bodies);

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
/// That of all contacts, summed in the order of rows.
template <ContactLaw Law>
ContactEnergy contactEnergy(const Contacts& contacts,
                            const PairTable<typename Law::Params>& parameters,
                            ContactWeights weights) {
  ContactEnergy energy;
  for (const PairRow& row : contacts.rows) {
    const ElasticStiffness whole = Law::elastic(parameters[row.parameters]);
    double weightSum = 0.0;
    if (weights != ContactWeights::none)
      for (std::uint32_t k = row.first; k < row.first + row.count; ++k)
        if (contacts.states[k].dn < 0.0)
          weightSum += weights == ContactWeights::number ? 1.0 : contacts.states[k].dn;
    for (std::uint32_t k = row.first; k < row.first + row.count; ++k) {
      const ContactState& state = contacts.states[k];
      if (!(state.dn < 0.0)) continue;
      double share = 1.0;
      if (weights == ContactWeights::number) share = 1.0 / weightSum;
      if (weights == ContactWeights::overlap) share = state.dn / weightSum;
      energy.add(state, whole, share);
    }
  }
  return energy;
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/forces.hpp"

#include "engine/pair_force.hpp"

#include <algorithm>
#include <utility>

namespace scree::sim {

void ContactSums::prepare(const Contacts& contacts, const Bodies& bodies) {
  if (searches.size() < shares.ranges()) searches.resize(shares.ranges());
  const bool kept = shares.ranges() > 1 || !contacts.shifts.empty();
  onSecond.resize(kept ? contacts.pairs.size() : 0);
  acts.resize(onSecond.size());
  parts.resize(contacts.partBody.size());
  powers.resize((bodies.size() + bodyBlock - 1) / bodyBlock);
  const std::span<const std::size_t> cuts = shares.cuts();
  if (!contacts.shifts.empty()) std::fill_n(acts.begin(), contacts.firstStart[contacts.driven], 0);
  stale_ = preparedIndex_ != contacts.index || !std::ranges::equal(preparedCuts_, cuts);
  if (!stale_) return;
  preparedIndex_ = contacts.index;
  preparedCuts_.assign(cuts.begin(), cuts.end());
  borders_.resize(shares.ranges());
}

ContactSums::Borders ContactSums::beginRange(std::size_t range, const Contacts& contacts) {
  const std::span<const std::size_t> cuts = shares.cuts();
  const std::size_t begin = cuts[range], end = cuts[range + 1];
  const std::uint32_t firstPair = contacts.firstStart[begin];
  if (!acts.empty()) std::fill(acts.data() + firstPair, acts.data() + contacts.firstStart[end], 0);
  Borders& own = borders_[range];
  if (!stale_) return own;
  const auto leaves = [&](std::size_t k) {  // its pairs go by their second bodies
    const std::uint32_t last = contacts.firstStart[k + 1];
    return last > contacts.firstStart[k] && contacts.pairs[last - 1].b >= end;
  };
  const auto gets = [&](std::size_t k) {  // pairs go by their first bodies
    const std::span<const std::uint32_t> pairs = contacts.pairsAsSecond(static_cast<BodyId>(k));
    const auto free = std::ranges::lower_bound(pairs, contacts.firstStart[contacts.driven]);
    return free != pairs.end() && *free < firstPair;
  };
  own = {begin, end};
  if (range + 1 == shares.ranges()) own.lowestLeaving = end;
  while (own.lowestLeaving < end && !leaves(own.lowestLeaving)) ++own.lowestLeaving;
  while (own.waiting > begin && !gets(own.waiting - 1)) --own.waiting;
  return own;
}

void ContactSums::Searches::renew(const PairRenewal& renewal, std::uint32_t pair) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  renewal(pair, found);
  ++count;
  seconds += std::chrono::duration<double>(Clock::now() - start).count();
}

std::uint64_t ContactSums::searchCount() const {
  std::uint64_t sum = 0;
  for (const Searches& s : searches) sum += s.count;
  return sum;
}

double ContactSums::takeSearchTime() {
  double sum = 0.0;
  for (Searches& s : searches) sum += std::exchange(s.seconds, 0.0);
  return sum / static_cast<double>(shares.ranges());
}

void ContactSums::gather(std::size_t begin, std::size_t end, const Contacts& contacts,
                         Bodies& bodies) const {
  // Pairs go by their first bodies, so these two show whose a pair is.
  const std::uint32_t drivenPairs = contacts.firstStart[bodies.driven],
                      ownPairs = contacts.firstStart[begin];
  for (std::size_t k = begin; k < end; ++k) {
    const std::span<const std::uint32_t> pairs = contacts.pairsAsSecond(static_cast<BodyId>(k));
    const auto lower = std::lower_bound(pairs.begin(), pairs.end(), ownPairs);
    for (auto r = lower; r != pairs.begin() && *--r >= drivenPairs;) {
      if (!acts[*r]) continue;
      bodies.force[k] += onSecond[*r].force;
      bodies.moment[k] += onSecond[*r].moment;
    }
  }
}

void addRememberedForces(const Contacts& contacts, std::span<const BodyPose> poses,
                         const Images* images, bool byList, Bodies& bodies) {
  /// @returns whether the pair acts
  const auto sumOf = [&](std::size_t r, PairForce& sum) {
    const NeighbourPair& pair = contacts.pairs[r];
    const BodyPose& a = poses[pair.a];
    const BodyPose b = images ? imageOf(poses[pair.b], *images, contacts.shifts[r]) : poses[pair.b];
    bool any = false;
    contacts.forEachTouching(
        pair, [&](std::uint32_t, const Candidate& c, const ContactState& state) {
          const BodyPose &i = c.swapped ? b : a, &j = c.swapped ? a : b;
          const Vec3 branch = i.pos - j.pos;
          Touch touch;
          double rest = 0.0;
          if (!touchesInRun(byList, c, i, j, branch, touch, rest)) return;
          any = true;
          if (!byList && isOfBalls(pair, a, b)) {
            sumOfBalls({state.fn, state.ft, state.mom}, touch.n, BallArms(a, b, touch.dn), sum);
            return;
          }
          const double sign = c.swapped ? -1.0 : 1.0;
          sum.add(sign * (state.fn * touch.n + state.ft), sign * state.mom,
                  c.swapped ? touch.arm : Vec3(touch.arm + branch));
        });
    if (any && (byList || !isOfBalls(pair, a, b))) sum.finish(a.pos - b.pos);
    return any;
  };
  const std::uint32_t drivenPairs = contacts.firstStart[bodies.driven];
  std::vector<ForceAndMoment> parts(contacts.partBody.size());
  for (std::size_t k = bodies.size(); k-- > bodies.driven;) {
    ForceAndMoment own;
    for (const std::uint32_t r : contacts.pairsAsSecond(static_cast<BodyId>(k))) {
      PairForce sum;
      if (r >= drivenPairs) break;
      if (!sumOf(r, sum)) continue;
      own.force -= sum.force;
      own.moment += sum.momentB;
      parts[contacts.partOf[r]].force += sum.force;
      parts[contacts.partOf[r]].moment += sum.momentA;
    }
    for (std::uint32_t r = contacts.firstStart[k + 1]; r-- > contacts.firstStart[k];) {
      PairForce sum;
      if (!sumOf(r, sum)) continue;
      own.force += sum.force;
      own.moment += sum.momentA;
      const BodyId b = contacts.pairs[r].b;
      bodies.force[b] -= sum.force;
      bodies.moment[b] += sum.momentB;
    }
    bodies.force[k] = own.force;
    bodies.moment[k] = own.moment;
  }
  for (std::size_t k = 0; k < parts.size(); ++k) {
    bodies.force[contacts.partBody[k]] += parts[k].force;
    bodies.moment[contacts.partBody[k]] += parts[k].moment;
  }
}

}  // namespace scree::sim

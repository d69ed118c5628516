// SPDX-License-Identifier: GPL-3.0-or-later
#include "step/forces.hpp"

#include <algorithm>
#include <utility>

namespace scree::sim {

void ContactSums::prepare(const Contacts& contacts, const Bodies& bodies) {
  if (searches.size() < shares.ranges()) searches.resize(shares.ranges());
  const bool kept = shares.ranges() > 1 || !contacts.shifts.empty();
  onSecond.resize(kept ? contacts.rows.size() : 0);
  acts.resize(onSecond.size());
  parts.resize(contacts.partBody.size());
  powers.resize((bodies.size() + bodyBlock - 1) / bodyBlock);
  const std::span<const std::size_t> cuts = shares.cuts();
  if (preparedIndex_ == contacts.index && std::ranges::equal(preparedCuts_, cuts)) return;
  preparedIndex_ = contacts.index;
  preparedCuts_.assign(cuts.begin(), cuts.end());
  lowestLeaving.assign(cuts.begin() + 1, cuts.end());
  for (std::size_t range = 0; range + 1 < shares.ranges(); ++range) {
    const std::size_t end = cuts[range + 1];
    const auto leaves = [&](std::size_t k) {  // its rows go by their second bodies
      const std::uint32_t last = contacts.firstStart[k + 1];
      return last > contacts.firstStart[k] && contacts.rows[last - 1].b >= end;
    };
    std::size_t k = cuts[range];
    while (k < end && !leaves(k)) ++k;
    lowestLeaving[range] = k;
  }
}

std::size_t ContactSums::memoryBytes() const {
  return onSecond.capacity() * sizeof(ForceAndMoment) + acts.capacity() +
         parts.capacity() * sizeof(Part) + powers.capacity() * sizeof(ContactPower);
}

void ContactSums::Searches::renew(const RowRenewal& renewal, std::uint32_t row) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  renewal(row, found);
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
  // Rows go by their first bodies, so these two tell whose a row is.
  const std::uint32_t drivenRows = contacts.firstStart[bodies.driven],
                      ownRows = contacts.firstStart[begin];
  for (std::size_t k = begin; k < end; ++k) {
    const std::span<const std::uint32_t> rows = contacts.rowsAsSecond(static_cast<BodyId>(k));
    const auto lower = std::lower_bound(rows.begin(), rows.end(), ownRows);
    for (auto r = lower; r != rows.begin() && *--r >= drivenRows;) {
      if (!acts[*r]) continue;
      bodies.force[k] += onSecond[*r].force;
      bodies.moment[k] += onSecond[*r].moment;
    }
  }
}

void addRememberedForces(const Contacts& contacts, std::span<const Placed> placed,
                         const Images* images, bool compat, Bodies& bodies) {
  /// @returns whether the row acts
  const auto sumOf = [&](std::size_t r, RowForce& sum) {
    const PairRow& row = contacts.rows[r];
    const Placed& a = placed[row.a];
    const Placed b = images ? imageOf(placed[row.b], *images, contacts.shifts[r]) : placed[row.b];
    RowAsRockable there;
    if (images && compat) there.astray = images->offset(contacts.shifts[r]);
    bool any = false;
    contacts.forEachTouching(
        row, [&](std::uint32_t, const Candidate& c, const ContactState& state) {
          const Placed &i = c.swapped ? b : a, &j = c.swapped ? a : b;
          const Vec3 between = i.pos - j.pos;
          Touch touch;
          double rest = 0.0;
          if (!touches(c, i, j, between, touch, rest)) return;
          any = true;
          if (!compat && isOfBalls(row, a, b)) {
            sumOfBalls({state.fn, state.ft, state.mom}, touch.n, BallArms(a, b, touch.dn), sum);
            return;
          }
          const double sign = c.swapped ? -1.0 : 1.0;
          sum.add(sign * (state.fn * touch.n + state.ft), sign * state.mom,
                  there.armOf(c, c.swapped ? touch.arm : Vec3(touch.arm + between)));
        });
    if (any && (compat || !isOfBalls(row, a, b))) sum.finish(a.pos - b.pos);
    return any;
  };
  const std::uint32_t drivenRows = contacts.firstStart[bodies.driven];
  std::vector<ForceAndMoment> parts(contacts.partBody.size());
  for (std::size_t k = bodies.size(); k-- > bodies.driven;) {
    ForceAndMoment own;
    for (const std::uint32_t r : contacts.rowsAsSecond(static_cast<BodyId>(k))) {
      RowForce sum;
      if (r >= drivenRows) break;
      if (!sumOf(r, sum)) continue;
      own.force -= sum.force;
      own.moment += sum.momentB;
      parts[contacts.partOf[r]].force += sum.force;
      parts[contacts.partOf[r]].moment += sum.momentA;
    }
    for (std::uint32_t r = contacts.firstStart[k + 1]; r-- > contacts.firstStart[k];) {
      RowForce sum;
      if (!sumOf(r, sum)) continue;
      own.force += sum.force;
      own.moment += sum.momentA;
      const BodyId b = contacts.rows[r].b;
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

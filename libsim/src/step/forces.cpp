// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/step/forces.hpp"

namespace scree::sim {

void ContactSums::resize(const Contacts& contacts, const Bodies& bodies) {
  onSecond.resize(contacts.rows.size());
  acts.resize(contacts.rows.size());
  onDriven.resize(contacts.firstStart[bodies.driven]);
  powers.resize((bodies.size() + bodyBlock - 1) / bodyBlock);
  parts.resize(shares.ranges());
}

std::size_t ContactSums::memoryBytes() const {
  return onSecond.capacity() * sizeof(ForceAndMoment) + acts.capacity() +
         onDriven.capacity() * sizeof(OnDriven) + powers.capacity() * sizeof(ContactPower);
}

void ContactSums::gather(std::size_t begin, std::size_t end, const Contacts& contacts,
                         Bodies& bodies) const {
  for (std::size_t k = begin; k < end; ++k) {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (const std::uint32_t r : contacts.rowsAsSecond(static_cast<BodyId>(k))) {
      if (!acts[r]) continue;
      force += onSecond[r].force;
      moment += onSecond[r].moment;
    }
    bodies.force[k] = force + bodies.force[k];
    bodies.moment[k] = moment + bodies.moment[k];
  }
}

void ContactSums::sumParts(std::size_t range, const Contacts& contacts, BodyId driven) {
  const std::size_t rows = onDriven.size(), ranges = shares.ranges();
  const auto partAt = [&](std::size_t r) {
    while (r > 0 && r < rows && samePart(contacts.rows[r - 1], contacts.rows[r], driven)) ++r;
    return r;
  };
  std::vector<FirstBodySum>& found = parts[range];
  found.clear();
  const std::size_t begin = partAt(rows * range / ranges),
                    end = partAt(rows * (range + 1) / ranges);
  bool inPart = false;
  for (std::size_t r = begin; r < end; ++r) {
    if (r > begin && !samePart(contacts.rows[r - 1], contacts.rows[r], driven)) inPart = false;
    if (!acts[r]) continue;
    if (!inPart) found.push_back({contacts.rows[r].a, {}, {}});
    inPart = true;
    found.back().add(-onSecond[r].force, onDriven[r].moment, onDriven[r].power);
  }
}

void addRememberedForces(const Contacts& contacts, std::span<const Placed> placed,
                         const Images* images, bool compat, Bodies& bodies) {
  ForceAndMoment onFirst;  // of one part of the rows of a body, as addContactForces sums them
  bool acts = false;
  const auto endPart = [&](BodyId a) {
    if (!acts) return;
    bodies.force[a] += onFirst.force;
    bodies.moment[a] += onFirst.moment;
    onFirst = {};
    acts = false;
  };
  for (std::size_t r = 0; r < contacts.rows.size(); ++r) {
    if (r > 0 && !samePart(contacts.rows[r - 1], contacts.rows[r], bodies.driven))
      endPart(contacts.rows[r - 1].a);
    const PairRow& row = contacts.rows[r];
    const Placed& a = placed[row.a];
    const Placed b = images ? images->image(placed[row.b], contacts.shifts[r]) : placed[row.b];
    RowAsRockable there;
    if (images && compat) there.astray = images->offset(contacts.shifts[r]);
    RowForce sum;
    bool any = false;
    for (std::uint32_t k = row.first; k < row.first + row.count; ++k) {
      const ContactState& state = contacts.states[k];
      if (!(state.dn < 0.0)) continue;
      const Candidate& c = contacts.candidates[k];
      const Placed &i = c.swapped ? b : a, &j = c.swapped ? a : b;
      const Vec3 between = i.pos - j.pos;
      Touch touch;
      double rest = 0.0;
      if (!touches(c, i, j, between, touch, rest)) continue;
      any = true;
      const double sign = c.swapped ? -1.0 : 1.0;
      sum.add(sign * (state.fn * touch.n + state.ft), sign * state.mom,
              there.armOf(c, c.swapped ? touch.arm : Vec3(touch.arm + between)));
    }
    if (!any) continue;
    sum.finish(a.pos - b.pos);
    acts = true;
    onFirst.force += sum.force;
    onFirst.moment += sum.momentA;
    bodies.force[row.b] -= sum.force;
    bodies.moment[row.b] += sum.momentB;
  }
  if (!contacts.rows.empty()) endPart(contacts.rows.back().a);
}

}  // namespace scree::sim

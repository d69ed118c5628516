// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/step/forces.hpp"

#include <numeric>

namespace scree::sim {

std::size_t ContactSums::cutAt(std::size_t rows, std::size_t part, std::size_t parts) const {
  if (part == 0) return 0;
  if (part == parts) return rows;
  const std::uint64_t all = std::accumulate(work.begin(), work.end(), std::uint64_t{0}),
                      before = all * part / parts;
  std::uint64_t sum = 0;
  std::size_t at = 0;
  while (at < work.size() && sum + work[at] / 2 < before) sum += work[at++];
  return std::min(at * block, rows);
}

void addRememberedForces(const Contacts& contacts, std::span<const Placed> placed,
                         const Images* images, Bodies& bodies) {
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
    if (r > 0 && !samePart(contacts.rows[r - 1], contacts.rows[r])) endPart(contacts.rows[r - 1].a);
    const PairRow& row = contacts.rows[r];
    const Placed& a = placed[row.a];
    const Placed b = images ? images->image(placed[row.b], contacts.shifts[r]) : placed[row.b];
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
              c.swapped ? touch.arm : Vec3(touch.arm + between));
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

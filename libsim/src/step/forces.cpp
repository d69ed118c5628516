// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/step/forces.hpp"

namespace scree::sim {

void addRememberedForces(const Contacts& contacts, std::span<const Placed> placed,
                         const Images* images, Bodies& bodies) {
  for (std::size_t r = 0; r < contacts.rows.size(); ++r) {
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
      sum.add({state.fn, state.ft, state.mom}, touch.n, touch.arm, touch.arm + between, c.swapped);
    }
    if (!any) continue;
    bodies.force[row.a] += sum.force;
    bodies.force[row.b] -= sum.force;
    bodies.moment[row.a] += sum.momentA;
    bodies.moment[row.b] += sum.momentB;
  }
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/contacts.hpp"

namespace scree::sim {

void indexRows(Contacts& contacts, std::size_t bodies) {
  contacts.incidenceStart.assign(bodies + 1, 0);
  for (const PairRow& row : contacts.rows) {
    ++contacts.incidenceStart[row.a + 1];
    ++contacts.incidenceStart[row.b + 1];
  }
  for (std::size_t k = 0; k < bodies; ++k)
    contacts.incidenceStart[k + 1] += contacts.incidenceStart[k];
  contacts.incidence.resize(2 * contacts.rows.size());
  std::vector<std::uint32_t> next(contacts.incidenceStart.begin(),
                                  contacts.incidenceStart.end() - 1);
  for (std::uint32_t r = 0; r < contacts.rows.size(); ++r) {
    contacts.incidence[next[contacts.rows[r].a]++] = r;
    contacts.incidence[next[contacts.rows[r].b]++] = r;
  }
}

}  // namespace scree::sim

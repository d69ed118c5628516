// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/model/contacts.hpp"

#include <numeric>

namespace scree::sim {

void indexRows(Contacts& contacts, std::size_t bodies) {
  auto &first = contacts.firstStart, &second = contacts.secondStart;
  first.assign(bodies + 1, 0);
  second.assign(bodies + 1, 0);
  for (const PairRow& row : contacts.rows) {
    ++first[row.a + 1];
    ++second[row.b + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::partial_sum(second.begin(), second.end(), second.begin());
  contacts.secondRows.resize(contacts.rows.size());
  std::vector<std::uint32_t> next(second.begin(), second.end() - 1);
  for (std::uint32_t r = 0; r < contacts.rows.size(); ++r)
    contacts.secondRows[next[contacts.rows[r].b]++] = r;
}

}  // namespace scree::sim

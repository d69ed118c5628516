// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/contacts.hpp"

#include <atomic>
#include <numeric>

namespace scree::sim {

// Once a contact begins: seldom, so it stands outside of the loop over contacts.
ContactState& RowPool::begin(Candidate& candidate) {
  if (freeStates.empty()) {
    // By a quarter: there are as many pools as blocks of bodies.
    if (states.size() == states.capacity()) states.reserve(states.size() + states.size() / 4 + 4);
    freeStates.push_back(static_cast<std::uint32_t>(states.size()));
    states.emplace_back();
  }
  const std::uint32_t place = freeStates.back();
  freeStates.pop_back();
  candidate.setStateAt(place);
  return states[place];
}

void RowPool::drop(const PairRow& row) {
  for (std::uint32_t k = row.first; k < row.first + row.count; ++k)
    if (candidates[k].touching()) end(candidates[k]);
  left += row.room;
  if (row.hasPlanes()) freePlanes.push_back(row.planes);
}

std::size_t RowPool::memoryBytes() const {
  const auto bytes = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  std::size_t sum = sizeof(RowPool) + bytes(candidates) + bytes(states) + bytes(freeStates) +
                    bytes(asRockable) + bytes(freePlanes);
  for (const RowPlanes& p : planes) sum += p.memoryBytes();
  return sum;
}

std::size_t Contacts::memoryBytes() const {
  const auto bytes = [](const auto& vector) { return vector.capacity() * sizeof(vector[0]); };
  std::size_t sum = bytes(rows) + bytes(shifts) + bytes(firstStart) + bytes(secondStart) +
                    bytes(secondRows) + bytes(partOf) + bytes(partBody);
  for (const RowPool& pool : pools) sum += pool.memoryBytes();
  return sum;
}

void indexRows(Contacts& contacts, std::size_t bodies) {
  static std::atomic<std::uint64_t> made{0};
  contacts.index = ++made;
  contacts.pools.resize((bodies + bodyBlock - 1) / bodyBlock);
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

  const std::uint32_t drivenRows = first[contacts.driven];
  contacts.partBody.clear();
  contacts.partOf.resize(drivenRows + 1);
  for (std::uint32_t r = 0; r < drivenRows; ++r) {
    const PairRow &row = contacts.rows[r], &last = contacts.rows[r > 0 ? r - 1 : 0];
    if (r == 0 || row.a != last.a || row.b / bodyBlock != last.b / bodyBlock)
      contacts.partBody.push_back(row.a);
    contacts.partOf[r] = static_cast<std::uint32_t>(contacts.partBody.size()) - 1;
  }
  contacts.partOf[drivenRows] = static_cast<std::uint32_t>(contacts.partBody.size());
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/contacts.hpp"

#include <atomic>
#include <numeric>

namespace scree::sim {

// Once a contact begins: seldom, so it stands outside of the loop over contacts.
ContactState& PairPool::begin(Candidate& candidate) {
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

void PairPool::drop(const NeighbourPair& pair) {
  for (std::uint32_t k = pair.first; k < pair.first + pair.count; ++k)
    if (candidates[k].touching()) end(candidates[k]);
  left += pair.room;
  if (pair.hasPlanes()) freePlanes.push_back(pair.planes);
}

std::pair<std::size_t, double> PairPool::touching(const NeighbourPair& pair) const {
  std::size_t count = 0;
  double least = 0.0;
  const auto add = [&](double dn) {  // no branches: which candidates touch follows no rule
    count += dn < 0.0;
    least = std::min(least, dn);
  };
  for (std::uint32_t k = pair.first; k < pair.first + pair.count; ++k) {
    if (!listed.empty()) {
      add(listed[k].state.dn);
    } else if (!states.empty()) {
      const bool touches = candidates[k].touching();
      add(states[candidates[k].stateAt() & (std::uint32_t{0} - touches)].dn * touches);
    }
  }
  return {count, least};
}

void indexPairs(Contacts& contacts, std::size_t bodies) {
  static std::atomic<std::uint64_t> made{0};
  contacts.index = ++made;
  contacts.pools.resize((bodies + bodyBlock - 1) / bodyBlock);
  auto &first = contacts.firstStart, &second = contacts.secondStart;
  first.assign(bodies + 1, 0);
  second.assign(bodies + 1, 0);
  for (const NeighbourPair& pair : contacts.pairs) {
    ++first[pair.a + 1];
    ++second[pair.b + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::partial_sum(second.begin(), second.end(), second.begin());
  contacts.secondPairs.resize(contacts.pairs.size());
  std::vector<std::uint32_t> next(second.begin(), second.end() - 1);
  for (std::uint32_t r = 0; r < contacts.pairs.size(); ++r)
    contacts.secondPairs[next[contacts.pairs[r].b]++] = r;

  const std::uint32_t drivenPairs = first[contacts.driven];
  contacts.partBody.clear();
  contacts.partOf.resize(drivenPairs + 1);
  for (std::uint32_t r = 0; r < drivenPairs; ++r) {
    const NeighbourPair &pair = contacts.pairs[r], &last = contacts.pairs[r > 0 ? r - 1 : 0];
    if (r == 0 || pair.a != last.a || pair.b / bodyBlock != last.b / bodyBlock)
      contacts.partBody.push_back(pair.a);
    contacts.partOf[r] = static_cast<std::uint32_t>(contacts.partBody.size()) - 1;
  }
  contacts.partOf[drivenPairs] = static_cast<std::uint32_t>(contacts.partBody.size());
}

}  // namespace scree::sim

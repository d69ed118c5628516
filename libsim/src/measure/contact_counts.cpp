// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/fabric.hpp"

#include <algorithm>
#include <utility>

namespace scree::sim {

std::vector<ContactCounts> contactCounts(const Instant& instant) {
  std::vector<ContactCounts> counts(instant.bodyCount());
  std::vector<std::pair<BodyId, BodyId>> pairs;
  pairs.reserve(instant.links().size());
  for (const Link& link : instant.links()) {
    if (!link.touches() && link.kind != Link::Kind::bond) continue;
    const auto add = [&](ContactCounts& body) {
      ++body.points;
      body.overlap = std::max(body.overlap, -link.dn);
    };
    add(counts[link.i]);
    if (link.j != Link::none) add(counts[link.j]);
    // Files keep contacts of one pair under (i, j) and (j, i). Round walls are numbered from above.
    pairs.push_back(link.j == Link::none ? std::pair(link.i, Link::none - link.jSub)
                                         : bodyPair(link.i, link.j));
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  for (const auto& [i, j] : pairs) {
    ++counts[i].partners;
    if (j < counts.size()) ++counts[j].partners;
  }
  return counts;
}

}  // namespace scree::sim

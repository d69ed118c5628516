// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/detect/broad_phase.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>

namespace scree::sim {

std::vector<std::pair<BodyId, BodyId>> overlappingPairs(std::span<const shape::Aabb> boxes,
                                                        BodyId driven, int threads) {
  const shape::AabbTree tree(boxes, 4);
  std::vector<std::vector<BodyId>> partners(boxes.size());
  parallelFor(threads, boxes.size(), [&](std::size_t k) {
    const auto a = static_cast<BodyId>(k);
    tree.forEachNear(boxes[a], [&](std::uint32_t b) {
      if (b > a && b >= driven && boxes[a].overlaps(boxes[b])) partners[a].push_back(b);
    });
    std::sort(partners[a].begin(), partners[a].end());
  });
  std::size_t n = 0;
  for (const auto& p : partners) n += p.size();
  std::vector<std::pair<BodyId, BodyId>> pairs;
  pairs.reserve(n);
  for (BodyId a = 0; a < partners.size(); ++a)
    for (const BodyId b : partners[a]) pairs.emplace_back(a, b);
  return pairs;
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/detect/broad_phase.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>

namespace scree::sim {

namespace {

using Pairs = std::vector<std::pair<BodyId, BodyId>>;

/// All pairs (a, b) that `near(tree, a, found)` names for each a; `found` may name one twice.
template <class Near>
Pairs pairsBy(std::span<const shape::Aabb> boxes, int threads, Near&& near) {
  const shape::AabbTree tree(boxes, 4);
  std::vector<std::vector<BodyId>> partners(boxes.size());
  parallelFor(threads, boxes.size(), [&](std::size_t k) {
    const auto a = static_cast<BodyId>(k);
    near(tree, a, partners[a]);
    std::sort(partners[a].begin(), partners[a].end());
  });
  std::size_t n = 0;
  for (const auto& p : partners) n += p.size();
  Pairs pairs;
  pairs.reserve(n);
  for (BodyId a = 0; a < partners.size(); ++a)
    for (const BodyId b : partners[a])
      if (pairs.empty() || pairs.back() != std::pair(a, b)) pairs.emplace_back(a, b);
  return pairs;
}

}  // namespace

Pairs overlappingPairs(std::span<const shape::Aabb> boxes, BodyId driven, int threads) {
  return pairsBy(boxes, threads,
                 [&](const shape::AabbTree& tree, BodyId a, std::vector<BodyId>& found) {
                   tree.forEachNear(boxes[a], [&](std::uint32_t b) {
                     if (b > a && b >= driven && boxes[a].overlaps(boxes[b])) found.push_back(b);
                   });
                 });
}

Pairs overlappingImages(std::span<const shape::Aabb> boxes, const Mat3& h, BodyId driven,
                        int threads) {
  return pairsBy(
      boxes, threads, [&](const shape::AabbTree& tree, BodyId a, std::vector<BodyId>& found) {
        for (int k = 0; k < 27; ++k) {  // images beyond the rim of all boxes end at the root
          shape::Aabb image = boxes[a];
          image.move(h * Vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1));
          tree.forEachNear(image, [&](std::uint32_t b) {
            if (b > a && b >= driven && image.overlaps(boxes[b])) found.push_back(b);
          });
        }
      });
}

}  // namespace scree::sim

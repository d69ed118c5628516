// SPDX-License-Identifier: GPL-3.0-or-later
#include "detect/broad_phase.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace scree::sim {
namespace {

using Pairs = std::vector<std::pair<BodyId, BodyId>>;
using shape::Aabb;
using shape::AabbTree;

/// As Aabb::overlaps, but without branches, which processors could not predict.
bool overlap(const Aabb& x, const Aabb& y) {
  int all = 1;  // not bool: clang++ warns of & between bools
  for (int axis = 0; axis < 3; ++axis)
    all &= int{x.low[axis] <= y.high[axis]} & int{y.low[axis] <= x.high[axis]};
  return all != 0;
}

/// Descends a tree by pairs of nodes, the second one of the same tree or of its image moved by
/// `shift`. So bodies that are neighbours share their way from the root.
class Descent {
 public:
  struct Nodes {
    std::uint32_t x, y;  ///< x is the one that is moved
  };

  /// @param boxes  in the order of places in the tree
  /// @param image  shift of the image; none: the tree itself
  Descent(const AabbTree& tree, std::span<const Aabb> boxes, BodyId driven,
          const std::optional<Vec3>& image = {})
      : tree_(tree), boxes_(boxes), driven_(driven), image_(image) {}

  /// Adds pairs of nodes below `nodes` to `next` or, of two leaves, pairs of bodies to `found`.
  void open(const Nodes& nodes, std::vector<Nodes>& next, Pairs& found) const {
    const AabbTree::Node &x = tree_.node(nodes.x), &y = tree_.node(nodes.y);
    const bool same = nodes.x == nodes.y && !image_;
    if (!same && !overlap(moved(x.box), y.box)) return;
    if (x.leaf() && y.leaf()) {
      compare(x, y, same, found);
    } else if (same) {
      next.insert(next.end(),
                  {{x.first, x.first}, {x.first, x.first + 1}, {x.first + 1, x.first + 1}});
    } else if (y.leaf() || (!x.leaf() && x.end - x.begin > y.end - y.begin)) {
      next.insert(next.end(), {{x.first, nodes.y}, {x.first + 1, nodes.y}});
    } else {
      next.insert(next.end(), {{nodes.x, y.first}, {nodes.x, y.first + 1}});
    }
  }
  void openAll(const Nodes& nodes, Pairs& found) const {
    std::vector<Nodes> stack{nodes};
    while (!stack.empty()) {
      const Nodes top = stack.back();
      stack.pop_back();
      open(top, stack, found);
    }
  }

 private:
  Aabb moved(Aabb box) const {
    if (image_) box.move(*image_);
    return box;
  }
  void compare(const AabbTree::Node& x, const AabbTree::Node& y, bool same, Pairs& found) const {
    const std::span<const std::uint32_t> ofX = tree_.items(x), ofY = tree_.items(y);
    for (std::uint32_t k = 0; k < x.count; ++k) {
      const Aabb box = moved(boxes_[x.begin + k]);
      const std::uint32_t i = ofX[k];
      for (std::uint32_t m = same ? k + 1 : 0; m < y.count; ++m) {
        const std::uint32_t j = ofY[m];
        if (!overlap(box, boxes_[y.begin + m]) || std::max(i, j) < driven_) continue;
        if (image_ && j <= i) continue;  // the opposite image finds the pair, too
        found.push_back(std::minmax({i, j}));
      }
    }
  }

  const AabbTree& tree_;
  std::span<const Aabb> boxes_;
  BodyId driven_;
  std::optional<Vec3> image_;
};

/// All pairs, sorted, each once. O(pairs) if each body has few.
Pairs sorted(const std::vector<Pairs>& parts, std::size_t bodies, int threads) {
  std::vector<std::size_t> start(bodies + 1, 0);
  for (const Pairs& part : parts)
    for (const auto& [a, b] : part) ++start[a + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<BodyId> partners(start.back());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (const Pairs& part : parts)
    for (const auto& [a, b] : part) partners[next[a]++] = b;
  constexpr std::size_t grain = 1024;
  const auto sortOf = [&](std::size_t a) {
    std::ranges::sort(std::span(partners).subspan(start[a], start[a + 1] - start[a]));
  };
  parallelFor(threads, bodies, sortOf, grain);
  Pairs pairs;
  pairs.reserve(partners.size());
  for (std::size_t a = 0; a < bodies; ++a)
    for (std::size_t k = start[a]; k < start[a + 1]; ++k)
      if (k == start[a] || partners[k] != partners[k - 1])
        pairs.emplace_back(static_cast<BodyId>(a), partners[k]);
  return pairs;
}

constexpr std::uint32_t itemsPerLeaf = 8;
/// Boxes in the order of places in the tree.
std::vector<Aabb> inPlaces(const AabbTree& tree, std::span<const Aabb> boxes) {
  std::vector<Aabb> places(boxes.size());
  for (const AabbTree::Node& node : tree.nodes())
    for (std::uint32_t k = 0; k < node.count; ++k)
      places[node.begin + k] = boxes[tree.items(node)[k]];
  return places;
}

}  // namespace

Pairs overlappingPairs(std::span<const Aabb> boxes, BodyId driven, int threads) {
  const AabbTree tree(boxes, itemsPerLeaf);
  if (tree.empty()) return {};
  const std::vector<Aabb> places = inPlaces(tree, boxes);
  const Descent descent(tree, places, driven);
  // Level by level until there is enough to share out.
  constexpr std::size_t few = 256;  // for fewer bodies one thread is faster
  if (boxes.size() < few) threads = 1;
  const std::size_t enough = threads > 1 ? 64 * static_cast<std::size_t>(threads) : 1;
  std::vector<Descent::Nodes> level{{0, 0}}, next;
  std::vector<Pairs> found(1);
  while (!level.empty() && level.size() < enough) {
    next.clear();
    for (const Descent::Nodes& nodes : level) descent.open(nodes, next, found[0]);
    level.swap(next);
  }
  found.resize(1 + level.size());
  parallelJobs(threads, level.size(), [&](std::size_t k) {
    Pairs own;  // neighbours in `found` share a cache line
    descent.openAll(level[k], own);
    found[1 + k] = std::move(own);
  });
  return sorted(found, boxes.size(), threads);
}

Pairs overlappingImages(std::span<const Aabb> boxes, const Mat3& h, BodyId driven, int threads) {
  const AabbTree tree(boxes, itemsPerLeaf);
  if (tree.empty()) return {};
  const std::vector<Aabb> places = inPlaces(tree, boxes);
  std::vector<Pairs> found(27);  // most images do not meet the box of all bodies
  parallelJobs(threads, found.size(), [&](std::size_t image) {
    const int k = static_cast<int>(image);
    const Vec3 shift = h * Eigen::Vector3i(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1).cast<double>();
    Descent(tree, places, driven, shift).openAll({0, 0}, found[image]);
  });
  return sorted(found, boxes.size(), threads);
}

}  // namespace scree::sim

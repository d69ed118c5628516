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

  /// Filter of the pairs to list: those of two driven bodies are never listed.
  struct Choice {
    BodyId driven;
    PairFilter wanted;
  };

  /// @param boxes  in the order of places in the tree
  /// @param image  shift of the image; none: the tree itself
  Descent(const AabbTree& tree, std::span<const Aabb> boxes, const Choice& choice,
          const std::optional<Vec3>& image = {})
      : tree_(tree), boxes_(boxes), choice_(choice), image_(image) {}

  /// Adds pairs of nodes below `nodes` to `next` or, of two leaves, pairs of bodies to `found`.
  void open(const Nodes& nodes, std::vector<Nodes>& next, Pairs& found) const {
    const AabbTree::Node &x = tree_.node(nodes.x), &y = tree_.node(nodes.y);
    const bool same = nodes.x == nodes.y && !image_;
    if (x.leaf() && y.leaf()) {
      compare(x, y, same, found);
    } else if (same) {
      next.push_back({x.first, x.first});
      add(x.first, x.first + 1, next);
      next.push_back({x.first + 1, x.first + 1});
    } else if (y.leaf() || (!x.leaf() && x.end - x.begin > y.end - y.begin)) {
      add(x.first, nodes.y, next);
      add(x.first + 1, nodes.y, next);
    } else {
      add(nodes.x, y.first, next);
      add(nodes.x, y.first + 1, next);
    }
  }
  void add(std::uint32_t x, std::uint32_t y, std::vector<Nodes>& next) const {
    if (overlap(moved(tree_.node(x).box), tree_.node(y).box)) next.push_back({x, y});
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
      if (!same && !overlap(box, y.box)) continue;
      const std::uint32_t i = ofX[k];
      for (std::uint32_t m = same ? k + 1 : 0; m < y.count; ++m) {
        const std::uint32_t j = ofY[m];
        if (!overlap(box, boxes_[y.begin + m]) || std::max(i, j) < choice_.driven) continue;
        if (image_ && j <= i) continue;  // the opposite image finds the pair, too
        const auto [a, b] = std::minmax({i, j});
        if (!choice_.wanted || choice_.wanted(a, b)) found.emplace_back(a, b);
      }
    }
  }

  const AabbTree& tree_;
  std::span<const Aabb> boxes_;
  Choice choice_;
  std::optional<Vec3> image_;
};

/// Merges the parts into one sorted list that has each pair once. Each thread reads all pairs, and
/// sorts those of its own range of first bodies. O(pairs) if each body has few.
Pairs sorted(const std::vector<Pairs>& parts, std::size_t bodies, int threads) {
  std::vector<Pairs> ranges(rangesOf(bodies, threads));
  parallelFor(threads, ranges.size(), [&](std::size_t range) {
    const std::size_t begin = bodies * range / ranges.size(),
                      count = bodies * (range + 1) / ranges.size() - begin;
    const auto forOwn = [&](auto&& f) {
      for (const Pairs& part : parts)
        for (const auto& [a, b] : part)
          if (a - begin < count) f(a - begin, b);
    };
    std::vector<std::size_t> start(count + 1, 0);
    forOwn([&](std::size_t a, BodyId) { ++start[a + 1]; });
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<BodyId> partners(start.back());
    std::vector<std::size_t> next(start.begin(), start.end() - 1);
    forOwn([&](std::size_t a, BodyId b) { partners[next[a]++] = b; });
    Pairs& own = ranges[range];
    own.reserve(partners.size());
    for (std::size_t a = 0; a < count; ++a) {
      const std::span of = std::span(partners).subspan(start[a], start[a + 1] - start[a]);
      std::ranges::sort(of);
      for (std::size_t k = 0; k < of.size(); ++k)
        if (k == 0 || of[k] != of[k - 1]) own.emplace_back(static_cast<BodyId>(begin + a), of[k]);
    }
  });
  Pairs pairs;
  join(threads, ranges, pairs);
  return pairs;
}

constexpr std::uint32_t itemsPerLeaf = 8;
/// A tree over boxes, and the boxes in the order of their places in it.
struct BoxTree {
  AabbTree tree;
  std::vector<Aabb> places;

  BoxTree(std::span<const Aabb> boxes, int threads)
      : tree(boxes, itemsPerLeaf, threads), places(boxes.size()) {
    constexpr std::size_t grain = 256;
    parallelFor(
        threads, tree.nodes().size(),
        [&](std::size_t k) {
          const AabbTree::Node& node = tree.node(static_cast<std::uint32_t>(k));
          for (std::uint32_t m = 0; m < node.count; ++m)
            places[node.begin + m] = boxes[tree.items(node)[m]];
        },
        grain);
  }
};

}  // namespace

Pairs overlappingPairs(std::span<const Aabb> boxes, BodyId driven, int threads, PairFilter wanted) {
  threads = static_cast<int>(rangesOf(boxes.size(), threads));
  const BoxTree of(boxes, threads);
  if (of.tree.empty()) return {};
  const Descent descent(of.tree, of.places, {driven, wanted});
  // Level by level until there is enough to share out.
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

Pairs overlappingImages(std::span<const Aabb> boxes, const Mat3& h, BodyId driven, int threads,
                        PairFilter wanted) {
  const BoxTree of(boxes, threads);
  if (of.tree.empty()) return {};
  std::vector<Pairs> found(27);  // most images do not meet the box of all bodies
  parallelJobs(threads, found.size(), [&](std::size_t image) {
    const int k = static_cast<int>(image);
    const Vec3 shift = h * Eigen::Vector3i(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1).cast<double>();
    Descent(of.tree, of.places, {driven, wanted}, shift).openAll({0, 0}, found[image]);
  });
  return sorted(found, boxes.size(), threads);
}

}  // namespace scree::sim

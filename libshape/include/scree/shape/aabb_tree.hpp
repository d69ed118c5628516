// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::shape {

/// Axis-aligned box; the default one is empty.
struct Aabb {
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);

  void add(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void add(const Aabb& box) {
    low = low.cwiseMin(box.low);
    high = high.cwiseMax(box.high);
  }
  Aabb grown(double by) const {
    Aabb box = *this;
    box.low.array() -= by;
    box.high.array() += by;
    return box;
  }
  void move(const Vec3& by) {
    low += by;
    high += by;
  }
  Vec3 centre() const { return 0.5 * (low + high); }
  Vec3 halfSize() const { return 0.5 * (high - low); }
  bool overlaps(const Aabb& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

/// Static tree over boxes: O(n log n) to build, O(log n + hits) per query. The order of hits
/// depends on the boxes alone.
class AabbTree {
 public:
  struct Node {
    Aabb box;
    std::uint32_t first = 0;           ///< leaf: place of its first item; else left child
    std::uint32_t count = 0;           ///< items of a leaf; 0 for an inner node
    std::uint32_t begin = 0, end = 0;  ///< places of the items below the node, in order of the tree
    bool leaf() const { return count > 0; }
  };

  AabbTree() = default;
  /// @param threads  that build it; it is the same for any number
  AabbTree(std::span<const Aabb> boxes, std::uint32_t itemsPerLeaf, int threads = 1);

  bool empty() const { return nodes_.empty(); }
  const Node& node(std::uint32_t k) const { return nodes_[k]; }
  const std::vector<Node>& nodes() const { return nodes_; }
  /// Items of a leaf: indices into the boxes the tree was made of.
  std::span<const std::uint32_t> items(const Node& leaf) const {
    return {items_.data() + leaf.first, leaf.count};
  }

  /// Renumbers the items by their place in the tree: those below a node become [begin, end).
  /// @returns the old number of each item
  std::vector<std::uint32_t> renumber();

  /// Calls f(item) for all items of leaves that overlap `box`; the box of an item may miss it.
  template <class F>
  void forEachNear(const Aabb& box, F&& f) const {
    if (nodes_.empty()) return;
    std::uint32_t stack[64];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Node& n = nodes_[stack[--top]];
      if (!n.box.overlaps(box)) continue;
      if (n.leaf()) {
        for (const std::uint32_t item : items(n)) f(item);
      } else {
        stack[top++] = n.first + 1;
        stack[top++] = n.first;
      }
    }
  }

 private:
  std::vector<Node> nodes_;  ///< children of a node stand side by side
  std::vector<std::uint32_t> items_;
};

}  // namespace scree::shape

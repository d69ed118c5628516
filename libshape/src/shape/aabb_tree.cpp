// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/aabb_tree.hpp"

#include <algorithm>
#include <numeric>

namespace scree::shape {

AabbTree::AabbTree(std::span<const Aabb> boxes, std::uint32_t itemsPerLeaf) {
  if (boxes.empty()) return;
  items_.resize(boxes.size());
  std::iota(items_.begin(), items_.end(), 0u);
  nodes_.reserve(2 * boxes.size() / std::max(itemsPerLeaf, 1u) + 1);
  nodes_.emplace_back();
  // Halving by the median keeps the depth at log2(n), so the fixed stacks of the queries suffice.
  struct Job {
    std::uint32_t node, begin, end;
  };
  std::vector<Job> jobs{{0, 0, static_cast<std::uint32_t>(boxes.size())}};
  while (!jobs.empty()) {
    const Job job = jobs.back();
    jobs.pop_back();
    Aabb box, centres;
    for (std::uint32_t k = job.begin; k < job.end; ++k) {
      box.add(boxes[items_[k]]);
      centres.add(boxes[items_[k]].centre());
    }
    nodes_[job.node].box = box;
    nodes_[job.node].begin = job.begin;
    nodes_[job.node].end = job.end;
    if (job.end - job.begin <= std::max(itemsPerLeaf, 1u)) {
      nodes_[job.node].first = job.begin;
      nodes_[job.node].count = job.end - job.begin;
      std::sort(items_.begin() + job.begin, items_.begin() + job.end);
      continue;
    }
    int axis = 0;
    centres.halfSize().maxCoeff(&axis);
    const std::uint32_t middle = job.begin + (job.end - job.begin) / 2;
    std::nth_element(items_.begin() + job.begin, items_.begin() + middle, items_.begin() + job.end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const double ca = boxes[a].low[axis] + boxes[a].high[axis];
                       const double cb = boxes[b].low[axis] + boxes[b].high[axis];
                       return ca != cb ? ca < cb : a < b;
                     });
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[job.node].first = child;
    nodes_.emplace_back();
    nodes_.emplace_back();
    jobs.push_back({child, job.begin, middle});
    jobs.push_back({child + 1, middle, job.end});
  }
}

std::vector<std::uint32_t> AabbTree::renumber() {
  std::vector<std::uint32_t> places(items_.size());
  std::iota(places.begin(), places.end(), 0u);
  items_.swap(places);
  return places;
}

}  // namespace scree::shape

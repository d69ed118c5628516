// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rounded_body.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <algorithm>
#include <cmath>

namespace scree::tools::image {

/// Calls visit(item) for each item of each leaf that a ray meets in [from, to], roughly by
/// distance. Each node reads `to` again, so `visit` may lower it.
template <class Visit>
void forEachAlong(const shape::AabbTree& tree, const Ray& ray, double from, const double& to,
                  Visit&& visit) {
  constexpr double never = 1e300;
  if (tree.empty()) return;
  Vec3 inverse;
  for (int k = 0; k < 3; ++k)
    inverse[k] = std::abs(ray.direction[k]) > 1e-300 ? 1.0 / ray.direction[k] : 1e300;
  const auto entry = [&](const shape::Aabb& box) {
    const Vec3 t0 = (box.low - ray.origin).cwiseProduct(inverse),
               t1 = (box.high - ray.origin).cwiseProduct(inverse);
    const double in = std::max(t0.cwiseMin(t1).maxCoeff(), from),
                 out = std::min(t0.cwiseMax(t1).minCoeff(), to);
    return in <= out ? in : never;
  };
  struct Job {
    std::uint32_t node;
    double t;
  };
  Job stack[64];
  int top = 0;
  if (const double t = entry(tree.node(0).box); t < never) stack[top++] = {0, t};
  while (top > 0) {
    const Job job = stack[--top];
    if (job.t > to) continue;
    const shape::AabbTree::Node& node = tree.node(job.node);
    if (node.leaf()) {
      for (const std::uint32_t item : tree.items(node)) visit(item);
      continue;
    }
    const double left = entry(tree.node(node.first).box),
                 right = entry(tree.node(node.first + 1).box);
    const bool leftFirst = left <= right;
    const Job near{node.first + (leftFirst ? 0 : 1), std::min(left, right)},
        far{node.first + (leftFirst ? 1 : 0), std::max(left, right)};
    if (far.t < never) stack[top++] = far;
    if (near.t < never) stack[top++] = near;
  }
}

}  // namespace scree::tools::image

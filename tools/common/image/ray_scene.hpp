// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "render.hpp"

#include "scree/shape/aabb_tree.hpp"

#include <span>

namespace scree::tools::image {

/// The bodies of a picture, to be asked by rays of the scene. Keeps the span.
class Scene {
 public:
  explicit Scene(std::span<const Placed> bodies);

  const shape::Aabb& box() const { return box_; }
  /// Whether no point of the bodies can hide light from another.
  bool convexAlone() const { return convexAlone_; }

  struct Found {
    Hit hit;
    int body = -1;
  };
  Found first(const Ray& ray) const;
  bool blocks(const Ray& ray, double from, double to) const;

 private:
  std::span<const Placed> bodies_;
  shape::AabbTree tree_;
  shape::Aabb box_;
  bool convexAlone_ = false;
};

}  // namespace scree::tools::image

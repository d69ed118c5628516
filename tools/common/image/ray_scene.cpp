// SPDX-License-Identifier: GPL-3.0-or-later
#include "ray_scene.hpp"

#include "ray_tree.hpp"

#include <vector>

namespace scree::tools::image {
namespace {

/// A ray in the frame of a body at homothety 1.
Ray local(const Placed& b, const Ray& ray) {
  return {turnedBack(b.orientation, ray.origin - b.position) / b.homothety,
          turnedBack(b.orientation, ray.direction)};
}

}  // namespace

Scene::Scene(std::span<const Placed> bodies) : bodies_(bodies) {
  std::vector<shape::Aabb> boxes;
  for (const Placed& b : bodies) {
    const shape::Aabb& own = b.body->box();
    shape::Aabb box;
    for (int corner = 0; corner < 8; ++corner)
      box.add(b.position +
              rotated(b.orientation, b.homothety * Vec3(corner & 1 ? own.high.x() : own.low.x(),
                                                        corner & 2 ? own.high.y() : own.low.y(),
                                                        corner & 4 ? own.high.z() : own.low.z())));
    boxes.push_back(box);
    box_.add(box);
  }
  tree_ = shape::AabbTree(boxes, 1);
  convexAlone_ = bodies.size() == 1 && bodies[0].body->convex();
}

Scene::Found Scene::first(const Ray& ray) const {
  Found found;
  forEachAlong(tree_, ray, 0.0, found.hit.t, [&](std::uint32_t k) {
    const double h = bodies_[k].homothety;
    const Hit hit = bodies_[k].body->first(local(bodies_[k], ray), 0.0, found.hit.t / h);
    const bool nearer =
        hit.t * h < found.hit.t || (hit.t * h == found.hit.t && static_cast<int>(k) < found.body);
    if (!hit.any() || !nearer) return;
    found.body = static_cast<int>(k);
    found.hit = {hit.t * h, rotated(bodies_[k].orientation, hit.normal), hit.faceSize * h,
                 hit.edgeNear, rotated(bodies_[k].orientation, h * hit.toEdge)};
  });
  return found;
}

bool Scene::blocks(const Ray& ray, double from, double to) const {
  bool blocked = false;
  double limit = to;
  forEachAlong(tree_, ray, from, limit, [&](std::uint32_t k) {
    const Placed& b = bodies_[k];
    if (blocked || !b.body->blocks(local(b, ray), from / b.homothety, to / b.homothety)) return;
    blocked = true;
    limit = -1e300;  // nothing more to ask
  });
  return blocked;
}

}  // namespace scree::tools::image

// SPDX-License-Identifier: GPL-3.0-or-later
#include "soft_packing.hpp"

#include "scree/sim/pack/fill.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::sim {

PushedApart pushedApart(const std::vector<shape::Shape>& shapes, std::vector<PlacedBody> bodies,
                        double enough, int threads) {
  shape::Aabb box;
  double largest = 0.0;
  for (const PlacedBody& body : bodies) {
    const shape::Aabb own = boundingBox(shapes[body.shape], body);
    box.add(own);
    largest = std::max(largest, own.halfSize().maxCoeff());
  }
  // Walls so far away that none is touched.
  const Vec3 shift = Vec3::Constant(2.0 * largest) - box.low,
             sides = 2.0 * box.halfSize() + Vec3::Constant(4.0 * largest);
  const Container room =
      Container::parse(fmt::format("box:{},{},{}", sides.x(), sides.y(), sides.z()));
  std::vector<PlacedBody> shifted = bodies;
  for (PlacedBody& body : shifted) body.pos += shift;
  SoftPacking soft(shapes, shifted, room, threads);
  PushedApart out;
  soft.clear(HUGE_VAL, 0);
  out.before = std::max(0.0, soft.load().deepest);
  soft.clear(enough, 400);
  out.after = std::max(0.0, soft.load().deepest);
  out.crossings = soft.crossings();
  out.bodies = soft.bodies();
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    out.bodies[k].pos -= shift;
    out.bodies[k].group = bodies[k].group;
    out.bodies[k].cluster = bodies[k].cluster;
    const double move = (out.bodies[k].pos - bodies[k].pos).norm();
    out.meanMove += move / static_cast<double>(bodies.size());
    out.largestMove = std::max(out.largestMove, move);
  }
  return out;
}

}  // namespace scree::sim

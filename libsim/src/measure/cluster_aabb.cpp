// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/shape/aabb_tree.hpp"
#include "scree/sim/measure/extractors.hpp"

#include <limits>

namespace scree::sim {

std::vector<Column> ClusterAABB::columns() {
  return {{"t", "s"},    {"xmin", "m"}, {"ymin", "m"}, {"zmin", "m"},
          {"xmax", "m"}, {"ymax", "m"}, {"zmax", "m"}};
}

Row ClusterAABB::row(const Snapshot& s) const {
  shape::Aabb box;
  bool any = false;
  for (const ParticleRecord& p : s.particles) {
    if (p.cluster != cluster) continue;
    const shape::Shape& shape = s.shapes[p.shapeName];
    if (shape.vertices.empty()) continue;
    for (std::size_t v = 0; v < shape.vertices.size(); ++v) {
      shape::Aabb ball;
      ball.add(p.pos + rotated(p.q, p.homothety * shape.vertices[v]));
      box.add(ball.grown(shape.radiusAt(v) * p.homothety));
    }
    any = true;
  }
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const Vec3 low = any ? box.low : Vec3::Constant(nan), high = any ? box.high : low;
  return {s.t, low.x(), low.y(), low.z(), high.x(), high.y(), high.z()};
}

}  // namespace scree::sim

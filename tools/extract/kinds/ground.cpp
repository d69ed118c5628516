// SPDX-License-Identifier: GPL-3.0-or-later
#include "ground.hpp"

#include <algorithm>
#include <cmath>

namespace scree::tools {

Up::Up(const Vec3& gravity) {
  const double size = gravity.norm();
  if (size > 0.0) direction = -gravity / size;
}

Ground::Ground(const sim::Instant& instant) : up_(instant.conf().gravity) {
  for (std::size_t k = 0; k < instant.conf().nDriven; ++k) {
    const sim::ParticleRecord& p = instant.body(k);
    const shape::Shape& s = instant.shapeOf(k);
    const double radius = p.homothety * s.radius;
    std::vector<Vec3> at;
    for (const Vec3& v : s.vertices) {
      at.push_back(p.pos + rotated(p.q, p.homothety * v));
      box_.add(at.back() - Vec3::Constant(radius));
      box_.add(at.back() + Vec3::Constant(radius));
    }
    for (std::size_t f = 0; f < s.faces.size(); ++f)
      for (std::size_t c = 1; c + 1 < s.faces[f].size(); ++c)
        triangles_.push_back({at[s.faces[f][0]], at[s.faces[f][c]], at[s.faces[f][c + 1]], radius});
  }
}

double Ground::below(const Vec3& x) const {
  double least = notKnown, below = notKnown;
  for (const Triangle& t : triangles_) {
    // Straight down to the plane of the triangle, and whether that meets it, edges included.
    const Vec3 n = (t.b - t.a).cross(t.c - t.a);
    const double slope = n.dot(up_.direction);
    if (slope == 0.0) continue;
    const double height = n.dot(x - t.a) / slope;
    if (height < 0.0 || height >= least) continue;
    const Vec3 foot = x - height * up_.direction;
    const auto inside = [&](const Vec3& a, const Vec3& b) {
      return (b - a).cross(foot - a).dot(n) >= 0.0;
    };
    if (!inside(t.a, t.b) || !inside(t.b, t.c) || !inside(t.c, t.a)) continue;
    least = height;
    below = height - t.radius * n.norm() / std::abs(slope);
  }
  return below;
}

bool Ground::left(const Vec3& x) const {
  if (triangles_.empty()) return false;
  Eigen::Index axis = 0;
  up_.direction.cwiseAbs().maxCoeff(&axis);
  Vec3 p = x;
  p[axis] = up_.direction[axis] > 0.0 ? std::min(p[axis], box_.high[axis])
                                      : std::max(p[axis], box_.low[axis]);
  return (p.array() < box_.low.array()).any() || (p.array() > box_.high.array()).any();
}

}  // namespace scree::tools

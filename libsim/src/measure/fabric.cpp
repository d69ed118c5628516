// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/fabric.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scree::sim {

std::vector<Touching> touchingOf(const Instant& instant, bool byPairs) {
  struct Point {
    std::pair<BodyId, BodyId> pair;
    Touching touching;
  };
  std::vector<Point> points;
  for (const Link& c : instant.links()) {
    if (!c.touches() && c.kind != Link::Kind::bond) continue;
    Point p{c.j == Link::none ? std::pair(c.i, Link::none - c.jSub) : bodyPair(c.i, c.j),
            {c.i, c.j, c.n, c.fn, c.ft}};
    points.push_back(p);
  }
  std::vector<Touching> out;
  out.reserve(points.size());
  if (!byPairs) {
    for (const Point& p : points) out.push_back(p.touching);
    return out;
  }
  std::ranges::stable_sort(points, {}, &Point::pair);
  for (std::size_t k = 0; k < points.size();) {
    Touching sum{points[k].pair.first,
                 points[k].touching.j == Link::none ? Link::none : points[k].pair.second,
                 Vec3::Zero(), 0.0, Vec3::Zero()};
    Vec3 force = Vec3::Zero(), normals = Vec3::Zero();
    const auto pair = points[k].pair;
    for (; k < points.size() && points[k].pair == pair; ++k) {
      const Touching& t = points[k].touching;
      const double sign = t.i == sum.i ? 1.0 : -1.0;
      force += sign * (t.fn * t.n + t.ft);
      normals += sign * t.n;
    }
    // A pair that pulls has its normal from j to i all the same.
    if (force.norm() > 0.0)
      sum.n = (force.dot(normals) < 0.0 ? -1.0 : 1.0) * force.normalized();
    else if (normals.norm() > 0.0)
      sum.n = normals.normalized();
    sum.fn = force.dot(sum.n);
    sum.ft = force - sum.fn * sum.n;
    out.push_back(sum);
  }
  return out;
}

Mat3 FabricSums::fabric() const {
  return count > 0 ? Mat3(nn / static_cast<double>(count)) : Mat3::Constant(std::nan(""));
}

Mat3 FabricSums::anisotropy() const { return 7.5 * (fabric() - Mat3::Identity() / 3.0); }

ForceAnisotropies forceAnisotropies(const std::vector<Touching>& contacts, const Mat3& a) {
  Mat3 normal = Mat3::Zero(), tangential = Mat3::Zero();
  for (const Touching& c : contacts) {
    const double density = 1.0 + c.n.dot(a * c.n);
    if (!(density > 0.0)) {
      const Mat3 unknown = Mat3::Constant(std::nan(""));
      return {unknown, unknown};
    }
    normal += (c.fn / density) * c.n * c.n.transpose();
    tangential += c.ft * c.n.transpose() / density;
  }
  const double f0 = normal.trace();
  const auto deviator = [](const Mat3& m) {
    const Mat3 symmetric = 0.5 * (m + m.transpose());
    return Mat3(symmetric - symmetric.trace() / 3.0 * Mat3::Identity());
  };
  return {7.5 * deviator(normal) / f0, 5.0 * deviator(tangential) / f0};
}

}  // namespace scree::sim

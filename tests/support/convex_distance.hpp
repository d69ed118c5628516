// SPDX-License-Identifier: GPL-3.0-or-later
// The distance of two convex solids by the method of Gilbert, Johnson and Keerthi (IEEE J. Robotics
// Autom. 4(2), 193-203, 1988), independent of the contact geometry of the library.
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/pack/packing.hpp"

#include <cmath>
#include <vector>

namespace scree::testing {

/// Point of least norm of the hull of up to four points; keeps those that carry it.
inline Vec3 leastNorm(std::vector<Vec3>& simplex) {
  Vec3 best = Vec3::Zero();
  double least = 1e300;
  std::vector<Vec3> kept;
  const unsigned n = static_cast<unsigned>(simplex.size());
  for (unsigned subset = 1; subset < (1U << n); ++subset) {
    std::vector<Vec3> points;
    for (unsigned k = 0; k < n; ++k)
      if (subset >> k & 1U) points.push_back(simplex[k]);
    // Least norm on the affine hull: p0 + E t with EᵀE t = -Eᵀp0.
    const auto m = static_cast<Eigen::Index>(points.size()) - 1;
    // At most three by three, on the stack.
    using Edges = Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3>;
    using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
    using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;
    Edges edges(3, m);
    for (Eigen::Index k = 0; k < m; ++k)
      edges.col(k) = points[static_cast<std::size_t>(k) + 1] - points[0];
    Column t;
    if (m > 0) {
      const Square gram = edges.transpose() * edges;
      t = gram.fullPivLu().solve(Column(-edges.transpose() * points[0]));
    }
    if (m > 0 && (t.minCoeff() < -1e-12 || t.sum() > 1.0 + 1e-12)) continue;
    const Vec3 p = m > 0 ? Vec3(points[0] + edges * t) : points[0];
    if (p.squaredNorm() < least) {
      least = p.squaredNorm();
      best = p;
      kept = points;
    }
  }
  simplex = kept;
  return best;
}

/// [L] a lower bound, near the distance itself, on the distance of the hulls of two sets of points;
/// 0 where they meet. @param shift  added to the second set @param enough  a bound of that size
/// ends the search
inline double hullDistance(const std::vector<Vec3>& pa, const std::vector<Vec3>& pb,
                           const Vec3& shift, double enough = HUGE_VAL) {
  const auto farthest = [](const std::vector<Vec3>& points, const Vec3& along) {
    const Vec3* best = points.data();
    for (const Vec3& p : points)
      if (p.dot(along) > best->dot(along)) best = &p;
    return *best;
  };
  Vec3 v = pa[0] - pb[0] - shift;
  std::vector<Vec3> simplex;
  double bound = 0.0;
  for (int k = 0; k < 200; ++k) {
    const double norm = v.norm();
    if (norm < 1e-14) return 0.0;
    const Vec3 w = farthest(pa, -v) - farthest(pb, v) - shift;
    bound = std::max(bound, v.dot(w) / norm);
    if (bound >= enough || norm - bound < 1e-13 * norm || norm - bound < 1e-14) break;
    if (simplex.size() == 4) break;
    simplex.push_back(w);
    v = leastNorm(simplex);
  }
  return bound;
}

/// The same of the hulls of two bodies' vertices. @param shift  added to the place of b
inline double coreDistance(const shape::Shape& shapeA, const sim::PlacedBody& a,
                           const shape::Shape& shapeB, const sim::PlacedBody& b,
                           const Vec3& shift) {
  const auto corners = [](const shape::Shape& s, const sim::PlacedBody& body) {
    std::vector<Vec3> points;
    for (const Vec3& v : s.vertices)
      points.push_back(body.pos + body.homothety * (body.q.toRotationMatrix() * v));
    return points;
  };
  return hullDistance(corners(shapeA, a), corners(shapeB, b), shift);
}

}  // namespace scree::testing

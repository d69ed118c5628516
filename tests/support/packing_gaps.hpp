// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps between all bodies of a packing by the distance of convex pieces, and how evenly they are
// turned. The distance is that of Gilbert, Johnson and Keerthi (IEEE J. Robotics Autom. 4(2),
// 193-203, 1988), independent of the contact geometry of the library.
#pragma once

#include "sample_shapes.hpp"

#include "scree/mass/shape_mass.hpp"
#include "scree/sim/pack/container.hpp"
#include "scree/sim/pack/packing.hpp"

#include <algorithm>
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

/// A shape and the convex pieces, as points of its body frame, whose union its skeleton bounds.
struct PiecedShape {
  shape::Shape shape;
  std::vector<std::vector<Vec3>> pieces;
};

inline PiecedShape convexShape(shape::Shape s, const std::string& name) {
  s.name = name;
  mass::survey(s);
  std::vector<std::vector<Vec3>> pieces{s.vertices};
  return {std::move(s), std::move(pieces)};
}

/// The L of three cubes, scaled: two bars that share the corner cube.
inline PiecedShape elbow(double edge, double radius) {
  shape::Shape s = samples::letterL(radius);
  for (Vec3& v : s.vertices) v *= edge;
  s.name = "Elbow";
  mass::survey(s);
  // Points of the outline in the order of letterL, below and above.
  const auto corners = [&](std::initializer_list<std::size_t> outline) {
    std::vector<Vec3> points;
    for (const std::size_t k : outline)
      for (const std::size_t layer : {0, 6}) points.push_back(s.vertices[k + layer]);
    return points;
  };
  std::vector<Vec3> along = corners({0, 1, 2}), across = corners({0, 4, 5});
  for (const std::size_t layer : {0, 6}) {
    along.push_back(0.5 * (s.vertices[layer] + s.vertices[5 + layer]));   // (0, 1)
    across.push_back(0.5 * (s.vertices[layer] + s.vertices[1 + layer]));  // (1, 0)
  }
  return {s, {along, across}};
}

/// Dodecahedra, bricks 1 : 0.7 : 0.5, tetrahedra and elbows of similar sizes.
inline std::vector<PiecedShape> mixedShapes() {
  return {convexShape(samples::dodecahedron(0.48, 0.02), "Dodecahedron"),
          convexShape(shape::makeBox({1.0, 0.7, 0.5}, 0.02), "Brick"),
          convexShape(samples::regularTetrahedron(1.2, 0.02), "Tetrahedron"), elbow(0.45, 0.02)};
}
inline std::vector<shape::Shape> shapesOf(const std::vector<PiecedShape>& pieced) {
  std::vector<shape::Shape> shapes;
  for (const PiecedShape& p : pieced) shapes.push_back(p.shape);
  return shapes;
}

/// [L] least gap of all pairs of bodies, images in a periodic cell included, as far as it is below
/// 0.1 of the smallest reach. O(bodies²).
inline double leastGapOf(const std::vector<PiecedShape>& shapes,
                         const std::vector<sim::PlacedBody>& bodies,
                         const sim::Container& container) {
  double least = HUGE_VAL;
  std::vector<double> reach;
  std::vector<std::vector<std::vector<Vec3>>> placed;
  for (const sim::PlacedBody& b : bodies) {
    const PiecedShape& s = shapes[b.shape];
    reach.push_back(b.homothety * sim::boundingRadius(s.shape));
    least = std::min(least, 0.1 * reach.back());
    const Mat3 turn = b.homothety * b.q.toRotationMatrix();
    auto& pieces = placed.emplace_back(s.pieces);
    for (std::vector<Vec3>& piece : pieces)
      for (Vec3& p : piece) p = b.pos + turn * p;
  }
  const Vec3 size = container.box().high;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t j = i + 1; j < bodies.size(); ++j) {
      const sim::PlacedBody &a = bodies[i], &b = bodies[j];
      Vec3 shift = Vec3::Zero();
      if (container.periodic())
        for (int k = 0; k < 3; ++k)
          shift[k] = size[k] * std::round((a.pos[k] - b.pos[k]) / size[k]);
      if ((a.pos - b.pos - shift).norm() > reach[i] + reach[j] + least) continue;
      const double rounding =
          a.homothety * shapes[a.shape].shape.radius + b.homothety * shapes[b.shape].shape.radius;
      for (const std::vector<Vec3>& p : placed[i])
        for (const std::vector<Vec3>& q : placed[j])
          least = std::min(least, hullDistance(p, q, shift, rounding + least) - rounding);
    }
  return least;
}

/// [L] least depth of all rounded vertices below the wall of a convex container.
inline double leastDepthOf(const std::vector<PiecedShape>& shapes,
                           const std::vector<sim::PlacedBody>& bodies,
                           const sim::Container& container) {
  double least = HUGE_VAL;
  for (const sim::PlacedBody& b : bodies) {
    const shape::Shape& s = shapes[b.shape].shape;
    for (const Vec3& v : s.vertices)
      least = std::min(least, container.depth(b.pos + b.homothety * (b.q.toRotationMatrix() * v)) -
                                  b.homothety * s.radius);
  }
  return least;
}

/// Largest component of <u uᵀ> - I/3 over the three body axes of one shape's bodies.
inline double anisotropyOf(const std::vector<sim::PlacedBody>& bodies, std::uint32_t shape) {
  double worst = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    Mat3 sum = Mat3::Zero();
    double n = 0.0;
    for (const sim::PlacedBody& b : bodies) {
      if (b.shape != shape) continue;
      const Vec3 u = b.q.toRotationMatrix().col(axis);
      sum += u * u.transpose();
      ++n;
    }
    if (n > 0.0) worst = std::max(worst, (sum / n - Mat3::Identity() / 3.0).cwiseAbs().maxCoeff());
  }
  return worst;
}

}  // namespace scree::testing

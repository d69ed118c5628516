// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/member_geometry.hpp"

#include "scree/base/error.hpp"

#include <CGAL/Cartesian.h>
#include <CGAL/Min_sphere_of_spheres_d.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;

Ball smallestBall(const std::vector<Ball>& balls) {
  using Traits = CGAL::Min_sphere_of_spheres_d_traits_3<CGAL::Cartesian<double>, double>;
  std::vector<Traits::Sphere> spheres;
  for (const Ball& b : balls)
    spheres.emplace_back(Traits::Point(b.centre.x(), b.centre.y(), b.centre.z()), b.radius);
  CGAL::Min_sphere_of_spheres_d<Traits> least(spheres.begin(), spheres.end());
  auto c = least.center_cartesian_begin();
  const double x = *c++, y = *c++, z = *c++;
  return {Vec3(x, y, z), least.radius()};
}

/// The point of an ellipsoid that is farthest from the point `from`, both in its own axes.
Vec3 farthestPoint(const Vec3& axes, const Vec3& from) {
  // The maximum of |A u - p|² over unit u is where A(A u - p) = t u with t above all a².
  // So u = -a p / (t - a²). The sum of their squares falls from infinity to 0 as t grows.
  const double top = axes.maxCoeff() * axes.maxCoeff();
  const Vec3 ap = axes.cwiseProduct(from);
  const auto excess = [&](double t) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
      if (ap[k] != 0.0) {
        const double share = ap[k] / (t - axes[k] * axes[k]);
        sum += share * share;
      }
    return sum - 1.0;
  };
  double low = 0.0, high = ap.norm() + top;  // t - top; at high every term is small enough
  for (int step = 0; step < 200 && high - low > 1e-16 * high; ++step) {
    const double middle = 0.5 * (low + high);
    (excess(top + middle) > 0.0 ? low : high) = middle;
  }
  const double t = top + high;
  Vec3 u = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (ap[k] != 0.0) u[k] = -ap[k] / (t - axes[k] * axes[k]);
  // From the middle of the body the longest axis is free to make up the length.
  const double rest = 1.0 - u.squaredNorm();
  if (rest > 1e-12) {
    int longest = 0;
    axes.maxCoeff(&longest);
    u[longest] += (u[longest] > 0.0 ? 1.0 : -1.0) * std::sqrt(rest);
  }
  return axes.cwiseProduct(u.normalized());
}

struct Ellipsoid {
  Vec3 centre, axes;
  Mat3 turn;
  Vec3 farthestFrom(const Vec3& point) const {
    return centre + turn * farthestPoint(axes, turn.transpose() * (point - centre));
  }
};

Ball ballAround(std::vector<Ball> balls, const std::vector<Ellipsoid>& ellipsoids) {
  if (balls.empty() && ellipsoids.size() == 1)
    return {ellipsoids.front().centre, ellipsoids.front().axes.maxCoeff()};
  for (const Ellipsoid& e : ellipsoids) balls.push_back({e.centre, e.axes.minCoeff()});
  Ball best = smallestBall(balls);
  // CGAL leaves an error of 1e-8, since farthest points of an ellipsoid nearly coincide.
  constexpr double enough = 1e-7;
  for (int step = 0; step < 1000 && !ellipsoids.empty(); ++step) {
    double reach = best.radius;
    for (const Ellipsoid& e : ellipsoids) {
      const Vec3 point = e.farthestFrom(best.centre);
      const Vec3 across =
          2.0 * e.centre - point;  // its mirror image: as far where the ball is centred
      reach = std::max(reach, (point - best.centre).norm());
      balls.push_back({point, 0.0});
      balls.push_back({across, 0.0});
    }
    if (reach <= best.radius * (1.0 + enough)) break;
    best = smallestBall(balls);
  }
  // The ball also holds points that the solver's rounding left outside.
  for (const Ball& b : balls)
    best.radius = std::max(best.radius, (b.centre - best.centre).norm() + b.radius);
  for (const Ellipsoid& e : ellipsoids)
    best.radius = std::max(best.radius, (e.farthestFrom(best.centre) - best.centre).norm());
  return best;
}

}  // namespace

std::vector<Ball> hullBalls(const PackMember& m, const Vec3& origin) {
  std::vector<Ball> balls;
  const Vec3 centre = m.centre - origin;
  if (m.kind() == Kind::sphere) balls.push_back({centre, m.radius});
  if (m.kind() == Kind::capsule)
    for (const double side : {-1.0, 1.0})
      balls.push_back({centre + side * capsuleHalfShaft(m), capsuleRadius(m)});
  if (m.kind() == Kind::tetra)
    for (const Vec3& node : m.nodes()) balls.push_back({node - origin, m.rounding()});
  if (m.kind() != Kind::facet) return balls;
  std::vector<Vec3> corners = polyhedronCorners(m);
  if (corners.empty()) corners = m.nodes();
  for (const Vec3& corner : corners) balls.push_back({corner - origin, 0.0});
  return balls;
}

Ball boundingBall(std::span<const PackMember> members) {
  if (members.empty()) throw GeometryError("the smallest ball of no shape");
  const Vec3 origin =
      members.front().nodes().empty() ? members.front().centre : members.front().nodes().front();
  std::vector<Ball> balls;
  std::vector<Ellipsoid> ellipsoids;
  for (const PackMember& m : members) {
    std::ranges::copy(hullBalls(m, origin), std::back_inserter(balls));
    if (m.kind() == Kind::ellipsoid)
      ellipsoids.push_back(
          {m.centre - origin, ellipsoidSemiAxes(m), rotationMatrix(ellipsoidOrientation(m))});
  }
  Ball best = ballAround(std::move(balls), ellipsoids);
  best.centre += origin;
  return best;
}

}  // namespace scree::clump

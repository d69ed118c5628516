// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/member_geometry.hpp"

#include "detail/exact_products.hpp"

#include "scree/base/error.hpp"
#include "scree/shape/hull.hpp"
#include "scree/shape/mesh.hpp"

#include <CGAL/Cartesian.h>
#include <CGAL/Min_sphere_of_spheres_d.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;
using Products = scree::detail::EdgeProducts;

// Moments about the member's own centre, where no digits are lost.

mass::Moments ellipsoidMoments(const PackMember& m) {
  const Mat3 stretch = ellipsoidStretch(m);
  const double volume = 4.0 / 3.0 * pi * ellipsoidSemiAxes(m).prod();
  return {volume, Vec3::Zero(), 0.2 * volume * stretch * stretch.transpose()};
}

mass::Moments facetMoments(const PackMember& m) {
  const Vec3 c = middleOf(m), a = m.nodes()[0] - c, b = m.nodes()[1] - c, d = m.nodes()[2] - c;
  const Vec3 doubleArea = Products::cross(m.nodes()[0], m.nodes()[1], m.nodes()[2]);
  const double area = 0.5 * doubleArea.norm(), t = facetHalfThickness(m);
  if (!(area > 0.0)) return {};
  const Vec3 n = doubleArea.normalized();
  return {2.0 * t * area, Vec3::Zero(),
          2.0 * t * area / 12.0 * (a * a.transpose() + b * b.transpose() + d * d.transpose()) +
              2.0 / 3.0 * t * t * t * area * n * n.transpose()};
}

mass::Moments tetraMoments(const PackMember& m) {
  const Vec3 c = middleOf(m);
  const auto& n = m.nodes();
  mass::Moments out;
  out.m0 = std::fabs(Products::triple(n[0], n[1], n[2], n[3])) / 6.0;
  for (const Vec3& node : m.nodes()) out.m2 += out.m0 / 20.0 * (node - c) * (node - c).transpose();
  return out;
}

}  // namespace

Mat3 ellipsoidStretch(const PackMember& m) {
  return rotationMatrix(ellipsoidOrientation(m)) * ellipsoidSemiAxes(m).asDiagonal();
}

Vec3 middleOf(const PackMember& m) {
  if (m.nodes().empty()) return m.centre;
  Vec3 offset = Vec3::Zero();
  for (const Vec3& node : m.nodes()) offset += node - m.nodes().front();
  return m.nodes().front() + offset / static_cast<double>(m.nodes().size());
}

std::string_view kindOf(const PackParticle& p) {
  return p.members.size() > 1 ? std::string_view("clump") : p.members.front().type->name;
}

std::size_t spheresIn(const PackParticle& p) {
  return static_cast<std::size_t>(std::ranges::count(p.members, Kind::sphere, &PackMember::kind));
}

bool isPolyhedron(const PackMember& m) {
  return m.kind() == Kind::facet || (m.kind() == Kind::tetra && m.rounding() == 0.0);
}

std::vector<Vec3> polyhedronCorners(const PackMember& m) {
  if (m.kind() == Kind::tetra) return m.nodes();
  std::vector<Vec3> corners = polyhedronOf(m).corners;
  for (Vec3& c : corners) c += m.nodes().front();
  return corners;
}

mass::Polyhedron polyhedronOf(const PackMember& m) {
  mass::Polyhedron out;
  out.place = m.nodes().front();
  if (m.kind() == Kind::tetra) {
    for (const Vec3& node : m.nodes()) out.corners.push_back(node - out.place);
    return out;
  }
  const Vec3 normal = Products::cross(m.nodes()[0], m.nodes()[1], m.nodes()[2]).stableNormalized();
  const double t = facetHalfThickness(m);
  if (!(t > 0.0) || normal == Vec3::Zero()) return out;
  out.prism = true;
  for (const double side : {-t, t})
    for (const Vec3& node : m.nodes()) out.corners.push_back(node - out.place + side * normal);
  return out;
}

mass::Moments memberMoments(const PackMember& member, const Vec3& origin) {
  const Vec3 middle = middleOf(member);
  mass::Moments about;
  if (member.kind() == Kind::ellipsoid) {
    about = ellipsoidMoments(member);
  } else if (isPolyhedron(member)) {
    about = member.kind() == Kind::facet ? facetMoments(member) : tetraMoments(member);
  } else {
    std::vector<Vec3> centres;
    const std::vector<Ball> balls = hullBalls(member, middle);
    for (const Ball& ball : balls) centres.push_back(ball.centre);
    about = mass::sweptHullMoments(shape::convexHull(centres), balls.front().radius);
  }
  return about.movedBy(middle - origin);
}

namespace {

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

namespace {

using MemberGroup = std::vector<std::uint32_t>;

/// Whether tetrahedra fill their hull, and none overlaps another.
bool fillsHull(const PackParticle& particle, const MemberGroup& group) {
  std::vector<Vec3> corners;
  for (const std::uint32_t m : group)
    std::ranges::copy(particle.members[m].nodes(), std::back_inserter(corners));
  const shape::ConvexHull hull = shape::convexHull(corners);
  if (hull.rank < 3) return false;
  const double whole = hull.volume();
  const Vec3 origin = hull.points.front();
  shape::Aabb box;
  for (const Vec3& p : hull.points) box.add(p);
  const double tolerance = std::max(1e-12 * whole, coordinateError(box) * hull.area());
  double sum = 0.0;
  std::vector<std::vector<Vec3>> solids;
  for (const std::uint32_t m : group) {
    const auto& n = particle.members[m].nodes();
    sum += std::fabs((n[1] - n[0]).dot((n[2] - n[0]).cross(n[3] - n[0]))) / 6.0;
    solids.push_back(n);
  }
  if (std::fabs(sum - whole) > tolerance) return false;
  try {
    return mass::polyhedronUnionMoments(solids, origin).m0 >= whole - tolerance;
  } catch (const GeometryError&) {
    return false;
  }
}

/// Consecutive tetrahedra of one rounding with the same first corner.
std::vector<MemberGroup> fans(const PackParticle& particle) {
  std::vector<MemberGroup> out;
  for (std::uint32_t k = 0; k < particle.members.size(); ++k) {
    const PackMember& m = particle.members[k];
    const bool tetra = m.kind() == MemberType::Kind::tetra;
    const PackMember* const last = out.empty() ? nullptr : &particle.members[out.back().back()];
    const bool same = tetra && last && last->kind() == m.kind() &&
                      last->rounding() == m.rounding() &&
                      last->nodes().front() == m.nodes().front();
    if (!same) out.emplace_back();
    out.back().push_back(k);
  }
  return out;
}

}  // namespace

double coordinateError(const shape::Aabb& box) {
  const double farOff = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).maxCoeff();
  return 8.0 * std::numeric_limits<double>::epsilon() * farOff;
}

std::vector<MemberGroup> pebblesOf(const PackParticle& particle) {
  std::vector<MemberGroup> out;
  for (const MemberGroup& group : fans(particle)) {
    if (group.size() == 1 || fillsHull(particle, group)) {
      out.push_back(group);
      continue;
    }
    for (const std::uint32_t m : group) out.push_back({m});
  }
  return out;
}

mass::Moments pebbleMoments(const PackParticle& particle, const MemberGroup& pebble,
                            const Vec3& origin, double& unsure) {
  const PackMember& first = particle.members[pebble.front()];
  if (pebble.size() == 1) return memberMoments(first, origin);
  std::vector<Vec3> corners;
  shape::Aabb box;
  for (const std::uint32_t k : pebble)
    for (const Vec3& node : particle.members[k].nodes()) {
      corners.push_back(node - origin);
      box.add(node);
    }
  const shape::ConvexHull hull = shape::convexHull(corners);
  // A layer below the surface. That of a convex body is smaller than that of its box.
  const Vec3 s = 2.0 * box.grown(first.rounding()).halfSize();
  const double surface = 2.0 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
  const double off = coordinateError(box);
  unsure += surface * (off + std::max(off, 1e-12 * hull.volume() / hull.area()));
  return mass::sweptHullMoments(hull, first.rounding());
}

mass::CertifiedBody pebbleBody(const PackParticle& particle) {
  mass::CertifiedBody body;
  for (const MemberGroup& group : pebblesOf(particle)) {
    const PackMember& first = particle.members[group.front()];
    if (first.kind() == MemberType::Kind::ellipsoid) {
      body.ellipsoids.push_back({first.centre, ellipsoidStretch(first)});
      continue;
    }
    std::vector<Vec3> points;
    mass::RoundedPart part;
    for (const std::uint32_t m : group)
      for (const Ball& ball : hullBalls(particle.members[m], Vec3::Zero())) {
        points.push_back(ball.centre);
        part.radius = ball.radius;
      }
    // A single one may be as thin as double precision allows.
    const shape::ConvexHull hull = shape::convexHull(points, group.size() > 1 ? 1e-12 : 0.0);
    if (hull.rank < 3 && part.radius == 0.0) continue;
    part.vertices = hull.points;
    part.solid = hull.rank == 3;
    if (hull.rank == 0) part.points = {0};
    if (hull.rank == 1) part.segments = {{0, 1}};
    part.triangles = shape::trianglesOf({hull.points, hull.faces});
    body.parts.push_back(std::move(part));
  }
  return body;
}

}  // namespace scree::clump

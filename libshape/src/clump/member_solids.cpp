// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/member_geometry.hpp"
#include "detail/exact_products.hpp"

#include "scree/clump/clump_mass.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/hull.hpp"

#include <algorithm>
#include <cmath>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;
using Products = scree::detail::EdgeProducts;

// Moments about the member's own centre, where no digits are lost.

mass::Moments ellipsoidMoments(const PackMember& m) {
  const Mat3 stretch = ellipsoidStretch(m);
  mass::Moments out;
  out.m0 = 4.0 / 3.0 * pi * ellipsoidSemiAxes(m).prod();
  out.m2 = 0.2 * out.m0 * stretch * stretch.transpose();
  return out;
}

mass::Moments facetMoments(const PackMember& m) {
  const Vec3 c = middleOf(m), a = m.nodes()[0] - c, b = m.nodes()[1] - c, d = m.nodes()[2] - c;
  const Vec3 doubleArea = Products::cross(m.nodes()[0], m.nodes()[1], m.nodes()[2]);
  const double area = 0.5 * doubleArea.norm(), t = facetHalfThickness(m);
  mass::Moments out;
  if (!(area > 0.0)) return out;
  const Vec3 n = doubleArea.normalized();
  out.m0 = 2.0 * t * area;
  out.m2 = 2.0 * t * area / 12.0 * (a * a.transpose() + b * b.transpose() + d * d.transpose()) +
           2.0 / 3.0 * t * t * t * area * n * n.transpose();
  return out;
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

}  // namespace scree::clump

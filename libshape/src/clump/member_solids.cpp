// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/member_geometry.hpp"
#include "detail/exact_products.hpp"

#include "scree/clump/clump_mass.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;
using Products = scree::detail::EdgeProducts;

/// Moments about the member's own centre, where no digits are lost.
mass::Moments capsuleMoments(const PackMember& m) {
  const Vec3 half = capsuleHalfShaft(m);
  const double r = capsuleRadius(m), length = 2.0 * half.norm();
  const double r2 = r * r, r3 = r2 * r, l2 = length * length;
  const double ball = 4.0 / 15.0 * pi * r2 * r3;
  const double across = 0.25 * pi * r2 * r2 * length + ball;
  const double along =
      pi * r2 * l2 * length / 12.0 + pi * r3 * l2 / 3.0 + 0.5 * pi * r2 * r2 * length + ball;
  mass::Moments out;
  out.m0 = pi * r2 * length + 4.0 / 3.0 * pi * r3;
  out.m2 = across * Mat3::Identity();
  if (length > 0.0) {
    const Vec3 axis = half.normalized();
    out.m2 += (along - across) * axis * axis.transpose();
  }
  return out;
}

mass::Moments ellipsoidMoments(const PackMember& m) {
  const Vec3 s = ellipsoidSemiAxes(m);
  const Mat3 turn = rotationMatrix(ellipsoidOrientation(m));
  mass::Moments out;
  out.m0 = 4.0 / 3.0 * pi * s.prod();
  const Mat3 m2 = 0.2 * out.m0 * turn * s.cwiseAbs2().asDiagonal() * turn.transpose();
  out.m2 = 0.5 * (m2 + m2.transpose());
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
  mass::Moments out;
  if (m.rounding() > 0.0) {
    std::vector<Vec3> corners;
    for (const Vec3& node : m.nodes()) corners.push_back(node - c);
    return mass::sweptHullMoments(shape::convexHull(corners), m.rounding());
  }
  const auto& n = m.nodes();
  out.m0 = std::fabs(Products::triple(n[0], n[1], n[2], n[3])) / 6.0;
  for (const Vec3& node : m.nodes()) out.m2 += out.m0 / 20.0 * (node - c) * (node - c).transpose();
  return out;
}

}  // namespace

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
  mass::Moments about;
  switch (member.kind()) {
    case Kind::sphere: {
      const mass::Ball ball{Vec3::Zero(), member.radius};
      about = mass::ballSumMoments({&ball, 1}).moments;
      break;
    }
    case Kind::capsule:
      about = capsuleMoments(member);
      break;
    case Kind::ellipsoid:
      about = ellipsoidMoments(member);
      break;
    case Kind::facet:
      about = facetMoments(member);
      break;
    case Kind::tetra:
      about = tetraMoments(member);
      break;
  }
  return about.movedBy(middleOf(member) - origin);
}

}  // namespace scree::clump

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/clump_mass.hpp"

#include "disjoint.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;

std::string nameOf(const PackParticle& particle) {
  return particle.line > 0 ? fmt::format("particle {} (line {})", particle.id, particle.line)
                           : fmt::format("particle {}", particle.id);
}

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

Vec3 middle(const PackMember& m) {
  if (m.nodes.empty()) return m.centre;
  Vec3 offset = Vec3::Zero();
  for (const Vec3& node : m.nodes) offset += node - m.nodes.front();
  return m.nodes.front() + offset / static_cast<double>(m.nodes.size());
}

mass::Moments facetMoments(const PackMember& m) {
  const Vec3 c = middle(m), a = m.nodes[0] - c, b = m.nodes[1] - c, d = m.nodes[2] - c;
  const Vec3 doubleArea = (b - a).cross(d - a);
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
  const Vec3 c = middle(m);
  const Vec3& first = m.nodes[0];
  mass::Moments out;
  out.m0 = std::fabs((m.nodes[1] - first).cross(m.nodes[2] - first).dot(m.nodes[3] - first)) / 6.0;
  for (const Vec3& node : m.nodes) out.m2 += out.m0 / 20.0 * (node - c) * (node - c).transpose();
  return out;
}

shape::Aabb boxOf(const PackMember& m) {
  shape::Aabb box;
  if (!m.nodes.empty()) {
    for (const Vec3& node : m.nodes) box.add(node);
    return box.grown(m.kind() == Kind::facet ? facetHalfThickness(m) : 0.0);
  }
  const double r = m.kind() == Kind::ellipsoid ? ellipsoidSemiAxes(m).maxCoeff() : m.radius;
  box.add(m.centre);
  return box.grown(r);
}

/// @throws GeometryError if a member other than a sphere overlaps another member
void checkDisjoint(const PackParticle& particle) {
  const auto& members = particle.members;
  std::vector<shape::Aabb> boxes;
  for (const PackMember& m : members) boxes.push_back(boxOf(m));
  const shape::AabbTree tree(boxes, 8);
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    if (members[i].kind() == Kind::sphere) continue;
    std::uint32_t other = i;
    tree.forEachNear(boxes[i], [&](std::uint32_t j) {
      if (j == i || !boxes[i].overlaps(boxes[j]) || provablyDisjoint(members[i], members[j]))
        return;
      if (other == i || j < other) other = j;
    });
    if (other != i)
      throw GeometryError(fmt::format(
          "{}: its members {} ({}) and {} ({}) overlap; the mass of overlapping shapes other than "
          "spheres cannot be computed yet (method sum counts shared volume twice)",
          nameOf(particle), std::min(i, other) + 1, members[std::min(i, other)].type->name,
          std::max(i, other) + 1, members[std::max(i, other)].type->name));
  }
}

}  // namespace

mass::Moments memberMoments(const PackMember& member, const Vec3& origin) {
  mass::Moments about;
  switch (member.kind()) {
    case Kind::sphere: {
      const Ball ball{Vec3::Zero(), member.radius};
      about = ballSumMoments({&ball, 1}).moments;
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
  return about.movedBy(middle(member) - origin);
}

ParticleMass particleMass(const PackParticle& particle, Overlap overlap, int threads) {
  const auto& members = particle.members;
  ParticleMass result;
  result.id = particle.id;
  if (members.empty()) throw GeometryError(fmt::format("{}: no shape", nameOf(particle)));
  result.kind = members.size() > 1 ? std::string_view("clump") : members.front().type->name;
  std::vector<Ball> balls;
  for (const PackMember& m : members)
    if (m.kind() == Kind::sphere) balls.push_back({m.centre, m.radius});
  result.spheres = balls.size();

  const bool sum = overlap == Overlap::each && members.size() > 1;
  result.method = sum ? "sum" : balls.size() > 1 ? "exact-union" : "exact";
  if (!sum && balls.size() < members.size() && members.size() > 1) checkDisjoint(particle);
  BallMoments body;
  if (balls.empty())
    body.origin = middle(members.front());
  else
    body = sum ? ballSumMoments(balls) : ballUnionMoments(balls, threads);
  for (const PackMember& m : members)
    if (m.kind() != Kind::sphere) body.moments += memberMoments(m, body.origin);
  try {
    if (!(body.moments.m0 > 0.0)) throw GeometryError("it has no volume, so no mass");
    result.solid = solidOf(body);
  } catch (const GeometryError& error) {
    throw GeometryError(fmt::format("{}: {}", nameOf(particle), error.what()));
  }
  return result;
}

std::vector<ParticleMass> packMasses(const ShapePack& pack, Overlap overlap, int threads) {
  std::vector<ParticleMass> out(pack.particles.size());
  // Many particles share the threads; one large clump has them all.
  const bool many = pack.particles.size() > 1;
  parallelJobs(many ? threads : 1, out.size(), [&](std::size_t k) {
    out[k] = particleMass(pack.particles[k], overlap, many ? 1 : threads);
  });
  return out;
}

}  // namespace scree::clump

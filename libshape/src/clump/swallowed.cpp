// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/pack_transform.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <algorithm>

namespace scree::clump {
namespace {

/// A ball swept along a segment from `centre - half` to `centre + half`.
struct Rod {
  std::uint32_t member;
  bool ball;
  Vec3 centre, half;
  double radius;

  shape::Aabb box() const {
    const Vec3 reach = half.cwiseAbs() + Vec3::Constant(radius);
    return {centre - reach, centre + reach};
  }
  bool contains(const Rod& other) const {
    const Vec3 to = other.centre - centre;
    const double length = half.squaredNorm();
    const double along = length > 0.0 ? std::clamp(to.dot(half) / length, -1.0, 1.0) : 0.0;
    return (to - along * half).norm() + other.radius <= radius;
  }
};

}  // namespace

std::vector<std::uint32_t> swallowedBalls(const PackParticle& particle) {
  std::vector<std::uint32_t> out;
  if (particle.unclumped || particle.members.size() < 2) return out;
  std::vector<Rod> rods;
  for (std::uint32_t k = 0; k < particle.members.size(); ++k) {
    const PackMember& m = particle.members[k];
    if (isBall(m))
      rods.push_back({k, true, m.centre, Vec3::Zero(), m.radius});
    else if (m.kind() == MemberType::Kind::capsule)
      rods.push_back({k, false, m.centre, capsuleHalfShaft(m), capsuleRadius(m)});
  }
  if (rods.size() < 2) return out;
  std::vector<shape::Aabb> boxes;
  for (const Rod& rod : rods) boxes.push_back(rod.box());
  const shape::AabbTree tree(boxes, 8);
  for (std::uint32_t k = 0; k < rods.size(); ++k) {
    if (!rods[k].ball) continue;
    bool inside = false;
    tree.forEachNear(boxes[k], [&](std::uint32_t j) {
      if (inside || j == k || !rods[j].contains(rods[k])) return;
      inside = j < k || !rods[j].ball || !rods[k].contains(rods[j]);
    });
    if (inside) out.push_back(rods[k].member);
  }
  return out;
}

std::size_t dropSwallowed(PackParticle& particle) {
  const std::vector<std::uint32_t> swallowed = swallowedBalls(particle);
  for (auto k = swallowed.rbegin(); k != swallowed.rend(); ++k)
    particle.members.erase(particle.members.begin() + static_cast<std::ptrdiff_t>(*k));
  return swallowed.size();
}

}  // namespace scree::clump

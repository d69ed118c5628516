// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/compose.hpp"

#include "clump/member_geometry.hpp"

#include "scree/clump/pack_transform.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace scree::clump {
namespace {

using Calculate = ComposeOptions::Calculate;

GivenMass givenBy(const mass::SolidProperties& s, double density) {
  return {s.volume, s.centre, density * s.volume * s.inertiaPerMass};
}

/// Pebbles of all blocks as if apart. A clump among the blocks is no longer one block: what is
/// added to it must not depend on when.
mass::SolidProperties sumOf(std::span<const PackParticle> blocks, int threads) {
  std::vector<mass::SolidProperties> parts;
  for (const PackParticle& b : blocks)
    parts.push_back(
        particleMass(b, {.method = ClumpMassOptions::Method::sum, .threads = threads}).solid);
  const Vec3 origin = parts.front().centre;
  mass::Moments sum;
  for (const mass::SolidProperties& p : parts) {
    mass::Moments m;
    m.m0 = p.volume;
    m.m2 = p.volume * (0.5 * p.inertiaPerMass.trace() * Mat3::Identity() - p.inertiaPerMass);
    sum += m.movedBy(p.centre - origin);
  }
  mass::SolidProperties s = mass::solidProperties(sum);
  s.centre += origin;
  return s;
}

/// A union of blocks, each as its pebbles.
mass::CertifiedBody pebblesIn(std::span<const PackParticle> blocks) {
  mass::CertifiedBody body;
  for (const PackParticle& b : blocks) {
    mass::CertifiedBody one = pebbleBody(b);
    std::move(one.parts.begin(), one.parts.end(), std::back_inserter(body.parts));
    body.ellipsoids.insert(body.ellipsoids.end(), one.ellipsoids.begin(), one.ellipsoids.end());
  }
  return body;
}

/// Boxes that are cut may be in the clump or not, and those of the last level count more than once.
/// Both lie anywhere in the box of the clump.
mass::MassBound voxelBound(const Composed& c) {
  const mass::SolidProperties& s = c.mass.solid;
  const double inside = c.mass.octree->inside, open = c.mass.octree->undecided;
  const double most = inside + open, added = s.volume - inside;
  const ParticleBox box = boxOf(c.particle);
  const double reach =
      (s.centre - box.least).cwiseAbs().cwiseMax((box.most - s.centre).cwiseAbs()).norm();
  const double share = std::max((added + open) / most, added / inside);
  const double own = s.inertiaPerMass.norm(), shift = share * reach;
  return {
      .volume = std::max(added, most - s.volume) / s.volume,
      .centre = shift / (2.0 * c.mass.equivRad()),
      .inertia =
          (share * (own + std::sqrt(2.0) * reach * reach) + std::sqrt(2.0) * shift * shift) / own};
}

/// Pebbles with a rounding, as members of what is read from a file of these blocks in a row.
std::vector<std::vector<std::uint32_t>> roundedPebbles(std::span<const PackParticle> blocks) {
  std::vector<std::vector<std::uint32_t>> out;
  std::uint32_t first = 0;
  for (const PackParticle& b : blocks) {
    for (std::vector<std::uint32_t>& pebble : pebblesOf(b)) {
      if (b.members[pebble.front()].rounding() == 0.0) continue;
      for (std::uint32_t& member : pebble) member += first;
      out.push_back(std::move(pebble));
    }
    first += static_cast<std::uint32_t>(b.members.size());
  }
  return out;
}

/// The sum of rounded blocks is that of the pebbles of the file, unless the file joins some.
void reportJoined(const PackParticle& clump, std::span<const PackParticle> blocks,
                  Diagnostics& diagnostics) {
  if (std::none_of(clump.members.begin(), clump.members.end(),
                   [](const PackMember& m) { return m.rounding() > 0.0; }) ||
      roundedPebbles(blocks) == roundedPebbles(std::span(&clump, 1)))
    return;
  diagnostics.warn(fmt::format(
      "clump {}: its rounded blocks share faces, and are other pebbles when the file is read. Its "
      "mass counts the blocks; mass --method sum and a later add count those pebbles",
      clump.id));
}

void calculate(Composed& c, std::span<const PackParticle> blocks, const ComposeOptions& options,
               Diagnostics& diagnostics) {
  PackParticle& clump = c.particle;
  const double density = clump.carried().density.value_or(1.0);
  clump.carried().given.reset();
  std::optional<mass::OctreeBounds> voxels;
  if (options.volume && options.inertia) {
    Vec3 centre;
    if (options.position) {
      centre = *options.position;
      const ParticleBox box = boxOf(clump);
      if ((centre.array() < box.least.array()).any() || (centre.array() > box.most.array()).any())
        diagnostics.warn(
            fmt::format("clump {}: its given position {:g} {:g} {:g} is outside its box", clump.id,
                        centre.x(), centre.y(), centre.z()));
    } else {
      centre = particleMass(clump, {.threads = options.threads}).solid.centre;
      diagnostics.note(
          fmt::format("no position is given: clump {} takes the centroid of its union, {:.9g} "
                      "{:.9g} {:.9g} in the unit of the file",
                      clump.id, centre.x(), centre.y(), centre.z()));
    }
    clump.carried().given = GivenMass{*options.volume, centre, *options.inertia};
  } else if (options.calculate == Calculate::fromBlocks) {
    clump.carried().given = givenBy(sumOf(blocks, options.threads), density);
    reportJoined(clump, blocks, diagnostics);
  } else if (options.calculate == Calculate::voxel) {
    voxels.emplace();
    clump.carried().given = givenBy(
        mass::innerOctreeMass(pebblesIn(blocks), options.maxCells, options.tolerance, &*voxels),
        density);
  }
  ShapePack single;
  single.particles = {clump};
  c.mass = packMasses(single, {.threads = options.threads}).front();
  if (!clump.given()) addPlacing(c.mass, clump, options.placing);
  if (options.calculate == Calculate::fromBlocks && !options.volume) c.mass.method = "from-rblocks";
  if (voxels) {
    c.mass.method = "voxel";
    c.mass.octree = voxels;
    c.mass.bound = voxelBound(c);
  }
}

void join(PackParticle& clump, std::span<const PackParticle> blocks) {
  for (const PackParticle& b : blocks)
    clump.members.insert(clump.members.end(), b.members.begin(), b.members.end());
  // A shared node counts over the particle: in a new one every corner stands by itself.
  for (PackMember& m : clump.members)
    for (std::size_t k = 0; k < m.nodes().size(); ++k)
      std::copy(m.nodes()[k].begin(), m.nodes()[k].end(),
                m.raw().begin() + static_cast<std::ptrdiff_t>(3 * k));
}

void addGroups(std::vector<PackGroup>& groups, const std::vector<PackGroup>& more) {
  for (const PackGroup& g : more) {
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const PackGroup& old) { return old.slot == g.slot; });
    if (same == groups.end())
      groups.push_back(g);
    else
      *same = g;
  }
}

/// What blocks carry belongs to them alone; the clump has its own.
void reportDropped(std::span<const PackParticle> blocks, std::int64_t id,
                   Diagnostics& diagnostics) {
  bool given = false, groups = false, apart = false, others = false;
  for (const PackParticle& b : blocks) {
    const Carried& c = b.carried();
    given |= c.given.has_value();
    groups |= !c.groups.empty() || !c.pebbleGroups.empty();
    apart |= b.unclumped;
    others |= !c.others.empty();
  }
  std::vector<std::string_view> lost;
  if (given) lost.emplace_back("given mass properties");
  if (groups) lost.emplace_back("groups");
  if (apart) lost.emplace_back("the mark u");
  if (others) lost.emplace_back("user keys of #@ lines");
  if (!lost.empty())
    diagnostics.warn(
        fmt::format("clump {}: left out of its blocks: {}", id, fmt::join(lost, ", ")));
}

/// A member that reaches `by` farther.
PackMember larger(const PackMember& member, double by) {
  PackMember m = member;
  switch (m.kind()) {
    case MemberType::Kind::sphere:
    case MemberType::Kind::capsule:
      m.radius += by;
      break;
    case MemberType::Kind::ellipsoid:
      for (std::size_t k = 3; k < 6; ++k) m.raw()[k] += by;
      break;
    case MemberType::Kind::facet:
      m.raw()[9] += by;
      break;
    case MemberType::Kind::tetra:
      m.rounding() += by;
  }
  return m;
}

/// How many groups of members there are that do not touch, with a gap that a file of six digits
/// can leave.
std::size_t groupsApart(const PackParticle& clump) {
  const ParticleBox whole = boxOf(clump);
  const double gap = 1e-6 * (whole.most - whole.least).norm();
  std::vector<PackMember> members;
  std::vector<shape::Aabb> boxes;
  PackParticle single;
  for (const PackMember& m : clump.members) {
    members.push_back(larger(m, gap));
    single.members = {members.back()};
    const ParticleBox box = boxOf(single);
    boxes.push_back({box.least, box.most});
  }
  const shape::AabbTree tree(boxes, 8);
  std::vector<bool> met(members.size(), false);
  std::vector<std::uint32_t> open;
  std::size_t groups = 0;
  for (std::uint32_t first = 0; first < members.size(); ++first) {
    if (met[first]) continue;
    ++groups;
    met[first] = true;
    open = {first};
    while (!open.empty()) {
      const std::uint32_t k = open.back();
      open.pop_back();
      tree.forEachNear(boxes[k], [&](std::uint32_t j) {
        if (met[j] || !boxes[k].overlaps(boxes[j]) || provablyDisjoint(members[k], members[j]))
          return;
        met[j] = true;
        open.push_back(j);
      });
    }
  }
  return groups;
}

void reportApart(const PackParticle& clump, Diagnostics& diagnostics) {
  if (const std::size_t groups = groupsApart(clump); groups > 1)
    diagnostics.warn(fmt::format(
        "clump {}: its pebbles form {} groups that do not touch, and move as one body all the same",
        clump.id, groups));
}

void reportSwallowed(const PackParticle& clump, Diagnostics& diagnostics) {
  if (const std::size_t count = swallowedBalls(clump).size(); count > 0)
    diagnostics.warn(fmt::format(
        "clump {}: {} of its spheres lie wholly inside others, or equal them, and add nothing; "
        "conversions to other formats leave them out",
        clump.id, count));
}

}  // namespace

Composed composed(std::span<const PackParticle> blocks, std::int64_t id,
                  const ComposeOptions& options, Diagnostics& diagnostics) {
  if (blocks.empty()) throw GeometryError("a clump needs at least one block");
  Composed c;
  c.particle.id = id;
  reportDropped(blocks, id, diagnostics);
  join(c.particle, blocks);
  c.particle.carried().density = options.density.value_or(1.0);
  addGroups(c.particle.carried().groups, options.groups);
  addGroups(c.particle.carried().pebbleGroups, options.pebbleGroups);
  reportApart(c.particle, diagnostics);
  reportSwallowed(c.particle, diagnostics);
  calculate(c, blocks, options, diagnostics);
  return c;
}

Composed extended(const PackParticle& clump, std::span<const PackParticle> blocks,
                  const ComposeOptions& options, Diagnostics& diagnostics) {
  if (blocks.empty()) throw GeometryError("no block to add");
  Composed c;
  c.particle = clump;
  reportDropped(blocks, clump.id, diagnostics);
  if (clump.unclumped) diagnostics.warn(fmt::format("clump {}: the mark u is left out", clump.id));
  c.particle.unclumped = false;
  join(c.particle, blocks);
  const double own = clump.carried().density.value_or(1.0);
  c.particle.carried().density = options.density.value_or(own);
  addGroups(c.particle.carried().groups, options.groups);
  addGroups(c.particle.carried().pebbleGroups, options.pebbleGroups);
  if (clump.carried().given && !options.volume)
    diagnostics.note(fmt::format(
        "clump {}: its given mass properties no longer hold and are computed again", clump.id));
  std::vector<PackParticle> parts{clump};
  parts.insert(parts.end(), blocks.begin(), blocks.end());
  reportApart(c.particle, diagnostics);
  reportSwallowed(c.particle, diagnostics);
  calculate(c, parts, options, diagnostics);
  return c;
}

}  // namespace scree::clump

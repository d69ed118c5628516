// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/compose.hpp"

#include "clump/member_geometry.hpp"

#include "scree/clump/pack_transform.hpp"

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

/// Reports data of blocks that the clump does not take over, and pebbles that are likely mistakes.
void report(const PackParticle& clump, std::span<const PackParticle> blocks,
            Diagnostics& diagnostics) {
  const auto warn = [&](const std::string& what) {
    diagnostics.warn(fmt::format("clump {}: {}", clump.id, what));
  };
  if (std::ranges::any_of(blocks, [](const PackParticle& b) {
        const Carried& c = b.carried();
        return c.given || !c.groups.empty() || !c.pebbleGroups.empty() || !c.others.empty() ||
               b.unclumped;
      }))
    warn("lost: what blocks carry (given mass, groups, keys, the mark u)");
  if (const std::size_t groups = groupsApart(clump); groups > 1)
    warn(
        fmt::format("its pebbles form {} groups that do not touch, and move as one body all the "
                    "same",
                    groups));
  if (const std::size_t count = swallowedBalls(clump).size(); count > 0)
    warn(
        fmt::format("{} of its spheres lie wholly inside others, or equal them, and add nothing; "
                    "conversions to other formats leave them out",
                    count));
}

}  // namespace

Composed composed(std::span<const PackParticle> blocks, std::int64_t id,
                  const ComposeOptions& options, Diagnostics& diagnostics) {
  if (blocks.empty()) throw GeometryError("a clump needs at least one block");
  Composed c;
  c.particle.id = id;
  join(c.particle, blocks);
  c.particle.carried().density = options.density.value_or(1.0);
  addGroups(c.particle.carried().groups, options.groups);
  addGroups(c.particle.carried().pebbleGroups, options.pebbleGroups);
  report(c.particle, blocks, diagnostics);
  calculate(c, blocks, options, diagnostics);
  return c;
}

Composed extended(const PackParticle& clump, std::span<const PackParticle> blocks,
                  const ComposeOptions& options, Diagnostics& diagnostics) {
  if (blocks.empty()) throw GeometryError("no block to add");
  Composed c;
  c.particle = clump;
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
  report(c.particle, blocks, diagnostics);
  calculate(c, parts, options, diagnostics);
  return c;
}

}  // namespace scree::clump

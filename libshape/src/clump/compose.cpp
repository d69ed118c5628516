// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/compose.hpp"

#include "clump/member_geometry.hpp"

#include "scree/clump/pack_transform.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::clump {
namespace {

using Calculate = ComposeOptions::Calculate;

/// Computes the mass properties of the clump as the options request.
void calculate(Composed& c, const ComposeOptions& options, Diagnostics& diagnostics) {
  PackParticle& clump = c.particle;
  clump.carried().given.reset();
  ParticleMass by;  // the way that is requested, where the clump carries its result
  if (options.volume && options.inertia) {
    Vec3 centre;
    if (options.position) {
      centre = *options.position;
      if (!boxOf(clump).overlaps({centre, centre}))
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
  } else if (options.calculate != Calculate::exact) {
    using Method = ClumpMassOptions::Method;
    const bool voxel = options.calculate == Calculate::voxel;
    by = particleMass(clump, {.method = voxel ? Method::octree : Method::sum,
                              .tolerance = options.tolerance,
                              .boxes = options.maxCells});
    by.method = voxel ? "voxel" : "from-rblocks";
    const double mass = clump.carried().density.value_or(1.0) * by.solid.volume;
    clump.carried().given =
        GivenMass{by.solid.volume, by.solid.centre, mass * by.solid.inertiaPerMass};
  }
  c.mass = massOf(clump, {.threads = options.threads});
  if (!clump.given()) addPlacing(c.mass, clump, options.placing);
  if (by.method.empty()) return;
  c.mass.method = by.method;
  c.mass.octree = by.octree;
}

/// Appends the members of all blocks to the clump.
void join(PackParticle& clump, std::span<const PackParticle> blocks) {
  for (const PackParticle& b : blocks)
    clump.members.insert(clump.members.end(), b.members.begin(), b.members.end());
  // Shared nodes are numbered within the old particle, so coordinates replace these numbers.
  for (PackMember& m : clump.members)
    for (std::size_t k = 0; k < m.nodes().size(); ++k)
      std::copy(m.nodes()[k].begin(), m.nodes()[k].end(),
                m.raw().begin() + static_cast<std::ptrdiff_t>(3 * k));
}

/// Adds groups; each replaces an earlier one of the same slot.
void addGroups(std::vector<PackGroup>& groups, const std::vector<PackGroup>& more) {
  for (const PackGroup& g : more) {
    const auto same = std::ranges::find(groups, g.slot, &PackGroup::slot);
    if (same == groups.end())
      groups.push_back(g);
    else
      *same = g;
  }
}

}  // namespace

Composed composed(std::span<const PackParticle> blocks, std::int64_t id,
                  const ComposeOptions& options, Diagnostics& diagnostics) {
  PackParticle empty;
  empty.id = id;
  return extended(empty, blocks, options, diagnostics);
}

Composed extended(const PackParticle& clump, std::span<const PackParticle> blocks,
                  const ComposeOptions& options, Diagnostics& diagnostics) {
  if (blocks.empty()) throw GeometryError("a clump needs at least one block");
  Composed c{clump, {}};
  c.particle.unclumped = false;
  join(c.particle, blocks);
  const double ownDensity = clump.carried().density.value_or(1.0);
  c.particle.carried().density = options.density.value_or(ownDensity);
  addGroups(c.particle.carried().groups, options.groups);
  addGroups(c.particle.carried().pebbleGroups, options.pebbleGroups);
  if (clump.carried().given && !options.volume)
    diagnostics.note(fmt::format(
        "clump {}: its given mass properties no longer hold and are computed again", clump.id));
  if (std::ranges::any_of(blocks, [](const PackParticle& b) {
        const Carried& own = b.carried();
        return own.given || !own.groups.empty() || !own.pebbleGroups.empty() ||
               !own.others.empty() || b.unclumped;
      }))
    diagnostics.warn(fmt::format(
        "clump {}: lost: data of the blocks (given mass, groups, keys, the mark u)", clump.id));
  calculate(c, options, diagnostics);
  return c;
}

}  // namespace scree::clump

// SPDX-License-Identifier: GPL-3.0-or-later
#include "particle_shapes.hpp"
#include "sphere_targets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::tools {
namespace {

/// A sphere alone is a uniform ball in these formats: a density of its own gives it its mass.
void giveToBall(SphereBody& b, Losses& losses) {
  const auto& members = b.particle->members;
  if (members.size() > 1) {
    losses.serious(
        fmt::format("particle {} has given mass properties, and its spheres are not clumped",
                    b.particle->id),
        "they are left out");
    return;
  }
  const clump::PackMember& ball = members.front();
  const double r = ball.radius, across = 0.4 * r * r;
  const Mat3 uniform = across * Mat3::Identity();
  constexpr double same = 1e-9;
  const mass::SolidProperties& given = b.mass.solid;
  if ((given.centre - ball.centre).norm() > same * r ||
      (given.inertiaPerMass - uniform).norm() > same * across)
    losses.serious(
        fmt::format("particle {} has a given centre or inertia, and a sphere alone is a uniform "
                    "ball in this format",
                    b.particle->id),
        "they are left out");
  b.density = b.totalMass() / (4.0 / 3.0 * pi * r * r * r);
}

}  // namespace

std::vector<ConvertedFile> toSpheres(const clump::ShapePack& pack, const Target& target,
                                     const ConvertOptions& options, Losses& losses, Diagnostics&) {
  reportPack(pack, options, target, losses);
  std::vector<SphereBody> bodies;
  std::size_t number = 0;  // of the next body, as formats without IDs count
  for (const clump::PackParticle& p : pack.particles) {
    const auto other = std::find_if(p.members.begin(), p.members.end(),
                                    [](const auto& m) { return !clump::isBall(m); });
    if (other != p.members.end()) {
      losses.serious(fmt::format("particle {} has {}, and this format knows spheres only", p.id,
                                 withArticle(other->type->name)),
                     particleLeftOut);
      continue;
    }
    reportParticle(p, target, losses);
    if (p.unclumped && p.members.size() > 1)
      losses.minor("members that are not clumped become spheres alone; the mark u is left out");
    if (!target.ids) reportId(p, number, losses);
    if (target.ids && !bodies.empty() && bodies.back().particle->id == p.id)
      losses.minor("neighbours of the same ID get different ones");
    clump::ShapePack single;
    single.particles = {p};
    single.particles[0].unclumped = false;
    SphereBody b;
    b.particle = &p;
    b.mass =
        clump::packMasses(single, {.density = options.density, .threads = options.threads}).front();
    b.density = p.carried().density.value_or(options.density);
    if (p.carried().given && target.mass && !b.isClump()) giveToBall(b, losses);
    number += b.count();
    bodies.push_back(std::move(b));
  }
  checkSomethingLeft(bodies.size(), options);
  if (!target.places && std::any_of(bodies.begin(), bodies.end(), [](const SphereBody& b) {
        return b.mass.solid.centre.norm() > 0.0 || b.particle->unclumped;
      }))
    losses.minor("positions have no place in templates and are left out");
  return target.writeSpheres(bodies, pack, options);
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/clump_mass.hpp"

#include "base/elementary.hpp"
#include "clump/member_geometry.hpp"

#include "scree/base/parallel.hpp"
#include "scree/clump/pack_transform.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::clump {
namespace {

std::string nameOf(const PackParticle& particle) {
  return particle.line > 0 ? fmt::format("particle {} (line {})", particle.id, particle.line)
                           : fmt::format("particle {}", particle.id);
}

/// [L] of the ball whose volume is that of the smallest member with a volume.
double smallestRadius(const PackParticle& particle) {
  double least = HUGE_VAL;
  for (const PackMember& m : particle.members)
    if (const double volume = memberMoments(m, middleOf(m)).m0; volume > 0.0)
      least = std::min(least, volume);
  return elementary::cbrt(0.75 * least / pi);
}

/// A share of the bound that is small beside the rest of it is part of that.
double boundWith(double bound, double share) { return share > 0.5 * bound ? bound + share : bound; }

/// Coordinates of a centre far from the origin have few digits of the size of the particle.
void addCentreRounding(ParticleMass& result) {
  if (!result.bound) return;
  const double step = std::numeric_limits<double>::epsilon() * result.solid.centre.stableNorm();
  result.bound->centre = boundWith(result.bound->centre, 0.5 * step / result.equivRad());
}

/// The bound of a result in which a volume `unsure`, somewhere in the particle, may be missing or
/// doubled. None if that is half of the particle.
std::optional<mass::MassBound> widened(mass::MassBound bound, const PackParticle& particle,
                                       const mass::SolidProperties& solid, double unsure) {
  const double share = unsure / solid.volume;
  if (!(share < 0.5)) return std::nullopt;
  if (share < 1e-20) return bound;
  const double reach =
      2.0 * boxOf(particle).halfSize().norm();  // from the centre to any point, at most
  const double least = 1.0 - share;
  const double centre = share * reach / least;
  // The trace of the second moments is half that of the inertia.
  const double inertia =
      std::sqrt(2.0) *
      (share * (reach * reach + 0.5 * solid.inertiaPerMass.trace()) / least + centre * centre);
  const double diameter = 2.0 * elementary::cbrt(0.75 * solid.volume / pi);
  bound.volume = boundWith(bound.volume, share);
  bound.centre = boundWith(bound.centre, centre / diameter);
  bound.inertia = boundWith(bound.inertia, inertia / solid.inertiaPerMass.norm());
  return bound;
}

bool sameSolid(const PackMember& a, const PackMember& b) {
  return a.type == b.type && a.centre == b.centre && a.radius == b.radius && a.raw() == b.raw() &&
         a.nodes() == b.nodes() && a.rounding() == b.rounding();
}

void fillOther(ParticleMass& result, const PackParticle& particle,
               const ClumpMassOptions& options) {
  using Method = ClumpMassOptions::Method;
  if (options.method == Method::grid) {
    result.method = "grid";
    result.solid = mass::gridMass(pebbleBody(particle),
                                  smallestRadius(particle) / options.divisions, options.threads);
  } else if (options.method == Method::octree) {
    result.method = "octree";
    result.octree.emplace();
    result.solid = mass::innerOctreeMass(pebbleBody(particle), options.boxes, options.tolerance,
                                         &*result.octree);
  } else {
    // Far from the origin, sums of coordinates lose digits that the bound does not know of.
    const Vec3 origin = middleOf(particle.members.front());
    PackParticle near = particle;
    near.members.clear();
    for (const PackMember& m : particle.members)  // equal ones count once
      if (std::ranges::none_of(near.members, [&](const PackMember& k) { return sameSolid(k, m); }))
        near.members.push_back(m);
    if (near.members.size() == 1) {
      result = particleMass(near, options);
      result.kind = kindOf(particle);
      result.spheres = spheresIn(particle);
      return;
    }
    for (PackMember& m : near.members) {
      m.centre -= origin;
      if (!m.nodes().empty())
        for (Vec3& node : m.nodes()) node -= origin;
    }
    const mass::CertifiedMass certified = mass::certifiedMass(
        pebbleBody(near), {.tolerance = options.tolerance, .threads = options.threads});
    result.method = "certified";
    result.solid = certified.solid;
    result.solid.centre += origin;
    result.bound = certified.bound;
  }
}

}  // namespace

void addPlacing(ParticleMass& mass, const PackParticle& particle, double placing) {
  if (!mass.bound || placing == 0.0) return;
  double area = 0.0;  // of convex pebbles, at most that of their boxes
  for (const std::vector<std::uint32_t>& pebble : pebblesOf(particle)) {
    shape::Aabb box;
    for (const std::uint32_t k : pebble) box.add(boxOf(particle.members[k]));
    const Vec3 s = 2.0 * box.halfSize();
    area += 2.0 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
  }
  mass.bound = widened(*mass.bound, particle, mass.solid, area * placing);
}

ParticleMass particleMass(const PackParticle& particle, const ClumpMassOptions& options) {
  using Method = ClumpMassOptions::Method;
  const auto& members = particle.members;
  ParticleMass result;
  result.id = particle.id;
  if (members.empty()) throw GeometryError(fmt::format("{}: no shape", nameOf(particle)));
  result.kind = kindOf(particle);
  result.spheres = spheresIn(particle);
  std::vector<Ball> balls;
  for (const PackMember& m : members)
    if (isBall(m)) balls.push_back({m.centre, m.radius});
  const bool boxes = options.method == Method::grid || options.method == Method::octree;
  const bool sum = options.method == Method::sum;
  try {
    // Where none is rounded, the union of all is as exact.
    const bool rounded = std::ranges::any_of(members, [](auto& m) { return m.rounding() > 0.0; });
    std::vector<std::vector<std::uint32_t>> pebbles;
    if (rounded) pebbles = pebblesOf(particle);
    for (std::uint32_t k = 0; !rounded && k < members.size(); ++k) pebbles.push_back({k});
    const bool alone = sum || pebbles.size() == 1;
    const bool allBalls = balls.size() == members.size();
    if (boxes || !(alone || allBalls || std::ranges::all_of(members, isPolyhedron))) {
      if (options.method == Method::exact)
        throw GeometryError(
            "there is no closed form for several members unless all are spheres or all are "
            "polyhedra; --method auto gives proven bounds");
      fillOther(result, particle, options);
      addCentreRounding(result);
      return result;
    }
    result.method = members.size() == 1 ? "exact" : sum ? "sum" : "exact-union";
    double unsure = 0.0;
    mass::BallMoments body{middleOf(members.front()), {}};
    if (alone) {
      for (const auto& pebble : pebbles)
        body.moments += pebbleMoments(particle, pebble, body.origin, unsure);
    } else if (allBalls) {
      body = mass::ballUnionMoments(balls, options.threads);
    } else {
      std::vector<mass::Polyhedron> solids;
      for (const PackMember& m : members) {
        solids.push_back(polyhedronOf(m));
        solids.back().alone = memberMoments(m, body.origin);
      }
      const mass::PolyhedronUnion all = mass::polyhedronUnion(solids, body.origin, options.threads);
      body.moments = all.moments;
      unsure = all.unsure;
    }
    if (!(body.moments.m0 > 0.0)) throw GeometryError("it has no volume and therefore no mass");
    result.solid = solidOf(body);
    if (result.method != "sum")
      result.bound = widened({.volume = 1e-13, .centre = 1e-13, .inertia = 1e-12}, particle,
                             result.solid, unsure);
    addCentreRounding(result);
  } catch (const GeometryError& error) {
    throw GeometryError(fmt::format("{}: {}", nameOf(particle), error.what()));
  }
  return result;
}

double ParticleMass::equivRad() const { return elementary::cbrt(0.75 * solid.volume / pi); }

void checkMass(const PackParticle& particle, const mass::SolidProperties& solid, double density) {
  const double mass = density * solid.volume;
  const Mat3 inertia = mass * solid.inertiaPerMass;
  constexpr double least = std::numeric_limits<double>::min();
  if (!(mass >= least) || !std::isfinite(mass) || !inertia.allFinite() ||
      !(inertia.trace() >= least))
    throw GeometryError(fmt::format(
        "{}: with density {:g} and volume {:g}, its mass or moments of inertia exceed the range of "
        "double precision",
        nameOf(particle), density, solid.volume));
}

PackParticle memberAlone(const PackParticle& particle, std::size_t member) {
  PackParticle alone;
  alone.id = particle.id;
  alone.line = particle.line;
  alone.members = {particle.members[member]};
  if (particle.carried().empty()) return alone;
  alone.carried() = particle.carried();
  alone.carried().given.reset();
  return alone;
}

ParticleMass massOf(const PackParticle& particle, const ClumpMassOptions& options) {
  ParticleMass result;
  const std::optional<double>& density = particle.carried().density;
  if (const GivenMass* const given = particle.given()) {
    result.id = particle.id;
    result.kind = kindOf(particle);
    result.spheres = spheresIn(particle);
    result.method = "given";
    const double mass = given->volume * density.value_or(1.0);
    result.solid = {given->volume, given->centre, given->inertia / mass};
  } else {
    result = particleMass(particle, options);
  }
  result.density = density;
  result.boundRad = boundingBall(particle.members).radius;
  checkMass(particle, result.solid, density.value_or(options.density));
  return result;
}

std::vector<std::optional<ParticleMass>> possibleMasses(const ShapePack& pack,
                                                        const ClumpMassOptions& options,
                                                        std::string* refusal) {
  std::vector<std::pair<const PackParticle*, std::optional<std::size_t>>> entries;
  for (const PackParticle& p : pack.particles) {
    if (!p.unclumped || p.members.size() < 2)
      entries.push_back({&p, std::nullopt});
    else
      for (std::size_t k = 0; k < p.members.size(); ++k) entries.push_back({&p, k});
  }
  // Many particles share the threads; one large clump has them all.
  const bool many = entries.size() > 1;
  ClumpMassOptions each = options;
  if (many) each.threads = 1;
  std::vector<std::optional<ParticleMass>> out(entries.size());
  std::vector<std::string> refusals(entries.size());
  parallelJobs(many ? options.threads : 1, out.size(), [&](std::size_t k) {
    try {
      const auto& [particle, member] = entries[k];
      out[k] = massOf(member ? memberAlone(*particle, *member) : *particle, each);
      out[k]->member = member;
    } catch (const GeometryError& error) {
      refusals[k] = error.what();
    }
  });
  for (const std::string& why : refusals)
    if (refusal->empty()) *refusal = why;
  return out;
}

std::vector<ParticleMass> packMasses(const ShapePack& pack, const ClumpMassOptions& options) {
  std::string refusal;
  std::vector<ParticleMass> out;
  for (auto& entry : possibleMasses(pack, options, &refusal)) {
    if (!entry) throw GeometryError(refusal);
    out.push_back(std::move(*entry));
  }
  return out;
}

}  // namespace scree::clump

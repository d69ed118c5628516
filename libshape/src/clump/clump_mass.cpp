// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/clump/clump_mass.hpp"

#include "base/elementary.hpp"
#include "clump/member_geometry.hpp"
#include "detail/exact_products.hpp"

#include "scree/base/parallel.hpp"
#include "scree/mass/certified.hpp"
#include "scree/mass/moments.hpp"
#include "scree/mass/unions.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;
using Products = scree::detail::EdgeProducts;

std::string nameOf(const PackParticle& particle) {
  return particle.line > 0 ? fmt::format("particle {} (line {})", particle.id, particle.line)
                           : fmt::format("particle {}", particle.id);
}

shape::Aabb boxOf(const PackMember& m) {
  shape::Aabb box;
  if (!m.nodes().empty()) {
    for (const Vec3& node : m.nodes()) box.add(node);
    return box.grown(m.kind() == Kind::facet ? facetHalfThickness(m) : m.rounding());
  }
  const double r = m.kind() == Kind::ellipsoid ? ellipsoidSemiAxes(m).maxCoeff() : m.radius;
  box.add(m.centre);
  return box.grown(r);
}

/// Whether a member has no volume, so that it shares none.
bool isThin(const PackMember& m) {
  if (m.kind() == Kind::facet) return facetHalfThickness(m) == 0.0;
  if (m.kind() != Kind::tetra || m.rounding() > 0.0) return false;
  return Products::triple(m.nodes()[0], m.nodes()[1], m.nodes()[2], m.nodes()[3]) == 0.0;
}

/// Which members are not provably apart.
struct Overlaps {
  bool polyhedra = false;  ///< two polyhedra
  /// The first two that no closed form is known for: neither two balls nor two polyhedra.
  std::optional<std::array<std::uint32_t, 2>> other;
  double unsure = 0.0;  ///< [L³] most that members in contact share, apart from those polyhedra
};

/// Area of the largest shadow of a box.
double shadowOf(const shape::Aabb& box) {
  const Vec3 s = 2.0 * box.halfSize();
  return Vec3(s.x() * s.y(), s.y() * s.z(), s.z() * s.x()).norm();
}

/// @param pebble  of each member: members of one do not count as overlapping
Overlaps overlapsOf(const PackParticle& particle, const std::vector<std::uint32_t>& pebble) {
  Overlaps result;
  const auto& members = particle.members;
  std::vector<shape::Aabb> boxes;
  for (const PackMember& m : members) boxes.push_back(boxOf(m));
  const shape::AabbTree tree(boxes, 8);
  double unsurePolyhedra = 0.0;
  for (std::uint32_t i = 0; i < members.size(); ++i) {
    if (isBall(members[i]) || isThin(members[i])) continue;
    std::uint32_t other = i;
    tree.forEachNear(boxes[i], [&](std::uint32_t j) {
      if (j < i && !isBall(members[j])) return;  // seen from there
      const bool polyhedra = isPolyhedron(members[i]) && isPolyhedron(members[j]);
      if (pebble[j] == pebble[i] || (polyhedra && result.polyhedra) ||
          !boxes[i].overlaps(boxes[j]) || isThin(members[j]))
        return;
      // The union of polyhedra is exact, so there is no need to neglect what they share.
      const std::optional<double> depth =
          depthInContact(members[i], members[j], polyhedra ? Contact::tight : Contact::loose);
      if (depth) {
        const double shared = *depth * std::min(shadowOf(boxes[i]), shadowOf(boxes[j]));
        (polyhedra ? unsurePolyhedra : result.unsure) += shared;
      } else if (polyhedra)
        result.polyhedra = true;
      else if (other == i || j < other)
        other = j;
    });
    if (other != i && !result.other)
      result.other = std::array{std::min(i, other), std::max(i, other)};
  }
  if (!result.polyhedra) result.unsure += unsurePolyhedra;
  return result;
}

/// [L³] of tetrahedra, each by itself.
double volumesOf(const PackParticle& particle, const std::vector<std::uint32_t>& pebble) {
  double sum = 0.0;
  for (const std::uint32_t k : pebble) {
    const auto& n = particle.members[k].nodes();
    sum += std::fabs(Products::triple(n[0], n[1], n[2], n[3])) / 6.0;
  }
  return sum;
}

/// The hull of rounded tetrahedra of one rounding: a convex body swept by a ball. Adds to `unsure`
/// what they may leave of it.
/// @param filled  [L³] of the union of the tetrahedra without rounding
mass::Moments sweptMoments(const PackParticle& particle, const std::vector<std::uint32_t>& pebble,
                           const Vec3& origin, double filled, double& unsure) {
  std::vector<Vec3> corners;
  shape::Aabb box;
  for (const std::uint32_t k : pebble)
    for (const Vec3& node : particle.members[k].nodes()) {
      corners.push_back(node - origin);
      box.add(node);
    }
  const double rounding = particle.members[pebble.front()].rounding();
  const shape::ConvexHull hull = shape::convexHull(corners);
  // A layer below the surface. That of a convex body is smaller than that of its box.
  const Vec3 s = 2.0 * box.grown(rounding).halfSize();
  const double surface = 2.0 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x());
  unsure += surface * (std::fabs(filled - hull.volume()) / hull.area() + coordinateError(box));
  return mass::sweptHullMoments(hull, rounding);
}

/// [L³] of the union of rounded tetrahedra without their rounding, if that is one for all and they
/// fill the hull of all of them. They may overlap.
std::optional<double> filledHull(const PackParticle& particle, const Vec3& origin) {
  const double rounding = particle.members.front().rounding();
  if (!(rounding > 0.0)) return std::nullopt;
  std::vector<Vec3> corners;
  std::vector<std::vector<Vec3>> solids;
  shape::Aabb box;
  for (const PackMember& m : particle.members) {
    if (m.kind() != Kind::tetra || m.rounding() != rounding) return std::nullopt;
    solids.push_back(m.nodes());
    for (const Vec3& node : m.nodes()) {
      corners.push_back(node - origin);
      box.add(node);
    }
  }
  const shape::ConvexHull hull = shape::convexHull(corners);
  if (hull.rank < 3) return std::nullopt;
  const double whole = hull.volume();
  const double least = whole - std::max(1e-13 * whole, coordinateError(box) * hull.area());
  const double filled = mass::polyhedronUnionMoments(solids, origin).m0;
  return filled >= least ? std::optional(filled) : std::nullopt;
}

/// Smallest radius, semi-axis or half thickness. For tetrahedra the larger of their rounding and a
/// quarter of the shortest edge: one between corners at the same place is none.
double smallestLength(const PackParticle& particle) {
  double least = 1e300;
  for (const PackMember& m : particle.members) {
    switch (m.kind()) {
      case Kind::sphere:
        least = std::min(least, m.radius);
        break;
      case Kind::capsule:
        least = std::min(least, capsuleRadius(m));
        break;
      case Kind::ellipsoid:
        least = std::min(least, ellipsoidSemiAxes(m).minCoeff());
        break;
      case Kind::facet:
        if (facetHalfThickness(m) > 0.0) least = std::min(least, facetHalfThickness(m));
        break;
      case Kind::tetra: {
        double edge = HUGE_VAL;
        for (std::size_t i = 0; i < 4; ++i)
          for (std::size_t j = 0; j < i; ++j)
            if (m.nodes()[i] != m.nodes()[j])
              edge = std::min(edge, (m.nodes()[i] - m.nodes()[j]).norm());
        if (edge == HUGE_VAL) edge = 0.0;
        if (const double length = std::max(m.rounding(), 0.25 * edge); length > 0.0)
          least = std::min(least, length);
      }
    }
  }
  return least;
}

/// Pebbles of several rounded tetrahedra: added one by one, their rounding would count at each
/// seam.
std::vector<std::vector<std::uint32_t>> roundedPebbles(const PackParticle& particle) {
  std::vector<std::vector<std::uint32_t>> pebbles;
  if (std::any_of(particle.members.begin(), particle.members.end(),
                  [](const PackMember& m) { return m.rounding() > 0.0; }))
    pebbles = pebblesOf(particle);
  std::erase_if(pebbles, [&](const auto& pebble) {
    return pebble.size() < 2 || particle.members[pebble.front()].rounding() == 0.0;
  });
  return pebbles;
}

/// Below the least normal double, moments have fewer digits than their bounds say.
void checkRange(const mass::SolidProperties& solid) {
  constexpr double least = std::numeric_limits<double>::min();
  if (solid.volume * solid.inertiaPerMass.trace() < least)
    throw GeometryError(
        fmt::format("its moments of inertia at density 1 are below {:.2g}, where double precision "
                    "loses digits; scale the pack up",
                    least));
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
  shape::Aabb box;
  for (const PackMember& m : particle.members) box.add(boxOf(m));
  const double reach = 2.0 * box.halfSize().norm();  // from the centre to any point, at most
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

std::optional<mass::MassBound> closedFormBound(const PackParticle& particle,
                                               const mass::SolidProperties& solid, double unsure) {
  return widened({.volume = 1e-13, .centre = 1e-13, .inertia = 1e-12}, particle, solid, unsure);
}

void fillOther(ParticleMass& result, const PackParticle& particle,
               const ClumpMassOptions& options) {
  using Method = ClumpMassOptions::Method;
  if (options.method == Method::grid) {
    result.method = "grid";
    result.solid = mass::gridMass(bodyOf(particle), smallestLength(particle) / options.divisions,
                                  options.threads);
  } else if (options.method == Method::octree) {
    result.method = "octree";
    result.octree.emplace();
    result.solid = mass::innerOctreeMass(pebbleBody(particle), octreeBoxes, options.tolerance,
                                         &*result.octree);
  } else {
    const mass::CertifiedMass certified = mass::certifiedMass(
        bodyOf(particle), {.tolerance = options.tolerance, .threads = options.threads});
    result.method = "certified";
    result.solid = certified.solid;
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

mass::CertifiedBody bodyOf(const PackParticle& particle) {
  mass::CertifiedBody body;
  for (const PackMember& m : particle.members) {
    if (m.kind() == Kind::ellipsoid) {
      body.ellipsoids.push_back(
          {m.centre, rotationMatrix(ellipsoidOrientation(m)) * ellipsoidSemiAxes(m).asDiagonal()});
      continue;
    }
    mass::RoundedPart part;
    if (isBall(m)) {
      part = {.vertices = {m.centre},
              .triangles = {},
              .segments = {},
              .points = {0},
              .radius = m.radius};
    } else if (m.kind() == Kind::capsule) {
      const Vec3 half = capsuleHalfShaft(m);
      part = {.vertices = {m.centre - half, m.centre + half},
              .triangles = {},
              .segments = {{0, 1}},
              .points = {},
              .radius = capsuleRadius(m)};
    } else if (m.kind() == Kind::tetra) {
      part.vertices = m.nodes();
      const auto& n = m.nodes();
      const double volume = Products::triple(n[0], n[1], n[2], n[3]);
      if (volume == 0.0 && m.rounding() == 0.0) continue;
      part.radius = m.rounding();
      if (volume < 0.0) std::swap(part.vertices[0], part.vertices[1]);
      part.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
      part.solid = volume != 0.0;
    } else {
      part.vertices = polyhedronCorners(m);
      if (part.vertices.empty()) continue;
      part.triangles = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3},
                        {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
      part.solid = true;
    }
    body.parts.push_back(std::move(part));
  }
  return body;
}

ParticleMass particleMass(const PackParticle& particle, const ClumpMassOptions& options) {
  using Method = ClumpMassOptions::Method;
  const auto& members = particle.members;
  ParticleMass result;
  result.id = particle.id;
  if (members.empty()) throw GeometryError(fmt::format("{}: no shape", nameOf(particle)));
  result.kind = members.size() > 1 ? std::string_view("clump") : members.front().type->name;
  std::vector<Ball> balls;
  for (const PackMember& m : members) {
    if (m.kind() == Kind::sphere) ++result.spheres;
    if (isBall(m)) balls.push_back({m.centre, m.radius});
  }

  const bool sum = options.method == Method::sum && members.size() > 1;
  bool closedForm = options.method != Method::grid && options.method != Method::octree;
  const Vec3 origin = middleOf(members.front());
  std::vector<std::vector<std::uint32_t>> rounded;  // pebbles of several members
  std::vector<std::uint32_t> pebble(members.size());
  std::iota(pebble.begin(), pebble.end(), 0u);
  Overlaps overlaps;
  std::optional<double> filled;  // by tetrahedra that overlap
  if (closedForm && balls.size() < members.size() && members.size() > 1) {
    rounded = roundedPebbles(particle);
    for (const std::vector<std::uint32_t>& group : rounded)
      for (const std::uint32_t k : group) pebble[k] = group.front();
    if (!sum) overlaps = overlapsOf(particle, pebble);
    if (overlaps.other) filled = filledHull(particle, origin);
    if (filled) {
      rounded.assign(1, std::vector<std::uint32_t>(members.size()));
      std::iota(rounded[0].begin(), rounded[0].end(), 0u);
      overlaps = {};
      std::fill(pebble.begin(), pebble.end(), 0u);
    }
  }
  if (overlaps.other) {
    closedForm = false;
    const auto [i, j] = *overlaps.other;
    if (options.method == Method::exact)
      throw GeometryError(fmt::format(
          "{}: its members {} ({}) and {} ({}) overlap; there is no closed form for that; --method "
          "auto gives proven bounds",
          nameOf(particle), i + 1, members[i].type->name, j + 1, members[j].type->name));
  }
  try {
    if (!closedForm) {
      fillOther(result, particle, options);
      checkRange(result.solid);
      addCentreRounding(result);
      return result;
    }
    const bool shared = balls.size() > 1 || overlaps.polyhedra || !rounded.empty();
    result.method = sum ? "sum" : shared ? "exact-union" : "exact";
    double unsure = overlaps.unsure;
    mass::BallMoments body;
    body.origin = origin;
    if (!balls.empty())
      body = sum ? mass::ballSumMoments(balls) : mass::ballUnionMoments(balls, options.threads);
    std::vector<bool> counted(members.size(), false);
    for (const std::vector<std::uint32_t>& group : rounded) {
      for (const std::uint32_t k : group) counted[k] = true;
      body.moments += sweptMoments(particle, group, body.origin,
                                   filled ? *filled : volumesOf(particle, group), unsure);
    }
    std::vector<mass::Polyhedron> solids;
    for (std::size_t k = 0; k < members.size(); ++k) {
      const PackMember& m = members[k];
      if (isBall(m) || counted[k]) continue;
      const mass::Moments alone = memberMoments(m, body.origin);
      if (overlaps.polyhedra && isPolyhedron(m)) {
        solids.push_back(polyhedronOf(m));
        solids.back().alone = alone;
      } else {
        body.moments += alone;
      }
    }
    if (!solids.empty()) {
      const mass::PolyhedronUnion all = mass::polyhedronUnion(solids, body.origin, options.threads);
      body.moments += all.moments;
      unsure += all.unsure;
    }
    if (!(body.moments.m0 > 0.0)) throw GeometryError("it has no volume and therefore no mass");
    result.solid = solidOf(body);
    checkRange(result.solid);
    if (!sum) result.bound = closedFormBound(particle, result.solid, unsure);
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

namespace {

/// A particle as the user wants it: what is given, by its geometry, or one member alone.
ParticleMass entryOf(const PackParticle& particle, std::optional<std::size_t> member,
                     const ClumpMassOptions& options) {
  ParticleMass result;
  if (member) {
    PackParticle single;
    single.id = particle.id;
    single.line = particle.line;
    single.members = {particle.members[*member]};
    result = particleMass(single, options);
    result.member = member;
    result.boundRad = boundingBall(single.members).radius;
  } else if (const GivenMass* const given = particle.given()) {
    result.id = particle.id;
    result.kind =
        particle.members.size() > 1 ? std::string_view("clump") : particle.members[0].type->name;
    for (const PackMember& m : particle.members) result.spheres += m.kind() == Kind::sphere;
    result.method = "given";
    const double mass = given->volume * particle.carried().density.value_or(1.0);
    result.solid = {given->volume, given->centre, given->inertia / mass};
    result.boundRad = boundingBall(particle.members).radius;
  } else {
    result = particleMass(particle, options);
    result.boundRad = boundingBall(particle.members).radius;
  }
  result.density = particle.carried().density;
  checkMass(particle, result.solid, result.density.value_or(options.density));
  return result;
}

}  // namespace

std::vector<ParticleMass> packMasses(const ShapePack& pack, const ClumpMassOptions& options) {
  std::vector<ParticleMass> out;
  for (PossibleMass& entry : possibleMasses(pack, options)) {
    if (!entry.mass) throw GeometryError(entry.refusal);
    out.push_back(std::move(*entry.mass));
  }
  return out;
}

std::vector<PossibleMass> possibleMasses(const ShapePack& pack, const ClumpMassOptions& options) {
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
  std::vector<PossibleMass> out(entries.size());
  parallelJobs(many ? options.threads : 1, out.size(), [&](std::size_t k) {
    try {
      out[k].mass = entryOf(*entries[k].first, entries[k].second, each);
    } catch (const GeometryError& error) {
      out[k].refusal = error.what();
    }
  });
  return out;
}

}  // namespace scree::clump

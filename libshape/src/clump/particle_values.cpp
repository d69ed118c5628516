// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "clump/member_geometry.hpp"

#include "scree/base/parallel.hpp"
#include "scree/clump/pack_transform.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace scree::clump {
namespace {

struct Place {
  Vec3 centre = Vec3::Zero();
  double volume = 0.0;
};

Place placeOf(const PackParticle& particle, const ClumpMassOptions& options) {
  const auto hasVolume = [](const PackMember& m) {
    return memberMoments(m, m.nodes().empty() ? m.centre : m.nodes().front()).m0 > 0.0;
  };
  if (std::ranges::none_of(particle.members, hasVolume)) {
    const shape::Aabb box = boxOf(particle);
    return {box.low + 0.5 * (box.high - box.low), 0.0};
  }
  if (const GivenMass* const given = particle.given()) return {given->centre, given->volume};
  ClumpMassOptions each = options;  // shapes that are not tied to one another count one by one
  if (particle.unclumped) each.method = ClumpMassOptions::Method::sum;
  const mass::SolidProperties solid = particleMass(particle, each).solid;
  // The centre of a sphere, capsule or ellipsoid is a number of the file, without rounding.
  const PackMember& first = particle.members.front();
  const bool stated = particle.members.size() == 1 && first.nodes().empty();
  return {stated ? first.centre : solid.centre, solid.volume};
}

std::vector<Place> placesOf(const ShapePack& pack, const ClumpMassOptions& options) {
  std::vector<Place> out(pack.particles.size());
  ClumpMassOptions each = options;
  if (out.size() > 1) each.threads = 1;
  parallelJobs(out.size() > 1 ? options.threads : 1, out.size(),
               [&](std::size_t k) { out[k] = placeOf(pack.particles[k], each); });
  return out;
}

/// The first group whose name is a whole number, as groups of a conf-file have, or NaN.
double groupNumber(const PackParticle& particle) {
  for (const PackGroup& g : particle.carried().groups)
    if (const auto number = parseInteger(g.name)) return static_cast<double>(*number);
  return NAN;
}

using Particle = const PackParticle&;
using At = const Place&;

/// A name of a formula, and its value for a particle: a number, or a text.
struct Quantity {
  std::string_view name;
  double (*number)(Particle, At);
  bool placed = false;  ///< needs the place, which takes the mass of the particle
  std::string (*text)(Particle) = nullptr;
};

std::string groupName(Particle p) {
  return p.carried().groups.empty() ? "" : p.carried().groups.front().name;
}
constexpr std::array<Quantity, 20> quantities{{
    {"id", [](Particle p, At) { return static_cast<double>(p.id); }},
    {"kind", nullptr, false, [](Particle p) { return std::string(kindOf(p)); }},
    {"shapes", [](Particle p, At) { return static_cast<double>(p.members.size()); }},
    {"spheres", [](Particle p, At) { return static_cast<double>(spheresIn(p)); }},
    {"unclumped", [](Particle p, At) { return p.unclumped ? 1.0 : 0.0; }},
    {"x", [](Particle, At at) { return at.centre.x(); }, true},
    {"y", [](Particle, At at) { return at.centre.y(); }, true},
    {"z", [](Particle, At at) { return at.centre.z(); }, true},
    {"volume", [](Particle, At at) { return at.volume; }, true},
    {"equivRad", [](Particle, At at) { return elementary::cbrt(0.75 * at.volume / pi); }, true},
    {"boundRad", [](Particle p, At) { return boundingBall(p.members).radius; }},
    {"density", [](Particle p, At) { return p.carried().density.value_or(1.0); }},
    {"xmin", [](Particle p, At) { return boxOf(p).low.x(); }},
    {"ymin", [](Particle p, At) { return boxOf(p).low.y(); }},
    {"zmin", [](Particle p, At) { return boxOf(p).low.z(); }},
    {"xmax", [](Particle p, At) { return boxOf(p).high.x(); }},
    {"ymax", [](Particle p, At) { return boxOf(p).high.y(); }},
    {"zmax", [](Particle p, At) { return boxOf(p).high.z(); }},
    {"group", [](Particle p, At) { return groupNumber(p); }},
    {"groupName", nullptr, false, groupName},
}};

}  // namespace

shape::Aabb boxOf(const PackMember& m) {
  shape::Aabb box;
  const auto add = [&](const Vec3& at, const Vec3& reach) {
    box.add(at - reach);
    box.add(at + reach);
  };
  for (const Ball& ball : hullBalls(m, Vec3::Zero())) add(ball.centre, Vec3::Constant(ball.radius));
  if (m.kind() == MemberType::Kind::ellipsoid) add(m.centre, ellipsoidStretch(m).rowwise().norm());
  return box;
}

shape::Aabb boxOf(const PackParticle& particle) {
  shape::Aabb box;
  for (const PackMember& m : particle.members) box.add(boxOf(m));
  return box;
}

std::vector<Vec3> particleCentres(const ShapePack& pack, const ClumpMassOptions& options) {
  std::vector<Vec3> out;
  for (const Place& place : placesOf(pack, options)) out.push_back(place.centre);
  return out;
}

std::span<const Condition::Name> particleNames() {
  static const std::vector<Condition::Name> names = [] {
    std::vector<Condition::Name> out;
    for (const Quantity& q : quantities) out.push_back({q.name, q.text != nullptr});
    return out;
  }();
  return names;
}

std::vector<double> particleNumbers(const ShapePack& pack, const Condition& formula,
                                    const ClumpMassOptions& options) {
  std::vector<Place> places(pack.particles.size());
  bool placed = false;
  for (std::size_t name = 0; name < quantities.size(); ++name)
    placed = placed || (quantities[name].placed && formula.uses(name));
  if (placed) places = placesOf(pack, options);
  std::vector<double> out;
  for (std::size_t k = 0; k < places.size(); ++k)
    out.push_back(formula.number([&](std::size_t name) -> Condition::Value {
      const Quantity& q = quantities[name];
      if (q.text) return q.text(pack.particles[k]);
      return q.number(pack.particles[k], places[k]);
    }));
  return out;
}

}  // namespace scree::clump

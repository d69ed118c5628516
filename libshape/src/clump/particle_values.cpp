// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "clump/member_geometry.hpp"

#include "scree/base/parallel.hpp"
#include "scree/clump/pack_transform.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;

void add(ParticleBox& box, const Vec3& at, const Vec3& reach) {
  box.least = box.least.cwiseMin(at - reach);
  box.most = box.most.cwiseMax(at + reach);
}

struct Place {
  Vec3 centre = Vec3::Zero();
  double volume = 0.0;
};

bool hasVolume(const PackParticle& particle) {
  return std::any_of(particle.members.begin(), particle.members.end(), [](const PackMember& m) {
    return memberMoments(m, m.nodes().empty() ? m.centre : m.nodes().front()).m0 > 0.0;
  });
}

Place placeOf(const PackParticle& particle, const ClumpMassOptions& options) {
  if (!hasVolume(particle)) {
    const ParticleBox box = boxOf(particle);
    return {box.least + 0.5 * (box.most - box.least), 0.0};
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

}  // namespace

ParticleBox boxOf(const PackParticle& particle) {
  ParticleBox box{Vec3::Constant(INFINITY), Vec3::Constant(-INFINITY)};
  for (const PackMember& m : particle.members) {
    switch (m.kind()) {
      case Kind::sphere:
        add(box, m.centre, Vec3::Constant(m.radius));
        break;
      case Kind::capsule:
        for (const double side : {-1.0, 1.0})
          add(box, m.centre + side * capsuleHalfShaft(m), Vec3::Constant(capsuleRadius(m)));
        break;
      case Kind::ellipsoid: {
        const Mat3 stretch =
            rotationMatrix(ellipsoidOrientation(m)) * ellipsoidSemiAxes(m).asDiagonal();
        add(box, m.centre, stretch.rowwise().norm());
        break;
      }
      case Kind::facet: {
        const Vec3 area = (m.nodes()[1] - m.nodes()[0]).cross(m.nodes()[2] - m.nodes()[0]);
        const Vec3 reach = area.norm() > 0.0
                               ? Vec3(facetHalfThickness(m) * area.normalized().cwiseAbs())
                               : Vec3(Vec3::Zero());
        for (const Vec3& node : m.nodes()) add(box, node, reach);
        break;
      }
      case Kind::tetra:
        for (const Vec3& node : m.nodes()) add(box, node, Vec3::Constant(m.rounding()));
        break;
    }
  }
  return box;
}

std::vector<Vec3> particleCentres(const ShapePack& pack, const ClumpMassOptions& options) {
  std::vector<Vec3> out;
  for (const Place& place : placesOf(pack, options)) out.push_back(place.centre);
  return out;
}

namespace {

/// The first group whose name is a whole number, as groups of a conf-file have, or NaN.
double groupNumber(const PackParticle& particle) {
  for (const PackGroup& g : particle.carried().groups)
    if (const auto number = parseInteger(g.name)) return static_cast<double>(*number);
  return NAN;
}

/// A name of a formula, and its value for a particle.
struct Quantity {
  Condition::Name name;
  Condition::Value (*value)(const PackParticle&, const Place&);
  bool placed = false;  ///< needs the place, which takes the mass of the particle
};

using Particle = const PackParticle&;
using At = const Place&;

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all{
      {{"id"}, [](Particle p, At) -> Condition::Value { return static_cast<double>(p.id); }},
      {{"kind", true},
       [](Particle p, At) -> Condition::Value {
         return std::string(p.members.size() > 1 ? "clump" : p.members.front().type->name);
       }},
      {{"shapes"},
       [](Particle p, At) -> Condition::Value { return static_cast<double>(p.members.size()); }},
      {{"spheres"},
       [](Particle p, At) -> Condition::Value {
         return static_cast<double>(std::ranges::count(p.members, Kind::sphere, &PackMember::kind));
       }},
      {{"unclumped"}, [](Particle p, At) -> Condition::Value { return p.unclumped ? 1.0 : 0.0; }},
      {{"x"}, [](Particle, At at) -> Condition::Value { return at.centre.x(); }, true},
      {{"y"}, [](Particle, At at) -> Condition::Value { return at.centre.y(); }, true},
      {{"z"}, [](Particle, At at) -> Condition::Value { return at.centre.z(); }, true},
      {{"volume"}, [](Particle, At at) -> Condition::Value { return at.volume; }, true},
      {{"equivRad"},
       [](Particle, At at) -> Condition::Value { return elementary::cbrt(0.75 * at.volume / pi); },
       true},
      {{"boundRad"},
       [](Particle p, At) -> Condition::Value { return boundingBall(p.members).radius; }},
      {{"density"},
       [](Particle p, At) -> Condition::Value { return p.carried().density.value_or(1.0); }},
      {{"xmin"}, [](Particle p, At) -> Condition::Value { return boxOf(p).least.x(); }},
      {{"ymin"}, [](Particle p, At) -> Condition::Value { return boxOf(p).least.y(); }},
      {{"zmin"}, [](Particle p, At) -> Condition::Value { return boxOf(p).least.z(); }},
      {{"xmax"}, [](Particle p, At) -> Condition::Value { return boxOf(p).most.x(); }},
      {{"ymax"}, [](Particle p, At) -> Condition::Value { return boxOf(p).most.y(); }},
      {{"zmax"}, [](Particle p, At) -> Condition::Value { return boxOf(p).most.z(); }},
      {{"group"}, [](Particle p, At) -> Condition::Value { return groupNumber(p); }},
      {{"groupName", true},
       [](Particle p, At) -> Condition::Value {
         return p.carried().groups.empty() ? std::string() : p.carried().groups.front().name;
       }},
  };
  return all;
}

}  // namespace

std::span<const Condition::Name> particleNames() {
  static const std::vector<Condition::Name> names = [] {
    std::vector<Condition::Name> out;
    for (const Quantity& q : quantities()) out.push_back(q.name);
    return out;
  }();
  return names;
}

std::vector<double> particleNumbers(const ShapePack& pack, const Condition& formula,
                                    const ClumpMassOptions& options) {
  std::vector<Place> places(pack.particles.size());
  for (std::size_t name = 0; name < quantities().size(); ++name)
    if (quantities()[name].placed && formula.uses(name)) {
      places = placesOf(pack, options);
      break;
    }
  std::vector<double> out;
  for (std::size_t k = 0; k < places.size(); ++k)
    out.push_back(formula.number(
        [&](std::size_t name) { return quantities()[name].value(pack.particles[k], places[k]); }));
  return out;
}

}  // namespace scree::clump

// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/elementary.hpp"
#include "clump/member_geometry.hpp"

#include "scree/base/parallel.hpp"
#include "scree/clump/pack_transform.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;

enum Value : std::size_t {
  id,
  kind,
  shapes,
  spheres,
  unclumped,
  x,
  y,
  z,
  volume,
  equivRad,
  boundRad,
  density,
  xmin,
  ymin,
  zmin,
  xmax,
  ymax,
  zmax,
  group,
  groupName
};
constexpr std::array<Condition::Name, 20> valueNames{
    {{"id"},       {"kind", true}, {"shapes"}, {"spheres"}, {"unclumped"},
     {"x"},        {"y"},          {"z"},      {"volume"},  {"equivRad"},
     {"boundRad"}, {"density"},    {"xmin"},   {"ymin"},    {"zmin"},
     {"xmax"},     {"ymax"},       {"zmax"},   {"group"},   {"groupName", true}}};

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

/// The first group whose name is a whole number, as groups of a conf-file have, or NaN.
double groupNumber(const PackParticle& particle) {
  for (const PackGroup& g : particle.carried().groups)
    if (const auto number = parseInteger(g.name)) return static_cast<double>(*number);
  return NAN;
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

std::span<const Condition::Name> particleNames() { return valueNames; }

std::vector<double> particleNumbers(const ShapePack& pack, const Condition& formula,
                                    const ClumpMassOptions& options) {
  const std::size_t n = pack.particles.size();
  std::vector<Place> places(n);
  if (formula.uses(x) || formula.uses(y) || formula.uses(z) || formula.uses(volume) ||
      formula.uses(equivRad))
    places = placesOf(pack, options);
  std::vector<double> out(n);
  for (std::size_t k = 0; k < n; ++k) {
    const PackParticle& p = pack.particles[k];
    const ParticleBox box = boxOf(p);
    out[k] = formula.number([&](std::size_t name) -> Condition::Value {
      switch (static_cast<Value>(name)) {
        case id:
          return static_cast<double>(p.id);
        case kind:
          return std::string(p.members.size() > 1 ? "clump" : p.members.front().type->name);
        case shapes:
          return static_cast<double>(p.members.size());
        case spheres:
          return static_cast<double>(
              std::count_if(p.members.begin(), p.members.end(),
                            [](const PackMember& m) { return m.kind() == Kind::sphere; }));
        case unclumped:
          return p.unclumped ? 1.0 : 0.0;
        case x:
        case y:
        case z:
          return places[k].centre[static_cast<Eigen::Index>(name - x)];
        case volume:
          return places[k].volume;
        case equivRad:
          return elementary::cbrt(0.75 * places[k].volume / pi);
        case boundRad:
          return boundingBall(p.members).radius;
        case Value::density:
          return p.carried().density.value_or(1.0);
        case xmin:
        case ymin:
        case zmin:
          return box.least[static_cast<Eigen::Index>(name - xmin)];
        case xmax:
        case ymax:
        case zmax:
          return box.most[static_cast<Eigen::Index>(name - xmax)];
        case group:
          return groupNumber(p);
        case groupName:
          return p.carried().groups.empty() ? std::string() : p.carried().groups.front().name;
      }
      return 0.0;
    });
  }
  return out;
}

}  // namespace scree::clump

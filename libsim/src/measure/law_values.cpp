// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/law_values.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/law/bond_law.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace scree::sim {
namespace {

/// The stiffnesses of one bond of each interface, as a run sets them.
struct BondFace {
  std::pair<BodyId, BodyId> pair;
  BondParameters own;
  double dn0 = 0.0;
};

std::vector<BondFace> bondFaces(const Conf& conf) {
  std::vector<BondFace> faces;
  const bool compat = conf.compatState.has_value(), bcm = conf.forceLaw == BcmLaw::name;
  for (const InterfaceRecord& face : conf.interfaces) {
    if (face.i >= conf.particles.size() || face.j >= conf.particles.size()) continue;
    const ParticleRecord &pi = conf.particles[face.i], &pj = conf.particles[face.j];
    const bool inner = pi.cluster == pj.cluster;
    BondFace f{bodyPair(face.i, face.j), bondParameters(conf, inner, pi.group, pj.group), face.dn0};
    if (conf.paramsInInterfaces && face.params) f.own = *face.params;
    if (compat && inner && !conf.paramsInInterfaces) f.dn0 = 0.0;
    if (bcm) {
      const double count = std::max<double>(static_cast<double>(face.bonds.size()), 1.0);
      f.own.kn /= count;
      f.own.kt /= count;
      f.own.kr = 0.0;
    }
    faces.push_back(f);
  }
  std::ranges::stable_sort(faces, {}, &BondFace::pair);
  return faces;
}

}  // namespace

LawValues::LawValues(const Instant& instant) : instant_(instant) {
  if (instant.conf().forceLaw.empty()) return;
  try {
    law_ = lawNamed(instant.conf().forceLaw);
  } catch (const ModelError&) {
    law_.reset();  // a law that only other programs have
  }
}

const LawValues::Pair& LawValues::pairOf(const Link& link) const {
  const std::uint32_t gi = instant_.body(link.i).group,
                      gj = link.j == Link::none ? instant_.conf().boundaries[link.jSub].group
                                                : instant_.body(link.j).group;
  const auto key = std::minmax(gi, gj);
  const auto [found, fresh] = pairs_.try_emplace(key);
  if (!fresh) return found->second;
  Pair& pair = found->second;
  if (!law_) {
    pair.mu = pair.kn = std::nan("");
    pair.elastic = {std::nan(""), std::nan(""), std::nan("")};
    return pair;
  }
  const auto value = [&](std::string_view name) {
    return instant_.conf().lawParameter(std::string(name), gi, gj);
  };
  std::visit(
      [&]<class Law>(const Law&) {
        const typename Law::Params p = Law::parameters(value);
        pair.elastic = Law::elastic(p);
        pair.mu = p.mu;
        pair.kn = p.kn;
      },
      *law_);
  return pair;
}

ElasticStiffness LawValues::elastic(const Link& link) const {
  const ElasticStiffness& e = pairOf(link).elastic;
  return {link.weight * e.normal, link.weight * e.tangential, link.weight * e.rolling};
}

double LawValues::frictionBound(const Link& link) const {
  const Pair& pair = pairOf(link);
  const bool ofElasticPart = law_ && (std::holds_alternative<DefaultLaw>(*law_) ||
                                      std::holds_alternative<GeoViscLaw>(*law_));
  return ofElasticPart ? pair.mu * (link.weight * pair.kn) * std::abs(link.dn)
                       : std::abs(pair.mu * link.fn);
}

bool LawValues::hasHysteresis() const {
  return law_ && std::holds_alternative<AvalancheLaw>(*law_);
}

ElasticEnergies elasticEnergies(const Instant& instant) {
  const Conf& conf = instant.conf();
  const LawValues law(instant);
  const std::vector<BondFace> faces = bondFaces(conf);
  // A run keeps the viscous part of bonds apart; links hold both, files the springs alone.
  ElasticEnergies e;
  for (std::size_t k = 0; k < instant.links().size(); ++k) {
    const Link& link = instant.links()[k];
    if (link.kind == Link::Kind::bond) {
      const auto face =
          std::ranges::lower_bound(faces, bodyPair(link.i, link.j), {}, &BondFace::pair);
      const InteractionRecord& r = conf.interactions[k];  // bonds come before round walls
      e.bonds += elasticEnergy(face->own, link.dn - face->dn0, r.ft, r.mom);
      continue;
    }
    if (!link.touches()) continue;
    const ElasticStiffness s = law.elastic(link);
    e.normal += 0.5 * s.normal * link.dn * link.dn;
    if (s.tangential > 0.0) e.tangential += 0.5 * link.ft.squaredNorm() / s.tangential;
    if (s.rolling > 0.0) e.rolling += 0.5 * link.mom.squaredNorm() / s.rolling;
    if (std::isnan(s.normal)) e.tangential = e.rolling = s.normal;
  }
  for (const SpringJoint& s : conf.joints) {
    if (s.i >= instant.bodyCount() || s.j >= instant.bodyCount()) continue;
    const ParticleRecord &i = instant.body(s.i), &j = instant.body(s.j);
    const Vec3 way = (j.pos - i.pos) + (rotated(j.q, s.onJ) - rotated(i.q, s.onI));
    const double stretch = s.restLength < 0.0 ? std::nan("") : way.norm() - s.restLength;
    e.joints += 0.5 * s.stiffness * stretch * stretch;
  }
  return e;
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/law_values.hpp"

#include "law/all_laws.hpp"
#include "law/bond_law.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace scree::sim {

namespace {

/// The stiffnesses of one bond of each interface, as a run sets them.
struct BondFace {
  std::pair<BodyId, BodyId> pair;
  BondParameters own;
  const InterfaceRecord* record;
  bool gaps = true;  ///< bonds rest at the gaps of the record; else at 0

  double restGap(const Link& link) const {
    if (!gaps) return 0.0;
    for (const BondRecord& b : record->bonds)
      if (b.pairing == link.pairing && b.iSub == link.iSub && b.jSub == link.jSub)
        return record->dn0 + b.extraGap;
    return record->dn0;
  }
};

std::vector<BondFace> bondFaces(const Conf& conf) {
  std::vector<BondFace> faces;
  const bool innerGaps = !conf.state().summedClock, bcm = conf.forceLaw == BcmLaw::name;
  for (const InterfaceRecord& face : conf.interfaces) {
    if (face.i >= conf.particles.size() || face.j >= conf.particles.size()) continue;
    const ParticleRecord &pi = conf.particles[face.i], &pj = conf.particles[face.j];
    const bool inner = pi.cluster == pj.cluster;
    BondFace f{bodyPair(face.i, face.j), bondParameters(conf, inner, pi.group, pj.group), &face};
    if (conf.paramsInInterfaces && face.params) f.own = *face.params;
    f.gaps = innerGaps || !inner || conf.paramsInInterfaces;
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
    info_ = &lawNamed(instant.conf().forceLaw);
  } catch (const ModelError&) {
    return;  // a law that only other programs have
  }
}

const LawValues::Pair& LawValues::pairOf(const Link& link) const {
  const std::uint32_t gi = instant_.body(link.i).group,
                      gj = link.j == Link::none ? instant_.conf().boundaries[link.jSub].group
                                                : instant_.body(link.j).group;
  const auto [found, fresh] = pairs_.try_emplace(std::pair(gi, gj));
  if (!fresh) return found->second;
  Pair& pair = found->second;
  pair.mu = std::nan("");
  pair.springs = [](double, double, double) {
    return SpringState{std::nan(""), std::nan(""), std::nan(""), std::nan("")};
  };
  if (info_ == nullptr) return pair;
  const Conf& conf = instant_.conf();
  const ParameterSource source(
      [&](std::string_view keyword) { return conf.lawParameter(std::string(keyword), gi, gj); },
      [&](std::string_view keyword, bool first) {
        return conf.groupParameter(keyword, first ? gi : gj);
      });
  withLaw(info_->name, [&]<class Law>(const Law&) {
    const typename Law::Params p = Law::parameters(source);
    if constexpr (requires { p.mu; })
      pair.mu = p.mu;
    else
      pair.mu = 0.0;  // a law without friction
    pair.elasticBound = Law::elasticBound;
    pair.springs = [p](double radius, double share, double dn) {
      const auto s = Law::springs(p, radius);
      return SpringState{s.force(share, dn), s.energy(share, dn), share * s.tangential(dn),
                         share * s.rolling()};
    };
  });
  return pair;
}

double LawValues::radiusOf(const Link& link) const {
  if (!instant_.hasShapes()) return std::nan("");
  // Clumps have vertices alone; other sub-elements have the radius of their body.
  const auto radius = [&](BodyId k, std::uint32_t vertex) {
    const shape::Shape& s = instant_.shapeOf(k);
    return instant_.body(k).homothety * (s.radii.empty() ? s.radius : s.radii[vertex]);
  };
  // A round wall counts as flat.
  if (link.j == Link::none) return radius(link.i, link.iSub);
  return contactRadius(link.pairing, radius(link.i, link.iSub), radius(link.j, link.jSub));
}

SpringState LawValues::springs(const Link& link) const {
  const double radius = info_ != nullptr && info_->needsRadius ? radiusOf(link) : 0.0;
  return pairOf(link).springs(radius, link.weight, link.dn);
}

double LawValues::frictionBound(const Link& link) const {
  const Pair& pair = pairOf(link);
  return std::abs(pair.mu * (pair.elasticBound ? springs(link).force : link.fn));
}

std::vector<double> LawValues::bondLoads() const {
  const Vec3 none = Vec3::Zero();
  const Conf& conf = instant_.conf();
  std::vector<double> loads(conf.interfaces.size(), std::nan(""));
  if (info_ == nullptr || info_->bonds == Breakage::noBonds) return loads;
  const bool yields = info_->bonds == Breakage::yieldSurface;
  for (const BondFace& face : bondFaces(conf)) {
    double load = 0.0;
    Interface interface;
    interface.energy = face.own;
    const double most = yields ? 1.0 : 2.0 * face.record->area.value_or(0.0) * face.own.gc;
    for (const BondRecord& b : face.record->bonds) {
      const InteractionRecord* const state = listedBond(conf, *face.record, b);
      if (state == nullptr) continue;  // it starts without load
      const double stretch = state->dn - (face.gaps ? face.record->dn0 + b.extraGap : 0.0);
      if (yields)
        load = std::max(load, 1.0 + bondYield(face.own, *state));
      else
        load += FractureEnergy::of<TurningSprings>(BondForce{0.0, state->ft, none, none}, stretch,
                                                   none, interface);
    }
    if (most > 0.0)
      loads[static_cast<std::size_t>(face.record - conf.interfaces.data())] = load / most;
  }
  return loads;
}

const InteractionRecord* listedBond(const Conf& conf, const InterfaceRecord& face,
                                    const BondRecord& bond) {
  const ContactKey key{face.i, face.j, bond.pairing, bond.iSub, bond.jSub};
  const auto at = std::ranges::lower_bound(conf.interactions, key, {}, &InteractionRecord::key);
  return at != conf.interactions.end() && at->key == key ? &*at : nullptr;
}

double bondYield(const BondParameters& own, const InteractionRecord& bond) {
  Interface interface;
  interface.own = own;
  if (own.power <= 0.0) interface.own.power = 2.0;  // as in a run
  const Vec3 none = Vec3::Zero();
  return YieldSurface::of<TurningSprings>(BondForce{bond.fn, bond.ft, bond.mom, none}, 0.0, none,
                                          interface);
}

namespace {

/// Energy that springs hold. Sums over links in their order, by the stiffnesses of the law and of
/// the bonds' tables. A bond whose record is missing holds nothing. O(links).
EnergyBudget elasticEnergies(const Instant& instant) {
  const Conf& conf = instant.conf();
  const LawValues law(instant);
  const std::vector<BondFace> faces = bondFaces(conf);
  // A run keeps the viscous part of bonds apart; links hold both, files the springs alone.
  EnergyBudget e;
  for (std::size_t k = 0; k < instant.links().size(); ++k) {
    const Link& link = instant.links()[k];
    if (link.kind == Link::Kind::bond) {
      const auto face =
          std::ranges::lower_bound(faces, bodyPair(link.i, link.j), {}, &BondFace::pair);
      const InteractionRecord& r = conf.interactions[k];  // bonds come before round walls
      e.bonds += elasticEnergy(face->own, link.dn - face->restGap(link), r.ft, r.mom);
      continue;
    }
    if (!link.touches()) continue;
    const SpringState s = law.springs(link);
    e.normal += s.energy;
    if (s.tangential > 0.0) e.tangential += 0.5 * link.ft.squaredNorm() / s.tangential;
    if (s.rolling > 0.0) e.rolling += 0.5 * link.mom.squaredNorm() / s.rolling;
    if (std::isnan(s.energy)) e.tangential = e.rolling = s.energy;
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

}  // namespace

// The energy of an instant, from what a conf-file holds. A run writes energy.txt by the same sums.
EnergyBudget energyBudget(const Instant& instant, double cell) {
  EnergyBudget e = elasticEnergies(instant);
  // Sums over free bodies; in a periodic cell, translation is relative to the flow of the cell.
  const std::size_t driven = instant.conf().nDriven;
  const Vec3 motion =
      orderedSum(1, instant.bodyCount() - driven, Vec3(Vec3::Zero()), [&](std::size_t m) -> Vec3 {
        const std::size_t k = driven + m;
        const KineticEnergy kinetic = instant.kineticEnergy(k);
        return {kinetic.translation, kinetic.rotation,
                -instant.masses()[k] * instant.conf().gravity.dot(instant.body(k).pos)};
      });
  e.translation = motion[0];
  e.rotation = motion[1];
  e.potential = motion[2];
  e.cell = cell;
  if (!instant.conf().state().energy) {
    for (double* loss : {&e.friction, &e.viscosity, &e.hysteresis, &e.rollingLoss, &e.switching,
                         &e.damping, &e.barriers, &e.breakage, &e.bodyForces, &e.drives,
                         &e.cellWork, &e.residual, &e.exchanged})
      *loss = std::nan("");
    return e;
  }
  e.add(*instant.conf().state().energy, LawValues(instant).hasHysteresis());
  return e;
}

}  // namespace scree::sim

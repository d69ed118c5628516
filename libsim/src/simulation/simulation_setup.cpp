// SPDX-License-Identifier: GPL-3.0-or-later
// From what a conf-file says to a state that runs.
#include "../bonds/bond_system.hpp"
#include "../forces/force_field.hpp"

#include "scree/base/portable_math.hpp"
#include "scree/sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace scree::sim {
void Simulation::refuseWhatIsMissing() const {
  for (const OtherLine& line : conf_.others) {
    if (line.keyword == "DataExtractor") continue;  // a matter of the run
    if (line.keyword == "useSoftParticles")
      throw ParseError(
          line.where,
          "useSoftParticles: bodies are rigid here, and the keyword has no effect in any "
          "version of the program it comes from; take the line out");
    throw ParseError(line.where, fmt::format("{}: not available in this version", line.keyword));
  }
  const auto wantPositive = [this](const std::string& keyword, double barrier, double exponent) {
    if (barrier > 0.0 && !(exponent > 0.0))
      throw conf_.errorAt(
          keyword, fmt::format("{}: expected a number above 0, found {}", keyword, exponent));
  };
  wantPositive("VelocityBarrierExponent", conf_.velocityBarrier, conf_.velocityBarrierExponent);
  wantPositive("AngularVelocityBarrierExponent", conf_.angularVelocityBarrier,
               conf_.angularVelocityBarrierExponent);
  if (conf_.cell.used && !conf_.joints.empty())
    throw conf_.errorAt("initSpringJoint",
                        "initSpringJoint: a joint has no nearest image, so it cannot stand in a "
                        "periodic cell; take one of the two out");
}

void Simulation::makeBodies(bool complete, Diagnostics& diagnostics) {
  const std::size_t n = conf_.particles.size();
  for (const shape::Shape& s : shapes_) geometries_.push_back(shapeGeometry(s));
  bodies_.resize(n);
  bodies_.driven = conf_.nDriven;
  radius_.resize(n);
  placed_.resize(n);
  std::size_t bent = 0, firstBent = 0;  // orientations that are not of length 1
  double worstBend = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const ParticleRecord& p = conf_.particles[k];
    const shape::Shape& shape = shapes_[p.shapeName];
    const double h = p.homothety, density = conf_.densityOf(p.group);
    const bool driven = k < conf_.nDriven;
    bodies_.pos[k] = p.pos;
    bodies_.vel[k] = p.vel;
    bodies_.acc[k] = p.acc;
    bodies_.q[k] = p.q;
    // An orientation that is a unit one to rounding is left as it is, so that a restart keeps its
    // bits.
    if (const double off = std::abs(p.q.norm() - 1.0);
        off > 1e-6 && !(complete && staysStretched())) {
      if (bent++ == 0) firstBent = k;
      worstBend = std::max(worstBend, off);
      bodies_.q[k].normalize();
    }
    bodies_.spin[k] = p.vrot;
    bodies_.spinAcc[k] = p.arot;
    bodies_.homothety[k] = h;
    bodies_.shape[k] = p.shapeName;
    bodies_.group[k] = p.group;
    setMass(k);
    if (!driven) {
      if (!(density > 0.0))
        throw conf_.errorAtParticle(
            k, fmt::format("body {} has no mass: there is no density for group {}",
                           order_.number(k), p.group));
      if (!(bodies_.mass[k] > 0.0) || !(bodies_.inertia[k].minCoeff() > 0.0))
        throw conf_.errorAtParticle(
            k, fmt::format("body {} has no mass: shape '{}' states volume {} and I/m {} {} {}",
                           order_.number(k), shape.name, shape.volume, shape.inertiaPerMass[0],
                           shape.inertiaPerMass[1], shape.inertiaPerMass[2]));
    }
    bodies_.reach[k] = h * geometries_[p.shapeName].reach;
    bodies_.lastMove[k] = (p.vel.norm() + p.vrot.norm() * bodies_.reach[k]) * conf_.dt;
    radius_[k] = h * shape.radius;
    placed_[k].turn = h * Mat3::Identity();
    placed_[k].scale = h;
    placed_[k].radius = radius_[k];
    placed_[k].shape = &geometries_[p.shapeName];
  }
  if (bent > 0)
    diagnostics.warn(conf_.errorAtParticle(
        firstBent,
        fmt::format("orientation of body {} has length {:.6g}, not 1{}: brought to length 1",
                    order_.number(firstBent), conf_.particles[firstBent].q.norm(),
                    bent > 1 ? fmt::format(", and those of {} more bodies (off by up to {:.2g})",
                                           bent - 1, worstBend)
                             : "")));
  if (conf_.bodyForce && std::holds_alternative<ViscousFluid>(*conf_.bodyForce))
    for (std::size_t k = 0; k < n; ++k) {
      const double h = conf_.particles[k].homothety;
      dragArea_.push_back(h * h * portablePow(shapes_[bodies_.shape[k]].volume, 2.0 / 3.0));
    }
  restraint_ = {conf_.numericalDampingCoeff, conf_.velocityBarrier, conf_.velocityBarrierExponent,
                conf_.angularVelocityBarrier, conf_.angularVelocityBarrierExponent};
}

void Simulation::setMass(std::size_t k) {
  const double h = bodies_.homothety[k];
  const shape::Shape& shape = shapes_[bodies_.shape[k]];
  bodies_.mass[k] = h * h * h * shape.volume * conf_.densityOf(bodies_.group[k]);
  bodies_.inertia[k] = bodies_.mass[k] * h * h * shape.inertiaPerMass;
}

InteractionRecord Simulation::checkedContact(
    InteractionRecord r, const std::function<ParseError(const std::string&)>& complaint) const {
  for (const bool first : {true, false}) {
    const BodyId body = first ? r.key.i : r.key.j;
    if (body >= bodies_.size())
      throw complaint(
          fmt::format("body {} does not exist, there are {} (from 0)", body, bodies_.size()));
    const std::uint32_t sub = first ? r.key.iSub : r.key.jSub,
                        n = subElementCount(*placed_[body].shape, r.key.pairing, first);
    if (sub >= n)
      throw complaint(fmt::format("body {} has {} sub-elements of this kind (from 0), found {}",
                                  order_.number(body), n, sub));
  }
  // Pairings of equals are written with the lower body first; some files have it the other way.
  r.putLowerFirst();
  return r;
}

std::vector<InteractionRecord> Simulation::checkedInteractions() const {
  std::vector<InteractionRecord> records;
  for (std::size_t m = 0; m < conf_.interactions.size(); ++m)
    records.push_back(checkedContact(conf_.interactions[m], [&](const std::string& message) {
      return conf_.errorAtInteraction(m, "Interactions: " + message);
    }));
  return records;
}

void Simulation::loadContacts(Diagnostics& diagnostics) {
  if (!compat_) {
    const std::vector<InteractionRecord> records = checkedInteractions();
    std::size_t again = 0, first = 0;
    for (std::size_t m = 0; m < records.size(); ++m)
      if (!loadContact(records[m]) && again++ == 0) first = m;
    if (again > 0)
      diagnostics.warn(conf_.errorAtInteraction(
          first,
          fmt::format("Interactions: this contact has a line before; {} such line{}, of which "
                      "the last counts",
                      again, again > 1 ? "s" : "")));
    return;
  }
  referenceList_.emplace(shapes_, geometries_);
  std::vector<InteractionRecord> listed = checkedInteractions();
  // Bonds stand among the interactions of a file; what else is listed of their bodies acts.
  std::vector<ContactKey> glued;
  for (const Interface& face : bonds_->bonds().interfaces)
    for (std::uint32_t k = face.first; k < face.first + face.count; ++k) {
      const Bond& b = bonds_->bonds().bonds[k];
      glued.push_back({face.i, face.j, b.pairing, b.iSub, b.jSub});
    }
  std::sort(glued.begin(), glued.end());
  std::erase_if(listed, [&](const InteractionRecord& r) {
    return std::binary_search(glued.begin(), glued.end(), r.key);
  });
  for (const InteractionRecord& r : conf_.idle)
    listed.push_back(checkedContact(r, [&](const std::string& message) {
      return conf_.errorAt("", "#scree idle: " + message);
    }));
  ReferenceList::adopt(std::move(listed), bodies_, setUpRowOf, this, lists_.contacts);
}

bool Simulation::loadContact(const InteractionRecord& r) {
  Contacts& contacts = lists_.contacts;
  const std::pair pair(std::min(r.key.i, r.key.j), std::max(r.key.i, r.key.j));
  const auto row =
      std::lower_bound(contacts.rows.begin(), contacts.rows.end(), pair,
                       [](const PairRow& x, const auto& y) { return std::pair(x.a, x.b) < y; });
  if (row == contacts.rows.end() || std::pair(row->a, row->b) != pair)
    return true;  // too far apart to touch, or bonded
  const Candidate wanted{r.key.iSub, r.key.jSub, r.key.pairing, r.key.i > r.key.j, 0.0};
  RowPool& pool = contacts.poolOf(*row);
  const auto begin = pool.candidates.begin() + row->first, end = begin + row->count;
  const auto at = std::lower_bound(begin, end, wanted, [](const Candidate& x, const Candidate& y) {
    return x.order() < y.order();
  });
  if (at == end || at->order() != wanted.order() || !(r.dn < 0.0)) return true;
  const bool fresh = !at->touching();
  if (!fresh) pool.end(*at);
  pool.begin(*at) = {r.dn, r.fn, r.ft, r.mom};
  if (row->planes != PairRow::noPlanes)
    pool.planes[row->planes].touched.push_back(static_cast<std::uint32_t>(at - begin));
  return fresh;
}

}  // namespace scree::sim

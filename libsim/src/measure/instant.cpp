// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/instant.hpp"

#include "scree/sim/measure/stress.hpp"

#include <cmath>

namespace scree::sim {

Instant::Instant(const Conf& conf, std::span<const shape::Shape> shapes)
    : conf_(conf),
      shapes_(shapes),
      flow_(conf.cell.used ? Mat3(conf.cell.vh * conf.cell.h.inverse()) : Mat3(Mat3::Zero())),
      weights_(partnershipWeights(conf)) {
  if (!conf.boundaryTouches.empty()) atBoundaries_ = boundaryContacts(conf, shapes);
  snapshot_ = snapshotOf(conf, shapes, weights_);
  snapshot_.atBoundaries = atBoundaries_;
  snapshot_.instant = this;
}

const std::vector<double>& Instant::volumes() const {
  if (!volumes_) {
    volumes_.emplace();
    for (const ParticleRecord& p : conf_.particles) {
      const double h = p.homothety;
      volumes_->push_back(p.shapeName < shapes_.size() ? h * h * h * shapes_[p.shapeName].volume
                                                       : std::nan(""));
    }
  }
  return *volumes_;
}

const std::vector<double>& Instant::masses() const {
  if (!masses_) {
    masses_ = volumes();
    for (std::size_t k = 0; k < masses_->size(); ++k)
      (*masses_)[k] *= conf_.densityOf(conf_.particles[k].group);
  }
  return *masses_;
}

const std::vector<Vec3>& Instant::inertias() const {
  if (!inertias_) {
    inertias_.emplace();
    for (std::size_t k = 0; k < bodyCount(); ++k) {
      const ParticleRecord& p = conf_.particles[k];
      const double h = p.homothety;
      inertias_->push_back(p.shapeName < shapes_.size()
                               ? Vec3(masses()[k] * h * h * shapes_[p.shapeName].inertiaPerMass)
                               : Vec3::Constant(std::nan("")));
    }
  }
  return *inertias_;
}

const std::vector<Link>& Instant::links() const {
  if (!links_) links_ = linksOf(conf_, shapes_);
  return *links_;
}

const std::vector<ForceAndMoment>& Instant::actions() const {
  if (!actions_) actions_ = sumOfActions(conf_, links(), shapes_);
  return *actions_;
}

const std::vector<Mat3>& Instant::virials() const {
  if (!virials_) virials_ = bodyVirials(*this);
  return *virials_;
}

const Domain& Instant::hull() const {
  if (!hull_) hull_ = hullDomain(*this);
  return *hull_;
}

const Domain& Instant::domain() const {
  if (!domain_) domain_ = cellDomain(*this);
  if (!domain_) domain_ = wallDomain(*this);
  return domain_ ? *domain_ : hull();
}

Vec3 Instant::fluctuation(std::size_t body) const {
  const ParticleRecord& p = conf_.particles[body];
  return conf_.cell.used ? Vec3(p.vel - flow_ * p.pos) : p.vel;
}

KineticEnergy Instant::kineticEnergy(std::size_t body) const {
  const ParticleRecord& p = conf_.particles[body];
  return sim::kineticEnergy(masses()[body], inertias()[body], p.q, fluctuation(body), p.vrot);
}

}  // namespace scree::sim

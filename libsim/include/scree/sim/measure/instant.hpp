// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/sim/measure/links.hpp"
#include "scree/sim/measure/snapshot.hpp"
#include "scree/sim/model/kinetic_energy.hpp"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace scree::sim {

/// One instant of a run or of a conf-file, with what follows from it, each computed when it is
/// first used and then kept. A run and its files agree to the last bit, since both stand on a Conf.
///
/// Used by one thread at a time; lends `conf` and `shapes`, which must outlive it.
class Instant {
 public:
  /// @param shapes  as shapesOf(conf) gives them, or empty where they are not known
  explicit Instant(const Conf& conf, std::span<const shape::Shape> shapes = {});
  Instant(const Instant&) = delete;
  Instant& operator=(const Instant&) = delete;

  const Conf& conf() const { return conf_; }
  std::span<const shape::Shape> shapes() const { return shapes_; }
  std::size_t bodyCount() const { return conf_.particles.size(); }
  bool isDriven(std::size_t body) const { return body < conf_.nDriven; }
  const ParticleRecord& body(std::size_t k) const { return conf_.particles[k]; }
  const shape::Shape& shapeOf(std::size_t body) const {
    return shapes_[conf_.particles[body].shapeName];
  }
  bool hasShapes() const { return !shapes_.empty() || conf_.particles.empty(); }

  const std::vector<double>& volumes() const;  ///< [L³] of each body; nan without shapes
  const std::vector<double>& masses() const;   ///< [M] volume times the density of the group
  const std::vector<Vec3>& inertias() const;   ///< [M L²] principal, body frame
  const std::vector<Link>& links() const;      ///< see linksOf
  const std::vector<ForceAndMoment>& actions() const;  ///< see sumOfActions
  const std::vector<Mat3>& virials() const;            ///< see bodyVirials
  /// [L/T] Velocity of the centre; in a periodic cell, relative to the flow of the cell.
  Vec3 fluctuation(std::size_t body) const;
  /// With the velocity `fluctuation`.
  KineticEnergy kineticEnergy(std::size_t body) const;

  /// As the extractors of a run take it.
  const Snapshot& snapshot() const { return snapshot_; }

 private:
  const Conf& conf_;
  std::span<const shape::Shape> shapes_;
  Mat3 flow_;  ///< [1/T] velocity gradient of the periodic cell
  std::vector<double> weights_;
  std::vector<InteractionRecord> atBoundaries_;
  Snapshot snapshot_;
  mutable std::optional<std::vector<double>> volumes_, masses_;
  mutable std::optional<std::vector<Vec3>> inertias_;
  mutable std::optional<std::vector<Link>> links_;
  mutable std::optional<std::vector<ForceAndMoment>> actions_;
  mutable std::optional<std::vector<Mat3>> virials_;
};

}  // namespace scree::sim

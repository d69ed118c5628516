// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"
#include "scree/shape/shape.hpp"
#include "scree/sim/model/conf.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace scree::sim {

/// What an extractor sees: one instant of a model, lent by a conf-file or by a run. Copies nothing.
struct Snapshot {
  double t = 0.0;             ///< [T]
  int iconf = 0;              ///< number of the conf-file
  std::uint32_t nDriven = 0;  ///< the first so many bodies are driven
  std::string_view source;    ///< name of the file, for messages

  std::span<const ParticleRecord> particles;
  std::span<const InteractionRecord> interactions;  ///< those that act, sorted by key
  /// ParticleRecord::shapeName counts into it; may be empty where no extractor asks for shapes.
  std::span<const shape::Shape> shapes;

  /// What acts on each body but gravity and imposed loads, where it is known (in a run): contacts,
  /// bonds, boundaries, joints and BodyForce; empty: to be summed over `interactions`. [F], [F L]
  std::span<const Vec3> force, moment;

  /// Share of the stiffness that each interaction has (contact partnership), parallel to
  /// `interactions`; empty: all 1.
  std::span<const double> weights;
  /// [L²] area of all interfaces at the start, and of those that have broken; 0: not known.
  double bondedArea = 0.0, brokenArea = 0.0;
};

/// The share of the stiffness of its pair that each of conf.interactions has by
/// `ContactPartnership`; bonds share nothing. Empty where all are 1.
std::vector<double> partnershipWeights(const Conf& conf);

/// A view of `conf`, which must outlive it, and so must `weights`, as partnershipWeights has them.
inline Snapshot snapshotOf(const Conf& conf, std::span<const shape::Shape> shapes = {},
                           std::span<const double> weights = {}) {
  Snapshot s;
  s.t = conf.t;
  s.iconf = conf.iconf;
  s.nDriven = conf.nDriven;
  s.source = conf.source;
  s.particles = conf.particles;
  s.interactions = conf.interactions;
  s.shapes = shapes;
  s.weights = weights;
  if (conf.bondedArea) {
    s.bondedArea = conf.bondedArea->all;
    s.brokenArea = conf.bondedArea->broken;
  }
  return s;
}
Snapshot snapshotOf(Conf&&, std::span<const shape::Shape> = {},
                    std::span<const double> = {}) = delete;

}  // namespace scree::sim

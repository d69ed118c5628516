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

class Instant;

/// One instant of a model as extractors see it: a view of a conf-file or of a run. Copies nothing.
struct Snapshot {
  double t = 0.0;             ///< [T]
  int iconf = 0;              ///< number of the conf-file
  std::uint32_t nDriven = 0;  ///< the first so many bodies are driven
  std::string_view source;    ///< name of the file, for messages

  std::span<const ParticleRecord> particles;
  std::span<const InteractionRecord> interactions;  ///< those that act, sorted by key
  /// ParticleRecord::shapeName counts into it; may be empty where no extractor needs shapes.
  std::span<const shape::Shape> shapes;

  /// Contacts with round boundaries, as boundaryContacts has them.
  std::span<const InteractionRecord> atBoundaries;
  /// Periodic cell, or null: a contact stands beside its first body, and beside an image of the
  /// second one.
  const PeriodicCell* cell = nullptr;

  /// What follows from the instant, such as the sums of forces on each body; null where an
  /// extractor needs none of it. See instant.hpp.
  const Instant* instant = nullptr;

  /// Share of the stiffness that each interaction has (contact partnership), parallel to
  /// `interactions`; empty: all 1.
  std::span<const double> weights;
  /// [L²] area of all interfaces at the start, and of those that have broken; 0: not known.
  double bondedArea = 0.0, brokenArea = 0.0;
};

/// Keys of the bonds of all interfaces, sorted: an interaction with one of them is a bond.
std::vector<ContactKey> gluedKeys(const Conf& conf);

/// The share of the stiffness of its pair that each of conf.interactions has by
/// `ContactPartnership`; bonds share nothing. Empty where all are 1.
std::vector<double> partnershipWeights(const Conf& conf);

/// Contacts with round boundaries as if those were bodies: key.i is the body, key.j the highest
/// number there is, iSub the vertex, n points inwards.
/// @param shapes  as shapesOf(conf) gives them
std::vector<InteractionRecord> boundaryContacts(const Conf& conf,
                                                std::span<const shape::Shape> shapes);

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
  if (conf.cell.used) s.cell = &conf.cell;
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

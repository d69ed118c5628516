// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "detect/images.hpp"
#include "engine/model.hpp"
#include "engine/restraint.hpp"

#include "scree/sim/model/bodies.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace scree::sim {

/// What a part of the engine may look at: references, for one call. What a part changes is passed
/// to it beside this.
struct World {
  const Model& model;
  const Parameters& parameters;  ///< as courses in time have them now
  const Restraint& restraint;    ///< the same
  const BodyOrder& order;
  const Bodies& bodies;
  std::span<const BodyPose> poses;
  const Images* images;  ///< of the periodic cell; null without one
  double time;           ///< [T]
  std::uint64_t step;

  std::size_t freeBodies() const { return bodies.size() - bodies.driven; }
};

/// [M] of a pair that meets; a driven body does not give way, so it counts as infinitely heavy.
inline double effectiveMass(const Bodies& bodies, BodyId a, BodyId b) {
  const double ma = bodies.mass[a], mb = bodies.mass[b];
  if (a < bodies.driven) return mb;
  if (b < bodies.driven) return ma;
  return ma * mb / (ma + mb);
}

}  // namespace scree::sim

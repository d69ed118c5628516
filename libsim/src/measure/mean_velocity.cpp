// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/extractors.hpp"

#include <limits>

namespace scree::sim {

std::vector<Column> MeanVelocity::columns() { return {{"t", "s"}, {"speed", "m/s"}}; }

Row MeanVelocity::row(const Snapshot& s) const {
  double sum = 0.0;
  for (const ParticleRecord& p : s.particles) sum += p.vel.norm();
  return {s.t, s.particles.empty() ? std::numeric_limits<double>::quiet_NaN()
                                   : sum / static_cast<double>(s.particles.size())};
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/extractors.hpp"

#include <limits>

namespace scree::sim {

std::vector<Column> TrackDamage::columns() { return {{"t", "s"}, {"damage", "-"}}; }

Row TrackDamage::row(const Snapshot& s) const {
  return {s.t, s.bondedArea > 0.0 ? s.brokenArea / s.bondedArea
                                  : std::numeric_limits<double>::quiet_NaN()};
}

}  // namespace scree::sim

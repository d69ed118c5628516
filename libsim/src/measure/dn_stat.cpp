// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/extractors.hpp"

#include <limits>

namespace scree::sim {

std::vector<Column> DnStat::columns() {
  return {{"t", "s"},
          {"dnMin", "m"},
          {"dnMax", "m"},
          {"dnMean", "m"},
          {"dnMeanOverlap", "m"},
          {"dnMeanGap", "m"},
          {"overlaps", "-"},
          {"gaps", "-"},
          {"x", "m"},
          {"y", "m"},
          {"z", "m"}};
}

Row DnStat::row(const Snapshot& s) const {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  double least = nan, most = nan, overlap = 0.0, gap = 0.0;
  std::int64_t overlaps = 0, gaps = 0;
  Vec3 where = Vec3::Constant(nan);
  for (const auto& contacts : {s.interactions, s.atBoundaries})
    for (const InteractionRecord& c : contacts) {
      if (!(c.dn >= least)) {  // also where there is none yet
        least = c.dn;
        where = c.pos;
      }
      if (!(c.dn <= most)) most = c.dn;
      (c.dn < 0.0 ? overlap : gap) += c.dn;
      ++(c.dn < 0.0 ? overlaps : gaps);
    }
  const auto mean = [](double sum, std::int64_t n) {
    return n > 0 ? sum / static_cast<double>(n) : nan;
  };
  Row row;
  row.reserve(11);
  for (const double value : {s.t, least, most, mean(overlap + gap, overlaps + gaps),
                             mean(overlap, overlaps), mean(gap, gaps)})
    row.emplace_back(value);
  row.emplace_back(overlaps);
  row.emplace_back(gaps);
  for (int k = 0; k < 3; ++k) row.emplace_back(where[k]);
  return row;
}

}  // namespace scree::sim

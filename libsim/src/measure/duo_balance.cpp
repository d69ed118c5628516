// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/base/error.hpp"
#include "scree/sim/measure/extractors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace scree::sim {

std::vector<Column> DuoBalance::columns() {
  return {{"t", "s"},  {"nvv", "-"}, {"nve", "-"},  {"nvf", "-"},  {"nee", "-"},    {"type", ""},
          {"i", "-"},  {"j", "-"},   {"isub", "-"}, {"jsub", "-"}, {"weight", "-"}, {"dn", "m"},
          {"fn", "N"}, {"ftx", "N"}, {"fty", "N"},  {"ftz", "N"}};
}

std::vector<Row> DuoBalance::rows(const Snapshot& s) const {
  for (const BodyId body : {i, j})
    if (body >= s.particles.size())
      throw ModelError(
          fmt::format("{}: there is no body {}: the file has {} bodies, numbered from 0", s.source,
                      body, s.particles.size()));
  constexpr std::array names{"vv", "ve", "vf", "ee"};
  const std::pair<BodyId, BodyId> pair = std::minmax(i, j);
  std::array<std::int64_t, 4> count{};
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < s.interactions.size(); ++k) {
    const InteractionRecord& c = s.interactions[k];
    if (std::pair<BodyId, BodyId>(std::minmax(c.key.i, c.key.j)) != pair) continue;
    found.push_back(k);
    if (c.dn < 0.0) ++count[static_cast<std::size_t>(c.key.pairing)];
  }
  const auto number = [](std::uint32_t n) { return static_cast<std::int64_t>(n); };
  std::vector<Row> rows;
  for (const std::size_t k : found) {
    const InteractionRecord& c = s.interactions[k];
    const double weight = s.weights.size() == s.interactions.size() ? s.weights[k] : 1.0;
    rows.push_back({s.t, count[0], count[1], count[2], count[3],
                    std::string(names[static_cast<std::size_t>(c.key.pairing)]), number(c.key.i),
                    number(c.key.j), number(c.key.iSub), number(c.key.jSub), weight, c.dn, c.fn,
                    c.ft.x(), c.ft.y(), c.ft.z()});
  }
  if (rows.empty()) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    rows.push_back({s.t, count[0], count[1], count[2], count[3], std::string("none"), number(i),
                    number(j), nan, nan, nan, nan, nan, nan, nan, nan});
  }
  return rows;
}

}  // namespace scree::sim

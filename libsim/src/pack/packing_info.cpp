// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/packing_info.hpp"

#include "scree/base/math.hpp"

#include <algorithm>
#include <set>

namespace scree::sim {
namespace {

/// Coordination of a state as it stands: nothing counts as a rattler.
Coordination coordinationOf(const Instant& instant) {
  const std::size_t n = instant.bodyCount();
  std::set<std::pair<BodyId, BodyId>> pairs;  // round walls count on
  for (const Link& c : instant.links())
    if (c.touches() && c.kind != Link::Kind::bond)
      pairs.insert(c.j == Link::none ? std::pair(c.i, static_cast<BodyId>(n + c.jSub))
                                     : bodyPair(c.i, c.j));
  std::vector<HeldPair> held;
  for (const auto& [i, j] : pairs) held.push_back({i, j});
  return coordinationOf(n, instant.conf().nDriven, held, std::vector<std::uint32_t>(n, 0));
}

}  // namespace

double sizePassedBy(double share, std::span<const std::pair<double, double>> sizes) {
  double all = 0.0, sum = 0.0;
  for (const auto& [d, m] : sizes) all += m;
  for (const auto& [d, m] : sizes)
    if ((sum += m) >= share * all) return d;
  return sizes.empty() ? 0.0 : sizes.back().first;
}

Coordination coordinationOf(std::size_t n, std::size_t driven, std::span<const HeldPair> pairs,
                            std::span<const std::uint32_t> needed) {
  const std::size_t free = n - driven;
  Coordination result{.contacts = pairs.size()};
  if (free == 0) return result;
  struct Neighbour {
    BodyId body;
    std::uint32_t points;
  };
  std::vector<std::uint32_t> count(n, 0), points(n, 0);
  std::vector<std::vector<Neighbour>> neighbours(n);
  for (const HeldPair& pair : pairs) {
    ++count[pair.a];
    points[pair.a] += pair.points;
    if (pair.b >= n) continue;  // a wall
    ++count[pair.b];
    points[pair.b] += pair.points;
    neighbours[pair.a].push_back({pair.b, pair.points});
    neighbours[pair.b].push_back({pair.a, pair.points});
  }
  std::vector<char> rattles(n, 0);
  const auto meanOf = [&](const std::vector<std::uint32_t>& values) {
    std::size_t sum = 0, bodies = 0;
    for (std::size_t k = driven; k < n; ++k)
      if (!rattles[k]) sum += values[k], ++bodies;
    return bodies > 0 ? static_cast<double>(sum) / static_cast<double>(bodies) : 0.0;
  };
  result.mean = meanOf(count);
  std::vector<BodyId> next;
  for (std::size_t k = driven; k < n; ++k)
    if (points[k] < needed[k]) next.push_back(static_cast<BodyId>(k));
  while (!next.empty()) {
    const BodyId k = next.back();
    next.pop_back();
    if (rattles[k]) continue;
    rattles[k] = 1;
    ++result.rattlers;
    for (const Neighbour& other : neighbours[k]) {
      --count[other.body];
      points[other.body] -= other.points;
      if (other.body >= driven && !rattles[other.body] && points[other.body] < needed[other.body])
        next.push_back(other.body);
    }
  }
  result.withoutRattlers = meanOf(count);
  result.constraints = meanOf(points);
  return result;
}

PackingInfo packingInfo(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  PackingInfo info;
  info.bodies = b.size();
  info.driven = b.driven;
  std::vector<std::pair<double, double>> sizes;  // diameter, mass
  for (std::size_t k = b.driven; k < b.size(); ++k) {
    const double h = b.homothety[k], volume = simulation.shapes()[b.shape[k]].volume;
    info.solidVolume += h * h * h * volume;
    sizes.emplace_back(h * portablePow(6.0 / pi * volume, 1.0 / 3.0), b.mass[k]);
  }
  std::sort(sizes.begin(), sizes.end());
  for (const auto& [d, m] : sizes) info.mass += m;
  for (const auto& [name, share] : {std::pair("smallest", 0.0),
                                    {"d10", 0.1},
                                    {"d30", 0.3},
                                    {"d50", 0.5},
                                    {"d60", 0.6},
                                    {"d90", 0.9},
                                    {"largest", 2.0}})
    info.sizes.emplace_back(name, sizePassedBy(share, sizes));
  const Conf conf = simulation.conf();
  const Instant instant(conf, simulation.shapes());
  info.space = instant.domain();
  if (info.space.volume > 0.0) info.solidFraction = info.solidVolume / info.space.volume;
  info.coordination = coordinationOf(instant);
  info.overlaps = overlapsOf(simulation);
  info.bodiesInsideOthers = ConvexCores(simulation.shapes()).crossings(simulation).pairs;
  return info;
}

}  // namespace scree::sim

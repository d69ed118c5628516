// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/pack/packing_info.hpp"

#include "engine/engine.hpp"

#include "scree/base/math.hpp"

#include <algorithm>

namespace scree::sim {
namespace {

/// Least number of contacts that hold a body: one more than a ball can move in ways, or two with
/// friction.
constexpr std::uint32_t withoutFriction = 4, withFriction = 2;

/// Pairs in contact, by numbers of the run; boundaries follow the bodies.
std::vector<std::pair<BodyId, BodyId>> touchingPairs(const Simulation& simulation) {
  std::vector<std::pair<BodyId, BodyId>> pairs;
  const Contacts& contacts = engineOf(simulation).lists().contacts;
  for (const NeighbourPair& nearPair : contacts.pairs) {
    bool any = false;
    contacts.forEachTouching(
        nearPair, [&](std::uint32_t, const Candidate&, const ContactState&) { any = true; });
    if (any) pairs.emplace_back(nearPair.a, nearPair.b);
  }
  const auto n = static_cast<BodyId>(simulation.bodies().size());
  for (const BoundaryTouch& t : simulation.boundaryTouches())
    pairs.emplace_back(simulation.bodyOrder().body(t.body), n + t.boundary);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace

Coordination coordinationOf(const Simulation& simulation) {
  const Bodies& b = simulation.bodies();
  const Conf conf = simulation.conf();
  const auto pairs = touchingPairs(simulation);
  std::vector<HeldPair> held;
  held.reserve(pairs.size());
  std::vector<std::uint32_t> needed(b.size(), withoutFriction);
  for (const auto& [i, j] : pairs) {
    held.push_back({i, j, 1});
    // A boundary has no group in a law: its friction is that of the bodies on it.
    const BodyId other = j < b.size() ? j : i;
    if (!(conf.lawParameter("muContact", b.group[i], b.group[other]) > 0.0)) continue;
    needed[i] = needed[other] = withFriction;
  }
  return coordinationOf(b.size(), b.driven, held, needed);
}

Coordination coordinationOf(std::size_t n, std::size_t driven, std::span<const HeldPair> pairs,
                            std::span<const std::uint32_t> needed) {
  const std::size_t free = n - driven;
  Coordination result;
  result.contacts = pairs.size();
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
  const auto quantile = [&](double share) {
    double sum = 0.0;
    for (const auto& [d, m] : sizes)
      if ((sum += m) >= share * info.mass) return d;
    return sizes.empty() ? 0.0 : sizes.back().first;
  };
  info.sizes = {quantile(0.0), quantile(0.1), quantile(0.3), quantile(0.5),
                quantile(0.6), quantile(0.9), quantile(2.0)};
  const Conf conf = simulation.conf();
  info.space = Instant(conf, simulation.shapes()).domain();
  if (info.space.volume > 0.0) info.solidFraction = info.solidVolume / info.space.volume;
  info.coordination = coordinationOf(simulation);
  info.overlaps = overlapsOf(simulation);
  info.bodiesInsideOthers = ConvexCores(simulation.shapes()).crossings(simulation).pairs;
  return info;
}

}  // namespace scree::sim

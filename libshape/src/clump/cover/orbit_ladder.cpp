// SPDX-License-Identifier: GPL-3.0-or-later
#include "orbit_ladder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

constexpr std::size_t width = 2;        // sets on a rung
constexpr std::size_t mostOrbits = 12;  // of a set

}  // namespace

std::size_t OrbitSet::balls() const {
  std::size_t sum = 0;
  for (const Orbit& orbit : orbits) sum += orbit.size();
  return sum;
}

std::vector<OrbitKind> kindsOf(const SymmetryGroup& group, std::span<const Orbit> orbits,
                               std::vector<std::uint32_t>& ofEach) {
  std::vector<OrbitKind> kinds;
  std::vector<Mat3> kept;  // points that the maps of one orbit of each kind keep, as a projection
  ofEach.clear();
  for (const Orbit& orbit : orbits) {
    std::uint32_t kind = 0;
    const auto same = [&](const Mat3& map) {
      return (map * orbit.moves * map.transpose() - kept[kind]).norm() < 1e-6;
    };
    for (; kind < kinds.size(); ++kind)
      if (kinds[kind].size == orbit.size() &&
          std::any_of(group.maps.begin(), group.maps.end(), same))
        break;
    if (kind == kinds.size()) {
      kinds.push_back({orbit.size(), orbit.moves.norm() < 1e-6});
      kept.push_back(orbit.moves);
    }
    ofEach.push_back(kind);
  }
  return kinds;
}

OrbitLadder::OrbitLadder(std::vector<OrbitKind> kinds, Rules rules)
    : kinds_(std::move(kinds)), rules_(std::move(rules)), rungs_(1, {OrbitSet{}}) {}

void OrbitLadder::addRung() {
  const std::size_t balls = rungs_.size();
  std::vector<OrbitSet> sets;
  for (std::uint32_t kind = 0; kind < kinds_.size(); ++kind) {
    if (kinds_[kind].size > balls) continue;
    for (const OrbitSet& from : rungs_[balls - kinds_[kind].size]) {
      if (from.orbits.size() >= mostOrbits) continue;
      const auto at = std::lower_bound(from.kinds.begin(), from.kinds.end(), kind);
      if (kinds_[kind].once && at != from.kinds.end() && *at == kind) continue;
      std::vector<std::uint32_t> kinds = from.kinds;
      kinds.insert(kinds.begin() + (at - from.kinds.begin()), kind);
      OrbitSet set = rules_.extended(from, kind);
      if (set.orbits.empty()) continue;
      const auto known = std::find_if(sets.begin(), sets.end(),
                                      [&](const OrbitSet& s) { return s.kinds == kinds; });
      set.kinds = std::move(kinds);
      if (known == sets.end())
        sets.push_back(std::move(set));
      else if (set.worth > known->worth)
        *known = std::move(set);
    }
  }
  std::stable_sort(sets.begin(), sets.end(),
                   [](const OrbitSet& a, const OrbitSet& b) { return a.worth > b.worth; });
  if (sets.size() > width) sets.resize(width);
  rungs_.push_back(std::move(sets));
}

OrbitSet OrbitLadder::best(std::size_t count, FunctionRef<void(double)> progress) {
  count = std::min(count, highest);
  const auto done = [&](std::size_t rung) {
    const double share = static_cast<double>(rung) / static_cast<double>(count);
    return share * share;
  };
  while (rungs_.size() <= count) {
    progress(0.6 * done(rungs_.size()));
    addRung();
  }
  double top = -1e300;
  for (std::size_t balls = 1; balls <= count; ++balls)
    if (!rungs_[balls].empty()) top = std::max(top, rungs_[balls].front().worth);
  OrbitSet best;
  for (std::size_t balls = 1; balls <= count; ++balls) {
    if (rungs_[balls].empty() || rungs_[balls].front().worth < top - rules_.near) continue;
    progress(0.6 + 0.4 * done(balls));
    auto known = refined_.find(balls);
    if (known == refined_.end())
      known = refined_.emplace(balls, rules_.refined(rungs_[balls].front(), balls)).first;
    const OrbitSet& here = known->second;
    if (best.orbits.empty() || here.worth > best.worth + rules_.more) best = here;
  }
  return best;
}

}  // namespace scree::clump::detail

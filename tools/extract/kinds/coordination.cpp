// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `coordination`: how many touch whom.
#include "kinds.hpp"

#include <algorithm>
#include <array>

namespace scree::tools {
namespace {

using sim::BodyId;
using sim::Link;

class CoordinationKind : public Kind {
 public:
  explicit CoordinationKind(const KindOptions& options) : selection_(options.selection()) {}

  std::vector<sim::Column> columns() const override {
    std::vector<sim::Column> columns{{"t", "s"}};
    for (const char* name :
         {"bodies", "pairs", "points", "Z", "Zpoints", "Zmechanical", "free0", "free1", "rattlers",
          "simple", "double", "multiple", "vv", "ve", "vf", "ee", "walls"})
      columns.push_back({name, "-"});
    return columns;
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const std::size_t n = chosen.size();
    std::array<std::int64_t, 4> pairings{};
    std::vector<std::pair<BodyId, BodyId>> points;  // a round wall: numbered from above
    std::int64_t atWalls = 0;
    for (const Link& c : instant.links()) {
      if (!c.touches() && c.kind != Link::Kind::bond) continue;
      const bool wall = c.j == Link::none;
      if (!chosen[c.i] && (wall || !chosen[c.j])) continue;
      points.push_back(wall ? std::pair(c.i, Link::none - c.jSub) : sim::bodyPair(c.i, c.j));
      wall ? ++atWalls : ++pairings[static_cast<std::size_t>(c.pairing)];
    }
    std::ranges::sort(points);
    std::vector<std::int64_t> partners(n), ends(n);
    std::array<std::int64_t, 3> classes{};
    std::int64_t pairs = 0;
    for (std::size_t k = 0; k < points.size();) {
      std::size_t end = k + 1;
      while (end < points.size() && points[end] == points[k]) ++end;
      const auto count = static_cast<std::int64_t>(end - k);
      ++classes[static_cast<std::size_t>(std::min<std::int64_t>(count, 3) - 1)];
      ++pairs;
      for (const BodyId body : {points[k].first, points[k].second})
        if (body < n && chosen[body]) {
          ++partners[body];
          ends[body] += count;
        }
      k = end;
    }
    std::int64_t bodies = 0, none = 0, one = 0, partnerSum = 0, endSum = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (!chosen[k]) continue;
      ++bodies;
      none += partners[k] == 0;
      one += partners[k] == 1;
      partnerSum += partners[k];
      endSum += ends[k];
    }
    const auto ratio = [](std::int64_t a, std::int64_t b) {
      return b > 0 ? static_cast<double>(a) / static_cast<double>(b) : notKnown;
    };
    return {{instant.conf().t, bodies, pairs, static_cast<std::int64_t>(points.size()),
             ratio(partnerSum, bodies), ratio(endSum, bodies),
             ratio(partnerSum - one, bodies - none - one), none, one, ratio(none + one, bodies),
             classes[0], classes[1], classes[2], pairings[0], pairings[1], pairings[2], pairings[3],
             atWalls}};
  }
  bool needsShapes() const override { return selection_.needsShapes(); }

 private:
  sim::Selection selection_;
};

}  // namespace

KindEntry coordinationKind() {
  return {"coordination",
          "coordination numbers by pairs and by points, rattlers, classes of contacts",
          {selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<CoordinationKind>(options);
          },
          {.x = "t", .y = {"Z", "Zpoints", "Zmechanical"}}};
}

}  // namespace scree::tools

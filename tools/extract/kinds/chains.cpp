// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `chains`: columns of bodies that carry more than the mean, one behind the other along the
// direction of their largest stress. Source: J. F. Peters, M. Muthuswamy, J. Wibowo, A.
// Tordesillas, Phys. Rev. E 72, 041307, 2005.
#include "kinds.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/fabric.hpp"
#include "scree/sim/measure/stress.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::tools {
namespace {

using sim::BodyId;

class ChainsKind : public Kind {
 public:
  explicit ChainsKind(const KindOptions& options)
      : selection_(options.selection()),
        least_(options.integer("least", 3, 2, 1'000'000)),
        angle_(options.positive("angle", 45.0)) {
    if (angle_ > 90.0) throw UsageError("--angle: expected at most 90 degrees");
  }

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},      {"chain", "-"}, {"bodies", "-"}, {"links", "-"},
            {"length", "m"}, {"force", "N"}, {"s1", "Pa"},    {"share", "-"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const std::vector<Mat3> virials = sim::bodyVirials(instant);
    std::vector<double> stress(chosen.size(), 0.0);
    std::vector<Vec3> direction(chosen.size(), Vec3::Zero());
    double sum = 0.0;
    std::int64_t loaded = 0;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k] || virials[k].isZero(0.0)) continue;
      const sim::Invariants v = sim::invariantsOf(virials[k] / instant.volumes()[k]);
      stress[k] = v.values[0];
      direction[k] = v.directions.col(0);
      sum += v.values[0];
      ++loaded;
    }
    const double mean = loaded > 0 ? sum / static_cast<double>(loaded) : 0.0;
    // All points of two bodies are one link, along the line of their centres.
    struct Pair {
      Vec3 branch = Vec3::Zero(), force = Vec3::Zero();
    };
    std::map<std::pair<BodyId, BodyId>, Pair> pairs;
    for (const sim::Link& c : instant.links()) {
      if (c.j == sim::Link::none || !chosen[c.i] || !chosen[c.j]) continue;
      if (!(stress[c.i] > mean && stress[c.j] > mean)) continue;
      Pair& p = pairs[sim::bodyPair(c.i, c.j)];
      p.branch = c.branch();
      p.force += c.i < c.j ? c.force() : Vec3(-c.force());
    }
    const double least = std::cos(angle_ * pi / 180.0);
    std::vector<BodyId> root(chosen.size());
    for (BodyId k = 0; k < root.size(); ++k) root[k] = k;
    const auto find = [&](BodyId k) {
      while (root[k] != k) k = root[k] = root[root[k]];
      return k;
    };
    std::erase_if(pairs, [&](const auto& entry) {
      const auto& [pair, p] = entry;
      const Vec3 along = p.branch.normalized();
      return std::abs(along.dot(direction[pair.first])) < least ||
             std::abs(along.dot(direction[pair.second])) < least;
    });
    for (const auto& [pair, p] : pairs) {
      const BodyId a = find(pair.first), b = find(pair.second);
      root[std::max(a, b)] = std::min(a, b);
    }
    struct Chain {
      std::int64_t bodies = 0, links = 0;
      double length = 0.0, force = 0.0, stress = 0.0;
    };
    std::map<BodyId, Chain> chains;  // by their first bodies
    for (BodyId k = 0; k < root.size(); ++k) {
      if (!(stress[k] > mean)) continue;
      Chain& c = chains[find(k)];
      ++c.bodies;
      c.stress += stress[k];
    }
    for (const auto& [pair, p] : pairs) {
      Chain& c = chains[find(pair.first)];
      ++c.links;
      c.length += p.branch.norm();
      c.force += p.force.norm();
    }
    std::vector<sim::Row> rows;
    for (const auto& [first, c] : chains) {
      if (c.bodies < least_) continue;
      const double n = static_cast<double>(c.bodies), m = static_cast<double>(c.links);
      rows.push_back({instant.conf().t, std::int64_t{first}, c.bodies, c.links, c.length,
                      c.force / m, c.stress / n, n / static_cast<double>(loaded)});
    }
    return rows;
  }

 private:
  sim::Selection selection_;
  std::int64_t least_;
  double angle_;
};

}  // namespace

KindEntry chainsKind() {
  return {"chains",
          "a row for each force chain: bodies with more than the mean stress, in line with it",
          {{"least", "N", "bodies a chain has at least (3)"},
           {"angle", "A", "degrees between a link and the largest stress at most (45)"},
           selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<ChainsKind>(options);
          },
          {.x = "bodies", .y = {"force"}, .points = true}};
}

}  // namespace scree::tools

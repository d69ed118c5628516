// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `balance`: how far from rest, by forces.
#include "kinds.hpp"

#include <algorithm>
#include <cmath>

namespace scree::tools {
namespace {

class BalanceKind : public Kind {
 public:
  explicit BalanceKind(const KindOptions& options) : selection_(options.selection()) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},          {"bodies", "-"}, {"resultant", "N"}, {"force", "N"},
            {"unbalanced", "-"}, {"rms", "-"},    {"worst", "-"},     {"worstOverMean", "-"},
            {"fx", "N"},         {"fy", "N"},     {"fz", "N"}};
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const sim::Conf& conf = instant.conf();
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    std::vector<double> largest(chosen.size(), 0.0);
    std::vector<int> count(chosen.size(), 0);
    double sum = 0.0, sum2 = 0.0, normal = 0.0;
    std::size_t links = 0;
    for (const sim::Link& c : instant.links()) {
      const bool wall = c.j == sim::Link::none;
      if (!chosen[c.i] && (wall || !chosen[c.j])) continue;
      const double f = c.force().norm();
      sum += f;
      sum2 += f * f;
      normal += c.fn;
      ++links;
      for (const sim::BodyId k : {c.i, wall ? c.i : c.j}) {
        largest[k] = std::max(largest[k], c.fn);
        ++count[k];
        if (wall) break;
      }
    }
    double resultants = 0.0, resultants2 = 0.0, most = 0.0, worst = 0.0;
    Vec3 total = Vec3::Zero();
    std::int64_t bodies = 0;
    bool known = false;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      ++bodies;
      const Vec3 f = instant.actions()[k].force + instant.masses()[k] * conf.gravity;
      const double size = f.norm();
      total += f;
      resultants += size;
      resultants2 += size * size;
      if (count[k] < 2 || !(largest[k] > 0.0)) continue;
      most = std::max(most, size);
      worst = std::max(worst, size / largest[k]);
      known = true;
    }
    const double n = static_cast<double>(bodies), m = static_cast<double>(links);
    const double resultant = bodies > 0 ? resultants / n : notKnown;
    const double force = links > 0 ? sum / m : notKnown;
    const double rms =
        links > 0 && bodies > 0 ? std::sqrt((resultants2 / n) / (sum2 / m)) : notKnown;
    return {{conf.t, bodies, resultant, force, resultant / force, rms, known ? worst : notKnown,
             known ? most / (normal / m) : notKnown, total.x(), total.y(), total.z()}};
  }

 private:
  sim::Selection selection_;
};

}  // namespace

KindEntry balanceKind() {
  return {"balance",
          "resultant of bodies, weight included, over contact forces: mean, rms, worst",
          {selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<BalanceKind>(options);
          }};
}

}  // namespace scree::tools

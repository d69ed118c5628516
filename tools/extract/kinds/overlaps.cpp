// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `overlaps`: how deep bodies lie in each other, absolutely and by their size.
#include "kinds.hpp"

#include "scree/base/math.hpp"

#include <algorithm>
#include <cmath>

namespace scree::tools {
namespace {

using sim::Link;

/// The value below which the share `q` of a sorted list lies: the nearest rank.
double quantile(const std::vector<double>& sorted, double q) {
  if (sorted.empty()) return notKnown;
  const double rank = std::ceil(q * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}
double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return values.empty() ? notKnown : sum / static_cast<double>(values.size());
}

class OverlapsKind : public Kind {
 public:
  explicit OverlapsKind(const KindOptions& options)
      : selection_(options.selection()), limit_(options.positive("limit", 0.01)) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},      {"overlaps", "-"}, {"mean", "m"},  {"d50", "m"},   {"d95", "m"},
            {"max", "m"},    {"relMean", "-"},  {"rel50", "-"}, {"rel95", "-"}, {"relMax", "-"},
            {"beyond", "-"}, {"i", "-"},        {"j", "-"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const auto diameter = [&](std::size_t k) {
      return portablePow(6.0 * instant.volumes()[k] / pi, 1.0 / 3.0);
    };
    std::vector<double> deep, relative;
    double most = -1.0;
    std::int64_t i = -1, j = -1, beyond = 0;
    for (const Link& c : instant.links()) {
      if (!c.touches()) continue;
      const bool wall = c.j == Link::none;
      if (!chosen[c.i] && (wall || !chosen[c.j])) continue;
      // By the smaller free body: a wall has no size of its own.
      double size = notKnown;
      for (const sim::BodyId k : {c.i, wall ? c.i : c.j})
        if (!instant.isDriven(k)) size = std::fmin(size, diameter(k));
      deep.push_back(-c.dn);
      relative.push_back(-c.dn / size);
      beyond += relative.back() > limit_;
      if (relative.back() > most) {
        most = relative.back();
        i = c.i;
        j = wall ? -1 : std::int64_t{c.j};
      }
    }
    std::ranges::sort(deep);
    const double relMean = mean(relative);
    std::ranges::sort(relative);
    const auto n = static_cast<std::int64_t>(deep.size());
    const double share = n > 0 ? static_cast<double>(beyond) / static_cast<double>(n) : notKnown;
    return {{instant.conf().t, n, mean(deep), quantile(deep, 0.5), quantile(deep, 0.95),
             quantile(deep, 1.0), relMean, quantile(relative, 0.5), quantile(relative, 0.95),
             quantile(relative, 1.0), share, i, j}};
  }

 private:
  sim::Selection selection_;
  double limit_;
};

}  // namespace

KindEntry overlapsKind() {
  return {"overlaps",
          "overlaps of contacts, in length and over the diameter of the smaller body",
          {{"limit", "X", "share of the diameter beyond which an overlap counts as deep (0.01)"},
           selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<OverlapsKind>(options);
          },
          {.x = "t", .y = {"relMean", "rel95", "relMax"}}};
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `forces`: how contact forces are distributed, or what groups do to each other.
#include "kinds.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/measure/law_values.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::tools {
namespace {

using sim::Link;

/// Whether a link counts: what touches, of a chosen body.
bool counts(const Link& c, const std::vector<char>& chosen) {
  return (c.touches() || c.kind == Link::Kind::bond) &&
         (chosen[c.i] || (c.j != Link::none && chosen[c.j]));
}

class ForcesKind : public Kind {
 public:
  explicit ForcesKind(const KindOptions& options)
      : selection_(options.selection()),
        of_(options.oneOf("of", {"fn", "ft", "mobilised"})),
        bins_(options.integer("bins", 50, 1, 1'000'000)),
        max_(options.positive("max", 0.0)),
        log_(options.has("log")) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},     {"bin", "-"}, {"x", "-"},    {"low", "-"},   {"high", "-"},
            {"count", "-"}, {"pdf", "-"}, {"mean", "N"}, {"beyond", "-"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const sim::LawValues law(instant);
    std::vector<double> values;
    double sum = 0.0;
    for (const Link& c : instant.links()) {
      if (!counts(c, chosen)) continue;
      if (of_ == "mobilised") {
        const double bound = law.frictionBound(c);
        if (c.kind == Link::Kind::bond || bound == 0.0) continue;
        values.push_back(c.ft.norm() / bound);
      } else {
        values.push_back(of_ == "fn" ? c.fn : c.ft.norm());
      }
      sum += c.fn;
    }
    // Both forces in units of the mean normal force.
    const double n = static_cast<double>(values.size());
    const double mean = values.empty() ? notKnown : sum / n;
    if (of_ != "mobilised")
      for (double& v : values) v /= mean;
    double most = max_;
    if (most == 0.0) {
      most = of_ == "mobilised" ? 1.0 : 0.0;
      for (const double v : values) most = std::max(most, v);
    }
    // With --log, bins of equal ratio over four decades below the largest.
    const double least = log_ ? 1e-4 * most : std::min(0.0, least_(values));
    const double m = static_cast<double>(bins_);
    const auto edge = [&](std::int64_t b) {
      const double share = static_cast<double>(b) / m;
      return log_ ? least * std::pow(most / least, share) : least + (most - least) * share;
    };
    std::vector<std::int64_t> count(static_cast<std::size_t>(bins_), 0);
    std::int64_t beyond = 0;
    for (const double v : values) {
      const double share =
          log_ ? std::log(v / least) / std::log(most / least) : (v - least) / (most - least);
      if (v == most)
        ++count.back();
      else if (share >= 0.0 && share < 1.0)
        ++count[static_cast<std::size_t>(share * m)];
      else
        ++beyond;
    }
    std::vector<sim::Row> rows;
    for (std::int64_t b = 0; b < bins_; ++b) {
      const double low = edge(b), high = edge(b + 1);
      const std::int64_t own = count[static_cast<std::size_t>(b)];
      rows.push_back({instant.conf().t, b, log_ ? std::sqrt(low * high) : 0.5 * (low + high), low,
                      high, own, static_cast<double>(own) / (n * (high - low)), mean, beyond});
    }
    return rows;
  }
  bool needsShapes() const override { return selection_.needsShapes(); }

 private:
  /// Bonds may carry tension: then the first bin begins below 0.
  static double least_(const std::vector<double>& values) {
    return values.empty() ? 0.0 : *std::ranges::min_element(values);
  }

  sim::Selection selection_;
  std::string of_;
  std::int64_t bins_;
  double max_;
  bool log_;
};

/// With `--between`: a row for each pair of groups or clusters that touch.
class BetweenKind : public Kind {
 public:
  BetweenKind(const KindOptions& options, std::string by)
      : selection_(options.selection()), by_(std::move(by)) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},  {"a", "-"},  {"b", "-"},  {"points", "-"}, {"fn", "N"},
            {"ft", "N"}, {"fx", "N"}, {"fy", "N"}, {"fz", "N"}};
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = selection_.of(instant.conf(), instant.shapes());
    const auto partOf = [&](sim::BodyId k) -> std::int64_t {
      return by_ == "group" ? std::int64_t{instant.body(k).group} : instant.body(k).cluster;
    };
    struct Sum {
      std::int64_t points = 0;
      double fn = 0.0, ft = 0.0;
      Vec3 force = Vec3::Zero();  ///< on a
    };
    std::map<std::pair<std::int64_t, std::int64_t>, Sum> sums;
    for (const Link& c : instant.links()) {
      if (!counts(c, chosen)) continue;
      const std::int64_t i = partOf(c.i),
                         j = c.j != Link::none ? partOf(c.j)
                             : by_ == "group"
                                 ? std::int64_t{instant.conf().boundaries[c.jSub].group}
                                 : std::int64_t{-1};
      Sum& s = sums[std::minmax(i, j)];
      ++s.points;
      s.fn += c.fn;
      s.ft += c.ft.norm();
      if (i != j) s.force += (i < j ? 1.0 : -1.0) * c.force();
    }
    std::vector<sim::Row> rows;
    for (const auto& [pair, s] : sums)
      rows.push_back({instant.conf().t, pair.first, pair.second, s.points, s.fn, s.ft, s.force.x(),
                      s.force.y(), s.force.z()});
    return rows;
  }
  bool needsShapes() const override { return selection_.needsShapes(); }

 private:
  sim::Selection selection_;
  std::string by_;
};

}  // namespace

KindEntry forcesKind() {
  return {
      "forces",
      "distribution of contact forces or of mobilised friction; forces between groups or clusters",
      {{"of", "fn|ft|mobilised", "what is distributed, forces over the mean of fn (fn)"},
       {"bins", "N", "number of bins (50)"},
       {"max", "X", "end of the last bin (the largest value)"},
       {"log", "", "bins of equal ratio over four decades"},
       {"between", "group|cluster", "sums of forces between them instead"},
       selectOption},
      [](const KindOptions& options) -> std::unique_ptr<Kind> {
        if (!options.has("between")) return std::make_unique<ForcesKind>(options);
        for (const char* other : {"of", "bins", "max", "log"})
          if (options.has(other))
            throw UsageError(std::string("--between and --") + other + " exclude each other");
        return std::make_unique<BetweenKind>(options,
                                             options.oneOf("between", {"group", "cluster"}));
      },
      {.x = "x", .y = {"pdf"}, .by = "t"}};
}

}  // namespace scree::tools

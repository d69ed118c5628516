// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `gr`: how many centres stand at which distance from another one.
#include "kinds.hpp"

#include "scree/base/error.hpp"
#include "scree/sim/model/images.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace scree::tools {
namespace {

/// Calls f(vector from one to the other) once for each pair of points nearer than `reach`; in a
/// cell by the nearest image. Cells of a grid are at least `reach` wide.
void forEachPair(const std::vector<Vec3>& points, const sim::Images* images, double reach,
                 const std::function<void(const Vec3&)>& f) {
  // Places as shares of a box: the periodic cell, or the box around all.
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  Eigen::Vector3i counts;
  for (int k = 0; k < 3; ++k) {
    const double width = images ? images->width(k) : std::max(high[k] - low[k], 1e-300);
    counts[k] = static_cast<int>(std::clamp(std::floor(width / reach), 1.0, 400.0));
    // With one or two cells, a neighbour would be met from both sides.
    if (images && counts[k] < 3) counts[k] = 1;
  }
  std::vector<Eigen::Vector3i> cellOf;
  std::map<std::array<int, 3>, std::vector<std::size_t>> cells;
  for (std::size_t k = 0; k < points.size(); ++k) {
    Vec3 s;
    if (images) {
      s = images->inverse * points[k];
      for (int a = 0; a < 3; ++a) s[a] -= std::floor(s[a]);
    } else {
      for (int a = 0; a < 3; ++a)
        s[a] = high[a] > low[a] ? (points[k][a] - low[a]) / (high[a] - low[a]) : 0.0;
    }
    Eigen::Vector3i c;
    for (int a = 0; a < 3; ++a)
      c[a] = std::clamp(static_cast<int>(s[a] * counts[a]), 0, counts[a] - 1);
    cellOf.push_back(c);
    cells[{c[0], c[1], c[2]}].push_back(k);
  }
  const auto pair = [&](std::size_t a, std::size_t b) {
    Vec3 between = points[b] - points[a];
    if (images) between -= images->offset(images->nearest(between));
    if (between.squaredNorm() < reach * reach) f(between);
  };
  for (std::size_t a = 0; a < points.size(); ++a)
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        for (int k = -1; k <= 1; ++k) {
          const Eigen::Vector3i by(i, j, k);
          bool there = true;
          std::array<int, 3> at{};
          for (int x = 0; x < 3; ++x) {
            at[static_cast<std::size_t>(x)] = cellOf[a][x] + by[x];
            int& c = at[static_cast<std::size_t>(x)];
            if (counts[x] == 1 && by[x] != 0) there = false;
            if (images)
              c = (c + counts[x]) % counts[x];
            else if (c < 0 || c >= counts[x])
              there = false;
          }
          if (!there) continue;
          const auto found = cells.find(at);
          if (found == cells.end()) continue;
          for (const std::size_t b : found->second)
            if (b > a) pair(a, b);
        }
}

class GrKind : public Kind {
 public:
  explicit GrKind(const KindOptions& options)
      : selection_(options.selection()),
        driven_(options.has("driven")),
        shells_(options.integer("shells", 100, 1, 1'000'000)),
        max_(options.positive("max", 0.0)) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},    {"r", "m"},     {"g", "-"},         {"low", "m"},
            {"high", "m"}, {"pairs", "-"}, {"neighbours", "-"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, driven_);
    std::vector<Vec3> points;
    Vec3 low = Vec3::Constant(1e300), high = -low;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      points.push_back(instant.body(k).pos);
      low = low.cwiseMin(points.back());
      high = high.cwiseMax(points.back());
    }
    sim::Images images;
    const bool periodic = instant.conf().cell.used;
    if (periodic) images.set(instant.conf().cell.h);
    const Vec3 sides = points.empty() ? Vec3(Vec3::Zero()) : Vec3(high - low);
    const double most = 0.5 * (periodic ? images.leastWidth() : sides.minCoeff());
    if (periodic && max_ > most)
      throw ModelError(
          fmt::format("{}: --max {} is more than half of the least width of the periodic cell, {}",
                      instant.conf().source, max_, most));
    if (!periodic && max_ > 2.0 * most)
      throw ModelError(
          fmt::format("{}: --max {} is more than the least side of the box around the "
                      "centres, {}",
                      instant.conf().source, max_, 2.0 * most));
    const double max = max_ > 0.0 ? max_ : most;
    const double n = static_cast<double>(points.size());
    const double volume = periodic ? images.volume() : sides.prod();
    std::vector<std::int64_t> pairs(static_cast<std::size_t>(shells_), 0);
    std::vector<double> weights(pairs.size(), 0.0);
    const double width = max / static_cast<double>(shells_);
    if (max > 0.0)
      forEachPair(points, periodic ? &images : nullptr, max, [&](const Vec3& d) {
        const auto shell = static_cast<std::size_t>(d.norm() / width);
        if (shell >= pairs.size()) return;
        ++pairs[shell];
        // Pairs that the edge of the box hides: the share of translations by d that stay inside.
        weights[shell] += periodic ? 1.0 : volume / (sides - d.cwiseAbs()).prod();
      });
    std::vector<sim::Row> rows;
    std::int64_t inside = 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const double a = width * static_cast<double>(k), b = width * static_cast<double>(k + 1);
      const double shell = 4.0 / 3.0 * pi * (b - a) * (a * a + a * b + b * b);
      inside += pairs[k];
      rows.push_back({instant.conf().t, 0.5 * (a + b), 2.0 * weights[k] * volume / (n * n * shell),
                      a, b, pairs[k], 2.0 * static_cast<double>(inside) / n});
    }
    return rows;
  }
  bool needsShapes() const override { return selection_.needsShapes(); }
  bool needsContacts() const override { return false; }

 private:
  sim::Selection selection_;
  bool driven_;
  std::int64_t shells_;
  double max_;
};

}  // namespace

KindEntry grKind() {
  return {"gr",
          "pair distribution of centres by shells, and neighbours within each distance",
          {{"shells", "N", "number of shells (100)"},
           {"max", "R", "largest distance (half of the least width of cell or box)"},
           selectOption,
           drivenOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<GrKind>(options);
          },
          {.x = "r", .y = {"g"}, .by = "t"}};
}

}  // namespace scree::tools

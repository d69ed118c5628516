// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `reach`: a raster of where bodies pass, with their energy and height.
#include "ground.hpp"
#include "kinds.hpp"
#include "top_surface.hpp"
#include "tracks.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scree::tools {
namespace {

/// The cells that bodies have passed, with what was largest there.
class ReachJoiner : public Joiner {
 public:
  explicit ReachJoiner(double cell) : cell_(cell) {}

  void take(const std::vector<sim::Row>& raw) override {
    for (const sim::Row& row : raw) {
      const auto number = [&](std::size_t k) { return std::get<double>(row[k]); };
      const std::int64_t id = std::get<std::int64_t>(row[1]);
      const Eigen::Vector2d to(number(2), number(3));
      // Along the straight line from the last file on: cells in between were passed, too.
      const auto [last, isNew] = last_.try_emplace(id, to);
      const Eigen::Vector2d from = last->second;
      const double steps =
          std::ceil(4.0 * std::hypot(to.x() - from.x(), to.y() - from.y()) / cell_);
      if (!(steps < 1e7))
        throw ModelError(
            fmt::format("reach: a body has moved by {} cells between two files", steps / 4.0));
      for (int s = 0; s <= static_cast<int>(steps); ++s) {
        const double share = steps > 0.0 ? s / steps : 1.0;
        Pass& pass = cells_[placeOf(from.x() + share * (to.x() - from.x()),
                                    from.y() + share * (to.y() - from.y()))][id];
        pass.energy = larger(pass.energy, number(4));
        pass.height = std::fmax(pass.height, number(5));
        pass.speed = std::max(pass.speed, number(6));
      }
      last->second = to;
    }
  }

  std::vector<sim::Row> table() const override {
    const double bodies = static_cast<double>(last_.size());
    std::vector<sim::Row> rows;
    for (const auto& [place, passes] : cells_) {
      std::vector<double> energies;
      double sum = 0.0, height = notKnown, speed = 0.0;
      for (const auto& [id, pass] : passes) {
        energies.push_back(pass.energy);
        sum += pass.energy;
        height = std::fmax(height, pass.height);
        speed = std::max(speed, pass.speed);
      }
      // Of tracks without a mass all energies are nan.
      if (!std::isnan(sum)) std::ranges::sort(energies);
      const double n = static_cast<double>(energies.size());
      const auto rank = static_cast<std::size_t>(std::ceil(0.95 * n)) - 1;
      rows.push_back({cell_ * (static_cast<double>(place.first) + 0.5),
                      cell_ * (static_cast<double>(place.second) + 0.5),
                      static_cast<std::int64_t>(energies.size()), n / bodies, sum / n,
                      energies[rank], energies.back(), height, speed});
    }
    return rows;
  }

 private:
  struct Pass {
    double energy = 0.0, height = notKnown, speed = 0.0;  // the largest of one body in a cell
  };
  using Place = std::pair<std::int64_t, std::int64_t>;

  Place placeOf(double u, double v) const {
    for (const double x : {u, v})
      if (!(std::abs(x / cell_) < 1e9))
        throw ModelError(
            fmt::format("reach: a body is at {}, which is 1e9 cells of {} away", x, cell_));
    return {static_cast<std::int64_t>(std::floor(u / cell_)),
            static_cast<std::int64_t>(std::floor(v / cell_))};
  }

  double cell_;
  std::map<Place, std::map<std::int64_t, Pass>> cells_;
  std::map<std::int64_t, Eigen::Vector2d> last_;  // where each body was in the file before
};

class ReachKind : public TrackKind {
 public:
  explicit ReachKind(const KindOptions& options)
      : selection_(options.selection()), tracks_(options), cell_(options.positive("cell", 1.0)) {}

  std::vector<sim::Column> columns() const override {
    return {{"u", "m"},         {"v", "m"},          {"passes", "-"},
            {"frequency", "-"}, {"energyMean", "J"}, {"energy95", "J"},
            {"energyMax", "J"}, {"heightMax", "m"},  {"speedMax", "m/s"}};
  }

  /// Raw: t, id, u, v, kinetic energy, height, speed.
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const Ground ground(instant);
    const MapAxes axes(instant.conf().gravity);
    const int u = axes.u, v = axes.v;
    std::vector<sim::Row> rows;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const sim::ParticleRecord& p = instant.body(k);
      rows.push_back({instant.conf().t, static_cast<std::int64_t>(k), p.pos[u], p.pos[v],
                      instant.kineticEnergy(k).sum(), ground.below(p.pos), p.vel.norm()});
    }
    return rows;
  }

  std::vector<sim::Row> trackRows(const Track& track, std::int64_t id) const override {
    const MapAxes axes(tracks_.gravity());
    const int u = axes.u, v = axes.v;
    std::vector<sim::Row> rows;
    for (const TrackRow& r : track.rows)
      rows.push_back({r.t, id, r.pos[u], r.pos[v], tracks_.kinetic(r), notKnown, r.vel.norm()});
    return rows;
  }

  std::unique_ptr<Joiner> joiner() const override { return std::make_unique<ReachJoiner>(cell_); }
  bool needsContacts() const override { return false; }

 private:
  sim::Selection selection_;
  TrackValues tracks_;
  double cell_;
};

}  // namespace

KindEntry reachKind() {
  KindEntry entry{"reach",
                  "a raster of where bodies pass: frequency, kinetic energy, height, speed",
                  {{"cell", "L", "side of a cell [m]", true}, selectOption},
                  [](const KindOptions& options) -> std::unique_ptr<Kind> {
                    return std::make_unique<ReachKind>(options);
                  },
                  {.x = "u", .y = {"v"}, .colour = "frequency", .points = true}};
  entry.options.insert(entry.options.end(), trackOptions().begin(), trackOptions().end());
  return entry;
}

}  // namespace scree::tools

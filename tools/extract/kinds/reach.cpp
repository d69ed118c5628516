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
#include <set>

namespace scree::tools {
namespace {

class ReachKind : public TrackKind {
 public:
  explicit ReachKind(const KindOptions& options)
      : selection_(options.selection()), tracks_(options), cell_(options.positive("cell", 1.0)) {}

  std::vector<sim::Column> columns() const override {
    return {{"u", "m"},         {"v", "m"},          {"passes", "-"},
            {"frequency", "-"}, {"energyMean", "J"}, {"energy95", "J"},
            {"energyMax", "J"}, {"heightMax", "m"},  {"speedMax", "m/s"}};
  }
  bool joins() const override { return true; }

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

  std::vector<sim::Row> joined(std::vector<sim::Row> raw) const override {
    struct Pass {
      double energy = 0.0, height = notKnown, speed = 0.0;  // the largest of one body in a cell
    };
    using Place = std::pair<std::int64_t, std::int64_t>;
    std::map<Place, std::map<std::int64_t, Pass>> cells;
    std::map<std::int64_t, const sim::Row*> last;
    for (const sim::Row& row : raw) {
      const auto number = [&](std::size_t k) { return std::get<double>(row[k]); };
      const std::int64_t id = std::get<std::int64_t>(row[1]);
      const auto place = [&](double u, double v) {
        for (const double x : {u, v})
          if (!(std::abs(x / cell_) < 1e9))
            throw ModelError(
                fmt::format("reach: a body stands at {}, which is 1e9 cells of {} away", x, cell_));
        return Place(static_cast<std::int64_t>(std::floor(u / cell_)),
                     static_cast<std::int64_t>(std::floor(v / cell_)));
      };
      // Along the straight line from the last file on: cells in between were passed, too.
      double u0 = number(2), v0 = number(3);
      if (const sim::Row* before = last[id]) {
        u0 = std::get<double>((*before)[2]);
        v0 = std::get<double>((*before)[3]);
      }
      const double u1 = number(2), v1 = number(3);
      const double steps = std::ceil(4.0 * std::hypot(u1 - u0, v1 - v0) / cell_);
      if (!(steps < 1e7))
        throw ModelError(
            fmt::format("reach: a body has moved by {} cells between two files", steps / 4.0));
      for (double s = 0.0; s <= steps; ++s) {
        const double share = steps > 0.0 ? s / steps : 1.0;
        Pass& pass = cells[place(u0 + share * (u1 - u0), v0 + share * (v1 - v0))][id];
        pass.energy = larger(pass.energy, number(4));
        pass.height = std::fmax(pass.height, number(5));
        pass.speed = std::max(pass.speed, number(6));
      }
      last[id] = &row;
    }
    const double bodies = static_cast<double>(last.size());
    std::vector<sim::Row> rows;
    for (const auto& [place, passes] : cells) {
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
                  }};
  entry.options.insert(entry.options.end(), trackOptions().begin(), trackOptions().end());
  return entry;
}

}  // namespace scree::tools

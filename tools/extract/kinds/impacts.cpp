// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `impacts`: where and how hard bodies struck the ground.
#include "kinds.hpp"
#include "tracks.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace scree::tools {
namespace {

/// Follows each body from file to file; an impact lasts while the body touches.
class ImpactsJoiner : public Joiner {
 public:
  void take(const std::vector<sim::Row>& raw) override {
    for (const sim::Row& row : raw) {
      const std::int64_t id = std::get<std::int64_t>(row[1]);
      Way& way = ways_[id];
      if (std::get<std::int64_t>(row[7]) != 0) {
        if (way.hardest.empty()) {
          way.begin = numberIn(row, 0);
          way.before = way.last;
          way.hardest = row;
        } else if (numberIn(row, 9) > numberIn(way.hardest, 9)) {
          way.hardest = row;
        }
      } else if (!way.hardest.empty()) {
        way.impacts.push_back(impactOf(id, way, row));
        way.hardest.clear();
      }
      way.last = row;
    }
  }

  std::vector<sim::Row> table() const override {
    std::vector<sim::Row> rows;
    for (const auto& [id, way] : ways_) {
      rows.insert(rows.end(), way.impacts.begin(), way.impacts.end());
      if (!way.hardest.empty()) rows.push_back(impactOf(id, way, {}));
    }
    std::ranges::stable_sort(rows, {}, [](const sim::Row& row) { return numberIn(row, 0); });
    return rows;
  }

 private:
  struct Way {
    sim::Row last;       ///< of the file before
    double begin = 0.0;  ///< [T] of the impact that goes on
    sim::Row before;     ///< the last row before it; empty at the start of the series
    sim::Row hardest;    ///< its row of the largest force; empty between impacts
    std::vector<sim::Row> impacts;
  };

  static double numberIn(const sim::Row& row, std::size_t k) { return std::get<double>(row[k]); }

  /// An impact that begins before the series, or ends behind it, has no energy to compare.
  /// @param after  the first row behind the impact, or empty
  static sim::Row impactOf(std::int64_t id, const Way& way, const sim::Row& after) {
    const auto in = [](const sim::Row& row, std::size_t k) {
      return row.empty() ? notKnown : numberIn(row, k);
    };
    const sim::Row& at = way.hardest;
    return {way.begin,
            id,
            at[2],
            at[3],
            at[4],
            at[8],
            in(way.before, 6) - in(after, 6),
            in(way.before, 5),
            in(after, 5),
            in(after, 0) - in(way.before, 0),
            at[9]};
  }

  std::map<std::int64_t, Way> ways_;
};

class ImpactsKind : public TrackKind {
 public:
  explicit ImpactsKind(const KindOptions& options)
      : selection_(options.selection()), tracks_(options) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},      {"id", "-"},       {"x", "m"},          {"y", "m"},
            {"z", "m"},      {"group", "-"},    {"energyLost", "J"}, {"vIn", "m/s"},
            {"vOut", "m/s"}, {"duration", "s"}, {"forceMax", "N"}};
  }

  /// Raw: t, id, place, speed, energy, touches, group of what it touches, force.
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    std::vector<std::int64_t> group(chosen.size(), -1);
    std::vector<Vec3> force(chosen.size(), Vec3::Zero());
    for (const sim::Link& c : instant.links()) {
      if (!c.touches()) continue;
      if (c.j == sim::Link::none) {
        group[c.i] = instant.conf().boundaries[c.jSub].group;
        force[c.i] += c.force();
      } else if (instant.isDriven(c.j)) {
        group[c.i] = instant.body(c.j).group;
        force[c.i] += c.force();
      } else if (instant.isDriven(c.i)) {
        group[c.j] = instant.body(c.i).group;
        force[c.j] -= c.force();
      }
    }
    std::vector<sim::Row> rows;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const sim::ParticleRecord& p = instant.body(k);
      const double energy =
          instant.kineticEnergy(k).sum() - instant.masses()[k] * instant.conf().gravity.dot(p.pos);
      rows.push_back({instant.conf().t, static_cast<std::int64_t>(k), p.pos.x(), p.pos.y(),
                      p.pos.z(), p.vel.norm(), energy, std::int64_t{group[k] >= 0}, group[k],
                      force[k].norm()});
    }
    return rows;
  }

  /// What a body of a track touches has no group.
  std::vector<sim::Row> trackRows(const Track& track, std::int64_t id) const override {
    std::vector<sim::Row> rows;
    for (const TrackRow& r : track.rows) {
      const double force = tracks_.contactForce(track, r).norm();
      const double energy = tracks_.kinetic(r) - tracks_.mass() * tracks_.gravity().dot(r.pos);
      rows.push_back({r.t, id, r.pos.x(), r.pos.y(), r.pos.z(), r.vel.norm(), energy,
                      std::int64_t{force > 0.0}, notKnown, force});
    }
    return rows;
  }

  std::unique_ptr<Joiner> joiner() const override { return std::make_unique<ImpactsJoiner>(); }

 private:
  sim::Selection selection_;
  TrackValues tracks_;
};

}  // namespace

KindEntry impactsKind() {
  KindEntry entry{"impacts",
                  "a row for each impact: successive files in which a body touches driven bodies "
                  "or round walls",
                  {selectOption},
                  [](const KindOptions& options) -> std::unique_ptr<Kind> {
                    return std::make_unique<ImpactsKind>(options);
                  },
                  {.x = "t", .y = {"vIn", "vOut"}, .points = true}};
  entry.options.insert(entry.options.end(), trackOptions().begin(), trackOptions().end());
  return entry;
}

}  // namespace scree::tools

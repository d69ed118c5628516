// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of rockfall: `runout`, where each body stopped; `impacts`, where it struck the ground.
#include "ground.hpp"
#include "kinds.hpp"
#include "tracks.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::tools {
namespace {

double numberIn(const sim::Row& row, std::size_t k) { return std::get<double>(row[k]); }
std::int64_t wholeIn(const sim::Row& row, std::size_t k) { return std::get<std::int64_t>(row[k]); }
Vec3 vectorIn(const sim::Row& row, std::size_t k) {
  return {numberIn(row, k), numberIn(row, k + 1), numberIn(row, k + 2)};
}

/// Raw rows of each body, in the order of the series.
std::map<std::int64_t, std::vector<sim::Row>> byBody(std::vector<sim::Row> raw) {
  std::map<std::int64_t, std::vector<sim::Row>> tracks;
  for (sim::Row& row : raw) {
    const std::int64_t id = wholeIn(row, 1);
    tracks[id].push_back(std::move(row));
  }
  return tracks;
}

class RunoutKind : public TrackKind {
 public:
  explicit RunoutKind(const KindOptions& options)
      : selection_(options.selection()),
        tracks_(options),
        restSpeed_(options.positive("restSpeed", 0.05)),
        restSpin_(options.positive("restSpin", HUGE_VAL)) {}

  std::vector<sim::Column> columns() const override {
    return {{"id", "-"},   {"x", "m"},    {"y", "m"},     {"z", "m"},
            {"path", "m"}, {"drop", "m"}, {"tStop", "s"}, {"vMax", "m/s"},
            {"hMax", "m"}, {"end", ""},   {"reach", "m"}, {"angle", "rad"},
            {"x0", "m"},   {"y0", "m"},   {"z0", "m"},    {"energyMax", "J"}};
  }
  bool joins() const override { return true; }

  /// Raw: t, id, place, speed, spin, height, left, gravity, kinetic energy.
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const Ground ground(instant);
    const Vec3& g = instant.conf().gravity;
    std::vector<sim::Row> rows;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const sim::ParticleRecord& p = instant.body(k);
      rows.push_back({instant.conf().t, static_cast<std::int64_t>(k), p.pos.x(), p.pos.y(),
                      p.pos.z(), p.vel.norm(), p.vrot.norm(), ground.below(p.pos),
                      std::int64_t{ground.left(p.pos)}, g.x(), g.y(), g.z(),
                      instant.kineticEnergy(k).sum()});
    }
    return rows;
  }

  std::vector<sim::Row> trackRows(const Track& track, std::int64_t id) const override {
    const Vec3& g = tracks_.gravity();
    std::vector<sim::Row> rows;
    for (const TrackRow& r : track.rows)
      rows.push_back({r.t, id, r.pos.x(), r.pos.y(), r.pos.z(), r.vel.norm(), r.spin.norm(),
                      notKnown, std::int64_t{0}, g.x(), g.y(), g.z(), tracks_.kinetic(r)});
    return rows;
  }

  std::vector<sim::Row> joined(std::vector<sim::Row> raw) const override {
    std::vector<sim::Row> rows;
    for (const auto& [id, track] : byBody(std::move(raw))) {
      const Vec3 start = vectorIn(track.front(), 2), end = vectorIn(track.back(), 2);
      const Up up(vectorIn(track.front(), 9));
      double path = 0.0, fastest = 0.0, highest = notKnown, energy = 0.0;
      std::size_t moving = 0;  // rows up to the last one that is faster than rest
      std::size_t gone = track.size();
      for (std::size_t k = 0; k < track.size(); ++k) {
        if (k > 0) path += (vectorIn(track[k], 2) - vectorIn(track[k - 1], 2)).norm();
        fastest = std::max(fastest, numberIn(track[k], 5));
        highest = std::fmax(highest, numberIn(track[k], 7));
        energy = larger(energy, numberIn(track[k], 12));
        if (!(numberIn(track[k], 5) < restSpeed_ && numberIn(track[k], 6) < restSpin_))
          moving = k + 1;
        if (wholeIn(track[k], 8) != 0) gone = std::min(gone, k);
      }
      const bool left = wholeIn(track.back(), 8) != 0, rests = !left && moving < track.size();
      const double stop = left    ? numberIn(track[gone], 0)
                          : rests ? numberIn(track[moving], 0)
                                  : notKnown;
      const Vec3 way = end - start;
      const double drop = -way.dot(up.direction),
                   reach = (way - way.dot(up.direction) * up.direction).norm();
      rows.push_back({id, end.x(), end.y(), end.z(), path, drop, stop, fastest, highest,
                      std::string(left    ? "left"
                                  : rests ? "rest"
                                          : "moving"),
                      reach, std::atan2(drop, reach), start.x(), start.y(), start.z(), energy});
    }
    return rows;
  }

 private:
  sim::Selection selection_;
  TrackValues tracks_;
  double restSpeed_, restSpin_;
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
  bool joins() const override { return true; }

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

  std::vector<sim::Row> joined(std::vector<sim::Row> raw) const override {
    std::vector<sim::Row> rows;
    for (const auto& [id, track] : byBody(std::move(raw)))
      for (std::size_t k = 0; k < track.size();) {
        if (wholeIn(track[k], 7) == 0) {
          ++k;
          continue;
        }
        const std::size_t begin = k;
        std::size_t hardest = k;
        for (; k < track.size() && wholeIn(track[k], 7) != 0; ++k)
          if (numberIn(track[k], 9) > numberIn(track[hardest], 9)) hardest = k;
        // An impact that begins before the series, or ends behind it, has no energy to compare.
        const bool whole = begin > 0 && k < track.size();
        const auto before = [&](std::size_t cell) {
          return begin > 0 ? numberIn(track[begin - 1], cell) : notKnown;
        };
        const auto after = [&](std::size_t cell) {
          return k < track.size() ? numberIn(track[k], cell) : notKnown;
        };
        const sim::Row& at = track[hardest];
        rows.push_back({numberIn(track[begin], 0), id, at[2], at[3], at[4], at[8],
                        before(6) - after(6), before(5), after(5),
                        whole ? after(0) - before(0) : notKnown, at[9]});
      }
    std::ranges::stable_sort(rows, {}, [](const sim::Row& row) { return numberIn(row, 0); });
    return rows;
  }

 private:
  sim::Selection selection_;
  TrackValues tracks_;
};

}  // namespace

KindEntry runoutKind() {
  KindEntry entry{
      "runout",
      "a row for each body over the whole series: where, when and why it stopped, peaks",
      {{"restSpeed", "V", "speed below which a body rests (0.05)"},
       {"restSpin", "W", "angular velocity below which it rests (any)"},
       selectOption},
      [](const KindOptions& options) -> std::unique_ptr<Kind> {
        return std::make_unique<RunoutKind>(options);
      }};
  entry.options.insert(entry.options.end(), trackOptions().begin(), trackOptions().end());
  return entry;
}

KindEntry impactsKind() {
  KindEntry entry{
      "impacts",
      "a row for each run of files in which a body touches driven bodies or round walls",
      {selectOption},
      [](const KindOptions& options) -> std::unique_ptr<Kind> {
        return std::make_unique<ImpactsKind>(options);
      }};
  entry.options.insert(entry.options.end(), trackOptions().begin(), trackOptions().end());
  return entry;
}

}  // namespace scree::tools

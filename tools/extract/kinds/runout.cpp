// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `runout`: where each body stopped, with what was largest on its way.
#include "ground.hpp"
#include "kinds.hpp"
#include "tracks.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree::tools {
namespace {

/// What is kept of the way of one body.
struct Way {
  Vec3 start = Vec3::Zero(), end = Vec3::Zero();  ///< [L]
  Vec3 gravity = Vec3::Zero();                    ///< [L/T²] of the first file
  double path = 0.0;                              ///< [L]
  double fastest = 0.0, highest = notKnown, energy = 0.0;
  double rest = notKnown;  ///< [T] since then it has been at rest; nan while it moves
  double gone = notKnown;  ///< [T] when it first was outside
  bool left = false;       ///< whether it is outside at the end
};

class RunoutJoiner : public Joiner {
 public:
  RunoutJoiner(double restSpeed, double restSpin) : restSpeed_(restSpeed), restSpin_(restSpin) {}

  void take(const std::vector<sim::Row>& raw) override {
    for (const sim::Row& row : raw) {
      const auto number = [&](std::size_t k) { return std::get<double>(row[k]); };
      const auto vector = [&](std::size_t k) {
        return Vec3(number(k), number(k + 1), number(k + 2));
      };
      const Vec3 place = vector(2);
      const auto [found, isNew] = ways_.try_emplace(std::get<std::int64_t>(row[1]));
      Way& way = found->second;
      if (isNew) {
        way.start = place;
        way.gravity = vector(9);
      } else {
        way.path += (place - way.end).norm();
      }
      way.end = place;
      way.fastest = std::max(way.fastest, number(5));
      way.highest = std::fmax(way.highest, number(7));
      way.energy = larger(way.energy, number(12));
      if (!(number(5) < restSpeed_ && number(6) < restSpin_))
        way.rest = notKnown;
      else if (std::isnan(way.rest))
        way.rest = number(0);
      way.left = std::get<std::int64_t>(row[8]) != 0;
      if (way.left && std::isnan(way.gone)) way.gone = number(0);
    }
  }

  std::vector<sim::Row> table() const override {
    std::vector<sim::Row> rows;
    for (const auto& [id, way] : ways_) {
      const Up up(way.gravity);
      const bool rests = !way.left && !std::isnan(way.rest);
      const Vec3 whole = way.end - way.start;
      const double drop = 0.0 - whole.dot(up.direction),  // never -0
          reach = (whole - whole.dot(up.direction) * up.direction).norm();
      rows.push_back({id, way.end.x(), way.end.y(), way.end.z(), way.path, drop,
                      way.left ? way.gone : way.rest, way.fastest, way.highest,
                      std::string(way.left ? "left"
                                  : rests  ? "rest"
                                           : "moving"),
                      reach, std::atan2(drop, reach), way.start.x(), way.start.y(), way.start.z(),
                      way.energy});
    }
    return rows;
  }

 private:
  double restSpeed_, restSpin_;
  std::map<std::int64_t, Way> ways_;
};

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

  std::unique_ptr<Joiner> joiner() const override {
    return std::make_unique<RunoutJoiner>(restSpeed_, restSpin_);
  }
  bool needsContacts() const override { return false; }

 private:
  sim::Selection selection_;
  TrackValues tracks_;
  double restSpeed_, restSpin_;
};

}  // namespace

KindEntry runoutKind() {
  KindEntry entry{
      "runout",
      "a row for each body over the whole series: where, when and why it stopped, largest values",
      {{"restSpeed", "V", "speed below which a body rests (0.05)"},
       {"restSpin", "W", "angular velocity below which it rests (any)"},
       selectOption},
      [](const KindOptions& options) -> std::unique_ptr<Kind> {
        return std::make_unique<RunoutKind>(options);
      },
      {.x = "reach", .y = {"drop"}, .colour = "vMax", .points = true}};
  entry.options.insert(entry.options.end(), trackOptions().begin(), trackOptions().end());
  return entry;
}

}  // namespace scree::tools

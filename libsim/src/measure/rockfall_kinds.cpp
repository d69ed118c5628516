// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of rockfall over a series: where bodies stopped, struck and passed; of files or of tracks.
#include "base/elementary.hpp"
#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/shape/aabb_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace scree::sim {
namespace {

/// The direction against gravity; z without gravity.
Vec3 upFrom(const Vec3& gravity) {
  const double size = gravity.norm();
  return size > 0.0 ? Vec3(-gravity / size) : Vec3(Vec3::UnitZ());
}

/// The faces of driven bodies, to look straight down on.
class Ground {
 public:
  /// Needs shapes. O(faces)
  explicit Ground(const Instant& instant) : up_(upFrom(instant.conf().gravity)) {
    for (std::size_t k = 0; k < instant.conf().nDriven; ++k) {
      const ParticleRecord& p = instant.body(k);
      const shape::Shape& s = instant.shapeOf(k);
      const double radius = p.homothety * s.radius;
      std::vector<Vec3> at;
      for (const Vec3& v : s.vertices) {
        at.push_back(p.pos + rotated(p.q, p.homothety * v));
        box_.add(at.back() - Vec3::Constant(radius));
        box_.add(at.back() + Vec3::Constant(radius));
      }
      for (std::size_t f = 0; f < s.faces.size(); ++f)
        for (std::size_t c = 1; c + 1 < s.faces[f].size(); ++c)
          triangles_.push_back(
              {at[s.faces[f][0]], at[s.faces[f][c]], at[s.faces[f][c + 1]], radius});
    }
  }

  /// [L] height of a point above the highest face below it, less the rounding of that face; nan
  /// where none is. O(faces)
  double below(const Vec3& x) const {
    double least = notKnown, below = notKnown;
    for (const Triangle& t : triangles_) {
      // Straight down to the plane of the triangle, and whether that meets it, edges included.
      const Vec3 n = (t.b - t.a).cross(t.c - t.a);
      const double slope = n.dot(up_);
      if (slope == 0.0) continue;
      const double height = n.dot(x - t.a) / slope;
      if (height < 0.0 || height >= least) continue;
      const Vec3 foot = x - height * up_;
      const auto inside = [&](const Vec3& a, const Vec3& b) {
        return (b - a).cross(foot - a).dot(n) >= 0.0;
      };
      if (!inside(t.a, t.b) || !inside(t.b, t.c) || !inside(t.c, t.a)) continue;
      least = height;
      below = height - t.radius * n.norm() / std::abs(slope);
    }
    return below;
  }

  /// Whether a centre has left the box around the ground, on a side or below; false without ground.
  bool left(const Vec3& x) const {
    if (triangles_.empty()) return false;
    Eigen::Index axis = 0;
    up_.cwiseAbs().maxCoeff(&axis);
    Vec3 p = x;
    p[axis] =
        up_[axis] > 0.0 ? std::min(p[axis], box_.high[axis]) : std::max(p[axis], box_.low[axis]);
    return (p.array() < box_.low.array()).any() || (p.array() > box_.high.array()).any();
  }

 private:
  struct Triangle {
    Vec3 a, b, c;
    double radius;
  };
  Vec3 up_;
  std::vector<Triangle> triangles_;
  shape::Aabb box_;
};

/// Values that a track does not hold, from the options of a command line.
class TrackValues {
 public:
  explicit TrackValues(const KindOptions& options) : gravity_(vector(options, "gravity")) {
    if (options.has("weight")) weight_ = vector(options, "weight");
    if (options.has("inertia")) inertia_ = vector(options, "inertia");
    if (options.has("mass")) mass_ = options.number("mass");
  }

  const Vec3& gravity() const { return gravity_; }
  double mass() const { return mass_; }
  /// [F] of the ground on the body in this row; 0 up to the digits of the file.
  Vec3 contactForce(const Track& track, const TrackRow& row) const {
    // A body flies freely before it is recorded to touch: the first force is its weight.
    const Vec3 w = weight_ ? *weight_ : track.rows.front().force, force = row.force - w;
    // Files of six digits: a unit of the last one is no contact.
    return force.norm() > 1e-5 * w.norm() ? force : Vec3(Vec3::Zero());
  }
  /// [F L] kinetic energy; nan without --mass and --inertia.
  double kinetic(const TrackRow& row) const {
    if (std::isnan(mass_) || !inertia_) return notKnown;
    const Vec3 spin = turnedBack(row.q, row.spin);
    return 0.5 * mass_ * row.vel.squaredNorm() + 0.5 * spin.dot(inertia_->cwiseProduct(spin));
  }

 private:
  static Vec3 vector(const KindOptions& options, std::string_view name) {
    const std::vector<double>& v = options.numbers(name);
    return Vec3(v[0], v[1], v[2]);
  }

  Vec3 gravity_;
  std::optional<Vec3> weight_, inertia_;
  double mass_ = notKnown;
};

/// A series of records that tracks give, too.
template <class Record>
class TrackSeries : public SeriesOf<Record> {
 public:
  explicit TrackSeries(const KindOptions& options)
      : selection_(options.selection()), values_(options) {}
  using SeriesOf<Record>::measure;
  std::any measure(const Track& track, std::int64_t id) const final {
    std::vector<Record> records;
    for (const TrackRow& row : track.rows) records.push_back(recordOf(track, row, id));
    return records;
  }

 protected:
  virtual Record recordOf(const Track& track, const TrackRow& row, std::int64_t id) const = 0;
  std::vector<char> chosen(const Instant& instant) const {
    return chosenBodies(instant, selection_, false);
  }
  const TrackValues& values() const { return values_; }

 private:
  Selection selection_;
  TrackValues values_;
};

/// The larger of two numbers; nan where one of them is nan.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

/// A body in one file, as its way is followed.
struct Passing {
  double t = 0.0;
  std::int64_t id = 0;
  Vec3 pos = Vec3::Zero();
  double speed = 0.0, spin = 0.0;
  double height = notKnown;  ///< [L] above the ground
  double kinetic = 0.0;      ///< [F L]
  bool left = false;         ///< outside of the ground
  Vec3 gravity = Vec3::Zero();
};

Passing passingOf(const Instant& instant, std::size_t k, const Ground& ground) {
  const ParticleRecord& p = instant.body(k);
  return {instant.conf().t,
          static_cast<std::int64_t>(k),
          p.pos,
          p.vel.norm(),
          p.vrot.norm(),
          ground.below(p.pos),
          instant.kineticEnergy(k).sum(),
          ground.left(p.pos),
          instant.conf().gravity};
}

/// A series of passings of the chosen bodies.
class Ways : public TrackSeries<Passing> {
 public:
  using TrackSeries::TrackSeries;

 protected:
  std::vector<Passing> records(const Instant& instant) const override {
    const std::vector<char> counts = chosen(instant);
    const Ground ground(instant);
    std::vector<Passing> all;
    for (std::size_t k = 0; k < counts.size(); ++k)
      if (counts[k]) all.push_back(passingOf(instant, k, ground));
    return all;
  }
  Passing recordOf(const Track&, const TrackRow& r, std::int64_t id) const override {
    return {r.t,
            id,
            r.pos,
            r.vel.norm(),
            r.spin.norm(),
            notKnown,
            values().kinetic(r),
            false,
            values().gravity()};
  }
};

/// Where each body stopped, with the largest values on its way.
class Runout : public Ways {
 public:
  explicit Runout(const KindOptions& options)
      : Ways(options),
        restSpeed_(options.number("restSpeed")),
        restSpin_(options.has("restSpin") ? options.number("restSpin") : HUGE_VAL) {}

  std::vector<Row> table() const override {
    std::vector<Row> rows;
    for (const auto& [id, way] : ways_) {
      const Vec3 up = upFrom(way.gravity), whole = way.end - way.start;
      const bool rests = !way.left && !std::isnan(way.rest);
      const double drop = 0.0 - whole.dot(up),  // never -0
          reach = (whole - whole.dot(up) * up).norm();
      rows.push_back({id, way.end.x(), way.end.y(), way.end.z(), way.path, drop,
                      way.left ? way.gone : way.rest, way.fastest, way.highest,
                      std::string(way.left ? "left"
                                  : rests  ? "rest"
                                           : "moving"),
                      reach, elementary::atan2(drop, reach), way.start.x(), way.start.y(),
                      way.start.z(), way.energy});
    }
    return rows;
  }

 protected:
  void add(const Passing& now) override {
    const auto [found, isNew] = ways_.try_emplace(now.id);
    Way& way = found->second;
    if (isNew) {
      way.start = now.pos;
      way.gravity = now.gravity;
    } else {
      way.path += (now.pos - way.end).norm();
    }
    way.end = now.pos;
    way.fastest = std::max(way.fastest, now.speed);
    way.highest = std::fmax(way.highest, now.height);
    way.energy = larger(way.energy, now.kinetic);
    if (!(now.speed < restSpeed_ && now.spin < restSpin_))
      way.rest = notKnown;
    else if (std::isnan(way.rest))
      way.rest = now.t;
    way.left = now.left;
    if (way.left && std::isnan(way.gone)) way.gone = now.t;
  }

 private:
  struct Way {
    Vec3 start = Vec3::Zero(), end = Vec3::Zero();  ///< [L]
    Vec3 gravity = Vec3::Zero();                    ///< [L/T²] of the first file
    double path = 0.0;                              ///< [L]
    double fastest = 0.0, highest = notKnown, energy = 0.0;
    double rest = notKnown;  ///< [T] since then it has been at rest; nan while it moves
    double gone = notKnown;  ///< [T] when it first was outside
    bool left = false;       ///< whether it is outside at the end
  };
  double restSpeed_, restSpin_;
  std::map<std::int64_t, Way> ways_;
};

/// A raster of the cells that bodies have passed, with the largest values there.
class ReachRaster : public Ways {
 public:
  explicit ReachRaster(const KindOptions& options) : Ways(options), cell_(options.number("cell")) {}

  std::vector<Row> table() const override {
    const double bodies = static_cast<double>(last_.size());
    std::vector<Row> rows;
    for (const auto& [place, passes] : cells_) {
      std::vector<double> energies;
      double sum = 0.0, height = notKnown, speed = 0.0;
      for (const auto& [id, pass] : passes) {
        energies.push_back(pass.energy);
        sum += pass.energy;
        height = std::fmax(height, pass.height);
        speed = std::max(speed, pass.speed);
      }
      // All energies of tracks without a mass are nan.
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

 protected:
  void add(const Passing& now) override {
    const MapAxes axes(now.gravity);
    const Eigen::Vector2d to(now.pos[axes.u], now.pos[axes.v]);
    // Along the straight line from the last file on: cells in between were passed, too.
    const auto [last, isNew] = last_.try_emplace(now.id, to);
    const Eigen::Vector2d from = last->second;
    const double steps = std::ceil(4.0 * (to - from).head<2>().norm() / cell_);
    if (!(steps < 1e7))
      throw ModelError(
          fmt::format("reach: a body has moved by {} cells between two files", steps / 4.0));
    for (int s = 0; s <= static_cast<int>(steps); ++s) {
      const double share = steps > 0.0 ? s / steps : 1.0;
      Pass& pass = cells_[placeOf(from.x() + share * (to.x() - from.x()),
                                  from.y() + share * (to.y() - from.y()))][now.id];
      pass.energy = larger(pass.energy, now.kinetic);
      pass.height = std::fmax(pass.height, now.height);
      pass.speed = std::max(pass.speed, now.speed);
    }
    last->second = to;
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

/// A body in one file, as its impacts are followed.
struct Strike {
  double t = 0.0;
  std::int64_t id = 0;
  Vec3 pos = Vec3::Zero();
  double speed = 0.0, energy = 0.0;  ///< kinetic and potential [F L]
  bool touches = false;
  Cell group = notKnown;  ///< of what it touches
  double force = 0.0;     ///< [F]
};

/// Where and how hard bodies struck the ground; an impact lasts while the body touches.
class Impacts : public TrackSeries<Strike> {
 public:
  using TrackSeries::TrackSeries;

  std::vector<Row> table() const override {
    std::vector<Row> rows;
    for (const auto& [id, way] : ways_) {
      rows.insert(rows.end(), way.impacts.begin(), way.impacts.end());
      if (way.hardest) rows.push_back(impactOf(way, {}));
    }
    std::ranges::stable_sort(rows, {}, [](const Row& row) { return numberOf(row.front()); });
    return rows;
  }

 protected:
  std::vector<Strike> records(const Instant& instant) const override {
    const std::vector<char> counts = chosen(instant);
    std::vector<std::int64_t> group(counts.size(), -1);
    std::vector<Vec3> force(counts.size(), Vec3::Zero());
    for (const Link& c : instant.links()) {
      if (!c.touches()) continue;
      if (c.j == Link::none) {
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
    std::vector<Strike> all;
    for (std::size_t k = 0; k < counts.size(); ++k) {
      if (!counts[k]) continue;
      const ParticleRecord& p = instant.body(k);
      const double energy =
          instant.kineticEnergy(k).sum() - instant.masses()[k] * instant.conf().gravity.dot(p.pos);
      all.push_back({instant.conf().t, static_cast<std::int64_t>(k), p.pos, p.vel.norm(), energy,
                     group[k] >= 0, group[k], force[k].norm()});
    }
    return all;
  }
  Strike recordOf(const Track& track, const TrackRow& r, std::int64_t id) const override {
    const double force = values().contactForce(track, r).norm();
    const double energy = values().kinetic(r) - values().mass() * values().gravity().dot(r.pos);
    return {r.t, id, r.pos, r.vel.norm(), energy, force > 0.0, notKnown, force};
  }
  void add(const Strike& now) override {
    Way& way = ways_[now.id];
    if (now.touches) {
      if (!way.hardest) {
        way.begin = now.t;
        way.before = way.last;
        way.hardest = now;
      } else if (now.force > way.hardest->force) {
        way.hardest = now;
      }
    } else if (way.hardest) {
      way.impacts.push_back(impactOf(way, now));
      way.hardest.reset();
    }
    way.last = now;
  }

 private:
  struct Way {
    std::optional<Strike> last;     ///< of the file before
    double begin = 0.0;             ///< [T] of the impact that goes on
    std::optional<Strike> before;   ///< the last one before it; none at the start of the series
    std::optional<Strike> hardest;  ///< its record of the largest force; none between impacts
    std::vector<Row> impacts;
  };

  /// An impact that begins before the series, or ends behind it, has no energy to compare.
  static Row impactOf(const Way& way, const std::optional<Strike>& after) {
    const auto in = [](const std::optional<Strike>& touch, double Strike::*value) {
      return touch ? (*touch).*value : notKnown;
    };
    const Strike& at = *way.hardest;
    return {way.begin,
            at.id,
            at.pos.x(),
            at.pos.y(),
            at.pos.z(),
            at.group,
            in(way.before, &Strike::energy) - in(after, &Strike::energy),
            in(way.before, &Strike::speed),
            in(after, &Strike::speed),
            in(after, &Strike::t) - in(way.before, &Strike::t),
            at.force};
  }

  std::map<std::int64_t, Way> ways_;
};

/// Options of the tracks of a kind, behind its own.
std::vector<KindOption> withTracks(std::vector<KindOption> options) {
  for (const KindOption& option :
       {selectOption.without("track"),
        flag("track", "the names that follow are tables of TrackBody, one body each"),
        numbers("gravity", "GX,GY,GZ", "of the tracks", "0,-9.81,0").with("track"),
        numbers("weight", "FX,FY,FZ",
                "contained in the forces of the tracks (the force of the first row)")
            .with("track"),
        positive("mass", "M", "of the body of a track").with("track"),
        numbers("inertia", "I1,I2,I3",
                "principal moments of inertia of the body of a track [kg m2]")
            .with("track")})
    options.push_back(option);
  return options;
}

}  // namespace

namespace {

constexpr std::array<const char*, 17> trackNames{"t",  "x",  "y",  "z",  "vx", "vy",
                                                 "vz", "qw", "qx", "qy", "qz", "wx",
                                                 "wy", "wz", "fx", "fy", "fz"};

TrackRow trackRowFrom(const std::array<double, trackNames.size()>& v) {
  const auto at = [&](std::size_t k) { return Vec3(v[k], v[k + 1], v[k + 2]); };
  return {v[0], at(1), at(4), Quat(v[7], v[8], v[9], v[10]), at(11), at(14)};
}

}  // namespace

Track readTrack(const std::string& path) {
  Track track;
  track.source = inputName(path);
  const std::string text = readFile(path);
  const auto first = text.find_first_not_of(" \t\r\n");
  std::array<double, trackNames.size()> values{};
  if (first != std::string::npos && text[first] != '#' &&
      parseNumber(text.substr(first, text.find_first_of(" \t\r\n,", first) - first))) {
    TextReader in(track.source, text);
    while (!in.atEnd()) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = in.number(trackNames[k]);
        if (k > 0) continue;
        if (const std::size_t left = in.valuesOnLine(); left + 1 != 20)
          throw in.error(fmt::format(
              "expected 20 numbers, t, x, v, Q, w, force and moment, found {}", left + 1));
      }
      in.skipLine();  // the moment
      track.rows.push_back(trackRowFrom(values));
    }
  } else {
    const Table table = readTable(path);
    std::array<std::size_t, trackNames.size()> columns{};
    for (std::size_t k = 0; k < trackNames.size(); ++k) columns[k] = table.column(trackNames[k]);
    for (const Row& row : table.rows) {
      for (std::size_t k = 0; k < trackNames.size(); ++k) values[k] = numberOf(row[columns[k]]);
      track.rows.push_back(trackRowFrom(values));
    }
  }
  if (track.rows.empty())
    throw ModelError(fmt::format("{}: expected the rows of a track, found none", track.source));
  return track;
}

std::vector<Kind> rockfallKinds() {
  return {
      {"runout",
       "a row for each body over the whole series: where, when and why it stopped, largest values",
       withTracks({positive("restSpeed", "V", "speed below which a body rests", "0.05"),
                   positive("restSpin", "W", "angular velocity below which it rests (any)")}),
       [](const KindOptions& options) -> Measure {
         return {.columns = columnsFrom("id x:m y:m z:m path:m drop:m tStop:s vMax:m/s hMax:m end "
                                        "reach:m angle:rad x0:m y0:m z0:m energyMax:J"),
                 .series = std::make_shared<Runout>(options),
                 .needsContacts = false};
       },
       {.x = "reach", .y = {"drop"}, .colour = "vMax", .points = true}},
      {"impacts",
       "a row for each impact: successive files in which a body touches driven bodies or round "
       "walls",
       withTracks({}),
       [](const KindOptions& options) -> Measure {
         return {.columns = columnsFrom("t:s id x:m y:m z:m group energyLost:J vIn:m/s vOut:m/s "
                                        "duration:s forceMax:N"),
                 .series = std::make_shared<Impacts>(options)};
       },
       {.x = "t", .y = {"vIn", "vOut"}, .points = true}},
      {"reach",
       "a raster of where bodies pass: frequency, kinetic energy, height, speed",
       withTracks({positive("cell", "L", "side of a cell [m]").needed()}),
       [](const KindOptions& options) -> Measure {
         return {
             .columns = columnsFrom("u:m v:m passes frequency energyMean:J energy95:J energyMax:J "
                                    "heightMax:m speedMax:m/s"),
             .series = std::make_shared<ReachRaster>(options),
             .needsContacts = false};
       },
       {.x = "u", .y = {"v"}, .colour = "frequency", .points = true}},
  };
}

}  // namespace scree::sim

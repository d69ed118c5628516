// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of rockfall over a series: where bodies stopped, struck and passed; of files or of tracks.
#include "base/elementary.hpp"
#include "kind_parts.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/sim/measure/extractors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace scree::sim {
namespace {

/// The faces of driven bodies and plane boundaries, to look straight down on.
class Ground {
 public:
  /// Needs shapes. O(faces)
  explicit Ground(const Instant& instant)
      : gravity_(instant.conf().gravity),
        up_(upFrom(gravity_)),
        boundaries_(instant.conf().boundaries) {
    if (instant.conf().cell.used) lattice_.emplace(cell_ = instant.conf().cell.h);
    for (std::size_t k = 0; k < instant.conf().nDriven; ++k) {
      const ParticleRecord& p = instant.body(k);
      const shape::Shape& s = instant.shapeOf(k);
      const double radius = p.homothety * s.radius;
      box_.add(instant.boxOf(k));
      std::vector<Vec3> at;
      for (const Vec3& v : s.vertices) at.push_back(p.pos + rotated(p.q, p.homothety * v));
      for (const auto& [a, b, c] : shape::trianglesOf({at, s.faces}))
        triangles_.push_back({at[a], at[b], at[c], radius});
    }
  }

  /// [L] height of a point above the highest face below it, less its rounding, or nan. O(faces)
  double below(const Vec3& x) const {
    double least = notKnown, below = notKnown;
    for (const Boundary& b : boundaries_) {
      const double slope = b.axis.dot(up_);
      if (b.kind != Boundary::Kind::plane || !(slope > 0.0)) continue;
      // A plane repeats with the cell.
      const double period = (cell_.transpose() * b.axis).cwiseAbs().maxCoeff();
      double height = b.axis.dot(x - b.centre);
      if (period > 0.0) height -= period * std::floor(height / period);
      height /= slope;
      if (!(height < 0.0 || height >= least)) least = below = height;
    }
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

  bool left(const Vec3& x) const { return hasLeft(box_, boundaries_, gravity_, x); }
  /// [L] the vector of the periodic cell that is nearest to d; 0 without a cell.
  Vec3 nearest(const Vec3& d) const { return lattice_ ? lattice_->nearest(d) : Vec3::Zero(); }

 private:
  struct Triangle {
    Vec3 a, b, c;
    double radius;
  };
  Vec3 gravity_, up_;
  std::vector<Boundary> boundaries_;
  Mat3 cell_ = Mat3::Zero();
  std::optional<Lattice> lattice_;
  std::vector<Triangle> triangles_;
  shape::Aabb box_;
};

/// The larger of two numbers; nan where one of them is nan.
double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }

/// A body in one file, or in one row of a track, as its way is followed.
struct Passing {
  double t = 0.0;
  std::int64_t id = 0;
  Vec3 pos = Vec3::Zero(), vel = Vec3::Zero();  ///< of the image that the body has come to
  double spin = 0.0, mass = notKnown;
  double kinetic = notKnown;  ///< [F L]
  double height = notKnown;   ///< [L] above the ground
  std::shared_ptr<const Ground> ground = {};
  bool left = false;  ///< outside of the ground
  Vec3 gravity = Vec3::Zero();
  bool falls = false;         ///< whether nothing but gravity and contacts acts
  bool touches = false;       ///< the ground
  bool meets = false;         ///< anything
  double group = notKnown;    ///< of what it touches
  Vec3 force = Vec3::Zero();  ///< [F] of the ground
  std::size_t bodies = 0;     ///< of the file; 0: a track
  Vec3 image = Vec3::Zero();  ///< [L] from the place in the file to `pos`

  double energy() const { return kinetic - mass * gravity.dot(pos); }  ///< [F L]
};

/// A series of passings of the chosen bodies, of files or of tracks.
class Ways : public SeriesOf<Passing> {
 public:
  explicit Ways(const KindOptions& options)
      : options_(options), gravity_(options.numbers("gravity").data()) {}
  std::any measure(const Track& track) const final {
    // A body flies freely before it is recorded to touch: the first force is its weight. In files
    // of six digits a unit of the last one is no contact.
    const Vec3 weight = track.rows.front().force;
    std::vector<Passing> all;
    for (const TrackRow& r : track.rows) {
      Passing& p = all.emplace_back(Passing{.t = r.t,
                                            .id = track.id,
                                            .pos = r.pos,
                                            .vel = r.vel,
                                            .spin = r.spin.norm(),
                                            .left = track.left && &r == &track.rows.back(),
                                            .gravity = gravity_,
                                            .falls = true,
                                            .force = r.force - weight});
      p.touches = p.meets = p.force.norm() > 1e-5 * weight.norm();
    }
    return all;
  }

 protected:
  std::vector<Passing> records(const Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, options_);
    const Conf& conf = instant.conf();
    const auto ground = std::make_shared<const Ground>(instant);
    const bool falls = !conf.bodyForce && conf.joints.empty() &&
                       conf.numericalDampingCoeff == 0.0 && conf.cell.vh.isZero(0.0);
    std::vector<Passing> all(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const ParticleRecord& body = instant.body(k);
      all[k] = {conf.t,
                static_cast<std::int64_t>(k),
                body.pos,
                body.vel,
                body.vrot.norm(),
                instant.masses()[k],
                instant.kineticEnergy(k).sum(),
                ground->below(body.pos),
                ground,
                ground->left(body.pos),
                conf.gravity,
                falls};
      all[k].bodies = chosen.size();
    }
    std::vector<double> most(all.size(), 0.0);  // [F] the largest force of a link
    for (const Link& c : instant.links()) {
      if (!c.touches() && c.kind != Link::Kind::bond) continue;
      all[c.i].meets = true;
      if (c.j != Link::none) all[c.j].meets = true;
      const bool onWall = c.j == Link::none, onSecond = onWall || instant.isDriven(c.j);
      if (!c.touches() || !(onSecond || instant.isDriven(c.i))) continue;
      const BodyId k = onSecond ? c.i : c.j;
      Passing& p = all[k];
      p.touches = true;
      if (const double force = c.force().norm(); force >= most[k]) {
        most[k] = force;
        p.group = onWall ? conf.boundaries[c.jSub].group : instant.body(onSecond ? c.j : c.i).group;
      }
      p.force += onSecond ? c.force() : Vec3(-c.force());
    }
    std::erase_if(all, [](const Passing& p) { return p.bodies == 0; });  // not chosen
    return all;
  }
  void add(const Passing& record, std::vector<Row>& rows) final {
    Passing now = record;
    const auto [found, isNew] = last_.try_emplace(now.id, now);
    const Passing& last = found->second;
    if (last.bodies != now.bodies)
      throw ModelError(
          fmt::format("{} bodies at t = {}, after {} before: numbers would name others", now.bodies,
                      tableTime(now.t), last.bodies));
    if (!isNew && now.ground) {
      // In a periodic cell the image that is nearest to where the velocities lead.
      const Vec3 expected = last.pos + 0.5 * (now.t - last.t) * (last.vel + now.vel);
      now.image = now.ground->nearest(expected - now.pos);
      now.pos += now.image;
    }
    follow(isNew ? nullptr : &last, now, rows);
    found->second = now;
  }
  void nextRun() override { last_.clear(); }
  /// Takes the next record of a body, and the one before it if there is one; both unwrapped.
  virtual void follow(const Passing* before, const Passing& now, std::vector<Row>& rows) = 0;

 private:
  KindOptions options_;
  Vec3 gravity_;  ///< [L/T²] of tracks, which do not hold it
  std::map<std::int64_t, Passing> last_;
};

/// Whether a body that touches nothing in two records has struck something between them: gravity
/// alone does not change its velocity so.
bool struckBetween(const Passing& before, const Passing& now) {
  if (before.meets || now.meets || !now.falls) return false;
  const Vec3 gain = now.vel - before.vel - (now.t - before.t) * now.gravity;
  return gain.norm() > 1e-3 * std::max(now.vel.norm(), before.vel.norm());
}
std::string noteOfMissed(std::string_view kind, std::size_t missed) {
  if (missed == 0) return {};
  return fmt::format(
      "{}: velocities change {} times by more than gravity between two records without a contact; "
      "what happened between them is not in the table (the extractors TrackBody and Impacts of a "
      "run look at each step)",
      kind, missed);
}

/// Where each body stopped, with the largest values on its way.
class Runout : public Ways {
 public:
  explicit Runout(const KindOptions& options)
      : Ways(options),
        restSpeed_(options.number("restSpeed")),
        restSpin_(options.has("restSpin") ? options.number("restSpin") : HUGE_VAL) {}

  std::vector<Row> finish() override {
    std::vector<Row> rows;
    for (const auto& [id, way] : ways_) {
      const Vec3 up = upFrom(way.gravity), whole = way.end - way.start;
      const auto [end, stop] = way.left               ? std::pair("left", way.gone)
                               : std::isnan(way.rest) ? std::pair("moving", way.last)
                                                      : std::pair("rest", way.rest);
      const double drop = 0.0 - whole.dot(up),  // never -0
          reach = (whole - whole.dot(up) * up).norm();
      rows.push_back(rowOf(id, way.end, way.path, drop, stop, way.fastest, way.highest, end, reach,
                           elementary::atan2(drop, reach), way.start, way.energy));
    }
    return rows;
  }

 protected:
  void follow(const Passing*, const Passing& now, std::vector<Row>&) override {
    const auto [found, isNew] = ways_.try_emplace(now.id);
    Way& way = found->second;
    if (isNew) way = {.start = now.pos, .end = now.pos, .gravity = now.gravity};
    way.path += (now.pos - way.end).norm();
    way.end = now.pos;
    way.last = now.t;
    way.fastest = std::max(way.fastest, now.vel.norm());
    way.highest = std::fmax(way.highest, now.height);
    way.energy = larger(way.energy, now.kinetic);
    if (!(now.vel.norm() < restSpeed_ && now.spin < restSpin_))
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
    double last = 0.0;       ///< [T] of its last record
    bool left = false;       ///< whether it is outside at the end
  };
  double restSpeed_, restSpin_;
  std::map<std::int64_t, Way> ways_;
};

/// A raster of the cells that bodies have passed, with the largest values there.
class ReachRaster : public Ways {
 public:
  void nextRun() override {
    Ways::nextRun();
    ++run_;
  }
  explicit ReachRaster(const KindOptions& options) : Ways(options), cell_(options.number("cell")) {}

  std::vector<Row> finish() override {
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
      rows.push_back(rowOf(cell_ * (static_cast<double>(place.first) + 0.5),
                           cell_ * (static_cast<double>(place.second) + 0.5), energies.size(),
                           n / bodies, sum / n, energies[rank], energies.back(), height, speed));
    }
    return rows;
  }

 protected:
  void follow(const Passing* before, const Passing& now, std::vector<Row>&) override {
    const Passing& was = before ? *before : now;
    const MapAxes axes(now.gravity);
    const Eigen::Vector2d to(now.pos[axes.u], axes.north * now.pos[axes.v]);
    // Along the straight line from the last file on: cells in between were passed, too.
    const std::pair body(run_, now.id);
    const Eigen::Vector2d from = std::exchange(last_.try_emplace(body, to).first->second, to);
    std::vector<double> shares{0.0, 1.0};  // of the way, where it enters another cell
    for (const int axis : {0, 1}) {
      const double x = from[axis] / cell_, way = to[axis] / cell_ - x;
      if (!(std::abs(way) < 1e7))
        throw ModelError(
            fmt::format("reach: a body has moved by {} cells between two files", std::abs(way)));
      for (double k = std::ceil(std::min(x, x + way)); k < std::max(x, x + way); ++k)
        shares.push_back((k - x) / way);
    }
    std::ranges::sort(shares);
    shares.push_back(1.0);  // where it is, even at the side of a cell
    for (std::size_t k = 1; k < shares.size(); ++k) {
      if (shares[k] - shares[k - 1] < 1e-12 && shares[k] < 1.0) continue;  // a corner, rounded
      const double middle = 0.5 * (shares[k - 1] + shares[k]);
      Pass& pass = cells_[placeOf((1.0 - middle) * from + middle * to)][body];
      for (const double s : {shares[k - 1], shares[k]}) {
        const auto at = [s](double a, double b) { return s == 1.0 ? b : a + s * (b - a); };
        pass.energy = larger(pass.energy, at(was.kinetic, now.kinetic));
        pass.height = std::fmax(pass.height, at(was.height, now.height));
        pass.speed = std::max(pass.speed, at(was.vel.norm(), now.vel.norm()));
      }
    }
  }

 private:
  struct Pass {
    double energy = 0.0, height = notKnown, speed = 0.0;  // the largest of one body in a cell
  };
  using Place = std::pair<std::int64_t, std::int64_t>;
  using Body = std::pair<int, std::int64_t>;  // run, number

  Place placeOf(const Eigen::Vector2d& at) const {
    for (const double x : at)
      if (!(std::abs(x / cell_) < 1e9))
        throw ModelError(
            fmt::format("reach: a body is at {}, which is 1e9 cells of {} away", x, cell_));
    return {static_cast<std::int64_t>(std::floor(at.x() / cell_)),
            static_cast<std::int64_t>(std::floor(at.y() / cell_))};
  }

  double cell_;
  int run_ = 0;
  std::map<Place, std::map<Body, Pass>> cells_;
  std::map<Body, Eigen::Vector2d> last_;  // where each body was in the file before
};

/// Crossings of a plane, between the files before and after. There the way is the cubic curve of
/// both positions and velocities, which is exact in free flight.
class Screen : public Ways {
 public:
  explicit Screen(const KindOptions& options) : Ways(options) {
    const std::vector<double>& v = options.numbers("plane");
    point_ = Vec3(v[0], v[1], v[2]);
    normal_ = Vec3(v[3], v[4], v[5]);
    if (!(normal_.norm() > 0.0)) throw UsageError("--plane: expected a normal that is not 0");
    normal_.normalize();
  }
  std::string note() const override { return noteOfMissed("screen", missed_); }

 protected:
  void follow(const Passing* before, const Passing& now, std::vector<Row>& rows) override {
    if (!before) return;
    missed_ += struckBetween(*before, now);
    // The plane stands in the cell of the file: a body that leaves it may cross on either side.
    cross(*before, now, before->image, rows);
    const Vec3 apart = now.image - before->image;
    if (std::abs(apart.dot(normal_)) > 1e-9 * apart.norm()) cross(*before, now, now.image, rows);
  }

 private:
  double place(const Vec3& x) const { return (x - point_).dot(normal_); }

  /// @param image  [L] of the cell that the plane stands in
  void cross(Passing before, Passing now, const Vec3& image, std::vector<Row>& rows) const {
    before.pos -= image;
    now.pos -= image;
    const double dt = now.t - before.t, from = place(before.pos), to = place(now.pos),
                 rate = dt * before.vel.dot(normal_), rateThen = dt * now.vel.dot(normal_);
    const auto at = [&](double s) -> Vec3 {
      const double r = 1.0 - s;
      return r * r * ((1.0 + 2.0 * s) * before.pos + s * dt * before.vel) +
             s * s * ((1.0 + 2.0 * r) * now.pos - r * dt * now.vel);
    };
    // In free flight the distance from the plane may turn: at the zeros of its rate.
    std::vector<double> ends{0.0};
    if (!before.meets && !now.meets && !struckBetween(before, now)) {
      const double a = 3.0 * (2.0 * (from - to) + rate + rateThen),
                   b = 3.0 * (to - from) - 2.0 * rate - rateThen, root = b * b - a * rate;
      if (root > 0.0) {
        const double q = -(b + std::copysign(std::sqrt(root), b));
        for (const double s : {q / a, rate / q})
          if (s > 0.0 && s < 1.0) ends.push_back(s);
        std::ranges::sort(ends);
      }
    }
    ends.push_back(1.0);
    for (std::size_t k = 1; k < ends.size(); ++k) {
      double low = ends[k - 1], high = ends[k];
      const bool wasBefore = place(at(low)) < 0.0;
      if (wasBefore == (place(at(high)) < 0.0)) continue;
      for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        ((place(at(middle)) < 0.0) == wasBefore ? low : high) = middle;
      }
      rows.push_back(rowOf(before, now, high, at(high), wasBefore));
    }
  }

  /// The crossing at the share s of the time between two records.
  static Row rowOf(const Passing& before, const Passing& now, double s, const Vec3& x,
                   bool wasBefore) {
    const auto mean = [&](auto a, auto b) { return a + s * (b - a); };
    const Vec3 v = before.vel + s * (now.vel - before.vel);
    const auto heightOver = [&](const Passing& p) {
      return p.ground ? p.ground->below(x) : notKnown;
    };
    const auto turning = [](const Passing& p) {
      return p.kinetic - 0.5 * p.mass * p.vel.squaredNorm();
    };
    return sim::rowOf(before.t + s * (now.t - before.t), now.id, wasBefore ? 1 : -1, x,
                      mean(heightOver(before), heightOver(now)), v.norm(),
                      0.5 * now.mass * v.squaredNorm() + mean(turning(before), turning(now)), v);
  }

  std::size_t missed_ = 0;
  Vec3 point_ = Vec3::Zero(), normal_ = Vec3::Zero();
};

/// Where and how hard bodies struck the ground; an impact lasts while the body touches.
class Impacts : public Ways {
 public:
  using Ways::Ways;

  std::vector<Row> finish() override {
    std::vector<Row> rows;
    for (const auto& [id, way] : ways_) {
      rows.insert(rows.end(), way.impacts.begin(), way.impacts.end());
      if (way.hardest) rows.push_back(impactOf(way, {}));
    }
    std::ranges::stable_sort(rows, {}, [](const Row& row) { return numberOf(row.front()); });
    return rows;
  }
  std::string note() const override { return noteOfMissed("impacts", missed_); }

 protected:
  void follow(const Passing* before, const Passing& now, std::vector<Row>&) override {
    Way& way = ways_[now.id];
    if (before) missed_ += struckBetween(*before, now);
    if (now.touches) {
      if (!way.hardest) {
        way.begin = now.t;
        way.before = before ? std::optional(*before) : std::nullopt;
        way.hardest = now;
      } else if (now.force.norm() > way.hardest->force.norm()) {
        way.hardest = now;
      }
    } else if (way.hardest) {
      way.impacts.push_back(impactOf(way, now));
      way.hardest.reset();
    }
  }

 private:
  struct Way {
    double begin = 0.0;              ///< [T] of the impact that goes on
    std::optional<Passing> before;   ///< the last one before it; none at the start of the series
    std::optional<Passing> hardest;  ///< its record of the largest force; none between impacts
    std::vector<Row> impacts;
  };

  /// An impact that begins before the series, or ends behind it, has no energy to compare.
  static Row impactOf(const Way& way, const std::optional<Passing>& after) {
    const Passing unknown{.t = notKnown, .vel = Vec3::Constant(notKnown)};
    const Passing &before = way.before ? *way.before : unknown, &then = after ? *after : unknown;
    const Passing& at = *way.hardest;
    return rowOf(way.begin, at.id, at.pos, at.group, before.energy() - then.energy(),
                 before.vel.norm(), then.vel.norm(), then.t - before.t, at.force.norm());
  }

  std::map<std::int64_t, Way> ways_;
  std::size_t missed_ = 0;  ///< changes of velocity between files without a contact
};

/// Options of the tracks of a kind, behind its own.
std::vector<KindOption> withTracks(std::vector<KindOption> options) {
  for (const KindOption& option :
       {selectOption.without("track"),
        flag("track", "the names that follow are tables of TrackBody, one body each"),
        numbers("gravity", "GX,GY,GZ", "of the tracks", "0,-9.81,0")})
    options.push_back(option);
  return options;
}

constexpr std::array trackNames{"t",  "x",  "y",  "z",  "vx", "vy", "vz", "qw", "qx",
                                "qy", "qz", "wx", "wy", "wz", "fx", "fy", "fz"};

}  // namespace

Track readTrack(const std::string& path) {
  Track track;
  const std::string source = inputName(path), text = readFile(path);
  const auto first = text.find_first_not_of(" \t\r\n");
  std::array<double, trackNames.size()> v{};
  const auto add = [&] {
    const auto at = [&](std::size_t k) { return Vec3(v[k], v[k + 1], v[k + 2]); };
    track.rows.push_back({v[0], at(1), at(4), at(11), at(14)});
  };
  if (first != std::string::npos && text[first] != '#' &&
      parseNumber(text.substr(first, text.find_first_of(" \t\r\n,", first) - first))) {
    TextReader in(source, text);
    while (!in.atEnd()) {
      for (std::size_t k = 0; k < v.size(); ++k) {
        v[k] = in.number(trackNames[k]);
        if (k > 0) continue;
        if (const std::size_t left = in.valuesOnLine(); left + 1 != 20)
          throw in.error(fmt::format(
              "expected 20 numbers, t, x, v, Q, w, force and moment, found {}", left + 1));
      }
      in.skipLine();  // the moment
      add();
    }
  } else {
    const Table table = readTable(path);
    if (table.has("id") && !table.rows.empty() && !std::isnan(table.number(0, "id")))
      track.id = static_cast<std::int64_t>(table.number(0, "id"));
    for (const Row& row : table.rows) {
      for (std::size_t k = 0; k < v.size(); ++k) v[k] = numberOf(row[table.column(trackNames[k])]);
      add();
    }
  }
  if (track.rows.empty())
    throw ModelError(fmt::format("{}: expected the rows of a track, found none", source));
  return track;
}

std::vector<Kind> rockfallKinds() {
  return {
      {.name = "runout",
       .help = "a row for each body over the whole series: where, when and why it stopped, largest "
               "values",
       .options =
           withTracks({positive("restSpeed", "V", "speed below which a body rests", "0.05"),
                       positive("restSpin", "W", "angular velocity below which it rests (any)")}),
       .columns = "id x:m y:m z:m path:m drop:m tStop:s vMax:m/s hMax:m end reach:m angle:rad x0:m "
                  "y0:m z0:m energyMax:J",
       .series = seriesOf<Runout>,
       .needs = {.contacts = false},
       .plot = {.x = "reach", .y = {"drop"}, .points = true}},
      {.name = "impacts",
       .help = "a row for each impact: successive files in which a body touches driven bodies or "
               "round walls",
       .options = withTracks({}),
       .columns = "t:s id x:m y:m z:m group energyLost:J vIn:m/s vOut:m/s duration:s forceMax:N",
       .series = seriesOf<Impacts>,
       .plot = {.x = "t", .y = {"vIn", "vOut"}, .points = true}},
      {.name = "reach",
       .help = "a raster of where bodies pass: frequency, kinetic energy, height, speed",
       .options =
           withTracks({positive("cell", "L", "side of a cell [m]").needed(),
                       flag("together", "one raster of several runs, each body of each counted")}),
       .columns = "u:m v:m passes frequency energyMean:J energy95:J energyMax:J heightMax:m "
                  "speedMax:m/s",
       .series = seriesOf<ReachRaster>,
       .needs = {.contacts = false},
       .plot = {.x = "u", .y = {"v"}, .points = true}},
      {.name = "screen",
       .help = "a row for each crossing of a plane: who, when, where, height, speed, energy",
       .options =
           withTracks({numbers("plane", "X,Y,Z,NX,NY,NZ", "a point and the normal").needed()}),
       .columns = "t:s id side x:m y:m z:m height:m speed:m/s energy:J vx:m/s vy:m/s vz:m/s",
       .series = seriesOf<Screen>,
       .plot = {.x = "height", .y = {"energy"}, .points = true}}};
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of space: porosity, profiles by slices or rings, pair distribution.
#include "detect/images.hpp"
#include "kind_parts.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

namespace scree::sim {

Region regionOption(const std::string& text) {
  try {
    return parseRegion(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--region: {}", error.what()));
  }
}

namespace {

/// Volumes of bodies inside regions. Bodies that a region holds wholly count by the volume of their
/// shape. A part that its border cuts is exact for balls and for sharp convex shapes. Of other
/// bodies it is the share of `tries` Sobol points of their box, nan for no tries.
class SolidVolumes {
 public:
  SolidVolumes(const Instant& instant, std::size_t tries)
      : instant_(instant),
        tries_(tries),
        shapes_(instant.shapes().size()),
        samples_(instant.shapes().size()) {}

  const SolidShape& shapeOf(std::size_t k) {
    auto& shape = shapes_[instant_.body(k).shapeName];
    if (!shape) shape = std::make_unique<SolidShape>(instant_.shapeOf(k));
    return *shape;
  }
  double reach(std::size_t k) { return instant_.body(k).homothety * shapeOf(k).boundingRadius(); }

  /// [L³] of body k, whose centre stands `shift` away from where the file has it.
  double inside(std::size_t k, const Region& region, const Vec3& shift) {
    const ParticleRecord& p = instant_.body(k);
    const Vec3 pos = p.pos + shift;
    const int side = region.side(pos, reach(k));
    const double volume = instant_.volumes()[k];
    if (side != 0) return side > 0 ? volume : 0.0;
    const SolidShape& shape = shapeOf(k);
    if (shape.isBall()) {
      const Vec3 centre = pos + rotated(p.q, p.homothety * instant_.shapeOf(k).vertices[0]);
      return ballInside(region, centre, p.homothety * instant_.shapeOf(k).radius);
    }
    if (shape.cutsExactly()) return polyhedronIn(region, shape.placed(pos, p.q, p.homothety));
    if (tries_ == 0) return notKnown;
    auto& samples = samples_[p.shapeName];
    if (samples.empty()) samples = shape.samples(tries_);
    if (samples.empty()) return notKnown;
    std::size_t in = 0;
    for (const Vec3& x : samples) in += region.contains(pos + rotated(p.q, p.homothety * x));
    const double n = static_cast<double>(samples.size()), share = static_cast<double>(in) / n;
    return share * volume;
  }

  /// Calls f(shift) for each image of body k that a ball of its reach may bring into the box [low,
  /// high]. Without a periodic cell, it calls f for the body itself.
  void forEachImage(std::size_t k, const Vec3& low, const Vec3& high,
                    const std::function<void(const Vec3&)>& f) {
    const PeriodicCell& cell = instant_.conf().cell;
    if (!cell.used) return f(Vec3::Zero());
    const double r = reach(k);
    const Vec3& x = instant_.body(k).pos;
    // Shares of the cell that the box, grown by the reach, spans along each vector.
    const Mat3 inverse = cell.h.inverse();
    Eigen::Vector3i from, to;
    for (int a = 0; a < 3; ++a) {
      const Vec3 row = inverse.row(a);
      const double middle = row.dot(0.5 * (low + high) - x),
                   half = row.cwiseAbs().dot(0.5 * (high - low)) + r * row.norm();
      from[a] = static_cast<int>(std::ceil(std::max(middle - half, -1e6)));
      to[a] = static_cast<int>(std::floor(std::min(middle + half, 1e6)));
    }
    for (int i = from[0]; i <= to[0]; ++i)
      for (int j = from[1]; j <= to[1]; ++j)
        for (int m = from[2]; m <= to[2]; ++m) f(cell.h * Vec3(i, j, m));
  }

 private:
  const Instant& instant_;
  std::size_t tries_;
  std::vector<std::unique_ptr<SolidShape>> shapes_;
  std::vector<std::vector<Vec3>> samples_;
};

using Box = std::pair<Vec3, Vec3>;

Box boxAround(const Region& region) {
  if (region.kind == Region::Kind::box) return {region.low, region.high};
  const Vec3 reach = Vec3::Constant(region.radius);
  const Vec3 end = region.kind == Region::Kind::cylinder
                       ? Vec3(region.centre + region.length * region.axis)
                       : region.centre;
  return {region.centre.cwiseMin(end) - reach, region.centre.cwiseMax(end) + reach};
}

/// Solid volume and porosity of a region, or of the whole: the volumes of the bodies less what
/// pairs share where these have closed forms, else their union with a proven bound.
class Porosity {
 public:
  explicit Porosity(const KindOptions& options)
      : selection_(options.selection()),
        driven_(options.has("driven")),
        certified_(options.has("tolerance")),
        tolerance_(certified_ ? options.number("tolerance") : usualTolerance),
        volume_(options) {
    std::string region = options.text("region");
    if (region.empty()) return;
    if (const std::string mark = "shell:"; region.starts_with(mark)) {
      // A sphere less the inner one.
      std::array<KindOption, 1> own{numbers("region", "x,y,z,r,R", "")};
      const std::vector<double> v =
          KindOptions(own, {{"region", region.substr(mark.size())}}).numbers("region");
      if (!(v[3] > 0.0 && v[3] < v[4]))
        throw UsageError("--region: expected shell:x,y,z,r,R with 0 < r < R, found '" + region +
                         "'");
      space_.hole = regionOption(fmt::format("sphere:{},{},{},{}", v[0], v[1], v[2], v[3]));
      region = fmt::format("sphere:{},{},{},{}", v[0], v[1], v[2], v[4]);
    }
    space_.region = regionOption(region);
  }

  std::vector<Row> operator()(const Instant& instant) const {
    const std::vector<char> chosen = chosenBodies(instant, selection_, driven_);
    SolidVolumes solids(instant, 0);
    const Placed placed = place(instant, chosen, solids);
    const double volume = space_.region ? space_.volume() : volume_.of(instant).volume;
    const auto row = [&](const BoundedVolume& solid, double overlap) -> std::vector<Row> {
      return {{instant.conf().t, solid.volume, 1.0 - solid.volume / volume, volume, overlap,
               solid.bound, placed.count}};
    };
    if (placed.bodies.empty()) return row({}, 0.0);
    if (!certified_ && std::isfinite(placed.sum))
      if (const auto shared = sharedByPairs(placed.bodies, placed.images, space_);
          shared && shared->bound <= usualTolerance * volume)
        return row({placed.sum - shared->volume, shared->bound}, shared->volume);
    const BoundedVolume solid = unionOf(instant, chosen, solids, placed);
    // The difference of two volumes of size `sum` is exact to 1e-12 of it.
    const double overlap = placed.sum - solid.volume;
    const bool known = !(solid.bound > 0.0) || overlap > solid.bound + 1e-12 * placed.sum;
    return row(solid, known ? overlap : notKnown);
  }

 private:
  static constexpr double usualTolerance = 1e-4;

  /// Bodies and images that a space may hold.
  struct Placed {
    std::vector<PlacedShape> bodies, images;  ///< images that may touch bodies, without a region
    Vec3 low = Vec3::Constant(HUGE_VAL), high = Vec3::Constant(-HUGE_VAL);  ///< [L] their box
    double sum = 0.0;  ///< [L³] of their volumes inside; nan where one has no closed form
    std::int64_t count = 0;
  };

  static PlacedShape at(const Instant& instant, std::size_t k, const Vec3& shift) {
    const ParticleRecord& p = instant.body(k);
    return {&instant.shapeOf(k), p.pos + shift, p.q, p.homothety};
  }

  Placed place(const Instant& instant, const std::vector<char>& chosen,
               SolidVolumes& solids) const {
    Placed out;
    if (space_.region) std::tie(out.low, out.high) = boxAround(*space_.region);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const double reach = solids.reach(k);
      double own = instant.volumes()[k];
      if (space_.region) {
        own = 0.0;
        solids.forEachImage(k, out.low, out.high, [&](const Vec3& shift) {
          const Vec3 pos = instant.body(k).pos + shift;
          if (space_.region->side(pos, reach) < 0) return;
          if (space_.hole && space_.hole->side(pos, reach) > 0) return;
          out.bodies.push_back(at(instant, k, shift));
          own += solids.inside(k, *space_.region, shift);
          if (space_.hole) own -= solids.inside(k, *space_.hole, shift);
        });
      } else {
        out.low = out.low.cwiseMin(instant.body(k).pos - Vec3::Constant(reach));
        out.high = out.high.cwiseMax(instant.body(k).pos + Vec3::Constant(reach));
        out.bodies.push_back(at(instant, k, Vec3::Zero()));
      }
      out.sum += own;
      out.count += !(own <= 0.0);
    }
    for (std::size_t k = 0; !space_.region && instant.conf().cell.used && k < chosen.size(); ++k)
      if (chosen[k])
        solids.forEachImage(k, out.low, out.high, [&](const Vec3& shift) {
          if (shift != Vec3::Zero()) out.images.push_back(at(instant, k, shift));
        });
    return out;
  }

  BoundedVolume unionOf(const Instant& instant, const std::vector<char>& chosen,
                        SolidVolumes& solids, const Placed& placed) const {
    if (space_.region) {
      BoundedVolume solid = unionIn(*space_.region, placed.bodies, tolerance_, 1);
      if (space_.hole) {
        const BoundedVolume hole = unionIn(*space_.hole, placed.bodies, tolerance_, 1);
        solid.volume -= hole.volume;
        solid.bound += hole.bound;
      }
      return solid;
    }
    const PeriodicCell& cell = instant.conf().cell;
    const double reference =
        cell.used ? std::abs(cell.h.determinant()) : (placed.high - placed.low).prod();
    const BoundedVolume byPairs =
        unionByPairs(placed.bodies, placed.images, tolerance_ * reference);
    if (!byPairs.limited) return byPairs;
    if (!cell.used) {
      Region all;
      all.low = placed.low;
      all.high = placed.high;
      return unionIn(all, placed.bodies, tolerance_, 1);
    }
    std::vector<PlacedShape> inCell;
    const Vec3 low = cell.h.cwiseMin(0.0).rowwise().sum(),
               high = cell.h.cwiseMax(0.0).rowwise().sum();
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (chosen[k])
        solids.forEachImage(k, low, high,
                            [&](const Vec3& shift) { inCell.push_back(at(instant, k, shift)); });
    return unionInCell(cell.h, inCell, tolerance_, 1);
  }

  Selection selection_;
  bool driven_, certified_;  ///< certified: in any case
  double tolerance_;
  VolumeOption volume_;
  Space space_;
};

/// Slices along an axis, or rings around one: solid fraction, velocity, granular temperature.
class Profile {
 public:
  explicit Profile(const KindOptions& options)
      : selection_(options.selection()),
        radial_(options.text("axis") == "radial"),
        axis_(radial_ ? 0 : options.text("axis")[0] - 'x'),
        bins_(options.whole("bins")),
        byCentre_(options.text("by") == "centre"),
        range_(options.numbers("range")),
        centre_(options.numbers("centre")) {
    if (!radial_ && !centre_.empty()) throw UsageError("--centre goes with --axis radial");
    if (range_.empty()) return;
    if (!(range_[0] < range_[1]))
      throw UsageError("--range: expected LOW,HIGH with LOW below HIGH");
    if (radial_ && range_[0] < 0.0) throw UsageError("--range: a radius cannot be negative");
  }

  std::vector<Row> operator()(const Instant& instant) const {
    if (radial_) return rings(instant);
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const Domain domain = instant.domain();
    const double low = range_.empty() ? domain.low[axis_] : range_[0],
                 high = range_.empty() ? domain.high[axis_] : range_[1];
    const double n = static_cast<double>(bins_), width = (high - low) / n;
    std::vector<Bin> bins(static_cast<std::size_t>(bins_));
    SolidVolumes solids(instant, 20'000);
    const auto add = [&](std::size_t b, std::size_t k, double volume) {
      bins[b].add(instant, k, volume, instant.body(k).vel, instant.body(k).vrot);
    };
    // A slice without sides: other directions reach farther than any body.
    const Vec3 wide = Vec3::Constant(1e6 * (1.0 + (domain.high - domain.low).norm()));
    const Vec3 middle = 0.5 * (domain.low + domain.high);
    Vec3 from = middle - wide, to = middle + wide;
    from[axis_] = low;
    to[axis_] = high;
    for (std::size_t k = 0; k < chosen.size() && width > 0.0; ++k) {
      if (!chosen[k]) continue;
      const auto inSlices = [&](const Vec3& shift) {
        const double x = instant.body(k).pos[axis_] + shift[axis_];
        const double reach = byCentre_ ? 0.0 : solids.reach(k);
        const double first = std::floor((x - reach - low) / width),
                     last = std::floor((x + reach - low) / width);
        if (!(last >= 0.0 && first < n)) return;
        const auto begin = static_cast<std::size_t>(std::max(first, 0.0)),
                   end = static_cast<std::size_t>(std::min(last, n - 1.0));
        if (byCentre_) return add(begin, k, instant.volumes()[k]);
        for (std::size_t b = begin; b <= end; ++b) {
          Region slice;
          slice.low = from;
          slice.high = to;
          slice.low[axis_] = low + width * static_cast<double>(b);
          slice.high[axis_] = low + width * static_cast<double>(b + 1);
          const double volume = solids.inside(k, slice, shift);
          if (volume > 0.0) add(b, k, volume);
        }
      };
      // Images along the axis alone: a slice holds one image for each of those across.
      const PeriodicCell& cell = instant.conf().cell;
      if (!cell.used) {
        inSlices(Vec3::Zero());
        continue;
      }
      const Vec3 step = cell.h.col(axis_);
      const double size = step[axis_];
      const double home = std::floor((instant.body(k).pos[axis_] - low) / size);
      for (int image = -1; image <= 1; ++image)
        inSlices((static_cast<double>(image) - home) * step);
    }
    std::vector<Row> rows;
    const double slice = domain.volume * width / (domain.high[axis_] - domain.low[axis_]);
    // The hull has no equal slices.
    const bool even = domain.kind != Domain::Kind::hull && roundless(instant);
    for (std::size_t b = 0; b < bins.size(); ++b)
      rows.push_back(bins[b].row(instant.conf().t, b, low + width * static_cast<double>(b),
                                 low + width * static_cast<double>(b + 1),
                                 even ? slice : notKnown));
    return rows;
  }

 private:
  /// Sums over the bodies of a slice.
  struct Bin {
    double bodies = 0.0, solid = 0.0, mass = 0.0, energy = 0.0;
    Vec3 momentum = Vec3::Zero(), turning = Vec3::Zero();

    void add(const Instant& instant, std::size_t k, double volume, const Vec3& velocity,
             const Vec3& spin) {
      const double share = volume / instant.volumes()[k], m = share * instant.masses()[k];
      bodies += share;
      solid += volume;
      mass += m;
      momentum += m * velocity;
      turning += m * spin;
      energy += m * velocity.squaredNorm();
    }
    /// @param space  [L³] of the slice; nan where it is not known
    Row row(double t, std::size_t b, double low, double high, double space) const {
      const Vec3 nan = Vec3::Constant(notKnown);
      const Vec3 v = mass > 0.0 ? Vec3(momentum / mass) : nan,
                 w = mass > 0.0 ? Vec3(turning / mass) : nan;
      const double temperature =
          mass > 0.0 ? std::max(0.0, energy / mass - v.squaredNorm()) / 3.0 : notKnown;
      return {t,
              static_cast<std::int64_t>(b),
              low,
              high,
              bodies,
              solid,
              solid / space,
              mass,
              v.x(),
              v.y(),
              v.z(),
              w.x(),
              w.y(),
              w.z(),
              temperature};
    }
  };

  /// Rings around an axis along gravity, from the lowest to the highest place of the domain. The
  /// components of velocity and spin are those away from the axis, around it, and upwards.
  std::vector<Row> rings(const Instant& instant) const {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const Domain domain = instant.domain();
    const MapAxes axes(instant.conf().gravity);
    const Vec3 middle = 0.5 * (domain.low + domain.high), size = domain.high - domain.low;
    Vec3 centre = middle;
    if (!centre_.empty()) {
      centre[axes.u] = centre_[0];
      centre[axes.v] = centre_[1];
    }
    const double inscribed = 0.5 * std::min(size[axes.u], size[axes.v]);
    const double low = range_.empty() ? 0.0 : range_[0],
                 high = range_.empty() ? inscribed : range_[1];
    const double n = static_cast<double>(bins_), width = (high - low) / n;
    std::vector<Bin> bins(static_cast<std::size_t>(bins_));
    SolidVolumes solids(instant, 20'000);
    const Vec3 up = axes.sign * Vec3::Unit(axes.up);
    const auto cylinder = [&](double radius) {
      Region region;
      region.kind = Region::Kind::cylinder;
      region.axis = Vec3::Unit(axes.up);
      region.centre = centre;
      region.centre[axes.up] = domain.low[axes.up];
      region.length = size[axes.up];
      region.radius = radius;
      return region;
    };
    Vec3 boxLow = domain.low, boxHigh = domain.high;
    for (const int axis : {axes.u, axes.v}) {
      boxLow[axis] = centre[axis] - high;
      boxHigh[axis] = centre[axis] + high;
    }
    for (std::size_t k = 0; k < chosen.size() && width > 0.0; ++k) {
      if (!chosen[k]) continue;
      solids.forEachImage(k, boxLow, boxHigh, [&](const Vec3& shift) {
        const ParticleRecord& p = instant.body(k);
        Vec3 out = p.pos + shift - centre;
        out[axes.up] = 0.0;
        const double distance = out.norm(), reach = byCentre_ ? 0.0 : solids.reach(k);
        const Vec3 away = distance > 0.0 ? Vec3(out / distance) : Vec3(Vec3::Unit(axes.u)),
                   around = up.cross(away);
        const auto turned = [&](const Vec3& v) {
          return Vec3(v.dot(away), v.dot(around), v.dot(up));
        };
        const double first = std::floor((distance - reach - low) / width),
                     last = std::floor((distance + reach - low) / width);
        if (!(last >= 0.0 && first < n)) return;
        const auto begin = static_cast<std::size_t>(std::max(first, 0.0)),
                   end = static_cast<std::size_t>(std::min(last, n - 1.0));
        for (std::size_t b = begin; b <= end; ++b) {
          double volume = instant.volumes()[k];
          if (byCentre_) {
            const double height = p.pos[axes.up] + shift[axes.up];
            if (!(height >= domain.low[axes.up] && height < domain.high[axes.up])) continue;
          } else {
            const double inner = low + width * static_cast<double>(b);
            volume = solids.inside(k, cylinder(inner + width), shift) -
                     (inner > 0.0 ? solids.inside(k, cylinder(inner), shift) : 0.0);
          }
          if (volume > 0.0) bins[b].add(instant, k, volume, turned(p.vel), turned(p.vrot));
        }
      });
    }
    std::vector<Row> rows;
    for (std::size_t b = 0; b < bins.size(); ++b) {
      const double inner = low + width * static_cast<double>(b), outer = inner + width;
      // Known where the ring lies within the domain.
      const bool within = domain.kind != Domain::Kind::hull && centre_.empty() &&
                          outer <= inscribed * (1.0 + 1e-12);
      rows.push_back(
          bins[b].row(instant.conf().t, b, inner, outer,
                      within ? pi * (outer - inner) * (outer + inner) * size[axes.up] : notKnown));
    }
    return rows;
  }

  /// Whether slices of the domain are equal: not in a ball or a cone, nor across a cylinder.
  bool roundless(const Instant& instant) const {
    for (const Boundary& b : instant.conf().boundaries)
      if (b.kind != Boundary::Kind::cylinder || std::abs(b.axis[axis_]) < 0.5) return false;
    return true;
  }

  Selection selection_;
  bool radial_;
  int axis_;
  std::int64_t bins_;
  bool byCentre_;
  std::vector<double> range_, centre_;
};

/// Calls f(vector from one to the other) once for each pair of points nearer than `reach`; in a
/// cell by the nearest image. Cells of a grid are at least `reach` wide.
void forEachPair(const std::vector<Vec3>& points, const Images* images, double reach,
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

std::vector<Row> pairDistribution(const Instant& instant, const std::vector<char>& chosen,
                                  std::int64_t shells, double wantedMax) {
  std::vector<Vec3> points;
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    points.push_back(instant.body(k).pos);
    low = low.cwiseMin(points.back());
    high = high.cwiseMax(points.back());
  }
  Images images;
  const bool periodic = instant.conf().cell.used;
  if (periodic) images.set(instant.conf().cell.h);
  const Vec3 sides = points.empty() ? Vec3(Vec3::Zero()) : Vec3(high - low);
  const double most = 0.5 * (periodic ? images.leastWidth() : sides.minCoeff());
  if (periodic && wantedMax > most)
    throw ModelError(
        fmt::format("{}: --max {} is more than half of the least width of the periodic cell, {}",
                    instant.conf().source, wantedMax, most));
  if (!periodic && wantedMax > 2.0 * most)
    throw ModelError(
        fmt::format("{}: --max {} is more than the least side of the box around the "
                    "centres, {}",
                    instant.conf().source, wantedMax, 2.0 * most));
  const double max = wantedMax > 0.0 ? wantedMax : most;
  const double n = static_cast<double>(points.size());
  const double volume = periodic ? images.volume() : sides.prod();
  std::vector<std::int64_t> pairs(static_cast<std::size_t>(shells), 0);
  std::vector<double> weights(pairs.size(), 0.0);
  const double width = max / static_cast<double>(shells);
  if (max > 0.0)
    forEachPair(points, periodic ? &images : nullptr, max, [&](const Vec3& d) {
      const auto shell = static_cast<std::size_t>(d.norm() / width);
      if (shell >= pairs.size()) return;
      ++pairs[shell];
      // Pairs that the edge of the box hides: the share of translations by d that stay inside.
      weights[shell] += periodic ? 1.0 : volume / (sides - d.cwiseAbs()).prod();
    });
  std::vector<Row> rows;
  std::int64_t inside = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const double a = width * static_cast<double>(k), b = width * static_cast<double>(k + 1);
    const double shell = 4.0 / 3.0 * pi * (b - a) * (a * a + a * b + b * b);
    inside += pairs[k];
    rows.push_back({instant.conf().t, 0.5 * (a + b), 2.0 * weights[k] * volume / (n * n * shell), a,
                    b, pairs[k], 2.0 * static_cast<double>(inside) / n});
  }
  return rows;
}

Measure porosity(const KindOptions& options) {
  return {.columns = columnsFrom("t:s solid:m3 porosity volume:m3 overlap:m3 error:m3 bodies"),
          .rows = Porosity(options)};
}

Measure profile(const KindOptions& options) {
  return {.columns = columnsFrom("t:s bin low:m high:m bodies solid:m3 phi mass:kg vx:m/s vy:m/s "
                                 "vz:m/s wx:rad/s wy:rad/s wz:rad/s temperature:m2/s2"),
          .rows = Profile(options),
          .needsContacts = false};
}

Measure gr(const KindOptions& options) {
  const Selection selection = options.selection();
  return {.columns = columnsFrom("t:s r:m g low:m high:m pairs neighbours"),
          .rows =
              [selection, driven = options.has("driven"), shells = options.whole("shells"),
               max = options.number("max")](const Instant& instant) {
                return pairDistribution(instant, chosenBodies(instant, selection, driven), shells,
                                        max);
              },
          .needsShapes = selection.needsShapes(),
          .needsContacts = false};
}

}  // namespace

std::vector<Kind> spaceKinds() {
  return {
      {"porosity",
       "solid volume and porosity of the whole, or of a box, a sphere, a shell or a cylinder",
       {text("region", "REGION",
             "box:x,y,z,X,Y,Z, sphere:x,y,z,R, shell:x,y,z,r,R or cylinder:x,y,z,X,Y,Z,R (default: "
             "the whole)")
            .without("volume"),
        positive("tolerance", "T",
                 "measure the union of the bodies with proven bounds, to this share of the volume "
                 "(1e-4 where there are no closed forms)"),
        volumeOption, selectOption, drivenOption},
       porosity,
       {.x = "t", .y = {"porosity"}}},
      {"profile",
       "slices along an axis, or rings: bodies, solid fraction, mean velocity and spin, "
       "temperature",
       {word("axis", "z|x|y|radial", "across the slices; rings around an axis along gravity"),
        numbers("centre", "U,V", "of the rings, across gravity (the middle)"),
        whole("bins", "number of slices", "10", 1, 1e5),
        numbers("range", "LOW,HIGH", "ends of the slices (those of cell, walls or hull)"),
        word("by", "volume|centre",
             "a body counts in each slice by its part there, or in that of its centre"),
        selectOption},
       profile,
       {.x = "low", .xEnd = "high", .y = {"phi"}, .otherwise = {"solid"}, .by = "t"}},
      {"gr",
       "pair distribution of centres by shells, and neighbours within each distance",
       {whole("shells", "number of shells", "100", 1, 1e6),
        positive("max", "R", "largest distance (half of the least width of cell or box)"),
        selectOption, drivenOption},
       gr,
       {.x = "r", .y = {"g"}, .by = "t"}},
  };
}

}  // namespace scree::sim

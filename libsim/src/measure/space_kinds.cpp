// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of space: porosity, profiles by slices or rings, pair distribution.
#include "detect/broad_phase.hpp"
#include "detect/images.hpp"
#include "kind_parts.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
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
    sim::forEachImage(instant_.conf().cell, instant_.body(k).pos, reach(k), low, high, f);
  }

 private:
  const Instant& instant_;
  std::size_t tries_;
  std::vector<std::unique_ptr<SolidShape>> shapes_;
  std::vector<std::vector<Vec3>> samples_;
};

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
    if (space_.region) {
      out.low = space_.region->low;
      out.high = space_.region->high;
    }
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
    if (!cell.used)
      return unionIn(boxRegion(placed.low, placed.high), placed.bodies, tolerance_, 1);
    std::vector<PlacedShape> inCell;
    const Region whole = cellRegion(cell.h);
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (chosen[k])
        solids.forEachImage(k, whole.low, whole.high,
                            [&](const Vec3& shift) { inCell.push_back(at(instant, k, shift)); });
    return unionIn(whole, inCell, tolerance_, 1);
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
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    SolidVolumes solids(instant, 20'000);
    return radial_ ? rings(instant, chosen, solids) : slices(instant, chosen, solids);
  }

 private:
  /// Sums over the bodies of a slice.
  struct Bin {
    double bodies = 0.0, solid = 0.0, mass = 0.0, energy = 0.0;
    Vec3 momentum = Vec3::Zero(), turning = Vec3::Zero();

    void add(const Instant& instant, std::size_t k, double volume, const Vec3& velocity,
             const Vec3& spin) {
      if (!(volume > 1e-14 * instant.volumes()[k]))
        return;  // a border that touches, up to rounding
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
              space > 0.0 ? solid / space : notKnown,
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

  std::vector<Row> slices(const Instant& instant, const std::vector<char>& chosen,
                          SolidVolumes& solids) const {
    std::pair<double, double> range;
    if (!range_.empty()) range = {range_[0], range_[1]};
    const Slices slices(instant.domain(), axis_, bins_, range_.empty() ? nullptr : &range);
    std::vector<Bin> bins(slices.count());
    std::vector<Region> regions;
    for (std::size_t b = 0; b < bins.size(); ++b) regions.push_back(slices.region(b));
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      slices.reached(
          instant.body(k).pos, byCentre_ ? 0.0 : solids.reach(k), [&](std::size_t b, int image) {
            const Vec3 shift = image * slices.step();
            bins[b].add(instant, k,
                        byCentre_ ? instant.volumes()[k] : solids.inside(k, regions[b], shift),
                        instant.velocity(k, shift), instant.body(k).vrot);
          });
    }
    std::vector<Row> rows;
    for (std::size_t b = 0; b < bins.size(); ++b)
      rows.push_back(
          bins[b].row(instant.conf().t, b, slices.low(b), slices.high(b), slices.volume(b)));
    return rows;
  }

  /// Rings around an axis along gravity; in a cell along the axis nearest to gravity, as long as
  /// the cell repeats there. Components of velocity and spin are those away from the axis, around
  /// it, and upwards.
  std::vector<Row> rings(const Instant& instant, const std::vector<char>& chosen,
                         SolidVolumes& solids) const {
    const Domain& domain = instant.domain();
    const bool inCell = domain.kind == Domain::Kind::cell;
    const MapAxes axes(instant.conf().gravity);
    const Vec3 middle = 0.5 * (domain.low + domain.high),
               up = inCell ? axes.sign * Vec3::Unit(axes.up) : upFrom(instant.conf().gravity);
    Round ring{false, middle, up, 0.0};
    if (!centre_.empty()) {
      ring.centre[axes.u] = centre_[0];
      ring.centre[axes.v] = centre_[1];
    }
    // The largest ring about the middle that fits.
    const Vec3 size = domain.high - domain.low;
    double fits = 0.5 * std::min(size[axes.u], size[axes.v]);
    if (domain.kind != Domain::Kind::hull) {
      fits = domain.region.round ? -domain.region.round->over(middle) : HUGE_VAL;
      for (const HalfSpace& h : domain.region.planes)
        if (const double across = h.normal.cross(up).norm(); across > 1e-9)
          fits = std::min(fits, -h.over(middle) / across);
    }
    const double least = range_.empty() ? 0.0 : range_[0], most = range_.empty() ? fits : range_[1];
    const double n = static_cast<double>(bins_), width = (most - least) / n;
    const double length = inCell ? Slices(domain, axes.up, 1, nullptr).high(0) : 0.0;
    const auto cylinder = [&](double radius) {
      Region region;
      region.round = ring;
      region.round->radius = radius;
      if (inCell) region.planes = {{Vec3::Unit(axes.up), length}, {-Vec3::Unit(axes.up), 0.0}};
      return region;
    };
    const auto volumeWithin = [&](double radius) {
      return inCell ? pi * radius * radius * length
                    : domain.region.inCylinder(*cylinder(radius).round);
    };
    std::vector<Bin> bins(static_cast<std::size_t>(bins_));
    std::vector<Region> borders;
    for (std::size_t b = 0; b <= bins.size(); ++b)
      borders.push_back(cylinder(least + width * static_cast<double>(b)));
    Vec3 boxLow = ring.centre - Vec3::Constant(most), boxHigh = ring.centre + Vec3::Constant(most);
    boxLow[axes.up] = 0.0;
    boxHigh[axes.up] = length;
    for (std::size_t k = 0; k < chosen.size() && width > 0.0; ++k) {
      if (!chosen[k]) continue;
      solids.forEachImage(k, boxLow, boxHigh, [&](const Vec3& shift) {
        const ParticleRecord& p = instant.body(k);
        const Vec3 place = p.pos + shift, apart = place - ring.centre,
                   out = apart - apart.dot(up) * up;
        const double distance = out.norm(), reach = byCentre_ ? 0.0 : solids.reach(k);
        const Vec3 away = distance > 0.0 ? Vec3(out / distance) : Vec3(up.unitOrthogonal()),
                   around = up.cross(away);
        const auto turned = [&](const Vec3& v) {
          return Vec3(v.dot(away), v.dot(around), v.dot(up));
        };
        const double first = std::floor((distance - reach - least) / width),
                     last = std::floor((distance + reach - least) / width);
        if (!(last >= 0.0 && first < n)) return;
        if (byCentre_ && inCell && !(place[axes.up] >= 0.0 && place[axes.up] < length)) return;
        const auto begin = static_cast<std::size_t>(std::max(first, 0.0)),
                   end = static_cast<std::size_t>(std::min(last, n - 1.0));
        for (std::size_t b = begin; b <= end; ++b)
          bins[b].add(instant, k,
                      byCentre_ ? instant.volumes()[k]
                                : solids.inside(k, borders[b + 1], shift) -
                                      solids.inside(k, borders[b], shift),
                      turned(instant.velocity(k, shift)), turned(p.vrot));
      });
    }
    std::vector<Row> rows;
    for (std::size_t b = 0; b < bins.size(); ++b) {
      const double inner = least + width * static_cast<double>(b), outer = inner + width;
      rows.push_back(bins[b].row(instant.conf().t, b, inner, outer,
                                 volumeWithin(outer) - volumeWithin(inner)));
    }
    return rows;
  }

  Selection selection_;
  bool radial_;
  int axis_;
  std::int64_t bins_;
  bool byCentre_;
  std::vector<double> range_, centre_;
};

/// Calls f(vector from one to the other) once for each pair of points nearer than `reach`; in a
/// cell by the nearest image, for a reach of half its least width at most.
void forEachPair(std::vector<Vec3> points, const Images* images, double reach,
                 const std::function<void(const Vec3&)>& f) {
  std::vector<shape::Aabb> boxes;
  for (Vec3& p : points) {
    if (images) p -= images->offset(images->cellsOff(p));
    shape::Aabb& box = boxes.emplace_back();
    box.low = p - Vec3::Constant(0.5 * reach);
    box.high = p + Vec3::Constant(0.5 * reach);
  }
  for (const auto& [a, b] :
       images ? overlappingImages(boxes, images->h, 0, 1) : overlappingPairs(boxes, 0, 1)) {
    Vec3 between = points[b] - points[a];
    if (images) between -= images->offset(images->nearest(between));
    if (between.squaredNorm() < reach * reach) f(between);
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
  if (periodic) images.set(Lattice(instant.conf().cell.h).vectors());
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

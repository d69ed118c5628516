// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of space: porosity, profiles by slices or rings, pair distribution.
#include "contact/kinematics.hpp"
#include "detect/broad_phase.hpp"
#include "kind_parts.hpp"

#include "scree/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace scree::sim {

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

  PlacedShape placed(std::size_t k, const Vec3& shift) {
    const ParticleRecord& p = instant_.body(k);
    auto& shape = shapes_[p.shapeName];
    if (!shape) shape = std::make_unique<SolidShape>(instant_.shapeOf(k));
    return {shape.get(), p.pos + shift, p.q, p.homothety};
  }
  /// [L] of the farthest point from the position of the body.
  double reach(std::size_t k) {
    return instant_.body(k).homothety * placed(k, Vec3::Zero()).solid->boundingRadius();
  }
  /// [L³] of body k, whose centre stands `shift` away from where the file has it.
  double inside(std::size_t k, const Region& region, const Vec3& shift) {
    const PlacedShape p = placed(k, shift);
    const int side = region.side(p.pos, reach(k));
    const double volume = instant_.volumes()[k];
    if (side != 0) return side > 0 ? volume : 0.0;
    if (p.isBall() || p.solid->isSharp()) return p.inside(region);
    auto& samples = samples_[instant_.body(k).shapeName];
    if (samples.empty() && tries_ > 0) samples = p.solid->samples(tries_);
    if (samples.empty()) return notKnown;
    std::size_t in = 0;
    for (const Vec3& x : samples) in += region.contains(p.place(x));
    return static_cast<double>(in) / static_cast<double>(samples.size()) * volume;
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

/// Solid volume and porosity of a box, or of the whole.
std::vector<Row> porosityRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  SolidVolumes solids(instant, 0);
  const PeriodicCell& cell = instant.conf().cell;
  const std::optional<Region> box =
      options.has("region") ? std::optional(parseRegion(options.text("region"))) : std::nullopt;
  // Without a region, all bodies once, and those of their images that may touch them.
  shape::Aabb around;
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k])
      around.add(shape::Aabb{instant.body(k).pos, instant.body(k).pos}.grown(solids.reach(k)));
  const auto& [low, high] = around;
  std::vector<PlacedShape> bodies, images;
  std::int64_t count = 0;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    bool isInside = !box;
    if (!box) bodies.push_back(solids.placed(k, Vec3::Zero()));
    solids.forEachImage(k, box ? box->low : low, box ? box->high : high, [&](const Vec3& shift) {
      if (box ? box->side(instant.body(k).pos + shift, solids.reach(k)) < 0 : shift == Vec3::Zero())
        return;
      (box ? bodies : images).push_back(solids.placed(k, shift));
      isInside = isInside || (box && !(solids.inside(k, *box, shift) == 0.0));
    });
    count += isInside;
  }
  const double volume = box ? box->volume : domainOf(instant, options).volume;
  UnionVolume solid;
  if (!bodies.empty()) {
    const double reference = box         ? box->volume
                             : cell.used ? std::abs(cell.h.determinant())
                                         : (high - low).prod();
    const double bound = options.number("tolerance") * reference;
    solid = unionByPairs(bodies, images, box ? &*box : nullptr, bound);
    // A cell that is sheared along one axis repeats as a box along the axes does.
    const bool isBox = !cell.used || cell.h.isUpperTriangular(0.0) || cell.h.isLowerTriangular(0.0);
    if (solid.bound > bound && (box || isBox)) {
      const Region whole = box         ? *box
                           : cell.used ? boxRegion(Vec3::Zero(), cell.h.diagonal())
                                       : boxRegion(low, high);
      if (!box && cell.used) {
        bodies.clear();
        for (std::size_t k = 0; k < chosen.size(); ++k)
          if (chosen[k])
            solids.forEachImage(k, whole.low, whole.high, [&](const Vec3& shift) {
              bodies.push_back(solids.placed(k, shift));
            });
      }
      const double sum = solid.sum;
      solid = unionIn(whole, bodies, bound);
      solid.sum = sum;
    }
  }
  // The difference of two volumes of size `sum` is exact to 1e-12 of it.
  const double overlap = solid.sum - solid.volume;
  const bool known = !(solid.bound > 0.0) || overlap > solid.bound + 1e-12 * solid.sum;
  return {rowOf(instant.conf().t, solid.volume, 1.0 - solid.volume / volume, volume,
                known ? overlap : notKnown, solid.bound, count)};
}

/// Sums over the bodies of a slice or ring.
struct Bin {
  double bodies = 0.0, solid = 0.0, mass = 0.0, energy = 0.0;
  Vec3 momentum = Vec3::Zero(), turning = Vec3::Zero();

  void add(const Instant& instant, std::size_t k, double volume, const Vec3& velocity,
           const Vec3& spin) {
    if (!(volume > 1e-14 * instant.volumes()[k])) return;  // a border that touches, up to rounding
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
    return rowOf(t, b, low, high, bodies, solid, space > 0.0 ? solid / space : notKnown, mass, v, w,
                 temperature);
  }
};

/// Slices along an axis, or rings around one: solid fraction, velocity, granular temperature.
std::vector<Row> sliceRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  const bool byCentre = options.text("by") == "centre";
  SolidVolumes solids(instant, 20'000);
  const Slices slices(instant.domain(), options.text("axis")[0] - 'x', options.whole("bins"));
  std::vector<Bin> bins(slices.count());
  std::vector<Region> regions;
  for (std::size_t b = 0; b < bins.size(); ++b) regions.push_back(slices.region(b));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    slices.reached(
        instant.body(k).pos, byCentre ? 0.0 : solids.reach(k), [&](std::size_t b, int image) {
          const Vec3 shift = image * slices.step();
          bins[b].add(instant, k,
                      byCentre ? instant.volumes()[k] : solids.inside(k, regions[b], shift),
                      instant.velocity(k, shift), instant.body(k).vrot);
        });
  }
  std::vector<Row> rows;
  for (std::size_t b = 0; b < bins.size(); ++b)
    rows.push_back(
        bins[b].row(instant.conf().t, b, slices.low(b), slices.high(b), slices.volume(b)));
  return rows;
}

/// Rings around an axis along gravity; in a cell along the axis nearest to gravity, as long as the
/// cell repeats there. Velocity and spin: away from the axis, around it, upwards.
std::vector<Row> ringRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  const bool byCentre = options.text("by") == "centre";
  SolidVolumes solids(instant, 20'000);
  const Domain& domain = instant.domain();
  const bool inCell = domain.kind == Domain::Kind::cell;
  const MapAxes axes(instant.conf().gravity);
  const Vec3 middle = 0.5 * (domain.low + domain.high),
             up = inCell ? axes.sign * Vec3::Unit(axes.up) : upFrom(instant.conf().gravity);
  const Round ring{false, middle, up, 0.0};
  // The largest ring about the middle that fits.
  const Vec3 size = domain.high - domain.low;
  double fits = 0.5 * std::min(size[axes.u], size[axes.v]);
  if (domain.kind != Domain::Kind::hull) {
    fits = domain.round ? -domain.round->over(middle) : HUGE_VAL;
    for (const HalfSpace& h : domain.planes)
      if (const double across = h.normal.cross(up).norm(); across > 1e-9)
        fits = std::min(fits, -h.over(middle) / across);
  }
  const double n = options.number("bins"), width = fits / n;
  double bottom = 0.0, top = 0.0;  // of the rings of a cell
  if (inCell) {
    const Slices along(domain, axes.up, 1);
    bottom = along.low(0);
    top = along.high(0);
  }
  const auto cylinder = [&](double radius) {
    Region region;
    region.round = ring;
    region.round->radius = radius;
    if (inCell) region.planes = {{Vec3::Unit(axes.up), top}, {-Vec3::Unit(axes.up), -bottom}};
    return region;
  };
  const auto volumeWithin = [&](double radius) {
    return inCell ? pi * radius * radius * (top - bottom)
                  : domain.inCylinder(*cylinder(radius).round);
  };
  std::vector<Bin> bins(static_cast<std::size_t>(n));
  std::vector<Region> borders;
  for (std::size_t b = 0; b <= bins.size(); ++b)
    borders.push_back(cylinder(width * static_cast<double>(b)));
  Vec3 boxLow = middle - Vec3::Constant(fits), boxHigh = middle + Vec3::Constant(fits);
  boxLow[axes.up] = bottom;
  boxHigh[axes.up] = top;
  for (std::size_t k = 0; k < chosen.size() && width > 0.0; ++k) {
    if (!chosen[k]) continue;
    solids.forEachImage(k, boxLow, boxHigh, [&](const Vec3& shift) {
      const ParticleRecord& p = instant.body(k);
      const Vec3 place = p.pos + shift, apart = place - ring.centre,
                 out = apart - apart.dot(up) * up;
      const double distance = out.norm(), reach = byCentre ? 0.0 : solids.reach(k);
      const Vec3 away = distance > 0.0 ? Vec3(out / distance) : Vec3(up.unitOrthogonal()),
                 around = up.cross(away);
      const auto turned = [&](const Vec3& v) {
        return Vec3(v.dot(away), v.dot(around), v.dot(up));
      };
      const double first = std::floor((distance - reach) / width),
                   last = std::floor((distance + reach) / width);
      if (!(last >= 0.0 && first < n)) return;
      if (byCentre && inCell && !(place[axes.up] >= bottom && place[axes.up] < top)) return;
      const auto begin = static_cast<std::size_t>(std::max(first, 0.0)),
                 end = static_cast<std::size_t>(std::min(last, n - 1.0));
      for (std::size_t b = begin; b <= end; ++b)
        bins[b].add(instant, k,
                    byCentre ? instant.volumes()[k]
                             : solids.inside(k, borders[b + 1], shift) -
                                   solids.inside(k, borders[b], shift),
                    turned(instant.velocity(k, shift)), turned(p.vrot));
    });
  }
  std::vector<Row> rows;
  for (std::size_t b = 0; b < bins.size(); ++b) {
    const double inner = width * static_cast<double>(b), outer = inner + width;
    rows.push_back(
        bins[b].row(instant.conf().t, b, inner, outer, volumeWithin(outer) - volumeWithin(inner)));
  }
  return rows;
}

/// Calls f(vector from one to the other) once for each pair of points nearer than `reach`; in a
/// cell by the nearest image, for a reach of half its least width at most.
void forEachPair(std::vector<Vec3> points, const Images* images, double reach,
                 const std::function<void(const Vec3&)>& f) {
  std::vector<shape::Aabb> boxes;
  for (Vec3& p : points) {
    if (images) p -= images->offset(images->cellsOff(p));
    boxes.push_back({p - Vec3::Constant(0.5 * reach), p + Vec3::Constant(0.5 * reach)});
  }
  for (const auto& [a, b] :
       images ? overlappingImages(boxes, images->h, 0, 1) : overlappingPairs(boxes, 0, 1)) {
    Vec3 between = points[b] - points[a];
    if (images) between -= images->offset(images->nearest(between));
    if (between.squaredNorm() < reach * reach) f(between);
  }
}

std::vector<Row> pairRows(const Instant& instant, const KindOptions& options) {
  const std::vector<char> chosen = chosenBodies(instant, options);
  const double wantedMax = options.number("max"), shells = options.number("shells");
  std::vector<Vec3> points;
  shape::Aabb box;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    if (!chosen[k]) continue;
    points.push_back(instant.body(k).pos);
    box.add(points.back());
  }
  Images images;
  const bool periodic = instant.conf().cell.used;
  if (periodic && !instant.domain().sides.empty())
    throw ModelError(
        fmt::format("{}: gr: not in a periodic cell with planes", instant.conf().source));
  if (periodic) images.set(Lattice(instant.conf().cell.h).vectors());
  const Vec3 sides = points.empty() ? Vec3(Vec3::Zero()) : Vec3(box.high - box.low);
  const double most = 0.5 * (periodic ? images.leastWidth() : sides.minCoeff());
  if (wantedMax > (periodic ? most : 2.0 * most))
    throw ModelError(fmt::format(
        "{}: --max {}: expected at most {}, half of the cell or the least side of the box",
        instant.conf().source, wantedMax, periodic ? most : 2.0 * most));
  const double max = wantedMax > 0.0 ? wantedMax : most;
  const double n = static_cast<double>(points.size());
  double volume = periodic ? images.volume() : sides.prod();
  // The share of places that stay inside after a translation by d, times that volume: of the box
  // around the centres, or of the ball or cylinder around them where such walls enclose the bodies.
  std::function<double(const Vec3&)> stays = [&](const Vec3& d) {
    return (sides - d.cwiseAbs()).prod();
  };
  if (const Domain& domain = instant.domain(); !periodic && domain.kind == Domain::Kind::walls) {
    const std::optional<Round>& round = domain.round;
    Vec3 axis = Vec3::Zero();
    double from = HUGE_VAL, to = -HUGE_VAL, radius = 0.0;
    if (round && !round->isSphere) axis = round->axis;
    for (const Vec3& x : points) {
      if (!round) break;
      const double along = axis.dot(x);
      from = std::min(from, along), to = std::max(to, along);
      radius = std::max(radius, round->over(x) + round->radius);
    }
    if (round && round->isSphere) {
      stays = [=](const Vec3& d) { return sharedByBalls(radius, radius, d.norm()); };
    } else if (round && domain.squareEnds()) {
      stays = [=](const Vec3& d) {
        const double along = axis.dot(d);
        return std::max(to - from - std::abs(along), 0.0) *
               sharedByDiscs(radius, radius, (d - along * axis).norm());
      };
    } else if (domain.volume < 0.99 * (domain.high - domain.low).prod()) {
      stays = [](const Vec3&) { return notKnown; };
    }
    volume = stays(Vec3::Zero());
  }
  std::vector<std::int64_t> pairs(static_cast<std::size_t>(shells), 0);
  std::vector<double> weights(pairs.size(), 0.0);
  const double width = max / shells;
  if (max > 0.0)
    forEachPair(points, periodic ? &images : nullptr, max, [&](const Vec3& d) {
      const auto shell = static_cast<std::size_t>(d.norm() / width);
      if (shell >= pairs.size()) return;
      ++pairs[shell];
      // Pairs that the edge of the box hides: the share of translations by d that stay inside.
      weights[shell] += periodic ? 1.0 : volume / stays(d);
    });
  std::vector<Row> rows;
  std::int64_t inside = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const double a = width * static_cast<double>(k), b = width * static_cast<double>(k + 1);
    const double shell = 4.0 / 3.0 * pi * (b - a) * (a * a + a * b + b * b);
    inside += pairs[k];
    rows.push_back(rowOf(instant.conf().t, 0.5 * (a + b),
                         2.0 * weights[k] * volume / (n * n * shell), a, b, pairs[k],
                         2.0 * static_cast<double>(inside) / n));
  }
  return rows;
}

}  // namespace

std::vector<Kind> spaceKinds() {
  return {
      {.name = "porosity",
       .help = "solid volume and porosity of the whole, or of a box",
       .options =
           {text("region", "REGION", "box:x,y,z,X,Y,Z (default: the whole)").without("volume"),
            positive("tolerance", "T", "largest error, as a share of the volume", "1e-4"),
            volumeOption, selectOption, drivenOption},
       .columns = "t:s solid:m3 porosity volume:m3 overlap:m3 error:m3 bodies",
       .rows = porosityRows,
       .needs = {.contacts = false},
       .plot = {.x = "t", .y = {"porosity"}}},
      {.name = "profile",
       .help = "slices along an axis, or rings: bodies, solid fraction, mean velocity and spin, "
               "temperature",
       .options = {word("axis", "z|x|y|radial",
                        "across the slices; rings around an axis along gravity"),
                   whole("bins", "number of slices", "10", 1, 1e5),
                   word("by", "volume|centre",
                        "a body counts in each slice by its part there, or in that of its centre"),
                   selectOption},
       .columns = "t:s bin low:m high:m bodies solid:m3 phi mass:kg vx:m/s vy:m/s vz:m/s wx:rad/s "
                  "wy:rad/s wz:rad/s temperature:m2/s2",
       .rows =
           [](const Instant& instant, const KindOptions& options) {
             return options.text("axis") == "radial" ? ringRows(instant, options)
                                                     : sliceRows(instant, options);
           },
       .needs = {.contacts = false},
       .plot = {.x = "low", .y = {"phi"}, .by = "t"}},
      {.name = "gr",
       .help = "pair distribution of centres by shells, and neighbours within each distance",
       .options = {whole("shells", "number of shells", "100", 1, 1e6),
                   positive("max", "R",
                            "largest distance (half of the least width of cell or box)"),
                   selectOption, drivenOption},
       .columns = "t:s r:m g low:m high:m pairs neighbours",
       .rows = pairRows,
       .needs = {.contacts = false},
       .plot = {.x = "r", .y = {"g"}, .by = "t"}}};
}

}  // namespace scree::sim

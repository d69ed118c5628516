// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `profile`: slices along an axis, or rings around one: solid fraction, velocity, granular
// temperature.
#include "kinds.hpp"
#include "parts.hpp"
#include "solids.hpp"
#include "top_surface.hpp"

#include "scree/base/error.hpp"

#include <cmath>

namespace scree::tools {
namespace {

class ProfileKind : public Kind {
 public:
  explicit ProfileKind(const KindOptions& options)
      : selection_(options.selection()),
        radial_(options.oneOf("axis", {"z", "x", "y", "radial"}) == "radial"),
        axis_(radial_ ? 0 : options.text("axis", "z")[0] - 'x'),
        bins_(options.integer("bins", 10, 1, 100'000)),
        byCentre_(options.oneOf("by", {"volume", "centre"}) == "centre") {
    if (options.has("centre")) centre_ = options.numbers("centre", 2);
    if (!radial_ && !centre_.empty()) throw UsageError("--centre goes with --axis radial");
    if (!options.has("range")) return;
    range_ = options.numbers("range", 2);
    if (!(range_[0] < range_[1]))
      throw UsageError("--range: expected LOW,HIGH with LOW below HIGH");
    if (radial_ && range_[0] < 0.0) throw UsageError("--range: a radius cannot be negative");
  }

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},      {"bin", "-"},    {"low", "m"},
            {"high", "m"},   {"bodies", "-"}, {"solid", "m3"},
            {"phi", "-"},    {"mass", "kg"},  {"vx", "m/s"},
            {"vy", "m/s"},   {"vz", "m/s"},   {"wx", "rad/s"},
            {"wy", "rad/s"}, {"wz", "rad/s"}, {"temperature", "m2/s2"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    if (radial_) return rings(instant);
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const sim::Domain domain = instant.domain();
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
          sim::Region slice;
          slice.low = from;
          slice.high = to;
          slice.low[axis_] = low + width * static_cast<double>(b);
          slice.high[axis_] = low + width * static_cast<double>(b + 1);
          const double volume = solids.inside(k, slice, shift);
          if (volume > 0.0) add(b, k, volume);
        }
      };
      // Images along the axis alone: a slice holds one image for each of those across.
      const sim::PeriodicCell& cell = instant.conf().cell;
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
    std::vector<sim::Row> rows;
    const double slice = domain.volume * width / (domain.high[axis_] - domain.low[axis_]);
    // The hull has no equal slices.
    const bool even = domain.kind != sim::Domain::Kind::hull && roundless(instant);
    for (std::size_t b = 0; b < bins.size(); ++b)
      rows.push_back(bins[b].row(instant.conf().t, b, low + width * static_cast<double>(b),
                                 low + width * static_cast<double>(b + 1),
                                 even ? slice : notKnown));
    return rows;
  }
  bool needsContacts() const override { return false; }

 private:
  /// What the bodies of a slice add up to.
  struct Bin {
    double bodies = 0.0, solid = 0.0, mass = 0.0, energy = 0.0;
    Vec3 momentum = Vec3::Zero(), turning = Vec3::Zero();

    void add(const sim::Instant& instant, std::size_t k, double volume, const Vec3& velocity,
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
    sim::Row row(double t, std::size_t b, double low, double high, double space) const {
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
  std::vector<sim::Row> rings(const sim::Instant& instant) const {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const sim::Domain domain = instant.domain();
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
      sim::Region region;
      region.kind = sim::Region::Kind::cylinder;
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
        const sim::ParticleRecord& p = instant.body(k);
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
    std::vector<sim::Row> rows;
    for (std::size_t b = 0; b < bins.size(); ++b) {
      const double inner = low + width * static_cast<double>(b), outer = inner + width;
      // Known where the ring lies within the domain.
      const bool within = domain.kind != sim::Domain::Kind::hull && centre_.empty() &&
                          outer <= inscribed * (1.0 + 1e-12);
      rows.push_back(
          bins[b].row(instant.conf().t, b, inner, outer,
                      within ? pi * (outer - inner) * (outer + inner) * size[axes.up] : notKnown));
    }
    return rows;
  }

  /// Whether slices of the domain are equal: not in a ball or a cone, nor across a cylinder.
  bool roundless(const sim::Instant& instant) const {
    for (const sim::Boundary& b : instant.conf().boundaries)
      if (b.kind != sim::Boundary::Kind::cylinder || std::abs(b.axis[axis_]) < 0.5) return false;
    return true;
  }

  sim::Selection selection_;
  bool radial_;
  int axis_;
  std::int64_t bins_;
  bool byCentre_;
  std::vector<double> range_, centre_;
};

}  // namespace

KindEntry profileKind() {
  return {
      "profile",
      "slices along an axis, or rings: bodies, solid fraction, mean velocity and spin, temperature",
      {{"axis", "x|y|z|radial", "across the slices; rings around an axis along gravity (z)"},
       {"centre", "U,V", "of the rings, across gravity (the middle)"},
       {"bins", "N", "number of slices (10)"},
       {"range", "LOW,HIGH", "ends of the slices (those of cell, walls or hull)"},
       {"by", "volume|centre",
        "a body counts in each slice by its part there, or in that of "
        "its centre (volume)"},
       selectOption},
      [](const KindOptions& options) -> std::unique_ptr<Kind> {
        return std::make_unique<ProfileKind>(options);
      },
      {.x = "low", .xEnd = "high", .y = {"phi"}, .otherwise = {"solid"}, .by = "t"}};
}

}  // namespace scree::tools

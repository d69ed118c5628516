// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `profile`: slices along an axis: solid fraction, velocity, granular temperature.
#include "kinds.hpp"
#include "parts.hpp"
#include "solids.hpp"

#include "scree/base/error.hpp"

#include <cmath>

namespace scree::tools {
namespace {

class ProfileKind : public Kind {
 public:
  explicit ProfileKind(const KindOptions& options)
      : selection_(options.selection()),
        axis_(options.oneOf("axis", {"z", "x", "y"})[0] - 'x'),
        bins_(options.integer("bins", 10, 1, 100'000)),
        byCentre_(options.oneOf("by", {"volume", "centre"}) == "centre") {
    if (!options.has("range")) return;
    range_ = options.numbers("range", 2);
    if (!(range_[0] < range_[1]))
      throw UsageError("--range: expected LOW,HIGH with LOW below HIGH");
  }

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},      {"bin", "-"},    {"low", "m"},
            {"high", "m"},   {"bodies", "-"}, {"solid", "m3"},
            {"phi", "-"},    {"mass", "kg"},  {"vx", "m/s"},
            {"vy", "m/s"},   {"vz", "m/s"},   {"wx", "rad/s"},
            {"wy", "rad/s"}, {"wz", "rad/s"}, {"temperature", "m2/s2"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const sim::Domain domain = sim::domainOf(instant);
    const double low = range_.empty() ? domain.low[axis_] : range_[0],
                 high = range_.empty() ? domain.high[axis_] : range_[1];
    const double n = static_cast<double>(bins_), width = (high - low) / n;
    struct Bin {
      double bodies = 0.0, solid = 0.0, mass = 0.0, energy = 0.0;
      Vec3 momentum = Vec3::Zero(), turning = Vec3::Zero();
    };
    std::vector<Bin> bins(static_cast<std::size_t>(bins_));
    SolidVolumes solids(instant, 20'000);
    const auto add = [&](std::size_t b, std::size_t k, double volume) {
      const double share = volume / instant.volumes()[k], m = share * instant.masses()[k];
      const sim::ParticleRecord& p = instant.body(k);
      Bin& bin = bins[b];
      bin.bodies += share;
      bin.solid += volume;
      bin.mass += m;
      bin.momentum += m * p.vel;
      bin.turning += m * p.vrot;
      bin.energy += m * p.vel.squaredNorm();
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
    for (std::size_t b = 0; b < bins.size(); ++b) {
      const Bin& bin = bins[b];
      const Vec3 nan = Vec3::Constant(notKnown);
      const Vec3 v = bin.mass > 0.0 ? Vec3(bin.momentum / bin.mass) : nan,
                 w = bin.mass > 0.0 ? Vec3(bin.turning / bin.mass) : nan;
      const double slice = domain.volume * width / (domain.high[axis_] - domain.low[axis_]);
      const double temperature =
          bin.mass > 0.0 ? std::max(0.0, bin.energy / bin.mass - v.squaredNorm()) / 3.0 : notKnown;
      // The hull has no equal slices.
      const bool even = domain.kind != sim::Domain::Kind::hull && roundless(instant);
      rows.push_back({instant.conf().t, static_cast<std::int64_t>(b),
                      low + width * static_cast<double>(b),
                      low + width * static_cast<double>(b + 1), bin.bodies, bin.solid,
                      even ? bin.solid / slice : notKnown, bin.mass, v.x(), v.y(), v.z(), w.x(),
                      w.y(), w.z(), temperature});
    }
    return rows;
  }

 private:
  /// Whether slices of the domain are equal: not in a ball or a cone, nor across a cylinder.
  bool roundless(const sim::Instant& instant) const {
    for (const sim::Boundary& b : instant.conf().boundaries)
      if (b.kind != sim::Boundary::Kind::cylinder || std::abs(b.axis[axis_]) < 0.5) return false;
    return true;
  }

  sim::Selection selection_;
  int axis_;
  std::int64_t bins_;
  bool byCentre_;
  std::vector<double> range_;
};

}  // namespace

KindEntry profileKind() {
  return {"profile",
          "slices along an axis: bodies, solid fraction, mean velocity and spin, temperature",
          {{"axis", "x|y|z", "across the slices (z)"},
           {"bins", "N", "number of slices (10)"},
           {"range", "LOW,HIGH", "ends of the slices (those of cell, walls or hull)"},
           {"by", "volume|centre",
            "a body counts in each slice by its part there, or in that of "
            "its centre (volume)"},
           selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<ProfileKind>(options);
          }};
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `porosity`: solid volume and porosity of a box, a cylinder, a ball, or the whole.
#include "kinds.hpp"
#include "parts.hpp"
#include "solids.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/certified.hpp"
#include "scree/sim/measure/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace scree::tools {
namespace {

class PorosityKind : public Kind {
 public:
  explicit PorosityKind(const KindOptions& options)
      : selection_(options.selection()),
        driven_(options.has("driven")),
        points_(options.integer("points", 0, 1, 1'000'000'000)),
        tolerance_(options.positive("tolerance", usualTolerance)),
        certified_(options.has("tolerance")),
        volume_(options) {
    if (!options.has("region")) return;
    if (options.has("volume")) throw UsageError("--region and --volume exclude each other");
    std::string text = options.text("region", "");
    if (const std::string mark = "shell:"; text.starts_with(mark)) {
      // What a sphere holds less what the inner one holds.
      const std::vector<double> v =
          KindOptions({{"region", text.substr(mark.size())}}).numbers("region", 5);
      if (!(v[3] > 0.0 && v[3] < v[4]))
        throw UsageError("--region: expected shell:x,y,z,r,R with 0 < r < R, found '" + text + "'");
      inner_ = sim::parseRegion(fmt::format("sphere:{},{},{},{}", v[0], v[1], v[2], v[3]));
      text = fmt::format("sphere:{},{},{},{}", v[0], v[1], v[2], v[4]);
    }
    try {
      region_ = sim::parseRegion(text);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--region: {}; there is shell:x,y,z,r,R, too", error.what()));
    }
  }

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},        {"solid", "m3"}, {"porosity", "-"}, {"volume", "m3"},
            {"overlap", "m3"}, {"error", "m3"}, {"bodies", "-"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, driven_);
    if (points_ > 0) return {sampled(instant, chosen)};
    if (certified_) return {certified(instant, chosen)};
    const sim::Row row = inClosedForm(instant, chosen);
    const double error = std::get<double>(row[5]), volume = std::get<double>(row[3]);
    const bool enough = std::isfinite(error) && !(error > usualTolerance * volume);
    return {enough ? row : certified(instant, chosen)};
  }

 private:
  bool holds(const Vec3& point) const {
    return (!region_ || region_->contains(point)) && (!inner_ || !inner_->contains(point));
  }

  /// An overlap [L³] of the certified method, nan where its error is as large. The difference of
  /// two volumes of size `sum` is exact to 1e-12 of it.
  static double overlapWithin(double overlap, double error, double sum) {
    return error > 0.0 && !(overlap > error + 1e-12 * sum) ? notKnown : overlap;
  }

  /// Volumes of the bodies less what pairs of them share. The error is infinite where something has
  /// no closed form.
  sim::Row inClosedForm(const sim::Instant& instant, const std::vector<char>& chosen) const {
    SolidVolumes solids(instant, 0);
    double solid = 0.0, volume = 0.0, error = 0.0;
    std::int64_t bodies = 0;
    if (!region_) {
      volume = volume_.of(instant).volume;
      for (std::size_t k = 0; k < chosen.size(); ++k)
        if (chosen[k]) {
          solid += instant.volumes()[k];
          ++bodies;
        }
    } else {
      volume = region_->volume() - (inner_ ? inner_->volume() : 0.0);
      const auto [low, high] = boxAround(*region_);
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        if (!chosen[k]) continue;
        double own = 0.0;
        solids.forEachImage(k, low, high, [&](const Vec3& shift) {
          own += solids.inside(k, *region_, shift);
          if (inner_) own -= solids.inside(k, *inner_, shift);
        });
        if (std::isnan(own)) error = HUGE_VAL;
        solid += own;
        bodies += own > 0.0;
      }
    }
    const SharedVolume shared = sharedVolume(solids, instant, chosen, {region_, inner_});
    solid -= shared.volume;
    error += shared.error;
    return {instant.conf().t, solid, 1.0 - solid / volume, volume, shared.volume, error, bodies};
  }

  /// The union of the bodies with proven bounds; `overlap` is what their volumes exceed it by where
  /// the region cuts none.
  sim::Row certified(const sim::Instant& instant, const std::vector<char>& chosen) const {
    const sim::Domain domain = volume_.of(instant);
    const sim::PeriodicCell& cell = instant.conf().cell;
    const bool wholeCell = !region_ && cell.used;
    SolidVolumes solids(instant, 1);
    Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
    if (region_) {
      std::tie(low, high) = boxAround(*region_);
    } else if (wholeCell) {
      low = cell.h.cwiseMin(0.0).rowwise().sum();
      high = cell.h.cwiseMax(0.0).rowwise().sum();
    } else {
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        if (!chosen[k]) continue;
        const Vec3 reach = Vec3::Constant(solids.reach(k));
        low = low.cwiseMin(instant.body(k).pos - reach);
        high = high.cwiseMax(instant.body(k).pos + reach);
      }
    }
    std::vector<sim::PlacedShape> placed;
    std::int64_t bodies = 0;
    double sum = 0.0;  // of the volumes, as long as none is cut
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const sim::ParticleRecord& p = instant.body(k);
      bool counts = !region_;
      if (!region_) sum += instant.volumes()[k];
      solids.forEachImage(k, low, high, [&](const Vec3& shift) {
        const Vec3 pos = p.pos + shift;
        const double reach = solids.reach(k);
        if (region_) {
          const int side = region_->side(pos, reach), hole = inner_ ? inner_->side(pos, reach) : -1;
          if (side < 0 || hole > 0) return;
          counts = true;
          sum += side > 0 && hole < 0 ? instant.volumes()[k] : notKnown;
        }
        placed.push_back({&instant.shapeOf(k), pos, p.q, p.homothety});
      });
      bodies += counts;
    }
    double volume = 0.0;
    sim::BoundedVolume solid;
    const auto row = [&]() -> sim::Row {
      return {instant.conf().t,
              solid.volume,
              1.0 - solid.volume / volume,
              volume,
              overlapWithin(sum - solid.volume, solid.bound, sum),
              solid.bound,
              bodies};
    };
    const auto unionOf = [&](const sim::Region& region) {
      return sim::unionIn(region, placed, tolerance_, 1);
    };
    if (!region_ && !placed.empty()) {
      volume = domain.volume;
      const double reference = wholeCell ? volume : (high - low).prod();
      solid = byPairs(instant, chosen, solids, tolerance_ * reference);
      if (!solid.limited) return row();
    }
    if (placed.empty()) {
      volume = region_ ? region_->volume() - (inner_ ? inner_->volume() : 0.0) : domain.volume;
    } else if (wholeCell) {
      volume = domain.volume;
      solid = sim::unionInCell(cell.h, placed, tolerance_, 1);
    } else if (region_) {
      volume = region_->volume();
      solid = unionOf(*region_);
      if (inner_) {
        const sim::BoundedVolume hole = unionOf(*inner_);
        volume -= inner_->volume();
        solid.volume -= hole.volume;
        solid.bound += hole.bound;
      }
    } else {
      volume = domain.volume;
      sim::Region all;
      all.low = low;
      all.high = high;
      solid = unionOf(all);
    }
    return row();
  }

  /// The union of whole bodies, fast where they overlap little.
  static sim::BoundedVolume byPairs(const sim::Instant& instant, const std::vector<char>& chosen,
                                    SolidVolumes& solids, double bound) {
    std::vector<sim::PlacedShape> bodies, images;
    Vec3 low = Vec3::Constant(HUGE_VAL), high = -low;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const sim::ParticleRecord& p = instant.body(k);
      const Vec3 reach = Vec3::Constant(solids.reach(k));
      low = low.cwiseMin(p.pos - reach);
      high = high.cwiseMax(p.pos + reach);
      bodies.push_back({&instant.shapeOf(k), p.pos, p.q, p.homothety});
    }
    if (instant.conf().cell.used)
      for (std::size_t k = 0; k < chosen.size(); ++k)
        if (chosen[k])
          solids.forEachImage(k, low, high, [&](const Vec3& shift) {
            const sim::ParticleRecord& p = instant.body(k);
            if (shift != Vec3::Zero())
              images.push_back({&instant.shapeOf(k), p.pos + shift, p.q, p.homothety});
          });
    return sim::unionByPairs(bodies, images, bound);
  }

  /// By points of the Sobol sequence, which count once however many bodies hold them.
  sim::Row sampled(const sim::Instant& instant, const std::vector<char>& chosen) const {
    const sim::Domain domain = volume_.of(instant);
    sim::Region region;
    if (region_) {
      region = *region_;
    } else {
      region.low = domain.low;
      region.high = domain.high;
    }
    const auto [low, high] = boxAround(region);
    const sim::PeriodicCell& cell = instant.conf().cell;
    const bool wholeCell = !region_ && domain.kind == sim::Domain::Kind::cell && cell.used;
    struct Placed {
      std::size_t k;
      Vec3 pos;
      double reach;
    };
    SolidVolumes solids(instant, 1);
    std::vector<Placed> bodies;
    std::vector<char> counted(chosen.size(), 0);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const double reach = solids.reach(k);
      solids.forEachImage(k, low, high, [&, &least = low, &most = high](const Vec3& shift) {
        const Vec3 pos = instant.body(k).pos + shift;
        if (((pos.array() + reach) < least.array()).any() ||
            ((pos.array() - reach) > most.array()).any())
          return;
        bodies.push_back({k, pos, reach});
        counted[k] = 1;
      });
    }
    // Sorted along x, so that a point looks at those near it alone.
    std::ranges::stable_sort(bodies, {}, [](const Placed& b) { return b.pos.x(); });
    double reachMost = 0.0;
    for (const Placed& b : bodies) reachMost = std::max(reachMost, b.reach);
    mass::SobolPoints sequence;
    std::int64_t tries = 0, hits = 0;
    for (std::int64_t m = 0; m < points_; ++m) {
      const Vec3 share = sequence.next();
      const Vec3 x = wholeCell ? Vec3(cell.h * share) : Vec3(low + share.cwiseProduct(high - low));
      if (!wholeCell && !(region.contains(x) && holds(x))) continue;
      ++tries;
      const auto begin = std::ranges::lower_bound(bodies, x.x() - reachMost, {},
                                                  [](const Placed& b) { return b.pos.x(); });
      for (auto b = begin; b != bodies.end() && b->pos.x() <= x.x() + reachMost; ++b) {
        const Vec3 d = x - b->pos;
        if (d.squaredNorm() > b->reach * b->reach) continue;
        const sim::ParticleRecord& p = instant.body(b->k);
        if (!solids.shapeOf(b->k).contains(turnedBack(p.q, d) / p.homothety)) continue;
        ++hits;
        break;
      }
    }
    const double volume =
        wholeCell ? domain.volume : region.volume() - (inner_ ? inner_->volume() : 0.0);
    const double n = static_cast<double>(tries), share = static_cast<double>(hits) / n;
    return {instant.conf().t,
            share * volume,
            1.0 - share,
            volume,
            notKnown,
            volume * std::sqrt(share * (1.0 - share) / n),
            static_cast<std::int64_t>(std::ranges::count(counted, 1))};
  }

  sim::Selection selection_;
  bool driven_;
  static constexpr double usualTolerance = 1e-4;

  std::int64_t points_;
  double tolerance_;
  bool certified_;  ///< in any case
  VolumeOption volume_;
  std::optional<sim::Region> region_;
  std::optional<sim::Region> inner_;  ///< of a shell
};

}  // namespace

KindEntry porosityKind() {
  return {"porosity",
          "solid volume and porosity of the whole, or of a box, a sphere, a shell or a cylinder",
          {{"region", "REGION",
            "box:x,y,z,X,Y,Z, sphere:x,y,z,R, shell:x,y,z,r,R or cylinder:x,y,z,X,Y,Z,R (default: "
            "the whole)"},
           {"tolerance", "T",
            "measure the union of the bodies with proven bounds, to this share of the volume "
            "(1e-4 where there are no closed forms)"},
           {"points", "N", "count N Sobol points instead"},
           volumeOption,
           selectOption,
           drivenOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<PorosityKind>(options);
          },
          {.x = "t", .y = {"porosity"}}};
}

}  // namespace scree::tools

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
#include <set>
#include <utility>

namespace scree::tools {
namespace {

class PorosityKind : public Kind {
 public:
  explicit PorosityKind(const KindOptions& options)
      : selection_(options.selection()),
        driven_(options.has("driven")),
        points_(options.integer("points", 0, 1, 1'000'000'000)),
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
      throw UsageError(fmt::format("--region: {}", error.what()));
    }
  }

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},        {"solid", "m3"}, {"porosity", "-"}, {"volume", "m3"},
            {"overlap", "m3"}, {"error", "m3"}, {"bodies", "-"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, driven_);
    if (points_ > 0) return {sampled(instant, chosen)};
    double solid = 0.0, error = 0.0;
    std::int64_t bodies = 0;
    double volume = 0.0;
    if (!region_) {
      volume = volume_.of(instant).volume;
      for (std::size_t k = 0; k < chosen.size(); ++k)
        if (chosen[k]) {
          solid += instant.volumes()[k];
          ++bodies;
        }
    } else {
      volume = region_->volume() - (inner_ ? inner_->volume() : 0.0);
      SolidVolumes solids(instant, 20'000);
      const auto [low, high] = boxAround(*region_);
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        if (!chosen[k]) continue;
        double own = 0.0;
        solids.forEachImage(k, low, high, [&](const Vec3& shift) {
          own += solids.inside(k, *region_, shift);
          if (inner_) own -= solids.inside(k, *inner_, shift);
        });
        solid += own;
        bodies += own > 0.0;
      }
      error = std::sqrt(solids.variance());
    }
    const double twice = overlapOf(instant, chosen);
    solid -= twice;
    return {{instant.conf().t, solid, 1.0 - solid / volume, volume, twice, error, bodies}};
  }

 private:
  bool holds(const Vec3& point) const {
    return (!region_ || region_->contains(point)) && (!inner_ || !inner_->contains(point));
  }

  /// What pairs of bodies share that are both balls, where the point of their contact lies in the
  /// region, or both sharp and convex, exactly within the region.
  double overlapOf(const sim::Instant& instant, const std::vector<char>& chosen) const {
    const auto isBall = [&](sim::BodyId k) { return instant.shapeOf(k).vertices.size() == 1; };
    SolidVolumes solids(instant, 1);
    const auto placed = [&](sim::BodyId k, const Vec3& shift) {
      const sim::ParticleRecord& p = instant.body(k);
      return solids.shapeOf(k).placed(p.pos + shift, p.q, p.homothety);
    };
    double sum = 0.0;
    std::set<std::pair<sim::BodyId, sim::BodyId>> pairs;
    for (const sim::Link& c : instant.links()) {
      if (!c.touches() || c.j == sim::Link::none || !chosen[c.i] || !chosen[c.j]) continue;
      if (isBall(c.i) && isBall(c.j)) {
        if (!holds(c.pos)) continue;
        const auto radius = [&](sim::BodyId k) {
          return instant.body(k).homothety * instant.shapeOf(k).radius;
        };
        sum += sim::sharedByBalls(radius(c.i), radius(c.j), radius(c.i) + radius(c.j) + c.dn);
        continue;
      }
      // One pair has as many links as points touch.
      if (!pairs.insert({std::min(c.i, c.j), std::max(c.i, c.j)}).second) continue;
      if (isBall(c.i) || isBall(c.j) || !solids.shapeOf(c.i).cutsExactly() ||
          !solids.shapeOf(c.j).cutsExactly())
        continue;
      const Vec3 image = instant.body(c.i).pos - c.branch() - instant.body(c.j).pos;
      const shape::ConvexHull both = sim::sharedBy(placed(c.i, Vec3::Zero()), placed(c.j, image));
      if (both.rank < 3) continue;
      sum += region_ ? sim::polyhedronIn(*region_, both) : both.volume();
      if (inner_) sum -= sim::polyhedronIn(*inner_, both);
    }
    return sum;
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
      solids.forEachImage(k, low, high, [&](const Vec3& shift) {
        const Vec3 pos = instant.body(k).pos + shift;
        if (((pos.array() + reach) < low.array()).any() ||
            ((pos.array() - reach) > high.array()).any())
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
  std::int64_t points_;
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
           {"points", "N", "count N Sobol points instead, so that overlaps count once"},
           volumeOption,
           selectOption,
           drivenOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<PorosityKind>(options);
          }};
}

}  // namespace scree::tools

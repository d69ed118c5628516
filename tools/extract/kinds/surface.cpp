// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `surface`: the upper surface of a heap along an axis or around its middle, and its slope.
#include "kinds.hpp"
#include "top_surface.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"

#include <algorithm>
#include <cmath>

namespace scree::tools {
namespace {

class SurfaceKind : public Kind {
 public:
  explicit SurfaceKind(const KindOptions& options)
      : selection_(options.selection()),
        along_(options.oneOf("along", {"radial", "x", "y", "z"})),
        bins_(options.integer("bins", 20, 1, 100'000)),
        cell_(options.positive("cell", 0.0)),
        angle_(options.has("repose")) {
    if (options.has("centre")) centre_ = options.numbers("centre", 2);
    if (options.has("between")) {
      between_ = options.numbers("between", 2);
      if (!(between_[0] >= 0.0 && between_[0] < between_[1] && between_[1] <= 1.0))
        throw UsageError("--between: expected LOW,HIGH with 0 <= LOW < HIGH <= 1");
    }
    if (along_ != "radial" && !centre_.empty())
      throw UsageError("--centre goes with --along radial");
  }

  std::vector<sim::Column> columns() const override {
    if (angle_)
      return {{"t", "s"},   {"angle", "rad"}, {"error", "rad"}, {"slope", "-"},
              {"low", "m"}, {"high", "m"},    {"cells", "-"}};
    return {{"t", "s"},    {"bin", "-"},    {"distance", "m"}, {"low", "m"},
            {"high", "m"}, {"height", "m"}, {"top", "m"},      {"cells", "-"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    double diameter = 0.0, mass = 0.0;
    Vec3 middle = Vec3::Zero();
    std::size_t count = 0;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      diameter += portablePow(6.0 * instant.volumes()[k] / pi, 1.0 / 3.0);
      mass += instant.masses()[k];
      middle += instant.masses()[k] * instant.body(k).pos;
      ++count;
    }
    if (count == 0) return {};
    const double cell = cell_ > 0.0 ? cell_ : 0.5 * diameter / static_cast<double>(count);
    const TopSurface surface(instant, chosen, cell);
    const MapAxes& axes = surface.axes();
    if (along_ != "radial" && along_[0] - 'x' == axes.up)
      throw UsageError("--along: expected an axis across gravity, or radial, found '" + along_ +
                       "'");
    middle /= mass;
    const double u = centre_.empty() ? middle[axes.u] : centre_[0],
                 v = centre_.empty() ? middle[axes.v] : centre_[1];
    std::vector<Place> places;
    for (const TopSurface::Cell& c : surface.cells())
      places.push_back({along_ == "radial"
                            ? std::sqrt((c.u - u) * (c.u - u) + (c.v - v) * (c.v - v))
                        : along_[0] - 'x' == axes.u ? c.u
                                                    : c.v,
                        c.height});
    if (places.empty()) return {};
    return angle_ ? slopeRow(instant.conf().t, places, surface.lowest())
                  : profile(instant.conf().t, places);
  }
  bool needsContacts() const override { return false; }

 private:
  struct Place {
    double distance, height;
  };

  std::vector<sim::Row> profile(double t, const std::vector<Place>& places) const {
    const auto [near, far] = std::ranges::minmax(places, {}, &Place::distance);
    const double low = along_ == "radial" ? 0.0 : near.distance,
                 width = (far.distance - low) / static_cast<double>(bins_);
    struct Bin {
      double sum = 0.0, top = -HUGE_VAL;
      std::int64_t cells = 0;
    };
    std::vector<Bin> bins(static_cast<std::size_t>(bins_));
    for (const Place& p : places) {
      const double place = width > 0.0 ? std::floor((p.distance - low) / width) : 0.0;
      Bin& bin = bins[static_cast<std::size_t>(std::min(place, static_cast<double>(bins_ - 1)))];
      bin.sum += p.height;
      bin.top = std::max(bin.top, p.height);
      ++bin.cells;
    }
    std::vector<sim::Row> rows;
    for (std::size_t k = 0; k < bins.size(); ++k) {
      const Bin& bin = bins[k];
      const double from = low + width * static_cast<double>(k);
      rows.push_back({t, static_cast<std::int64_t>(k), from + 0.5 * width, from, from + width,
                      bin.cells > 0 ? bin.sum / static_cast<double>(bin.cells) : notKnown,
                      bin.cells > 0 ? bin.top : notKnown, bin.cells});
    }
    return rows;
  }

  /// The line of least squares through the cells between two levels of the heap.
  std::vector<sim::Row> slopeRow(double t, const std::vector<Place>& places, double base) const {
    const double peak = std::ranges::max(places, {}, &Place::height).height,
                 low = base + between_[0] * (peak - base),
                 high = base + between_[1] * (peak - base);
    double n = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    const auto eachCell = [&](auto&& f) {
      for (const Place& p : places)
        if (p.height >= low && p.height <= high) f(p);
    };
    eachCell([&](const Place& p) {
      n += 1.0;
      x += p.distance;
      y += p.height;
    });
    x /= n;
    y /= n;
    eachCell([&](const Place& p) {
      xx += (p.distance - x) * (p.distance - x);
      xy += (p.distance - x) * (p.height - y);
    });
    const double slope = n > 2.0 && xx > 0.0 ? xy / xx : notKnown;
    double off = 0.0;
    eachCell([&](const Place& p) {
      const double out = p.height - y - slope * (p.distance - x);
      off += out * out;
    });
    const double error = std::sqrt(off / ((n - 2.0) * xx));
    return {{t, portableAtan2(std::abs(slope), 1.0), error / (1.0 + slope * slope), slope, low,
             high, static_cast<std::int64_t>(n)}};
  }

  sim::Selection selection_;
  std::string along_;
  std::int64_t bins_;
  double cell_;
  bool angle_;
  std::vector<double> centre_, between_{0.2, 0.8};
};

}  // namespace

KindEntry surfaceKind() {
  return {"surface",
          "the upper surface of bodies, by distance; with --repose its angle of repose",
          {{"along", "radial|x|y|z", "distance from the centre, or along an axis (radial)"},
           {"centre", "U,V", "of the distances, across gravity (the centre of mass)"},
           {"bins", "N", "number of bins of distance (20)"},
           {"cell", "L", "side of a cell of the raster (half of the mean diameter)"},
           {"repose", "", "a row for each file: the angle of repose, by a line of least squares"},
           {"between", "LOW,HIGH",
            "levels that count for the slope, as shares of the height (0.2,0.8)"},
           selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<SurfaceKind>(options);
          },
          {.x = "distance", .y = {"height"}, .by = "t"}};
}

}  // namespace scree::tools

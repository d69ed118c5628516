// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `field`: coarse-grained density, velocity, temperature and stress on a grid.
#include "kinds.hpp"
#include "parts.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/sim/measure/region.hpp"
#include "scree/sim/measure/stress.hpp"

#include <fmt/format.h>

#include <cmath>

namespace scree::tools {
namespace {

class FieldKind : public Kind {
 public:
  explicit FieldKind(const KindOptions& options)
      : selection_(options.selection()),
        part_(options.oneOf("part", {"contacts", "kinetic", "both"})),
        width_(options.positive("width", 0.0)) {
    const std::vector<double> counts = options.numbers("grid", 3);
    double size = 1.0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(counts[k] >= 1.0 && counts[k] == std::floor(counts[k]) && (size *= counts[k]) <= 1e8))
        throw UsageError(
            "--grid: expected three whole numbers from 1 on, of at most 1e8 places, found '" +
            options.text("grid", "") + "'");
      count_[k] = static_cast<std::int64_t>(counts[k]);
    }
    if (!options.has("region")) return;
    try {
      region_ = sim::parseRegion(options.text("region", ""));
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--region: {}", error.what()));
    }
    if (region_->kind != sim::Region::Kind::box)
      throw UsageError("--region: expected a box for a field, box:x,y,z,X,Y,Z");
  }

  std::vector<sim::Column> columns() const override {
    std::vector<sim::Column> columns{
        {"t", "s"},   {"x", "m"},    {"y", "m"},    {"z", "m"},    {"density", "kg/m3"},
        {"phi", "-"}, {"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}, {"temperature", "m2/s2"}};
    for (const sim::Column& c : tensorColumns("Pa")) columns.push_back(c);
    columns.push_back({"p", "Pa"});
    columns.push_back({"q", "Pa"});
    return columns;
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    sim::FieldGrid grid;
    grid.count = count_;
    Vec3 high;
    if (region_) {
      grid.low = region_->low;
      high = region_->high;
    } else {
      const sim::Domain& domain = instant.domain();
      grid.low = domain.low;
      high = domain.high;
    }
    for (int k = 0; k < 3; ++k)
      grid.spacing[k] =
          (high[k] - grid.low[k]) / static_cast<double>(count_[static_cast<std::size_t>(k)]);
    if (!(grid.spacing.minCoeff() > 0.0)) return {};
    const double width = width_ > 0.0 ? width_ : meanDiameter(instant, chosen);
    if (!(width > 0.0)) return {};
    const sim::CoarseFields f = sim::coarseFields(instant, chosen, grid, width);
    std::vector<sim::Row> rows;
    rows.reserve(grid.size());
    for (std::size_t k = 0; k < grid.size(); ++k) {
      const Vec3 x = grid.place(k);
      Mat3 stress = Mat3::Zero();
      if (part_ != "kinetic") stress += f.contact[k];
      if (part_ != "contacts") stress += f.kinetic[k];
      sim::Row row{instant.conf().t,
                   x.x(),
                   x.y(),
                   x.z(),
                   f.density[k],
                   f.solid[k],
                   f.velocity[k].x(),
                   f.velocity[k].y(),
                   f.velocity[k].z(),
                   f.temperature[k]};
      appendTensor(row, stress);
      row.emplace_back(sim::meanStress(stress));
      row.emplace_back(sim::deviatoricStress(stress));
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  static double meanDiameter(const sim::Instant& instant, const std::vector<char>& chosen) {
    double sum = 0.0, count = 0.0;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      sum += portablePow(6.0 * instant.volumes()[k] / pi, 1.0 / 3.0);
      count += 1.0;
    }
    return sum / count;
  }

  sim::Selection selection_;
  std::string part_;
  double width_;
  std::array<std::int64_t, 3> count_{};
  std::optional<sim::Region> region_;
};

}  // namespace

KindEntry fieldKind() {
  return {"field",
          "coarse-grained density, velocity, temperature and stress on a grid; -o FILE.vti",
          {{"grid", "NX,NY,NZ", "number of grid points along x, y and z", true},
           {"width", "W", "standard deviation of the kernel (the mean diameter)"},
           {"region", "REGION", "box:x,y,z,X,Y,Z of the grid (cell, walls or hull)"},
           {"part", "contacts|kinetic|both", "what counts as stress (contacts)"},
           selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<FieldKind>(options);
          },
          {.x = "x", .y = {"z"}, .colour = "phi", .points = true}};
}

}  // namespace scree::tools

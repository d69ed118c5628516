// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `walls`: what driven bodies and round walls bear.
#include "kinds.hpp"

#include "scree/sim/measure/loads.hpp"

namespace scree::tools {
namespace {

class WallsKind : public Kind {
 public:
  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},  {"wall", "-"},  {"kind", ""},      {"points", "-"}, {"fx", "N"},
            {"fy", "N"}, {"fz", "N"},    {"mx", "N.m"},     {"my", "N.m"},   {"mz", "N.m"},
            {"fn", "N"}, {"area", "m2"}, {"pressure", "Pa"}};
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const sim::Conf& conf = instant.conf();
    const sim::WallLoads loads = sim::wallLoads(instant);
    const sim::WallPressures pressures = sim::wallPressures(instant, loads);
    std::vector<sim::Row> rows;
    const auto add = [&](std::size_t wall, const std::string& kind, const sim::WallLoad& s,
                         const sim::WallPressure& p) {
      rows.push_back({conf.t, static_cast<std::int64_t>(wall), kind, s.points, s.force.x(),
                      s.force.y(), s.force.z(), s.moment.x(), s.moment.y(), s.moment.z(), s.fn,
                      p.area, p.pressure});
    };
    for (std::size_t k = 0; k < loads.driven.size(); ++k)
      add(k, "driven", loads.driven[k], pressures.driven[k]);
    for (std::size_t k = 0; k < loads.round.size(); ++k) {
      using Round = sim::Boundary::Kind;
      const Round kind = conf.boundaries[k].kind;
      add(k,
          kind == Round::ball   ? "ball"
          : kind == Round::cone ? "cone"
                                : "cylinder",
          loads.round[k], pressures.round[k]);
    }
    return rows;
  }
};

}  // namespace

KindEntry wallsKind() {
  return {"walls",
          "a row for each driven body and round wall: force, moment and pressure on it",
          {},
          [](const KindOptions&) -> std::unique_ptr<Kind> { return std::make_unique<WallsKind>(); },
          {.x = "t", .y = {"fn"}, .by = "wall"}};
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `walls`: what driven bodies and round walls bear.
#include "kinds.hpp"

#include "scree/sim/measure/loads.hpp"
#include "scree/sim/measure/stress.hpp"

#include <algorithm>
#include <cmath>

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
    const std::optional<sim::Domain> domain = sim::wallDomain(instant);
    const std::vector<sim::WallFace> faces = sim::wallFaces(instant);
    const sim::WallLoads loads = sim::wallLoads(instant);
    std::vector<sim::Row> rows;
    const auto add = [&](std::int64_t wall, const std::string& kind, const sim::WallLoad& s,
                         double area, double pressure) {
      rows.push_back({conf.t, wall, kind, s.points, s.force.x(), s.force.y(), s.force.z(),
                      s.moment.x(), s.moment.y(), s.moment.z(), s.fn, area, pressure});
    };
    for (std::size_t k = 0; k < loads.driven.size(); ++k) {
      const auto face = std::ranges::find(faces, k, &sim::WallFace::body);
      double area = notKnown, pressure = notKnown;
      // The side of the box that all six walls enclose; not where a round wall stands around.
      if (face != faces.end() && domain && conf.boundaries.empty()) {
        const Vec3 sides = domain->high - domain->low;
        area = sides[(face->axis + 1) % 3] * sides[(face->axis + 2) % 3];
        pressure = face->side * loads.driven[k].force[face->axis] / area;
      }
      add(static_cast<std::int64_t>(k), "driven", loads.driven[k], area, pressure);
    }
    for (std::size_t k = 0; k < loads.round.size(); ++k) {
      const sim::Boundary& b = conf.boundaries[k];
      using Wall = sim::Boundary::Kind;
      const bool isBall = b.kind == Wall::ball, isCone = b.kind == Wall::cone;
      double area = isBall ? 4.0 * pi * b.radius * b.radius : notKnown;
      if (!isBall && !isCone && domain)
        area = 2.0 * pi * b.radius * (domain->high - domain->low).cwiseAbs().dot(b.axis.cwiseAbs());
      add(static_cast<std::int64_t>(k),
          isBall   ? "ball"
          : isCone ? "cone"
                   : "cylinder",
          loads.round[k], area, loads.round[k].fn / area);
    }
    return rows;
  }
};

}  // namespace

KindEntry wallsKind() {
  return {
      "walls",
      "a row for each driven body and round wall: force, moment and pressure on it",
      {},
      [](const KindOptions&) -> std::unique_ptr<Kind> { return std::make_unique<WallsKind>(); }};
}

}  // namespace scree::tools

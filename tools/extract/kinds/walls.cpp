// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `walls`: what driven bodies and round walls bear.
#include "kinds.hpp"

#include "scree/sim/measure/domain.hpp"

#include <algorithm>
#include <cmath>

namespace scree::tools {
namespace {

using sim::Link;

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
    struct Sum {
      std::int64_t points = 0;
      double fn = 0.0;
      Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    };
    std::vector<Sum> driven(conf.nDriven), round(conf.boundaries.size());
    for (const Link& c : instant.links()) {
      const Vec3 f = c.force();
      if (c.j == Link::none) {
        Sum& s = round[c.jSub];
        s.points += 1;
        s.fn += c.fn;
        s.force -= f;
        s.moment -= (c.pos - conf.boundaries[c.jSub].centre).cross(f) + c.mom;
        continue;
      }
      for (const sim::BodyId k : {c.i, c.j}) {
        if (k >= conf.nDriven) continue;
        driven[k].points += c.touches() || c.kind == Link::Kind::bond;
        driven[k].fn += c.fn;
      }
    }
    std::vector<sim::Row> rows;
    const auto add = [&](std::int64_t wall, const std::string& kind, const Sum& s, double area,
                         double pressure) {
      rows.push_back({conf.t, wall, kind, s.points, s.force.x(), s.force.y(), s.force.z(),
                      s.moment.x(), s.moment.y(), s.moment.z(), s.fn, area, pressure});
    };
    for (std::size_t k = 0; k < driven.size(); ++k) {
      driven[k].force = instant.actions()[k].force;
      driven[k].moment = instant.actions()[k].moment;
      const auto face = std::ranges::find(faces, k, &sim::WallFace::body);
      double area = notKnown, pressure = notKnown;
      // The side of the box that all six walls enclose; not where a round wall stands around.
      if (face != faces.end() && domain && conf.boundaries.empty()) {
        const Vec3 sides = domain->high - domain->low;
        area = sides[(face->axis + 1) % 3] * sides[(face->axis + 2) % 3];
        pressure = face->side * driven[k].force[face->axis] / area;
      }
      add(static_cast<std::int64_t>(k), "driven", driven[k], area, pressure);
    }
    for (std::size_t k = 0; k < round.size(); ++k) {
      const sim::Boundary& b = conf.boundaries[k];
      const bool isBall = b.kind == sim::Boundary::Kind::ball;
      double area = isBall ? 4.0 * pi * b.radius * b.radius : notKnown;
      if (!isBall && domain)
        area = 2.0 * pi * b.radius * (domain->high - domain->low).cwiseAbs().dot(b.axis.cwiseAbs());
      add(static_cast<std::int64_t>(k), isBall ? "ball" : "cylinder", round[k], area,
          round[k].fn / area);
    }
    return rows;
  }
};

}  // namespace

KindEntry wallsKind() {
  return {
      "walls",
      "a row for each driven body and round wall: force, moment and pressure it bears",
      {},
      [](const KindOptions&) -> std::unique_ptr<Kind> { return std::make_unique<WallsKind>(); }};
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `bodies`: a row for each body, of any quantity a body has.
#include "kinds.hpp"

#include "scree/sim/measure/fabric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace scree::tools {
namespace {

using sim::Cell;
using sim::Instant;

enum class Needs { nothing, shapes, actions, counts };
struct Source {
  const Instant& instant;
  const std::vector<sim::ContactCounts>& counts;
  std::size_t k;
  const sim::ParticleRecord& p;
};
struct BodyColumn {
  std::string_view name, unit;
  Needs needs;
  Cell (*value)(const Source&);
};
using S = Source;
const BodyColumn columnsOfBodies[] = {
    {"t", "s", Needs::nothing, [](const S& s) -> Cell { return s.instant.conf().t; }},
    {"id", "-", Needs::nothing, [](const S& s) -> Cell { return std::int64_t(s.k); }},
    {"group", "-", Needs::nothing, [](const S& s) -> Cell { return std::int64_t(s.p.group); }},
    {"cluster", "-", Needs::nothing, [](const S& s) -> Cell { return std::int64_t(s.p.cluster); }},
    {"shape", "", Needs::nothing,
     [](const S& s) -> Cell { return s.instant.conf().shapeNameOf(s.p); }},
    {"homothety", "-", Needs::nothing, [](const S& s) -> Cell { return s.p.homothety; }},
    {"driven", "-", Needs::nothing,
     [](const S& s) -> Cell { return std::int64_t(s.instant.isDriven(s.k)); }},
    {"x", "m", Needs::nothing, [](const S& s) -> Cell { return s.p.pos.x(); }},
    {"y", "m", Needs::nothing, [](const S& s) -> Cell { return s.p.pos.y(); }},
    {"z", "m", Needs::nothing, [](const S& s) -> Cell { return s.p.pos.z(); }},
    {"vx", "m/s", Needs::nothing, [](const S& s) -> Cell { return s.p.vel.x(); }},
    {"vy", "m/s", Needs::nothing, [](const S& s) -> Cell { return s.p.vel.y(); }},
    {"vz", "m/s", Needs::nothing, [](const S& s) -> Cell { return s.p.vel.z(); }},
    {"speed", "m/s", Needs::nothing, [](const S& s) -> Cell { return s.p.vel.norm(); }},
    {"qw", "-", Needs::nothing, [](const S& s) -> Cell { return s.p.q.w(); }},
    {"qx", "-", Needs::nothing, [](const S& s) -> Cell { return s.p.q.x(); }},
    {"qy", "-", Needs::nothing, [](const S& s) -> Cell { return s.p.q.y(); }},
    {"qz", "-", Needs::nothing, [](const S& s) -> Cell { return s.p.q.z(); }},
    {"wx", "rad/s", Needs::nothing, [](const S& s) -> Cell { return s.p.vrot.x(); }},
    {"wy", "rad/s", Needs::nothing, [](const S& s) -> Cell { return s.p.vrot.y(); }},
    {"wz", "rad/s", Needs::nothing, [](const S& s) -> Cell { return s.p.vrot.z(); }},
    {"ax", "m/s2", Needs::nothing, [](const S& s) -> Cell { return s.p.acc.x(); }},
    {"ay", "m/s2", Needs::nothing, [](const S& s) -> Cell { return s.p.acc.y(); }},
    {"az", "m/s2", Needs::nothing, [](const S& s) -> Cell { return s.p.acc.z(); }},
    {"volume", "m3", Needs::shapes, [](const S& s) -> Cell { return s.instant.volumes()[s.k]; }},
    {"mass", "kg", Needs::shapes, [](const S& s) -> Cell { return s.instant.masses()[s.k]; }},
    {"kinetic", "J", Needs::shapes,
     [](const S& s) -> Cell { return s.instant.kineticEnergy(s.k).sum(); }},
    {"fx", "N", Needs::actions,
     [](const S& s) -> Cell { return s.instant.actions()[s.k].force.x(); }},
    {"fy", "N", Needs::actions,
     [](const S& s) -> Cell { return s.instant.actions()[s.k].force.y(); }},
    {"fz", "N", Needs::actions,
     [](const S& s) -> Cell { return s.instant.actions()[s.k].force.z(); }},
    {"mx", "N.m", Needs::actions,
     [](const S& s) -> Cell { return s.instant.actions()[s.k].moment.x(); }},
    {"my", "N.m", Needs::actions,
     [](const S& s) -> Cell { return s.instant.actions()[s.k].moment.y(); }},
    {"mz", "N.m", Needs::actions,
     [](const S& s) -> Cell { return s.instant.actions()[s.k].moment.z(); }},
    {"points", "-", Needs::counts, [](const S& s) -> Cell { return s.counts[s.k].points; }},
    {"partners", "-", Needs::counts, [](const S& s) -> Cell { return s.counts[s.k].partners; }},
};

class BodiesKind : public Kind {
 public:
  // Places alone take a tenth of the time of all columns.
  explicit BodiesKind(const KindOptions& options)
      : selection_(options.selection()),
        driven_(options.has("driven")),
        chosen_(columnsToCompute(columnsOfBodies, options)) {}

  std::vector<sim::Column> columns() const override {
    std::vector<sim::Column> columns;
    for (const BodyColumn* c : chosen_)
      columns.push_back({std::string(c->name), std::string(c->unit)});
    return columns;
  }
  std::vector<sim::Row> rows(const Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, driven_);
    const auto counts =
        needs(Needs::counts) ? sim::contactCounts(instant) : std::vector<sim::ContactCounts>();
    std::vector<sim::Row> rows;
    rows.reserve(chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (!chosen[k]) continue;
      const Source source{instant, counts, k, instant.body(k)};
      sim::Row row;
      row.reserve(chosen_.size());
      for (const BodyColumn* c : chosen_) row.push_back(c->value(source));
      rows.push_back(std::move(row));
    }
    return rows;
  }
  bool needsShapes() const override { return needs(Needs::shapes) || selection_.needsShapes(); }
  bool needsContacts() const override { return needs(Needs::actions) || needs(Needs::counts); }

 private:
  bool needs(Needs what) const {
    return std::ranges::any_of(chosen_, [&](const BodyColumn* c) { return c->needs == what; });
  }

  sim::Selection selection_;
  bool driven_;
  std::vector<const BodyColumn*> chosen_;
};

}  // namespace

KindEntry bodiesKind() {
  return {"bodies",
          "a row for each body: position, motion, orientation, mass, force and moment, contacts",
          {selectOption, drivenOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<BodiesKind>(options);
          },
          {.x = "x", .y = {"z"}, .colour = "speed", .points = true}};
}

}  // namespace scree::tools

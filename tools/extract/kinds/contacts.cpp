// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `contacts`: a row for each contact, bond and touch of a round wall.
#include "kinds.hpp"

#include <array>
#include <string_view>

namespace scree::tools {
namespace {

using sim::Cell;

std::int64_t whole(std::uint32_t k) { return static_cast<std::int64_t>(k); }
Cell nameOf(const sim::Link& c) {
  constexpr std::array kinds{"contact", "bond", "wall"};
  return std::string(kinds[static_cast<std::size_t>(c.kind)]);
}
Cell typeOf(const sim::Link& c) {
  constexpr std::array types{"vv", "ve", "vf", "ee"};
  return std::string(types[static_cast<std::size_t>(c.pairing)]);
}

struct ContactColumn {
  std::string_view name, unit;
  Cell (*value)(const sim::Link&, double t);
};
using L = sim::Link;
const ContactColumn columnsOfContacts[] = {
    {"t", "s", [](const L&, double t) -> Cell { return t; }},
    {"i", "-", [](const L& c, double) -> Cell { return whole(c.i); }},
    {"j", "-",
     [](const L& c, double) -> Cell { return c.j == L::none ? std::int64_t{-1} : whole(c.j); }},
    {"kind", "", [](const L& c, double) -> Cell { return nameOf(c); }},
    {"type", "", [](const L& c, double) -> Cell { return typeOf(c); }},
    {"isub", "-", [](const L& c, double) -> Cell { return whole(c.iSub); }},
    {"jsub", "-", [](const L& c, double) -> Cell { return whole(c.jSub); }},
    {"dn", "m", [](const L& c, double) -> Cell { return c.dn; }},
    {"nx", "-", [](const L& c, double) -> Cell { return c.n.x(); }},
    {"ny", "-", [](const L& c, double) -> Cell { return c.n.y(); }},
    {"nz", "-", [](const L& c, double) -> Cell { return c.n.z(); }},
    {"x", "m", [](const L& c, double) -> Cell { return c.pos.x(); }},
    {"y", "m", [](const L& c, double) -> Cell { return c.pos.y(); }},
    {"z", "m", [](const L& c, double) -> Cell { return c.pos.z(); }},
    {"fn", "N", [](const L& c, double) -> Cell { return c.fn; }},
    {"ftx", "N", [](const L& c, double) -> Cell { return c.ft.x(); }},
    {"fty", "N", [](const L& c, double) -> Cell { return c.ft.y(); }},
    {"ftz", "N", [](const L& c, double) -> Cell { return c.ft.z(); }},
    {"ft", "N", [](const L& c, double) -> Cell { return c.ft.norm(); }},
    {"mx", "N.m", [](const L& c, double) -> Cell { return c.mom.x(); }},
    {"my", "N.m", [](const L& c, double) -> Cell { return c.mom.y(); }},
    {"mz", "N.m", [](const L& c, double) -> Cell { return c.mom.z(); }},
    {"vx", "m/s", [](const L& c, double) -> Cell { return c.vel.x(); }},
    {"vy", "m/s", [](const L& c, double) -> Cell { return c.vel.y(); }},
    {"vz", "m/s", [](const L& c, double) -> Cell { return c.vel.z(); }},
    {"bx", "m", [](const L& c, double) -> Cell { return c.branch().x(); }},
    {"by", "m", [](const L& c, double) -> Cell { return c.branch().y(); }},
    {"bz", "m", [](const L& c, double) -> Cell { return c.branch().z(); }},
    {"weight", "-", [](const L& c, double) -> Cell { return c.weight; }},
};

class ContactsKind : public Kind {
 public:
  explicit ContactsKind(const KindOptions& options)
      : selection_(options.selection()), chosen_(columnsToCompute(columnsOfContacts, options)) {}

  std::vector<sim::Column> columns() const override {
    std::vector<sim::Column> columns;
    for (const ContactColumn* c : chosen_)
      columns.push_back({std::string(c->name), std::string(c->unit)});
    return columns;
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> counts = selection_.of(instant.conf(), instant.shapes());
    std::vector<sim::Row> rows;
    for (const sim::Link& c : instant.links()) {
      if (!counts[c.i] && (c.j == L::none || !counts[c.j])) continue;
      sim::Row row;
      row.reserve(chosen_.size());
      for (const ContactColumn* column : chosen_) row.push_back(column->value(c, instant.conf().t));
      rows.push_back(std::move(row));
    }
    return rows;
  }
  bool needsShapes() const override { return selection_.needsShapes(); }

 private:
  sim::Selection selection_;
  std::vector<const ContactColumn*> chosen_;
};

}  // namespace

KindEntry contactsKind() {
  return {"contacts",
          "a row for each contact, bond and contact with a round wall (29 columns)",
          {selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<ContactsKind>(options);
          },
          {.x = "dn", .y = {"fn"}, .by = "kind", .points = true}};
}

}  // namespace scree::tools

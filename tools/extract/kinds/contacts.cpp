// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `contacts`: a row for each contact, bond and touch of a round wall.
#include "kinds.hpp"

#include <array>

namespace scree::tools {
namespace {

class ContactsKind : public Kind {
 public:
  explicit ContactsKind(const KindOptions& options) : selection_(options.selection()) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},    {"i", "-"},    {"j", "-"},    {"kind", ""},   {"type", ""},
            {"isub", "-"}, {"jsub", "-"}, {"dn", "m"},   {"nx", "-"},    {"ny", "-"},
            {"nz", "-"},   {"x", "m"},    {"y", "m"},    {"z", "m"},     {"fn", "N"},
            {"ftx", "N"},  {"fty", "N"},  {"ftz", "N"},  {"ft", "N"},    {"mx", "N.m"},
            {"my", "N.m"}, {"mz", "N.m"}, {"vx", "m/s"}, {"vy", "m/s"},  {"vz", "m/s"},
            {"bx", "m"},   {"by", "m"},   {"bz", "m"},   {"weight", "-"}};
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    constexpr std::array types{"vv", "ve", "vf", "ee"};
    constexpr std::array kinds{"contact", "bond", "wall"};
    const std::vector<char> chosen = selection_.of(instant.conf(), instant.shapes());
    const auto number = [](std::uint32_t k) { return static_cast<std::int64_t>(k); };
    std::vector<sim::Row> rows;
    for (const sim::Link& c : instant.links()) {
      const bool wall = c.j == sim::Link::none;
      if (!chosen[c.i] && (wall || !chosen[c.j])) continue;
      const Vec3 b = c.branch();
      rows.push_back({instant.conf().t,
                      number(c.i),
                      wall ? std::int64_t{-1} : number(c.j),
                      std::string(kinds[static_cast<std::size_t>(c.kind)]),
                      std::string(types[static_cast<std::size_t>(c.pairing)]),
                      number(c.iSub),
                      number(c.jSub),
                      c.dn,
                      c.n.x(),
                      c.n.y(),
                      c.n.z(),
                      c.pos.x(),
                      c.pos.y(),
                      c.pos.z(),
                      c.fn,
                      c.ft.x(),
                      c.ft.y(),
                      c.ft.z(),
                      c.ft.norm(),
                      c.mom.x(),
                      c.mom.y(),
                      c.mom.z(),
                      c.vel.x(),
                      c.vel.y(),
                      c.vel.z(),
                      b.x(),
                      b.y(),
                      b.z(),
                      c.weight});
    }
    return rows;
  }
  bool needsShapes() const override { return selection_.needsShapes(); }

 private:
  sim::Selection selection_;
};

}  // namespace

KindEntry contactsKind() {
  return {"contacts",
          "a row for each contact, bond and touch of a round wall (29 columns)",
          {selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<ContactsKind>(options);
          }};
}

}  // namespace scree::tools

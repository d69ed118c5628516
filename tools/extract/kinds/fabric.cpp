// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `fabric`: the tensor of contact normals, and anisotropies of contacts and forces.
#include "scree/sim/measure/fabric.hpp"

#include "kinds.hpp"
#include "parts.hpp"

#include "scree/sim/measure/stress.hpp"

namespace scree::tools {
namespace {

class FabricKind : public Kind {
 public:
  explicit FabricKind(const KindOptions& options)
      : selection_(options.selection()),
        driven_(options.has("driven")),
        byPairs_(options.oneOf("of", {"points", "pairs"}) == "pairs"),
        each_(options) {}

  std::vector<sim::Column> columns() const override {
    std::vector<sim::Column> columns{{"t", "s"}};
    for (const auto& c : each_.columns()) columns.push_back(c);
    for (const auto& c : tensorColumns("-")) columns.push_back(c);
    for (const char* name : {"contacts", "ac", "an", "at", "f1", "f2", "f3", "d1x", "d1y", "d1z"})
      columns.push_back({name, "-"});
    return columns;
  }

  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, driven_);
    const EachOption::Parts parts = each_.split(instant, chosen, instant.domain());
    std::vector<std::vector<sim::Touching>> contacts(parts.parts.size());
    for (const sim::Touching& c : sim::touchingOf(instant, byPairs_)) {
      // A contact counts once in each part that one of its bodies belongs to.
      const std::int64_t a = parts.of[c.i],
                         b = c.j == sim::Link::none ? std::int64_t{-1} : parts.of[c.j];
      if (a >= 0) contacts[static_cast<std::size_t>(a)].push_back(c);
      if (b >= 0 && b != a) contacts[static_cast<std::size_t>(b)].push_back(c);
    }
    std::vector<sim::Row> rows;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      sim::FabricSums sums;
      for (const sim::Touching& c : contacts[k]) sums.add(c);
      const Mat3 a = sums.anisotropy();
      const sim::ForceAnisotropies forces = sim::forceAnisotropies(contacts[k], a);
      const sim::Invariants v = sim::invariantsOf(sums.fabric());
      sim::Row row{instant.conf().t};
      row.insert(row.end(), parts.parts[k].name.begin(), parts.parts[k].name.end());
      appendTensor(row, sums.fabric());
      row.emplace_back(sums.count);
      for (const double value :
           {sim::invariantsOf(a).q, sim::invariantsOf(forces.normal).q,
            sim::invariantsOf(forces.tangential).q, v.values[0], v.values[1], v.values[2],
            v.directions(0, 0), v.directions(1, 0), v.directions(2, 0)})
        row.emplace_back(value);
      rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  sim::Selection selection_;
  bool driven_, byPairs_;
  EachOption each_;
};

}  // namespace

KindEntry fabricKind() {
  return {"fabric",
          "mean of n⊗n over contacts, anisotropies of contacts and of their forces",
          {eachOption,
           {"of", "points|pairs", "what counts as a contact (points)"},
           selectOption,
           drivenOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<FabricKind>(options);
          },
          {.x = "t", .y = {"ac", "an", "at"}}};
}

}  // namespace scree::tools

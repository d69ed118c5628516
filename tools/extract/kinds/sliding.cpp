// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `sliding`: how much of their friction contacts use.
#include "kinds.hpp"

#include "scree/sim/measure/law_values.hpp"

namespace scree::tools {
namespace {

using sim::Link;

class SlidingKind : public Kind {
 public:
  explicit SlidingKind(const KindOptions& options)
      : selection_(options.selection()), limit_(options.positive("limit", 0.999)) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},     {"contacts", "-"},  {"frictionless", "-"}, {"sliding", "-"},
            {"share", "-"}, {"mobilised", "-"}, {"shareOfForce", "-"}};
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const std::vector<char> chosen = chosenBodies(instant, selection_, false);
    const sim::LawValues law(instant);
    std::int64_t contacts = 0, frictionless = 0, sliding = 0;
    double mobilised = 0.0, normal = 0.0, slidingNormal = 0.0;
    for (const Link& c : instant.links()) {
      if (!c.touches() || c.kind == Link::Kind::bond) continue;
      if (!chosen[c.i] && (c.j == Link::none || !chosen[c.j])) continue;
      const double bound = law.frictionBound(c);
      if (bound == 0.0) {
        ++frictionless;
        continue;
      }
      const double used = c.ft.norm() / bound;
      ++contacts;
      mobilised += used;
      normal += c.fn;
      if (!(used >= limit_)) continue;
      ++sliding;
      slidingNormal += c.fn;
    }
    const double n = static_cast<double>(contacts);
    // Without a law that is known nothing bounds friction.
    const bool known = contacts > 0 && mobilised == mobilised;
    return {{instant.conf().t, contacts, frictionless, sliding,
             known ? static_cast<double>(sliding) / n : notKnown, known ? mobilised / n : notKnown,
             known && normal > 0.0 ? slidingNormal / normal : notKnown}};
  }
  bool needsShapes() const override { return selection_.needsShapes(); }

 private:
  sim::Selection selection_;
  double limit_;
};

}  // namespace

KindEntry slidingKind() {
  return {"sliding",
          "share of contacts that slide, mean mobilised friction",
          {{"limit", "X", "share of the bound from which a contact slides (0.999)"}, selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<SlidingKind>(options);
          },
          {.x = "t", .y = {"share", "mobilised"}}};
}

}  // namespace scree::tools

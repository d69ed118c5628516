// SPDX-License-Identifier: GPL-3.0-or-later
// Kind `balance`: how far from rest, by forces.
#include "kinds.hpp"

#include "scree/sim/measure/fabric.hpp"

namespace scree::tools {
namespace {

class BalanceKind : public Kind {
 public:
  explicit BalanceKind(const KindOptions& options) : selection_(options.selection()) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},          {"bodies", "-"}, {"resultant", "N"}, {"force", "N"},
            {"unbalanced", "-"}, {"rms", "-"},    {"worst", "-"},     {"worstOverMean", "-"},
            {"fx", "N"},         {"fy", "N"},     {"fz", "N"}};
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    const sim::ForceBalance b =
        sim::forceBalance(instant, chosenBodies(instant, selection_, false));
    return {{instant.conf().t, b.bodies, b.resultant, b.force, b.resultant / b.force, b.rms,
             b.worst, b.worstOverMean, b.sum.x(), b.sum.y(), b.sum.z()}};
  }

 private:
  sim::Selection selection_;
};

}  // namespace

KindEntry balanceKind() {
  return {"balance",
          "resultant of bodies, weight included, over contact forces: mean, rms, worst",
          {selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<BalanceKind>(options);
          },
          {.x = "t", .y = {"unbalanced", "rms"}}};
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of breakage: `fragments`, a row each; `sieve`, their grading; `damage`, bonds over time.
#include "fragment_sets.hpp"
#include "kinds.hpp"

#include "scree/base/error.hpp"

#include <algorithm>

namespace scree::tools {
namespace {

class FragmentsKind : public Kind {
 public:
  explicit FragmentsKind(const KindOptions& options)
      : selection_(options.selection()), driven_(options.has("driven")) {}

  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},     {"fragment", "-"}, {"bodies", "-"},     {"cluster", "-"},
            {"mass", "kg"}, {"volume", "m3"},  {"diameter", "m"},   {"L", "m"},
            {"I", "m"},     {"S", "m"},        {"elongation", "-"}, {"flatness", "-"}};
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    std::vector<sim::Row> rows;
    for (const Fragment& f : fragmentsOf(instant, chosenBodies(instant, selection_, driven_)))
      rows.push_back({instant.conf().t, std::int64_t{f.bodies.front()},
                      static_cast<std::int64_t>(f.bodies.size()),
                      std::int64_t{instant.body(f.bodies.front()).cluster}, f.mass, f.volume,
                      f.diameter, f.sides[0], f.sides[1], f.sides[2], f.sides[1] / f.sides[0],
                      f.sides[2] / f.sides[1]});
    return rows;
  }
  bool needsContacts() const override { return false; }

 private:
  sim::Selection selection_;
  bool driven_;
};

/// Share of the mass in fragments that are smaller than a size, and the sizes of given shares.
class SieveKind : public Kind {
 public:
  explicit SieveKind(const KindOptions& options)
      : selection_(options.selection()),
        byDiameter_(options.oneOf("of", {"sieve", "diameter"}) == "diameter"),
        percentiles_(options.has("percentiles")) {
    const std::string sizes = options.text("sizes", "");
    if (!options.has("sizes")) return;
    if (percentiles_) throw UsageError("--sizes and --percentiles exclude each other");
    sizes_ = options.numbers("sizes", static_cast<std::size_t>(std::ranges::count(sizes, ',')) + 1);
  }
  std::vector<sim::Column> columns() const override {
    if (percentiles_)
      return {{"t", "s"},   {"fragments", "-"}, {"d10", "m"}, {"d30", "m"},
              {"d50", "m"}, {"d60", "m"},       {"d90", "m"}, {"Cu", "-"}};
    return {{"t", "s"}, {"size", "m"}, {"passing", "-"}, {"mass", "kg"}, {"fragments", "-"}};
  }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    std::vector<Fragment> all = fragmentsOf(instant, chosenBodies(instant, selection_, false));
    const auto size = [&](const Fragment& f) { return byDiameter_ ? f.diameter : f.sieve(); };
    std::ranges::stable_sort(all, {}, size);
    double mass = 0.0;
    for (const Fragment& f : all) mass += f.mass;
    std::vector<sim::Row> rows;
    if (percentiles_) {
      // The size of the fragment in which the cumulated mass reaches the share.
      const auto at = [&](double share) {
        double sum = 0.0;
        for (const Fragment& f : all)
          if ((sum += f.mass) >= share * mass * (1.0 - 1e-12)) return size(f);
        return notKnown;
      };
      return {{instant.conf().t, static_cast<std::int64_t>(all.size()), at(0.1), at(0.3), at(0.5),
               at(0.6), at(0.9), at(0.6) / at(0.1)}};
    }
    const auto add = [&](double mesh, double below, std::int64_t count) {
      rows.push_back({instant.conf().t, mesh, mass > 0.0 ? below / mass : notKnown, below, count});
    };
    if (!sizes_.empty()) {
      for (const double mesh : sizes_) {
        double below = 0.0;
        std::int64_t count = 0;
        for (const Fragment& f : all)
          if (size(f) <= mesh) {
            below += f.mass;
            ++count;
          }
        add(mesh, below, count);
      }
      return rows;
    }
    double below = 0.0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      below += all[k].mass;
      if (k + 1 == all.size() || size(all[k + 1]) > size(all[k]))
        add(size(all[k]), below, static_cast<std::int64_t>(k + 1));
    }
    return rows;
  }
  bool needsContacts() const override { return false; }

 private:
  sim::Selection selection_;
  bool byDiameter_, percentiles_;
  std::vector<double> sizes_;
};

/// What has broken is counted since the first file.
class DamageJoiner : public Joiner {
 public:
  void take(const std::vector<sim::Row>& raw) override {
    for (const sim::Row& r : raw) {
      if (rows_.empty()) first_ = r;
      const auto since = [&](std::size_t k) {
        return std::get<std::int64_t>(first_[k]) - std::get<std::int64_t>(r[k]);
      };
      const double all = std::get<double>(r[3]), broken = std::get<double>(r[4]);
      rows_.push_back({r[0], r[1], r[2], since(1), since(2), broken / all, all, 2.0 * broken});
    }
  }
  std::vector<sim::Row> table() const override { return rows_; }

 private:
  sim::Row first_;
  std::vector<sim::Row> rows_;
};

class DamageKind : public Kind {
 public:
  std::vector<sim::Column> columns() const override {
    return {{"t", "s"},           {"interfaces", "-"}, {"bonds", "-"}, {"broken", "-"},
            {"brokenBonds", "-"}, {"damage", "-"},     {"area", "m2"}, {"newSurface", "m2"}};
  }
  std::unique_ptr<Joiner> joiner() const override { return std::make_unique<DamageJoiner>(); }
  std::vector<sim::Row> rows(const sim::Instant& instant) const override {
    std::int64_t bonds = 0;
    for (const sim::InterfaceRecord& face : instant.conf().interfaces)
      bonds += static_cast<std::int64_t>(face.bonds.size());
    const auto& area = instant.conf().bondedArea;
    return {{instant.conf().t, static_cast<std::int64_t>(instant.conf().interfaces.size()), bonds,
             area ? area->all : notKnown, area ? area->broken : notKnown}};
  }
  bool needsShapes() const override { return false; }
};

}  // namespace

KindEntry fragmentsKind() {
  return {"fragments",
          "a row for each part that bonds hold together: bodies, mass, sizes of its box of least "
          "volume",
          {selectOption, drivenOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<FragmentsKind>(options);
          },
          {.x = "diameter", .y = {"mass"}, .points = true}};
}

KindEntry sieveKind() {
  return {"sieve",
          "grading of fragments: share of the mass that passes each size",
          {{"of", "sieve|diameter",
            "size of a fragment: square mesh, or ball of equal volume "
            "(sieve)"},
           {"sizes", "A,B,...", "sizes to print (those of the fragments)"},
           {"percentiles", "", "d10 d30 d50 d60 d90 and Cu instead"},
           selectOption},
          [](const KindOptions& options) -> std::unique_ptr<Kind> {
            return std::make_unique<SieveKind>(options);
          },
          {.x = "size", .y = {"passing"}, .by = "t"}};
}

KindEntry damageKind() {
  return {
      "damage",
      "interfaces and bonds left, broken since the first file, damage, new surface",
      {},
      [](const KindOptions&) -> std::unique_ptr<Kind> { return std::make_unique<DamageKind>(); },
      {.x = "t", .y = {"damage"}}};
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of breakage: `fragments`, a row each; `sieve`, their grading; `damage`, bonds over time.
#include "kind_parts.hpp"
#include "measure/sieve_opening.hpp"

#include "scree/base/math.hpp"
#include "scree/shape/obb.hpp"
#include "scree/sim/measure/fabric.hpp"

#include <algorithm>
#include <functional>

namespace scree::sim {
namespace {

/// Bodies that unbroken bonds hold together, with their size.
struct Fragment {
  std::vector<BodyId> bodies;       ///< ascending
  double mass = 0.0, volume = 0.0;  ///< [M], [L³]
  double diameter = 0.0;            ///< [L] of the ball of this volume
  /// [L] of the least box, rounding included, descending; of a single body that of its shape.
  Vec3 sides = Vec3::Zero();

  double sieve() const { return sieveOpening(sides); }  ///< [L] the square mesh it passes
};

void measureFragment(const Instant& instant, const std::vector<Vec3>& shift, Fragment& f) {
  std::vector<Vec3> centres;
  std::vector<double> radii;
  for (const BodyId k : f.bodies) {
    f.mass += instant.masses()[k];
    f.volume += instant.volumes()[k];
    const ParticleRecord& p = instant.body(k);
    const shape::Shape& s = instant.shapeOf(k);
    for (std::size_t v = 0; v < s.vertices.size(); ++v) {
      centres.push_back(p.pos + shift[k] + rotated(p.q, p.homothety * s.vertices[v]));
      radii.push_back(p.homothety * s.radiusAt(v));
    }
  }
  f.diameter = ballDiameter(f.volume);
  // Most fragments of a breaking sample are single bodies, whose box is known.
  const shape::Shape& first = instant.shapeOf(f.bodies.front());
  if (f.bodies.size() == 1 && first.obb.extent.minCoeff() > 0.0) {
    f.sides = 2.0 * instant.body(f.bodies.front()).homothety * first.obb.extent;
    std::sort(f.sides.data(), f.sides.data() + 3, std::greater<>());
    return;
  }
  const bool even = std::ranges::all_of(radii, [&](double r) { return r == radii.front(); });
  constexpr auto least = shape::BoxMethod::minimum;
  const shape::Obb box = even ? shape::orientedBox(centres, radii.front(), least)
                              : shape::orientedBox(centres, radii, least);
  f.sides = 2.0 * box.extent;
  std::sort(f.sides.data(), f.sides.data() + 3, std::greater<>());
}

/// Connected parts of the chosen bodies by the interfaces of the file, in the order of their first
/// bodies; a body without bonds is one. In a periodic cell parts are put together by the nearest
/// images along bonds. O((bodies + interfaces) log), plus the hull of each fragment.
std::vector<Fragment> fragmentsOf(const Instant& instant, const std::vector<char>& chosen) {
  const BondedParts parts = bondedParts(instant.conf(), chosen);
  std::vector<Fragment> fragments;
  for (const std::vector<BodyId>& bodies : parts.bodies) {
    Fragment& f = fragments.emplace_back();
    f.bodies = bodies;
    measureFragment(instant, parts.shift, f);
  }
  return fragments;
}

Measure fragments(const KindOptions& options) {
  return {
      .columns = columnsFrom("t:s fragment bodies cluster mass:kg volume:m3 diameter:m L:m I:m "
                             "S:m elongation flatness"),
      .rows =
          [selection = options.selection(),
           driven = options.has("driven")](const Instant& instant) {
            std::vector<Row> rows;
            for (const Fragment& f : fragmentsOf(instant, chosenBodies(instant, selection, driven)))
              rows.push_back({instant.conf().t, std::int64_t{f.bodies.front()},
                              static_cast<std::int64_t>(f.bodies.size()),
                              std::int64_t{instant.body(f.bodies.front()).cluster}, f.mass,
                              f.volume, f.diameter, f.sides[0], f.sides[1], f.sides[2],
                              f.sides[1] / f.sides[0], f.sides[2] / f.sides[1]});
            return rows;
          },
      .needsContacts = false};
}

/// Share of the mass in fragments that are smaller than a size, and the sizes of given shares.
class Sieve {
 public:
  explicit Sieve(const KindOptions& options)
      : selection_(options.selection()),
        byDiameter_(options.text("of") == "diameter"),
        percentiles_(options.has("percentiles")) {}

  std::vector<Row> operator()(const Instant& instant) const {
    std::vector<Fragment> all = fragmentsOf(instant, chosenBodies(instant, selection_, false));
    const auto size = [&](const Fragment& f) { return byDiameter_ ? f.diameter : f.sieve(); };
    std::ranges::stable_sort(all, {}, size);
    double mass = 0.0;
    for (const Fragment& f : all) mass += f.mass;
    std::vector<Row> rows;
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
    double below = 0.0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      below += all[k].mass;
      if (k + 1 == all.size() || size(all[k + 1]) > size(all[k]))
        rows.push_back({instant.conf().t, size(all[k]), mass > 0.0 ? below / mass : notKnown, below,
                        static_cast<std::int64_t>(k + 1)});
    }
    return rows;
  }

 private:
  Selection selection_;
  bool byDiameter_, percentiles_;
};

Measure sieve(const KindOptions& options) {
  return {.columns = columnsFrom(options.has("percentiles")
                                     ? "t:s fragments d10:m d30:m d50:m d60:m d90:m Cu"
                                     : "t:s size:m passing mass:kg fragments"),
          .rows = Sieve(options),
          .needsContacts = false};
}

struct BondState {
  double t = 0.0;
  std::int64_t interfaces = 0, bonds = 0;
  double area = notKnown, broken = notKnown;  ///< [L²]
};

/// Interfaces and bonds that have broken since the first file.
class Damage : public SeriesOf<BondState> {
 public:
  std::vector<Row> table() const override { return rows_; }

 protected:
  std::vector<BondState> records(const Instant& instant) const override {
    BondState state{instant.conf().t, static_cast<std::int64_t>(instant.conf().interfaces.size())};
    for (const InterfaceRecord& face : instant.conf().interfaces)
      state.bonds += static_cast<std::int64_t>(face.bonds.size());
    if (const auto& area = instant.conf().state().bondedArea) {
      state.area = area->all;
      state.broken = area->broken;
    }
    return {state};
  }
  void add(const BondState& now) override {
    if (rows_.empty()) first_ = now;
    rows_.push_back({now.t, now.interfaces, now.bonds, first_.interfaces - now.interfaces,
                     first_.bonds - now.bonds, now.broken / now.area, now.area, 2.0 * now.broken});
  }

 private:
  BondState first_;
  std::vector<Row> rows_;
};

Measure damage(const KindOptions&) {
  return {.columns =
              columnsFrom("t:s interfaces bonds broken brokenBonds damage area:m2 newSurface:m2"),
          .series = std::make_shared<Damage>(),
          .needsShapes = false};
}

}  // namespace

std::vector<Kind> breakageKinds() {
  return {
      {"fragments",
       "a row for each part that bonds hold together: bodies, mass, sizes of its box of least "
       "volume",
       {selectOption, drivenOption},
       fragments,
       {.x = "diameter", .y = {"mass"}, .points = true}},
      {"sieve",
       "grading of fragments: share of the mass that passes each size",
       {word("of", "sieve|diameter", "size of a fragment: square mesh, or ball of equal volume"),
        flag("percentiles", "d10 d30 d50 d60 d90 and Cu instead"), selectOption},
       sieve,
       {.x = "size", .y = {"passing"}, .by = "t"}},
      {"damage",
       "interfaces and bonds left, broken since the first file, damage, new surface",
       {},
       damage,
       {.x = "t", .y = {"damage"}}},
  };
}

}  // namespace scree::sim

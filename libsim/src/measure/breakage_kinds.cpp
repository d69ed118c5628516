// SPDX-License-Identifier: GPL-3.0-or-later
// Kinds of breakage: `fragments`, a row each; `sieve`, their grading; `damage`, bonds over time.
#include "kind_parts.hpp"

#include "scree/base/math.hpp"
#include "scree/shape/obb.hpp"
#include "scree/sim/measure/fabric.hpp"

#include <algorithm>
#include <functional>
#include <optional>

namespace scree::sim {
namespace {

/// Bodies that unbroken bonds hold together, with their size.
struct Fragment {
  std::vector<BodyId> bodies;       ///< ascending
  double mass = 0.0, volume = 0.0;  ///< [M], [L³]
  double diameter = 0.0;            ///< [L] of the ball of this volume
  /// [L] of the least box, rounding included, descending; of a single body that of its shape.
  Vec3 sides = Vec3::Zero();

  double sieve() const { return shape::sieveOpening(sides); }  ///< [L] the square mesh it passes
};

void measureFragment(const Instant& instant, const std::vector<Vec3>& shift, Fragment& f) {
  shape::Shape whole;
  for (const BodyId k : f.bodies) {
    f.mass += instant.masses()[k];
    f.volume += instant.volumes()[k];
    const ParticleRecord& p = instant.body(k);
    const shape::Shape& s = instant.shapeOf(k);
    for (std::size_t v = 0; v < s.vertices.size(); ++v) {
      whole.vertices.push_back(p.pos + shift[k] + rotated(p.q, p.homothety * s.vertices[v]));
      whole.radii.push_back(p.homothety * s.radiusAt(v));
    }
  }
  f.diameter = ballDiameter(f.volume);
  // Most fragments of a breaking sample are single bodies, whose box is known.
  const shape::Shape& first = instant.shapeOf(f.bodies.front());
  if (f.bodies.size() == 1 && first.obb.extent.minCoeff() > 0.0) {
    f.sides = 2.0 * instant.body(f.bodies.front()).homothety * first.obb.extent;
  } else {
    whole.radius = whole.radii.front();
    if (std::ranges::all_of(whole.radii, [&](double r) { return r == whole.radius; }))
      whole.radii.clear();
    f.sides = 2.0 * shape::orientedBox(whole, shape::BoxMethod::minimum).extent;
  }
  std::sort(f.sides.data(), f.sides.data() + 3, std::greater<>());
}

/// Connected parts of the chosen bodies by the interfaces of the file, in the order of their first
/// bodies; a body without bonds is one. In a periodic cell parts are put together by the nearest
/// images along bonds. O((bodies + interfaces) log), plus the hull of each fragment.
std::vector<Fragment> fragmentsOf(const Instant& instant, const KindOptions& options) {
  const BondedParts parts = bondedParts(instant.conf(), chosenBodies(instant, options));
  std::vector<Fragment> fragments;
  for (const std::vector<BodyId>& bodies : parts.bodies) {
    Fragment& f = fragments.emplace_back();
    f.bodies = bodies;
    measureFragment(instant, parts.shift, f);
  }
  return fragments;
}

std::vector<Row> fragmentRows(const Instant& instant, const KindOptions& options) {
  std::vector<Row> rows;
  for (const Fragment& f : fragmentsOf(instant, options))
    rows.push_back(rowOf(instant.conf().t, f.bodies.front(), f.bodies.size(),
                         instant.body(f.bodies.front()).cluster, f.mass, f.volume, f.diameter,
                         f.sides, f.sides[1] / f.sides[0], f.sides[2] / f.sides[1]));
  return rows;
}

/// Share of the mass in fragments that are no larger than a size.
std::vector<Row> sieveRows(const Instant& instant, const KindOptions& options) {
  std::vector<Fragment> all = fragmentsOf(instant, options);
  const bool byDiameter = options.text("of") == "diameter";
  const auto size = [&](const Fragment& f) { return byDiameter ? f.diameter : f.sieve(); };
  std::ranges::stable_sort(all, {}, size);
  double mass = 0.0;
  for (const Fragment& f : all) mass += f.mass;
  std::vector<Row> rows;
  double below = 0.0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    below += all[k].mass;
    if (k + 1 == all.size() || size(all[k + 1]) > size(all[k]))
      rows.push_back(rowOf(instant.conf().t, size(all[k]), mass > 0.0 ? below / mass : notKnown,
                           below, k + 1));
  }
  return rows;
}

struct BondState {
  double t = 0.0;
  std::int64_t interfaces = 0, bonds = 0;
  double area = notKnown, broken = notKnown;  ///< [L²]
};

/// Interfaces and bonds that have broken since the first file.
class Damage : public SeriesOf<BondState> {
 public:
  explicit Damage(const KindOptions&) {}

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
  void add(const BondState& now, std::vector<Row>& rows) override {
    if (!first_) first_ = now;
    rows.push_back(rowOf(now.t, now.interfaces, now.bonds, first_->interfaces - now.interfaces,
                         first_->bonds - now.bonds, now.broken / now.area, now.area,
                         2.0 * now.broken));
  }

 private:
  std::optional<BondState> first_;
};

}  // namespace

std::vector<Kind> breakageKinds() {
  return {
      {.name = "fragments",
       .help = "a row for each part that bonds hold together: bodies, mass, sizes of its box of "
               "least volume",
       .options = {selectOption, drivenOption},
       .columns = "t:s fragment bodies cluster mass:kg volume:m3 diameter:m L:m I:m S:m elongation "
                  "flatness",
       .rows = fragmentRows,
       .needs = {.contacts = false},
       .plot = {.x = "diameter", .y = {"mass"}, .points = true}},
      {.name = "sieve",
       .help = "grading of fragments: share of the mass that passes each size",
       .options = {word("of", "sieve|diameter",
                        "size of a fragment: square mesh, or ball of equal volume"),
                   selectOption},
       .columns = "t:s size:m passing mass:kg fragments",
       .rows = sieveRows,
       .needs = {.contacts = false},
       .plot = {.x = "size", .y = {"passing"}, .by = "t"}},
      {.name = "damage",
       .help = "interfaces and bonds left, broken since the first file, damage, new surface",
       .columns = "t:s interfaces bonds broken brokenBonds damage area:m2 newSurface:m2",
       .series = seriesOf<Damage>,
       .needs = {.shapes = false},
       .plot = {.x = "t", .y = {"damage"}}}};
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "fragment_sets.hpp"

#include "scree/base/math.hpp"
#include "scree/shape/obb.hpp"
#include "scree/sim/measure/fabric.hpp"

#include <algorithm>
#include <functional>

namespace scree::tools {
namespace {

void measure(const sim::Instant& instant, const std::vector<Vec3>& shift, Fragment& f) {
  std::vector<Vec3> centres;
  std::vector<double> radii;
  for (const sim::BodyId k : f.bodies) {
    f.mass += instant.masses()[k];
    f.volume += instant.volumes()[k];
    const sim::ParticleRecord& p = instant.body(k);
    const shape::Shape& s = instant.shapeOf(k);
    for (std::size_t v = 0; v < s.vertices.size(); ++v) {
      centres.push_back(p.pos + shift[k] + rotated(p.q, p.homothety * s.vertices[v]));
      radii.push_back(p.homothety * s.radiusAt(v));
    }
  }
  f.diameter = portablePow(6.0 * f.volume / pi, 1.0 / 3.0);
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

}  // namespace

std::vector<Fragment> fragmentsOf(const sim::Instant& instant, const std::vector<char>& chosen) {
  const sim::BondedParts parts = sim::bondedParts(instant.conf(), chosen);
  std::vector<Fragment> fragments;
  for (const std::vector<sim::BodyId>& bodies : parts.bodies) {
    Fragment& f = fragments.emplace_back();
    f.bodies = bodies;
    measure(instant, parts.shift, f);
  }
  return fragments;
}

}  // namespace scree::tools

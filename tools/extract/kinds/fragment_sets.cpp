// SPDX-License-Identifier: GPL-3.0-or-later
#include "fragment_sets.hpp"

#include "scree/base/portable_math.hpp"
#include "scree/shape/obb.hpp"
#include "scree/sim/detect/images.hpp"

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
    for (const Vec3& v : s.vertices) {
      centres.push_back(p.pos + shift[k] + rotated(p.q, p.homothety * v));
      radii.push_back(p.homothety * s.radius);
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
  const sim::Conf& conf = instant.conf();
  std::vector<std::vector<sim::BodyId>> bonded(chosen.size());
  for (const sim::InterfaceRecord& face : conf.interfaces) {
    if (face.i >= chosen.size() || face.j >= chosen.size()) continue;
    if (!chosen[face.i] || !chosen[face.j]) continue;
    bonded[face.i].push_back(face.j);
    bonded[face.j].push_back(face.i);
  }
  sim::Images images;
  if (conf.cell.used) images.set(conf.cell.h);
  std::vector<Vec3> shift(chosen.size(), Vec3::Zero());
  std::vector<char> met(chosen.size(), 0);
  std::vector<Fragment> fragments;
  for (sim::BodyId first = 0; first < chosen.size(); ++first) {
    if (!chosen[first] || met[first]) continue;
    Fragment f;
    f.bodies = {first};
    met[first] = 1;
    for (std::size_t at = 0; at < f.bodies.size(); ++at) {
      const sim::BodyId k = f.bodies[at];
      for (const sim::BodyId other : bonded[k]) {
        if (met[other]) continue;
        met[other] = 1;
        if (conf.cell.used)
          shift[other] = images.offset(
              images.nearest(instant.body(k).pos + shift[k] - instant.body(other).pos));
        f.bodies.push_back(other);
      }
    }
    std::ranges::sort(f.bodies);
    measure(instant, shift, f);
    fragments.push_back(std::move(f));
  }
  return fragments;
}

}  // namespace scree::tools

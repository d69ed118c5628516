// SPDX-License-Identifier: GPL-3.0-or-later
#include "volume_points.hpp"

#include "scree/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace scree::clump::detail {
namespace {

constexpr int levels = 4;  // the largest cubes are 2^4 smallest ones wide

struct Cutter {
  const SolidDistance& solid;
  VolumePoints& out;

  void add(const Vec3& middle, int level) {
    out.places.push_back(middle);
    out.weights.push_back(1 << (3 * level));
    out.total += out.weights.back();
  }
  void cut(const Vec3& middle, double edge, int level, std::uint32_t guess) {
    const auto near = solid.nearest(middle, guess);
    const double reach = 0.5 * std::sqrt(3.0) * edge;  // of the corners from the middle
    if (near.depth < -reach) return;
    if (level == 0) {
      if (near.depth > 0.0) add(middle, 0);
      return;
    }
    if (near.depth > reach && edge < 0.5 * near.depth) return add(middle, level);
    for (int k = 0; k < 8; ++k)
      cut(middle + 0.25 * edge * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1), 0.5 * edge,
          level - 1, near.triangle);
  }
};

}  // namespace

VolumePoints volumePoints(const SolidDistance& solid, double spacing) {
  VolumePoints out;
  const double edge = std::ldexp(spacing, levels);
  const Vec3 extent = solid.high() - solid.low();
  const Vec3 cubes = (extent / edge).array().ceil().max(1.0);
  if (!(cubes.prod() < 1e6))
    throw GeometryError("the grid over the solid would have too many cubes");
  const Vec3 first =
      0.5 * (solid.low() + solid.high()) - 0.5 * edge * (cubes - Vec3::Constant(1.0));
  for (int i = 0; i < static_cast<int>(cubes.x()); ++i)
    for (int j = 0; j < static_cast<int>(cubes.y()); ++j)
      for (int k = 0; k < static_cast<int>(cubes.z()); ++k)
        Cutter{solid, out}.cut(first + edge * Vec3(i, j, k), edge, levels, 0);
  if (out.places.empty()) throw GeometryError("the solid is thinner than the grid over it");
  return out;
}

}  // namespace scree::clump::detail

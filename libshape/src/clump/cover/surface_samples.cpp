// SPDX-License-Identifier: GPL-3.0-or-later
#include "surface_samples.hpp"

#include <cmath>

namespace scree::clump::detail {

std::vector<SurfaceSample> surfaceSamples(const SolidDistance& solid, std::size_t count) {
  const auto& triangles = solid.triangles();
  std::vector<double> upTo;
  double area = 0.0;
  for (const auto& t : triangles) {
    area += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
    upTo.push_back(area);
  }
  std::vector<SurfaceSample> samples;
  samples.reserve(count);
  std::size_t k = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const double place = area * (static_cast<double>(n) + 0.5) / static_cast<double>(count);
    while (k + 1 < upTo.size() && upTo[k] < place) ++k;
    const auto& t = triangles[k];
    const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    const double length = normal.norm();
    if (!(length > 0.0)) continue;
    const auto part = [n](double step) {
      const double x = 0.5 + step * static_cast<double>(n + 1);
      return x - std::floor(x);
    };
    double u = part(0.7548776662466927), v = part(0.5698402909980532);
    if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
    samples.push_back({t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]), -normal / length,
                       static_cast<std::uint32_t>(k)});
  }
  return samples;
}

}  // namespace scree::clump::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#include "depth_field.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace scree::clump::detail {

DepthField::DepthField(const SolidDistance& solid, double spacing, double margin, int threads)
    : spacing_(spacing) {
  const Vec3 low = solid.low().array() - margin, high = solid.high().array() + margin;
  for (int k = 0; k < 3; ++k) {
    const double cells = std::max(1.0, std::ceil((high[k] - low[k]) / spacing));
    size_[static_cast<std::size_t>(k)] = static_cast<std::size_t>(cells) + 1;
    origin_[k] = 0.5 * (low[k] + high[k]) - 0.5 * cells * spacing;
    upper_[k] = origin_[k] + cells * spacing;
  }
  const std::size_t nx = size_[0], ny = size_[1], nz = size_[2];
  depth_.resize(nx * ny * nz);
  parallelFor(threads, nz, [&](std::size_t z) {
    std::uint32_t guess = 0;
    for (std::size_t y = 0; y < ny; ++y)
      for (std::size_t x = 0; x < nx; ++x) {
        const Vec3 at(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
        const auto near = solid.nearest(origin_ + spacing_ * at, guess);
        guess = near.triangle;
        depth_[(z * ny + y) * nx + x] = static_cast<float>(near.depth);
      }
  });
}

double DepthField::operator()(const Vec3& p) const {
  const Vec3 within = p.cwiseMax(origin_).cwiseMin(upper_);
  const Vec3 at = (within - origin_) / spacing_;
  std::array<std::size_t, 3> cell{};
  Vec3 part;
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    cell[axis] = std::min(static_cast<std::size_t>(at[k]), size_[axis] - 2);
    part[k] = at[k] - static_cast<double>(cell[axis]);
  }
  const std::size_t nx = size_[0], ny = size_[1];
  const std::size_t first = (cell[2] * ny + cell[1]) * nx + cell[0];
  const auto along = [&](std::size_t k) {
    return (1.0 - part.x()) * static_cast<double>(depth_[k]) +
           part.x() * static_cast<double>(depth_[k + 1]);
  };
  const auto across = [&](std::size_t k) {
    return (1.0 - part.y()) * along(k) + part.y() * along(k + nx);
  };
  return (1.0 - part.z()) * across(first) + part.z() * across(first + nx * ny) -
         (p - within).norm();
}

}  // namespace scree::clump::detail

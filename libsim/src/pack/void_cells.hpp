// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a container that may still hold the centre of a body.
#pragma once

#include "centre_grid.hpp"

#include "scree/base/rng.hpp"
#include "scree/sim/pack/container.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace scree::sim {

/// Cells, all of one size, of which none is covered by a single excluded ball or by the wall.
class VoidCells {
 public:
  /// @param inner  [L] least radius of a body to come. Around each ball of `grid`, a ball whose
  /// radius is larger by `inner` excludes its centre.
  VoidCells(const Container& container, const CentreGrid& grid, double inner, double width)
      : container_(container), grid_(grid), inner_(inner) {
    const shape::Aabb& box = container.box();
    for (int k = 0; k < 3; ++k) {
      const double length = box.high[k] - box.low[k];
      const auto n = static_cast<int>(std::ceil(length / width));
      count_[static_cast<std::size_t>(k)] = n;
      width_[k] = length / static_cast<double>(n);
    }
    for (int i = 0; i < count_[0]; ++i)
      for (int j = 0; j < count_[1]; ++j)
        for (int k = 0; k < count_[2]; ++k) keep(box.low + Vec3(i, j, k).cwiseProduct(width_));
  }

  std::size_t size() const { return corners_.size(); }
  bool empty() const { return corners_.empty(); }
  double widest() const { return width_.maxCoeff(); }

  /// Uniform in all cells.
  Vec3 randomPoint(Rng& rng) const {
    const auto n = static_cast<std::size_t>(rng.uniform() * static_cast<double>(corners_.size()));
    Vec3 x = corners_[std::min(n, corners_.size() - 1)];
    for (int k = 0; k < 3; ++k) x[k] += width_[k] * rng.uniform();
    return x;
  }

  /// Divides each cell in eight, and drops those that are covered.
  void divide() {
    std::vector<Vec3> whole;
    whole.swap(corners_);
    width_ *= 0.5;
    for (const Vec3& corner : whole)
      for (int child = 0; child < 8; ++child)
        keep(corner +
             Vec3(child & 1, child >> 1 & 1, child >> 2).cast<double>().cwiseProduct(width_));
  }
  /// Drops those that are covered by now.
  void refresh() {
    std::vector<Vec3> whole;
    whole.swap(corners_);
    for (const Vec3& corner : whole) keep(corner);
  }

 private:
  void keep(const Vec3& corner) {
    const Vec3 middle = corner + 0.5 * width_;
    const double half = 0.5 * width_.norm();
    // Nowhere in the cell is the wall farther off than that.
    if (container_.depth(middle) + half < inner_) return;
    // All of the cell is in one excluded ball. A hair less, for the rounding of corners.
    if (grid_.any(middle, inner_, [&](std::uint32_t, const Vec3& centre, double radius) {
          const Vec3 farthest = (middle - centre).cwiseAbs() + 0.5 * width_;
          const double most = (radius + inner_) * (1.0 - 1e-12);
          return farthest.squaredNorm() < most * most;
        }))
      return;
    corners_.push_back(corner);
  }

  const Container& container_;
  const CentreGrid& grid_;  ///< of the balls that bodies hold
  double inner_;
  Vec3 width_;
  std::array<int, 3> count_{};
  std::vector<Vec3> corners_;
};

}  // namespace scree::sim

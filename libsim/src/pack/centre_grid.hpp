// SPDX-License-Identifier: GPL-3.0-or-later
// Where the bodies of a growing packing stand, for look-ups by place.
#pragma once

#include "scree/base/math.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace scree::sim {

/// Balls in cubic cells of several sizes. Each ball stands in the level whose cells are as wide as
/// its diameter, or up to twice as wide. So small balls among large ones are found as fast.
class CentreGrid {
 public:
  /// @param cell  [L] edges of a periodic cell at the origin; zero: none
  CentreGrid(double largestRadius, const Vec3& cell) : widest_(2.0 * largestRadius), cell_(cell) {}

  double largestRadius() const { return 0.5 * widest_; }

  void add(std::uint32_t item, const Vec3& centre, double radius) {
    std::size_t level = 0;
    while (level < 30 && widthOf(level + 1) >= 2.0 * radius * (1.0 - 1e-9)) ++level;
    while (levels_.size() <= level) levels_.push_back(newLevel(levels_.size()));
    Level& l = levels_[level];
    l.any = true;
    items_.push_back({centre, radius, item});
    l.cells[key(l, cellOf(l, centre))].push_back(static_cast<std::uint32_t>(items_.size() - 1));
  }

  /// Calls f(item, centre of its nearest image, radius) for the balls whose surface may be nearer
  /// to `x` than `reach`, until it returns true. @returns whether it did
  template <class F>
  bool any(const Vec3& x, double reach, F&& f) const {
    for (const Level& l : levels_) {
      if (!l.any) continue;
      const double far = reach + 0.5 * l.largest;
      Cell low, high;
      for (int k = 0; k < 3; ++k) {
        low[k] = static_cast<std::int64_t>(std::floor((x[k] - far) / l.width[k]));
        high[k] = static_cast<std::int64_t>(std::floor((x[k] + far) / l.width[k]));
        if (cell_[k] > 0.0 && high[k] - low[k] >= l.count[k]) high[k] = low[k] + l.count[k] - 1;
      }
      for (std::int64_t i = low[0]; i <= high[0]; ++i)
        for (std::int64_t j = low[1]; j <= high[1]; ++j)
          for (std::int64_t k = low[2]; k <= high[2]; ++k) {
            const auto found = l.cells.find(key(l, {i, j, k}));
            if (found == l.cells.end()) continue;
            for (const std::uint32_t n : found->second) {
              const Ball& ball = items_[n];
              const Vec3 centre = nearestImage(ball.centre, x);
              const double most = reach + ball.radius;
              if ((centre - x).squaredNorm() < most * most && f(ball.item, centre, ball.radius))
                return true;
            }
          }
    }
    return false;
  }

  Vec3 nearestImage(Vec3 centre, const Vec3& x) const {
    for (int k = 0; k < 3; ++k)
      if (cell_[k] > 0.0) centre[k] -= cell_[k] * std::floor((centre[k] - x[k]) / cell_[k] + 0.5);
    return centre;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Ball {
    Vec3 centre;
    double radius;
    std::uint32_t item;
  };
  struct Level {
    bool any = false;
    double largest = 0.0;  ///< diameter
    Vec3 width;
    Cell count{};
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells;
  };

  double widthOf(std::size_t level) const {
    return widest_ / static_cast<double>(std::uint64_t{1} << level);
  }
  Level newLevel(std::size_t k) const {
    Level l;
    l.largest = widthOf(k);
    for (int axis = 0; axis < 3; ++axis) {
      l.width[axis] = l.largest;
      if (cell_[axis] > 0.0) {
        l.count[static_cast<std::size_t>(axis)] =
            std::max<std::int64_t>(1, static_cast<std::int64_t>(cell_[axis] / l.largest));
        l.width[axis] = cell_[axis] / static_cast<double>(l.count[static_cast<std::size_t>(axis)]);
      }
    }
    return l;
  }
  static Cell cellOf(const Level& l, const Vec3& x) {
    Cell c;
    for (int k = 0; k < 3; ++k)
      c[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(x[k] / l.width[k]));
    return c;
  }
  std::uint64_t key(const Level& l, Cell c) const {
    std::uint64_t key = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      if (l.count[k] > 0) c[k] = ((c[k] % l.count[k]) + l.count[k]) % l.count[k];
      key = (key << 21) | (static_cast<std::uint64_t>(c[k] + (1 << 20)) & 0x1fffff);
    }
    return key;
  }

  double widest_;
  Vec3 cell_;
  std::vector<Level> levels_;
  std::vector<Ball> items_;
};

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "even_directions.hpp"

#include "scree/base/math.hpp"

#include <cmath>

namespace scree::clump::detail {

std::vector<Vec3> evenDirections(std::size_t count) {
  std::vector<Vec3> points;
  const double step = 0.5 * (3.0 - std::sqrt(5.0));  // [turns]
  for (std::size_t k = 0; k < count; ++k) {
    const double z = 1.0 - (2.0 * static_cast<double>(k) + 1.0) / static_cast<double>(count);
    const double across = std::sqrt(1.0 - z * z), turns = step * static_cast<double>(k);
    const double part = turns - std::floor(turns);
    points.emplace_back(across * cosOfTurns(part), across * sinOfTurns(part), z);
  }
  return points;
}

}  // namespace scree::clump::detail

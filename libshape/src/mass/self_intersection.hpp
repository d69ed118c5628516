// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace scree::mass::detail {

/// Whether two triangles have more in common than the vertices they share. Exact: triangles that
/// only touch count. Equal vertices must be one.
bool selfIntersects(std::span<const Vec3> vertices,
                    std::span<const std::array<std::uint32_t, 3>> triangles);

}  // namespace scree::mass::detail

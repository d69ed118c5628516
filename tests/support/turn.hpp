// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

namespace scree::scenes {

/// The shortest rotation that brings the direction `from` into the direction `to`; both of any
/// length above 0. Compiled once: Eigen's function brings a singular value decomposition into each
/// unit that names it.
Quat turnBetween(const Vec3& from, const Vec3& to);

}  // namespace scree::scenes

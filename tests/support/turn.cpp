// SPDX-License-Identifier: GPL-3.0-or-later
#include "turn.hpp"

namespace scree::scenes {

Quat turnBetween(const Vec3& from, const Vec3& to) { return Quat::FromTwoVectors(from, to); }

}  // namespace scree::scenes

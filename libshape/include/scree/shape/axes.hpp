// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "scree/base/math.hpp"

#include <array>

namespace scree::shape {

/// Three axes in a settled order and with settled signs.
struct SettledAxes {
  Mat3 axes = Mat3::Identity();        ///< columns; right-handed
  std::array<int, 3> source{0, 1, 2};  ///< column k came from column source[k]
};

/// Axes of a body are known up to their order and signs. This takes, of all right-handed choices,
/// the one closest to the frame they are written in, so that a body turned a little has axes turned
/// a little. Ties are broken by index, never by rounding.
SettledAxes closestToFrame(const Mat3& axes);

/// Completes a unit vector to right-handed axes with it as first column: the second is the frame's
/// axis that lies most across it, projected.
Mat3 axesAlong(const Vec3& direction);

/// Unit quaternion, w >= 0, of a proper rotation matrix; exact identity for the identity.
Quat quaternionOf(const Mat3& rotation);

}  // namespace scree::shape

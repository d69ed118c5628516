// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scree::sim {

/// The time that tables show for a state at `t` [T]: the double next to the shortest decimal within
/// two units in the last place of `t`.
///
/// A time is a start plus a number of steps, and dt = 1e-5 is no double: 10,003 steps of it
/// after 2.4 give 2.5000299999999998, which tables show as 2.50003. The rounding of dt, of the
/// product and of the sum is what the two units cover. Never decreases where `t` increases. NaN and
/// infinities stay.
double tableTime(double t) noexcept;

}  // namespace scree::sim

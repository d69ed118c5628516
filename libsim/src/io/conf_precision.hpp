// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scree::sim {

/// Whether conf-files with this `Conf::precision` hold all digits, so that a run can continue from
/// them to the bit. A double needs 16 decimals after the first digit.
constexpr bool hasAllDigits(int precision) { return precision < 0 || precision >= 16; }

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/double_double.hpp"

namespace scree::elementary {

/// x = (quarter + 4 n) π/2 + rest for some whole n, |rest| <= π/4 and a hair.
struct ReducedAngle {
  unsigned quarter = 0;       ///< 0 to 3
  detail::DoubleDouble rest;  ///< relative error below 2^-70
};
/// Of any finite x. Up to 2^20 quarters by π/2 in parts of 33 bits (W. J. Cody & W. Waite,
/// Software Manual for the Elementary Functions, 1980), beyond by those digits of 2/π that matter
/// (M. Payne & R. Hanek, SIGNUM Newsletter 18, 19-24, 1983).
ReducedAngle reducedAngle(double x);

}  // namespace scree::elementary

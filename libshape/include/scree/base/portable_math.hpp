// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scree {

// Functions whose results reach the state of a run. System libraries may differ in the last digit
// from machine to machine (with and without fused multiply-add); these use + - * / alone, in fixed
// order.

/// Natural logarithm of x > 0 (finite, normal); relative error below 4e-16 away from 1.
double portableLog(double x);

/// cos(2π turns); absolute error below 4e-16 for |turns| < 1e6.
double cosOfTurns(double turns);

}  // namespace scree

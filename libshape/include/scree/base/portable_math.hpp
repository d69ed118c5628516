// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scree {

// Functions whose results reach the state of a run. System libraries may differ in the last digit
// from machine to machine (with and without fused multiply-add); these use + - * / alone, in fixed
// order.

/// Natural logarithm of x > 0 (finite, normal); relative error below 4e-16 away from 1.
double portableLog(double x);

/// cos(2π turns) and sin(2π turns); absolute error below 4e-16 for |turns| < 1e6.
double cosOfTurns(double turns);
double sinOfTurns(double turns);

/// e^x; relative error below 5e-16 where the result is a normal number, 0 and inf beyond.
double portableExp(double x);

/// x^y for x >= 0; exact for y = 1 and y = 2, elsewhere of relative error below
/// 5e-16 (1 + |y ln x|). 0^y is 0 for y > 0, 1 for y = 0, inf for y < 0.
double portablePow(double x, double y);

/// Angle of the point (x, y) from the x axis, in [-π, π]; relative error below 5e-16. 0 for (0, 0).
double portableAtan2(double y, double x);

/// arccos of x in [-1, 1] (beyond: of the nearer end); absolute error below 5e-16.
double portableAcos(double x);

}  // namespace scree

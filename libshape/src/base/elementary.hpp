// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The elementary functions for all that reads input, surveys shapes or builds a state: the same
/// bits on every machine, where system libraries differ in the last digit. These use + - * /,
/// square root and exact functions (frexp, ldexp, nearbyint) alone, in fixed order. Each is within
/// 0.9 units in the last place of the exact value, wherever that is a normal number
/// (tests/unit/base_elementary.cpp). Special values are those of C.
///
/// A call takes 20 to 100 ns. scree/base/math.hpp has quicker ones of 2 to 3 units, for loops over
/// bodies; they keep their bits.
namespace scree::elementary {

/// Functions of an angle in radians. From 2^20 on they have an absolute error of 1e-16, and from
/// 2^50 on they are NaN: a double has no angle there.
double sin(double x);
double cos(double x);
double tan(double x);
/// Angle of the point (x, y) from the x axis, in [-π, π]; the sign is that of y, -0 included.
double atan2(double y, double x);

double exp(double x);
double log(double x);    ///< natural
double log10(double x);  ///< exact at powers of ten
/// x^y; exact where the result is a double. x < 0 needs a whole y.
double pow(double x, double y);
double cbrt(double x);

}  // namespace scree::elementary

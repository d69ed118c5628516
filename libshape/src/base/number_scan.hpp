// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace scree {

/// A number at the start of a text, with the place behind its last character.
template <class Number>
struct Scanned {
  Number value{};
  const char* end = nullptr;  ///< null where the general way has to decide
};

/// Reads decimal digits with at most one point and one exponent, `-12.5e-3`, in one pass.
///
/// The value is the double nearest to the number, ties to even, as std::from_chars gives it. The
/// scan leaves the following to the general way (`end` is null):
/// - more than 19 significant digits, or decimal exponents beyond ±55.
/// - subnormal and too large values, and all other text.
/// - about one number in 500, whose rounding 64 bits do not decide.
/// The caller checks what follows the number.
///
/// Source: D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience
/// 51(8), 2021: the 64 leading bits of a power of five decide the rounding of nearly every number.
Scanned<double> scanNumber(const char* begin, const char* end);

/// Reads up to 18 decimal digits behind an optional minus sign.
inline Scanned<std::int64_t> scanInteger(const char* begin, const char* end) {
  const char* at = begin;
  const bool negative = at < end && *at == '-';
  if (negative) ++at;
  const char* const first = at;
  std::int64_t value = 0;
  for (; at < end && *at >= '0' && *at <= '9'; ++at) {
    if (at - first == 18) return {};
    value = 10 * value + (*at - '0');
  }
  if (at == first) return {};
  return {negative ? -value : value, at};
}

}  // namespace scree

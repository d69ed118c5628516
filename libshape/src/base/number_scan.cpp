// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/number_scan.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace scree {
namespace {

__extension__ using Bits128 = unsigned __int128;

/// 5^q = (bits + r) 2^exponent with 2^63 <= bits and 0 <= r < 1; r = 0 if `exact`.
struct PowerOfFive {
  std::uint64_t bits = 0;
  std::int16_t exponent = 0;
  bool exact = false;
};

constexpr int largest = 55;  // 5^55 is the last power below 2^128

constexpr PowerOfFive positivePower(int q) {
  Bits128 power = 1;
  for (int k = 0; k < q; ++k) power *= 5;
  int shift = 0;
  bool exact = true;
  for (; (power >> 64) != 0; ++shift, power >>= 1) exact = exact && (power & 1) == 0;
  for (; (power >> 63) == 0; --shift) power <<= 1;
  return {static_cast<std::uint64_t>(power), static_cast<std::int16_t>(shift), exact};
}

/// The leading 64 bits of 1 / 5^q by long division, bit by bit.
constexpr PowerOfFive negativePower(int q) {
  Bits128 divisor = 1;
  for (int k = 0; k < q; ++k) divisor *= 5;
  Bits128 remainder = 1;
  std::uint64_t bits = 0;
  int exponent = 0;
  while ((bits >> 63) == 0) {
    const bool carry = (remainder >> 127) != 0;
    remainder <<= 1;
    bits <<= 1;
    --exponent;
    if (carry || remainder >= divisor) {
      remainder -= divisor;
      bits |= 1;
    }
  }
  return {bits, static_cast<std::int16_t>(exponent), false};
}

/// Where 5^q stands among the powers.
constexpr std::size_t place(int q) {
  const int k = largest + q;
  return static_cast<std::size_t>(k);
}

constexpr auto powersOfFive = [] {
  std::array<PowerOfFive, 2 * largest + 1> powers{};
  for (int q = 0; q <= largest; ++q) {
    powers[place(q)] = positivePower(q);
    if (q > 0) powers[place(-q)] = negativePower(q);
  }
  return powers;
}();

bool isDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

/// Adds the digits from `at` on to `number`: eight at a time, then four, then one.
inline __attribute__((always_inline)) const char* takeDigits(const char* at, const char* end,
                                                             std::uint64_t& number) {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - at >= 8) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, at, 8);
      eight -= 0x3030303030303030;  // borrows only where a byte is no digit
      if (((eight | (eight + 0x0606060606060606)) & 0xF0F0F0F0F0F0F0F0) != 0) break;
      eight = eight * 10 + (eight >> 8);  // pairs of digits in bytes 0, 2, 4, 6
      eight = ((eight & 0x000000FF000000FF) * 0x000F424000000064 +
               ((eight >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
              32;
      number = number * 100'000'000 + eight;
      at += 8;
    }
    if (end - at >= 4) {
      std::uint32_t four = 0;
      std::memcpy(&four, at, 4);
      four -= 0x30303030;
      if (((four | (four + 0x06060606)) & 0xF0F0F0F0) == 0) {
        four = four * 10 + (four >> 8);  // pairs of digits in bytes 0 and 2
        number = number * 10'000 + std::uint64_t{four & 0xFF} * 100 + (four >> 16 & 0xFF);
        at += 4;
      }
    }
  }
  for (; at < end && isDigit(*at); ++at)
    number = 10 * number + static_cast<std::uint64_t>(*at - '0');
  return at;
}

/// Writes the double nearest to number 10^q, without sign, if 64 bits of 5^q decide it.
bool nearest(std::uint64_t number, int q, double& value) {
  if (number == 0) {
    value = 0.0;
    return true;
  }
  if (q < -largest || q > largest) return false;
  const PowerOfFive& power = powersOfFive[place(q)];
  const int zeros = std::countl_zero(number);
  // The true product is at least this one and less than 2^64 above it.
  const Bits128 product = static_cast<Bits128>(number << zeros) * power.bits;
  const auto high = static_cast<std::uint64_t>(product >> 64);
  const auto low = static_cast<std::uint64_t>(product);
  const int cut = high >> 63 != 0 ? 11 : 10;
  const std::uint64_t half = std::uint64_t{1} << (cut - 1);
  const std::uint64_t rest = high & (2 * half - 1);
  std::uint64_t mantissa = high >> cut;
  if (power.exact) {
    if (rest == half && low == 0) return false;  // a tie
  } else if (rest == half - 1 || (rest == half && low == 0)) {
    return false;
  }
  if (rest >= half) ++mantissa;
  int exponent = cut + 64 + power.exponent + q - zeros;
  if (mantissa >> 53 != 0) {
    mantissa >>= 1;
    ++exponent;
  }
  const int biased = exponent + 52 + 1023;
  if (biased < 1 || biased > 2046) return false;
  value = std::bit_cast<double>((static_cast<std::uint64_t>(biased) << 52) |
                                (mantissa & ((std::uint64_t{1} << 52) - 1)));
  return true;
}

}  // namespace

Scanned<double> scanNumber(const char* begin, const char* end) {
  const char* at = begin;
  const bool negative = at < end && *at == '-';
  if (negative) ++at;
  const char* first = at;
  std::uint64_t number = 0;
  at = takeDigits(at, end, number);
  auto digits = at - first;
  int exponent = 0;
  if (at < end && *at == '.') {
    const char* const point = ++at;
    at = takeDigits(at, end, number);
    exponent = -static_cast<int>(std::min<std::ptrdiff_t>(at - point, 1000));
    digits += at - point;
  }
  if (digits == 0) return {};
  if (digits > 19) {
    for (; *first == '0' || *first == '.'; ++first)
      if (*first == '0' && --digits <= 19) break;
    if (digits > 19) return {};
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    ++at;
    const bool below = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    int written = 0;
    const char* const firstDigit = at;
    for (; at < end && isDigit(*at) && at - firstDigit < 4; ++at)
      written = 10 * written + *at - '0';
    if (at == firstDigit || (at < end && isDigit(*at))) return {};
    exponent += below ? -written : written;
  }
  double value = 0.0;
  if (!nearest(number, exponent, value)) return {};
  return {negative ? -value : value, at};
}

}  // namespace scree

// SPDX-License-Identifier: GPL-3.0-or-later
#include "reduced_angle.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace scree::elementary {
namespace {

using DD = detail::DoubleDouble;

/// 2/π, 32 bits after the other from the binary point on.
constexpr std::uint32_t twoOverPi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

/// Of |x| >= 2^20.
ReducedAngle byDigits(double x) {
  int exponent = 0;
  const double m = std::ldexp(std::frexp(x, &exponent), 53);  // whole, |m| in [2^52, 2^53)
  exponent -= 53;                                             // x = m 2^exponent
  const auto digits = static_cast<std::uint64_t>(std::abs(m));
  // Digits of 2/π that make multiples of 4 quarters are left out; 288 of the following suffice.
  constexpr int parts = 9;
  const int first = exponent >= 34 ? (exponent - 2) / 32 : 0;
  std::array<std::uint32_t, parts + 2> product{};  // lowest part first
  const std::uint64_t factor[2] = {digits & 0xffffffffu, digits >> 32};
  for (std::size_t f = 0; f < 2; ++f) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < parts; ++k) {
      const std::uint64_t part = twoOverPi[static_cast<std::size_t>(first) + parts - 1 - k];
      carry += factor[f] * part + product[k + f];
      product[k + f] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[parts + f] = static_cast<std::uint32_t>(carry);
  }
  // The binary point stands above so many bits; two more count quarters.
  const int point = 32 * (first + parts) - exponent;
  const auto bit = [&](int b) {
    const auto at = static_cast<std::size_t>(b / 32);
    return at < product.size() ? (product[at] >> (b % 32)) & 1u : 0u;
  };
  unsigned quarter = bit(point) + 2u * bit(point + 1);
  const bool up = bit(point - 1) != 0;  // to the nearest quarter
  for (std::size_t k = 0; k < product.size(); ++k) {
    const int lowest = 32 * static_cast<int>(k);
    if (up) product[k] = ~product[k];  // what is missing to it, less one last bit
    if (lowest >= point)
      product[k] = 0;
    else if (lowest + 32 > point)
      product[k] &= (1u << (point - lowest)) - 1u;
  }
  DD share;
  for (std::size_t k = product.size(); k-- > 0;)
    share =
        share + DD(std::ldexp(static_cast<double>(product[k]), 32 * static_cast<int>(k) - point));
  if (up) {
    share = -share;
    ++quarter;
  }
  constexpr DD halfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  DD rest = share * halfPi;
  if (x < 0.0) {
    rest = -rest;
    quarter = 4u - quarter % 4u;
  }
  return {quarter % 4u, rest};
}

}  // namespace

ReducedAngle reducedAngle(double x) {
  if (std::abs(x) >= 0x1p20) return byDigits(x);
  const double k = std::nearbyint(x * 0x1.45f306dc9c883p-1);
  // k times a part is exact, and so is the first difference.
  DD rest = DD::sum(x - k * 0x1.921fb54400000p+0, -(k * 0x1.0b4611a600000p-34));
  rest = rest + DD(-(k * 0x1.3198a2e000000p-69));
  rest = rest + DD(-(k * 0x1.b839a252049c1p-104));
  const auto turns = static_cast<std::int64_t>(k);
  return {static_cast<unsigned>(turns & 3), rest};
}

}  // namespace scree::elementary

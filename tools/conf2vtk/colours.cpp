// SPDX-License-Identifier: GPL-3.0-or-later
#include "colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace scree::tools {
namespace {

/// Linear light of sRGB, each channel 0 to 1.
image::Colour linear(const std::array<double, 3>& srgb) {
  image::Colour out{};
  for (std::size_t c = 0; c < 3; ++c)
    out[c] = static_cast<float>(srgb[c] <= 0.04045 ? srgb[c] / 12.92
                                                   : std::pow((srgb[c] + 0.055) / 1.055, 2.4));
  return out;
}

std::array<double, 3> ofHex(std::uint32_t hex) {
  return {(hex >> 16U & 255U) / 255.0, (hex >> 8U & 255U) / 255.0, (hex & 255U) / 255.0};
}

std::array<double, 3> between(std::uint32_t from, std::uint32_t to, double share) {
  std::array<double, 3> a = ofHex(from), b = ofHex(to);
  for (std::size_t c = 0; c < 3; ++c) a[c] += share * (b[c] - a[c]);
  return a;
}

}  // namespace

image::Colour scaleColour(double share) {
  constexpr std::array<std::uint32_t, 9> anchors{0x440154, 0x482878, 0x3b518b, 0x2c718e, 0x21908d,
                                                 0x27ad81, 0x5cc863, 0xaadc32, 0xfde725};
  const double s = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0) * 8.0;
  const auto k = std::min<std::size_t>(7, static_cast<std::size_t>(s));
  return linear(between(anchors[k], anchors[k + 1], s - static_cast<double>(k)));
}

image::Colour categoryColour(double value) {
  // Hue, with a saturation of 0.55 and a lightness of 0.55.
  const double turns = 0.58 + 0.61803398875 * value, hue = turns - std::floor(turns);
  const double chroma = 0.55 * (1.0 - std::abs(2.0 * 0.55 - 1.0)), low = 0.55 - 0.5 * chroma;
  std::array<double, 3> srgb{};
  for (std::size_t c = 0; c < 3; ++c) {
    const double offset = c == 0 ? 1.0 / 3.0 : c == 1 ? 0.0 : -1.0 / 3.0;
    const double h = hue + offset - std::floor(hue + offset);
    srgb[c] = low + chroma * std::clamp(2.0 - std::abs(6.0 * h - 2.0), 0.0, 1.0);
  }
  return linear(srgb);
}

image::Colour forceColour(double share) {
  return linear(between(0xf2c14e, 0xb3123b, std::clamp(share, 0.0, 1.0)));
}

}  // namespace scree::tools

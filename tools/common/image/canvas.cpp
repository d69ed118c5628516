// SPDX-License-Identifier: GPL-3.0-or-later
#include "render.hpp"

#include <algorithm>
#include <cmath>
#include <png.h>
#include <stdexcept>

namespace scree::tools::image {
namespace {

/// Letters of 5 x 7 points from ' ' to '~': five columns each in hexadecimal, lowest bit on top.
constexpr std::string_view font =
    "000000000000005f00000007000700147f147f14242a7f2a12231308646236495522500005030000"
    "001c2241000041221c00082a1c2a0808083e08080050300000080808080800606000002010080402"
    "3e5149453e00427f400042615149462141454b311814127f1027454545393c4a4949300171090503"
    "3649494936064949291e003636000000563600000814224100141414141400412214080201510906"
    "324979413e7e1111117e7f494949363e414141227f4141221c7f494949417f090909013e4149497a"
    "7f0808087f00417f41002040413f017f081422417f404040407f020c027f7f0408107f3e4141413e"
    "7f090909063e4151215e7f09192946464949493101017f01013f4040403f1f2040201f3f4038403f"
    "631408146307087008076151494543007f41410002040810200041417f0004020102044040404040"
    "000102040020545454787f484444383844444420384444487f3854545418087e0901020c5252523e"
    "7f0804047800447d40002040443d007f1028440000417f40007c041804787c080404783844444438"
    "7c14141408081414187c7c080404084854545420043f4440203c4040207c1c2040201c3c4030403c"
    "44281028440c5050503c4464544c44000836410000007f000000413608000804081008";

/// Whether a letter has ink in a column at a height, counted from the top.
bool hasInk(char c, int column, int row) {
  const auto letter = static_cast<std::size_t>(c >= ' ' && c <= '~' ? c - ' ' : '?' - ' ');
  const char digit = font[10 * letter + 2 * static_cast<std::size_t>(column) + (row < 4 ? 1 : 0)];
  return ((digit >= 'a' ? digit - 'a' + 10 : digit - '0') >> row % 4 & 1) != 0;
}

/// sRGB of linear light by a table of 4096 steps: finer than 8 bits show, and no power a pixel.
const std::array<std::uint8_t, 4097>& srgbTable() {
  static const auto table = [] {
    std::array<std::uint8_t, 4097> out{};
    for (std::size_t k = 0; k < out.size(); ++k) {
      const double x = static_cast<double>(k) / 4096.0;
      const double y = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1.0 / 2.4) - 0.055;
      out[k] = static_cast<std::uint8_t>(std::lround(255.0 * y));
    }
    return out;
  }();
  return table;
}

}  // namespace

Canvas::Canvas(int width, int height, Colour background)
    : width_(width),
      height_(height),
      pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), background) {}

void Canvas::blend(int x, int y, const Colour& colour, float alpha) {
  if (x < 0 || y < 0 || x >= width_ || y >= height_) return;
  Colour& pixel = pixels_[rowMajor(x, y, width_)];
  for (std::size_t c = 0; c < 3; ++c) pixel[c] += alpha * (colour[c] - pixel[c]);
}

void Canvas::line(double x0, double y0, double x1, double y1, double width, const Colour& colour,
                  float alpha) {
  const double reach = 0.5 * width + 1.0, dx = x1 - x0, dy = y1 - y0;
  const double length2 = dx * dx + dy * dy;
  const auto pixel = [](double v, int most) {
    return static_cast<int>(std::clamp(std::floor(v), 0.0, static_cast<double>(most)));
  };
  for (int y = pixel(std::min(y0, y1) - reach, height_ - 1);
       y <= pixel(std::max(y0, y1) + reach, height_ - 1); ++y)
    for (int x = pixel(std::min(x0, x1) - reach, width_ - 1);
         x <= pixel(std::max(x0, x1) + reach, width_ - 1); ++x) {
      const double px = x + 0.5 - x0, py = y + 0.5 - y0;
      const double s = length2 > 0.0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0.0;
      const double off = std::hypot(px - s * dx, py - s * dy);
      const double cover = std::clamp(0.5 * width + 0.5 - off, 0.0, 1.0);
      if (cover > 0.0) blend(x, y, colour, alpha * static_cast<float>(cover));
    }
}

void Canvas::text(int x, int y, std::string_view words, int scale, const Colour& colour) {
  for (const char c : words) {
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < textHeight; ++j)
        if (hasInk(c, i, j))
          for (int k = 0; k < scale * scale; ++k)
            blend(x + i * scale + k % scale, y + j * scale + k / scale, colour, 1.0F);
    x += 6 * scale;
  }
}

int Canvas::textWidth(std::string_view words, int scale) {
  return words.empty() ? 0 : static_cast<int>(words.size()) * 6 * scale - scale;
}

std::string Canvas::png() const {
  const auto& srgb = srgbTable();
  std::vector<png_byte> bytes;
  bytes.reserve(3 * pixels_.size());
  for (const Colour& pixel : pixels_)
    for (const float c : pixel)
      bytes.push_back(
          srgb[static_cast<std::size_t>(std::lround(std::clamp(c, 0.0F, 1.0F) * 4096.0F))]);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(width_);
  header.height = static_cast<png_uint_32>(height_);
  header.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string out(size, '\0');
  if (png_image_write_to_memory(&header, out.data(), &size, 0, bytes.data(), 0, nullptr) == 0)
    throw std::runtime_error(std::string("PNG: ") + header.message);
  out.resize(size);
  return out;
}

}  // namespace scree::tools::image

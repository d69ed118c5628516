// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scree::tools::image {

using Colour = std::array<float, 3>;  ///< linear light, 0 to 1

/// A picture in linear light; (0, 0) is the upper left corner, pixels have their centre at + 0.5.
class Canvas {
 public:
  Canvas(int width, int height, Colour background);

  int width() const { return width_; }
  int height() const { return height_; }
  Colour& at(int x, int y) { return pixels_[index(x, y)]; }
  const Colour& at(int x, int y) const { return pixels_[index(x, y)]; }

  /// Mixes `alpha` of a colour in; nothing outside of the picture.
  void blend(int x, int y, const Colour& colour, float alpha);
  /// A line with soft edges, `width` pixels wide.
  void line(double x0, double y0, double x1, double y1, double width, const Colour& colour,
            float alpha = 1.0F);
  /// Text with its upper left corner at (x, y), each point of the 5 x 7 letters `scale` pixels
  /// wide. What is not ASCII shows as '?'.
  void text(int x, int y, std::string_view words, int scale, const Colour& colour);
  static int textWidth(std::string_view words, int scale);
  static constexpr int textHeight = 7;

  /// PNG with 8 bits a channel, sRGB. The same picture gives the same bytes with one libpng.
  /// @throws std::runtime_error where libpng fails
  std::string png() const;

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  int width_, height_;
  std::vector<Colour> pixels_;
};

}  // namespace scree::tools::image

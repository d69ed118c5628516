// SPDX-License-Identifier: GPL-3.0-or-later
#include "render.hpp"

#include "scree/base/text_writer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::tools::image {
namespace {

constexpr Colour ink{0.045F, 0.05F, 0.06F};

}  // namespace

// Drawn in short pieces: those that a body hides are faint.
void drawLine(Canvas& canvas, const Rendering& r, const Vec3& a, const Vec3& b,
              const Colour& colour) {
  const Vec3 from = r.project(a), to = r.project(b);
  const int n = std::clamp(static_cast<int>((to - from).head<2>().norm() / 3.0), 1, 4000);
  const auto hidden = [&](const Vec3& p) {
    const int x = static_cast<int>(std::floor(p.x())) - r.frame.x,
              y = static_cast<int>(std::floor(p.y())) - r.frame.y;
    if (x < 0 || y < 0 || x >= r.frame.width || y >= r.frame.height) return false;
    const float depth =
        r.depth[static_cast<std::size_t>(y) * static_cast<std::size_t>(r.frame.width) +
                static_cast<std::size_t>(x)];
    return static_cast<double>(depth) < p.z() - 2.0 * r.pixelSize;
  };
  for (int k = 0; k < n; ++k) {
    const Vec3 p = r.project(a + (b - a) * k / n), q = r.project(a + (b - a) * (k + 1) / n);
    if (hidden(0.5 * (p + q))) {
      if (k % 3 == 0) canvas.line(p.x(), p.y(), q.x(), q.y(), 1.0, colour, 0.45F);
    } else {
      canvas.line(p.x(), p.y(), q.x(), q.y(), 1.3, colour, 0.95F);
    }
  }
}

std::vector<Vec3> corners(const shape::Obb& box) {
  std::vector<Vec3> out;
  for (int k = 0; k < 8; ++k)
    out.push_back(box.centre + box.axes * Vec3((k & 1 ? 1 : -1) * box.extent.x(),
                                               (k & 2 ? 1 : -1) * box.extent.y(),
                                               (k & 4 ? 1 : -1) * box.extent.z()));
  return out;
}

void drawBox(Canvas& canvas, const Rendering& r, const shape::Obb& box, const Colour& colour) {
  const std::vector<Vec3> at = corners(box);
  for (std::size_t k = 0; k < 8; ++k)
    for (const std::size_t bit : {1u, 2u, 4u})
      if (!(k & bit)) drawLine(canvas, r, at[k], at[k | bit], colour);
}

void drawAxes(Canvas& canvas, const Rendering& r, int scale, const Quat& turn) {
  struct Axis {
    Vec3 direction;
    char name;
    Colour colour;
  };
  std::array<Axis, 3> axes{{{rotated(turn, Vec3::UnitX()), 'x', {0.60F, 0.06F, 0.05F}},
                            {rotated(turn, Vec3::UnitY()), 'y', {0.06F, 0.32F, 0.08F}},
                            {rotated(turn, Vec3::UnitZ()), 'z', {0.05F, 0.14F, 0.55F}}}};
  // The one that points away is drawn first.
  std::sort(axes.begin(), axes.end(), [&](const Axis& a, const Axis& b) {
    return a.direction.dot(r.towards) < b.direction.dot(r.towards);
  });
  const double length = 15.0 * scale, x = r.frame.x + 23.0 * scale,
               y = r.frame.y + r.frame.height - 23.0 * scale;
  for (const Axis& axis : axes) {
    const double dx = axis.direction.dot(r.right), dy = -axis.direction.dot(r.up);
    canvas.line(x, y, x + length * dx, y + length * dy, 1.0 * scale, axis.colour);
    const double reach = length + 5.0 * scale;
    canvas.text(static_cast<int>(std::lround(x + reach * dx - 2.5 * scale)),
                static_cast<int>(std::lround(y + reach * dy - 3.5 * scale)),
                std::string_view(&axis.name, 1), scale, axis.colour);
  }
}

void drawScaleBar(Canvas& canvas, const Rendering& r, int scale, std::string_view unit) {
  // The largest of 1, 2, 5 times a power of ten that takes at most 28 % of the width.
  const double most = 0.28 * r.frame.width * r.pixelSize;
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  double bar = power;
  for (const double step : {2.0, 5.0})
    if (step * power <= most) bar = step * power;
  const double pixels = bar / r.pixelSize, right = r.frame.x + r.frame.width - 10.0 * scale,
               y = r.frame.y + r.frame.height - 8.0 * scale, tick = 2.5 * scale;
  canvas.line(right - pixels, y, right, y, 1.0 * scale, ink);
  canvas.line(right - pixels, y - tick, right - pixels, y + tick, 1.0 * scale, ink);
  canvas.line(right, y - tick, right, y + tick, 1.0 * scale, ink);
  // The power may carry rounding; the words shall not.
  std::string words =
      shortest(std::stod(std::to_string(static_cast<int>(std::lround(bar / power))) + "e" +
                         std::to_string(std::lround(std::log10(power)))));
  if (!unit.empty()) words.append(" ").append(unit);
  canvas.text(static_cast<int>(right - 0.5 * pixels) - Canvas::textWidth(words, scale) / 2,
              static_cast<int>(y) - 11 * scale, words, scale, ink);
}

}  // namespace scree::tools::image

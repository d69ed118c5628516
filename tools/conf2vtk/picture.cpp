// SPDX-License-Identifier: GPL-3.0-or-later
#include "picture.hpp"

#include "image/render.hpp"

#include "scree/base/error.hpp"
#include "scree/base/files.hpp"
#include "scree/base/text_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <set>

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

/// Viridis (matplotlib, CC0): 0 is dark violet, 1 is yellow. page/page.js has the same colours.
image::Colour scaleColour(double share) {
  constexpr std::array<std::uint32_t, 9> anchors{0x440154, 0x482878, 0x3b518b, 0x2c718e, 0x21908d,
                                                 0x27ad81, 0x5cc863, 0xaadc32, 0xfde725};
  const double s = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0) * 8.0;
  const auto k = std::min<std::size_t>(7, static_cast<std::size_t>(s));
  return linear(between(anchors[k], anchors[k + 1], s - static_cast<double>(k)));
}

/// Neighbouring numbers get hues far from each other.
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

/// Colours of force chains: 0 pale yellow, 1 dark red.
image::Colour forceColour(double share) {
  return linear(between(0xf2c14e, 0xb3123b, std::clamp(share, 0.0, 1.0)));
}

using image::Canvas;
using image::Colour;

using image::ink;

constexpr Colour grey{0.30F, 0.33F, 0.37F};   ///< of a haze
constexpr Colour alike{0.70F, 0.58F, 0.42F};  ///< where all values are equal
constexpr Colour stone{0.55F, 0.55F, 0.54F};  ///< of driven bodies that are solid

class Painter {
 public:
  Painter(const ViewSeries& series, const PictureOptions& options)
      : series_(series), options_(options), array_(firstArray(series, options.colourBy)) {
    // Pictures have z upwards, so the scene is turned.
    turn_ = shortestTurn(series.up, Vec3::UnitZ());
    // Gravity along y is what Rockable's users draw: then x runs to the right, z to the viewer.
    if (std::abs(series.up.y()) > 0.5)
      turn_ = Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitZ())) * turn_;
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
      corners.push_back(rotated(turn_, Vec3(k & 1 ? series.high.x() : series.low.x(),
                                            k & 2 ? series.high.y() : series.low.y(),
                                            k & 4 ? series.high.z() : series.low.z())));
    image::View view;
    view.marginTop = 0.05;
    view.marginBottom = 0.13;
    camera_ = image::cameraFor({0, 0, options.width, options.height}, {}, corners, view);
    low_ = array_ < series.arrays.size() ? series.arrays[array_].low : 0.0;
    high_ = array_ < series.arrays.size() ? series.arrays[array_].high : 0.0;
  }

  std::string png(const ViewFrame& frame) {
    Canvas canvas(options_.width, options_.height, image::white);
    if (!veils_) veils_ = veilsIn(frame);
    std::vector<image::Placed> solid, haze;
    for (std::size_t b = 0; b < frame.bodies(); ++b)
      (isHaze(frame, b) ? haze : solid).push_back(placed(frame, b));
    // Where nothing moves by forces, what is driven is all there is to see.
    if (solid.empty()) solid.swap(haze);
    if (!solid.empty()) drawScene(canvas, frame, solid, haze);
    drawWords(canvas, frame);
    return canvas.png();
  }

 private:
  image::Placed placed(const ViewFrame& frame, std::size_t b) {
    return {surfaceOf(frame.shape[b]), rotated(turn_, frame.position[b]),
            (turn_ * frame.orientation[b]).normalized(), static_cast<double>(frame.homothety[b]),
            colourOf(frame, b)};
  }

  /// Whether a body is drawn as a haze: walls, behind which the others would not be seen.
  bool isHaze(const ViewFrame& frame, std::size_t b) const {
    return frame.driven[b] == 2 || (frame.driven[b] == 1 && veils_->contains(frame.id[b]));
  }

  /// Driven bodies, not flat, that each hide more than a quarter of what moves by forces: a drum,
  /// or thick walls of a box. A terrain hides less, and is drawn solid.
  std::set<std::int32_t> veilsIn(const ViewFrame& frame) {
    std::vector<image::Placed> unbound, driven;
    std::vector<std::int32_t> ids;
    for (std::size_t b = 0; b < frame.bodies(); ++b) {
      if (frame.driven[b] == 2) continue;
      (frame.driven[b] ? driven : unbound).push_back(placed(frame, b));
      if (frame.driven[b]) ids.push_back(frame.id[b]);
    }
    if (unbound.empty() || driven.empty()) return {};
    const image::Sight moving = image::draw(nullptr, camera_, unbound, options_.threads),
                       fixed = image::draw(nullptr, camera_, driven, options_.threads);
    std::vector<std::size_t> hidden(driven.size(), 0);
    std::size_t all = 0;
    for (std::size_t k = 0; k < moving.depth.size(); ++k) {
      if (moving.body[k] < 0) continue;
      ++all;
      if (fixed.depth[k] < moving.depth[k]) ++hidden[static_cast<std::size_t>(fixed.body[k])];
    }
    std::set<std::int32_t> veils;
    for (std::size_t k = 0; k < driven.size(); ++k)
      if (4 * hidden[k] > all) veils.insert(ids[k]);
    return veils;
  }

  const image::Surface* surfaceOf(const DrawnShape* shape) {
    const Outline& rounded = shape->rounded;
    auto& surface = surfaces_[shape];
    if (!surface)
      surface = std::make_unique<image::Surface>(
          image::surfaceOf(rounded.points, rounded.normals, rounded.polygons.get()));
    return surface.get();
  }

  Colour colourOf(const ViewFrame& frame, std::size_t b) const {
    if (frame.driven[b]) return stone;
    if (array_ >= series_.arrays.size()) return alike;
    const double value = static_cast<double>(frame.values[array_][b]);
    if (series_.arrays[array_].category) return categoryColour(value);
    // Where all are equal, there is nothing to tell apart.
    if (!(low_ < high_)) return alike;
    return scaleColour((value - low_) / (high_ - low_));
  }

  void drawScene(Canvas& canvas, const ViewFrame& frame, const std::vector<image::Placed>& solid,
                 const std::vector<image::Placed>& haze) const {
    const image::Sight sight = image::draw(&canvas, camera_, solid, options_.threads);
    const auto pixelAt = [&](std::size_t k) -> Colour& {
      return canvas.at(static_cast<int>(k % static_cast<std::size_t>(options_.width)),
                       static_cast<int>(k / static_cast<std::size_t>(options_.width)));
    };
    const auto mix = [](Colour& pixel, const Colour& with, float share) {
      for (std::size_t c = 0; c < 3; ++c) pixel[c] += share * (with[c] - pixel[c]);
    };
    // A haze is thicker behind the other bodies than in front of them.
    const image::Sight veil = image::draw(nullptr, camera_, haze, options_.threads);
    for (std::size_t k = 0; k < veil.depth.size(); ++k) {
      const bool behind = sight.body[k] < 0;
      if (veil.body[k] >= 0 && (behind || veil.depth[k] < sight.depth[k]))
        mix(pixelAt(k), grey, behind ? 0.22F : 0.08F);
    }
    outlineHaze(canvas, veil.depth);
    if (options_.chains && !frame.chains.empty()) {
      for (std::size_t k = 0; k < sight.body.size(); ++k)
        if (sight.body[k] >= 0) mix(pixelAt(k), image::white, 0.55F);
      drawChains(canvas, frame);
    }
    if (frame.cell)
      for (int k = 0; k < 8; ++k)
        for (const int bit : {1, 2, 4})
          if (!(k & bit)) {
            const auto corner = [&](int c) {
              return rotated(turn_, frame.h * Vec3(c & 1, c >> 1 & 1, c >> 2));
            };
            image::drawLine(canvas, camera_, sight, corner(k), corner(k | bit), ink);
          }
    for (const ViewWall& wall : frame.walls) drawWall(canvas, sight, wall);
    image::drawAxes(canvas, camera_, scale, turn_);
    image::drawScaleBar(canvas, camera_, scale, "m");
  }

  /// A thin line where the haze begins or steps back.
  void outlineHaze(Canvas& canvas, const std::vector<float>& depth) const {
    const auto width = static_cast<std::size_t>(options_.width);
    const float step = static_cast<float>(0.02 * (series_.high - series_.low).norm());
    for (std::size_t k = width; k < depth.size(); ++k) {
      if (k % width == 0) continue;
      const float here = std::min(depth[k], 1e29F), left = std::min(depth[k - 1], 1e29F),
                  above = std::min(depth[k - width], 1e29F);
      if (std::abs(here - left) > step || std::abs(here - above) > step)
        canvas.blend(static_cast<int>(k % width), static_cast<int>(k / width), grey, 0.5F);
    }
  }

  void drawChains(Canvas& canvas, const ViewFrame& frame) const {
    std::vector<std::size_t> order(frame.chains.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(
        order, {}, [&](std::size_t k) { return static_cast<double>(frame.chains[k].fn); });
    for (const std::size_t k : order) {
      const ViewChain& chain = frame.chains[k];
      const Vec3 a = camera_.project(rotated(turn_, chain.from)),
                 b = camera_.project(rotated(turn_, chain.to));
      const double width =
          std::max(1.0, 2.0 * static_cast<double>(chain.radius) / camera_.pixelSize);
      const double share = std::sqrt(std::max(0.0, static_cast<double>(chain.fn)) /
                                     std::max(series_.highestForce, 1e-300));
      canvas.line(a.x(), a.y(), b.x(), b.y(), width, forceColour(share));
    }
  }

  /// A cylinder or cone by its rims and the lines where it turns away, a ball by its outline.
  void drawWall(Canvas& canvas, const image::Sight& sight, const ViewWall& wall) const {
    struct Side {
      int faces = 0;    ///< that meet here
      int towards = 0;  ///< those that face the camera, less the others
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Side> sides;
    for (std::size_t f = 0; f < wall.polygons.size(); ++f) {
      const auto corners = wall.polygons[f];
      const auto at = [&](std::size_t k) { return rotated(turn_, wall.points[corners[k]]); };
      const Vec3 normal = (at(1) - at(0)).cross(at(2) - at(0));
      for (std::size_t k = 0; k < corners.size(); ++k) {
        Side& side = sides[std::minmax(corners[k], corners[(k + 1) % corners.size()])];
        ++side.faces;
        side.towards += normal.dot(camera_.towards) > 0.0 ? 1 : -1;
      }
    }
    if (std::ranges::any_of(sides, [](const auto& side) { return side.second.faces == 1; })) {
      for (const auto& [ends, side] : sides)
        if (side.faces == 1 || side.towards == 0)
          image::drawLine(canvas, camera_, sight, rotated(turn_, wall.points[ends.first]),
                          rotated(turn_, wall.points[ends.second]), ink);
      return;
    }
    if (wall.points.empty()) return;
    Vec3 centre = Vec3::Zero();
    for (const Vec3& p : wall.points) centre += p / static_cast<double>(wall.points.size());
    const double radius = (wall.points.front() - centre).norm();
    const Vec3 middle = rotated(turn_, centre);
    constexpr int n = 128;
    const auto at = [&](int k) {
      const double a = 2.0 * std::numbers::pi * k / n;
      return Vec3(middle + radius * (std::cos(a) * camera_.right + std::sin(a) * camera_.up));
    };
    for (int k = 0; k < n; ++k) image::drawLine(canvas, camera_, sight, at(k), at(k + 1), ink);
  }

  void drawWords(Canvas& canvas, const ViewFrame& frame) const {
    canvas.text(12, 12, fmt::format("t = {:.6g} s   {}", frame.time, frame.source), scale, ink);
    const bool forces = options_.chains && series_.highestForce > 0.0;
    // Two bars stand between the axes on the left and the bar of a length on the right.
    const int width = forces ? options_.width * 11 / 50 : options_.width / 3;
    const int x = forces ? options_.width * 3 / 20 : (options_.width - width) / 2;
    if (array_ < series_.arrays.size()) drawArray(canvas, frame, x, width);
    if (!forces) return;
    // A quarter of the largest force is in the middle.
    const double most = series_.highestForce;
    drawBar(canvas, "force of chains (N), root scale", x + width + options_.width / 16, width,
            {0.0, 0.25 * most, most}, forceColour);
  }

  void drawArray(Canvas& canvas, const ViewFrame& frame, int x, int width) const {
    const ViewArray& array = series_.arrays[array_];
    const std::string name =
        array.unit.empty() ? array.name : fmt::format("{} ({})", array.name, array.unit);
    if (array.category) {
      drawCentred(canvas, name, x + width / 2, top() - tall - 8);
      drawCategories(canvas, frame, x, top(), width);
    } else if (low_ < high_) {
      drawBar(canvas, name, x, width, {low_, 0.5 * (low_ + high_), high_}, scaleColour);
    } else {
      drawCentred(canvas, fmt::format("{} = {:.4g} {}", array.name, low_, array.unit),
                  x + width / 2, top());
    }
  }

  /// A colour bar with its name above, and numbers below its ends and its middle.
  void drawBar(Canvas& canvas, const std::string& name, int left, int width,
               const std::array<double, 3>& numbers, Colour (*colour)(double)) const {
    drawCentred(canvas, name, left + width / 2, top() - tall - 8);
    for (int x = 0; x < width; ++x)
      for (int y = 0; y < 16; ++y) canvas.at(left + x, top() + y) = colour((x + 0.5) / width);
    for (int k = 0; k < 3; ++k)
      drawCentred(canvas, fmt::format("{:.4g}", numbers[static_cast<std::size_t>(k)]),
                  left + k * width / 2, top() + 22);
  }

  static void drawCentred(Canvas& canvas, const std::string& words, int x, int y) {
    canvas.text(x - Canvas::textWidth(words, scale) / 2, y, words, scale, ink);
  }
  /// Upper end of colour bars.
  int top() const { return options_.height - 2 * tall - 26; }

  void drawCategories(Canvas& canvas, const ViewFrame& frame, int x, int y, int width) const {
    std::set<float> seen;
    for (std::size_t b = 0; b < frame.bodies(); ++b)
      if (!frame.driven[b]) seen.insert(frame.values[array_][b]);
    const int step = std::max(50, width / std::max(1, static_cast<int>(seen.size())));
    int count = 0;
    for (const float value : seen) {
      if (++count * step > options_.width - x) break;
      const int left = x + (count - 1) * step;
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j)
          canvas.at(left + i, y + j) = categoryColour(static_cast<double>(value));
      canvas.text(left + 20, y + 1, fmt::format("{:g}", value), scale, ink);
    }
  }

  static constexpr int scale = 2, tall = Canvas::textHeight * scale;
  const ViewSeries& series_;
  const PictureOptions& options_;
  std::size_t array_;
  Quat turn_ = Quat::Identity();
  image::Camera camera_;
  std::optional<std::set<std::int32_t>> veils_;  ///< by the first picture, for all of a series
  double low_ = 0.0, high_ = 0.0;
  std::map<const DrawnShape*, std::unique_ptr<image::Surface>> surfaces_;
};

}  // namespace

std::vector<std::string> picturePaths(const std::string& path, std::size_t count) {
  if (count == 1) return {path};
  const std::filesystem::path whole(path);
  const std::string stem = (whole.parent_path() / whole.stem()).string();
  std::vector<std::string> paths;
  for (std::size_t k = 0; k < count; ++k)
    paths.push_back(fmt::format("{}_{:04}{}", stem, k, whole.extension().string()));
  return paths;
}

Pictures drawPictures(const ViewSeries& series, const PictureOptions& options,
                      const std::function<void(double)>& drawn) {
  Pictures out;
  out.paths = picturePaths(options.path, series.frames.size());
  Painter painter(series, options);
  for (std::size_t k = 0; k < series.frames.size(); ++k) {
    const std::string png = painter.png(series.frames[k]);
    writeFile(out.paths[k], png, Existing::replace);
    out.bytes += png.size();
    if (drawn) drawn(static_cast<double>(k + 1) / static_cast<double>(series.frames.size()));
  }
  return out;
}

}  // namespace scree::tools

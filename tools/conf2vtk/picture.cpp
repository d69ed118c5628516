// SPDX-License-Identifier: GPL-3.0-or-later
#include "image/render.hpp"
#include "view_data.hpp"

#include "scree/base/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>

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

/// The colour at a share of a scale whose colours are hexadecimal, at equal distances.
image::Colour onScale(std::span<const std::uint32_t> scale, double share) {
  const double s = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0) *
                   static_cast<double>(scale.size() - 1);
  const auto k = std::min(scale.size() - 2, static_cast<std::size_t>(s));
  std::array<double, 3> srgb{};
  for (std::size_t c = 0; c < 3; ++c) {
    const auto channel = [&](std::uint32_t hex) { return (hex >> (16U - 8U * c) & 255U) / 255.0; };
    const double from = channel(scale[k]), to = channel(scale[k + 1]);
    srgb[c] = from + (s - static_cast<double>(k)) * (to - from);
  }
  return linear(srgb);
}

/// Viridis (matplotlib, CC0): 0 is dark violet, 1 is yellow. page/page.js has the same colours.
constexpr std::array<std::uint32_t, 9> viridis{0x440154, 0x482878, 0x3b518b, 0x2c718e, 0x21908d,
                                               0x27ad81, 0x5cc863, 0xaadc32, 0xfde725};
/// Colours of force chains: 0 pale yellow, 1 dark red.
constexpr std::array<std::uint32_t, 2> ofForces{0xf2c14e, 0xb3123b};
/// Colours of bonds: 0 blue without load, 1 yellow at breakage.
constexpr std::array<std::uint32_t, 2> ofBonds{0x1f9bd8, 0xffc81f};

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

using image::Canvas;
using image::Colour;
using image::ink;

constexpr Colour alike{0.70F, 0.58F, 0.42F};  ///< where all values are equal
constexpr Colour stone{0.55F, 0.55F, 0.54F};  ///< of driven bodies that are solid
constexpr Colour brokenBond{0.45F, 0.0F, 0.02F};

class Painter {
 public:
  Painter(const ViewSeries& series, const Conf2vtkOptions& options)
      : series_(series),
        options_(options),
        width_(options.size[0]),
        height_(options.size[1]),
        scale_(std::max(1, std::min(width_ / 500, height_ / 375))),
        array_(firstArray(series, options.colourBy)) {
    image::View view = series.view;
    view.marginTop = std::min(0.2, 20.0 * scale_ / height_);
    view.marginBottom = std::min(0.3, 58.0 * scale_ / height_);
    const Mat3 axes = view.axes();
    const std::array<Vec3, 2> ends{axes * series.seen.low, axes * series.seen.high};
    camera_ = image::cameraFor({0, 0, width_, height_}, {}, ends, view);
    camera_.pixelSize /= options.zoom;
  }

  std::string png(std::size_t k) {
    const ViewFrame& frame = series_.frames[k];
    Canvas canvas(width_, height_, image::white);
    // Where nothing moves by forces, what is driven is all there is to see.
    const bool anyMoves = std::ranges::any_of(frame.bodies, [](auto& b) { return b.driven == 0; });
    std::vector<image::Placed> ground, moving;
    for (std::size_t b = 0; b < frame.bodies.size(); ++b) {
      const ViewBody& body = frame.bodies[b];
      if (body.driven == 2 && anyMoves) continue;
      (body.driven ? ground : moving)
          .push_back({surfaceOf(body.shape), body.position, body.orientation.normalized(),
                      body.homothety, colourOf(frame, b)});
    }
    drawScene(canvas, k, ground, moving);
    drawWords(canvas, frame);
    return canvas.png();
  }

 private:
  const image::Surface* surfaceOf(const DrawnShape* shape) {
    const Outline& rounded = shape->rounded;
    auto& surface = surfaces_[shape];
    if (!surface)
      surface = std::make_unique<image::Surface>(
          image::surfaceOf(rounded.points, rounded.normals, rounded.polygons.get()));
    return surface.get();
  }

  /// The array that bodies are coloured by; null: none.
  const ViewArray* array() const {
    return array_ < series_.arrays.size() ? &series_.arrays[array_] : nullptr;
  }

  Colour colourOf(const ViewFrame& frame, std::size_t b) const {
    if (frame.bodies[b].driven) return stone;
    // Where all are equal, there is nothing to tell apart.
    if (!array() || (!array()->category && !(array()->low < array()->high))) return alike;
    const float number = frame.values[array_][b];
    if (array()->category) return categoryColour(array()->ranks.at(number));
    const auto value = static_cast<double>(number);
    return onScale(viridis, (value - array()->low) / (array()->high - array()->low));
  }

  /// Free bodies are drawn over the others.
  void drawScene(Canvas& canvas, std::size_t k, const std::vector<image::Placed>& ground,
                 const std::vector<image::Placed>& moving) const {
    const ViewFrame& frame = series_.frames[k];
    const image::Sight behind = image::draw(canvas, camera_, ground, options_.threads);
    image::Sight sight = image::draw(canvas, camera_, moving, options_.threads);
    const bool bonds = !frame.bonds.empty(), apart = options_.explode > 0.0;
    const bool chains =
        options_.contacts == ContactDrawing::chains && !frame.chains.empty() && !bonds;
    // Bonds are seen between bodies that stand apart, else over paler ones.
    const bool pale = chains || (bonds && !apart);
    for (std::size_t p = 0; p < sight.depth.size(); ++p) {
      sight.depth[p] = std::min(sight.depth[p], behind.depth[p]);
      if (sight.body[p] >= 0 && pale)
        canvas.blend(static_cast<int>(p) % width_, static_cast<int>(p) / width_, image::white,
                     0.55F);
    }
    if (chains) {
      std::vector<Chain> strongestLast = frame.chains;
      std::ranges::stable_sort(strongestLast, {}, &Chain::fn);
      drawSticks(canvas, nullptr, strongestLast, [&](const Chain& c) {
        return onScale(ofForces, std::sqrt(std::max(0.0, c.fn) / series_.highestForce));
      });
    }
    drawSticks(canvas, apart ? &sight : nullptr, frame.bonds, [](const DrawnBond& b) {
      return b.state == 0 ? brokenBond : std::isfinite(b.load) ? onScale(ofBonds, b.load) : stone;
    });
    const auto line = [&](const Vec3& from, const Vec3& to, const Colour& colour, double width) {
      image::drawLine(canvas, camera_, sight, from, to, colour, width);
    };
    if (options_.tracks)
      for (const ViewTrack& track : series_.tracks)
        for (std::size_t i = 1; i < track.points.size() && track.points[i].frame <= k; ++i) {
          const ViewTrack::Point& end = track.points[i];
          line(track.points[i - 1].place, end.place, colourOf(series_.frames[end.frame], end.body),
               1.5 * scale_);
        }
    if (frame.cell.used)
      for (int c = 0; c < 8; ++c)
        for (const int bit : {1, 2, 4})
          if (!(c & bit)) line(frame.corner(c), frame.corner(c | bit), ink, 1.3);
    // Round walls are drawn by every eighth of their polygons.
    for (const Wall& wall : frame.walls)
      for (std::size_t f = 0; f < wall.polygons.size(); f += 8) {
        const auto corners = wall.polygons[f];
        for (std::size_t c = 0; c < corners.size(); ++c)
          line(wall.points[corners[c]], wall.points[corners[(c + 1) % corners.size()]], ink, 1.0);
      }
    image::drawAxes(canvas, camera_, scale_);
    image::drawScaleBar(canvas, camera_, scale_, "m");
  }

  /// Chains or bonds, the last ones over the others. @param sight  hides them; null: nothing does
  template <class Stick, class ColourOf>
  void drawSticks(Canvas& canvas, const image::Sight* sight, const std::vector<Stick>& sticks,
                  const ColourOf& colour) const {
    for (const Stick& stick : sticks) {
      const Vec3 a = camera_.project(stick.from), b = camera_.project(stick.to);
      const double width = std::max(1.0, 2.0 * stick.tubeRadius / camera_.pixelSize);
      if (sight)
        image::drawLine(canvas, camera_, *sight, stick.from, stick.to, colour(stick), 2.0 * width,
                        false);
      else
        canvas.line(a.x(), a.y(), b.x(), b.y(), width, colour(stick));
    }
  }

  void drawWords(Canvas& canvas, const ViewFrame& frame) const {
    canvas.text(6 * scale_, 6 * scale_, fmt::format("t = {:.6g} s   {}", frame.time, frame.source),
                scale_, ink);
    const bool bonds = !frame.bonds.empty();
    const bool forces =
        !bonds && options_.contacts == ContactDrawing::chains && series_.highestForce > 0.0;
    // Two bars stand between the axes on the left and the bar of a length on the right.
    const int width = forces || bonds ? width_ * 11 / 50 : width_ / 3;
    const int x = forces || bonds ? width_ * 3 / 20 : (width_ - width) / 2;
    if (array()) drawArray(canvas, x, width);
    // A quarter of the largest force is in the middle.
    const double most = series_.highestForce;
    if (forces)
      drawBar(canvas, "force of chains (N), root scale", x + width + width_ / 16, width,
              {0.0, 0.25 * most, most}, ofForces);
    if (bonds)
      drawBar(canvas, "load of bonds, red: broken", x + width + width_ / 16, width, {0.0, 0.5, 1.0},
              ofBonds);
  }

  void drawArray(Canvas& canvas, int x, int width) const {
    const ViewArray& shown = *array();
    const std::string name =
        shown.unit.empty() ? shown.name : fmt::format("{} ({})", shown.name, shown.unit);
    if (shown.category) {
      drawCentred(canvas, name, x + width / 2, top());
    } else if (shown.low < shown.high) {
      drawBar(canvas, name + (shown.cut ? ", 1 to 99 %" : ""), x, width,
              {shown.low, 0.5 * (shown.low + shown.high), shown.high}, viridis);
    } else {
      drawCentred(canvas, fmt::format("{} = {:.4g} {}", shown.name, shown.low, shown.unit),
                  x + width / 2, top());
    }
  }

  /// A colour bar with its name above, and numbers below its ends and its middle.
  void drawBar(Canvas& canvas, const std::string& name, int left, int width,
               const std::array<double, 3>& numbers, std::span<const std::uint32_t> colours) const {
    drawCentred(canvas, name, left + width / 2, top() - 11 * scale_);
    for (int x = 0; x < width; ++x)
      for (int y = 0; y < 8 * scale_; ++y)
        canvas.blend(left + x, top() + y, onScale(colours, (x + 0.5) / width), 1.0F);
    for (int k = 0; k < 3; ++k)
      drawCentred(canvas, fmt::format("{:.4g}", numbers[static_cast<std::size_t>(k)]),
                  left + k * width / 2, top() + 11 * scale_);
  }

  void drawCentred(Canvas& canvas, const std::string& words, int x, int y) const {
    canvas.text(x - Canvas::textWidth(words, scale_) / 2, y, words, scale_, ink);
  }
  /// Upper end of colour bars.
  int top() const { return height_ - 27 * scale_; }

  const ViewSeries& series_;
  const Conf2vtkOptions& options_;
  int width_, height_, scale_;  ///< [pixels], of the picture and of a point of its letters
  std::size_t array_;
  image::Camera camera_;
  std::map<const DrawnShape*, std::unique_ptr<image::Surface>> surfaces_;
};

}  // namespace

std::vector<std::string> picturePaths(const std::string& path, std::size_t count) {
  if (path.empty()) return {};
  if (count == 1 || path == "-") return {path};
  const std::filesystem::path whole(path);
  const std::string stem = (whole.parent_path() / whole.stem()).string();
  std::vector<std::string> paths;
  for (std::size_t k = 0; k < count; ++k)
    paths.push_back(fmt::format("{}_{:04}{}", stem, k, whole.extension().string()));
  return paths;
}

std::size_t drawPictures(const ViewSeries& series, const Conf2vtkOptions& options,
                         const std::vector<std::string>& paths, const Progress& progress) {
  std::size_t bytes = 0;
  Painter painter(series, options);
  for (std::size_t k = 0; k < series.frames.size(); ++k) {
    const std::string png = painter.png(k);
    writeFile(paths[k], png, Existing::replace);
    bytes += png.size();
    if (progress) progress(static_cast<double>(k + 1) / static_cast<double>(series.frames.size()));
  }
  return bytes;
}

}  // namespace scree::tools

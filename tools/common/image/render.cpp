// SPDX-License-Identifier: GPL-3.0-or-later
#include "render.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/aabb_tree.hpp"
#include "scree/shape/mesh.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::tools::image {
namespace {

constexpr int fine = 4;       ///< samples of a pixel across and down
constexpr int bandRows = 16;  ///< pixel rows that one thread draws at a time
/// Corners of a surface that many bands have in common: they are projected once.
constexpr std::size_t manyCorners = 2000;

struct Sample {
  float depth = Sight::nothing;
  std::int32_t body = -1;
  std::array<float, 3> normal{};
};

/// A corner of a triangle: place in samples, depth, and normal.
struct Corner {
  double x, y, depth;
  Vec3 normal;
};

/// Rows of samples that one thread fills.
class Band {
 public:
  /// @param memory  of the thread, which its next band takes again
  Band(int width, int firstRow, int rows, std::vector<Sample>& memory)
      : width_(width), first_(firstRow), rows_(rows), samples_(memory) {
    samples_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(rows), {});
  }

  const Sample& at(int x, int row) const { return samples_[rowMajor(x, row, width_)]; }

  /// Triangles that share a side leave no sample out between them.
  void fill(const Corner& a, const Corner& b, const Corner& c, std::int32_t body) {
    const auto whole = [](double v, double low, double high) {
      return static_cast<int>(std::clamp(std::floor(v), low, high));
    };
    const auto [left, right] = std::minmax({a.x, b.x, c.x});
    const auto [low, high] = std::minmax({a.y, b.y, c.y});
    const int begin = whole(left + 0.5, 0, width_), end = whole(right + 0.5, 0, width_),
              first = whole(low + 0.5, first_, first_ + rows_),
              last = whole(high + 0.5, first_, first_ + rows_);
    const double area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    if (begin == end || first == last || area == 0.0) return;
    const double vx = (c.y - a.y) / area, vy = (a.x - c.x) / area, wx = (a.y - b.y) / area,
                 wy = (b.x - a.x) / area;
    // The other side of a triangle seen from behind is lit.
    const double side = area > 0.0 ? -1.0 : 1.0;
    for (int row = first; row < last; ++row)
      for (int x = begin; x < end; ++x) {
        const double px = x + 0.5 - a.x, py = row + 0.5 - a.y;
        const double v = px * vx + py * vy, w = px * wx + py * wy;
        if (v < -1e-9 || w < -1e-9 || v + w > 1.0 + 1e-9) continue;
        const auto depth =
            static_cast<float>(a.depth + v * (b.depth - a.depth) + w * (c.depth - a.depth));
        Sample& sample = samples_[rowMajor(x, row - first_, width_)];
        if (depth >= sample.depth) continue;
        sample.depth = depth;
        sample.body = body;
        const Vec3 n = side * ((1.0 - v - w) * a.normal + v * b.normal + w * c.normal);
        for (int k = 0; k < 3; ++k)
          sample.normal[static_cast<std::size_t>(k)] = static_cast<float>(n[k]);
      }
  }

 private:
  int width_, first_, rows_;
  std::vector<Sample>& samples_;
};

/// A lamp at the upper left, and the sky.
class Light {
 public:
  explicit Light(const Camera& camera)
      : sky_(camera.sky),
        lamp_((-0.55 * camera.right + 0.75 * camera.up + 0.65 * camera.towards).normalized()) {
    if (const double low = lamp_.dot(sky_); low < 0.25)
      lamp_ = (lamp_ + (0.25 - low) * sky_).normalized();
  }
  Colour shade(const Colour& albedo, const std::array<float, 3>& normal) const {
    const Vec3 n = Vec3(static_cast<double>(normal[0]), static_cast<double>(normal[1]),
                        static_cast<double>(normal[2]))
                       .normalized();
    const auto light =
        static_cast<float>(0.95 * std::max(0.0, n.dot(lamp_)) + 0.2 + 0.19 * (1.0 + n.dot(sky_)));
    return {light * albedo[0], light * albedo[1], light * albedo[2]};
  }

 private:
  Vec3 sky_, lamp_;
};

/// Darker pixels where the body behind begins.
void drawOutlines(Canvas& canvas, const Camera& camera, const Sight& sight) {
  const int width = camera.frame.width, height = camera.frame.height;
  const auto step = static_cast<float>(2.0 * camera.pixelSize);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const std::size_t k = rowMajor(x, y, width);
      if (sight.body[k] < 0) continue;
      int edges = 0;
      for (const auto& [dx, dy] : {std::pair(-1, 0), {1, 0}, {0, -1}, {0, 1}}) {
        if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
        const std::size_t other = rowMajor(x + dx, y + dy, width);
        edges += sight.body[other] >= 0 && sight.body[other] != sight.body[k] &&
                 sight.depth[other] < sight.depth[k] - step;
      }
      if (edges > 0)
        canvas.blend(camera.frame.x + x, camera.frame.y + y, ink,
                     0.25F + 0.1F * static_cast<float>(std::min(edges, 2)));
    }
}

}  // namespace

Surface surfaceOf(std::vector<Vec3> points, std::vector<Vec3> normals,
                  const shape::Polygons& polygons) {
  Surface out{std::move(points), std::move(normals), {}};
  for (std::size_t f = 0; f < polygons.size(); ++f)
    shape::triangulate(out.points, polygons[f], out.triangles);
  return out;
}

Surface roundedSurfaceOf(const shape::Shape& shape, double fineness) {
  shape::RoundedSurface rounded = shape::roundedSurface(shape, fineness);
  return surfaceOf(std::move(rounded.points), std::move(rounded.normals), rounded.cells);
}

Mat3 View::axes() const {
  const double az = azimuth * pi / 180.0, el = elevation * pi / 180.0;
  Mat3 axes;
  axes.col(0) = Vec3(-std::sin(az), std::cos(az), 0.0);
  axes.col(2) = Vec3(std::cos(el) * std::cos(az), std::cos(el) * std::sin(az), std::sin(el));
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return rotationMatrix(shortestTurn(Vec3::UnitZ(), sky)) * axes;
}

Vec3 Camera::project(const Vec3& p) const {
  const Vec3 off = p - middle;
  return {centre.x() + off.dot(right) / pixelSize, centre.y() - off.dot(up) / pixelSize,
          -off.dot(towards)};
}

Camera cameraFor(const Frame& frame, std::span<const Placed> bodies, std::span<const Vec3> points,
                 const View& view) {
  Camera r;
  r.frame = frame;
  const Mat3 axes = view.axes();
  r.sky = view.sky;
  r.right = axes.col(0);
  r.up = axes.col(1);
  r.towards = axes.col(2);
  shape::Aabb seen;
  const auto add = [&](const Vec3& p) {
    seen.add(Vec3(p.dot(r.right), p.dot(r.up), p.dot(r.towards)));
  };
  for (const Placed& body : bodies)
    for (const Vec3& p : body.surface->points) add(body.at(p));
  for (const Vec3& p : points) add(p);
  const Vec3 half = seen.halfSize().cwiseMax(1e-300), c = seen.centre();
  r.middle = c.x() * r.right + c.y() * r.up + c.z() * r.towards;
  const double free = 1.0 - view.marginTop - view.marginBottom;
  r.pixelSize = std::max(2.0 * half.x() / (0.86 * frame.width),
                         2.0 * half.y() / (0.90 * free * frame.height));
  r.centre =
      Vec2(frame.x + 0.5 * frame.width, frame.y + frame.height * (view.marginTop + 0.5 * free));
  return r;
}

Sight draw(Canvas& canvas, const Camera& camera, std::span<const Placed> bodies, int threads) {
  const int width = camera.frame.width, height = camera.frame.height;
  const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  Sight sight{std::vector<float>(pixels, Sight::nothing), std::vector<std::int32_t>(pixels, -1),
              std::vector<float>(pixels, 0.0F)};
  const auto projected = [&](const Vec3& p) {
    const Vec3 at = camera.project(p);
    return Vec3(fine * (at.x() - camera.frame.x), fine * (at.y() - camera.frame.y), at.z());
  };
  const int bands = (height + bandRows - 1) / bandRows;
  // Rows of samples that each body reaches, and places of the corners of large ones.
  struct Reach {
    double low = 1e300, high = -1e300;
    std::vector<Vec3> at;
  };
  std::vector<Reach> reaches(bodies.size());
  parallelJobs(threads, bodies.size(), [&](std::size_t k) {
    Reach& reach = reaches[k];
    const Surface& surface = *bodies[k].surface;
    const bool large = surface.points.size() > manyCorners;
    for (const Vec3& p : surface.points) {
      const Vec3 at = projected(bodies[k].at(p));
      reach.low = std::min(reach.low, at.y());
      reach.high = std::max(reach.high, at.y());
      if (large) reach.at.push_back(at);
    }
  });
  const Light light(camera);
  parallelJobs(threads, static_cast<std::size_t>(bands), [&](std::size_t b) {
    const int firstPixel = static_cast<int>(b) * bandRows,
              pixelRows = std::min(bandRows, height - firstPixel);
    static thread_local std::vector<Sample> memory;
    Band band(fine * width, fine * firstPixel, fine * pixelRows, memory);
    std::vector<Vec3> at;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const Reach& reach = reaches[k];
      if (reach.high < fine * firstPixel || reach.low > fine * (firstPixel + pixelRows)) continue;
      const Placed& body = bodies[k];
      const Surface& surface = *body.surface;
      const auto fill = [&](const std::array<std::uint32_t, 3>& t,
                            const std::vector<Vec3>& places) {
        const Vec3 &p = places[t[0]], &q = places[t[1]], &r = places[t[2]];
        if (std::max({p.y(), q.y(), r.y()}) < fine * firstPixel ||
            std::min({p.y(), q.y(), r.y()}) > fine * (firstPixel + pixelRows))
          return;
        std::array<Vec3, 3> n;
        if (surface.normals.empty())
          n.fill(rotated(body.orientation, (surface.points[t[1]] - surface.points[t[0]])
                                               .cross(surface.points[t[2]] - surface.points[t[0]])
                                               .normalized()));
        else
          for (std::size_t c = 0; c < 3; ++c)
            n[c] = rotated(body.orientation, surface.normals[t[c]]);
        band.fill({p.x(), p.y(), p.z(), n[0]}, {q.x(), q.y(), q.z(), n[1]},
                  {r.x(), r.y(), r.z(), n[2]}, static_cast<std::int32_t>(k));
      };
      at.clear();
      if (reach.at.empty())
        for (const Vec3& p : surface.points) at.push_back(projected(body.at(p)));
      const std::vector<Vec3>& places = reach.at.empty() ? at : reach.at;
      for (const auto& t : surface.triangles) fill(t, places);
    }
    for (int y = 0; y < pixelRows; ++y)
      for (int x = 0; x < width; ++x) {
        const std::size_t pixel = rowMajor(x, firstPixel + y, width);
        const Sample& middle = band.at(fine * x + fine / 2, fine * y + fine / 2);
        sight.depth[pixel] = middle.depth;
        sight.body[pixel] = middle.body;
        Colour sum{};
        int covered = 0;
        for (int k = 0; k < fine * fine; ++k) {
          const Sample& sample = band.at(fine * x + k % fine, fine * y + k / fine);
          if (sample.body < 0) continue;
          ++covered;
          const Colour colour =
              light.shade(bodies[static_cast<std::size_t>(sample.body)].colour, sample.normal);
          for (std::size_t c = 0; c < 3; ++c) sum[c] += std::min(colour[c], 1.0F);
        }
        sight.coverage[pixel] = static_cast<float>(covered) / (fine * fine);
        if (covered == 0) continue;
        for (float& c : sum) c /= static_cast<float>(covered);
        canvas.blend(camera.frame.x + x, camera.frame.y + firstPixel + y, sum,
                     sight.coverage[pixel]);
      }
  });
  drawOutlines(canvas, camera, sight);
  return sight;
}

void drawLine(Canvas& canvas, const Camera& camera, const Sight& sight, const Vec3& from,
              const Vec3& to, const Colour& colour, double width, bool dashed) {
  const Frame& frame = camera.frame;
  const int n = std::clamp(
      static_cast<int>((camera.project(to) - camera.project(from)).head<2>().norm() / 3.0), 1,
      4000);
  const auto pointAt = [&](double k) { return camera.project(from + (to - from) * k / n); };
  const auto isHidden = [&](int k) {
    const Vec3 p = pointAt(k + 0.5);
    const int x = static_cast<int>(std::floor(p.x())) - frame.x,
              y = static_cast<int>(std::floor(p.y())) - frame.y;
    if (x < 0 || y < 0 || x >= frame.width || y >= frame.height) return false;
    const double depth = sight.depth[rowMajor(x, y, frame.width)];
    return depth < p.z() - 2.0 * camera.pixelSize;
  };
  const auto put = [&](int begin, int end, double thick, float alpha) {
    const Vec3 p = pointAt(begin), q = pointAt(end);
    canvas.line(p.x(), p.y(), q.x(), q.y(), thick, colour, alpha);
  };
  for (int begin = 0, end = 0; begin < n; begin = end) {
    const bool hidden = isHidden(begin);
    while (end < n && isHidden(end) == hidden) ++end;
    if (!hidden) put(begin, end, width, 0.95F);
    for (int k = begin; hidden && dashed && k < end; k += 3) put(k, k + 1, 0.8 * width, 0.45F);
  }
}

void drawAxes(Canvas& canvas, const Camera& camera, int scale) {
  struct Axis {
    Vec3 direction;
    char name;
    Colour colour;
  };
  std::array<Axis, 3> axes{{{Vec3::UnitX(), 'x', {0.60F, 0.06F, 0.05F}},
                            {Vec3::UnitY(), 'y', {0.06F, 0.32F, 0.08F}},
                            {Vec3::UnitZ(), 'z', {0.05F, 0.14F, 0.55F}}}};
  // The one that points away is drawn first.
  std::ranges::sort(axes, {}, [&](const Axis& a) { return a.direction.dot(camera.towards); });
  const double length = 15.0 * scale, x = camera.frame.x + 23.0 * scale,
               y = camera.frame.y + camera.frame.height - 23.0 * scale;
  for (const Axis& axis : axes) {
    const double dx = axis.direction.dot(camera.right), dy = -axis.direction.dot(camera.up);
    canvas.line(x, y, x + length * dx, y + length * dy, 1.0 * scale, axis.colour);
    const double reach = length + 5.0 * scale;
    canvas.text(static_cast<int>(std::lround(x + reach * dx - 2.5 * scale)),
                static_cast<int>(std::lround(y + reach * dy - 3.5 * scale)),
                std::string_view(&axis.name, 1), scale, axis.colour);
  }
}

void drawScaleBar(Canvas& canvas, const Camera& camera, int scale, std::string_view unit) {
  // The largest of 1, 2, 5 times a power of ten that takes at most 28 % of the width.
  const Frame& frame = camera.frame;
  const double most = 0.28 * frame.width * camera.pixelSize;
  const double exponent = std::floor(std::log10(most)), power = std::pow(10.0, exponent);
  const int digit = 5.0 * power <= most ? 5 : 2.0 * power <= most ? 2 : 1;
  const double pixels = digit * power / camera.pixelSize,
               right = frame.x + frame.width - 10.0 * scale,
               y = frame.y + frame.height - 8.0 * scale, tick = 2.5 * scale;
  canvas.line(right - pixels, y, right, y, 1.0 * scale, ink);
  for (const double x : {right - pixels, right})
    canvas.line(x, y - tick, x, y + tick, 1.0 * scale, ink);
  std::string words = fmt::format("{:g}", digit * power);
  if (!unit.empty()) words.append(" ").append(unit);
  canvas.text(static_cast<int>(right - 0.5 * pixels) - Canvas::textWidth(words, scale) / 2,
              static_cast<int>(y) - 11 * scale, words, scale, ink);
}

const Colour& stoneColour(std::size_t k) {
  static constexpr std::array<Colour, 5> stones{{{0.68F, 0.55F, 0.38F},
                                                 {0.36F, 0.43F, 0.50F},
                                                 {0.62F, 0.32F, 0.21F},
                                                 {0.36F, 0.48F, 0.30F},
                                                 {0.46F, 0.36F, 0.50F}}};
  return stones[k % stones.size()];
}

}  // namespace scree::tools::image

// SPDX-License-Identifier: GPL-3.0-or-later
#include "light.hpp"

#include "scree/base/parallel.hpp"
#include "scree/shape/mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::tools::image {

std::vector<Vec2> disc(int n) {
  std::vector<Vec2> out;
  for (int k = 0; k < n; ++k) {
    const double r = std::sqrt((k + 0.5) / n), a = 2.399963229728653 * k;
    out.emplace_back(r * std::cos(a), r * std::sin(a));
  }
  return out;
}

double smooth(double from, double to, double x) {
  const double s = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return s * s * (3.0 - 2.0 * s);
}

Light::Light(const Scene& scene, const Rendering& camera, double size)
    : scene_(scene),
      key_((-0.55 * camera.right + 0.75 * camera.up + 0.65 * camera.towards).normalized()),
      fill_((0.8 * camera.right + 0.1 * camera.up + 0.5 * camera.towards).normalized()),
      towards_(camera.towards),
      size_(size) {
  if (key_.z() < 0.25) key_ = Vec3(key_.x(), key_.y(), 0.25).normalized();
}

double Light::seesKey(const Vec3& p, const Vec3& n, const std::vector<Vec2>& samples) const {
  const Mat3 frame = shape::axesAlong(key_);
  int free = 0;
  for (const Vec2& s : samples)
    free +=
        !scene_.blocks({p + 1e-5 * size_ * n,
                        (key_ + 0.16 * (s.x() * frame.col(1) + s.y() * frame.col(2))).normalized()},
                       0.0, 1e300);
  return static_cast<double>(free) / static_cast<double>(samples.size());
}

double Light::seesSky(const Vec3& p, const Vec3& n, const std::vector<Vec2>& samples) const {
  const Mat3 frame = shape::axesAlong(n);
  int free = 0;
  for (const Vec2& s : samples) {
    const double z = std::sqrt(std::max(0.0, 1.0 - s.squaredNorm()));
    free += !scene_.blocks(
        {p + 1e-5 * size_ * n, (z * n + s.x() * frame.col(1) + s.y() * frame.col(2)).normalized()},
        0.0, 0.6 * size_);
  }
  return static_cast<double>(free) / static_cast<double>(samples.size());
}

Colour Light::shade(const Colour& albedo, const Vec3& n, double key, double sky) const {
  const double above = 0.5 + 0.5 * n.z();
  const double lambert = std::max(0.0, n.dot(key_)) * key;
  const double ambient = sky * (0.20 + 0.34 * above) + 0.16 * std::max(0.0, n.dot(fill_));
  const double shine =
      0.10 * key * std::pow(std::max(0.0, n.dot((key_ + towards_).normalized())), 40.0);
  Colour out{};
  const std::array<double, 3> warm{1.00, 0.96, 0.90}, cool{0.94, 0.98, 1.05};
  for (std::size_t c = 0; c < 3; ++c)
    out[c] = static_cast<float>(
        static_cast<double>(albedo[c]) * (0.95 * lambert * warm[c] + ambient * cool[c]) + shine);
  return out;
}

Ground::Ground(const Scene& scene, const Light& light, double size, int threads)
    : height_(scene.box().low.z() - 1e-6 * size) {
  const Vec3 reach = scene.box().halfSize();
  const double margin = 1.6 * std::max({reach.x(), reach.y(), reach.z()});
  low_ = scene.box().low.head<2>().array() - margin;
  step_ = (scene.box().high.head<2>() - scene.box().low.head<2>()).array() + 2.0 * margin;
  step_ /= cells;
  const std::vector<Vec2> keys = disc(48), skies = disc(64);
  brightness_.assign((cells + 1) * (cells + 1), 1.0);
  parallelFor(threads, cells + 1, [&](std::size_t j) {
    for (std::size_t i = 0; i <= cells; ++i) {
      const Vec3 p(low_.x() + step_.x() * static_cast<double>(i),
                   low_.y() + step_.y() * static_cast<double>(j), height_);
      brightness_[j * (cells + 1) + i] = 1.0 -
                                         0.42 * (1.0 - light.seesKey(p, Vec3::UnitZ(), keys)) -
                                         0.45 * (1.0 - light.seesSky(p, Vec3::UnitZ(), skies));
    }
  });
  soften();
  soften();
}

/// A little of the neighbours in each: takes the grain of the samples away.
void Ground::soften() {
  constexpr std::size_t n = cells + 1;
  for (const std::size_t step : {std::size_t{1}, n}) {
    const std::vector<double> was = brightness_;
    for (std::size_t j = 1; j < cells; ++j)
      for (std::size_t i = 1; i < cells; ++i) {
        const std::size_t k = j * n + i;
        brightness_[k] = 0.25 * was[k - step] + 0.5 * was[k] + 0.25 * was[k + step];
      }
  }
}

double Ground::brightness(const Ray& ray) const {
  if (!(ray.direction.z() < 0.0)) return 1.0;
  const double t = (height_ - ray.origin.z()) / ray.direction.z();
  const Vec3 p = ray.origin + t * ray.direction;
  const double x = (p.x() - low_.x()) / step_.x(), y = (p.y() - low_.y()) / step_.y();
  if (!(x >= 0.0 && y >= 0.0 && x < cells && y < cells)) return 1.0;
  const auto i = static_cast<std::size_t>(x), j = static_cast<std::size_t>(y);
  const double u = x - static_cast<double>(i), v = y - static_cast<double>(j);
  const double* row = &brightness_[j * (cells + 1) + i];
  const double value = (1 - v) * ((1 - u) * row[0] + u * row[1]) +
                       v * ((1 - u) * row[cells + 1] + u * row[cells + 2]);
  // Fades towards the border of the grid.
  const double edge = std::min({x, y, cells - x, cells - y}) / cells;
  return 1.0 - (1.0 - value) * smooth(0.0, 0.15, edge);
}

}  // namespace scree::tools::image

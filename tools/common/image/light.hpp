// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ray_scene.hpp"
#include "render.hpp"

#include <vector>

namespace scree::tools::image {

/// Directions spread evenly over a disc (radius 1) by the golden angle: x, y.
std::vector<Vec2> disc(int n);
/// 0 up to `from`, 1 from `to` on, with no kink between.
double smooth(double from, double to, double x);

/// Light and its absence: a lamp at the upper left, the sky, and a fill light from the right.
class Light {
 public:
  /// @param size  [L] of the scene
  Light(const Scene& scene, const Rendering& camera, double size);

  /// Share of the key light, a disc 9 degrees across in each direction, that reaches p.
  double seesKey(const Vec3& p, const Vec3& n, const std::vector<Vec2>& samples) const;
  /// Share of the sky over p that no body hides, those nearer than the size of the scene.
  double seesSky(const Vec3& p, const Vec3& n, const std::vector<Vec2>& samples) const;
  /// @param key, sky  shares of both that reach the point
  Colour shade(const Colour& albedo, const Vec3& n, double key, double sky) const;

 private:
  const Scene& scene_;
  Vec3 key_, fill_, towards_;
  double size_;
};

/// The plane under the bodies: how bright it is, on a grid, since that changes slowly.
class Ground {
 public:
  Ground(const Scene& scene, const Light& light, double size, int threads);
  double brightness(const Ray& ray) const;

 private:
  void soften();

  static constexpr std::size_t cells = 96;
  double height_;
  Eigen::Array2d low_, step_;
  std::vector<double> brightness_;
};

}  // namespace scree::tools::image

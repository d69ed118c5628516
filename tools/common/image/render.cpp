// SPDX-License-Identifier: GPL-3.0-or-later
#include "render.hpp"

#include "light.hpp"
#include "ray_scene.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace scree::tools::image {
namespace {

constexpr float nothing = 1e30F;

Colour mixed(const Colour& a, const Colour& b, double s) {
  Colour out{};
  for (std::size_t c = 0; c < 3; ++c) out[c] = a[c] + static_cast<float>(s) * (b[c] - a[c]);
  return out;
}

/// One look along one ray.
struct Look {
  Colour colour{};
  Vec3 normal = Vec3::Zero();
  int body = -1;
  float depth = nothing;
  float line = 0.0F;
};

class Painter {
 public:
  Painter(const Canvas& canvas, const Rendering& camera, const Scene& scene, const Light& light,
          const Ground* ground, std::span<const Placed> bodies, const Style& style, double size)
      : canvas_(canvas),
        camera_(camera),
        scene_(scene),
        light_(light),
        ground_(ground),
        bodies_(bodies),
        style_(style),
        size_(size) {}

  Ray rayAt(double x, double y) const {
    const double u = (x - camera_.frame.x - 0.5 * camera_.frame.width) * camera_.pixelSize,
                 v = (centreY() - y) * camera_.pixelSize;
    const Vec3 through = camera_.middle + u * camera_.right + v * camera_.up;
    if (camera_.distance == 0.0) return {through + 2.0 * size_ * camera_.towards, -camera_.towards};
    const Vec3 eye = camera_.middle + camera_.distance * camera_.towards;
    return {eye, (through - eye).normalized()};
  }
  double centreY() const {
    const double free = 1.0 - style_.marginTop - style_.marginBottom;
    return camera_.frame.y + camera_.frame.height * (style_.marginTop + 0.5 * free);
  }

  /// Key and sky light of a point that was found; one of them for each pixel at most.
  using Lit = std::optional<std::array<double, 2>>;
  Lit lightOn(const Ray& ray, const Scene::Found& found) const {
    if (scene_.convexAlone()) return std::array{1.0, 1.0};
    const Vec3 p = ray.origin + found.hit.t * ray.direction;
    return std::array{light_.seesKey(p, found.hit.normal, keys_),
                      light_.seesSky(p, found.hit.normal, skies_)};
  }

  Look look(double x, double y, Lit& lit) const {
    const Ray ray = rayAt(x, y);
    return finished(x, y, ray, scene_.first(ray), lit);
  }

  /// The look of a pixel between others whose light is known: theirs, where they are near to it.
  Look lookBetween(double x, double y, std::span<const Look* const> looks,
                   std::span<const Lit* const> lits, Lit& lit) const {
    const Ray ray = rayAt(x, y);
    const Scene::Found found = scene_.first(ray);
    if (found.body >= 0 && !looks.empty()) {
      std::array<double, 2> mean{};
      bool near = true;
      for (std::size_t k = 0; k < looks.size() && near; ++k) {
        near =
            looks[k]->body == found.body && looks[k]->normal.dot(found.hit.normal) > 0.99 &&
            std::abs(static_cast<double>(looks[k]->depth) - found.hit.t) < 12.0 * camera_.pixelSize;
        if (near)
          for (std::size_t c = 0; c < 2; ++c)
            mean[c] += (**lits[k])[c] / static_cast<double>(looks.size());
      }
      if (near) lit = mean;
    }
    return finished(x, y, ray, found, lit);
  }

  Look finished(double x, double y, const Ray& ray, const Scene::Found& found, Lit& lit) const {
    Look out;
    if (found.body < 0) {
      const Colour& back = canvas_.at(static_cast<int>(x), static_cast<int>(y));
      const double b = ground_ ? ground_->brightness(ray) : 1.0;
      out.colour = {back[0] * static_cast<float>(b), back[1] * static_cast<float>(b),
                    back[2] * static_cast<float>(1.0 - 0.94 * (1.0 - b))};
      return out;
    }
    const Hit& hit = found.hit;
    if (!lit) lit = lightOn(ray, found);
    out.body = found.body;
    out.normal = hit.normal;
    out.depth = static_cast<float>(hit.t);
    const Colour& albedo = bodies_[static_cast<std::size_t>(found.body)].colour;
    out.colour = light_.shade(albedo, hit.normal, (*lit)[0], (*lit)[1]);
    if (style_.edges && hit.edgeNear) {
      // As wide on the picture wherever the face looks.
      const double off = std::hypot(hit.toEdge.dot(camera_.right), hit.toEdge.dot(camera_.up));
      out.line = static_cast<float>(0.8 * (1.0 - smooth(0.4, 1.3, off / camera_.pixelSize)) *
                                    smooth(5.0, 14.0, hit.faceSize / camera_.pixelSize));
      const Colour ink{0.35F * out.colour[0], 0.35F * out.colour[1], 0.35F * out.colour[2]};
      out.colour = mixed(out.colour, ink, static_cast<double>(out.line));
    }
    return out;
  }

  /// Whether a pixel and its neighbour look alike enough for one ray each.
  bool alike(const Look& a, const Look& b) const {
    if (a.body != b.body) return false;
    if (a.body < 0) return true;
    return a.normal.dot(b.normal) > 0.97 && std::abs(a.line - b.line) < 0.1F && a.line < 0.1F &&
           std::abs(a.depth - b.depth) < static_cast<float>(12.0 * camera_.pixelSize);
  }

 private:
  const Canvas& canvas_;
  const Rendering& camera_;
  const Scene& scene_;
  const Light& light_;
  const Ground* ground_;
  std::span<const Placed> bodies_;
  const Style& style_;
  double size_;
  std::vector<Vec2> keys_ = disc(style_.shadowRays), skies_ = disc(2 * style_.shadowRays);
};

/// Camera that has all bodies in the frame.
Rendering cameraFor(const Frame& frame, const Scene& scene, std::span<const Placed> bodies,
                    const View& view, const Style& style) {
  Rendering r;
  r.frame = frame;
  const double az = view.azimuth * pi / 180.0, el = view.elevation * pi / 180.0;
  r.towards = Vec3(std::cos(el) * std::cos(az), std::cos(el) * std::sin(az), std::sin(el));
  r.right = Vec3(-std::sin(az), std::cos(az), 0.0);
  r.up = r.towards.cross(r.right);
  shape::Aabb seen;
  for (const Placed& b : style.fitBodies ? bodies : bodies.first(0)) {
    const auto reach = [&](const Vec3& d) {
      return b.position.dot(d) + b.homothety * b.body->reach(turnedBack(b.orientation, d));
    };
    seen.add(Vec3(reach(r.right), reach(r.up), reach(r.towards)));
    seen.add(-Vec3(reach(-r.right), reach(-r.up), reach(-r.towards)));
  }
  for (const Vec3& p : style.keep) seen.add(Vec3(p.dot(r.right), p.dot(r.up), p.dot(r.towards)));
  const Vec3 half = seen.halfSize().cwiseMax(1e-300), c = seen.centre();
  r.middle = c.x() * r.right + c.y() * r.up + c.z() * r.towards;
  const double free = 1.0 - style.marginTop - style.marginBottom;
  r.pixelSize = std::max(2.0 * half.x() / (0.86 * frame.width),
                         2.0 * half.y() / (0.90 * free * frame.height));
  if (view.perspective) {
    r.distance = 5.0 * scene.box().halfSize().norm();
    r.pixelSize *= r.distance / (r.distance - half.z());
  }
  return r;
}

}  // namespace

Vec3 Rendering::project(const Vec3& p) const {
  const Vec3 off = p - middle;
  double x = off.dot(right), y = off.dot(up), near = off.dot(towards);
  if (distance > 0.0) {
    const double shrink = distance / (distance - near);
    x *= shrink;
    y *= shrink;
  }
  return {centre.x() + x / pixelSize, centre.y() - y / pixelSize, origin - near};
}

Sight sightOf(const Rendering& r, std::span<const Placed> bodies, int threads) {
  const Scene scene(bodies);
  const auto width = static_cast<std::size_t>(r.frame.width),
             height = static_cast<std::size_t>(r.frame.height);
  Sight out{std::vector<float>(width * height, nothing),
            std::vector<std::int32_t>(width * height, -1)};
  if (bodies.empty()) return out;
  // Far enough in front of all of them.
  const double back =
      r.origin + (scene.box().centre() - r.middle).norm() + scene.box().halfSize().norm();
  parallelFor(threads, height, [&](std::size_t row) {
    for (std::size_t column = 0; column < width; ++column) {
      const double u = (r.frame.x + static_cast<double>(column) + 0.5 - r.centre.x()) * r.pixelSize,
                   v = (r.centre.y() - r.frame.y - static_cast<double>(row) - 0.5) * r.pixelSize;
      const Vec3 through = r.middle + u * r.right + v * r.up;
      Ray ray{through + back * r.towards, -r.towards};
      if (r.distance > 0.0) {
        const Vec3 eye = r.middle + r.distance * r.towards;
        ray = {eye, (through - eye).normalized()};
      }
      const Scene::Found found = scene.first(ray);
      if (found.body < 0) continue;
      const std::size_t pixel = row * width + column;
      out.body[pixel] = found.body;
      out.depth[pixel] = static_cast<float>(
          r.origin - (ray.origin + found.hit.t * ray.direction - r.middle).dot(r.towards));
    }
  });
  return out;
}

Rendering render(Canvas& canvas, const Frame& frame, std::span<const Placed> bodies,
                 const View& view, const Style& style, int threads) {
  const Scene scene(bodies);
  Rendering camera = cameraFor(frame, scene, bodies, view, style);
  const double size = 2.0 * scene.box().halfSize().norm();
  const Light light(scene, camera, size);
  std::optional<Ground> ground;
  if (style.ground && view.elevation > 3.0) ground.emplace(scene, light, size, threads);
  const Painter painter(canvas, camera, scene, light, ground ? &*ground : nullptr, bodies, style,
                        size);
  const auto width = static_cast<std::size_t>(frame.width),
             height = static_cast<std::size_t>(frame.height);
  using Lit = Painter::Lit;
  std::vector<Look> looks(width * height);
  std::vector<Lit> lit(width * height);
  const auto middleOf = [&](std::size_t k) {
    const std::size_t column = k % width, row = k / width;
    return Vec2(frame.x + static_cast<double>(column) + 0.5,
                frame.y + static_cast<double>(row) + 0.5);
  };
  // Light that bodies hide from each other is computed for every second pixel of every second row.
  // Pixels between take it where they are near: it changes slowly but for outlines.
  parallelFor(threads, (height + 1) / 2, [&](std::size_t half) {
    for (std::size_t column = 0; column < width; column += 2) {
      const std::size_t k = 2 * half * width + column;
      const Vec2 at = middleOf(k);
      looks[k] = painter.look(at.x(), at.y(), lit[k]);
    }
  });
  parallelFor(threads, height, [&](std::size_t row) {
    for (std::size_t column = row % 2 == 0 ? 1 : 0; column < width;
         column += row % 2 == 0 ? 2 : 1) {
      std::array<const Look*, 4> near{};
      std::array<const Lit*, 4> theirs{};
      std::size_t count = 0, wanted = 0;
      for (const std::size_t y : {row - row % 2, row + row % 2})
        for (const std::size_t x : {column - column % 2, column + column % 2}) {
          ++wanted;
          if (x >= width || y >= height || !lit[y * width + x]) continue;
          near[count] = &looks[y * width + x];
          theirs[count++] = &lit[y * width + x];
        }
      if (count < wanted) count = 0;
      const std::size_t k = row * width + column;
      const Vec2 at = middleOf(k);
      looks[k] =
          painter.lookBetween(at.x(), at.y(), {near.data(), count}, {theirs.data(), count}, lit[k]);
    }
  });
  camera.coverage.assign(width * height, 0.0F);
  camera.depth.assign(width * height, nothing);
  std::vector<Colour> colours(width * height);
  parallelFor(threads, height, [&](std::size_t row) {
    for (std::size_t k = row * width; k < (row + 1) * width; ++k) {
      const std::size_t column = k - row * width;
      bool plain = true;
      if (column > 0) plain &= painter.alike(looks[k], looks[k - 1]);
      if (column + 1 < width) plain &= painter.alike(looks[k], looks[k + 1]);
      if (row > 0) plain &= painter.alike(looks[k], looks[k - width]);
      if (row + 1 < height) plain &= painter.alike(looks[k], looks[k + width]);
      camera.depth[k] = looks[k].depth;
      colours[k] = looks[k].colour;
      camera.coverage[k] = looks[k].body >= 0 ? 1.0F : 0.0F;
      if (plain) continue;
      Colour sum{};
      int covered = 0;
      Lit own = lit[k];
      const Vec2 at = middleOf(k);
      constexpr int n = 16;
      for (int i = 0; i < n; ++i) {
        // Hammersley's points: sixteen levels across and sixteen down, whatever way an outline
        // runs.
        const int mirrored = (i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | (i & 8) >> 3;
        const Look sub =
            painter.look(at.x() - 0.5 + (i + 0.5) / n, at.y() - 0.5 + (mirrored + 0.5) / n, own);
        for (std::size_t c = 0; c < 3; ++c) sum[c] += sub.colour[c] / n;
        covered += sub.body >= 0;
      }
      colours[k] = sum;
      camera.coverage[k] = static_cast<float>(covered) / n;
    }
  });
  for (std::size_t k = 0; k < colours.size(); ++k)
    canvas.at(frame.x + static_cast<int>(k % width), frame.y + static_cast<int>(k / width)) =
        colours[k];
  // From here on the depth is that of `project`, and pixels count from the middle that was drawn.
  const double origin = camera.distance > 0.0 ? camera.distance : 2.0 * size;
  for (std::size_t k = 0; k < camera.depth.size(); ++k)
    if (camera.depth[k] < nothing) {
      const Vec2 at = middleOf(k);
      const Ray ray = painter.rayAt(at.x(), at.y());
      const Vec3 p = ray.origin + static_cast<double>(camera.depth[k]) * ray.direction;
      camera.depth[k] = static_cast<float>(origin - (p - camera.middle).dot(camera.towards));
    }
  camera.centre = Vec2(frame.x + 0.5 * frame.width, painter.centreY());
  camera.origin = origin;
  return camera;
}

}  // namespace scree::tools::image

// SPDX-License-Identifier: GPL-3.0-or-later
#include "search_parts.hpp"

#include "scree/base/math.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/rounded_surface.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace scree::clump::detail {
namespace {

/// The n-th of a sequence that fills a triangle evenly, as shares of two of its sides.
std::array<double, 2> placeInTriangle(std::size_t n) {
  const auto part = [n](double step) {
    const double x = 0.5 + step * static_cast<double>(n + 1);
    return x - std::floor(x);
  };
  double u = part(0.7548776662466927), v = part(0.5698402909980532);
  if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
  return {u, v};
}

struct CorePoint {
  Vec3 point;   ///< [L]
  Vec3 inward;  ///< unit normal that points into the core
  std::uint32_t triangle;
};

/// f(point, number of its triangle) for about `count` points of triangles, each of the same share
/// of the area.
template <class F>
void spread(const std::vector<std::array<Vec3, 3>>& triangles, std::size_t count, F&& f) {
  std::vector<double> upTo;
  double area = 0.0;
  for (const auto& t : triangles) {
    area += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
    upTo.push_back(area);
  }
  std::size_t k = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const double place = area * (static_cast<double>(n) + 0.5) / static_cast<double>(count);
    while (k + 1 < upTo.size() && upTo[k] < place) ++k;
    const auto& t = triangles[k];
    const auto [u, v] = placeInTriangle(n);
    f(Vec3(t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0])), k);
  }
}

/// Shrinks a ball that touches the core at `at` until it holds no other point of the faces.
Ball shrunk(const SolidDistance& solid, const CorePoint& at, double largest) {
  double radius = largest;
  std::uint32_t guess = at.triangle;
  for (int round = 0; round < 60; ++round) {
    const Vec3 centre = at.point + radius * at.inward;
    const auto near = solid.nearest(centre, guess);
    guess = near.triangle;
    const Vec3 across = at.point - near.point;
    const double away = (centre - near.point).norm();
    if (away >= radius * (1.0 - 1e-9)) break;
    const double depth = -across.dot(at.inward);  // of the nearest point below the tangent plane
    if (!(depth > 0.0)) return {at.point, 0.0};   // a crease: the surface bends over the point
    const double next = across.squaredNorm() / (2.0 * depth);
    if (!(next < radius)) break;
    radius = next;
  }
  const Vec3 centre = at.point + radius * at.inward;
  // Shortened by rounding: the ball must not leave the solid.
  return {centre, std::max(0.0, solid.depth(centre, guess)) * (1.0 - 1e-14)};
}

}  // namespace

std::vector<Vec3> surfacePoints(const SolidDistance& solid, std::size_t count) {
  std::vector<Vec3> points;
  const double radius = solid.radius(), hidden = 1e-9 * (solid.high() - solid.low()).norm();
  if (radius == 0.0) {
    spread(solid.triangles(), count, [&](const Vec3& p, std::size_t) { points.push_back(p); });
    return points;
  }
  constexpr double fineness = 12.0, off = 0.02;  // flat cells lie less than 2 % of the radius deep
  const shape::RoundedSurface surface = shape::roundedSurface(solid.asShape(), fineness);
  const shape::SurfaceDistance rounded({surface.points, surface.cells});
  spread(rounded.triangles(), count, [&](const Vec3& p, std::size_t) {
    const auto near = solid.nearest(p);
    if (std::fabs(near.depth) > off * radius) return;  // another part hides it
    const Vec3 on = near.point + radius * (p - near.point).normalized();
    if (solid.depth(on) <= hidden) points.push_back(on);
  });
  return points;
}

std::vector<Ball> medialBalls(const SolidDistance& solid, std::size_t samples, int threads) {
  std::vector<CorePoint> points;
  spread(solid.triangles(), samples, [&](const Vec3& point, std::size_t k) {
    const auto& t = solid.triangles()[k];
    const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    if (const double length = normal.norm(); length > 0.0)
      points.push_back({point, -normal / length, static_cast<std::uint32_t>(k)});
  });
  const double largest = 0.5 * (solid.high() - solid.low()).maxCoeff();
  std::vector<Ball> balls(points.size());
  parallelFor(threads, points.size(),
              [&](std::size_t k) { balls[k] = shrunk(solid, points[k], largest); });
  if (solid.radius() > 0.0)
    for (const CorePoint& point : points) balls.push_back({point.point, solid.radius()});
  std::erase_if(balls, [&](const Ball& b) { return !(b.radius > 0.0); });
  return balls;
}

DepthGrid::DepthGrid(const SolidDistance& solid, double spacing, double margin, int threads)
    : spacing_(spacing) {
  const Vec3 low = solid.low().array() - margin, high = solid.high().array() + margin;
  for (int k = 0; k < 3; ++k) {
    const double cells = std::max(1.0, std::ceil((high[k] - low[k]) / spacing));
    size_[static_cast<std::size_t>(k)] = static_cast<std::size_t>(cells) + 1;
    origin_[k] = 0.5 * (low[k] + high[k]) - 0.5 * cells * spacing;
    upper_[k] = origin_[k] + cells * spacing;
  }
  const std::size_t nx = size_[0], ny = size_[1], nz = size_[2];
  depth_.resize(nx * ny * nz);
  parallelFor(threads, nz, [&](std::size_t z) {
    std::uint32_t guess = 0;
    for (std::size_t y = 0; y < ny; ++y)
      for (std::size_t x = 0; x < nx; ++x) {
        const auto near = solid.nearest(place(x, y, z), guess);
        guess = near.triangle;
        depth_[(z * ny + y) * nx + x] = static_cast<float>(near.depth);
      }
  });
  inside_ = static_cast<std::size_t>(
      std::count_if(depth_.begin(), depth_.end(), [](float depth) { return depth > 0.0F; }));
}

double DepthGrid::operator()(const Vec3& p) const {
  const Vec3 within = p.cwiseMax(origin_).cwiseMin(upper_);
  const Vec3 at = (within - origin_) / spacing_;
  std::array<std::size_t, 3> cell{};
  Vec3 part;
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    cell[axis] = std::min(static_cast<std::size_t>(at[k]), size_[axis] - 2);
    part[k] = at[k] - static_cast<double>(cell[axis]);
  }
  const std::size_t nx = size_[0], ny = size_[1];
  const std::size_t first = (cell[2] * ny + cell[1]) * nx + cell[0];
  const auto along = [&](std::size_t k) {
    return (1.0 - part.x()) * static_cast<double>(depth_[k]) +
           part.x() * static_cast<double>(depth_[k + 1]);
  };
  const auto across = [&](std::size_t k) {
    return (1.0 - part.y()) * along(k) + part.y() * along(k + nx);
  };
  return (1.0 - part.z()) * across(first) + part.z() * across(first + nx * ny) -
         (p - within).norm();
}

double DepthGrid::iou(std::span<const Ball> balls) const {
  std::vector<char> covered(depth_.size(), 0);
  std::size_t in = 0, out = 0;
  for (const Ball& ball : balls) {
    const Vec3 centre = (ball.centre - origin_) / spacing_;
    const double radius = ball.radius / spacing_, square = ball.radius * ball.radius;
    std::array<std::size_t, 3> from{}, to{};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<int>(k);
      const double most = static_cast<double>(size_[k]);
      from[k] = static_cast<std::size_t>(std::clamp(std::ceil(centre[axis] - radius), 0.0, most));
      to[k] =
          static_cast<std::size_t>(std::clamp(std::floor(centre[axis] + radius) + 1.0, 0.0, most));
    }
    for (std::size_t z = from[2]; z < to[2]; ++z)
      for (std::size_t y = from[1]; y < to[1]; ++y)
        for (std::size_t x = from[0]; x < to[0]; ++x) {
          const std::size_t k = (z * size_[1] + y) * size_[0] + x;
          if (covered[k] || (place(x, y, z) - ball.centre).squaredNorm() > square) continue;
          covered[k] = 1;
          ++(depth_[k] > 0.0F ? in : out);
        }
  }
  return static_cast<double>(in) / static_cast<double>(std::max<std::size_t>(1, inside_ + out));
}

std::vector<Vec3> DepthGrid::pointsInside() const {
  std::vector<Vec3> points;
  for (std::size_t z = 0, k = 0; z < size_[2]; ++z)
    for (std::size_t y = 0; y < size_[1]; ++y)
      for (std::size_t x = 0; x < size_[0]; ++x, ++k)
        if (depth_[k] > 0.0F) points.push_back(place(x, y, z));
  return points;
}

CandidatePool::CandidatePool(const std::vector<Vec3>& points, const SymmetryGroup& group,
                             std::vector<Orbit> candidates, int threads)
    : points_(points), candidates_(std::move(candidates)), held_(candidates_.size()) {
  parallelFor(threads, held_.size(), [&](std::size_t c) {
    held_[c] = bitsOf(imagesOf(group, {&candidates_[c], 1}));
  });
  cover({});
}

CandidatePool::Bits CandidatePool::bitsOf(std::span<const Ball> balls) const {
  Bits bits(points_.size() / 64 + 1, 0);
  for (const Ball& ball : balls) {
    const double square = ball.radius * ball.radius;
    const auto height = [](const Vec3& p) { return p.z(); };
    const auto low = std::ranges::lower_bound(points_, ball.centre.z() - ball.radius, {}, height);
    for (auto p = low; p != points_.end() && p->z() <= ball.centre.z() + ball.radius; ++p)
      if ((*p - ball.centre).squaredNorm() < square) {
        const auto k = static_cast<std::size_t>(p - points_.begin());
        bits[k / 64] |= std::uint64_t{1} << (k % 64);
      }
  }
  return bits;
}

void CandidatePool::cover(std::span<const Ball> balls) {
  free_ = bitsOf(balls);
  for (std::uint64_t& word : free_) word = ~word;
}

const Orbit* CandidatePool::takeBest(std::size_t room, std::size_t size) {
  std::size_t best = candidates_.size();
  double most = 0.0;
  for (std::size_t c = 0; c < candidates_.size(); ++c) {
    const std::size_t balls = candidates_[c].size();
    if (balls > room || (size > 0 && balls != size)) continue;
    int gain = 0;
    for (std::size_t w = 0; w < free_.size(); ++w) gain += std::popcount(held_[c][w] & free_[w]);
    if (const double each = gain / static_cast<double>(balls); each > most) most = each, best = c;
  }
  if (best == candidates_.size()) return nullptr;
  for (std::size_t w = 0; w < free_.size(); ++w) free_[w] &= ~held_[best][w];
  return &candidates_[best];
}

}  // namespace scree::clump::detail

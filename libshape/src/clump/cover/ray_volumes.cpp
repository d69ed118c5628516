// SPDX-License-Identifier: GPL-3.0-or-later
#include "ray_volumes.hpp"

#include "scree/base/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace scree::clump::detail {

RayVolumes::RayVolumes(const SolidDistance& solid, double spacing, int threads)
    : turn_(Eigen::Quaterniond(0.731, 0.357, -0.283, 0.509).normalized().toRotationMatrix()),
      spacing_(spacing) {
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const auto& triangle : solid.triangles())
    for (const Vec3& corner : triangle) {
      low = low.cwiseMin(turn_ * corner);
      high = high.cwiseMax(turn_ * corner);
    }
  low.array() -= solid.radius();
  high.array() += solid.radius();
  range_ = {low.x(), high.x()};
  for (std::size_t k = 0; k < 2; ++k) {
    // Balls may reach beyond the solid.
    const double from = low[static_cast<int>(k) + 1], to = high[static_cast<int>(k) + 1];
    const double n = std::ceil((to - from) * 1.3 / spacing);
    count_[k] = static_cast<std::int64_t>(n);
    first_[k] = 0.5 * (from + to) - 0.5 * spacing * (n - 1.0);
  }
  std::vector<std::vector<Interval>> rays(static_cast<std::size_t>(count_[0] * count_[1]));
  if (solid.radius() > 0.0)
    traceRounded(solid, rays, threads);
  else
    crossMesh(solid, rays);
  begin_.push_back(0);
  for (const auto& ray : rays) {
    for (const Interval& part : ray) {
      solid_ += (part.to - part.from) * spacing_ * spacing_;
      intervals_.push_back(part);
    }
    begin_.push_back(intervals_.size());
  }
}

/// Where each ray crosses the faces; it is within the solid where it entered more often than left.
void RayVolumes::crossMesh(const SolidDistance& solid,
                           std::vector<std::vector<Interval>>& rays) const {
  struct Crossing {
    double at;
    int turn;
    bool operator<(const Crossing& other) const {
      return at < other.at || (at == other.at && turn > other.turn);
    }
  };
  std::vector<std::vector<Crossing>> crossings(rays.size());
  // Side of an edge, the same for both faces that share it.
  const auto side = [](const Vec3& a, const Vec3& b, double y, double z) {
    const bool swap = b.y() < a.y() || (b.y() == a.y() && b.z() < a.z());
    const Vec3 &p = swap ? b : a, &q = swap ? a : b;
    const double s = (q.y() - p.y()) * (z - p.z()) - (q.z() - p.z()) * (y - p.y());
    const bool left = s > 0.0 || (s == 0.0 && q.y() != p.y());
    return left != swap;
  };
  for (const std::array<Vec3, 3>& corners : solid.triangles()) {
    const Vec3 a = turn_ * corners[0], b = turn_ * corners[1], c = turn_ * corners[2];
    const Vec3 normal = (b - a).cross(c - a);
    if (normal.x() == 0.0) continue;
    std::array<std::int64_t, 2> from{}, to{};
    for (std::size_t k = 0; k < 2; ++k) {
      const auto axis = static_cast<int>(k) + 1;
      const double low = std::min({a[axis], b[axis], c[axis]}),
                   high = std::max({a[axis], b[axis], c[axis]});
      from[k] = std::max<std::int64_t>(
          0, static_cast<std::int64_t>(std::ceil((low - first_[k]) / spacing_)));
      to[k] = std::min(count_[k] - 1,
                       static_cast<std::int64_t>(std::floor((high - first_[k]) / spacing_)));
    }
    for (std::int64_t j = from[1]; j <= to[1]; ++j)
      for (std::int64_t i = from[0]; i <= to[0]; ++i) {
        const double y = first_[0] + spacing_ * static_cast<double>(i),
                     z = first_[1] + spacing_ * static_cast<double>(j);
        const bool first = side(a, b, y, z);
        if (side(b, c, y, z) != first || side(c, a, y, z) != first) continue;
        const double at =
            a.x() - (normal.y() * (y - a.y()) + normal.z() * (z - a.z())) / normal.x();
        crossings[static_cast<std::size_t>(j * count_[0] + i)].push_back(
            {at, normal.x() < 0.0 ? 1 : -1});
      }
  }
  for (std::size_t k = 0; k < rays.size(); ++k) {
    std::sort(crossings[k].begin(), crossings[k].end());
    int inside = 0;
    double from = 0.0;
    for (const Crossing& crossing : crossings[k]) {
      const int before = inside;
      inside += crossing.turn;
      if (before <= 0 && inside > 0) from = crossing.at;
      if (before > 0 && inside <= 0 && crossing.at > from) rays[k].push_back({from, crossing.at});
    }
  }
}

/// A rounded solid has no faces to cross: each step goes as far as the distance allows.
void RayVolumes::traceRounded(const SolidDistance& solid, std::vector<std::vector<Interval>>& rays,
                              int threads) const {
  const double low = range_[0], high = range_[1];
  const double least = 0.02 * spacing_;
  parallelFor(threads, rays.size(), [&](std::size_t k) {
    const auto ray = static_cast<std::int64_t>(k);
    const std::int64_t column = ray % count_[0], row = ray / count_[0];
    Vec3 p;
    p.y() = first_[0] + spacing_ * static_cast<double>(column);
    p.z() = first_[1] + spacing_ * static_cast<double>(row);
    std::uint32_t guess = 0;
    double at = low - least, depth = -least, from = 0.0;
    while (at < high + least) {
      const double next = at + std::max(least, std::fabs(depth));
      p.x() = next;
      const auto near = solid.nearest(turn_.transpose() * p, guess);
      guess = near.triangle;
      if ((depth > 0.0) != (near.depth > 0.0)) {
        const double change = near.depth - depth;
        const double cross = change != 0.0 ? at - depth * (next - at) / change : next;
        if (near.depth > 0.0)
          from = cross;
        else
          rays[k].push_back({from, cross});
      }
      at = next;
      depth = near.depth;
    }
  });
}

RayVolumes::Shares RayVolumes::of(std::span<const Ball> balls) const {
  // What balls cover of each ray, ray by ray.
  start_.assign(begin_.size(), 0);
  const auto forEachRay = [&](const Ball& ball, auto&& f) {
    const Vec3 c = turn_ * ball.centre;
    const double y = (c.y() - first_[0]) / spacing_, z = (c.z() - first_[1]) / spacing_,
                 r = ball.radius / spacing_;
    const auto clipped = [](double v, std::int64_t n) {
      return static_cast<std::int64_t>(std::clamp(v, -1.0, static_cast<double>(n)));
    };
    const std::int64_t j0 = std::max<std::int64_t>(0, clipped(std::ceil(z - r), count_[1])),
                       j1 = std::min(count_[1] - 1, clipped(std::floor(z + r), count_[1]));
    for (std::int64_t j = j0; j <= j1; ++j) {
      const double dz = static_cast<double>(j) - z, left = r * r - dz * dz;
      if (!(left > 0.0)) continue;
      const double reach = std::sqrt(left);
      const std::int64_t i0 = std::max<std::int64_t>(0, clipped(std::ceil(y - reach), count_[0])),
                         i1 = std::min(count_[0] - 1, clipped(std::floor(y + reach), count_[0]));
      for (std::int64_t i = i0; i <= i1; ++i) {
        const double dy = static_cast<double>(i) - y;
        f(static_cast<std::size_t>(j * count_[0] + i), left - dy * dy, c.x());
      }
    }
  };
  for (const Ball& ball : balls)
    forEachRay(ball, [&](std::size_t ray, double, double) { ++start_[ray + 1]; });
  for (std::size_t k = 1; k < start_.size(); ++k) start_[k] += start_[k - 1];
  covered_.resize(start_.back());
  for (const Ball& ball : balls)
    forEachRay(ball, [&](std::size_t ray, double square, double middle) {
      const double half = spacing_ * std::sqrt(std::max(0.0, square));
      covered_[start_[ray]++] = {middle - half, middle + half};
    });
  // start_[k] is now the end of ray k.
  double in = 0.0, all = 0.0;
  for (std::size_t ray = 0, first = 0; ray + 1 < begin_.size(); ++ray) {
    const std::size_t last = start_[ray];
    if (last == first) continue;
    std::sort(covered_.begin() + static_cast<std::ptrdiff_t>(first),
              covered_.begin() + static_cast<std::ptrdiff_t>(last),
              [](const Interval& a, const Interval& b) { return a.from < b.from; });
    std::size_t part = begin_[ray];
    const std::size_t parts = begin_[ray + 1];
    for (std::size_t k = first; k < last;) {
      const double from = covered_[k].from;
      double to = covered_[k].to;
      for (++k; k < last && covered_[k].from <= to; ++k) to = std::max(to, covered_[k].to);
      all += to - from;
      while (part < parts && intervals_[part].to <= from) ++part;
      for (std::size_t p = part; p < parts && intervals_[p].from < to; ++p)
        in += std::min(to, intervals_[p].to) - std::max(from, intervals_[p].from);
    }
    first = last;
  }
  const double across = spacing_ * spacing_;
  return {in * across, (all - in) * across};
}

}  // namespace scree::clump::detail

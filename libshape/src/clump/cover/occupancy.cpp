// SPDX-License-Identifier: GPL-3.0-or-later
#include "occupancy.hpp"

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree::clump::detail {
namespace {

constexpr std::int64_t blockSize = 4;  // cubes along a block that one distance may decide
constexpr std::size_t bits = 64;       // in a word

/// part(word, mask) for each word of a row that holds some of the cubes from first to last.
template <class Part>
void forEachWord(std::size_t first, std::size_t last, Part&& part) {
  for (std::size_t word = first / bits; word <= last / bits; ++word) {
    std::uint64_t mask = ~std::uint64_t{0};
    if (word == first / bits) mask &= mask << (first % bits);
    if (word == last / bits) mask &= ~std::uint64_t{0} >> (bits - 1 - last % bits);
    part(word, mask);
  }
}

void countBits(std::uint64_t cubes, std::uint64_t solid, Occupancy::Count& count) {
  count.in += std::popcount(cubes & solid);
  count.out += std::popcount(cubes & ~solid);
}

}  // namespace

Occupancy::Occupancy(const SolidDistance& solid, double spacing, double margin, int threads)
    : spacing_(spacing) {
  const Vec3 low = solid.low().array() - margin, high = solid.high().array() + margin;
  double cubes = 1.0;
  for (int k = 0; k < 3; ++k) {
    const double n = std::ceil((high[k] - low[k]) / spacing);
    cubes *= n;
    if (!(cubes < 1e9)) throw GeometryError("the grid over the solid would have too many cubes");
    size_[static_cast<std::size_t>(k)] = std::max<std::int64_t>(1, static_cast<std::int64_t>(n));
    // The grid stands in the middle, so that a symmetric body sees a symmetric grid.
    origin_[k] = 0.5 * (low[k] + high[k]) - 0.5 * spacing * (std::max(n, 1.0) - 1.0);
  }
  const std::int64_t nx = size_[0], ny = size_[1], nz = size_[2];
  words_ = (static_cast<std::size_t>(nx) + bits - 1) / bits;
  solid_.assign(words_ * static_cast<std::size_t>(ny * nz), 0);
  open_.assign(solid_.size(), ~std::uint64_t{0});
  balls_.assign(static_cast<std::size_t>(nx * ny * nz), 0);

  const auto blocks = [](std::int64_t n) { return (n + blockSize - 1) / blockSize; };
  const auto centreOf = [&](double i, double j, double k) {
    return Vec3(origin_ + spacing_ * Vec3(i, j, k));
  };
  const double reach = 0.5 * std::sqrt(3.0) * spacing * static_cast<double>(blockSize - 1);
  parallelFor(threads, static_cast<std::size_t>(blocks(nz)), [&](std::size_t slab) {
    std::uint32_t guess = 0;
    const auto z0 = static_cast<std::int64_t>(slab) * blockSize, z1 = std::min(z0 + blockSize, nz);
    for (std::int64_t y0 = 0; y0 < ny; y0 += blockSize)
      for (std::int64_t x0 = 0; x0 < nx; x0 += blockSize) {
        const std::int64_t y1 = std::min(y0 + blockSize, ny), x1 = std::min(x0 + blockSize, nx);
        const auto middle = [](std::int64_t a, std::int64_t b) {
          return 0.5 * static_cast<double>(a + b - 1);
        };
        const auto at =
            solid.nearest(centreOf(middle(x0, x1), middle(y0, y1), middle(z0, z1)), guess);
        guess = at.triangle;
        if (at.depth < -reach) continue;
        for (std::int64_t z = z0; z < z1; ++z)
          for (std::int64_t y = y0; y < y1; ++y)
            for (std::int64_t x = x0; x < x1; ++x) {
              bool in = at.depth > reach;
              if (!in) {
                const auto here =
                    solid.nearest(centreOf(static_cast<double>(x), static_cast<double>(y),
                                           static_cast<double>(z)),
                                  guess);
                guess = here.triangle;
                in = here.depth > 0.0;
              }
              const auto cube = static_cast<std::size_t>(x);
              if (in)
                solid_[static_cast<std::size_t>(z * ny + y) * words_ + cube / bits] |=
                    std::uint64_t{1} << (cube % bits);
            }
      }
  });
  for (const std::uint64_t word : solid_) inside_ += std::popcount(word);
  if (inside_ == 0) throw GeometryError("the solid is thinner than the grid that covers it");
}

template <class Row>
void Occupancy::forEachRow(const Ball& ball, Row&& row) const {
  const Vec3 c = (ball.centre - origin_) / spacing_;
  const double r = ball.radius / spacing_;
  const auto range = [](double from, double to, std::int64_t n) {
    return std::array<std::int64_t, 2>{
        static_cast<std::int64_t>(std::max(0.0, std::ceil(from))),
        static_cast<std::int64_t>(std::min(static_cast<double>(n - 1), std::floor(to)))};
  };
  const std::int64_t nx = size_[0], ny = size_[1], nz = size_[2];
  const auto [z0, z1] = range(c.z() - r, c.z() + r, nz);
  for (std::int64_t z = z0; z <= z1; ++z) {
    const double dz = static_cast<double>(z) - c.z();
    const double left = r * r - dz * dz;
    if (left < 0.0) continue;
    const auto [y0, y1] = range(c.y() - std::sqrt(left), c.y() + std::sqrt(left), ny);
    for (std::int64_t y = y0; y <= y1; ++y) {
      const double dy = static_cast<double>(y) - c.y();
      const double chord2 = left - dy * dy;
      if (chord2 < 0.0) continue;
      const double chord = std::sqrt(chord2);
      const auto [x0, x1] = range(c.x() - chord, c.x() + chord, nx);
      if (x0 > x1) continue;
      row(static_cast<std::size_t>(z * ny + y), static_cast<std::size_t>(x0),
          static_cast<std::size_t>(x1));
    }
  }
}

Occupancy::Count Occupancy::gain(const Ball& ball) const {
  Count count;
  forEachRow(ball, [&](std::size_t row, std::size_t first, std::size_t last) {
    const std::uint64_t *open = open_.data() + row * words_, *solid = solid_.data() + row * words_;
    forEachWord(first, last, [&](std::size_t word, std::uint64_t mask) {
      countBits(open[word] & mask, solid[word], count);
    });
  });
  return count;
}

void Occupancy::add(const Ball& ball) {
  const auto nx = static_cast<std::size_t>(size_[0]);
  forEachRow(ball, [&](std::size_t row, std::size_t first, std::size_t last) {
    std::uint16_t* balls = balls_.data() + row * nx;
    for (std::size_t x = first; x <= last; ++x) ++balls[x];
    std::uint64_t* open = open_.data() + row * words_;
    const std::uint64_t* solid = solid_.data() + row * words_;
    forEachWord(first, last, [&](std::size_t word, std::uint64_t mask) {
      countBits(open[word] & mask, solid[word], covered_);
      open[word] &= ~mask;
    });
  });
}

void Occupancy::remove(const Ball& ball) {
  const auto nx = static_cast<std::size_t>(size_[0]);
  Count less;
  forEachRow(ball, [&](std::size_t row, std::size_t first, std::size_t last) {
    std::uint16_t* balls = balls_.data() + row * nx;
    std::uint64_t* open = open_.data() + row * words_;
    const std::uint64_t* solid = solid_.data() + row * words_;
    for (std::size_t x = first; x <= last; ++x)
      open[x / bits] |= std::uint64_t{--balls[x] == 0} << (x % bits);
    forEachWord(first, last, [&](std::size_t word, std::uint64_t mask) {
      countBits(open[word] & mask, solid[word], less);
    });
  });
  covered_.in -= less.in;
  covered_.out -= less.out;
}

void Occupancy::clear() {
  std::fill(balls_.begin(), balls_.end(), std::uint16_t{0});
  std::fill(open_.begin(), open_.end(), ~std::uint64_t{0});
  covered_ = {};
}

}  // namespace scree::clump::detail

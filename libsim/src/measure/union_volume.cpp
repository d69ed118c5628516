// SPDX-License-Identifier: GPL-3.0-or-later
#include "mass/shape_body.hpp"

#include "scree/mass/certified.hpp"
#include "scree/sim/measure/region.hpp"

#include <map>
#include <utility>

namespace scree::sim {
namespace {

/// Bodies as one union, in a frame turned by `turn`.
mass::CertifiedBody unionOf(const std::vector<PlacedShape>& bodies, const Mat3& turn) {
  std::map<const shape::Shape*, mass::CertifiedBody> own;
  mass::CertifiedBody all;
  for (const PlacedShape& body : bodies) {
    const auto [found, isNew] = own.try_emplace(body.shape);
    if (isNew) found->second = mass::detail::bodyOf(*body.shape, shape::coreOf(*body.shape));
    for (mass::RoundedPart part : found->second.parts) {
      for (Vec3& v : part.vertices) v = turn * (body.pos + rotated(body.q, body.homothety * v));
      part.radius *= body.homothety;
      all.parts.push_back(std::move(part));
    }
  }
  return all;
}

/// A box around a part of space, and that part as one more piece of a union.
struct Fill {
  Vec3 low, high;  ///< [L] in the turned frame
  Mat3 turn = Mat3::Identity();
  mass::RoundedPart part;
  double volume = 0.0;  ///< [L³] of the part; 0: the box itself is meant
};

BoundedVolume volumeIn(const Fill& fill, const std::vector<PlacedShape>& bodies, double tolerance,
                       int threads) {
  mass::CertifiedBody all = unionOf(bodies, fill.turn);
  const double box = (fill.high - fill.low).prod();
  mass::CertifiedOptions options;
  options.threads = threads;
  options.tolerance = fill.volume > 0.0 ? 0.5 * tolerance * fill.volume / box : tolerance;
  const mass::CertifiedVolume solid = mass::certifiedVolume(all, fill.low, fill.high, options);
  if (!(fill.volume > 0.0)) return {solid.volume, solid.bound, solid.limited};
  all.parts.push_back(fill.part);
  const mass::CertifiedVolume both = mass::certifiedVolume(all, fill.low, fill.high, options);
  return {solid.volume + fill.volume - both.volume, solid.bound + both.bound,
          solid.limited || both.limited};
}

/// Rows of a frame whose third axis is `axis`.
Mat3 frameAlong(const Vec3& axis) {
  Mat3 turn;
  turn.row(2) = axis;
  turn.row(0) = axis.unitOrthogonal();
  turn.row(1) = axis.cross(Vec3(turn.row(0)));
  return turn;
}

}  // namespace

BoundedVolume unionIn(const Region& region, const std::vector<PlacedShape>& bodies,
                      double tolerance, int threads) {
  Fill fill;
  const Vec3 reach = Vec3::Constant(region.radius);
  fill.part.radius = region.radius;
  switch (region.kind) {
    case Region::Kind::box:
      fill.low = region.low;
      fill.high = region.high;
      break;
    case Region::Kind::sphere:
      fill.low = region.centre - reach;
      fill.high = region.centre + reach;
      fill.part.vertices = {region.centre};
      fill.part.points = {0};
      fill.volume = region.volume();
      break;
    case Region::Kind::cylinder: {
      // In a box that ends where the cylinder does, it equals a longer one with round ends.
      fill.turn = frameAlong(region.axis);
      const Vec3 low = fill.turn * region.centre, along(0.0, 0.0, region.length);
      fill.low = low - Vec3(region.radius, region.radius, 0.0);
      fill.high = low + along + Vec3(region.radius, region.radius, 0.0);
      const Vec3 beyond(0.0, 0.0, 1.5 * region.radius);
      fill.part.vertices = {low - beyond, low + along + beyond};
      fill.part.segments = {{0, 1}};
      fill.volume = region.volume();
      break;
    }
  }
  return volumeIn(fill, bodies, tolerance, threads);
}

BoundedVolume unionInCell(const Mat3& vectors, const std::vector<PlacedShape>& bodies,
                          double tolerance, int threads) {
  Fill fill;
  fill.low = fill.high = Vec3::Zero();
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 x = vectors * Vec3(corner & 1, corner >> 1 & 1, corner >> 2 & 1);
    fill.part.vertices.push_back(x);
    fill.low = fill.low.cwiseMin(x);
    fill.high = fill.high.cwiseMax(x);
  }
  if (!vectors.isDiagonal(0.0)) {
    // Corners of each face, counter-clockwise seen from outside.
    constexpr std::uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    const bool mirrored = vectors.determinant() < 0.0;
    for (const auto& f : faces)
      for (std::uint32_t k = 1; k < 3; ++k) {
        const std::uint32_t b = f[mirrored ? k + 1 : k], c = f[mirrored ? k : k + 1];
        fill.part.triangles.push_back({f[0], b, c});
      }
    fill.part.solid = true;
    fill.volume = std::abs(vectors.determinant());
  }
  return volumeIn(fill, bodies, tolerance, threads);
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#include "surface_samples.hpp"

#include "surface_pieces.hpp"

#include <array>
#include <cmath>

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

}  // namespace

std::vector<SurfaceSample> surfaceSamples(const SolidDistance& solid, std::size_t count) {
  const auto& triangles = solid.triangles();
  std::vector<double> upTo;
  double area = 0.0;
  for (const auto& t : triangles) {
    area += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
    upTo.push_back(area);
  }
  std::vector<SurfaceSample> samples;
  samples.reserve(count);
  std::size_t k = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const double place = area * (static_cast<double>(n) + 0.5) / static_cast<double>(count);
    while (k + 1 < upTo.size() && upTo[k] < place) ++k;
    const auto& t = triangles[k];
    const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
    const double length = normal.norm();
    if (!(length > 0.0)) continue;
    const auto [u, v] = placeInTriangle(n);
    samples.push_back({t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]), -normal / length,
                       static_cast<std::uint32_t>(k)});
  }
  return samples;
}

std::vector<Vec3> roundedPoints(const SolidDistance& solid, std::size_t count) {
  const SurfacePieces surface = surfacePieces(solid);
  const double radius = solid.radius(), hidden = 1e-9 * (solid.high() - solid.low()).norm();
  std::vector<double> upTo;
  double area = 0.0;
  for (const SurfacePiece& piece : surface.pieces) {
    area += piece.area(radius);
    upTo.push_back(area);
  }
  std::vector<Vec3> points;
  points.reserve(count);
  std::size_t k = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const double place = area * (static_cast<double>(n) + 0.5) / static_cast<double>(count);
    while (k + 1 < upTo.size() && upTo[k] < place) ++k;
    const SurfacePiece& piece = surface.pieces[k];
    const std::array<double, 2> share = placeInTriangle(n);
    const double u = share[0], v = share[1];
    const auto mixed = [&](const std::array<Vec3, 3>& c) {
      return Vec3(c[0] + u * (c[1] - c[0]) + v * (c[2] - c[0]));
    };
    Vec3 p = mixed(piece.core);
    if (piece.kind == SurfacePiece::Kind::cap)
      p = piece.core[0] + radius * mixed(piece.normal).normalized();
    if (piece.kind == SurfacePiece::Kind::tube)  // u and v fill a triangle, w a side
      p = piece.core[0] + u / (1.0 - v) * (piece.core[1] - piece.core[0]) +
          radius *
              (piece.normal[0] + v * (2.0 - v) * (piece.normal[1] - piece.normal[0])).normalized();
    if (!surface.mayHide || solid.depth(p) <= hidden) points.push_back(p);
  }
  return points;
}

}  // namespace scree::clump::detail

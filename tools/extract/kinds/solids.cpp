// SPDX-License-Identifier: GPL-3.0-or-later
#include "solids.hpp"

#include <algorithm>
#include <cmath>

namespace scree::tools {

SolidVolumes::SolidVolumes(const sim::Instant& instant, std::size_t tries)
    : instant_(instant),
      tries_(tries),
      shapes_(instant.shapes().size()),
      samples_(instant.shapes().size()) {}

const sim::SolidShape& SolidVolumes::shapeOf(std::size_t k) {
  auto& shape = shapes_[instant_.body(k).shapeName];
  if (!shape) shape = std::make_unique<sim::SolidShape>(instant_.shapeOf(k));
  return *shape;
}

double SolidVolumes::inside(std::size_t k, const sim::Region& region, const Vec3& shift) {
  const sim::ParticleRecord& p = instant_.body(k);
  const Vec3 pos = p.pos + shift;
  const int side = region.side(pos, reach(k));
  const double volume = instant_.volumes()[k];
  if (side != 0) return side > 0 ? volume : 0.0;
  const sim::SolidShape& shape = shapeOf(k);
  if (shape.isBall()) {
    const Vec3 centre = pos + rotated(p.q, p.homothety * instant_.shapeOf(k).vertices[0]);
    return sim::ballInside(region, centre, p.homothety * instant_.shapeOf(k).radius);
  }
  if (shape.cutsExactly()) return sim::polyhedronIn(region, shape.placed(pos, p.q, p.homothety));
  auto& samples = samples_[p.shapeName];
  if (samples.empty()) samples = shape.samples(tries_);
  if (samples.empty()) return notKnown;
  std::size_t in = 0;
  for (const Vec3& x : samples) in += region.contains(pos + rotated(p.q, p.homothety * x));
  const double n = static_cast<double>(samples.size()), share = static_cast<double>(in) / n;
  variance_ += volume * volume * share * (1.0 - share) / n;
  return share * volume;
}

void SolidVolumes::forEachImage(std::size_t k, const Vec3& low, const Vec3& high,
                                const std::function<void(const Vec3&)>& f) {
  const sim::PeriodicCell& cell = instant_.conf().cell;
  if (!cell.used) return f(Vec3::Zero());
  const double r = reach(k);
  const Vec3& x = instant_.body(k).pos;
  // Shares of the cell that the box, grown by the reach, spans along each vector.
  const Mat3 inverse = cell.h.inverse();
  Eigen::Vector3i from, to;
  for (int a = 0; a < 3; ++a) {
    const Vec3 row = inverse.row(a);
    const double middle = row.dot(0.5 * (low + high) - x),
                 half = row.cwiseAbs().dot(0.5 * (high - low)) + r * row.norm();
    from[a] = static_cast<int>(std::ceil(std::max(middle - half, -1e6)));
    to[a] = static_cast<int>(std::floor(std::min(middle + half, 1e6)));
  }
  for (int i = from[0]; i <= to[0]; ++i)
    for (int j = from[1]; j <= to[1]; ++j)
      for (int m = from[2]; m <= to[2]; ++m) f(cell.h * Vec3(i, j, m));
}

std::pair<Vec3, Vec3> boxAround(const sim::Region& region) {
  if (region.kind == sim::Region::Kind::box) return {region.low, region.high};
  const Vec3 reach = Vec3::Constant(region.radius);
  const Vec3 end = region.kind == sim::Region::Kind::cylinder
                       ? Vec3(region.centre + region.length * region.axis)
                       : region.centre;
  return {region.centre.cwiseMin(end) - reach, region.centre.cwiseMax(end) + reach};
}

}  // namespace scree::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#include "solids.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

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
  if (tries_ == 0) return notKnown;
  auto& samples = samples_[p.shapeName];
  if (samples.empty()) samples = shape.samples(tries_);
  if (samples.empty()) return notKnown;
  std::size_t in = 0;
  for (const Vec3& x : samples) in += region.contains(pos + rotated(p.q, p.homothety * x));
  const double n = static_cast<double>(samples.size()), share = static_cast<double>(in) / n;
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

namespace {

/// What two bodies share, inside a ball.
struct SharedPlace {
  Vec3 centre;
  double radius, volume;
  sim::BodyId partner;
};

/// Where places of one body meet, three bodies may share a volume, at most the smaller of both.
double sharedByThree(const std::vector<SharedPlace>& places) {
  double most = 0.0;
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (places[a].partner != places[b].partner &&
          (places[a].centre - places[b].centre).norm() <= places[a].radius + places[b].radius)
        most += std::min(places[a].volume, places[b].volume);
  return most;
}

}  // namespace

SharedVolume sharedVolume(SolidVolumes& solids, const sim::Instant& instant,
                          const std::vector<char>& chosen, const Space& space) {
  const auto isBall = [&](sim::BodyId k) { return instant.shapeOf(k).vertices.size() == 1; };
  const auto placed = [&](sim::BodyId k, const Vec3& shift) {
    const sim::ParticleRecord& p = instant.body(k);
    return solids.shapeOf(k).placed(p.pos + shift, p.q, p.homothety);
  };
  SharedVolume out;
  std::vector<std::vector<SharedPlace>> places(chosen.size());
  std::set<std::pair<sim::BodyId, sim::BodyId>> pairs;
  for (const sim::Link& c : instant.links()) {
    if (!c.touches() || c.j == sim::Link::none || !chosen[c.i] || !chosen[c.j]) continue;
    SharedPlace place{c.pos, 0.0, 0.0, c.j};
    double inside = 0.0;
    if (isBall(c.i) && isBall(c.j)) {
      const auto radius = [&](sim::BodyId k) {
        return instant.body(k).homothety * instant.shapeOf(k).radius;
      };
      const double a = radius(c.i), b = radius(c.j), d = a + b + c.dn;
      // The lens is a body of revolution about the line of centres; its rim is its farthest part.
      const double x = d > 0.0 ? std::clamp(0.5 * (d + (a * a - b * b) / d), -a, a) : a;
      place.radius = std::sqrt(std::max(0.0, a * a - x * x)) - c.dn;
      place.volume = sim::sharedByBalls(a, b, d);
      inside = space.holds(c.pos) ? place.volume : 0.0;
      if (space.cuts(c.pos, place.radius)) out.error += place.volume;
    } else {
      // One pair has as many links as points touch.
      if (!pairs.insert({std::min(c.i, c.j), std::max(c.i, c.j)}).second) continue;
      if (isBall(c.i) || isBall(c.j) || !solids.shapeOf(c.i).cutsExactly() ||
          !solids.shapeOf(c.j).cutsExactly()) {
        out.error = HUGE_VAL;
        continue;
      }
      const Vec3 image = instant.body(c.i).pos - c.branch() - instant.body(c.j).pos;
      const shape::ConvexHull both = sim::sharedBy(placed(c.i, Vec3::Zero()), placed(c.j, image));
      if (both.rank < 3) continue;
      place.volume = both.volume();
      for (const Vec3& p : both.points)
        place.radius = std::max(place.radius, (p - place.centre).norm());
      inside = space.region ? sim::polyhedronIn(*space.region, both) : place.volume;
      if (space.hole) inside -= sim::polyhedronIn(*space.hole, both);
    }
    out.volume += inside;
    places[c.i].push_back(place);
    place.partner = c.i;
    place.centre += instant.body(c.j).pos + c.branch() - instant.body(c.i).pos;
    places[c.j].push_back(place);
  }
  for (const auto& own : places) out.error += sharedByThree(own);
  return out;
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

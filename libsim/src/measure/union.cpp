// SPDX-License-Identifier: GPL-3.0-or-later
// Unions of bodies of any shape with proven bounds: by pairs where they overlap little, or by one
// search.
#include "detect/broad_phase.hpp"

#include "scree/mass/certified.hpp"
#include "scree/sim/measure/domain.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace scree::sim {

namespace {

/// The volume of a shape of homothety 1.
UnionVolume measured(const SolidShape& solid, double tolerance) {
  if (solid.isBall()) return {sharedByBalls(solid.shape().radius, solid.shape().radius, 0.0)};
  if (solid.isSharp()) return {PlacedShape{&solid}.hull().volume()};
  const mass::CertifiedMass mass =
      mass::certifiedMass(solid.pieces(), mass::CertifiedOptions{.tolerance = tolerance});
  return {mass.solid.volume, mass.bound.volume * mass.solid.volume};
}

/// From the lowest to the highest point of a body along a direction. [L]
struct Extent {
  double low = HUGE_VAL, high = -HUGE_VAL;
};
Extent extentAlong(const PlacedShape& body, const Vec3& direction) {
  const Vec3 own = turnedBack(body.q, direction);
  Extent e;
  for (const mass::RoundedPart& part : body.solid->pieces().parts)
    for (const Vec3& v : part.vertices) {
      const double x = own.dot(v);
      e.low = std::min(e.low, x - part.radius);
      e.high = std::max(e.high, x + part.radius);
    }
  const double middle = direction.dot(body.pos);
  return {middle + body.homothety * e.low, middle + body.homothety * e.high};
}

/// Adds the pieces of a body, in a frame with this origin.
void addPieces(mass::CertifiedBody& all, const PlacedShape& body, const Mat3& turn,
               const Vec3& origin) {
  for (mass::RoundedPart part : body.solid->pieces().parts) {
    for (Vec3& v : part.vertices)
      v = turn * (body.pos - origin + rotated(body.q, body.homothety * v));
    part.radius *= body.homothety;
    all.parts.push_back(std::move(part));
  }
}

/// A box that holds all that two bodies share.
struct SharedBox {
  std::size_t a, b;
  double weight;   ///< how often the pair counts
  Mat3 turn;       ///< to the axes of the box
  Vec3 low, high;  ///< [L] in these axes, about the origin of space
  double most;     ///< [L³] that the bodies share at most

  Vec3 middle() const { return turn.transpose() * (0.5 * (low + high)); }
  /// A box along the axes around it.
  shape::Aabb around() const {
    const Vec3 half = turn.transpose().cwiseAbs() * (0.5 * (high - low));
    return {middle() - half, middle() + half};
  }
};

int sideOf(const Region& region, const SharedBox& box) {
  return region.side(box.middle(), 0.5 * (box.high - box.low).norm());
}

/// Cuts the polygon where n·p > d.
void cut(std::vector<Vec2>& polygon, const Vec2& n, double d) {
  std::vector<Vec2> kept;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec2 &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    const double x = n.dot(p) - d, y = n.dot(q) - d;
    if (x <= 0.0) kept.push_back(p);
    if ((x < 0.0 && y > 0.0) || (x > 0.0 && y < 0.0)) kept.push_back(p + x / (x - y) * (q - p));
  }
  polygon = std::move(kept);
}

/// [L²] of what both hulls may share, seen along the third axis of the box, which shrinks to it.
double footprint(SharedBox& box, const PlacedShape& a, const PlacedShape& b) {
  std::vector<Vec2> polygon{{box.low.x(), box.low.y()},
                            {box.high.x(), box.low.y()},
                            {box.high.x(), box.high.y()},
                            {box.low.x(), box.high.y()}};
  for (const PlacedShape* body : {&a, &b})
    for (const Vec3& own : body->solid->normals()) {
      const Vec3 n = rotated(body->q, own), m = box.turn * n;
      const double least = std::min(m.z() * box.low.z(), m.z() * box.high.z());
      cut(polygon, Vec2(m.x(), m.y()), extentAlong(*body, n).high - least);
    }
  double area = 0.0;
  Vec2 low = Vec2::Constant(HUGE_VAL), high = -low;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec2 &p = polygon[k], &q = polygon[(k + 1) % polygon.size()];
    area += 0.5 * (p.x() * q.y() - p.y() * q.x());
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  if (!(area > 0.0)) return 0.0;
  box.low.head<2>() = low;
  box.high.head<2>() = high;
  return area;
}

/// The box of the pair that is thin along the direction of the least overlap, among normals of
/// faces and the line of centres. None where a direction separates them.
std::optional<SharedBox> sharedBox(const PlacedShape& a, const PlacedShape& b) {
  const auto sharedAlong = [&](const Vec3& direction) {
    const Extent p = extentAlong(a, direction), q = extentAlong(b, direction);
    return Extent{std::max(p.low, q.low), std::min(p.high, q.high)};
  };
  double least = HUGE_VAL;
  Vec3 thin = Vec3::UnitX();
  const auto look = [&](const Vec3& n) {
    const Extent both = sharedAlong(n);
    if (both.high - both.low >= least) return;
    least = both.high - both.low;
    thin = n;
  };
  const Vec3 centres = a.pos - b.pos;
  if (centres.norm() > 0.0) look(centres.normalized());
  for (const PlacedShape* body : {&a, &b})
    for (const Vec3& n : body->solid->normals())
      if (least > 0.0) look(rotated(body->q, n));
  // Bodies that touch overlap by rounding.
  if (least <= 1e-12 * (a.reach() + b.reach())) return std::nullopt;
  SharedBox box{};
  box.turn = frameAlong(thin);
  for (int axis = 0; axis < 3; ++axis) {
    const Extent e = sharedAlong(box.turn.row(axis));
    if (!(e.low < e.high)) return std::nullopt;
    box.low[axis] = e.low;
    box.high[axis] = e.high;
  }
  const double area = footprint(box, a, b);
  if (!(area > 0.0)) return std::nullopt;
  box.most = area * (box.high.z() - box.low.z());
  return box;
}

/// Volume that two bodies share, from the union in their box: A∩B = A + B - A∪B.
UnionVolume sharedIn(const SharedBox& box, const PlacedShape& a, const PlacedShape& b,
                     double bound) {
  // About the middle of the box, so that no digits are lost far from the origin.
  const Vec3 half = 0.5 * (box.high - box.low), origin = box.middle();
  mass::CertifiedBody first, second;
  addPieces(first, a, box.turn, origin);
  addPieces(second, b, box.turn, origin);
  mass::CertifiedOptions options;
  options.tolerance = std::clamp(bound / (3.0 * (box.high - box.low).prod()), 1e-11, 0.5);
  const auto in = [&](const mass::CertifiedBody& body) {
    return mass::certifiedVolume(body, -half, half, options);
  };
  const mass::CertifiedVolume ofA = in(first), ofB = in(second);
  std::ranges::move(second.parts, std::back_inserter(first.parts));
  const mass::CertifiedVolume both = in(first);
  return {std::max(0.0, ofA.volume + ofB.volume - both.volume), ofA.bound + ofB.bound + both.bound};
}

/// [L³] that three bodies or more may share at most: where the boxes of their pairs meet.
/// @param bodies  how many there are; higher numbers are images
double sharedByThree(const std::vector<SharedBox>& boxes, std::size_t bodies) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> ofPair;
  std::map<std::size_t, std::vector<std::size_t>> partners;  // above the body
  std::vector<shape::Aabb> place;
  for (std::size_t k = 0; k < boxes.size(); ++k) {
    ofPair[{boxes[k].a, boxes[k].b}] = k;
    partners[boxes[k].a].push_back(k);
    place.push_back(boxes[k].around());
  }
  double sum = 0.0;
  for (const auto& [body, own] : partners)
    for (std::size_t m = 0; m < own.size(); ++m)
      for (std::size_t n = m + 1; n < own.size(); ++n) {
        const std::size_t b = boxes[own[m]].b, c = boxes[own[n]].b;
        const shape::Aabb &p = place[own[m]], &q = place[own[n]];
        Vec3 low = p.low.cwiseMax(q.low), high = p.high.cwiseMin(q.high);
        double most = std::min(boxes[own[m]].most, boxes[own[n]].most);
        // Pairs of two images are not listed, and may share something.
        if (std::min(b, c) < bodies) {
          const auto third = ofPair.find({std::min(b, c), std::max(b, c)});
          if (third == ofPair.end()) continue;
          low = low.cwiseMax(place[third->second].low);
          high = high.cwiseMin(place[third->second].high);
          most = std::min(most, boxes[third->second].most);
        }
        if ((low.array() < high.array()).all()) sum += std::min(most, (high - low).prod());
      }
  return sum;
}

}  // namespace

UnionVolume unionIn(const Region& box, const std::vector<PlacedShape>& bodies, double bound) {
  mass::CertifiedBody all;
  for (const PlacedShape& body : bodies) addPieces(all, body, Mat3::Identity(), Vec3::Zero());
  const auto solid = mass::certifiedVolume(all, box.low, box.high,
                                           {.tolerance = bound / (box.high - box.low).prod()});
  return {solid.volume, solid.bound};
}

UnionVolume unionByPairs(const std::vector<PlacedShape>& bodies,
                         const std::vector<PlacedShape>& images, const Region* box, double bound) {
  double rough = 0.0;  // of the volumes, as shapes state them
  for (const PlacedShape& p : bodies) rough += p.cubed() * p.solid->shape().volume;
  const double ofShapes = rough > 0.0 ? std::clamp(0.1 * bound / rough, 1e-9, 1e-3) : 1e-6;
  std::map<const SolidShape*, UnionVolume> ofSolid;
  std::vector<PlacedShape> all = bodies;
  all.insert(all.end(), images.begin(), images.end());
  std::vector<shape::Aabb> boxes;
  for (const PlacedShape& p : all) {
    if (!ofSolid.contains(p.solid)) ofSolid[p.solid] = measured(*p.solid, ofShapes);
    shape::Aabb& around = boxes.emplace_back();
    for (int axis = 0; axis < 3; ++axis) {
      const Extent e = extentAlong(p, Vec3::Unit(axis));
      around.low[axis] = e.low;
      around.high[axis] = e.high;
    }
  }
  UnionVolume out;
  const auto add = [&](double weight, const UnionVolume& part) {
    out.volume += weight * part.volume;
    out.bound += std::abs(weight) * part.bound;
  };
  for (const PlacedShape& p : bodies) {
    const int side = box ? box->side(p.centre(), p.reach()) : 1;
    const UnionVolume& own = ofSolid[p.solid];
    if (side > 0) add(1.0, {p.cubed() * own.volume, p.cubed() * own.bound});
    if (side != 0) continue;
    const double exact = p.inside(*box);
    add(1.0, std::isnan(exact)
                 ? unionIn(*box, {p}, 0.1 * bound / static_cast<double>(bodies.size()))
                 : UnionVolume{exact});
  }
  out.sum = out.volume;
  // Exact overlaps count at once; others are listed with their largest possible overlap.
  std::vector<SharedBox> shared;
  std::vector<std::size_t> rest;
  for (const auto& [first, second] : overlappingPairs(boxes, 0, 1)) {
    if (first >= bodies.size()) continue;  // two images
    const PlacedShape &a = all[first], &b = all[second];
    std::optional<SharedBox> pair = sharedBox(a, b);
    if (!pair) continue;
    pair->a = first;
    pair->b = second;
    // A body and the image of another one meet a second time, the other way round.
    pair->weight = second < bodies.size() ? 1.0 : 0.5;
    const int side = box ? sideOf(*box, *pair) : 1;
    if (side < 0) continue;
    bool isExact = side > 0;
    if (a.isBall() && b.isBall()) {
      pair->most = sharedByBalls(a.reach(), b.reach(), (a.centre() - b.centre()).norm());
    } else if (a.solid->isSharp() && b.solid->isSharp()) {
      const shape::ConvexHull both = sharedBy(a.hull(), b.hull());
      if (both.rank < 3) continue;
      pair->most = side > 0 ? both.volume() : polyhedronIn(*box, both);
      isExact = true;
    } else {
      isExact = false;
    }
    if (isExact)
      add(-pair->weight, {pair->most});
    else
      rest.push_back(shared.size());
    shared.push_back(*pair);
  }
  // The smallest boxes, and those that the border cuts, count by half: it costs nothing.
  std::ranges::stable_sort(rest, {}, [&](std::size_t k) { return shared[k].most; });
  double left = 0.7 * bound;
  const double each = bound / (5.0 * static_cast<double>(std::max<std::size_t>(rest.size(), 1)));
  for (const std::size_t k : rest) {
    SharedBox& pair = shared[k];
    left -= 0.5 * pair.weight * pair.most;
    if (left >= 0.0 || (box && sideOf(*box, pair) == 0)) {
      add(-pair.weight, {0.5 * pair.most, 0.5 * pair.most});
      continue;
    }
    const UnionVolume both = sharedIn(pair, all[pair.a], all[pair.b], each);
    add(-pair.weight, both);
    pair.most = std::min(pair.most, both.volume + both.bound);
  }
  out.bound += sharedByThree(shared, bodies.size());
  return out;
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
// Unions of bodies of any shape with proven bounds: by one search, or by pairs where they overlap
// little.
#include "detect/broad_phase.hpp"
#include "mass/shape_body.hpp"

#include "scree/mass/certified.hpp"
#include "scree/sim/measure/domain.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
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

}  // namespace

BoundedVolume unionIn(const Region& region, const std::vector<PlacedShape>& bodies,
                      double tolerance, int threads) {
  Fill fill{region.low, region.high, Mat3::Identity(), {}, region.volume};
  if (!region.round) {
    const bool isBox = std::ranges::all_of(
        region.planes, [](const HalfSpace& h) { return h.normal.cwiseAbs().maxCoeff() == 1.0; });
    if (isBox) fill.volume = 0.0;
    fill.part.vertices = region.hull.points;
    for (std::size_t f = 0; f < region.hull.faces.size(); ++f)
      for (std::size_t k = 1; k + 1 < region.hull.faces[f].size(); ++k)
        fill.part.triangles.push_back(
            {region.hull.faces[f][0], region.hull.faces[f][k], region.hull.faces[f][k + 1]});
    fill.part.solid = true;
    return volumeIn(fill, bodies, tolerance, threads);
  }
  const Round& round = *region.round;
  fill.part.radius = round.radius;
  if (round.isSphere) {
    fill.part.vertices = {round.centre};
    fill.part.points = {0};
    return volumeIn(fill, bodies, tolerance, threads);
  }
  // In a box that ends where the cylinder does, it equals a longer one with round ends.
  fill.turn = frameAlong(round.axis);
  const auto ends = region.squareEnds();
  const Vec3 centre = fill.turn * round.centre, across(round.radius, round.radius, 0.0),
             low = centre + Vec3(0, 0, ends->first), high = centre + Vec3(0, 0, ends->second),
             beyond(0.0, 0.0, 1.5 * round.radius);
  fill.low = low - across;
  fill.high = high + across;
  fill.part.vertices = {low - beyond, high + beyond};
  fill.part.segments = {{0, 1}};
  return volumeIn(fill, bodies, tolerance, threads);
}

namespace {

using Vec2 = Eigen::Vector2d;

/// A shape of homothety 1, measured once for all bodies that have it.
struct ShapeMeasure {
  SolidShape solid;
  std::vector<Vec3> normals;  ///< of the faces of its hull
  double volume = 0.0, bound = 0.0;

  explicit ShapeMeasure(const shape::Shape& shape)
      : solid(shape), normals(shape::coreOf(shape).hull.normals) {}
  void certify(double tolerance) {
    mass::CertifiedOptions options;
    options.tolerance = tolerance;
    const mass::CertifiedMass mass = mass::certifiedMass(solid.pieces(), options);
    volume = mass.solid.volume;
    bound = mass.bound.volume * mass.solid.volume;
  }
};

/// From the lowest to the highest point of a body along a direction. [L]
struct Extent {
  double low = HUGE_VAL, high = -HUGE_VAL;
};

/// A body, its pieces in the frame of its shape.
struct Body {
  const ShapeMeasure* shape;
  const PlacedShape* placed;

  bool isBall() const { return shape->solid.isBall(); }
  Vec3 centre() const {
    return placed->pos + rotated(placed->q, placed->homothety * placed->shape->vertices[0]);
  }
  /// [L] of a ball its radius, else the farthest point from its centre.
  double reach() const {
    return placed->homothety * (isBall() ? placed->shape->radius : shape->solid.boundingRadius());
  }
  shape::ConvexHull hull() const {
    return shape->solid.placed(placed->pos, placed->q, placed->homothety);
  }
  Extent along(const Vec3& direction) const {
    const Vec3 own = turnedBack(placed->q, direction);
    Extent e;
    for (const mass::RoundedPart& part : shape->solid.pieces().parts)
      for (const Vec3& v : part.vertices) {
        const double x = own.dot(v);
        e.low = std::min(e.low, x - part.radius);
        e.high = std::max(e.high, x + part.radius);
      }
    const double middle = direction.dot(placed->pos);
    return {middle + placed->homothety * e.low, middle + placed->homothety * e.high};
  }
  void addTo(mass::CertifiedBody& all, const Mat3& turn, const Vec3& origin) const {
    for (mass::RoundedPart part : shape->solid.pieces().parts) {
      for (Vec3& v : part.vertices)
        v = turn * (placed->pos - origin + rotated(placed->q, placed->homothety * v));
      part.radius *= placed->homothety;
      all.parts.push_back(std::move(part));
    }
  }
};

/// A box that holds all that two bodies share.
struct SharedBox {
  std::size_t a, b;
  double weight;   ///< how often the pair counts
  Mat3 turn;       ///< to the axes of the box
  Vec3 low, high;  ///< [L] in these axes, about the origin of space
  double most;     ///< [L³] that the bodies share at most
};

Extent sharedAlong(const Body& a, const Body& b, const Vec3& direction) {
  const Extent p = a.along(direction), q = b.along(direction);
  return {std::max(p.low, q.low), std::min(p.high, q.high)};
}

/// A ball reaches less far to the sides in a slab that its middle is outside of.
void narrowToBall(SharedBox& box, const Body& body) {
  const auto& parts = body.shape->solid.pieces().parts;
  if (parts.size() != 1 || parts[0].vertices.size() != 1) return;
  const PlacedShape& p = *body.placed;
  const Vec3 centre = box.turn * (p.pos + rotated(p.q, p.homothety * parts[0].vertices[0]));
  const double r = p.homothety * parts[0].radius,
               away = std::max({0.0, box.low.z() - centre.z(), centre.z() - box.high.z()}),
               wide = std::sqrt(std::max(0.0, r * r - away * away));
  box.low.head<2>() = box.low.head<2>().cwiseMax(centre.head<2>() - Vec2::Constant(wide));
  box.high.head<2>() = box.high.head<2>().cwiseMin(centre.head<2>() + Vec2::Constant(wide));
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

/// [L²] of all that the hulls of both bodies may share, seen along the third axis of the box. The
/// box shrinks to it.
double footprint(SharedBox& box, const Body& a, const Body& b) {
  std::vector<Vec2> polygon{{box.low.x(), box.low.y()},
                            {box.high.x(), box.low.y()},
                            {box.high.x(), box.high.y()},
                            {box.low.x(), box.high.y()}};
  for (const Body* body : {&a, &b})
    for (const Vec3& own : body->shape->normals) {
      const Vec3 n = rotated(body->placed->q, own), m = box.turn * n;
      const double least = std::min(m.z() * box.low.z(), m.z() * box.high.z());
      cut(polygon, Vec2(m.x(), m.y()), body->along(n).high - least);
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
std::optional<SharedBox> sharedBox(const Body& a, const Body& b) {
  double least = HUGE_VAL;
  Vec3 thin = Vec3::UnitX();
  bool apart = false;
  const auto look = [&](const Vec3& n) {
    const Extent both = sharedAlong(a, b, n);
    const double depth = both.high - both.low;
    if (depth < least) {
      least = depth;
      thin = n;
    }
    apart |= depth <= 0.0;
  };
  const Vec3 centres = a.placed->pos - b.placed->pos;
  if (centres.norm() > 0.0) look(centres.normalized());
  for (const Body* body : {&a, &b})
    for (const Vec3& n : body->shape->normals) {
      if (apart) return std::nullopt;
      look(rotated(body->placed->q, n));
    }
  if (apart) return std::nullopt;
  SharedBox box{};
  box.turn = frameAlong(thin);
  for (int axis = 0; axis < 3; ++axis) {
    const Extent e = sharedAlong(a, b, box.turn.row(axis));
    if (!(e.low < e.high)) return std::nullopt;
    box.low[axis] = e.low;
    box.high[axis] = e.high;
  }
  narrowToBall(box, a);
  narrowToBall(box, b);
  const double area = footprint(box, a, b);
  if (!(area > 0.0)) return std::nullopt;
  box.most = area * (box.high.z() - box.low.z());
  return box;
}

/// Volume that two bodies share, from the union in their box: A∩B = A + B - A∪B.
BoundedVolume sharedIn(const SharedBox& box, const Body& a, const Body& b, double bound) {
  // About the middle of the box, so that no digits are lost far from the origin.
  const Vec3 middle = 0.5 * (box.low + box.high), half = 0.5 * (box.high - box.low);
  const Vec3 origin = box.turn.transpose() * middle;
  mass::CertifiedBody first, second;
  a.addTo(first, box.turn, origin);
  b.addTo(second, box.turn, origin);
  mass::CertifiedOptions options;
  options.tolerance = std::clamp(bound / (3.0 * (box.high - box.low).prod()), 1e-11, 0.5);
  const auto in = [&](const mass::CertifiedBody& body) {
    return mass::certifiedVolume(body, -half, half, options);
  };
  const mass::CertifiedVolume ofA = in(first), ofB = in(second);
  std::ranges::move(second.parts, std::back_inserter(first.parts));
  const mass::CertifiedVolume both = in(first);
  return {std::max(0.0, ofA.volume + ofB.volume - both.volume), ofA.bound + ofB.bound + both.bound,
          ofA.limited || ofB.limited || both.limited};
}

/// Boxes along the axes around boxes of any direction.
shape::Aabb around(const SharedBox& box) {
  const Vec3 centre = box.turn.transpose() * (0.5 * (box.low + box.high));
  const Vec3 half = box.turn.transpose().cwiseAbs() * (0.5 * (box.high - box.low));
  shape::Aabb out;
  out.add(Vec3(centre - half));
  out.add(Vec3(centre + half));
  return out;
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
    place.push_back(around(boxes[k]));
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

/// Bodies, and the boxes in which two of them may share something.
struct Pairs {
  std::map<const shape::Shape*, ShapeMeasure> shapes;
  std::vector<Body> all;  ///< bodies, then images
  std::vector<SharedBox> shared;

  Pairs(const std::vector<PlacedShape>& bodies, const std::vector<PlacedShape>& images) {
    std::vector<shape::Aabb> boxes;
    for (const auto* list : {&bodies, &images})
      for (const PlacedShape& p : *list) {
        auto found = shapes.find(p.shape);
        if (found == shapes.end()) found = shapes.emplace(p.shape, ShapeMeasure(*p.shape)).first;
        all.push_back({&found->second, &p});
        shape::Aabb& box = boxes.emplace_back();
        for (int axis = 0; axis < 3; ++axis) {
          const Extent e = all.back().along(Vec3::Unit(axis));
          box.low[axis] = e.low;
          box.high[axis] = e.high;
        }
      }
    for (const auto& [a, b] : overlappingPairs(boxes, 0, 1)) {
      if (a >= bodies.size()) continue;  // two images
      std::optional<SharedBox> box = sharedBox(all[a], all[b]);
      if (!box) continue;
      box->a = a;
      box->b = b;
      // A body and the image of another one meet a second time, the other way round.
      box->weight = b < bodies.size() ? 1.0 : 0.5;
      shared.push_back(*box);
    }
  }
};

}  // namespace

double Space::holds(const shape::ConvexHull& hull) const {
  return (region ? polyhedronIn(*region, hull) : hull.volume()) -
         (hole ? polyhedronIn(*hole, hull) : 0.0);
}

std::optional<BoundedVolume> sharedByPairs(const std::vector<PlacedShape>& bodies,
                                           const std::vector<PlacedShape>& images,
                                           const Space& space) {
  Pairs pairs(bodies, images);
  BoundedVolume out;
  std::vector<SharedBox> places;
  for (SharedBox box : pairs.shared) {
    const Body &a = pairs.all[box.a], &b = pairs.all[box.b];
    // Bodies that touch overlap by rounding.
    if (box.high.z() - box.low.z() < 1e-12 * (a.reach() + b.reach())) continue;
    double inside = 0.0;
    if (a.isBall() && b.isBall()) {
      box.most = sharedByBalls(a.reach(), b.reach(), (a.centre() - b.centre()).norm());
      // The lens lies in a ball about the middle of its box.
      const Vec3 middle = box.turn.transpose() * (0.5 * (box.low + box.high));
      const double radius = 0.5 * (box.high - box.low).norm();
      const int in = space.region ? space.region->side(middle, radius) : 1,
                hole = space.hole ? space.hole->side(middle, radius) : -1;
      if (in == 0 || hole == 0) out.bound += box.weight * box.most;
      const bool holds = (!space.region || space.region->contains(middle)) &&
                         !(space.hole && space.hole->contains(middle));
      inside = holds ? box.most : 0.0;
    } else if (a.shape->solid.cutsExactly() && b.shape->solid.cutsExactly()) {
      const shape::ConvexHull both = sharedBy(a.hull(), b.hull());
      if (both.rank < 3) continue;
      box.most = both.volume();
      inside = space.holds(both);
    } else {
      return std::nullopt;
    }
    out.volume += box.weight * inside;
    places.push_back(box);
  }
  out.bound += sharedByThree(places, bodies.size());
  return out;
}

BoundedVolume unionByPairs(const std::vector<PlacedShape>& bodies,
                           const std::vector<PlacedShape>& images, double bound) {
  Pairs pairs(bodies, images);
  std::vector<SharedBox>& shared = pairs.shared;
  const std::vector<Body>& all = pairs.all;
  double rough = 0.0;  // of the volumes, as shapes state them
  for (const PlacedShape& p : bodies) rough += p.cubed() * p.shape->volume;
  const double ofShapes = rough > 0.0 ? std::clamp(0.1 * bound / rough, 1e-9, 1e-3) : 1e-6;
  for (auto& [shape, measure] : pairs.shapes) measure.certify(ofShapes);
  BoundedVolume out;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    out.volume += bodies[k].cubed() * all[k].shape->volume;
    out.bound += bodies[k].cubed() * all[k].shape->bound;
  }
  // The smallest boxes count by half: it costs nothing, and they may use most of the bound, since
  // the others are mostly exact.
  std::vector<std::size_t> order(shared.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return shared[k].most; });
  std::size_t next = 0;
  for (double left = 0.7 * bound; next < order.size(); ++next) {
    const SharedBox& box = shared[order[next]];
    left -= 0.5 * box.weight * box.most;
    if (left < 0.0) break;
    out.volume -= 0.5 * box.weight * box.most;
    out.bound += 0.5 * box.weight * box.most;
  }
  const double each =
      bound / (5.0 * static_cast<double>(std::max<std::size_t>(order.size() - next, 1)));
  for (; next < order.size(); ++next) {
    SharedBox& box = shared[order[next]];
    const BoundedVolume both = sharedIn(box, all[box.a], all[box.b], each);
    out.volume -= box.weight * both.volume;
    out.bound += box.weight * both.bound;
    out.limited |= both.limited;
    box.most = std::min(box.most, both.volume + both.bound);
  }
  out.bound += sharedByThree(shared, bodies.size());
  out.limited |= out.bound > bound;
  return out;
}

}  // namespace scree::sim

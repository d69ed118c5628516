// SPDX-License-Identifier: GPL-3.0-or-later
#include "pack/body_overlap.hpp"

#include "engine/pair_forces.hpp"

#include <algorithm>
#include <cmath>

namespace scree::sim {
namespace {

/// Whether a point on the plane of a face lies on the face. Body frame.
bool onFace(const ShapeGeometry& g, const ShapeGeometry::Face& f, const Vec3& p) {
  if (!f.convex) return overFaceByParity(g, f, p);
  return std::ranges::all_of(
      g.sidesOf(f), [&](const ShapeGeometry::Side& s) { return s.normal.dot(p) <= s.offset; });
}

/// Whether an edge of `edges` passes through a face of `faces`.
bool edgePierces(const BodyPose& edges, const BodyPose& faces) {
  const ShapeGeometry& g = *faces.shape;
  if (g.faces.empty()) return false;
  const Vec3 between = edges.pos - faces.pos;
  std::vector<Vec3> local;
  local.reserve(edges.shape->vertices.size());
  for (const Vec3& v : edges.shape->vertices) local.push_back(faces.inBody(edges.arm(v) + between));
  for (const shape::Edge& e : edges.shape->edges) {
    const Vec3 &p = local[e[0]], &q = local[e[1]];
    const Vec3 low = p.cwiseMin(q), high = p.cwiseMax(q);
    if ((low.array() > g.box.high.array()).any() || (high.array() < g.box.low.array()).any())
      continue;
    for (const ShapeGeometry::Face& f : g.faces) {
      const double hp = f.normal.dot(p) - f.offset, hq = f.normal.dot(q) - f.offset;
      if ((hp > 0.0) == (hq > 0.0)) continue;
      if (onFace(g, f, p + hp / (hp - hq) * (q - p))) return true;
    }
  }
  return false;
}

}  // namespace

BodyOverlap::BodyOverlap(const std::vector<shape::Shape>& shapes) {
  kinds_.reserve(shapes.size());
  for (const shape::Shape& s : shapes) {
    Kind kind;
    kind.geometry = shapeGeometry(s);
    kind.solid = !s.isSurface && s.faces.size() >= 4;
    kind.outer = boundingRadius(s);
    if (kind.geometry.ball) {
      kind.inner = s.radius;
    } else if (kind.solid && solidHolds(kind.geometry, Vec3::Zero())) {
      // No point of the surface is nearer than the nearest plane.
      double nearest = HUGE_VAL;
      for (const ShapeGeometry::Face& f : kind.geometry.faces)
        nearest = std::min(nearest, std::abs(f.offset));
      kind.inner = nearest + s.radius;
    }
    kinds_.push_back(std::move(kind));
  }
}

BodyPose BodyOverlap::poseOf(const PlacedBody& body) const {
  const ShapeGeometry& shape = kinds_[body.shape].geometry;
  return {body.pos,       body.homothety * rotationMatrix(body.q), Vec3::Zero(), Vec3::Zero(),
          body.homothety, body.homothety * shape.radius,           &shape};
}

bool BodyOverlap::solidHolds(const ShapeGeometry& g, const Vec3& p) {
  // A direction that no face of a shape people make is parallel to.
  const Vec3 ray(0.5377, 0.6193, 0.5721);
  bool inside = false;
  for (const ShapeGeometry::Face& f : g.faces) {
    const double slope = f.normal.dot(ray);
    if (slope == 0.0) continue;
    const double t = (f.offset - f.normal.dot(p)) / slope;
    if (t > 0.0 && onFace(g, f, p + t * ray)) inside = !inside;
  }
  return inside;
}

bool BodyOverlap::skeletonsCross(std::uint32_t shapeA, const BodyPose& a, std::uint32_t shapeB,
                                 const BodyPose& b) const {
  if (edgePierces(a, b) || edgePierces(b, a)) return true;
  const auto inside = [&](const BodyPose& of, std::uint32_t in, const BodyPose& body) {
    return kinds_[in].solid &&
           solidHolds(*body.shape, body.inBody(of.pos + of.arm(of.shape->vertices[0]) - body.pos));
  };
  return inside(a, shapeB, b) || inside(b, shapeA, a);
}

bool BodyOverlap::overlap(const PlacedBody& bodyA, const BodyPose& a, const PlacedBody& bodyB,
                          const BodyPose& b, NearSubElements& scratch) const {
  const Kind &ka = kinds_[bodyA.shape], &kb = kinds_[bodyB.shape];
  const Vec3 between = a.pos - b.pos;
  const double distance2 = between.squaredNorm();
  const double outer = ka.outer * a.scale + kb.outer * b.scale;
  if (distance2 >= outer * outer) return false;
  const double inner = ka.inner * a.scale + kb.inner * b.scale;
  if (distance2 < inner * inner) return true;
  findNear(a, b, 0.0, scratch);
  for (const Candidate& c : scratch.candidates) {
    Touch touch;
    double rest = 0.0;
    if (c.swapped ? touches(c, b, a, -between, touch, rest)
                  : touches(c, a, b, between, touch, rest))
      return true;
  }
  return skeletonsCross(bodyA.shape, a, bodyB.shape, b);
}

}  // namespace scree::sim

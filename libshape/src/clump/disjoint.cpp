// SPDX-License-Identifier: GPL-3.0-or-later
#include "clump/member_geometry.hpp"

#include "scree/clump/pack_transform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scree::clump {
namespace {

using Kind = MemberType::Kind;

/// A convex body as the hull of a few points, swept by a ball or stretched to an ellipsoid.
struct Convex {
  std::vector<Vec3> points;
  double radius = 0.0;
  Mat3 stretch = Mat3::Zero();  ///< of an ellipsoid: image of the unit ball about the one point
  bool ellipsoid = false;

  /// The point farthest along the unit vector n.
  Vec3 farthest(const Vec3& n) const {
    const Vec3* best = &points.front();
    for (const Vec3& p : points)
      if (p.dot(n) > best->dot(n)) best = &p;
    if (!ellipsoid) return *best + radius * n;
    const Vec3 local = stretch.transpose() * n;
    return *best + stretch * local / local.norm();
  }
};

Convex convexOf(const PackMember& m) {
  Convex c;
  switch (m.kind()) {
    case Kind::sphere:
      c.points = {m.centre};
      c.radius = m.radius;
      break;
    case Kind::capsule:
      c.points = {m.centre - capsuleHalfShaft(m), m.centre + capsuleHalfShaft(m)};
      c.radius = capsuleRadius(m);
      break;
    case Kind::ellipsoid:
      c.points = {m.centre};
      c.ellipsoid = true;
      c.stretch = rotationMatrix(ellipsoidOrientation(m)) * ellipsoidSemiAxes(m).asDiagonal();
      break;
    case Kind::facet:
      c.points = m.nodes();
      c.radius = facetHalfThickness(m);
      break;
    case Kind::tetra:
      c.points = m.nodes();
      c.radius = m.rounding();
      break;
  }
  return c;
}

/// Width of the slab between a and b across the unit vector n; negative where they reach past it.
double gapAlong(const Convex& a, const Convex& b, const Vec3& n) {
  return n.dot(b.farthest(-n) - a.farthest(n));
}

/// Directions across which two hulls of points are farthest apart. The line between their closest
/// points joins corner to corner, corner to edge, corner to face or edge to edge.
std::vector<Vec3> candidates(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  std::vector<Vec3> out;
  const auto normals = [&out](const std::vector<Vec3>& p) {
    for (std::size_t i = 0; i < p.size(); ++i)
      for (std::size_t j = i + 1; j < p.size(); ++j)
        for (std::size_t k = j + 1; k < p.size(); ++k)
          out.push_back((p[j] - p[i]).cross(p[k] - p[i]));
  };
  const auto toEdges = [&out](const std::vector<Vec3>& points, const std::vector<Vec3>& p) {
    for (const Vec3& x : points)
      for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = i + 1; j < p.size(); ++j) {
          const Vec3 e = p[j] - p[i];
          if (e.squaredNorm() > 0.0)
            out.push_back(p[i] + (x - p[i]).dot(e) / e.squaredNorm() * e - x);
        }
  };
  for (const Vec3& x : a)
    for (const Vec3& y : b) out.push_back(y - x);
  toEdges(a, b);
  toEdges(b, a);
  normals(a);
  normals(b);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = i + 1; j < a.size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k)
        for (std::size_t l = k + 1; l < b.size(); ++l)
          out.push_back((a[j] - a[i]).cross(b[l] - b[k]));
  return out;
}

/// Gilbert's descent to the shortest vector between the bodies; each of its directions is a trial.
template <class Enough>
bool foundByDescent(const Convex& a, const Convex& b, Enough&& enough) {
  Vec3 z = b.points.front() - a.points.front();
  for (int step = 0; step < 300 && z.norm() > 0.0; ++step) {
    const Vec3 n = z.normalized();
    const Vec3 w = b.farthest(-n) - a.farthest(n);
    if (enough(n.dot(w))) return true;
    const Vec3 way = w - z;
    z += std::clamp(-z.dot(way) / way.squaredNorm(), 0.0, 1.0) * way;
  }
  return false;
}

/// A member that reaches `by` farther.
PackMember larger(const PackMember& member, double by) {
  PackMember m = member;
  switch (m.kind()) {
    case MemberType::Kind::sphere:
    case MemberType::Kind::capsule:
      m.radius += by;
      break;
    case MemberType::Kind::ellipsoid:
      for (std::size_t k = 3; k < 6; ++k) m.raw()[k] += by;
      break;
    case MemberType::Kind::facet:
      m.raw()[9] += by;
      break;
    case MemberType::Kind::tetra:
      m.rounding() += by;
  }
  return m;
}

}  // namespace

std::optional<double> depthInContact(const PackMember& a, const PackMember& b, Contact allowed) {
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  Convex first = convexOf(a), second = convexOf(b);
  // Seen from a point of theirs, so that bodies far from the origin lose no digits.
  const Vec3 origin = first.points.front();
  double size = first.radius + second.radius + first.stretch.norm() + second.stretch.norm();
  for (Convex* c : {&first, &second})
    for (Vec3& p : c->points) {
      p -= origin;
      size = std::max(size, p.norm());
    }
  const double rounding = 4.0 * epsilon * size;
  double widest = -std::numeric_limits<double>::infinity();
  const auto enough = [&](double gap) {
    widest = std::max(widest, gap);
    return widest >= -rounding;
  };
  // Where numbers round, a contact may share volume.
  const auto depth = [&] { return std::max(0.0, epsilon * size - widest); };
  for (const Vec3& direction : candidates(first.points, second.points)) {
    const double length = direction.norm();
    if (!(length > 0.0)) continue;
    const Vec3 n = direction / length;
    if (enough(gapAlong(first, second, n)) || enough(gapAlong(first, second, -n))) return depth();
  }
  if ((first.ellipsoid || second.ellipsoid) && foundByDescent(first, second, enough))
    return depth();
  if (allowed == Contact::tight) return std::nullopt;
  const double farOff = origin.cwiseAbs().maxCoeff() + size;
  if (widest >= -std::max(1e-12 * size, 4.0 * epsilon * farOff)) return depth();
  return std::nullopt;
}

bool provablyDisjoint(const PackMember& a, const PackMember& b) {
  return depthInContact(a, b, Contact::loose).has_value();
}

std::size_t groupsApart(const PackParticle& clump) {
  const ParticleBox whole = boxOf(clump);
  const double gap = 1e-6 * (whole.most - whole.least).norm();
  std::vector<PackMember> members;
  std::vector<shape::Aabb> boxes;
  PackParticle single;
  for (const PackMember& m : clump.members) {
    members.push_back(larger(m, gap));
    single.members = {members.back()};
    const ParticleBox box = boxOf(single);
    boxes.push_back({box.least, box.most});
  }
  const shape::AabbTree tree(boxes, 8);
  std::vector<bool> met(members.size(), false);
  std::vector<std::uint32_t> open;
  std::size_t groups = 0;
  for (std::uint32_t first = 0; first < members.size(); ++first) {
    if (met[first]) continue;
    ++groups;
    met[first] = true;
    open = {first};
    while (!open.empty()) {
      const std::uint32_t k = open.back();
      open.pop_back();
      tree.forEachNear(boxes[k], [&](std::uint32_t j) {
        if (met[j] || !boxes[k].overlaps(boxes[j]) || provablyDisjoint(members[k], members[j]))
          return;
        met[j] = true;
        open.push_back(j);
      });
    }
  }
  return groups;
}

}  // namespace scree::clump

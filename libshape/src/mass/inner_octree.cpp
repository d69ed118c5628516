// SPDX-License-Identifier: GPL-3.0-or-later
#include "skeleton.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/certified.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::mass {
namespace {

using detail::Element;
using detail::nothing;
using detail::Skeleton;

constexpr int deepest = 20;
/// Distance to a surface that counts as on it. Bodies have a size near 1 here.
constexpr double touching = 1e-14;

/// Container that a box may be wholly inside of: an element, or a convex solid.
struct Pebble {
  std::uint32_t first = 0, end = 0;  ///< its elements
  double radius = 0.0;
  /// Planes of a convex solid, one for each element: n·x - at is at most 0 in its core.
  struct Plane {
    Vec3 n;
    double at;
  };
  std::vector<Plane> planes;
};

/// The planes of a solid from its triangles; none unless it is convex.
std::vector<Pebble::Plane> convexPlanes(const Skeleton& skeleton, std::uint32_t from,
                                        std::uint32_t to) {
  std::vector<Pebble::Plane> planes;
  shape::Aabb box;
  double volume = 0.0;
  for (std::uint32_t k = from; k < to; ++k) {
    const auto& c = skeleton.elements[k].corner;
    for (const Vec3& v : c) box.add(v);
    const Vec3 area = (c[1] - c[0]).cross(c[2] - c[0]);
    volume += area.dot(c[0] - skeleton.elements[from].corner[0]);
    const Vec3 n = area.normalized();
    planes.push_back({n, std::max({n.dot(c[0]), n.dot(c[1]), n.dot(c[2])})});
  }
  const double slack = 1e-12 * box.halfSize().maxCoeff() + touching;
  if (!(volume > 0.0)) return {};
  for (const Pebble::Plane& p : planes)
    for (std::uint32_t k = from; k < to; ++k)
      for (const Vec3& v : skeleton.elements[k].corner)
        if (p.n.dot(v) > p.at + slack) return {};
  return planes;
}

class InnerOctree {
 public:
  explicit InnerOctree(const Skeleton& skeleton) : skeleton_(skeleton) {
    const auto& elements = skeleton.elements;
    for (std::uint32_t k = 0; k < elements.size();) {
      std::uint32_t to = k + 1;
      std::vector<Pebble::Plane> planes;
      if (elements[k].solid != nothing) {
        while (to < elements.size() && elements[to].solid == elements[k].solid) ++to;
        planes = convexPlanes(skeleton, k, to);
      }
      if (!planes.empty()) {
        pebbles_.push_back({k, to, elements[k].radius, std::move(planes)});
        k = to;
      }
      for (; k < to; ++k) {
        const Element& e = elements[k];
        // Without volume, and no part of a surface.
        if (e.radius > 0.0 || e.solid != nothing || e.kind == Element::Kind::ellipsoid)
          pebbles_.push_back({k, k + 1, e.radius, {}});
      }
    }
    for (std::uint32_t p = 0; p < pebbles_.size(); ++p) {
      const auto first = static_cast<std::uint32_t>(faces_.size());
      for (std::uint32_t k = pebbles_[p].first; k < pebbles_[p].end; ++k) faces_.push_back(k);
      open_.push_back({p, first, static_cast<std::uint32_t>(faces_.size())});
    }
    passes_.assign(skeleton.solids.size(), false);
  }

  /// Sorts all boxes down to level `depth`.
  void run(int depth) {
    depth_ = depth;
    inside_.assign(static_cast<std::size_t>(depth) + 1, {});
    cut_.assign(static_cast<std::size_t>(depth) + 1, 0);
    visit({skeleton_.box.centre(), skeleton_.box.halfSize().maxCoeff()}, 0, 0, open_.size());
  }
  double edge(int level) const {
    return std::ldexp(2.0 * skeleton_.box.halfSize().maxCoeff(), -level);
  }
  /// Moments of the boxes of one level that are inside.
  Moments inside(int level) const {
    Moments sum = inside_[static_cast<std::size_t>(level)];
    const double side = edge(level), volume = side * side * side;
    sum.m2 += sum.m0 * side * side / 12.0 * Mat3::Identity();
    sum.m0 *= volume;
    sum.m1 *= volume;
    sum.m2 *= volume;
    return sum;
  }
  std::size_t cut(int level) const { return cut_[static_cast<std::size_t>(level)]; }

 private:
  struct Box {
    Vec3 centre;
    double half;
    Vec3 corner(unsigned k) const {
      return centre + half * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    }
  };
  enum class Where { inside, outside, cut };
  /// A pebble that cuts a box, and its elements, in `faces_`, that matter there: of a convex solid
  /// those whose plane leaves a part of the box outside.
  struct Open {
    std::uint32_t pebble, first, end;
  };

  /// Pebbles from `from` to `to` cut the box around this one; those that cut the box itself stand
  /// behind them until it is done.
  void visit(const Box& box, int level, std::size_t from, std::size_t to) {
    const std::size_t top = open_.size(), topFaces = faces_.size();
    const Where where = whereIs(box, from, to);
    const auto k = static_cast<std::size_t>(level);
    if (where == Where::inside) {
      inside_[k].m0 += 1.0;
      inside_[k].m1 += box.centre;
      inside_[k].m2 += box.centre * box.centre.transpose();
    } else if (where == Where::cut) {
      ++cut_[k];
      const std::size_t end = open_.size();
      const Box half{box.centre, 0.5 * box.half};
      if (level < depth_)
        for (unsigned c = 0; c < 8; ++c) visit({half.corner(c), half.half}, level + 1, top, end);
    }
    open_.resize(top);
    faces_.resize(topFaces);
  }

  Where whereIs(const Box& box, std::size_t from, std::size_t to) {
    const std::size_t top = open_.size();
    solids_.clear();
    for (std::size_t k = from; k < to; ++k) {
      const Open near = narrowed(open_[k], box);
      const Where where = of(box, near);
      if (where == Where::inside) return where;
      if (where == Where::cut) open_.push_back(near);
    }
    for (const std::uint32_t s : solids_)
      if (!passes_[s] && skeleton_.solids[s].contains(box.centre)) return Where::inside;
    return open_.size() > top ? Where::cut : Where::outside;
  }

  Open narrowed(const Open& open, const Box& box) {
    const Pebble& pebble = pebbles_[open.pebble];
    if (pebble.planes.empty()) return open;
    const auto first = static_cast<std::uint32_t>(faces_.size());
    for (std::uint32_t k = open.first; k < open.end; ++k) {
      const Pebble::Plane& plane = pebble.planes[faces_[k] - pebble.first];
      if (plane.n.dot(box.centre) - plane.at + box.half * plane.n.cwiseAbs().sum() > 0.0)
        faces_.push_back(faces_[k]);
    }
    return {open.pebble, first, static_cast<std::uint32_t>(faces_.size())};
  }

  Where of(const Box& box, const Open& open) {
    const Pebble& pebble = pebbles_[open.pebble];
    if (open.first == open.end) return Where::inside;
    const Element& e = skeleton_.elements[pebble.first];
    if (e.kind == Element::Kind::point) {
      const Vec3 off = (box.centre - e.corner[0]).cwiseAbs();
      const double r2 = e.radius * e.radius;
      if ((off.array() - box.half).cwiseMax(0.0).matrix().squaredNorm() >= r2)
        return Where::outside;
      return (off.array() + box.half).matrix().squaredNorm() <= r2 ? Where::inside : Where::cut;
    }
    // The distance is convex: in the box it is nowhere below its plane through the centre, and
    // nowhere above its largest value at a corner.
    Vec3 slope = Vec3::Zero();
    const double f = distanceTo(open, box.centre, slope);
    const double least = f - box.half * slope.cwiseAbs().sum();
    bool passes = false;
    if (e.solid != nothing && pebble.planes.empty()) {
      if (solids_.empty() || solids_.back() != e.solid) {
        solids_.push_back(e.solid);
        passes_[e.solid] = false;
      }
      passes = least + e.radius <= touching;
      passes_[e.solid] = passes_[e.solid] || passes;
    }
    if (least >= -touching && !passes) return Where::outside;
    double most = f;
    for (unsigned k = 0; k < 8 && most <= touching; ++k)
      most = std::max(most, distanceTo(open, box.corner(k), slope));
    return most <= touching ? Where::inside : Where::cut;
  }

  /// Distance from a pebble, negative within it. Outside of a convex core the nearest point is on a
  /// face that x is outside of; within, on the nearest plane.
  double distanceTo(const Open& open, const Vec3& x, Vec3& slope) const {
    const Pebble& pebble = pebbles_[open.pebble];
    double least = std::numeric_limits<double>::infinity(), above = -least;
    Vec3 normal = Vec3::Zero();
    for (std::uint32_t at = open.first; at < open.end; ++at) {
      const std::uint32_t k = faces_[at];
      if (!pebble.planes.empty()) {
        const Pebble::Plane& plane = pebble.planes[k - pebble.first];
        const double s = plane.n.dot(x) - plane.at;
        if (s > above) above = s, normal = plane.n;
        if (s <= 0.0) continue;
      }
      Vec3 way = Vec3::Zero();
      const double f = detail::distanceTo(skeleton_, skeleton_.elements[k], x, way);
      if (f >= least) continue;
      least = f;
      slope = way;
    }
    if (std::isfinite(least)) return least;
    slope = normal;
    return above - pebble.radius;
  }

  const Skeleton& skeleton_;
  std::vector<Pebble> pebbles_;
  std::vector<Open> open_;             ///< that cut the boxes on the present path
  std::vector<std::uint32_t> faces_;   ///< elements of `open_`
  std::vector<bool> passes_;           ///< whether the surface of a solid passes the present box
  std::vector<std::uint32_t> solids_;  ///< that are not convex and may contain it
  int depth_ = 0;
  std::vector<Moments> inside_;  ///< boxes of a level that are inside, counted, as points
  std::vector<std::size_t> cut_;
};

}  // namespace

SolidProperties innerOctreeMass(const CertifiedBody& body, std::size_t boxes, double tolerance,
                                OctreeBounds* bounds) {
  const Skeleton skeleton = detail::skeletonOf(body);
  InnerOctree tree(skeleton);
  OctreeBounds end;
  Moments sum, last;
  double guess = 0.0, changeBefore = 1.0;
  bool met = false, metBefore = false;  // whether a level looks as surfaces look
  for (;; ++end.level) {
    tree.run(end.level);
    // The error halves from level to level: what the last level added is still missing.
    last = tree.inside(end.level);
    const double before = sum.m0, guessBefore = guess;
    sum += last;
    const std::size_t open = tree.cut(end.level);
    const double side = tree.edge(end.level);
    end.inside = sum.m0;
    end.undecided = static_cast<double>(open) * side * side * side;
    guess = sum.m0 + last.m0;
    changeBefore =
        std::exchange(end.change, guess > 0.0 ? std::fabs(guess - guessBefore) / guess : 1.0);
    // About half of the open volume is inside. Flat faces along the axes may leave all boxes of
    // several levels open, or none: their extrapolations then agree, and are all wrong.
    metBefore =
        std::exchange(met, last.m0 > 0.25 * end.undecided && last.m0 < 0.75 * end.undecided);
    const bool credible = (met && metBefore && changeBefore <= 10.0 * tolerance) ||
                          end.undecided <= tolerance * guess;
    if (open == 0) {
      end.stop = OctreeBounds::Stop::decided;
      last = {};
    } else if (before > 0.0 && credible && end.change <= tolerance) {
      end.stop = OctreeBounds::Stop::tolerance;
    } else if (end.cut + open > boxes) {
      end.stop = OctreeBounds::Stop::boxes;
    } else if (end.level == deepest) {
      end.stop = OctreeBounds::Stop::level;
    } else {
      end.cut += open;
      continue;
    }
    break;
  }
  if (!(sum.m0 > 0.0))
    throw GeometryError("no box of the octree lies inside the body; allow more boxes");
  // Extrapolated from coarse levels, the volume may lie beyond what the boxes allow.
  const double share = last.m0 > 0.0 ? std::min(1.0, end.undecided / last.m0) : 0.0;
  Moments ahead = sum;
  ahead.m0 += share * last.m0;
  ahead.m1 += share * last.m1;
  ahead.m2 += share * last.m2;
  const SolidProperties solid = inBodyUnits(skeleton, solidProperties(ahead));
  const double unit = skeleton.scale * skeleton.scale * skeleton.scale;
  end.inside *= unit;
  end.undecided *= unit;
  if (bounds) *bounds = end;
  return solid;
}

}  // namespace scree::mass

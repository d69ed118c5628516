// SPDX-License-Identifier: GPL-3.0-or-later
#include "skeleton.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/certified.hpp"

#include <algorithm>
#include <array>
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

/// A half-space that a convex part lies in, and the triangle in its plane.
struct PebblePlane {
  Vec3 n;
  double at;
  std::uint32_t triangle = nothing;  ///< element; none for a side of the box of the part
};

/// Container that a box may be wholly inside of: an element, or a convex solid.
struct Pebble {
  std::uint32_t element = nothing;
  double radius = 0.0;
  std::vector<PebblePlane> planes;  ///< of a convex solid
};

/// The planes of a solid from its triangles; none unless it is convex.
std::vector<PebblePlane> convexPlanes(const Skeleton& skeleton, std::uint32_t from,
                                      std::uint32_t to) {
  std::vector<PebblePlane> planes;
  shape::Aabb box;
  double volume = 0.0;
  for (std::uint32_t k = from; k < to; ++k) {
    const auto& c = skeleton.elements[k].corner;
    for (const Vec3& v : c) box.add(v);
    const Vec3 area = (c[1] - c[0]).cross(c[2] - c[0]);
    volume += area.dot(c[0] - skeleton.elements[from].corner[0]);
    const Vec3 n = area.normalized();
    planes.push_back({n, std::max({n.dot(c[0]), n.dot(c[1]), n.dot(c[2])}), k});
  }
  const double slack = 1e-12 * box.halfSize().maxCoeff() + touching;
  if (!(volume > 0.0)) return {};
  for (const PebblePlane& p : planes)
    for (std::uint32_t k = from; k < to; ++k)
      for (const Vec3& v : skeleton.elements[k].corner)
        if (p.n.dot(v) > p.at + slack) return {};
  // Near a sharp corner, no face separates a box from the solid, but its own box does.
  for (Eigen::Index axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 n = sign * Vec3::Unit(axis);
      const bool there =
          std::any_of(planes.begin(), planes.end(), [&](const PebblePlane& p) { return p.n == n; });
      if (!there) planes.push_back({n, sign > 0.0 ? box.high[axis] : -box.low[axis]});
    }
  return planes;
}

class InnerOctree {
 public:
  explicit InnerOctree(const Skeleton& skeleton) : skeleton_(skeleton) {
    const auto& elements = skeleton.elements;
    const auto add = [&](std::uint32_t k) {
      const Element& e = elements[k];
      // Without volume, and no part of a surface.
      if (e.radius == 0.0 && e.solid == nothing && e.kind != Element::Kind::ellipsoid) return;
      entries_.push_back({static_cast<std::uint32_t>(pebbles_.size()), 0});
      pebbles_.push_back({k, e.radius, {}});
    };
    for (std::uint32_t k = 0; k < elements.size();) {
      std::uint32_t to = k + 1;
      if (elements[k].solid != nothing)
        while (to < elements.size() && elements[to].solid == elements[k].solid) ++to;
      std::vector<PebblePlane> planes;
      if (elements[k].solid != nothing) planes = convexPlanes(skeleton, k, to);
      for (std::uint32_t p = 0; p < planes.size(); ++p)
        entries_.push_back({static_cast<std::uint32_t>(pebbles_.size()), p});
      if (!planes.empty())
        pebbles_.push_back({nothing, elements[k].radius, std::move(planes)});
      else
        for (std::uint32_t e = k; e < to; ++e) add(e);
      k = to;
    }
    passes_.assign(skeleton.solids.size(), false);
  }

  /// Sorts all boxes down to level `depth`.
  void run(int depth) {
    depth_ = depth;
    inside_.assign(static_cast<std::size_t>(depth) + 1, {});
    cut_.assign(static_cast<std::size_t>(depth) + 1, 0);
    visit(skeleton_.box.centre(), skeleton_.box.halfSize().maxCoeff(), 0, 0, entries_.size());
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
  /// A piece that a box may touch. Of a convex solid, one entry for each plane that cuts the box.
  struct Entry {
    std::uint32_t piece, plane;
  };
  struct Box {
    Vec3 centre;
    double half;
    Vec3 corner(unsigned k) const {
      return centre + half * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    }
  };
  enum class Where { inside, outside, cut };

  /// Entries from `from` to `to` are those of the box around this one; those of the box itself
  /// stand behind them until it is done.
  void visit(const Vec3& centre, double half, int level, std::size_t from, std::size_t to) {
    const Box box{centre, half};
    const std::size_t top = entries_.size();
    const Where where = whereIs(box, from, to);
    const auto k = static_cast<std::size_t>(level);
    if (where == Where::inside) {
      inside_[k].m0 += 1.0;
      inside_[k].m1 += centre;
      inside_[k].m2 += centre * centre.transpose();
    } else if (where == Where::cut) {
      ++cut_[k];
      const std::size_t end = entries_.size();
      if (level < depth_)
        for (unsigned c = 0; c < 8; ++c)
          visit(Box{centre, 0.5 * half}.corner(c), 0.5 * half, level + 1, top, end);
    }
    entries_.resize(top);
  }

  Where whereIs(const Box& box, std::size_t from, std::size_t to) {
    const std::size_t top = entries_.size();
    solids_.clear();
    for (std::size_t k = from; k < to;) {
      const Pebble& piece = pebbles_[entries_[k].piece];
      if (piece.element != nothing) {
        if (inElement(box, entries_[k])) return Where::inside;
        ++k;
        continue;
      }
      std::size_t end = k + 1;
      while (end < to && entries_[end].piece == entries_[k].piece) ++end;
      if (inConvex(box, piece, k, end)) return Where::inside;
      k = end;
    }
    for (const std::uint32_t s : solids_)
      if (!passes_[s] && skeleton_.solids[s].contains(box.centre)) return Where::inside;
    return entries_.size() > top ? Where::cut : Where::outside;
  }

  /// Whether the box is inside the element; keeps the element if the box is not outside either.
  bool inElement(const Box& box, const Entry& entry) {
    const Element& e = skeleton_.elements[pebbles_[entry.piece].element];
    if (e.kind == Element::Kind::point) {
      const Vec3 off = (box.centre - e.corner[0]).cwiseAbs();
      const double r2 = e.radius * e.radius;
      if ((off.array() - box.half).cwiseMax(0.0).matrix().squaredNorm() >= r2) return false;
      entries_.push_back(entry);
      return (off.array() + box.half).matrix().squaredNorm() <= r2;
    }
    Vec3 slope = Vec3::Zero();
    const double f = detail::distanceTo(skeleton_, e, box.centre, slope);
    // The distance is convex: in the box it is nowhere below its plane through the centre.
    const double least = f - box.half * slope.cwiseAbs().sum();
    if (e.solid != nothing) {
      if (solids_.empty() || solids_.back() != e.solid) {
        solids_.push_back(e.solid);
        passes_[e.solid] = false;
      }
      if (least + e.radius <= touching) passes_[e.solid] = true;
    }
    if (least >= 0.0 && !(e.solid != nothing && least + e.radius <= touching)) return false;
    entries_.push_back(entry);
    if (f > 0.0) return false;
    if (f + std::sqrt(3.0) * box.half <= 0.0) return true;
    for (unsigned k = 0; k < 8; ++k)
      if (detail::distanceTo(skeleton_, e, box.corner(k), slope) > 0.0) return false;
    return true;
  }

  /// The same for a convex solid, with entries `from` to `to`.
  bool inConvex(const Box& box, const Pebble& piece, std::size_t from, std::size_t to) {
    const std::size_t top = entries_.size();
    double farthest = -std::numeric_limits<double>::infinity();
    for (std::size_t k = from; k < to; ++k) {
      const PebblePlane& plane = piece.planes[entries_[k].plane];
      const double s = plane.n.dot(box.centre) - plane.at;
      const double reach = box.half * plane.n.cwiseAbs().sum();
      if (s - reach >= piece.radius - touching) {
        entries_.resize(top);
        return false;
      }
      if (s + reach <= touching) continue;
      farthest = std::max(farthest, s);
      const Entry entry = entries_[k];
      entries_.push_back(entry);
    }
    if (entries_.size() == top) return true;
    if (piece.radius == 0.0) return false;
    if (farthest > 0.0) {
      Vec3 slope = Vec3::Zero();
      const double f = distanceTo(piece, top, box.centre, slope);
      if (f - box.half * slope.cwiseAbs().sum() >= 0.0) entries_.resize(top);
      if (f > 0.0) return false;
    }
    Vec3 slope = Vec3::Zero();
    for (unsigned k = 0; k < 8; ++k)
      if (distanceTo(piece, top, box.corner(k), slope) > 0.0) return false;
    return true;
  }

  /// Distance from the rounded solid, negative within it, by the entries from `from` on. The
  /// nearest point of the core is on a face that x is outside of.
  double distanceTo(const Pebble& piece, std::size_t from, const Vec3& x, Vec3& slope) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = from; k < entries_.size(); ++k) {
      const PebblePlane& plane = piece.planes[entries_[k].plane];
      if (plane.triangle == nothing || plane.n.dot(x) <= plane.at) continue;
      Vec3 way = Vec3::Zero();
      const double f = detail::distanceTo(skeleton_, skeleton_.elements[plane.triangle], x, way);
      if (f >= least) continue;
      least = f;
      slope = way;
    }
    if (std::isfinite(least)) return least;
    slope = Vec3::Zero();
    return -piece.radius;
  }

  const Skeleton& skeleton_;
  std::vector<Pebble> pebbles_;
  std::vector<Entry> entries_;
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

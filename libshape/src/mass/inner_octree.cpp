// SPDX-License-Identifier: GPL-3.0-or-later
#include "skeleton.hpp"

#include "scree/base/error.hpp"
#include "scree/mass/certified.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scree::mass {
namespace {

using detail::Element;
using detail::nothing;
using detail::Skeleton;

constexpr int deepest = 20;
/// Distance to a surface that counts as on it. Bodies have a size near 1 here.
constexpr double touching = 1e-14;

class InnerOctree {
 public:
  explicit InnerOctree(const Skeleton& skeleton) : skeleton_(skeleton) {
    for (const Element& e : skeleton.elements)  // others have no volume, and are part of no surface
      if (e.radius > 0.0 || e.solid != nothing || e.kind == Element::Kind::ellipsoid)
        open_.push_back(&e);
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

  /// Elements from `from` to `to` cut the box around this one; those that cut the box itself stand
  /// behind them until it is done.
  void visit(const Box& box, int level, std::size_t from, std::size_t to) {
    const std::size_t top = open_.size();
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
  }

  Where whereIs(const Box& box, std::size_t from, std::size_t to) {
    const std::size_t top = open_.size();
    solids_.clear();
    for (std::size_t k = from; k < to; ++k) {
      const Where where = of(box, *open_[k]);
      if (where == Where::inside) return where;
      if (where == Where::cut) open_.push_back(open_[k]);
    }
    for (const std::uint32_t s : solids_)
      if (!passes_[s] && skeleton_.solids[s].contains(box.centre)) return Where::inside;
    return open_.size() > top ? Where::cut : Where::outside;
  }

  Where of(const Box& box, const Element& e) {
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
    const double f = detail::distanceTo(skeleton_, e, box.centre, slope);
    const double least = f - box.half * slope.cwiseAbs().sum();
    bool passes = false;
    if (e.solid != nothing) {
      if (solids_.empty() || solids_.back() != e.solid) {
        solids_.push_back(e.solid);
        passes_[e.solid] = false;
      }
      passes = f + e.radius <= touching || least + e.radius < -touching;
      passes_[e.solid] = passes_[e.solid] || passes;
    }
    if (least >= -touching && !passes) return Where::outside;
    double most = f;
    for (unsigned k = 0; k < 8 && most <= touching; ++k)
      most = std::max(most, detail::distanceTo(skeleton_, e, box.corner(k), slope));
    return most <= touching ? Where::inside : Where::cut;
  }

  const Skeleton& skeleton_;
  std::vector<const Element*> open_;   ///< that cut the boxes on the present path
  std::vector<bool> passes_;           ///< whether the surface of a solid passes the present box
  std::vector<std::uint32_t> solids_;  ///< that may contain it
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
  std::size_t cut = 0;
  double guess = 0.0, change = 1.0;
  bool met = false;  // whether a level looks as surfaces look
  for (int level = 0;; ++level) {
    tree.run(level);
    // The error halves from level to level: what the last level added is still missing.
    last = tree.inside(level);
    const double before = sum.m0, guessBefore = guess, side = tree.edge(level);
    sum += last;
    const std::size_t open = tree.cut(level);
    end = {sum.m0, static_cast<double>(open) * side * side * side};
    guess = sum.m0 + last.m0;
    const double changeBefore =
        std::exchange(change, guess > 0.0 ? std::fabs(guess - guessBefore) / guess : 1.0);
    // About half of the open volume is inside. Flat faces along the axes may leave all boxes of
    // several levels open, or none: their extrapolations then agree, and are all wrong.
    const bool metBefore =
        std::exchange(met, last.m0 > 0.25 * end.undecided && last.m0 < 0.75 * end.undecided);
    const bool credible = (met && metBefore && changeBefore <= 10.0 * tolerance) ||
                          end.undecided <= tolerance * guess;
    if (open == 0) last = {};
    if (open == 0 || (before > 0.0 && credible && change <= tolerance) || cut + open > boxes ||
        level == deepest)
      break;
    cut += open;
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

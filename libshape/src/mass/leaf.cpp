// SPDX-License-Identifier: GPL-3.0-or-later
#include "leaf.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scree::mass::detail {
namespace {

std::optional<Plane> cutOfSlab(const Slab& slab, const ConvexCell& cell) {
  const Range height = along(cell, slab.n);
  const bool top = height.low < slab.high - touchLength && height.high > slab.high + touchLength,
             foot = height.low < slab.low - touchLength && height.high > slab.low + touchLength;
  // One plane: beyond it the triangle and all its tubes and balls are gone. Two: the cell is
  // thicker than the slab, and columns leave fewer parts.
  if (top != foot) return Plane{slab.n, top ? slab.high : slab.low};
  for (unsigned k = 0; k < 3; ++k)
    if (cuts(cell, slab.side[k], slab.at[k])) return Plane{slab.side[k], slab.at[k]};
  if (top) return Plane{slab.n, slab.high};
  return std::nullopt;
}

std::optional<Plane> cutOfTube(const Tube& tube, const ConvexCell& cell) {
  const double begin = tube.p.dot(tube.t);
  if (cuts(cell, tube.t, begin)) return Plane{tube.t, begin};
  if (cuts(cell, tube.t, begin + tube.length)) return Plane{tube.t, begin + tube.length};
  return std::nullopt;
}

}  // namespace

bool LeafPieces::gather(std::span<const std::uint32_t> elements) {
  const auto place = [&](Piece::Kind kind, std::uint32_t index) -> Mask {
    if (index == nothing) return 0;
    std::size_t k = 0;
    while (k < count_ && (piece_[k].kind != kind || piece_[k].index != index)) ++k;
    if (k == count_) {
      if (count_ == most) return ~Mask{0};
      piece_[count_++] = {kind, index};
    }
    return Mask{1} << k;
  };
  for (const std::uint32_t id : elements) {
    const Element& e = skeleton_.elements[id];
    Mask family = place(Piece::Kind::ellipsoid, e.ellipsoid);
    for (unsigned k = 0; k < 3; ++k) {
      family |= place(Piece::Kind::tube, e.tube[k]);
      family |= place(Piece::Kind::ball, e.ball[k]);
    }
    const Mask slab = place(Piece::Kind::slab, e.slab);
    if (family == ~Mask{0} || slab == ~Mask{0}) return false;
    if (slab) piece_[static_cast<std::size_t>(std::countr_zero(slab))].family = family | slab;
  }
  return true;
}

LeafPieces::Fate LeafPieces::fateOfSlab(unsigned k, const ConvexCell& cell, Mask& mask) const {
  const Slab& slab = skeleton_.slabs[piece_[k].index];
  const Range height = along(cell, slab.n);
  if (height.low >= slab.high - touchLength || height.high <= slab.low + touchLength) {
    mask &= ~piece_[k].family;  // nothing of the triangle reaches beyond its planes
    return Fate::goes;
  }
  bool covers = height.low >= slab.low - touchLength && height.high <= slab.high + touchLength;
  for (unsigned s = 0; s < 3; ++s) {
    const Range inward = along(cell, slab.side[s]);
    if (inward.high <= slab.at[s] + touchLength) return Fate::goes;
    covers &= inward.low >= slab.at[s] - touchLength;
  }
  return covers ? Fate::covers : Fate::stays;
}

LeafPieces::Fate LeafPieces::fateOfCurved(unsigned k, const ConvexCell& cell,
                                          const Vec3& middle) const {
  bool whole = true;
  if (piece_[k].kind == Piece::Kind::tube) {
    const Tube& tube = skeleton_.tubes[piece_[k].index];
    const Range ends = along(cell, tube.t);
    const double begin = tube.p.dot(tube.t);
    if (ends.high <= begin + touchLength || ends.low >= begin + tube.length - touchLength)
      return Fate::goes;
    whole = ends.low >= begin - touchLength && ends.high <= begin + tube.length + touchLength;
  }
  Vec3 slope;
  const double here = distance(k, middle, &slope);
  double farthest = -1e300, nearest = 1e300, lowest = 1e300;
  std::size_t at = 0;
  for (std::size_t v = 0; v < static_cast<std::size_t>(cell.vertexCount); ++v) {
    const double f = distance(k, cell.vertex[v]);
    farthest = std::max(farthest, f);
    if (f < nearest) {
      nearest = f;
      at = v;
    }
    lowest = std::min(lowest, here + slope.dot(cell.vertex[v] - middle));
  }
  if (whole && farthest <= touchLength) return Fate::covers;
  if (nearest < -touchLength) return Fate::stays;
  if (lowest >= -touchLength) return Fate::goes;
  // The tangent plane at the nearest vertex may show what that in the middle does not.
  const double there = distance(k, cell.vertex[at], &slope);
  lowest = 1e300;
  for (std::size_t v = 0; v < static_cast<std::size_t>(cell.vertexCount); ++v)
    lowest = std::min(lowest, there + slope.dot(cell.vertex[v] - cell.vertex[at]));
  return lowest >= -touchLength ? Fate::goes : Fate::stays;
}

std::optional<Plane> LeafPieces::cutFor(unsigned k, const ConvexCell& cell) const {
  if (isSlab(k)) return cutOfSlab(skeleton_.slabs[piece_[k].index], cell);
  if (piece_[k].kind == Piece::Kind::tube) return cutOfTube(skeleton_.tubes[piece_[k].index], cell);
  return std::nullopt;
}

LeafPieces::Verdict LeafPieces::compareBalls(const ConvexCell& cell, unsigned i, unsigned j,
                                             const Vec3& ci, const Vec3& cj, double ri,
                                             double rj) const {
  const Vec3 way = cj - ci;
  const double d = way.norm();
  if (d < touchLength) return {static_cast<int>(ri < rj ? i : j), {}};
  const Vec3 n = way / d;
  // A plane on one side of which each is the nearer one.
  const double offset = n.dot(ci) + 0.5 * (d + (ri - rj) * (ri + rj) / d);
  const Range r = along(cell, n);
  if (r.high <= offset + touchLength) return {static_cast<int>(j), {}};
  if (r.low >= offset - touchLength) return {static_cast<int>(i), {}};
  return {-1, Plane{n, offset}};
}
LeafPieces::Verdict LeafPieces::compare(const ConvexCell& cell, unsigned i, unsigned j) const {
  using Kind = Piece::Kind;
  if (piece_[i].kind == Kind::ellipsoid || piece_[j].kind == Kind::ellipsoid) return {};
  if (piece_[i].kind == Kind::ball && piece_[j].kind == Kind::ball) {
    const Ball &a = skeleton_.balls[piece_[i].index], &b = skeleton_.balls[piece_[j].index];
    return compareBalls(cell, i, j, a.c, b.c, a.radius, b.radius);
  }
  if (piece_[i].kind == Kind::ball || piece_[j].kind == Kind::ball) {
    if (piece_[i].kind == Kind::ball) std::swap(i, j);
    const Tube& tube = skeleton_.tubes[piece_[i].index];
    const Ball& ball = skeleton_.balls[piece_[j].index];
    const Vec3 d = ball.c - tube.p;
    const double z = d.dot(tube.t);
    if ((d - z * tube.t).norm() > touchLength) return {};
    if (ball.radius <= tube.radius) return {static_cast<int>(j), {}};
    const double half = std::sqrt((ball.radius - tube.radius) * (ball.radius + tube.radius));
    const double at = tube.p.dot(tube.t) + z;
    const Range r = along(cell, tube.t);
    if (r.high <= at - half + touchLength || r.low >= at + half - touchLength)
      return {static_cast<int>(j), {}};
    if (r.low >= at - half - touchLength && r.high <= at + half + touchLength)
      return {static_cast<int>(i), {}};
    return {-1, Plane{tube.t, r.low < at - half - touchLength ? at - half : at + half}};
  }
  const Tube &a = skeleton_.tubes[piece_[i].index], &b = skeleton_.tubes[piece_[j].index];
  const Vec3 across = a.t.cross(b.t), way = b.p - a.p;
  const double sine = across.norm();
  if (sine < 1e-13) {
    const Vec3 foot = b.p - way.dot(a.t) * a.t;
    return compareBalls(cell, i, j, a.p, foot, a.radius, b.radius);
  }
  if (std::fabs(a.radius - b.radius) > touchLength ||
      std::fabs(way.dot(across)) > touchLength * sine)
    return {};
  const Vec3 o = a.p + way.cross(b.t).dot(across) / (sine * sine) * a.t;
  // The nearer axis is the one that x runs along more.
  const Vec3 p = a.t + b.t, q = a.t - b.t;
  const Range plus = along(cell, p), minus = along(cell, q);
  const double atPlus = o.dot(p), atMinus = o.dot(q);
  const double lp = p.norm(), lm = q.norm();
  if (plus.low < atPlus - touchLength * lp && plus.high > atPlus + touchLength * lp)
    return {-1, Plane{p / lp, atPlus / lp}};
  if (minus.low < atMinus - touchLength * lm && minus.high > atMinus + touchLength * lm)
    return {-1, Plane{q / lm, atMinus / lm}};
  const bool same =
      (plus.high > atPlus + touchLength * lp) == (minus.high > atMinus + touchLength * lm);
  return {static_cast<int>(same ? j : i), {}};
}

Sums LeafPieces::within(const ConvexCell& cell, unsigned k) const {
  const Piece& piece = piece_[k];
  if (piece.kind == Piece::Kind::tube) {
    const Tube& tube = skeleton_.tubes[piece.index];
    return cylinderInCell(cell, tube.p, tube.t, tube.radius);
  }
  if (piece.kind == Piece::Kind::ball) {
    const Ball& ball = skeleton_.balls[piece.index];
    return ballInCell(cell, ball.c, ball.radius);
  }
  const Ellipsoid& e = skeleton_.ellipsoids[piece.index];
  return ellipsoidInCell(cell, e.c, e.stretch, e.toUnit);
}

namespace {

using Mask = LeafPieces::Mask;

/// A surface f = 0 near a part: f lies between its tangent plane n·x - offset and that plus `rise`.
struct Tangent {
  unsigned piece = 0;
  Plane plane;
  double rise = 0.0;
};

class LeafSolver {
 public:
  LeafSolver(const Skeleton& skeleton, std::span<const std::uint32_t> crossing,
             const LeafLimits& limits)
      : skeleton_(skeleton), crossing_(crossing), limits_(limits), pieces_(skeleton) {}

  LeafResult run(const Vec3& centre, const Vec3& half, std::span<const std::uint32_t> elements) {
    if (elements.size() > limits_.elements || !pieces_.gather(elements))
      result_.complete = false;
    else
      solve(ConvexCell::box(centre, half), pieces_.all(), 0);
    return result_;
  }

 private:
  template <class F>
  static void forEach(Mask mask, F&& f) {
    for (; mask; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
  }
  void cover(const ConvexCell& cell) { result_.body += cell.sums(); }

  void leaveOpen(const ConvexCell& cell, double bodyFraction) {
    const Sums s = cell.sums();
    result_.body.add(s, Vec3::Zero(), bodyFraction);
    result_.more += (1.0 - bodyFraction) * s.m0;
    result_.less += bodyFraction * s.m0;
  }

  /// No piece reaches the cell; it may be inside a solid.
  void freeCell(const ConvexCell& cell) {
    if (crossing_.empty()) return;
    const Vec3 p = cell.middle();
    for (const std::uint32_t s : crossing_)
      if (skeleton_.solids[s].contains(p)) return cover(cell);
  }

  void exact(const ConvexCell& cell, unsigned k, Mask mask, const Vec3& middle, int depth) {
    const Sums in = pieces_.within(cell, k);
    if (!plausible(in, cell, middle)) return bisect(cell, mask, depth);
    result_.body += in;
  }

  /// Whether integrals can be those of a part of the cell: a guard against rounding that turns an
  /// arc the wrong way about.
  static bool plausible(const Sums& s, const ConvexCell& cell, const Vec3& middle) {
    const double volume = cell.volume(), slack = 1e-9 * volume + 1e-20;
    if (!(s.m0 >= -slack && s.m0 <= volume + slack)) return false;
    double reach = 0.0;
    for (std::size_t v = 0; v < static_cast<std::size_t>(cell.vertexCount); ++v)
      reach = std::max(reach, (cell.vertex[v] - middle).squaredNorm());
    const Vec3 m1 = Vec3(s.m1[0], s.m1[1], s.m1[2]) - s.m0 * middle;
    return m1.squaredNorm() <= (s.m0 + 2.0 * slack) * (s.m0 + 2.0 * slack) * reach;
  }

  /// Counts a part. `depth` guards the stack; parts get smaller all the way.
  /// @returns whether there is still work to spend on it
  bool begins(int depth) {
    if (result_.complete) result_.complete = ++result_.parts <= limits_.parts && depth <= 150;
    return result_.complete;
  }

  void solve(const ConvexCell& cell, Mask mask, int depth) {
    if (!begins(depth)) return;
    const Vec3 middle = cell.middle();
    Mask curved = 0, slabs = 0;
    for (Mask rest = mask; rest; rest &= rest - 1) {
      const auto k = static_cast<unsigned>(std::countr_zero(rest));
      if (!(mask >> k & 1)) continue;  // gone with a slab
      const LeafPieces::Fate fate = pieces_.fate(k, cell, middle, mask);
      if (fate == LeafPieces::Fate::covers) return cover(cell);
      if (fate == LeafPieces::Fate::goes) mask &= ~(Mask{1} << k);
    }
    forEach(mask, [&](unsigned k) { (pieces_.isSlab(k) ? slabs : curved) |= Mask{1} << k; });
    if (mask == 0) return freeCell(cell);

    std::optional<Plane> plane;
    for (const Mask some : {slabs, curved})
      forEach(some, [&](unsigned k) {
        if (!plane) plane = pieces_.cutFor(k, cell);
      });
    if (!plane) {
      for (Mask a = curved; a && !plane; a &= a - 1)
        for (Mask b = a & (a - 1); b && !plane; b &= b - 1) {
          const auto i = static_cast<unsigned>(std::countr_zero(a)),
                     j = static_cast<unsigned>(std::countr_zero(b));
          const LeafPieces::Verdict verdict = pieces_.compare(cell, i, j);
          if (verdict.hidden >= 0)
            return solve(cell, mask & ~(Mask{1} << verdict.hidden), depth + 1);
          plane = verdict.cut;
        }
    }
    if (plane) return cut(cell, *plane, mask, depth);
    if (slabs) return leaveOpen(cell, 0.5);  // thinner than rounding
    if (std::popcount(curved) == 1) {
      const auto k = static_cast<unsigned>(std::countr_zero(curved));
      switch (leftover(cell, k, middle)) {
        case Leftover::outside:
          return exact(cell, k, mask, middle, depth);
        case Leftover::inside:
          return cover(cell);
        case Leftover::both:
          return bisect(cell, mask, depth);
      }
    }
    between(cell, mask, middle, depth);
  }

  /// Where the rest of the cell outside a convex piece is. No surface of a solid passes through it,
  /// and each of its connected parts has a corner of the cell. The reason: a plane through one of
  /// its points that clears the piece has a corner beyond it.
  enum class Leftover { outside, inside, both };
  Leftover leftover(const ConvexCell& cell, unsigned k, const Vec3& middle) const {
    if (crossing_.empty()) return Leftover::outside;
    bool inside = false, outside = false;
    for (std::size_t v = 0; v < static_cast<std::size_t>(cell.vertexCount); ++v) {
      Vec3 slope;
      const double f = pieces_.distance(k, cell.vertex[v], &slope);
      if (f <= touchLength) continue;
      // The corner itself may be on the surface: ask a little further in, short of the plane that
      // touches the piece.
      const Vec3 way = middle - cell.vertex[v];
      const double fall = -slope.dot(way);
      const Vec3 p = cell.vertex[v] + (fall > f ? 0.5 * f / fall : 0.5) * way;
      bool in = false;
      for (const std::uint32_t s : crossing_) in = in || skeleton_.solids[s].contains(p);
      (in ? inside : outside) = true;
      if (inside && outside) return Leftover::both;
    }
    return inside ? Leftover::inside : Leftover::outside;
  }

  void cut(const ConvexCell& cell, const Plane& plane, Mask mask, int depth) {
    ConvexCell above, below;
    // Neither side is empty by cuts(); by split() one may be, within rounding.
    if (split(cell, plane.n, plane.offset, touchLength, above, below) != Side::cut)
      return openOrGiveUp(cell);
    solve(above, mask, depth + 1);
    solve(below, mask, depth + 1);
  }

  void openOrGiveUp(const ConvexCell& cell) {
    if (cell.volume() <= limits_.part)
      leaveOpen(cell, 0.5);
    else
      result_.complete = false;
  }

  void bisect(const ConvexCell& cell, Mask mask, int depth, const Vec3& alsoTry = Vec3::Zero()) {
    if (cell.volume() <= limits_.part) return leaveOpen(cell, 0.5);
    Vec3 best = Vec3::UnitX();
    double longest = 0.0;
    for (const Vec3& n : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ()), alsoTry}) {
      const Range r = along(cell, n);
      if (r.high - r.low > longest) {
        longest = r.high - r.low;
        best = n;
      }
    }
    const Range r = along(cell, best);
    const double at = 0.5 * (r.low + r.high);
    if (!cuts(cell, best, at)) return leaveOpen(cell, 0.5);
    cut(cell, {best, at}, mask, depth);
  }

  /// Two or more curved pieces whose common edge is no plane curve.
  void between(const ConvexCell& cell, Mask mask, const Vec3& middle, int depth) {
    std::array<Tangent, LeafPieces::most> tangent;
    std::size_t count = 0;
    forEach(mask, [&](unsigned k) {
      Vec3 slope;
      const double here = pieces_.distance(k, middle, &slope);
      Tangent& t = tangent[count++];
      t.piece = k;
      const double steep = slope.norm();
      if (!(steep > 1e-3)) {
        t.rise = -1.0;
        return;
      }
      double rise = 0.0;
      for (std::size_t v = 0; v < static_cast<std::size_t>(cell.vertexCount); ++v)
        rise = std::max(
            rise, pieces_.distance(k, cell.vertex[v]) - here - slope.dot(cell.vertex[v] - middle));
      t.rise = (rise + 1e-15) / steep;
      t.plane.n = slope / steep;
      t.plane.offset = t.plane.n.dot(middle) - here / steep;
    });
    std::sort(tangent.begin(), tangent.begin() + static_cast<std::ptrdiff_t>(count),
              [](const Tangent& a, const Tangent& b) { return a.rise < b.rise; });
    if (tangent[0].rise < 0.0) return bisect(cell, mask, depth);
    // The layers of the two flattest meet in a tube about as large as this.
    const Vec3 crease = tangent[0].plane.n.cross(tangent[1].plane.n);
    const double sine = crease.norm();
    const Vec3 way = sine > 1e-9 ? Vec3(crease / sine) : Vec3(Vec3::Zero());
    double extent = 0.0;
    for (const Vec3& n : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ()), way}) {
      const Range r = along(cell, n);
      extent = std::max(extent, r.high - r.low);
    }
    const double expected =
        tangent[0].rise * extent * std::min(extent, tangent[1].rise / std::max(sine, 1e-3));
    if (expected > limits_.part) return bisect(cell, mask, depth, way);
    layers(cell, mask, {tangent.data(), count}, 0, depth);
  }

  /// The part of the cell within the layers of tangents[0..done).
  void layers(const ConvexCell& cell, Mask mask, std::span<const Tangent> tangents,
              std::size_t done, int depth) {
    if (!begins(depth)) return;
    if (done == tangents.size()) {
      // Along a crease the deviations grow with the square of the distance from the middle. The
      // part where both exceed the layer is free: a fifth of it.
      return leaveOpen(cell, 0.8);
    }
    const Tangent& t = tangents[done];
    ConvexCell above, below, inside, layer;
    const Side top = split(cell, t.plane.n, t.plane.offset, 0.0, above, below);
    if (top == Side::unsure) return openOrGiveUp(cell);
    if (top != Side::below)
      solve(top == Side::cut ? above : cell, mask & ~(Mask{1} << t.piece), depth + 1);
    if (top == Side::above) return;
    const ConvexCell& low = top == Side::cut ? below : cell;
    const Side bottom = split(low, t.plane.n, t.plane.offset - t.rise, 0.0, layer, inside);
    if (bottom == Side::unsure) return openOrGiveUp(low);
    if (bottom != Side::above) cover(bottom == Side::cut ? inside : low);
    if (bottom == Side::below) return;
    layers(bottom == Side::cut ? layer : low, mask, tangents, done + 1, depth + 1);
  }

  const Skeleton& skeleton_;
  std::span<const std::uint32_t> crossing_;
  LeafLimits limits_;
  LeafPieces pieces_;
  LeafResult result_;
};

}  // namespace

LeafResult solveLeaf(const Skeleton& skeleton, const Vec3& centre, const Vec3& halfSize,
                     std::span<const std::uint32_t> elements,
                     std::span<const std::uint32_t> crossing, const LeafLimits& limits) {
  return LeafSolver(skeleton, crossing, limits).run(centre, halfSize, elements);
}

}  // namespace scree::mass::detail

// SPDX-License-Identifier: GPL-3.0-or-later
#include "leaf_pieces.hpp"

#include "clipped_quadric.hpp"

#include <algorithm>
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

/// By a plane on one side of which each is the nearer one.
LeafPieces::Verdict byPlane(const ConvexCell& cell, const Vec3& n, double offset, unsigned below,
                            unsigned above) {
  const Range r = along(cell, n);
  if (r.high <= offset + touchLength) return {static_cast<int>(above), {}};
  if (r.low >= offset - touchLength) return {static_cast<int>(below), {}};
  return {-1, Plane{n, offset}};
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
  return byPlane(cell, n, n.dot(ci) + 0.5 * (d + (ri - rj) * (ri + rj) / d), i, j);
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

}  // namespace scree::mass::detail

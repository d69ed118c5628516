// SPDX-License-Identifier: GPL-3.0-or-later
#include "mean_gap.hpp"

#include "base/elementary.hpp"
#include "surface_pieces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

namespace scree::clump::detail {
namespace {

/// A piece of the surface with bounds of the integral over it.
struct Part {
  SurfacePiece piece;
  double area = 0.0, low = 0.0, high = 0.0;
  double leastGap = 0.0, mostGap = 0.0;  ///< [L] of its points
  double weight = 0.0;                   ///< how much its bounds leave open
  bool visible = false;                  ///< surely, all of it
  std::optional<std::uint32_t> cutBy{};  ///< as in Seen
  int cuts = 0;                          ///< that led to it
  std::uint64_t number = 0;
  bool operator<(const Part& other) const {
    return weight != other.weight ? weight < other.weight : number > other.number;
  }
};

/// How a curved piece differs from the plane polygon of its corners.
struct Bulge {
  double area = 0.0;  ///< [L²] of the polygon
  double away = 0.0;  ///< [L] points of the piece are within this of those they come from
  double least = 1.0, most = 1.0;  ///< [-] area on the piece over that on the polygon
};

/// Points of the polygon go outward from the axis of a tube, or the centre of a cap.
Bulge bulgeOf(const SurfacePiece& piece, double radius) {
  Bulge b;
  const auto& n = piece.normal;
  if (piece.kind == SurfacePiece::Kind::tube) {
    const double near = n[0].dot((n[0] + n[1]).normalized());  // of the rectangle from the axis
    b.area = (piece.core[1] - piece.core[0]).norm() * radius * (n[1] - n[0]).norm();
    b.away = radius * (1.0 - near);
    b.least = near;
    b.most = 1.0 / near;
  } else {
    const Vec3 across = (n[1] - n[0]).cross(n[2] - n[0]);
    const Vec3 middle = (n[0] + n[1] + n[2]).normalized();
    const double plane = std::fabs(across.normalized().dot(n[0]));
    const double near =
        std::max(plane, std::min({n[0].dot(middle), n[1].dot(middle), n[2].dot(middle)}));
    b.area = 0.5 * radius * radius * across.norm();
    b.away = radius * (1.0 - near);
    b.least = plane;
    b.most = plane / (near * near * near);
  }
  return b;
}

/// Bounds of the integral of the gap.
void bound(Part& part, std::span<const Ball> balls, double radius) {
  const bool flat = part.piece.kind == SurfacePiece::Kind::flat;
  const Bulge bulge = flat ? Bulge{part.area} : bulgeOf(part.piece, radius);
  const std::size_t corners = part.piece.cornerCount();
  const auto number = static_cast<double>(corners);
  std::array<Vec3, 4> corner;
  for (std::size_t k = 0; k < corners; ++k) corner[k] = part.piece.corner(k, radius);
  Vec3 middle = corner[0] + corner[1] + corner[2];
  if (corners == 4) middle += corner[3];
  middle /= number;
  double reach = 0.0, least = 1e300;
  for (std::size_t k = 0; k < corners; ++k) reach = std::max(reach, (corner[k] - middle).norm());
  for (const Ball& ball : balls)
    least = std::min(least, (middle - ball.centre).norm() - ball.radius);
  double high = 1e300;
  std::array<double, 4> below{1e300, 1e300, 1e300, 1e300};
  for (const Ball& ball : balls) {
    const Vec3 from = middle - ball.centre;
    const double distance = from.norm(), here = distance - ball.radius;
    if (here > least + 2.0 * reach) continue;  // nowhere the nearest
    double mean = 0.0;
    for (std::size_t k = 0; k < corners; ++k) {
      mean += std::max(0.0, (corner[k] - ball.centre).norm() - ball.radius + bulge.away) / number;
      const double tangent =
          distance > 0.0 ? here + from.dot(corner[k] - middle) / distance : -ball.radius;
      below[k] = std::min(below[k], tangent - bulge.away);
    }
    high = std::min(high, mean);
  }
  double lowest = below[0] + below[1] + below[2];
  if (corners == 4) lowest += below[3];
  part.high = bulge.area * bulge.most * high;
  part.low = bulge.area * bulge.least * std::max(0.0, lowest / number);
  part.mostGap = std::max(0.0, least + reach + bulge.away);
  part.leastGap = std::max(0.0, least - reach - bulge.away);
  if (!flat) {  // a sliver may bulge much
    part.high = std::min(part.high, part.area * part.mostGap);
    part.low = std::max(part.low, part.area * part.leastGap);
  }
  part.low = std::min(part.high, part.low);
}

/// The largest mean gap that parts can have, or the least with `sign` -1. An open part may count in
/// part, and that part has at most its largest gap. So all of it counts with this gap, or nothing.
/// Each round counts those that are beyond the mean before it (W. Dinkelbach, Management Science
/// 13(7), 492-498, 1967).
double extremeMean(const std::vector<Part>& parts, double sign) {
  const auto gapOf = [&](const Part& p) {
    if (p.visible) return sign > 0.0 ? p.high : p.low;
    return p.area * (sign > 0.0 ? p.mostGap : p.leastGap);
  };
  double mean = -sign * HUGE_VAL;
  for (const Part& p : parts)  // where none is sure, one alone may count
    if (p.area > 0.0) mean = sign * std::max(sign * mean, sign * gapOf(p) / p.area);
  double integral = 0.0, area = 0.0;
  for (const Part& p : parts)
    if (p.visible) integral += gapOf(p), area += p.area;
  if (area > 0.0) mean = integral / area;
  for (int round = 0; round < 50 && area > 0.0; ++round) {
    double sum = integral, whole = area;
    for (const Part& p : parts)
      if (!p.visible && sign * (gapOf(p) - mean * p.area) > 0.0) sum += gapOf(p), whole += p.area;
    const double next = sum / whole;
    if (!(sign * (next - mean) > 1e-12 * std::fabs(mean))) break;
    mean = next;
  }
  return mean;
}

/// Whether arcs, each a middle and half its length in radians, leave a part of the circle free.
bool anyFree(const std::vector<std::pair<double, double>>& arcs) {
  std::vector<std::pair<double, double>> parts;
  for (const auto& [middle, half] : arcs) {
    double from = middle - half, to = middle + half;
    if (from < -pi) parts.push_back({from + 2.0 * pi, pi}), from = -pi;
    if (to > pi) parts.push_back({-pi, to - 2.0 * pi}), to = pi;
    parts.push_back({from, to});
  }
  std::sort(parts.begin(), parts.end());
  double reached = -pi;
  for (const auto& [from, to] : parts) {
    if (from > reached + 1e-12) return true;
    reached = std::max(reached, to);
  }
  return reached < pi - 1e-12;
}

}  // namespace

shape::Bracket meanGap(const SolidDistance& solid, std::span<const Ball> balls, double accuracy) {
  constexpr std::uint64_t workLimit = 1'000'000;
  constexpr std::uint64_t lookLimit = 300'000;  // a look costs as much as ten other pieces
  constexpr int mostCuts = 4;                   // else slivers come about
  const SurfacePieces surface = surfacePieces(solid);
  const double radius = solid.radius();
  std::priority_queue<Part> queue;
  // What lies in the solid counts neither in the integral nor in the area. Parts of which that is
  // not known have the area `open`.
  double area = 0.0, open = 0.0, low = 0.0, high = 0.0;
  double typical = 0.0, largest = 0.0;  // [L] gaps of the first parts
  std::uint64_t made = 0, looks = 0, openParts = 0;
  const auto add = [&](const SurfacePiece& piece, bool visible, int cuts) {
    Part part{piece};
    part.area = piece.area(radius);
    part.visible = visible || !surface.mayHide;
    if (!part.visible) {
      const Seen known = seen(solid, piece);
      ++looks;
      if (known.visibility == Visibility::none) return 0.0;
      part.visible = known.visibility == Visibility::whole && !surface.mayRepeat;
      if (cuts < mostCuts) part.cutBy = known.cutBy;
      part.cuts = cuts;
    }
    bound(part, balls, radius);
    if (!part.visible) {
      part.low = 0.0;
      open += part.area;
      ++openParts;
    }
    part.weight = part.high - part.low + (part.visible ? 0.0 : typical * part.area);
    part.number = made++;
    low += part.low;
    high += part.high;
    if (part.area > 0.0) largest = std::max(largest, part.high / part.area);
    queue.push(part);
    return part.area;
  };
  const auto widest = [&] {  // a bound of the range, times the area
    if (openParts == 0) return high - low;
    return area * std::min(open < area ? high / (area - open) : largest, largest) - low;
  };
  for (const SurfacePiece& piece : surface.pieces) area += add(piece, false, 0);
  if (!(area > 0.0)) return {};
  typical = high / area;
  const double begun = high;
  while (!queue.empty() && widest() > accuracy * area && made < workLimit && looks < lookLimit) {
    const Part whole = queue.top();
    queue.pop();
    low -= whole.low;
    high -= whole.high;
    if (!whole.visible) {
      open -= whole.area;
      area -= whole.area;
      --openParts;
    }
    const auto addPart = [&](const SurfacePiece& piece) {
      const double added = add(piece, whole.visible, whole.cuts + (whole.cutBy ? 1 : 0));
      if (!whole.visible) area += added;
    };
    if (whole.cutBy)
      for (const SurfacePiece& piece : cut(solid, whole.piece, *whole.cutBy)) addPart(piece);
    else
      whole.piece.split(radius, addPart);
  }
  shape::Bracket mean{low / area, high / area};
  if (openParts > 0) {
    std::vector<Part> parts;
    for (; !queue.empty(); queue.pop()) parts.push_back(queue.top());
    mean = {extremeMean(parts, -1.0), extremeMean(parts, 1.0)};
  }
  // Each change of the sums is rounded.
  const double rounding = 1e-12 * mean.atMost + 1e-16 * static_cast<double>(made) * (begun / area);
  return {std::max(0.0, mean.atLeast - rounding), mean.atMost + rounding};
}

double grooveDepth(std::span<const Ball> balls) {
  constexpr double rounding = 1e-12;  // of centres and radii of balls that are to touch
  double deepest = 0.0;
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1; j < balls.size(); ++j) {
      const Vec3 between = balls[j].centre - balls[i].centre;
      const double d = between.norm(), r = balls[i].radius, s = balls[j].radius;
      if (!(d > std::fabs(r - s)) || d > (1.0 + rounding) * (r + s)) continue;
      const double along = (d * d + r * r - s * s) / (2.0 * d);
      const double across = std::sqrt(std::max(0.0, r * r - along * along));
      // The hull of two balls is a cone about them; its side has this slope.
      const double sine = (r - s) / d, cosine = std::sqrt(1.0 - sine * sine);
      const double depth = r - along * sine - across * cosine;
      // The circle is a point where balls touch: from outside in a groove, from inside in none.
      if (depth <= deepest || (!(across > 0.0) && d < std::max(r, s))) continue;
      const Vec3 axis = between / d, side = axis.unitOrthogonal(), other = axis.cross(side);
      const Vec3 middle = balls[i].centre + along * axis;
      std::vector<std::pair<double, double>> arcs;
      bool hidden = false;
      for (std::size_t m = 0; m < balls.size() && !hidden; ++m) {
        if (m == i || m == j) continue;
        const Vec3 to = balls[m].centre - middle;
        const double x = to.dot(side), y = to.dot(other), far = std::sqrt(x * x + y * y);
        const double rest = to.squaredNorm() + across * across - balls[m].radius * balls[m].radius;
        if (far * 2.0 * across <= std::fabs(rest)) {
          hidden = rest < 0.0;
          continue;
        }
        const double cosineOfHalf = rest / (2.0 * across * far);
        const double sineOfHalf = std::sqrt(1.0 - cosineOfHalf * cosineOfHalf);
        arcs.push_back({elementary::atan2(y, x), elementary::atan2(sineOfHalf, cosineOfHalf)});
      }
      if (!hidden && anyFree(arcs)) deepest = depth;
    }
  return deepest;
}

}  // namespace scree::clump::detail

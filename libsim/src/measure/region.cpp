// SPDX-License-Identifier: GPL-3.0-or-later
#include "scree/sim/measure/region.hpp"

#include "measure/slice_integral.hpp"

#include "scree/base/error.hpp"
#include "scree/base/math.hpp"
#include "scree/base/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace scree::sim {
namespace {

double arcSine(double x) {
  return portableAtan2(x, std::sqrt(std::max(0.0, (1.0 - x) * (1.0 + x))));
}

/// The integral of the areas of slices of a ball of this radius about 0, from `low` to `high`.
/// `breaks` are radii of slices at which the area changes its form.
template <class Area>
double slices(double radius, double low, double high, const std::vector<double>& breaks,
              Area&& area) {
  low = std::max(low, -radius);
  high = std::min(high, radius);
  if (!(low < high)) return 0.0;
  // The middle, too: a break just beyond the radius bends the areas there.
  std::vector<double> cuts{0.0};
  for (const double r : breaks)
    if (r > 0.0 && r < radius)
      for (const double sign : {-1.0, 1.0})
        cuts.push_back(sign * std::sqrt((radius - r) * (radius + r)));
  return sliceIntegral(low, high, std::move(cuts), [&](double z) {
    return area(std::sqrt(std::max(0.0, (radius - z) * (radius + z))));
  });
}

/// Volume of the part of a ball around the origin with x <= c.
double capBelow(double radius, double c) {
  c = std::clamp(c, -radius, radius);
  return pi / 3.0 * (radius + c) * (radius + c) * (2.0 * radius - c);
}

}  // namespace

double Region::volume() const {
  switch (kind) {
    case Kind::box:
      return (high - low).prod();
    case Kind::cylinder:
      return pi * radius * radius * length;
    default:
      return 4.0 / 3.0 * pi * radius * radius * radius;
  }
}

bool Region::contains(const Vec3& point) const {
  if (kind == Kind::box)
    return (point.array() >= low.array()).all() && (point.array() <= high.array()).all();
  const Vec3 d = point - centre;
  if (kind == Kind::sphere) return d.squaredNorm() <= radius * radius;
  const double along = d.dot(axis);
  return along >= 0.0 && along <= length && (d - along * axis).squaredNorm() <= radius * radius;
}

int Region::side(const Vec3& c, double r) const {
  const auto between = [&](double inner) { return inner >= r ? 1 : inner <= -r ? -1 : 0; };
  if (kind == Kind::box) {
    int least = 1;
    for (int k = 0; k < 3; ++k)
      least = std::min({least, between(c[k] - low[k]), between(high[k] - c[k])});
    return least;
  }
  const Vec3 d = c - centre;
  if (kind == Kind::sphere) return between(radius - d.norm());
  const double along = d.dot(axis);
  return std::min(
      {between(radius - (d - along * axis).norm()), between(along), between(length - along)});
}

Region parseRegion(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::vector<double> v;
  std::string_view rest = colon == std::string_view::npos ? "" : text.substr(colon + 1);
  bool good = !rest.empty();
  while (good && !rest.empty()) {
    const auto comma = rest.find(',');
    const auto value = parseNumber(rest.substr(0, comma));
    good = value && std::isfinite(*value);
    if (good) v.push_back(*value);
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  const UsageError wrong(fmt::format(
      "expected box:x,y,z,X,Y,Z or sphere:x,y,z,R or cylinder:x,y,z,X,Y,Z,R with numbers, found "
      "'{}'",
      shown(text)));
  if (!good) throw wrong;
  const auto at = [&](std::size_t k) { return Vec3(v[k], v[k + 1], v[k + 2]); };
  Region r;
  if (name == "box" && v.size() == 6) {
    r.kind = Region::Kind::box;
    r.low = at(0);
    r.high = at(3);
  } else if (name == "sphere" && v.size() == 4) {
    r.kind = Region::Kind::sphere;
    r.centre = at(0);
    r.radius = v[3];
  } else if (name == "cylinder" && v.size() == 7) {
    r.kind = Region::Kind::cylinder;
    r.centre = at(0);
    r.length = (at(3) - at(0)).norm();
    if (r.length > 0.0) r.axis = (at(3) - at(0)) / r.length;
    r.radius = v[6];
  } else {
    throw wrong;
  }
  if (!(r.volume() > 0.0) || r.radius < 0.0 ||
      (r.kind == Region::Kind::box && !((r.high - r.low).array() > 0.0).all()))
    throw UsageError(
        fmt::format("expected a region with a volume above 0, found '{}'", shown(text)));
  return r;
}

double sharedByBalls(double r, double s, double d) {
  if (d >= r + s) return 0.0;
  const double least = std::min(r, s);
  if (d <= std::abs(r - s)) return 4.0 / 3.0 * pi * least * least * least;
  const double depth = r + s - d;
  return pi * depth * depth * (d * d + 2.0 * d * (r + s) - 3.0 * (r - s) * (r - s)) / (12.0 * d);
}

double sharedByDiscs(double r, double s, double d) {
  if (d >= r + s) return 0.0;
  const double least = std::min(r, s);
  if (d <= std::abs(r - s)) return pi * least * least;
  const double a = (d * d + (r - s) * (r + s)) / (2.0 * d), b = d - a;
  const double h = std::sqrt(std::max(0.0, (r - a) * (r + a)));
  return r * r * portableAtan2(h, a) + s * s * portableAtan2(h, b) - d * h;
}

double discBelow(double radius, double a, double b) {
  if (!(radius > 0.0) || a <= -radius || b <= -radius) return 0.0;
  a = std::min(a, radius);
  b = std::min(b, radius);
  const double area = pi * radius * radius;
  const auto below = [&](double c) {  // x <= c
    return radius * radius * (arcSine(c / radius) + 0.5 * pi) +
           c * std::sqrt(std::max(0.0, (radius - c) * (radius + c)));
  };
  if (a * a + b * b >= radius * radius) {  // the corner lies outside of the disc
    if (a >= 0.0 && b >= 0.0) return below(a) + below(b) - area;
    if (a < 0.0 && b < 0.0) return 0.0;
    return a < 0.0 ? below(a) : below(b);
  }
  return a * b +
         0.5 * (a * std::sqrt((radius - a) * (radius + a)) +
                b * std::sqrt((radius - b) * (radius + b))) +
         0.5 * radius * radius * (arcSine(a / radius) + arcSine(b / radius)) + 0.25 * area;
}

double ballInside(const Region& region, const Vec3& centre, double radius) {
  const double whole = 4.0 / 3.0 * pi * radius * radius * radius;
  const int side = region.side(centre, radius);
  if (side != 0) return side > 0 ? whole : 0.0;
  if (region.kind == Region::Kind::sphere)
    return sharedByBalls(region.radius, radius, (centre - region.centre).norm());
  if (region.kind == Region::Kind::cylinder) {
    const Vec3 d = centre - region.centre;
    const double along = d.dot(region.axis), out = (d - along * region.axis).norm();
    return slices(radius, -along, region.length - along,
                  {std::abs(out - region.radius), out + region.radius},
                  [&](double r) { return sharedByDiscs(region.radius, r, out); });
  }
  const Vec3 low = region.low - centre, high = region.high - centre;
  int axes = 0, cut = 0;  // those along which a plane cuts the ball, and the last of them
  for (int k = 0; k < 3; ++k)
    if (low[k] > -radius || high[k] < radius) ++axes, cut = k;
  if (axes == 1) return capBelow(radius, high[cut]) - capBelow(radius, low[cut]);
  std::vector<double> breaks;
  for (const double x : {low.x(), high.x()}) {
    breaks.push_back(std::abs(x));
    for (const double y : {low.y(), high.y()}) breaks.push_back(std::sqrt(x * x + y * y));
  }
  for (const double y : {low.y(), high.y()}) breaks.push_back(std::abs(y));
  return slices(radius, low.z(), high.z(), breaks, [&](double r) {
    return discBelow(r, high.x(), high.y()) - discBelow(r, low.x(), high.y()) -
           discBelow(r, high.x(), low.y()) + discBelow(r, low.x(), low.y());
  });
}

}  // namespace scree::sim

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/double_double.hpp"
#include "base/elementary.hpp"
#include "mass/cut_ball.hpp"

#include "scree/mass/unions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace scree::mass {

/// Resolution of a scalar, relative to directions of length 1 and to the radius of the ball.
template <class Real>
struct Resolution;
template <>
struct Resolution<double> {
  static constexpr double parallel = 1e-12;  ///< sine below which two directions are one
  static constexpr double doubtful = 1e-3;   ///< sine below which an intersection loses digits
};
template <>
struct Resolution<scree::detail::DoubleDouble> {
  static constexpr double parallel = 1e-26;
  static constexpr double doubtful = 0.0;  // no Real has more digits: this one always decides
};

/// Moments about its centre of one ball cut down to its power cell among its neighbours.
///
/// Each neighbour j gives a plane nj·y <= hj in coordinates about the centre. The part of the plane
/// inside ball and cell is a disc cut by lines: a face of the CutBall that adds up the moments.
///
/// Two planes that almost coincide meet in a line that rounding places differently in each of them;
/// the pieces would then not tile the ball. Where Real cannot decide, `moments` returns false, and
/// the caller repeats it with a Real of more digits. Real carries the geometry alone: the integrals
/// are well conditioned and computed in double.
template <class Real>
class ClippedBall {
 public:
  bool moments(const Ball& ball, std::span<const Ball> neighbours, Moments& out) {
    out = {};
    radius_ = ball.radius;
    if (!makePlanes(ball, neighbours)) return true;
    double angle = 4.0 * pi;
    for (const Plane& plane : planes_)
      if (plane.h < Real(0.0)) angle = 0.0;
    detail::CutBall cut(radius_, angle);
    for (std::size_t k = 0; k < planes_.size(); ++k) {
      Facet facet;
      if (!makeFacet(k, facet)) return false;
      if (facet.area == 0.0 && facet.angle == 0.0) continue;
      const Vec3 u = vec(u_), v = vec(v_);
      const Mat3 second = facet.xx * u * u.transpose() + facet.yy * v * v.transpose() +
                          facet.xy * (u * v.transpose() + v * u.transpose());
      cut.addFace(vec(planes_[k].n), double(planes_[k].h), facet.area, facet.angle,
                  facet.first.x() * u + facet.first.y() * v, second);
    }
    out = cut.moments();
    return true;
  }

  /// Volume and visible area alone, in a third of the time.
  bool visible(const Ball& ball, std::span<const Ball> neighbours, VisiblePart& out) {
    out = {};
    radius_ = ball.radius;
    if (!makePlanes(ball, neighbours)) return true;
    higher_ = false;
    double angle = 4.0 * pi;
    for (const Plane& plane : planes_)
      if (plane.h < Real(0.0)) angle = 0.0;
    for (std::size_t k = 0; k < planes_.size(); ++k) {
      Facet facet;
      if (!makeFacet(k, facet)) return false;
      const double h = double(planes_[k].h);
      if (h != 0.0) angle -= h < 0.0 ? -facet.angle : facet.angle;
      out.pull -= facet.area * vec(planes_[k].n);
      out.volume += h * facet.area / 3.0;
    }
    out.area = radius_ * radius_ * angle;
    out.volume += radius_ * out.area / 3.0;
    return true;
  }

 private:
  using Triple = std::array<Real, 3>;
  struct Plane {
    Triple n;
    Real h;
  };
  /// In the plane of a facet: a·p <= delta.
  struct Line {
    Real ax, ay, delta;
    double half;       ///< half of the chord that the disc cuts from it
    double low, high;  ///< ends of what the other lines leave of the chord; low >= high: nothing
  };
  struct Facet {
    double area = 0.0, angle = 0.0;
    Vec2 first = Vec2::Zero();
    double xx = 0.0, yy = 0.0, xy = 0.0;
  };
  static constexpr double parallel = Resolution<Real>::parallel;
  static constexpr double doubtful = Resolution<Real>::doubtful;

  static Real dot(const Triple& a, const Triple& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  static Triple cross(const Triple& a, const Triple& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static Vec3 vec(const Triple& a) { return {double(a[0]), double(a[1]), double(a[2])}; }

  /// Whether two lines or planes at sine `s` and offset `gap` meet near the ball at an angle too
  /// flat for this Real.
  bool inDoubt(double s, double gap) const {
    return s < doubtful && std::fabs(gap) <= (2.0 * s + 1e-10) * radius_;
  }
  /// False where nothing of the ball is left.
  bool makePlanes(const Ball& ball, std::span<const Ball> neighbours) {
    planes_.clear();
    const Real r(ball.radius);
    for (const Ball& other : neighbours) {
      Plane plane;
      for (std::size_t c = 0; c < 3; ++c) {
        const auto at = static_cast<Eigen::Index>(c);
        plane.n[c] = Real(other.centre[at]) - Real(ball.centre[at]);
      }
      const Real d = scree::detail::squareRoot(dot(plane.n, plane.n));
      for (Real& component : plane.n) component = component / d;
      const Real other_r(other.radius);
      plane.h = (d + (r - other_r) * (r + other_r) / d) * Real(0.5);
      if (plane.h >= r) continue;
      if (plane.h <= -r) return false;
      // A centre on the plane: an infinitesimal shift, the same in all facets, decides the side.
      if (double(plane.h) == 0.0) plane.h = Real(1e-100 * ball.radius);
      planes_.push_back(plane);
    }
    return true;
  }

  /// False where in doubt.
  bool makeFacet(std::size_t k, Facet& facet) {
    const Plane& plane = planes_[k];
    const Real r(radius_);
    const Real rho = scree::detail::squareRoot((r - plane.h) * (r + plane.h));
    makeAxes(plane.n);
    lines_.clear();
    for (std::size_t j = 0; j < planes_.size(); ++j) {
      if (j == k) continue;
      const Plane& other = planes_[j];
      const Real c = dot(other.n, plane.n);
      const Real x = dot(other.n, u_), y = dot(other.n, v_);
      const Real s = scree::detail::squareRoot(x * x + y * y);
      const Real gap = other.h - plane.h * c;
      const double sine = double(s), offset = double(gap);
      if (inDoubt(sine, offset)) return false;
      if (sine < parallel) {
        // The nearer one of planes that point the same way is the facet, the first of equal ones.
        // Facing each other they leave something between them or nothing. Both rules look the same
        // from either plane: if the two disagreed, one facet would be left without its counterpart.
        const bool cut = double(c) > 0.0 ? other.h < plane.h || (!(plane.h < other.h) && j < k)
                                         : plane.h + other.h <= Real(0.0);
        if (cut) return true;
        continue;
      }
      const Real delta = gap / s;
      if (delta <= -rho) return true;
      if (delta >= rho) continue;
      lines_.push_back({x / s, y / s, delta, 0.0, 0.0, 0.0});
    }
    // Near lines first: they leave the least to do, and of parallel ones the first is the one that
    // counts.
    std::stable_sort(lines_.begin(), lines_.end(),
                     [](const Line& a, const Line& b) { return a.delta < b.delta; });
    for (std::size_t i = 0; i < lines_.size(); ++i)
      if (!clipChord(i, rho)) return false;
    integrate(double(rho), double(plane.h), double(r - scree::detail::magnitude(plane.h)), facet);
    return true;
  }

  void makeAxes(const Triple& n) {
    std::size_t least = 0;
    for (std::size_t c = 1; c < 3; ++c)
      if (scree::detail::magnitude(n[c]) < scree::detail::magnitude(n[least])) least = c;
    Triple axis{Real(0.0), Real(0.0), Real(0.0)};
    axis[least] = Real(1.0);
    u_ = cross(n, axis);
    const Real length = scree::detail::squareRoot(dot(u_, u_));
    for (Real& component : u_) component = component / length;
    v_ = cross(n, u_);
  }

  /// Part of the chord of line i that the other lines leave; false where in doubt.
  bool clipChord(std::size_t i, const Real& rho) {
    Line& line = lines_[i];
    Real high = scree::detail::squareRoot((rho - line.delta) * (rho + line.delta)), low = -high;
    // Arcs and chords must end at the same points, so the arcs use this number too. Computed from
    // rounded rho and delta, it would be all noise for a line that only grazes the disc.
    line.half = double(high);
    line.low = line.high = 0.0;
    for (std::size_t m = 0; m < lines_.size(); ++m) {
      if (m == i) continue;
      const Line& other = lines_[m];
      const Real s = other.ay * line.ax - other.ax * line.ay;
      const Real c = other.ax * line.ax + other.ay * line.ay;
      const Real gap = other.delta - line.delta * c;
      const double sine = double(s), offset = double(gap);
      if (inDoubt(std::fabs(sine), offset)) return false;
      if (std::fabs(sine) < parallel) {  // the rules for planes; lines are in order of delta
        const bool cut = double(c) > 0.0 ? m < i : line.delta + other.delta <= Real(0.0);
        if (cut) return true;
        continue;
      }
      const Real t = gap / s;
      if (sine > 0.0) {
        if (t < high) high = t;
      } else {
        if (t > low) low = t;
      }
      if (low >= high) return true;
    }
    line.low = double(low);
    line.high = double(high);
    return true;
  }

  /// Area, moments about the middle of the disc and solid angle of the disc cut by the lines.
  void integrate(double rho, double h, double cap, Facet& facet) {
    arcs_.clear();
    for (const Line& line : lines_) {
      const double delta = double(line.delta), ax = double(line.ax), ay = double(line.ay);
      // The line takes the arc of directions within acos(delta / rho) of a from the circle.
      const double middle = elementary::atan2(ay, ax), width = elementary::atan2(line.half, delta);
      addArc(middle - width, middle + width);
      if (line.low < line.high) addChord(delta, ax, ay, line.low, line.high, h, facet);
    }
    std::sort(arcs_.begin(), arcs_.end());
    double at = 0.0;
    for (const auto& [from, to] : arcs_) {
      if (from > at) addFreeArc(at, from, rho, cap, facet);
      at = std::max(at, to);
    }
    if (at < 2.0 * pi) addFreeArc(at, 2.0 * pi, rho, cap, facet);
  }

  void addArc(double from, double to) {
    if (from < 0.0) {
      from += 2.0 * pi;
      to += 2.0 * pi;
    }
    if (to <= 2.0 * pi) {
      arcs_.push_back({from, to});
    } else {
      arcs_.push_back({from, 2.0 * pi});
      arcs_.push_back({0.0, to - 2.0 * pi});
    }
  }

  void addFreeArc(double from, double to, double rho, double cap, Facet& facet) const {
    const double width = to - from, rho2 = rho * rho;
    facet.area += 0.5 * rho2 * width;
    facet.angle += width * cap / radius_;
    if (!higher_) return;
    const double s0 = elementary::sin(from), c0 = elementary::cos(from), s1 = elementary::sin(to),
                 c1 = elementary::cos(to);
    facet.first += rho2 * rho / 3.0 * Vec2(s1 - s0, c0 - c1);
    const double quarter = 0.25 * rho2 * rho2, turn = 0.5 * (s1 * c1 - s0 * c0);
    facet.xx += quarter * (0.5 * width + turn);
    facet.yy += quarter * (0.5 * width - turn);
    facet.xy += 0.5 * quarter * (s1 * s1 - s0 * s0);
  }

  static void addChord(double delta, double ax, double ay, double low, double high, double h,
                       Facet& facet) {
    const Vec2 foot(delta * ax, delta * ay), along(-ay, ax);
    const Vec2 a = foot + low * along, b = foot + high * along, sum = a + b;
    const double area2 = delta * (high - low);
    facet.area += 0.5 * area2;
    facet.first += area2 / 6.0 * sum;
    facet.xx += area2 / 24.0 * (sum.x() * sum.x() + a.x() * a.x() + b.x() * b.x());
    facet.yy += area2 / 24.0 * (sum.y() * sum.y() + a.y() * a.y() + b.y() * b.y());
    facet.xy += area2 / 24.0 * (sum.x() * sum.y() + a.x() * a.y() + b.x() * b.y());
    facet.angle += detail::angleOfStretch(delta, low, high, h);
  }

  double radius_ = 0.0;
  bool higher_ = true;  ///< whether first and second moments are needed
  Triple u_, v_;
  std::vector<Plane> planes_;
  std::vector<Line> lines_;
  std::vector<std::pair<double, double>> arcs_;
};

}  // namespace scree::mass

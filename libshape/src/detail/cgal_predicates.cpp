// SPDX-License-Identifier: GPL-3.0-or-later
#include "cgal.hpp"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

namespace scree::shape::detail {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point2 = Kernel::Point_2;
using Point3 = Kernel::Point_3;

Point2 point(const Vec2& p) { return {p.x(), p.y()}; }
Point3 point(const Vec3& p) { return {p.x(), p.y(), p.z()}; }
int sign(CGAL::Sign s) { return s == CGAL::POSITIVE ? 1 : s == CGAL::NEGATIVE ? -1 : 0; }

Kernel::Segment_3 longest(const std::array<Vec3, 3>& t) {
  // Collinear points: the segment from the least to the greatest holds the third.
  const std::array<Point3, 3> p{point(t[0]), point(t[1]), point(t[2])};
  return {std::min({p[0], p[1], p[2]}), std::max({p[0], p[1], p[2]})};
}

template <class Other>
bool meets(const std::array<Vec3, 3>& t, const Other& other) {
  if (!onOneLine(t[0], t[1], t[2]))
    return CGAL::do_intersect(Kernel::Triangle_3(point(t[0]), point(t[1]), point(t[2])), other);
  const Kernel::Segment_3 s = longest(t);
  if (s.is_degenerate()) return CGAL::do_intersect(s.source(), other);
  return CGAL::do_intersect(s, other);
}

}  // namespace

int orientation(const Vec2& a, const Vec2& b, const Vec2& c) {
  return sign(CGAL::orientation(point(a), point(b), point(c)));
}

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return sign(CGAL::orientation(point(a), point(b), point(c), point(d)));
}

bool segmentsMeet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const Kernel::Segment_2 s(point(a), point(b)), t(point(c), point(d));
  if (s.is_degenerate()) return t.has_on(s.source());
  if (t.is_degenerate()) return s.has_on(t.source());
  return CGAL::do_intersect(s, t);
}

bool onOneLine(const Vec3& a, const Vec3& b, const Vec3& c) {
  return CGAL::collinear(point(a), point(b), point(c));
}

bool trianglesMeet(const std::array<Vec3, 3>& s, const std::array<Vec3, 3>& t) {
  if (!onOneLine(t[0], t[1], t[2]))
    return meets(s, Kernel::Triangle_3(point(t[0]), point(t[1]), point(t[2])));
  const Kernel::Segment_3 other = longest(t);
  if (other.is_degenerate()) return meets(s, other.source());
  return meets(s, other);
}

bool segmentMeets(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& t) {
  return CGAL::do_intersect(Kernel::Segment_3(point(a), point(b)),
                            Kernel::Triangle_3(point(t[0]), point(t[1]), point(t[2])));
}

}  // namespace scree::shape::detail

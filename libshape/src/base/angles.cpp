// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/angles.hpp"

#include "base/elementary.hpp"

namespace scree {

double angleBetween(const Vec3& a, const Vec3& b) {
  return elementary::atan2(a.cross(b).norm(), a.dot(b));
}

double solidAngle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2.0 * elementary::atan2(a.dot(b.cross(c)),
                                 la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

double solidAngleOfUnits(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 2.0 * elementary::atan2(a.dot(b.cross(c)), 1.0 + a.dot(b) + b.dot(c) + c.dot(a));
}

}  // namespace scree

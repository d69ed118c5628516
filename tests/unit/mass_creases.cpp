// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies whose creases are no plane curves, so that certified leaves something open, and whose
// moments are one-dimensional integrals all the same.
#include "catch.hpp"

#include "scree/base/rng.hpp"
#include "scree/mass/certified.hpp"

#include <cmath>

using namespace scree;
using namespace scree::mass;

namespace {

/// Two capsules, along x at z = 0 and along y at z = `apart`. Where both cylinders are, the slice
/// at z is a rectangle. Height z runs from `low` to `high`, at each of which one of its sides
/// shrinks to nothing. With z = middle + half sin t all is smooth and periodic in t. So the sum
/// over equal steps converges faster than any power.
struct CrossedRods {
  double a, b;              ///< radii
  double lengthA, lengthB;  ///< of the axes
  double apart;

  CertifiedBody body() const {
    RoundedPart first, second;
    first.vertices = {Vec3(-0.5 * lengthA, 0, 0), Vec3(0.5 * lengthA, 0, 0)};
    second.vertices = {Vec3(0, -0.5 * lengthB, apart), Vec3(0, 0.5 * lengthB, apart)};
    first.segments = second.segments = {{0, 1}};
    first.radius = a;
    second.radius = b;
    return {{first, second}, {}};
  }

  /// Textbook capsule along one axis about its own centre.
  static Moments capsule(double r, double length, int axis) {
    Moments m;
    m.m0 = pi * r * r * length + 4.0 / 3.0 * pi * r * r * r;
    const double along = pi * r * r * std::pow(length, 3) / 12 +
                         pi * std::pow(r, 3) * length * length / 3 +
                         pi * std::pow(r, 4) * length / 2 + 4 * pi * std::pow(r, 5) / 15;
    const double across = pi * std::pow(r, 4) * length / 4 + 4 * pi * std::pow(r, 5) / 15;
    m.m2 = across * Mat3::Identity();
    m.m2(axis, axis) = along;
    return m;
  }

  Moments moments() const {
    Moments sum = capsule(a, lengthA, 0);
    Moments other = capsule(b, lengthB, 1);
    const Vec3 shift(0, 0, apart);
    other.m1 = other.m0 * shift;
    other.m2 += other.m0 * shift * shift.transpose();
    sum += other;
    const double low = std::max(-a, apart - b), high = std::min(a, apart + b);
    const double middle = 0.5 * (low + high), half = 0.5 * (high - low);
    constexpr int n = 4000;
    for (int k = 0; k < n; ++k) {
      const double t = pi * (-0.5 + (k + 0.5) / n);
      const double z = middle + half * std::sin(t), dz = half * std::cos(t) * pi / n;
      // Cylinder A allows |y| <= y0, cylinder B |x| <= x0.
      const double y0 = std::sqrt(std::max(0.0, (a - z) * (a + z)));
      const double x0 = std::sqrt(std::max(0.0, (b - z + apart) * (b + z - apart)));
      const double area = 4.0 * x0 * y0 * dz;
      sum.m0 -= area;
      sum.m1.z() -= area * z;
      sum.m2(0, 0) -= area * x0 * x0 / 3.0;
      sum.m2(1, 1) -= area * y0 * y0 / 3.0;
      sum.m2(2, 2) -= area * z * z;
    }
    return sum;
  }
};

void checkWithin(const CertifiedMass& m, const SolidProperties& truth) {
  const double diameter = std::cbrt(6.0 * truth.volume / pi);
  CHECK(std::abs(m.solid.volume - truth.volume) <= m.bound.volume * m.solid.volume);
  CHECK((m.solid.centre - truth.centre).norm() <= m.bound.centre * diameter);
  CHECK((m.solid.inertiaPerMass - truth.inertiaPerMass).norm() <=
        m.bound.inertia * m.solid.inertiaPerMass.norm());
}

}  // namespace

TEST_CASE("the integral for crossed rods gives the solid of Steinmetz", "[mass][certified]") {
  // Equal radii, axes that meet: what both have in common is 16/3 r³.
  const CrossedRods equal{0.5, 0.5, 3.0, 3.0, 0.0};
  const double one = pi * 0.25 * 3.0 + 4.0 / 3.0 * pi * 0.125;
  CHECK(equal.moments().m0 == Approx(2.0 * one - 16.0 / 3.0 * 0.125).epsilon(1e-13));
  checkWithin(certifiedMass(equal.body(), {.tolerance = 1e-8}), solidProperties(equal.moments()));
}

TEST_CASE("rods that cross askew or with two radii lie within bounds that are not rounding",
          "[mass][certified]") {
  const CrossedRods rods = GENERATE(CrossedRods{0.3, 0.5, 3.0, 2.5, 0.0},   // two radii
                                    CrossedRods{0.5, 0.5, 3.0, 3.0, 0.2},   // axes pass by
                                    CrossedRods{0.35, 0.5, 3.0, 4.0, 0.4},  // both
                                    CrossedRods{0.5, 0.5, 3.0, 3.0, 0.95},  // hardly touch
                                    CrossedRods{0.1, 0.5, 2.0, 2.0, 0.0});  // a twig on a trunk
  const SolidProperties truth = solidProperties(rods.moments());
  Rng rng(5);
  for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    CAPTURE(rods.a, rods.b, rods.apart, tolerance);
    const CertifiedMass m = certifiedMass(rods.body(), {.tolerance = tolerance});
    checkWithin(m, truth);
    CHECK(m.bound.volume > 1e-11);
    CHECK(m.bound.volume <= tolerance + 2e-12);
    // The same in another frame: other cells, the same body.
    const Quat turn = rng.orientation();
    CertifiedBody turned = rods.body();
    for (RoundedPart& part : turned.parts)
      for (Vec3& v : part.vertices) v = rotated(turn, v);
    const CertifiedMass t = certifiedMass(turned, {.tolerance = tolerance});
    const Mat3 q = rotationMatrix(turn);
    checkWithin(t, {truth.volume, q * truth.centre, q * truth.inertiaPerMass * q.transpose()});
  }
}
